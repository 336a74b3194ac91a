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

/// How a volume is cut into bricks: the lanes that hold a row of a brick, as the power of two; bricks along z and y.
struct BrickCut {
  int lanes_log      = least_brick_lanes_log;
  int bricks_along_z = 1;
  int bricks_along_y = 1;
};

/// The arguments for a pass of `depth` sweeps; `teams` is 0 where bricks would need more threads than a block has.
BrickArgs brick_args(Problem const& problem, BrickTuning const& kernel, BrickCut const& cut, int depth, bool aligned);

struct BrickPlan {
  BrickArgs args;
  double seconds = 0.0;  ///< of the pass; 0 where no bricks fit into shared memory, or there would be too many
};

/// Finds the cut that takes the least time.
BrickPlan plan_bricks(Problem const& problem, BrickTuning const& kernel, DeviceModel const& device, int depth,
                      bool aligned);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
