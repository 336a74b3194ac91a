// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Value.hpp"

#include <KokkosStencil_Problem.hpp>
#include <KokkosStencil_Update.hpp>
#include <impl/KokkosStencil_MapIndex.hpp>

#include <cmath>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Generic {

/// A term as kernels read it: offsets of the three axes and the coefficient.
template <class A>
struct PointTerm {
  std::int32_t offset[3];
  A coefficient;
};

/// The plain formula at one point, with every boundary rule: any strides, any value type, host or device.
template <class T>
struct PointSweep {
  using A = Accumulator<T>;

  T const* in;
  T* out;
  std::int64_t extent[3], in_stride[3], out_stride[3];
  Face faces[3][2];
  int user_axis[3];
  PointTerm<A> const* terms;
  int term_count;
  bool updates;  ///< then with these factors
  A alpha, beta;

  /// Writes S(u), or alpha S(u) + beta v. The product is rounded, then the rest once more.
  KOKKOS_FORCEINLINE_FUNCTION void put(T& v, A sum) const {
    if (updates) sum = beta != A(0) ? fused(alpha, sum, fused(beta, static_cast<A>(v), -A(0))) : alpha * sum;
    v = static_cast<T>(sum);
  }

  KOKKOS_INLINE_FUNCTION A input(std::int64_t const (&i)[3], std::int32_t const (&offset)[3]) const {
    std::int64_t at   = 0;
    int constant_axis = -1, constant_side = 0;
    for (int a = 0; a < 3; ++a) {
      int side             = 0;
      std::int64_t const k = Impl::map_index(i[a] + offset[a], extent[a], faces[a], side);
      if (k < 0) {
        // At a corner the constant of the lowest axis of the View counts.
        if (constant_axis < 0 || user_axis[a] < user_axis[constant_axis]) {
          constant_axis = a;
          constant_side = side;
        }
      } else {
        at += k * in_stride[a];
      }
    }
    if (constant_axis >= 0)
      return static_cast<A>(static_cast<T>(static_cast<A>(faces[constant_axis][constant_side].constant)));
    return static_cast<A>(in[at]);
  }

  KOKKOS_INLINE_FUNCTION void operator()(std::int64_t z, std::int64_t y, std::int64_t x) const { at<1>(z, y, x); }

  /// With the loads of so many terms in flight together.
  template <int Together>
  KOKKOS_INLINE_FUNCTION void at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    std::int64_t const i[3] = {z, y, x};
    A acc                   = -A(0);
    for (int first = 0; first < term_count; first += Together) {
      A value[Together];
      for (int n = 0; n < Together; ++n) {
        value[n] = first + n < term_count ? input(i, terms[first + n].offset) : A(0);
      }
      for (int n = 0; n < Together; ++n) {
        if (first + n < term_count) acc = fused(terms[first + n].coefficient, value[n], acc);
      }
    }
    put(out[z * out_stride[0] + y * out_stride[1] + x * out_stride[2]], acc);
  }

  /// Always one rounding, so that every path gives the same bits.
  KOKKOS_INLINE_FUNCTION static float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
  KOKKOS_INLINE_FUNCTION static double fused(double a, double b, double c) { return ::fma(a, b, c); }
};

/// The same for an Update.
template <class T>
PointSweep<T> with_update(PointSweep<T> sweep, Update const& update) {
  sweep.updates = true;
  sweep.alpha   = static_cast<Accumulator<T>>(update.alpha);
  sweep.beta    = static_cast<Accumulator<T>>(update.beta);
  return sweep;
}

template <class T>
std::vector<PointTerm<Accumulator<T>>> point_terms(Problem const& p) {
  std::vector<PointTerm<Accumulator<T>>> terms;
  for (Term const& t : p.terms) {
    terms.push_back({{t.offset[0], t.offset[1], t.offset[2]}, static_cast<Accumulator<T>>(t.coefficient)});
  }
  return terms;
}

template <class T>
PointSweep<T> make_point_sweep(Problem const& p, PointTerm<Accumulator<T>> const* terms) {
  PointSweep<T> s{};
  for (std::size_t a = 0; a < 3; ++a) {
    s.extent[a]     = p.extent[a];
    s.in_stride[a]  = p.in_stride[a];
    s.out_stride[a] = p.out_stride[a];
    s.user_axis[a]  = p.user_axis[a];
    for (std::size_t side = 0; side < 2; ++side) s.faces[a][side] = p.faces[a][side];
  }
  s.terms      = terms;
  s.term_count = static_cast<int>(p.terms.size());
  return s;
}

}  // namespace Generic
}  // namespace KokkosStencil
