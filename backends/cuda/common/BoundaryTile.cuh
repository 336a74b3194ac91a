// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryPoints.cuh"

// Ends of the rows of volumes by tiles: a block brings all that its points read into shared memory, with the boundary
// rules applied, and each thread computes a column of points across several planes from there. A point a thread reads
// from memory once for each term instead, each lane of a warp in another row
// (docs/experiments/2026-11-29-ends-of-rows.md). Near the faces of y planes and rows change places: there are few rows,
// but many planes.

namespace KokkosStencil {
namespace Cuda {

/// A term in shared memory: how far from the first value that a point may read lies the one it multiplies.
template <class A>
struct alignas(2 * sizeof(A)) TileTerm {
  std::int32_t offset;
  A coefficient;
};

/// Where an index is read along an axis, in elements; below zero, the face of a constant: -1 - side.
__device__ __forceinline__ std::int64_t read_along(BoundaryArgs const& args, int axis, std::int64_t index) {
  int side             = 0;
  std::int64_t const m = Impl::map_near_index(index, args.extent[axis], args.faces[axis], side);
  return m >= 0 ? m * args.in_stride[axis] : -1 - side;
}

/// The value at a place of the tile, by where each axis is read.
template <class T>
__device__ __forceinline__ T tile_value(BoundaryArgs const& args, std::int64_t const (&from)[3],
                                        T const* __restrict__ in) {
  if ((from[0] | from[1] | from[2]) >= 0) return __ldg(in + from[0] + from[1] + from[2]);
  // Past several constant faces the one of the View's lowest axis counts.
  int axis = -1;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    if (from[a] < 0 && (axis < 0 || args.user_axis[a] < args.user_axis[axis])) axis = a;
  }
  return Value<T>::store(static_cast<Accumulator<T>>(args.faces[axis][-1 - from[axis]].constant));
}

/// Computes a tile: boundary_tile_planes planes of box.tile_rows rows, with all columns of the box. Planes are those of
/// the axis box.plane_axis, rows those of the other slow axis.
template <class T, int Threads>
__device__ __noinline__ void boundary_tile(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                           T const* __restrict__ in, T* __restrict__ out) {
  using A              = Accumulator<T>;
  constexpr int planes = boundary_tile_planes(sizeof(T)), plane = boundary_tile_points(sizeof(T));
  extern __shared__ char4 boundary_shared[];
  int const thread = static_cast<int>(threadIdx.x), p_axis = box.plane_axis, r_axis = 1 - p_axis;
  int const low_p = args.reach[p_axis][0], low_r = args.reach[r_axis][0], low_x = args.reach[2][0],
            span_p = args.reach[p_axis][1] - low_p, span_r = args.reach[r_axis][1] - low_r,
            span_x         = args.reach[2][1] - low_x;
  std::uint32_t const tile = block - box.first_block, tiles_of_rows = box.tiles_of_rows;
  std::int64_t const p_begin = box.begin[p_axis] + std::int64_t(tile / tiles_of_rows) * planes,
                     r_begin = box.begin[r_axis] + std::int64_t(tile % tiles_of_rows) * box.tile_rows;
  // The last tiles are smaller.
  int const high = static_cast<int>(min(std::int64_t(planes), box.begin[p_axis] + box.size[p_axis] - p_begin)),
            rows = static_cast<int>(min(std::int64_t(box.tile_rows), box.begin[r_axis] + box.size[r_axis] - r_begin)),
            read_planes = high + span_p, read_rows = rows + span_r;

  auto* const terms       = reinterpret_cast<TileTerm<A>*>(boundary_shared);
  auto* const from_planes = reinterpret_cast<std::int64_t*>(terms + args.term_count);
  auto* const from_rows   = from_planes + planes + span_p;
  auto* const values      = reinterpret_cast<T*>(from_rows + box.tile_rows + span_r);
  auto const* const given = static_cast<BoundaryTerm<A> const*>(args.terms);
  for (int k = thread; k < args.term_count; k += Threads) {
    BoundaryTerm<A> const term = given[k];
    int const of_plane         = p_axis == 0 ? term.offset[0] : term.offset[1],
              of_row           = p_axis == 0 ? term.offset[1] : term.offset[0];
    terms[k] = {(of_plane - low_p) * plane + (of_row - low_r) * box.tile_pitch + term.offset[2] - low_x,
                term.coefficient};
  }
  for (int i = thread; i < read_planes + read_rows; i += Threads) {
    if (i < read_planes) {
      from_planes[i] = read_along(args, p_axis, p_begin + low_p + i);
    } else {
      from_rows[i - read_planes] = read_along(args, r_axis, r_begin + low_r + (i - read_planes));
    }
  }
  __syncthreads();

  // A thread has one column of the tile, of some rows.
  int const width = static_cast<int>(box.size[2]), columns = width + span_x, together = Threads / columns,
            first_row = thread / columns, at = thread % columns;
  if (first_row < together) {
    std::int64_t const from_x = read_along(args, 2, box.begin[2] + low_x + at);
    for (int r = first_row; r < read_rows; r += together) {
      T* const to               = values + r * box.tile_pitch + at;
      std::int64_t const from_r = from_rows[r];
      constexpr int some        = 4;
      for (int p = 0; p < read_planes; p += some) {
        T value[some];
#pragma unroll
        for (int n = 0; n < some; ++n) {
          if (p + n >= read_planes) continue;
          std::int64_t const from_p = from_planes[p + n];
          value[n] = tile_value(args, {p_axis == 0 ? from_p : from_r, p_axis == 0 ? from_r : from_p, from_x}, in);
        }
#pragma unroll
        for (int n = 0; n < some; ++n) {
          if (p + n < read_planes) to[(p + n) * plane] = value[n];
        }
      }
    }
  }
  __syncthreads();

  int const row = thread / width, column = thread % width;
  if (row >= rows) return;
  T const* const point = values + row * box.tile_pitch + column;
  A acc[planes];
#pragma unroll
  for (int c = 0; c < planes; ++c) acc[c] = -A(0);
#pragma unroll 2
  for (int k = 0; k < args.term_count; ++k) {
    TileTerm<A> const term = terms[k];
#pragma unroll
    for (int c = 0; c < planes; ++c) {
      acc[c] = fused(term.coefficient, Value<T>::load(point[term.offset + c * plane]), acc[c]);
    }
  }
  T* const to = out + p_begin * args.out_stride[p_axis] + (r_begin + row) * args.out_stride[r_axis] +
                (box.begin[2] + column) * args.out_stride[2];
#pragma unroll
  for (int c = 0; c < planes; ++c) {
    if (c < high) put(args, to + c * args.out_stride[p_axis], acc[c]);
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
