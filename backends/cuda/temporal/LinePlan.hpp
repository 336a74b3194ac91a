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

/// Cuts the range into segments, a warp each, for a pass of `depth` sweeps.
LineArgs plan_line(Problem const& problem, LineTuning const& kernel, int depth, bool aligned);

/// Seconds of the pass.
double line_seconds(Problem const& problem, LineTuning const& kernel, LineArgs const& args, DeviceModel const& device);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
