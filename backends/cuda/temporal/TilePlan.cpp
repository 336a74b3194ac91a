// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TilePlan.hpp"

#include "common/Alignment.hpp"
#include "common/Tuning.hpp"
#include "common/KernelTime.hpp"
#include "temporal/Plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

/// A way to cut a range into tiles.
struct Cut {
  std::int64_t row_vectors, rows, threads, shared_bytes;
  std::int64_t interior[3], tiles[3];
};

double seconds_of(Cut const& c, Problem const& p, TileTuning const& k, TileTimes const& times, int depth, bool aligned,
                  DeviceModel const& device) {
  bool const flat          = p.rank == 2;
  int const radius         = k.radius;
  std::int64_t const share = warp_lanes / c.row_vectors * tile_rows, warps = c.threads / warp_lanes,
                     blocks = tile_threads / c.threads;
  auto const chunk          = static_cast<double>(c.interior[0]);
  double const speed        = Cuda::multiprocessor_speed(device, p.value_type);
  double const step = (flat ? k.plane_seconds : k.volume_seconds) * (c.row_vectors == 8 ? times.narrow : 1.0) / speed;
  // `busy`: the time that the planes of a block take a multiprocessor; `alone`: the time that a warp takes, which waits
  // for its own results. All sweeps but the last also compute planes before and after those of the chunk.
  double busy = 0.0, alone = 0.0;
  for (int sweep = 1; sweep <= depth; ++sweep) {
    std::int64_t const shares = divide_up(c.rows - sweep * radius, share) - sweep * radius / share;
    double const planes       = flat ? 1.0 : chunk + 2.0 * (depth - sweep) * radius;
    auto const most           = static_cast<double>(divide_up(shares, schedulers) * schedulers);
    double const uneven       = flat ? 0.0 : blocks > 1 ? times.uneven_beside : times.uneven_alone;
    busy += step * planes * (uneven * most + (1.0 - uneven) * static_cast<double>(shares));
    alone += step * times.alone * planes * static_cast<double>(divide_up(shares, warps));
  }
  double const waits = times.block_seconds + times.wait_seconds * depth * (flat ? 1.0 : chunk) +
                       (flat ? 0.0 : times.fetch_seconds * 2.0 * depth * radius);
  std::int64_t const all = c.tiles[0] * c.tiles[1] * c.tiles[2];
  auto const rounds      = static_cast<double>(divide_up(all, blocks * device.multiprocessors));
  auto const resident    = static_cast<double>(std::min(blocks, divide_up(all, device.multiprocessors)));
  // The block waits for vectors that are not read whole: all of them, or those at the ends of rows.
  int const vector   = vector_bytes / size_of(p.value_type);
  double const some  = aligned ? std::min(1.0, ends_apart(p, vector) / static_cast<double>(c.tiles[2])) : 1.0;
  double const each  = times.apart_seconds * static_cast<double>(divide_up(c.rows, c.threads / c.row_vectors));
  double const apart = each * (flat ? 1.0 : chunk + 2.0 * depth * radius) * (rounds > 1.0 || some == 0.0 ? some : 1.0);
  double const core  = rounds * std::max(resident * busy, std::max(busy, alone) + waits + apart);
  // Half of what tiles read twice comes from the second-level cache.
  double const vector_values = static_cast<double>(vector_bytes) / size_of(p.value_type);
  double const overlap       = static_cast<double>(c.rows * c.row_vectors) * vector_values /
                         static_cast<double>(c.interior[1] * c.interior[2]) *
                         (flat ? 1.0 : (chunk + 2.0 * depth * radius) / chunk);
  double const bytes  = static_cast<double>(p.points()) * size_of(p.value_type) * (1.5 + 0.5 * overlap);
  double const memory = bytes / (times.bandwidth * device.bandwidth);
  return std::max(host_launch_seconds(device),
                  times.pass_seconds + std::cbrt(core * core * core + memory * memory * memory));
}

TileTimes tuned_tile_times(DeviceModel const& device) {
  TileTimes t;
  t.alone         = Cuda::tuned(device, t.alone, "cuda_temporal/tiles/alone");
  t.narrow        = Cuda::tuned(device, t.narrow, "cuda_temporal/tiles/narrow");
  t.wait_seconds  = Cuda::tuned(device, t.wait_seconds, "cuda_temporal/tiles/wait_seconds");
  t.fetch_seconds = Cuda::tuned(device, t.fetch_seconds, "cuda_temporal/tiles/fetch_seconds");
  t.block_seconds = Cuda::tuned(device, t.block_seconds, "cuda_temporal/tiles/block_seconds");
  t.pass_seconds  = Cuda::tuned(device, t.pass_seconds, "cuda_temporal/tiles/pass_seconds");
  t.bandwidth     = Cuda::tuned(device, t.bandwidth, "cuda_temporal/tiles/bandwidth");
  t.apart_seconds = Cuda::tuned(device, t.apart_seconds, "cuda_temporal/tiles/apart_seconds");
  t.uneven_alone  = Cuda::tuned(device, t.uneven_alone, "cuda_temporal/tiles/uneven_alone");
  t.uneven_beside = Cuda::tuned(device, t.uneven_beside, "cuda_temporal/tiles/uneven_beside");
  return t;
}

TileArgs args_of(Cut const& c, Problem const& p, int depth, bool aligned) {
  TileArgs g{};
  g.depth        = depth;
  g.flat         = p.rank == 2;
  g.aligned      = aligned;
  g.row_vectors  = static_cast<std::int32_t>(c.row_vectors);
  g.rows         = static_cast<std::int32_t>(c.rows);
  g.threads      = static_cast<std::int32_t>(c.threads);
  g.shared_bytes = static_cast<std::int32_t>(c.shared_bytes);
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a]);
    g.user_axis[a] = p.user_axis[a];
    g.interior[a]  = static_cast<std::int32_t>(c.interior[a]);
    g.tiles[a]     = static_cast<std::int32_t>(c.tiles[a]);
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = p.faces[a][side];
    if (a == 2) continue;
    g.in_stride[a]  = p.in_stride[a];
    g.out_stride[a] = p.out_stride[a];
  }
  return g;
}

}  // namespace

TilePlan plan_tiles(Problem const& p, TileTuning const& k, DeviceModel const& device, int depth, bool aligned) {
  Shape const shape{k.star, p.rank, k.radius};
  bool const flat                 = p.rank == 2;
  int const value_bytes           = size_of(p.value_type);
  std::int64_t const shared_bytes = Cuda::shared_bytes_of(device.compute_capability);
  std::int64_t const vector = vector_bytes / value_bytes, reach = depth * k.radius, halo = divide_up(reach, vector);
  std::int64_t const planes = p.end[0] - p.begin[0], rows = p.end[1] - p.begin[1];
  std::int64_t const columns = p.end[2] - p.begin[2] / vector * vector;
  TileTimes const times      = tuned_tile_times(device);
  Cut best{};
  double least = std::numeric_limits<double>::max();
  // Two blocks on a multiprocessor, of which one computes while the other waits, or one block with larger tiles.
  for (int const blocks : tile_blocks) {
    for (int const row_vectors : tile_row_vectors) {
      std::int64_t const tables = tile_bytes(shape, value_bytes, depth, row_vectors, 0);
      std::int64_t const row    = tile_bytes(shape, value_bytes, depth, row_vectors, 1) - tables;
      std::int64_t const room   = (shared_bytes + system_shared_bytes) / blocks - system_shared_bytes - tables;
      std::int64_t const share = warp_lanes / row_vectors * tile_rows, most = room / row / share * share;
      Cut c{};
      c.row_vectors = row_vectors;
      c.threads     = tile_threads / blocks;
      c.interior[2] = (row_vectors - 2 * halo) * vector;
      if (c.interior[2] <= 0 || most <= 2 * reach) continue;
      c.tiles[2]                = divide_up(columns, c.interior[2]);
      std::int64_t const fewest = divide_up(rows, most - 2 * reach);
      for (std::int64_t tiles = fewest; tiles < fewest + 4; ++tiles) {
        c.rows                   = divide_up(divide_up(rows, tiles) + 2 * reach, share) * share;
        c.shared_bytes           = tables + c.rows * row;
        c.interior[1]            = c.rows - 2 * reach;
        c.tiles[1]               = divide_up(rows, c.interior[1]);
        std::int64_t const slots = std::int64_t(blocks) * device.multiprocessors, stacks = c.tiles[1] * c.tiles[2];
        for (std::int64_t waves = 1; waves <= (flat ? 1 : 4); ++waves) {
          c.interior[0]        = divide_up(planes, std::max<std::int64_t>(1, std::min(planes, waves * slots / stacks)));
          c.tiles[0]           = divide_up(planes, c.interior[0]);
          double const seconds = seconds_of(c, p, k, times, depth, aligned, device);
          if (seconds >= least) continue;
          best  = c;
          least = seconds;
        }
      }
    }
  }
  if (best.row_vectors == 0) return {};
  return {args_of(best, p, depth, aligned), least};
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
