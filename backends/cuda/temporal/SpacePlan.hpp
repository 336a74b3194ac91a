// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Args.hpp"
#include "temporal/Tuning.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// How thoroughly to search: `fine` for a plan that will run, `rough` to know about how long it would take.
enum class Effort { fine, rough };

struct SpacePlan {
  SpaceArgs args;
  double seconds;  ///< of the pass, on the GPU on which rates were measured
};

/// Cuts the range into tiles and chunks of planes, so that all multiprocessors are busy to the end.
SpacePlan plan_space(Problem const& problem, SpaceTuning const& kernel, std::int64_t multiprocessors, bool aligned,
                     Effort effort);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
