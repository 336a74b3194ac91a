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
__device__ __forceinline__ BoundaryBox const& boundary_box(BoundaryBox const* boxes, int count, std::uint32_t block) {
  int b = 0;
  while (b + 1 < count && block >= boxes[b + 1].first_block) ++b;
  return boxes[b];
}
__device__ __forceinline__ BoundaryBox const& boundary_box(BoundaryArgs const& args, std::uint32_t block) {
  return boundary_box(args.boxes, args.box_count, block);
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

/// Computes a point by the plain formula.
template <class T>
__device__ __forceinline__ void boundary_point(BoundaryArgs const& args, std::int64_t const (&i)[3],
                                               T const* __restrict__ in, T* __restrict__ out) {
  using A                 = Accumulator<T>;
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

/// Computes the point of this thread. Blocks have `Threads` threads; `block` counts them in `args`.
template <class T, int Threads>
__device__ __forceinline__ void boundary_point(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                               T const* __restrict__ in, T* __restrict__ out) {
  std::int64_t const index = std::int64_t(block - box.first_block) * Threads + threadIdx.x;
  if (index >= box.points) return;
  std::int64_t i[3];
  boundary_coordinates(box, index, i);
  boundary_point(args, i, in, out);
}

/// Computes a point with several lanes: each maps and loads its share of the terms, so that as many loads as there are
/// terms are in flight, and all of them add up all values in canonical order. For few points, where nothing but the
/// time that loads take counts.
template <class T>
__device__ __forceinline__ void boundary_shared_point(BoundaryArgs const& args, std::int64_t const (&i)[3], bool writes,
                                                      T const* __restrict__ in, T* __restrict__ out) {
  using A             = Accumulator<T>;
  constexpr int lanes = boundary_lanes, some = boundary_round_terms / lanes;
  int const lane = static_cast<int>(threadIdx.x % lanes);

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
  if (lane == 0 && writes) {
    put(args, out + i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2], acc);
  }
}

/// Computes the point of these lanes.
template <class T, int Threads>
__device__ __forceinline__ void boundary_shared_point(BoundaryArgs const& args, BoundaryBox const& box,
                                                      std::uint32_t block, T const* __restrict__ in,
                                                      T* __restrict__ out) {
  constexpr int lanes      = boundary_lanes;
  std::int64_t const index = std::int64_t(block - box.first_block) * (Threads / lanes) + threadIdx.x / lanes;
  std::int64_t i[3];
  // Lanes past the end compute the last point, since shuffles need them.
  boundary_coordinates(box, min(index, box.points - 1), i);
  boundary_shared_point(args, i, index < box.points, in, out);
}

/// Terms of which a warp knows where they read for the row that it computes: a lane finds that for one of them.
template <class A>
struct MappedTerms {
  struct alignas(16) Term {
    std::int64_t offset;  ///< bytes from row 0 of plane 0, or from the point's row, to the row that the term reads
    A coefficient;
  };
  Term term[32];
  std::int32_t column[32];    ///< offset along x, where it is not in `offset`
  std::int32_t constant[32];  ///< of a constant face of a slow axis: twice the axis and the side; -1: none
};
template <class A, int Threads>
__device__ __forceinline__ MappedTerms<A>& mapped_terms() {
  __shared__ MappedTerms<A> all[Threads / 32];
  return all[threadIdx.x / 32];
}

/// Adds N terms to a sum, whose loads are in flight together. Lane `start + c` has in `read` what is read for column c.
template <int N, class T>
__device__ __forceinline__ void add_end_terms(BoundaryArgs const& args, MappedTerms<Accumulator<T>> const& terms, int k,
                                              T const* __restrict__ row, int read, int start, Accumulator<T>& acc) {
  using A = Accumulator<T>;
  T value[N];
  A coefficient[N];
#pragma unroll
  for (int n = 0; n < N; ++n) {
    auto const term           = terms.term[k + n];
    coefficient[n]            = term.coefficient;
    int const from            = __shfl_sync(0xffffffffu, read, start + terms.column[k + n]);
    auto const* const of_term = reinterpret_cast<T const*>(reinterpret_cast<char const*>(row) + term.offset);
    value[n] = from >= 0 ? __ldg(of_term + from) : Value<T>::store(static_cast<A>(args.faces[2][-1 - from].constant));
  }
#pragma unroll
  for (int n = 0; n < N; ++n) acc = fused(coefficient[n], Value<T>::load(value[n]), acc);
}

/// Computes the point of this thread at the end of a row. Farther from the slow faces than terms reach, each term reads
/// at the same distance from all points, but for columns past the face, which the warp maps once.
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
  bool const far =
      i[0] >= args.far_begin[0] && i[0] < args.far_end[0] && i[1] >= args.far_begin[1] && i[1] < args.far_end[1];
  if (!__all_sync(0xffffffffu, far)) {
    if (index < box.points) boundary_point(args, i, in, out);
    return;
  }
  // A lane knows for one column of the window what is read for it: a column or, below zero, the side of a constant.
  int const low = static_cast<int>(box.begin[2]) + args.reach[2][0], start = static_cast<int>(i[2]) - low;
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
      std::int64_t const offset  = term.offset[0] * args.in_stride[0] + term.offset[1] * args.in_stride[1];
      mapped.term[lane]          = {offset * std::int64_t(sizeof(T)), term.coefficient};
      mapped.column[lane]        = term.offset[2];
    }
    __syncwarp();
    constexpr int some = sizeof(T) == 8 ? 3 : 8;
    int k              = 0;
    for (; k + some <= count; k += some) add_end_terms<some>(args, mapped, k, row, read, start, acc);
    for (; k < count; ++k) add_end_terms<1>(args, mapped, k, row, read, start, acc);
  }
  if (index < box.points) {
    put(args, out + i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2], acc);
  }
}

/// Computes the columns at both ends of rows that have parts: a thread a point, or several lanes.
template <class T, int Threads>
__device__ __noinline__ void boundary_ends_of_rows(BoundaryArgs const& args, BoundaryBox const& box,
                                                   std::uint32_t block, T const* __restrict__ in, T* __restrict__ out) {
  int const lanes          = box.shared_ends ? boundary_lanes : 1;
  std::int64_t const first = std::int64_t(block - box.end_block) * (Threads / lanes), across = box.left + box.right,
                     points = across * box.size[0] * box.size[1], index = first + threadIdx.x / lanes;
  // Lanes past the end compute the last point, since shuffles need them.
  std::int64_t const at = min(index, points - 1), row = at / across, column = at % across;
  std::int64_t const i[3] = {box.begin[0] + row / box.size[1], box.begin[1] + row % box.size[1],
                             box.begin[2] + (column < box.left ? column : box.size[2] - across + column)};
  if (box.shared_ends) {
    boundary_shared_point(args, i, index < points, in, out);
  } else if (index < points) {
    boundary_point(args, i, in, out);
  }
}

/// Adds N terms to sums, whose loads are in flight together. `there`: columns that are in the row's part.
template <bool Constants, int N, class T, int Columns>
__device__ __forceinline__ void add_row_terms(BoundaryArgs const& args, MappedTerms<Accumulator<T>> const& terms, int k,
                                              T const* __restrict__ in, bool const (&there)[Columns],
                                              Accumulator<T> (&acc)[Columns]) {
  using A = Accumulator<T>;
  T value[N][Columns];
  A coefficient[N];
#pragma unroll
  for (int n = 0; n < N; ++n) {
    auto const term = terms.term[k + n];
    coefficient[n]  = term.coefficient;
    int const face  = Constants ? terms.constant[k + n] : -1;
    if (Constants && face >= 0) {
      T const constant = Value<T>::store(static_cast<A>(args.faces[face / 2][face % 2].constant));
#pragma unroll
      for (int c = 0; c < Columns; ++c) value[n][c] = constant;
    } else {
      auto const* const from = reinterpret_cast<T const*>(reinterpret_cast<char const*>(in) + term.offset);
#pragma unroll
      for (int c = 0; c < Columns; ++c) {
        if (there[c]) value[n][c] = __ldg(from + 32 * c);
      }
    }
  }
#pragma unroll
  for (int n = 0; n < N; ++n) {
#pragma unroll
    for (int c = 0; c < Columns; ++c) acc[c] = fused(coefficient[n], Value<T>::load(value[n][c]), acc[c]);
  }
}

/// Computes a part of a row with a warp, by the plain formula. The boundary rules of the two slow axes are applied once
/// for a row and term, by one lane; terms reach past no face of x.
template <class T, int Threads>
__device__ __noinline__ void boundary_row(BoundaryArgs const& args, BoundaryBox const& box, std::uint32_t block,
                                          T const* __restrict__ in, T* __restrict__ out) {
  using A               = Accumulator<T>;
  constexpr int columns = boundary_columns, some = sizeof(T) == 8 ? 2 : 4;
  MappedTerms<A>& mapped = mapped_terms<A, Threads>();
  int const lane         = int(threadIdx.x % 32);

  // The warps of a block have the same columns of adjacent rows, which read from each other's.
  std::uint32_t const item = (block - box.first_block) * (Threads / 32) + threadIdx.x / 32,
                      high = static_cast<std::uint32_t>(box.size[1]), rows = high * std::uint32_t(box.size[0]),
                      row = item % rows, part = item / rows;
  if (part >= box.row_parts) return;
  std::int64_t const z = box.begin[0] + row / high, y = box.begin[1] + row % high;
  int const begin         = int(box.begin[2]) + box.left + int(part) * box.part + lane,
            last          = min(begin - lane + box.part, int(box.begin[2] + box.size[2]) - box.right) - 1;
  auto const* const terms = static_cast<BoundaryTerm<A> const*>(args.terms);
  A acc[columns];
  bool there[columns];
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    acc[c]   = -A(0);
    there[c] = begin + 32 * c <= last;
  }
  in += begin;

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
          // Past several constant faces the one of the View's lowest axis counts.
          constant = 2 * a + side;
        }
      }
      mapped.term[lane]     = {offset * std::int64_t(sizeof(T)), term.coefficient};
      mapped.constant[lane] = constant;
    }
    bool const constants = __any_sync(0xffffffffu, constant >= 0);
    __syncwarp();
    int k = 0;
    if (constants) {
      for (; k + some <= count; k += some) add_row_terms<true, some>(args, mapped, k, in, there, acc);
      for (; k < count; ++k) add_row_terms<true, 1>(args, mapped, k, in, there, acc);
    } else {
      for (; k + some <= count; k += some) add_row_terms<false, some>(args, mapped, k, in, there, acc);
      for (; k < count; ++k) add_row_terms<false, 1>(args, mapped, k, in, there, acc);
    }
  }
  T* const to = out + z * args.out_stride[0] + y * args.out_stride[1];
#pragma unroll
  for (int c = 0; c < columns; ++c) {
    if (there[c]) put(args, to + (begin + 32 * c) * args.out_stride[2], acc[c]);
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
