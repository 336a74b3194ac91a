// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/PassRange.hpp"
#include "common/Padding.hpp"
#include "common/Passes.hpp"
#include "direct/Plan.hpp"
#include "temporal/BrickPlan.hpp"
#include "temporal/LinePlan.hpp"
#include "temporal/PatchPlan.hpp"
#include "temporal/Plan.hpp"
#include "temporal/SpacePlan.hpp"
#include "temporal/StripPlan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// What the dispatcher compares: the times of the passes as they are planned. Only chunks of planes, for which plans
// search, are predicted by a formula.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

using Model::Kernel;

Kernel pass_of(Problem const& p, DeviceModel const& device) {
  Kernel k        = Cuda::one_sweep(p);
  k.least_seconds = Cuda::host_launch_seconds(device);
  return k;
}

double single_sweep_seconds(Problem const& p, DeviceModel const& device) {
  return Cuda::Direct::cost_of_sweeps(p, device, 1).seconds;
}

/// Single sweeps, which this backend hands over to cuda_direct.
Estimate by_way_of_direct(Problem const& p, DeviceModel const& device) {
  Estimate e = Cuda::Direct::cost_of_sweeps(p, device, p.steps);
  e.seconds *= predicted_delegation;
  return e;
}

/// Passes of so many sweeps and their seconds, a single sweep by cuda_direct first.
using PassTimes = std::vector<std::pair<int, double>>;

/// The least time of all sweeps, cut into these passes.
Estimate in_passes(Kernel k, Problem const& p, DeviceModel const& device, PassTimes const& passes) {
  auto const bulk  = std::min_element(passes.begin(), passes.end(), [](auto const& a, auto const& b) {
    return a.second / a.first < b.second / b.first;
  });
  k.depth          = bulk->first;
  k.work           = Model::time_blocked(static_cast<double>(p.terms.size()), size_of(p.value_type), k.depth);
  k.fraction       = std::min(1.0, Cuda::roofline(k, p, device) * Cuda::points_of(p) / bulk->second);
  Estimate e       = Cuda::finish(k, p, device);
  e.seconds        = Cuda::Passes(passes, p.steps).seconds(p.steps);
  e.device_seconds = 0.0;
  return e;
}

/// The depths that matter: that of the deepest pass, the sweeps that are left after the last of these, and the halves
/// of both together.
std::vector<int> depths_for(std::int64_t steps, int deepest) {
  if (steps < deepest) return {static_cast<int>(steps)};
  auto const rest = static_cast<int>(steps % deepest);
  if (rest == 0) return {deepest};
  int const half = (deepest + rest) / 2;
  std::vector<int> depths{deepest};
  for (int const depth : {rest, half, deepest + rest - half}) {
    if (depth > 1 && depth < deepest && depth != depths.back()) depths.push_back(depth);
  }
  return depths;
}

Estimate lines(LineTuning const& tuning, Problem const& p, DeviceModel const& device) {
  PassTimes passes{{1, single_sweep_seconds(p, device)}};
  bool const aligned = aligned_rows(p);
  for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, tuning.most_depth()); ++depth) {
    passes.emplace_back(depth, line_seconds(p, tuning, plan_line(p, tuning, depth, aligned), device));
  }
  return in_passes(pass_of(p, device), p, device, passes);
}

/// Of each of several passes by patches, which take their places while the one before ends.
constexpr double early_patch_seconds = 0.45e-6;

/// Strips and patches.
Estimate planes(Kernels const& kernels, Problem const& p, DeviceModel const& device) {
  PassTimes passes{{1, single_sweep_seconds(p, device)}};
  bool const aligned = aligned_rows(p);
  for (PatchTuning const* const k : kernels.patches) {
    if (!suits_patches(plan_patches(p, *k, 2, aligned), device)) continue;
    PatchTuning const tuning = tuned(*k, p.value_type, device);
    for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, k->most_depth()); ++depth) {
      PatchArgs const args = plan_patches(p, tuning, depth, aligned);
      if (!suits_patches(args, device)) break;
      double const early = 2 * depth <= p.steps ? early_patch_seconds : 0.0;
      passes.emplace_back(depth, patches_seconds(args, tuning, p.value_type, device) - early);
    }
  }
  for (StripTuning const* const k : kernels.strips) {
    StripTuning const tuning = tuned(*k, p.value_type, device);
    for (int const depth : depths_for(p.steps, tuning.depth)) {
      StripPlan const plan = plan_strips(p, tuning, device.multiprocessors, depth, aligned);
      passes.emplace_back(depth, strips_seconds(plan, p, tuning, device));
    }
  }
  return in_passes(pass_of(p, device), p, device, passes);
}

/// Seconds of a pass. Chunks of planes keep the multiprocessors busy nearly to the end; the more there are, the more
/// often they begin with planes of their neighbours.
double space_seconds(SpaceTuning const& tuning, Problem const& p, DeviceModel const& device, bool aligned) {
  SpaceArgs const args   = space_args(p, tuning, aligned);
  SpaceTiles const tiles = tiles_of(args);
  auto const all = static_cast<double>(tiles.all), inside = static_cast<double>(tiles.inside);
  PointBox const stored = pass_range(p, tuning.depth).stored;
  auto const planes     = static_cast<double>(stored.end[0] - stored.begin[0]);
  double const prologue = tuning.layout(size_of(p.value_type)).prologue;
  // Tiles at the frame, and those of them with vectors that are read value by value.
  std::size_t const type  = Model::type_index(p.value_type);
  auto const& ends_of_row = p.faces[2];
  bool const copied =
      aligned &&
      copies_values(tuning.stencil, tuning.radius, size_of(p.value_type), tuning.lanes, device.compute_capability) &&
      ends_of_row[0].kind != BoundaryKind::value && ends_of_row[1].kind != BoundaryKind::value;
  double const slower = Cuda::tuned(device, copied ? predicted_copied[type] : predicted_apart[type], [&] {
    return std::string(copied ? "cuda_temporal/space/copied/" : "cuda_temporal/space/apart/") +
           Model::type_name(p.value_type);
  });
  int const vector    = vector_bytes / size_of(p.value_type);
  double const ends   = aligned ? std::min<int>(ends_apart(p, vector), args.tiles[1]) : args.tiles[1];
  double const apart  = ends * args.tiles[0];
  double const frame  = args.whole_vectors ? tuning.whole_vector_seconds : tuning.frame_seconds;
  double const mean =
      (inside * tuning.plane_seconds + (all - inside - apart) * frame + apart * slower * tuning.frame_seconds) / all;
  double const idle = Cuda::tuned(device, predicted_idle, "cuda_temporal/predicted_idle");
  // Who gets a tile with such vectors ends last.
  double const last = apart > 0.0 ? std::max(1.0, slower * tuning.frame_seconds / mean) : 1.0;
  double least      = std::numeric_limits<double>::max();
  for (double chunks = 1.0; chunks <= std::min<double>(planes, most_chunks); chunks += std::ceil(chunks / 4.0)) {
    least = std::min(least, std::max(last * (planes / chunks + prologue),
                                     idle * all * (planes + prologue * chunks) / device.multiprocessors));
  }
  double const speed = Cuda::multiprocessor_speed(device, p.value_type);
  return Cuda::tuned(device, pass_seconds, "cuda_temporal/pass_seconds") + least * mean / speed +
         slower_memory_seconds(p, tuning, device);
}

/// Factor on the time of passes by bricks. Their caution is for the choice among the passes of this backend.
constexpr double predicted_bricks = 1.04;

/// Tiles that blocks stream through, and bricks.
Estimate space(Kernels const& kernels, Problem const& p, DeviceModel const& device) {
  PassTimes passes{{1, single_sweep_seconds(p, device)}};
  bool const aligned = aligned_rows(p);
  for (BrickTuning const* const k : kernels.bricks) {
    BrickTuning const tuning = tuned(*k, p.value_type, device);
    for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, k->most_depth()); ++depth) {
      BrickPlan const plan = plan_bricks(p, tuning, device, depth, aligned);
      if (plan.seconds > 0.0) passes.emplace_back(depth, plan.seconds * predicted_bricks / tuning.caution);
    }
  }
  for (SpaceTuning const* const k : kernels.space) {
    passes.emplace_back(k->depth, space_seconds(tuned(*k, p.value_type, device), p, device, aligned));
  }
  return in_passes(pass_of(p, device), p, device, passes);
}

Estimate tiles(TileTuning const& tuning, Problem const& p, DeviceModel const& device) {
  double const direct = single_sweep_seconds(p, device);
  PassTimes passes{{1, direct}};
  bool const aligned = aligned_rows(p);
  for (int depth = 1; depth <= std::min<std::int64_t>(p.steps, most_tile_depth(p.rank, tuning.radius)); ++depth) {
    TilePlan const plan = plan_tiles(p, tuning, device, depth, aligned);
    if (plan.args.row_vectors > 0) passes.emplace_back(depth, plan.seconds);
  }
  return in_passes(pass_of(p, device), p, device, passes);
}

}  // namespace

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  Kernels const found = find_kernels(p, device);
  // Only tiles are used for single sweeps.
  if (!found || (p.steps == 1 && found.tiles == nullptr) || p.points() == 0) return {by_way_of_direct(p, device)};
  if (found.line != nullptr) return {lines(tuned(*found.line, p.value_type, device), p, device)};
  if (!found.strips.empty()) return {planes(found, p, device)};
  if (!found.space.empty()) return {space(found, p, device)};
  return {tiles(tuned(*found.tiles, p, device), p, device)};
}

EndPasses ends(Problem const& p, DeviceModel const& device) {
  SpaceTuning const* const found = p.points() > 0 ? find_end(p, device) : nullptr;
  if (found == nullptr || p.steps < 2 * found->depth) return {};
  SpaceTuning const k = tuned(*found, p.value_type, device);
  // Only stars of radius 1 have a kernel that stores ghost values.
  bool const ghosts = k.stencil == SpaceStencil::star && k.radius == 1;
  auto const times  = [&](End end, Problem const& q) {
    return space_seconds(end_tuning(k, end, ghosts && end != End::last), q, device, true);
  };
  double seconds    = times(End::first, from_view(p)) + times(End::last, to_view(p));
  Problem between   = padded(p);
  between.steps     = p.steps - 2 * k.depth;
  bool const evenly = ghosts && between.steps % k.depth == 0;
  if (evenly) {
    seconds += static_cast<double>(between.steps / k.depth) * times(End::between, between);
  } else if (between.steps > 0) {
    seconds += ghost_seconds(p, device) + cost(between, device).front().seconds;
  }
  if (!ghosts) seconds += ghost_seconds(p, device);
  return {k.depth, seconds};
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
