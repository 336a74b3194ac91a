// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryPoints.hpp"
#include "common/Tuning.hpp"
#include "common/Updated.cuh"

#include <impl/KokkosStencil_MapIndex.hpp>

namespace KokkosStencil {
namespace Cuda {

/// The box of a block.
__device__ __forceinline__ BoundaryBox const& boundary_box(BoundaryArgs const& args, std::uint32_t block) {
  int b = 0;
  while (b + 1 < args.box_count && block >= args.boxes[b + 1].first_block) ++b;
  return args.boxes[b];
}

/// Coordinates of a box's point, in the View.
__device__ __forceinline__ void boundary_coordinates(BoundaryBox const& box, std::int64_t index, std::int64_t (&i)[3]) {
  if (box.points <= 0xffffffff) {
    auto rest     = static_cast<std::uint32_t>(index);
    auto const nx = static_cast<std::uint32_t>(box.size[2]), ny = static_cast<std::uint32_t>(box.size[1]);
    i[2] = rest % nx;
    rest /= nx;
    i[1] = rest % ny;
    i[0] = rest / ny;
  } else {
    i[2] = index % box.size[2];
    i[1] = index / box.size[2] % box.size[1];
    i[0] = index / box.size[2] / box.size[1];
  }
  for (int a = 0; a < 3; ++a) i[a] += box.begin[a];
}

/// Writes an output.
template <class T>
__device__ __forceinline__ void put(BoundaryArgs const& args, T* to, Accumulator<T> sum) {
  using A = Accumulator<T>;
  if (args.updates) sum = updated<T>(static_cast<A>(args.alpha), sum, static_cast<A>(args.beta), to);
  *to = Value<T>::store(sum);
}

/// Computes the point of this thread by the plain formula. Blocks have `Threads` threads; `block` counts them in
/// `args`.
template <class T, int Threads>
__device__ __forceinline__ void boundary_point(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                               T const* __restrict__ in, T* __restrict__ out) {
  using A                  = Accumulator<T>;
  std::int64_t const index = std::int64_t(block - box.first_block) * Threads + threadIdx.x;
  if (index >= box.points) return;
  std::int64_t i[3];
  boundary_coordinates(box, index, i);

  auto const* const terms = static_cast<BoundaryTerm<A> const*>(args.terms);
  A acc                   = -A(0);
  // Terms are sorted by rows, so the boundary rules of the two slow axes are applied once a row.
  int dz = 0, dy = 0, row_axis = -1, row_side = 0;
  std::int64_t row = 0;
  // The loads of several terms are in flight together, since the time goes into waiting for them.
  constexpr int some = 4;
  for (int first = 0; first < args.term_count; first += some) {
    BoundaryTerm<A> term[some];
    T value[some];
#pragma unroll
    for (int n = 0; n < some; ++n) {
      if (first + n < args.term_count) term[n] = terms[first + n];
    }
#pragma unroll
    for (int n = 0; n < some; ++n) {
      if (first + n >= args.term_count) continue;
      if (first + n == 0 || term[n].offset[0] != dz || term[n].offset[1] != dy) {
        dz       = term[n].offset[0];
        dy       = term[n].offset[1];
        row      = 0;
        row_axis = -1;
#pragma unroll
        for (int a = 0; a < 2; ++a) {
          int side             = 0;
          std::int64_t const m = Impl::map_near_index(i[a] + (a == 0 ? dz : dy), args.extent[a], args.faces[a], side);
          if (m >= 0) {
            row += m * args.in_stride[a];
          } else if (row_axis < 0 || args.user_axis[a] < args.user_axis[row_axis]) {
            row_axis = a;
            row_side = side;
          }
        }
      }
      int axis = row_axis, side = 0;
      std::int64_t const m = Impl::map_near_index(i[2] + term[n].offset[2], args.extent[2], args.faces[2], side);
      // Past several constant faces the one of the View's lowest axis counts.
      if (m < 0 && (axis < 0 || args.user_axis[2] < args.user_axis[axis])) {
        axis = 2;
      } else {
        side = row_side;
      }
      if (axis >= 0) {
        value[n] = Value<T>::store(static_cast<A>(args.faces[axis][side].constant));
      } else {
        value[n] = __ldg(in + row + m * args.in_stride[2]);
      }
    }
#pragma unroll
    for (int n = 0; n < some; ++n) {
      if (first + n < args.term_count) acc = fused(term[n].coefficient, Value<T>::load(value[n]), acc);
    }
  }
  put(args, out + i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2], acc);
}

/// Computes a point with several lanes: each maps and loads its share of the terms, so that as many loads as there are
/// terms are in flight, and all of them add up all values in canonical order. For few points, where nothing but the
/// time that loads take counts.
template <class T, int Threads>
__device__ __forceinline__ void boundary_shared_point(BoundaryArgs const& args, BoundaryBox const& box,
                                                      std::uint32_t block, T const* __restrict__ in,
                                                      T* __restrict__ out) {
  using A             = Accumulator<T>;
  constexpr int lanes = boundary_lanes, some = boundary_round_terms / lanes;
  int const lane           = static_cast<int>(threadIdx.x % lanes);
  std::int64_t const index = std::int64_t(block - box.first_block) * (Threads / lanes) + threadIdx.x / lanes;
  std::int64_t i[3];
  // Lanes past the end compute the last point, since shuffles need them.
  boundary_coordinates(box, min(index, box.points - 1), i);

  auto const* const terms = static_cast<BoundaryTerm<A> const*>(args.terms);
  A acc                   = -A(0);
  for (int first = 0; first < args.term_count; first += some * lanes) {
    A value[some], coefficient[some];
    BoundaryTerm<A> term[some];
#pragma unroll
    for (int n = 0; n < some; ++n) term[n] = terms[min(first + n * lanes + lane, args.term_count - 1)];
#pragma unroll
    for (int n = 0; n < some; ++n) {
      int constant      = -1;
      std::int64_t from = 0;
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        int side             = 0;
        std::int64_t const m = Impl::map_near_index(i[a] + term[n].offset[a], args.extent[a], args.faces[a], side);
        if (m >= 0) {
          from += m * args.in_stride[a];
        } else if (constant < 0 || args.user_axis[a] < args.user_axis[constant / 2]) {
          // Past several constant faces the one of the View's lowest axis counts.
          constant = 2 * a + side;
        }
      }
      coefficient[n] = term[n].coefficient;
      value[n]       = Value<T>::load(constant < 0
                                          ? __ldg(in + from)
                                          : Value<T>::store(static_cast<A>(args.faces[constant / 2][constant % 2].constant)));
    }
#pragma unroll
    for (int n = 0; n < some; ++n) {
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        A const c = __shfl_sync(0xffffffffu, coefficient[n], k, lanes);
        A const v = __shfl_sync(0xffffffffu, value[n], k, lanes);
        if (first + n * lanes + k < args.term_count) acc = fused(c, v, acc);
      }
    }
  }
  if (lane == 0 && index < box.points) {
    put(args, out + i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2], acc);
  }
}

/// Terms of which a warp knows where they read for the row that it computes: a lane finds that for one of them.
template <class A>
struct MappedTerms {
  std::int64_t offset[32];  ///< from a point's column in row 0 of plane 0 to what the term reads, without faces of x
  A coefficient[32];
  std::int32_t column[32];    ///< offset along x
  std::int32_t constant[32];  ///< of a constant face of a slow axis: twice the axis and the side; -1: none
};
template <class A, int Threads>
__device__ __forceinline__ MappedTerms<A>& mapped_terms() {
  __shared__ MappedTerms<A> all[Threads / 32];
  return all[threadIdx.x / 32];
}

/// Computes the point of this thread at the end of a row that is farther from the slow faces than terms reach. So each
/// term reads at the same distance from all points, but for columns past the face, which the warp maps once.
template <class T, int Threads>
__device__ __noinline__ void boundary_end(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                          T const* __restrict__ in, T* __restrict__ out) {
  using A                  = Accumulator<T>;
  MappedTerms<A>& mapped   = mapped_terms<A, Threads>();
  int const lane           = static_cast<int>(threadIdx.x % 32);
  std::int64_t const index = std::int64_t(block - box.first_block) * Threads + threadIdx.x;
  std::int64_t i[3];
  // Lanes past the end compute the last point.
  boundary_coordinates(box, min(index, box.points - 1), i);
  // A lane knows for one column of the window what is read for it: a column or, below zero, the side of a constant.
  int const low = static_cast<int>(box.begin[2]) + args.reach[0], start = static_cast<int>(i[2]) - low;
  int side  = 0;
  auto read = static_cast<int>(Impl::map_near_index(low + lane, args.extent[2], args.faces[2], side));
  if (read < 0) read = -1 - side;
  static_assert(boundary_window == 32, "a column a lane");
  T const* const row = in + i[0] * args.in_stride[0] + i[1] * args.in_stride[1];

  auto const* const terms = static_cast<BoundaryTerm<A> const*>(args.terms);
  A acc                   = -A(0);
  for (int first = 0; first < args.term_count; first += 32) {
    int const count = min(32, args.term_count - first);
    __syncwarp();
    if (lane < count) {
      BoundaryTerm<A> const term = terms[first + lane];
      mapped.offset[lane]        = term.offset[0] * args.in_stride[0] + term.offset[1] * args.in_stride[1];
      mapped.coefficient[lane]   = term.coefficient;
      mapped.column[lane]        = term.offset[2];
    }
    __syncwarp();
    // The loads of several terms are in flight together.
    constexpr int some = 8;
    for (int k = 0; k < count; k += some) {
      T value[some];
#pragma unroll
      for (int n = 0; n < some; ++n) {
        int const term = min(k + n, count - 1);
        int const from = __shfl_sync(0xffffffffu, read, start + mapped.column[term]);
        value[n]       = from >= 0 ? __ldg(row + mapped.offset[term] + from)
                                   : Value<T>::store(static_cast<A>(args.faces[2][-1 - from].constant));
      }
#pragma unroll
      for (int n = 0; n < some; ++n) {
        if (k + n < count) acc = fused(mapped.coefficient[k + n], Value<T>::load(value[n]), acc);
      }
    }
  }
  if (index < box.points) {
    put(args, out + i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2], acc);
  }
}

/// Computes a part of a row with a warp, by the plain formula. The boundary rules of the two slow axes are applied once
/// for a row and term, by one lane.
template <class T, int Threads>
__device__ __forceinline__ void boundary_row(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                             T const* __restrict__ in, T* __restrict__ out) {
  using A              = Accumulator<T>;
  constexpr int across = 32, columns = boundary_columns;
  constexpr int far      = 1 << 30;  ///< farther than columns are apart
  MappedTerms<A>& mapped = mapped_terms<A, Threads>();
  int const lane         = int(threadIdx.x % 32);

  // The warps of a block have the same columns of adjacent rows, which read from each other's.
  std::uint32_t const item = (block - box.first_block) * (Threads / 32) + threadIdx.x / 32,
                      high = static_cast<std::uint32_t>(box.size[1]), rows = high * std::uint32_t(box.size[0]),
                      row = item % rows, part = item / rows;
  if (part >= box.row_parts) return;
  std::int64_t const z = box.begin[0] + row / high, y = box.begin[1] + row % high;
  int const begin = int(box.begin[2]) + int(part) * box.part;
  int const last = min(begin + box.part, int(box.begin[2] + box.size[2])) - 1, extent = int(args.extent[2]);
  // Lanes past the end read the last column.
  int x[columns];
#pragma unroll
  for (int c = 0; c < columns; ++c) x[c] = min(begin + lane + across * c, last);
  bool const crosses      = begin + args.reach[0] < 0 || last + args.reach[1] >= extent;
  auto const* const terms = static_cast<BoundaryTerm<A> const*>(args.terms);
  A acc[columns];
#pragma unroll
  for (int c = 0; c < columns; ++c) acc[c] = -A(0);

  for (int first = 0; first < args.term_count; first += 32) {
    int const count = min(32, args.term_count - first);
    __syncwarp();
    int constant = -1;
    if (lane < count) {
      BoundaryTerm<A> const term = terms[first + lane];
      std::int64_t offset        = term.offset[2];
#pragma unroll
      for (int a = 0; a < 2; ++a) {
        int side = 0;
        std::int64_t const m =
            Impl::map_near_index((a == 0 ? z : y) + term.offset[a], args.extent[a], args.faces[a], side);
        if (m >= 0) {
          offset += m * args.in_stride[a];
        } else if (constant < 0 || args.user_axis[a] < args.user_axis[constant / 2]) {
          constant = 2 * a + side;
        }
      }
      mapped.offset[lane]      = offset;
      mapped.coefficient[lane] = term.coefficient;
      mapped.column[lane]      = term.offset[2];
      mapped.constant[lane]    = constant;
    }
    bool const simple = !crosses && !__any_sync(0xffffffffu, constant >= 0);
    __syncwarp();
    // The loads of several terms are in flight together.
    constexpr int some = sizeof(T) == 8 ? 2 : 4;
    for (int k = 0; k < count; k += some) {
      // Columns from where the term lies to what is read for it, or a constant face.
      int away[some][columns];
      T value[some][columns];
      if (!simple) {
#pragma unroll
        for (int n = 0; n < some; ++n) {
          int const term = min(k + n, count - 1), face = mapped.constant[term];
#pragma unroll
          for (int c = 0; c < columns; ++c) {
            int const at = x[c] + mapped.column[term];
            int from     = face;
            away[n][c]   = 0;
            if (at < 0 || at >= extent) {
              int side             = 0;
              std::int64_t const m = Impl::map_near_index(at, extent, args.faces[2], side);
              if (m >= 0) {
                away[n][c] = int(m) - at;
              } else if (face < 0 || args.user_axis[2] < args.user_axis[face / 2]) {
                // Past several constant faces the one of the View's lowest axis counts.
                from = 4 + side;
              }
            }
            if (from >= 0) away[n][c] = far + from;
          }
        }
      }
#pragma unroll
      for (int n = 0; n < some; ++n) {
        T const* const row_of_term = in + mapped.offset[min(k + n, count - 1)];
#pragma unroll
        for (int c = 0; c < columns; ++c) {
          if (simple) {
            value[n][c] = __ldg(row_of_term + x[c]);
          } else if (away[n][c] < far) {
            value[n][c] = __ldg(row_of_term + (x[c] + away[n][c]));
          } else {
            Face const& face = args.faces[(away[n][c] - far) / 2][(away[n][c] - far) % 2];
            value[n][c]      = Value<T>::store(static_cast<A>(face.constant));
          }
        }
      }
#pragma unroll
      for (int n = 0; n < some; ++n) {
        if (k + n >= count) break;
        A const coefficient = mapped.coefficient[k + n];
#pragma unroll
        for (int c = 0; c < columns; ++c) acc[c] = fused(coefficient, Value<T>::load(value[n][c]), acc[c]);
      }
    }
  }
  T* const to = out + z * args.out_stride[0] + y * args.out_stride[1];
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    int const at = begin + lane + across * c;
    if (at <= last) put(args, to + at * args.out_stride[2], acc[c]);
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
