// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BrickPlan.hpp"

#include "StripPlan.hpp"
#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

/// All of the arguments but the cut.
BrickArgs uncut(Problem const& p, BrickTuning const& k, int depth, bool aligned) {
  int const vector = vector_bytes / sum_bytes(size_of(p.value_type)), reach = k.shape.radius;
  BrickArgs g{};
  g.depth   = depth;
  g.aligned = aligned;
  for (std::size_t a = 0; a < 2; ++a) {
    g.in_stride[a]  = p.in_stride[a];
    g.out_stride[a] = p.out_stride[a];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a]);
    g.user_axis[a] = p.user_axis[a];
    // Where nothing changes beyond the range, bricks reach only as far as a single sweep.
    std::int32_t const room[2] = {g.begin[a], g.extent[a] - g.end[a]};
    std::int32_t beyond[2];
    for (std::size_t side = 0; side < 2; ++side) {
      g.faces[a][side]        = folded(p.faces[a][side]);
      BoundaryKind const kind = g.faces[a][side].kind;
      bool const fixed        = room[side] >= reach || kind == BoundaryKind::halo || kind == BoundaryKind::value;
      beyond[side]            = fixed ? reach : depth * reach;
      if (a == 0) g.fixed[side] = fixed;
    }
    int const unit            = a == 2 ? vector : 1;
    std::int32_t const before = g.begin[a] - beyond[0];
    g.first[a]                = static_cast<std::int32_t>(before - modulo(before, unit));
    g.halo[a]                 = rounded_up(depth * reach, unit);
    g.points[a]               = g.end[a] + beyond[1] - g.first[a];
  }
  return g;
}

/// Cuts an axis into bricks of `size` points; none if all of them would be halo.
void cut_axis(BrickArgs& g, std::size_t axis, std::int32_t size) {
  std::int32_t const left = g.points[axis] - size;
  g.size[axis]            = size;
  g.step[axis]            = size - 2 * g.halo[axis];
  g.bricks[axis] = left <= 0 ? 1 : g.step[axis] <= 0 ? 0 : 1 + static_cast<std::int32_t>(divide_up(left, g.step[axis]));
}

/// Cuts y or z into so many bricks, or fewer.
void cut_evenly(BrickArgs& g, std::size_t axis, std::int32_t bricks, int rows) {
  std::int32_t const points = g.points[axis] + (bricks - 1) * 2 * g.halo[axis];
  cut_axis(g, axis, static_cast<std::int32_t>(divide_up(points, bricks * rows)) * rows);
}

/// The threads of a block; no teams if there are not enough, or if there is no brick.
void find_teams(BrickArgs& g, BrickTuning const& k) {
  int const reach = k.shape.radius, planes = g.size[0] - 2 * reach;
  g.team_threads = rounded_up(g.size[1] / k.rows_per_thread << g.lanes_log, warp_lanes);
  g.shared_bytes = (g.size[0] * g.size[1] * vector_bytes << g.lanes_log) + 4 * (g.size[0] + g.size[1] + g.size[2]);
  g.teams        = 0;
  if (g.bricks[0] == 0 || g.bricks[1] == 0 || g.bricks[2] == 0 || g.team_threads > brick_threads) return;
  // Each team has a barrier of the 16 that a block has besides its own, and knows of 32 planes whether they change.
  int const teams = std::min({15, brick_threads / g.team_threads, planes});
  if (divide_up(planes, teams) > 32 - reach) return;
  g.teams         = teams;
  g.teams_inverse = static_cast<std::int32_t>(divide_up(1 << 16, teams));
}

std::int64_t bricks_of(BrickArgs const& g) { return std::int64_t(g.bricks[0]) * g.bricks[1] * g.bricks[2]; }

/// Seconds of a pass by bricks.
struct BrickTimes {
  BrickTimes(Problem const& p, BrickTuning const& kernel, DeviceModel const& device, bool aligned)
      : k(kernel),
        multiprocessors(device.multiprocessors),
        value_bytes(size_of(p.value_type)),
        pass(tuned(device, brick_pass_seconds, "cuda_temporal/bricks/pass_seconds")),
        block(tuned(device, brick_block_seconds, "cuda_temporal/bricks/block_seconds")),
        byte(tuned(device, brick_byte_seconds, "cuda_temporal/bricks/byte_seconds")),
        speed(multiprocessor_speed(device, p.value_type)) {
    if (!aligned) byte *= tuned(device, brick_unaligned, "cuda_temporal/bricks/unaligned");
  }

  double operator()(BrickArgs const& g) const {
    double const rounds = static_cast<double>(divide_up(bricks_of(g), multiprocessors));
    double const points = static_cast<double>(g.size[0]) * g.size[1] * g.size[2];
    double const own    = static_cast<double>(g.step[0]) * g.step[1] * g.step[2];
    double const plane  = std::max(k.plane_seconds, g.teams * g.team_threads / warp_lanes * k.warp_seconds);
    int const reach     = k.shape.radius;
    double sweeps       = 0.0;
    for (int s = 1; s <= g.depth; ++s) {
      std::int64_t const planes = divide_up(std::max(1, g.size[0] - 2 * s * reach), g.teams);
      sweeps += k.sweep_seconds + static_cast<double>(planes) * plane;
    }
    return k.caution * (pass + rounds * (block + (points + own) * value_bytes * byte + sweeps / speed));
  }

  BrickTuning const& k;
  std::int64_t multiprocessors;
  int value_bytes;
  double pass, block, byte, speed;
};

}  // namespace

BrickArgs brick_args(Problem const& p, BrickTuning const& k, BrickCut const& cut, int depth, bool aligned) {
  BrickArgs g = uncut(p, k, depth, aligned);
  g.lanes_log = cut.lanes_log;
  cut_evenly(g, 0, cut.bricks_along_z, 1);
  cut_evenly(g, 1, cut.bricks_along_y, k.rows_per_thread);
  cut_axis(g, 2, vector_bytes / sum_bytes(size_of(p.value_type)) << cut.lanes_log);
  find_teams(g, k);
  return g;
}

BrickPlan plan_bricks(Problem const& p, BrickTuning const& k, DeviceModel const& device, int depth, bool aligned) {
  int const room       = shared_bytes_of(device.compute_capability);
  int const row_values = vector_bytes / sum_bytes(size_of(p.value_type));
  BrickPlan best{uncut(p, k, depth, aligned), 0.0};
  // What cannot fit in however many pieces.
  std::int64_t const most =
      std::int64_t(room) * device.multiprocessors * most_brick_rounds / sum_bytes(size_of(p.value_type));
  if (p.points() > most) return best;
  BrickTimes const seconds(p, k, device, aligned);
  BrickArgs g = best.args;
  for (int lanes_log = least_brick_lanes_log; lanes_log <= most_brick_lanes_log; ++lanes_log) {
    g.lanes_log = lanes_log;
    cut_axis(g, 2, row_values << lanes_log);
    if (g.bricks[2] == 0) continue;
    for (int along_y = 1; along_y <= most_bricks; ++along_y) {
      cut_evenly(g, 1, along_y, k.rows_per_thread);
      if (g.bricks[1] < along_y) continue;
      for (std::int64_t rounds = 1; rounds <= most_brick_rounds; ++rounds) {
        // As many along z as the multiprocessors take.
        std::int64_t const along_z = rounds * device.multiprocessors / (std::int64_t(g.bricks[1]) * g.bricks[2]);
        if (along_z == 0) continue;
        cut_evenly(g, 0, static_cast<std::int32_t>(std::min<std::int64_t>(along_z, g.points[0])), 1);
        find_teams(g, k);
        if (g.teams == 0 || g.shared_bytes > room) continue;
        double const its = seconds(g);
        if (best.seconds > 0.0 && its >= best.seconds) continue;
        best = {g, its};
      }
    }
  }
  return best;
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
