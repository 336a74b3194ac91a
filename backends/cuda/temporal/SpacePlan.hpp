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

/// Tiles of a plane of the range, and those whose points all change and lie within the View.
struct SpaceTiles {
  std::int64_t all, inside;
};

/// What a pass takes longer than on the GPU on which tunings were measured because memory is slower.
double slower_memory_seconds(Problem const& problem, SpaceTuning const& kernel, DeviceModel const& device);

/// All of the arguments but how planes are cut into chunks.
SpaceArgs space_args(Problem const& problem, SpaceTuning const& kernel, bool aligned);
SpaceTiles tiles_of(SpaceArgs const& args);
/// At how many ends of the stored planes a pass computes early layers.
int early_sides(Problem const& problem, SpaceTuning const& kernel);

struct SpacePlan {
  SpaceArgs args;
  double seconds;  ///< of the pass, on the GPU on which rates were measured
};

/// Cuts the range into tiles and chunks of planes, so that all multiprocessors are busy to the end. `ghost_planes`: at
/// either side of the range, which are stored, too.
SpacePlan plan_space(Problem const& problem, SpaceTuning const& kernel, std::int64_t multiprocessors, bool aligned,
                     Effort effort, std::int64_t ghost_planes = 0);

/// Passes between Views whose rows begin anywhere and padded copies: the first one, those between copies, the last one.
enum class End { first, between, last };
/// The same for one of these, by a kernel that `find_end` found. `ghosts`: it stores the ghost values of its output,
/// too (not the last one).
SpacePlan plan_end(Problem const& problem, SpaceTuning const& kernel, std::int64_t multiprocessors, End end,
                   bool ghosts);
/// The kernel as predictions take it for such a pass.
SpaceTuning end_tuning(SpaceTuning kernel, End end, bool ghosts);

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
