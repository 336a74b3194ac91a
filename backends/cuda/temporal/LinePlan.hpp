// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Args.hpp"
#include "temporal/Tuning.hpp"

#include <KokkosStencil_Problem.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Cuts the range into segments, a warp each, for a pass of `depth` sweeps.
LineArgs plan_line(Problem const& problem, LineTuning const& kernel, int depth, bool aligned);

/// Seconds of the pass. `speed`: multiply-adds a second, over those of the GPU on which rates were measured.
double line_seconds(Problem const& problem, LineTuning const& kernel, LineArgs const& args,
                    std::int64_t multiprocessors, double speed, double bandwidth);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
