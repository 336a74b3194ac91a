// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryPoints.hpp"
#include "common/Value.cuh"

#include <impl/KokkosStencil_MapIndex.hpp>

namespace KokkosStencil {
namespace Cuda {

/// Computes the point of this thread by the plain formula. Blocks have `Threads` threads; `block` counts them in
/// `args`.
template <class T, int Threads>
__device__ __forceinline__ void boundary_point(BoundaryArgs const& args, std::uint32_t block, T const* __restrict__ in,
                                               T* __restrict__ out) {
  using A = Accumulator<T>;
  int b   = 0;
  while (b + 1 < args.box_count && block >= args.boxes[b + 1].first_block) ++b;
  BoundaryBox const& box   = args.boxes[b];
  std::int64_t const index = std::int64_t(block - box.first_block) * Threads + threadIdx.x;
  if (index >= box.points) return;
  std::int64_t i[3];
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
  out[i[0] * args.out_stride[0] + i[1] * args.out_stride[1] + i[2] * args.out_stride[2]] = Value<T>::store(acc);
}

}  // namespace Cuda
}  // namespace KokkosStencil
