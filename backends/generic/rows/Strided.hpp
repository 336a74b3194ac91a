// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Vector.hpp"

// Kernels for rows whose points may lie apart.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

/// Points x to x + Points of a row, all their sums in flight.
template <int Points, class T>
KOKKOSSTENCIL_INLINE void strided_block(RowWork<T> const& work, std::int64_t x) {
  T acc[Points];
#pragma GCC unroll 8
  for (int b = 0; b < Points; ++b) acc[b] = work.start;
  for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
    std::int64_t const step = work.steps[s->row];
    T const* p              = work.rows[s->row] + (x + s->first) * step;
    T const* const c        = work.coefficients + s->coefficient[0];
    for (int i = 0; i < s->length; ++i, p += step) {
#pragma GCC unroll 8
      for (int b = 0; b < Points; ++b) acc[b] = multiply_add(c[i], p[b * step], acc[b]);
    }
  }
#pragma GCC unroll 8
  for (int b = 0; b < Points; ++b) work.out[0][(x + b) * work.out_step] = acc[b];
}

template <class T>
void strided_row(RowWork<T> const& work, std::int64_t count) {
  std::int64_t x = 0;
  for (; x + 8 <= count; x += 8) strided_block<8>(work, x);
  for (; x < count; ++x) strided_block<1>(work, x);
}

/// v = alpha * sum + beta * v.
template <class T>
void combine(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count) {
  using V        = Vector<T>;
  std::int64_t x = 0;
  if (step == 1) {
    typename V::type const a = V::splat(alpha), b = V::splat(beta), none = V::splat(-T(0));
    for (; x + V::width <= count; x += V::width)
      V::store(v + x, fused(a, V::load(sum + x), fused(b, V::load(v + x), none)));
  }
  for (; x < count; ++x) v[x * step] = multiply_add(alpha, sum[x], multiply_add(beta, v[x * step], -T(0)));
}

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
