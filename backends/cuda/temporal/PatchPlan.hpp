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

/// Cuts the range into patches for a pass of `depth` sweeps, at most the kernel's `most_depth`.
PatchArgs plan_patches(Problem const& problem, PatchTuning const& kernel, int depth, bool aligned);

/// Whether the range is so small that patches are worth a thought: a few for each multiprocessor.
bool suits_patches(PatchArgs const& args, DeviceModel const& device);

/// Seconds of the pass.
double patches_seconds(PatchArgs const& args, PatchTuning const& kernel, ValueType type, DeviceModel const& device);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
