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

struct TilePlan {
  TileArgs args;         ///< no vectors in a row: no tile fits
  double seconds = 0.0;  ///< of the pass
};

/// Cuts the range into the tiles with which a pass of `depth` sweeps (1 or more) takes the least time. Predictions use
/// this, too.
TilePlan plan_tiles(Problem const& problem, TileTuning const& kernel, DeviceModel const& device, int depth,
                    bool aligned);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
