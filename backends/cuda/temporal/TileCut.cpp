// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "temporal/TileCut.hpp"

#include "common/Fitted.hpp"
#include "common/KernelTime.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace KokkosStencil {
namespace CudaModel {

namespace {

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

/// What a tile's planes, coefficients and tables need of shared memory.
std::int64_t bytes_of(Shape const& shape, int value_size, int levels, std::int64_t pieces, std::int64_t rows) {
  std::int64_t const side = 2 * shape.radius + 1, columns = 16 / value_size * pieces;
  std::int64_t const planes = shape.rank == 2 ? 2 : side + 1 + (levels - 1) * side;
  std::int64_t const row    = divide_up(side * std::max(value_size, 4), 16) * 16;
  std::int64_t const box    = shape.star ? 0 : shape.rank == 2 ? side * row : side * side * row;
  return planes * rows * pieces * 16 + box + 4 * (2 * columns + 2 * rows + 2 * shape.radius);
}

TileStep const* step_of(Shape const& shape) {
  auto const* const found = std::find_if(std::begin(tile_steps), std::end(tile_steps), [&](TileStep const& s) {
    return s.star == shape.star && s.rank == shape.rank && s.radius == shape.radius;
  });
  return found == std::end(tile_steps) ? nullptr : found;
}

/// Seconds of a pass by tiles that are cut so.
double seconds_of(TileCut const& c, Problem const& p, Shape const& shape, int levels, DeviceModel const& device) {
  bool const flat = shape.rank == 2, full = p.value_type == ValueType::float64;
  int const radius         = shape.radius;
  std::int64_t const share = 32 / c.pieces * tile_rows_at_once, warps = c.threads / 32, blocks = 16 / warps;
  auto const chunk     = static_cast<double>(c.own[0]);
  ValueType const sums = full ? ValueType::float64 : ValueType::float32;
  double const speed   = device.rate(ComputeUnit::cores, sums) / device.multiprocessors /
                       (fitted_on().rate(ComputeUnit::cores, sums) / fitted_on().multiprocessors);
  double const step = step_of(shape)->seconds[type_index(p.value_type)] * (c.pieces == 8 ? tile_narrow : 1.0) / speed;
  // What a block's planes take the multiprocessor, and warps that wait for their own results; beside those of a chunk,
  // levels do planes before and after it.
  double busy = 0.0, alone = 0.0;
  for (int level = 1; level <= levels; ++level) {
    std::int64_t const shares = divide_up(c.rows - level * radius, share) - level * radius / share;
    double const planes       = flat ? 1.0 : chunk + 2.0 * (levels - level) * radius;
    busy += step * planes * static_cast<double>(shares);
    alone += step * tile_alone * planes * static_cast<double>(divide_up(shares, warps));
  }
  double const waits =
      tile_load + tile_wait * levels * (flat ? 1.0 : chunk) + (flat ? 0.0 : tile_fetch * 2.0 * levels * radius);
  std::int64_t const all = c.tiles[0] * c.tiles[1] * c.tiles[2];
  auto const rounds      = static_cast<double>(divide_up(all, blocks * device.multiprocessors));
  auto const beside      = static_cast<double>(std::min(blocks, divide_up(all, device.multiprocessors)));
  double const core      = rounds * std::max(beside * busy, std::max(busy, alone) + waits);
  // Half of what tiles read twice comes from the second-level cache.
  double const piece_values = 16.0 / size_of(p.value_type);
  double const overlap      = c.rows * c.pieces * piece_values / static_cast<double>(c.own[1] * c.own[2]) *
                         (flat ? 1.0 : (chunk + 2.0 * levels * radius) / chunk);
  double const bytes  = static_cast<double>(p.points()) * size_of(p.value_type) * (1.5 + 0.5 * overlap);
  double const memory = bytes / (tile_bandwidth * device.bandwidth);
  return std::max(host_launch, tile_start + std::cbrt(core * core * core + memory * memory * memory));
}

}  // namespace

Shape tile_shape(Problem const& p) {
  Shape const shape = shape_of(p);
  return shape.rank == p.rank && p.value_type != ValueType::bfloat16 && step_of(shape) != nullptr ? shape : Shape{};
}

int most_tile_levels(Problem const& p) {
  int const radius = p.upper[2];
  return p.rank == 2 ? std::max(2, 8 / radius) : radius == 1 ? 3 : 2;
}

TileCut cut_tiles(Problem const& p, int levels, DeviceModel const& device) {
  Shape const shape = tile_shape(p);
  bool const flat   = shape.rank == 2;
  int const size = static_cast<int>(size_of(p.value_type)), shared_bytes = shared_bytes_of(device.compute_capability);
  std::int64_t const values = 16 / size, reach = levels * shape.radius, margin = divide_up(reach, values);
  std::int64_t const planes = p.end[0] - p.begin[0], rows = p.end[1] - p.begin[1];
  std::int64_t const columns = p.end[2] - p.begin[2] / values * values;
  TileCut best;
  best.seconds = std::numeric_limits<double>::max();
  // Two blocks a multiprocessor, of which one computes while the other waits, or one with larger tiles. Each block
  // takes a kilobyte for itself.
  for (int const blocks : {2, 1}) {
    for (int const pieces : {32, 16, 8}) {
      std::int64_t const tables = bytes_of(shape, size, levels, pieces, 0);
      std::int64_t const row    = bytes_of(shape, size, levels, pieces, 1) - tables;
      std::int64_t const room   = (shared_bytes + 1024) / blocks - 1024 - tables;
      std::int64_t const share = 32 / pieces * tile_rows_at_once, most = room / row / share * share;
      TileCut c;
      c.pieces  = pieces;
      c.threads = 512 / blocks;
      c.own[2]  = (pieces - 2 * margin) * values;
      if (c.own[2] <= 0 || most <= 2 * reach) continue;
      c.tiles[2]                = divide_up(columns, c.own[2]);
      std::int64_t const fewest = divide_up(rows, most - 2 * reach);
      for (std::int64_t tiles = fewest; tiles < fewest + 4; ++tiles) {
        c.rows                   = static_cast<int>(divide_up(divide_up(rows, tiles) + 2 * reach, share) * share);
        c.shared                 = static_cast<int>(tables + c.rows * row);
        c.own[1]                 = c.rows - 2 * reach;
        c.tiles[1]               = divide_up(rows, c.own[1]);
        std::int64_t const slots = std::int64_t(blocks) * device.multiprocessors, stacks = c.tiles[1] * c.tiles[2];
        for (std::int64_t waves = 1; waves <= (flat ? 1 : 4); ++waves) {
          c.own[0]   = divide_up(planes, std::max<std::int64_t>(1, std::min(planes, waves * slots / stacks)));
          c.tiles[0] = divide_up(planes, c.own[0]);
          c.seconds  = seconds_of(c, p, shape, levels, device);
          if (c.seconds < best.seconds) best = c;
        }
      }
    }
  }
  return best.pieces == 0 ? TileCut{} : best;
}

}  // namespace CudaModel
}  // namespace KokkosStencil
