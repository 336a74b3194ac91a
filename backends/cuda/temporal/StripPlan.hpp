// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Args.hpp"
#include "temporal/Tuning.hpp"

#include <KokkosStencil_Device.hpp>
#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Gives an edge as a mirror: at radius 1, for which alone edges are fused, both read the same points.
Face folded(Face face);

struct StripPlan {
  StripArgs args;
  std::int64_t rows;  ///< the time of the pass, in rows of the fast path
};

/// Cuts the range into tasks for a pass of `depth` sweeps, so that all multiprocessors end at about the same time.
StripPlan plan_strips(Problem const& problem, StripTuning const& kernel, std::int64_t multiprocessors, int depth,
                      bool aligned);

/// Seconds of the pass.
double strips_seconds(StripPlan const& plan, Problem const& problem, StripTuning const& kernel,
                      DeviceModel const& device);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
