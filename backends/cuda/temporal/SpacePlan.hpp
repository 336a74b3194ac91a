// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Args.hpp"
#include "temporal/Tuning.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// How long to look for a plan: for one that runs, or to know about how long it would.
enum class Effort { fine, rough };

struct SpacePlan {
  SpaceArgs args;
  double seconds;  ///< at the rates of the kernel
};

/// Cuts the range into tiles and chunks of planes, so that the multiprocessors are busy to the end.
SpacePlan plan_space(Problem const& problem, SpaceTuning const& kernel, std::int64_t multiprocessors, bool aligned,
                     Effort effort);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
