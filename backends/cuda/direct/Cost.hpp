// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/ShapeTuning.hpp"

#include <model/SweepCost.hpp>

#include <KokkosStencil_Backend.hpp>

// What a sweep costs by each of the kernels.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// A kernel made for a shape, as it is for aligned rows: the problem decides which of its variants runs.
Model::Kernel shape_cost(ShapeTuning const& aligned, Problem const& problem, DeviceModel const& device);

/// Lists of terms, several points a thread and a point a thread. `boundary`: seconds that points near faces take beside
/// them.
Model::Kernel taps_cost(Problem const& problem, DeviceModel const& device, double boundary);
Model::Kernel points_cost(Problem const& problem, DeviceModel const& device, double boundary);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
