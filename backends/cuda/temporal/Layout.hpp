// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"

#include <cstdint>

// How tiles lie in shared memory and registers: for kernels, and for plans, which must know whether a GPU has room.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Lanes of a warp; a lane loads and stores 16 bytes at a time.
constexpr int warp_lanes = 32, vector_bytes = 16, sector_bytes = 32;

constexpr int rounded_up(int n, int unit) { return (n + unit - 1) / unit * unit; }

/// Bytes of the type in which values of so many bytes are summed up.
constexpr int sum_bytes(int value_bytes) { return value_bytes < 4 ? 4 : value_bytes; }

/// A strip of columns of a plane, which a warp streams down.
struct StripLayout {
  int vector_values;      ///< values of a 16-byte vector
  int vectors;            ///< of a lane
  int width;              ///< columns
  int reach;              ///< of all sweeps of a pass
  int halo;               ///< columns at either side that belong to the neighbours, in whole vectors
  int rows_ahead;         ///< rows that are loaded ahead of their use on the general path
  int row_bytes;          ///< of the ring, which is followed by a table of where columns are read
  int sums_in_registers;  ///< rows of sums; the others follow that table
  int sums_row_bytes;
  int sums_offset;
  int bytes;  ///< in all
};

/// Rows of a strip's ring; rows of it that are loaded ahead of their use on the fast path.
constexpr int strip_ring_rows = 16, strip_rows_ahead = 6;

constexpr StripLayout strip_layout(int value_bytes, int radius, int columns_per_lane, int depth, int shared_sums) {
  StripLayout l{};
  l.vector_values = vector_bytes / value_bytes;
  l.vectors       = columns_per_lane / l.vector_values;
  l.width         = warp_lanes * columns_per_lane;
  l.reach         = depth * radius;
  l.halo          = rounded_up(l.reach, l.vector_values);
  int const ahead = strip_ring_rows - 2 - l.reach;  // the ring keeps as many rows as the sweeps reach back
  l.rows_ahead    = ahead < strip_rows_ahead ? ahead : strip_rows_ahead;
  // Without spare bytes the compiler makes code that is 3 to 10 % slower; with them radius 4 in double does not fit
  // GPUs of 8.0.
  l.row_bytes         = l.vectors * 512 + (value_bytes == 8 && radius == 4 ? 0 : 128);
  l.sums_in_registers = depth * 2 * radius - shared_sums;
  l.sums_row_bytes    = l.width * sum_bytes(value_bytes);
  l.sums_offset       = strip_ring_rows * l.row_bytes + l.width * 4;
  l.bytes             = l.sums_offset + shared_sums * l.sums_row_bytes;
  return l;
}

/// A block's patch of a plane, which stays in registers during a pass.
struct PatchLayout {
  int width, height;
  int pieces, piece_bytes;  ///< what a lane shows of a row to other warps, at most 16 bytes at a time
  int row_bytes;
  int bytes;  ///< of the rows that warps show to each other, in two places by turns
};

constexpr PatchLayout patch_layout(int value_bytes, int radius, int columns_per_lane, int rows_per_warp, int warps) {
  PatchLayout l{};
  int const lane_bytes = columns_per_lane * sum_bytes(value_bytes);
  l.width              = warp_lanes * columns_per_lane;
  l.height             = warps * rows_per_warp;
  l.pieces             = (lane_bytes + vector_bytes - 1) / vector_bytes;
  l.piece_bytes        = lane_bytes / l.pieces;
  l.row_bytes          = warp_lanes * lane_bytes;
  l.bytes              = 2 * warps * 2 * radius * l.row_bytes;
  return l;
}

/// The 3-D stencils whose sums are kept in registers. Of a box of radius 1 box17 has the middle plane and the corners
/// of the planes above and below, box19 all but its corners.
enum class SpaceStencil { star, box, box17, box19 };

/// Whether a box of radius 1, or part of one, has a term.
constexpr bool has_term(SpaceStencil stencil, int dz, int dy, int dx) {
  int const axes = (dz != 0) + (dy != 0) + (dx != 0);
  return stencil == SpaceStencil::box17   ? dz == 0 || (dy != 0 && dx != 0)
         : stencil == SpaceStencil::box19 ? axes < 3
                                          : true;
}

/// A block's tile of a volume, through whose planes it streams. Axis 0 is y, axis 1 is x.
struct SpaceLayout {
  int vector_values;  ///< values of a 16-byte vector
  int groups;         ///< of lanes that hold some rows: a warp or half of one
  int width, height;
  int reach;        ///< of all sweeps of a pass
  int halo[2];      ///< rows, and columns in whole vectors, at either side that belong to the neighbours
  int interior[2];  ///< rows and columns of results
  int prologue;     ///< planes of a chunk in addition to those of its results
  int row_bytes, plane_bytes;
  int ring_planes;
  int edge_bytes;   ///< of one of the two places where groups show their outermost rows to each other
  int mask_bytes;   ///< of a bit for each point of each thread
  int barrier;      ///< offset of the barrier
  int tables;       ///< offset of the tables of where rows and columns are read
  int table_bytes;  ///< of these tables with one mask
  int bytes;        ///< in all, with a vector before the ring where rows begin within a sector
};

/// Whether values of a vector that do not lie together are copied one by one on the way of whole vectors. cp.async has
/// no copies of two bytes; boxes in double, stars that reach far and, on older GPUs, short rows of boxes have no
/// registers for it.
constexpr bool copies_values(SpaceStencil stencil, int radius, int value_bytes, int lanes, int compute_capability) {
  if (stencil == SpaceStencil::star) return radius == 1 && value_bytes >= 4;
  return value_bytes == 4 && (lanes == warp_lanes || compute_capability >= 90);
}

constexpr SpaceLayout space_layout(SpaceStencil stencil, int radius, int value_bytes, int warps, int rows, int lanes,
                                   int depth, bool in_anywhere = false) {
  bool const is_star = stencil == SpaceStencil::star;
  SpaceLayout l{};
  l.vector_values = vector_bytes / value_bytes;
  l.groups        = warp_lanes / lanes * warps;
  l.width         = lanes * l.vector_values;
  l.height        = l.groups * rows;
  l.reach         = depth * radius;
  l.halo[0]       = l.reach;
  l.halo[1]       = rounded_up(l.reach, l.vector_values);
  l.interior[0]   = l.height - 2 * l.halo[0];
  l.interior[1]   = l.width - 2 * l.halo[1];
  l.row_bytes     = (lanes + (in_anywhere ? 1 : 0)) * vector_bytes;
  l.plane_bytes   = l.height * l.row_bytes;
  l.mask_bytes    = warps * warp_lanes * (rows * l.vector_values > 16 ? 4 : 2);
  l.table_bytes   = l.height * 12 + l.width * 4 + 16 + l.mask_bytes;
  if (is_star) {
    // Groups show their outermost rows to each other, in two places by turns. A second mask is for vectors of which
    // only some points are stored.
    l.prologue    = 2 * l.reach;
    l.ring_planes = 3 + radius;
    l.edge_bytes  = (depth - 1) * l.groups * 2 * radius * l.row_bytes;
    l.barrier     = l.ring_planes * l.plane_bytes + 2 * l.edge_bytes;
    l.tables      = l.barrier + 16;
    l.bytes       = l.tables + l.table_bytes + l.mask_bytes + vector_bytes;
  } else {
    // A sweep leaves the plane that it has finished in one of two places; the next sweep reads it a step later.
    l.prologue    = 3 * depth - 1;
    l.ring_planes = 3;
    l.tables      = (l.ring_planes + 2 * (depth - 1)) * l.plane_bytes;
    l.bytes       = l.tables + l.table_bytes + vector_bytes;
  }
  return l;
}

/// Planes in shared memory of a tile: of the field, one of which is being loaded, and of the result of each sweep but
/// the last. In 2-D there are two planes, used by turns.
constexpr int tile_first_planes(int radius) { return 2 * radius + 2; }
constexpr int tile_other_planes(int radius) { return 2 * radius + 1; }
constexpr int tile_planes(bool flat, int radius, int depth) {
  return flat ? 2 : tile_first_planes(radius) + (depth - 1) * tile_other_planes(radius);
}
/// The coefficients of a box in shared memory: rows, and bytes of a row, in whole vectors.
constexpr int tile_weight_rows(bool is_star, bool flat, int radius) {
  int const side = 2 * radius + 1;
  return is_star ? 0 : flat ? side : side * side;
}
constexpr int tile_weight_bytes(int value_bytes, int radius) {
  return rounded_up((2 * radius + 1) * sum_bytes(value_bytes), vector_bytes);
}
/// Shared memory of a tile: planes, coefficients, and tables of where rows and columns are read.
constexpr std::int64_t tile_bytes(Shape shape, int value_bytes, int depth, std::int64_t row_vectors,
                                  std::int64_t rows) {
  bool const flat            = shape.rank == 2;
  std::int64_t const columns = vector_bytes / value_bytes * row_vectors;
  return tile_planes(flat, shape.radius, depth) * rows * row_vectors * vector_bytes +
         tile_weight_rows(shape.star, flat, shape.radius) * tile_weight_bytes(value_bytes, shape.radius) +
         4 * (2 * columns + 2 * rows + 2 * shape.radius);
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
