// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileCut.hpp"

#include "Fitted.hpp"
#include "KernelTime.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace KokkosStencil {
namespace CudaModel {

namespace {

/// Rows that a thread does at a time.
constexpr std::int64_t rows_at_once = 4;

std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }

/// What a tile's planes and tables need of shared memory.
std::int64_t bytes_of(bool flat, int radius, int levels, std::int64_t pieces, std::int64_t rows, std::int64_t columns) {
  std::int64_t const side = 2 * radius + 1, planes = flat ? 2 : side + 1 + (levels - 1) * side;
  return planes * rows * pieces * 16 + 4 * (2 * columns + 2 * rows + 2 * radius);
}

TileStep const* step_of(Shape const& shape) {
  auto const* const found = std::find_if(std::begin(tile_steps), std::end(tile_steps), [&](TileStep const& s) {
    return s.star == shape.star && s.rank == shape.rank && s.radius == shape.radius;
  });
  return found == std::end(tile_steps) ? nullptr : found;
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

TileCut cut_tiles(Problem const& p, int levels, int multiprocessors, int shared_bytes) {
  Shape const shape         = tile_shape(p);
  bool const flat           = shape.rank == 2;
  int const radius          = shape.radius;
  std::int64_t const values = 16 / size_of(p.value_type), reach = levels * radius;
  std::int64_t const planes = p.end[0] - p.begin[0], rows = p.end[1] - p.begin[1];
  std::int64_t const columns = p.end[2] - p.begin[2] / values * values, margin = divide_up(reach, values);
  double const step = step_of(shape)->seconds[type_index(p.value_type)];
  TileCut best;
  best.seconds = std::numeric_limits<double>::max();
  // Two blocks a multiprocessor, of which one computes while the other waits, or one with larger tiles. Each block
  // takes a kilobyte for itself.
  for (std::int64_t const blocks : {2, 1}) {
    std::int64_t const room = (shared_bytes + 1024) / blocks - 1024, warps = 16 / blocks;
    for (std::int64_t const pieces : {32, 16, 8}) {
      std::int64_t const own_columns = (pieces - 2 * margin) * values, share = 32 / pieces * rows_at_once;
      std::int64_t const tables = bytes_of(flat, radius, levels, pieces, 0, pieces * values);
      std::int64_t const row    = bytes_of(flat, radius, levels, pieces, 1, pieces * values) - tables;
      std::int64_t const most   = (room - tables) / row / share * share;
      if (own_columns <= 0 || most <= 2 * reach) continue;
      std::int64_t const fewest = divide_up(rows, most - 2 * reach);
      for (std::int64_t tiles = fewest; tiles < fewest + 4; ++tiles) {
        TileCut c;
        c.pieces                = static_cast<int>(pieces);
        std::int64_t const tall = divide_up(divide_up(rows, tiles) + 2 * reach, share) * share;
        c.rows                  = static_cast<int>(tall);
        c.own[1]                = tall - 2 * reach;
        c.own[2]                = own_columns;
        c.tiles[1]              = divide_up(rows, c.own[1]);
        c.tiles[2]              = divide_up(columns, own_columns);
        c.shared                = static_cast<int>(tables + tall * row);
        c.threads               = static_cast<int>(32 * warps);
        // Of a plane of all levels, by the multiprocessor and by a warp that waits for its own results; beside those of
        // a chunk, levels do planes before and after it.
        double const share_seconds = step * (pieces == 8 ? tile_narrow : 1.0);
        double plane = 0.0, before = 0.0, alone = 0.0, alone_before = 0.0;
        for (int level = 1; level <= levels; ++level) {
          std::int64_t const shares = divide_up(tall - level * radius, share) - level * radius / share;
          double const busy         = share_seconds * static_cast<double>(shares);
          double const last         = share_seconds * tile_alone * static_cast<double>(divide_up(shares, warps));
          double const more         = 2.0 * (levels - level) * radius;
          plane += busy;
          before += busy * more;
          alone += last;
          alone_before += last * more;
        }
        std::int64_t const slots = blocks * multiprocessors, stacks = c.tiles[1] * c.tiles[2];
        for (std::int64_t waves = 1; waves <= (flat ? 1 : 4); ++waves) {
          std::int64_t const chunks = flat ? 1 : std::max<std::int64_t>(1, std::min(planes, waves * slots / stacks));
          c.own[0]                  = divide_up(planes, chunks);
          c.tiles[0]                = divide_up(planes, c.own[0]);
          std::int64_t const all = stacks * c.tiles[0], rounds = divide_up(all, slots);
          auto const chunk   = static_cast<double>(c.own[0]);
          double const busy  = flat ? plane : chunk * plane + before;
          double const last  = flat ? alone : chunk * alone + alone_before;
          double const waits = tile_wait * (flat ? levels + 1.0 : (chunk + 2.0 * static_cast<double>(reach)) * levels);
          // Those there are at a time.
          auto const beside = static_cast<double>(std::min(blocks, divide_up(all, multiprocessors)));
          c.seconds         = tile_start +
                      static_cast<double>(rounds) * std::max(beside * busy, std::max(busy, last) + waits + tile_load);
          if (c.seconds < best.seconds) best = c;
        }
      }
    }
  }
  if (best.pieces == 0) return TileCut{};
  best.seconds = std::max(best.seconds, host_launch);
  return best;
}

}  // namespace CudaModel
}  // namespace KokkosStencil
