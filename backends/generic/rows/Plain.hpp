// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../HostRows.hpp"

// Kernels for compilers without vector types, to which the vectors are left.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

constexpr int registers = 16;

template <class T>
RowFunction<T> shape(Segment const*, int, int) {
  return nullptr;
}

template <class T>
RowFunction<T> brief(Segment const*, int) {
  return nullptr;
}

inline void stream_fence() {}

template <int Stack, class T>
void stacked_rows(RowWork<T> const& work, std::int64_t count) {
  for (int j = 0; j < Stack; ++j) {
    for (std::int64_t x = 0; x < count; ++x) {
      T acc = -T(0);
      for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
        if (!(s->mask >> j & 1)) continue;
        for (int i = 0; i < s->length; ++i) {
          acc += work.coefficients[s->coefficient[j] + i] * work.rows[s->row][x + s->first + i];
        }
      }
      work.out[j][x] = acc;
    }
  }
}

template <class T>
void strided_row(RowWork<T> const& work, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) {
    T acc = -T(0);
    for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
      for (int i = 0; i < s->length; ++i) {
        acc += work.coefficients[s->coefficient[0] + i] * work.rows[s->row][(x + s->first + i) * work.steps[s->row]];
      }
    }
    work.out[0][x * work.out_step] = acc;
  }
}

template <class T>
void combine(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) v[x * step] = alpha * sum[x] + beta * v[x * step];
}

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
