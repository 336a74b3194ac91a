// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryTiles.hpp"

#include <KokkosStencil_Boundary.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// A term as kernels read it from device memory.
template <class A>
struct BoundaryTerm {
  std::int32_t offset[3];
  A coefficient;
};

/// A box of points, computed by the blocks from first_block on: a thread or several lanes a point, a warp a part of a
/// row, or a block a tile of the ends of rows.
struct BoundaryBox {
  std::int64_t begin[3];
  std::int64_t size[3];
  std::int64_t points;
  std::uint32_t first_block;
  std::uint32_t row_parts;  ///< of a row; 0: a thread a point
  std::int32_t part;        ///< columns of one of them
  /// Columns at both ends of the rows that have parts whose terms reach past a face of x: a thread a point does these,
  /// in the blocks from end_block on.
  std::int32_t left, right;
  std::uint32_t end_block;
  bool ends;                ///< ends of rows, so short that a warp knows what each column of their window reads
  bool shared_ends;         ///< whether several lanes do a point at the ends of rows that have parts
  std::uint8_t plane_axis;  ///< of tiles: the slow axis, several of whose points a thread computes
  /// Where blocks compute tiles (BoundaryTile.cuh): rows of one, tiles along the axis of the rows, and elements from
  /// row to row in shared memory. 0 rows: they do not.
  std::int32_t tile_rows, tiles_of_rows, tile_pitch;
};

constexpr int max_boundary_boxes = 6;
/// Both ends of the rows near each of four slow faces.
constexpr int max_boundary_edges = 8;
/// Columns of a lane where a warp computes a part of a row, and the shortest rows for which it does.
constexpr int boundary_columns = 4, boundary_least_row = 16;
/// Lanes that share a point where points are few.
constexpr int boundary_lanes = 8;

/// Columns that the terms of a row's end reach, at most.
constexpr int boundary_window = 32;

/// All that a kernel is told but the pointers to the Views.
struct BoundaryArgs {
  std::int64_t extent[3], in_stride[3], out_stride[3];
  Face faces[3][2];
  int user_axis[3];
  void const* terms;  ///< BoundaryTerm, in canonical order
  int term_count;
  int reach[3][2];                        ///< of the terms along each axis: the least and the largest offset
  bool on_slow_axes;                      ///< whether no term reaches along both slow axes
  std::int64_t far_begin[2], far_end[2];  ///< planes and rows from which no term reaches past their axis' faces
  bool by_rows;                           ///< whether 32 bits hold all columns, and values of a row are adjacent
  int lanes;                              ///< that share a point: 1 or boundary_lanes
  bool updates;                           ///< outputs become alpha S(u) + beta v
  double alpha, beta;
  int box_count;
  std::uint32_t blocks;
  int shared_bytes;  ///< of a block
  BoundaryBox boxes[max_boundary_boxes];
};

/// What the kernel for points near faces alone is told. Its first blocks compute tiles of the ends of rows near slow
/// faces. Boxes count their blocks from behind these.
struct BoundaryLaunchArgs : BoundaryArgs {
  std::uint32_t edge_blocks;
  int edge_count;
  BoundaryBox edges[max_boundary_edges];
};

/// Computes every point of the boxes by the plain formula with the boundary rules. `concurrent`: may run beside the
/// kernel launched before. T: double, float, __half, __nv_bfloat16.
template <class T>
void launch_boundary_points(BoundaryLaunchArgs const& args, bool concurrent, T const* in, T* out, cudaStream_t stream);

/// Allows the kernel boundary_tile_bytes on the current device.
template <class T>
cudaError_t prepare_boundary_points();

}  // namespace Cuda
}  // namespace KokkosStencil
