// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostRows.hpp"

#include "HostRowsSets.hpp"

#include <cmath>
#include <cstddef>

namespace KokkosStencil {
namespace Generic {

namespace {

/// Exact fused multiply-adds on any processor, through the C library.
template <int Stack, class T>
void fused_rows(RowWork<T> const& work, std::int64_t count) {
  for (int j = 0; j < Stack; ++j) {
    for (std::int64_t x = 0; x < count; ++x) {
      T acc = -T(0);
      for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
        if (!(s->mask >> j & 1)) continue;
        for (int i = 0; i < s->length; ++i) {
          acc = std::fma(work.coefficients[s->coefficient[j] + i], work.rows[s->row][x + s->first + i], acc);
        }
      }
      work.out[j][x] = acc;
    }
  }
}

template <class T>
void fused_strided_row(RowWork<T> const& work, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) {
    T acc = -T(0);
    for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
      T const* const row = work.rows[s->row];
      for (int i = 0; i < s->length; ++i) {
        acc = std::fma(work.coefficients[s->coefficient[0] + i], row[(x + s->first + i) * work.steps[s->row]], acc);
      }
    }
    work.out[0][x * work.out_step] = acc;
  }
}

template <class T>
void fused_combine(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) v[x * step] = std::fma(alpha, sum[x], std::fma(beta, v[x * step], -T(0)));
}

template <class T>
struct Sets;
template <>
struct Sets<float> {
  static RowKernels<float> baseline() { return rows_baseline_float(); }
#ifdef KOKKOSSTENCIL_ROWS_X86
  static RowKernels<float> avx2() { return rows_avx2_float(); }
  static RowKernels<float> avx512() { return rows_avx512_float(); }
#endif
};
template <>
struct Sets<double> {
  static RowKernels<double> baseline() { return rows_baseline_double(); }
#ifdef KOKKOSSTENCIL_ROWS_X86
  static RowKernels<double> avx2() { return rows_avx2_double(); }
  static RowKernels<double> avx512() { return rows_avx512_double(); }
#endif
};

}  // namespace

template <class T>
std::vector<RowKernels<T>> const& row_kernel_sets() {
  static std::vector<RowKernels<T>> const sets = [] {
    std::vector<RowKernels<T>> list;
#ifdef KOKKOSSTENCIL_ROWS_X86
    if (__builtin_cpu_supports("avx512f")) list.push_back(Sets<T>::avx512());
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list.push_back(Sets<T>::avx2());
#endif
    list.push_back(Sets<T>::baseline());
    if (!list.back().fused) {
      list.push_back({"fma",
                      true,
                      16,
                      {fused_rows<1, T>, fused_rows<2, T>, nullptr, fused_rows<4, T>},
                      [](Segment const*, int, int) -> RowFunction<T> { return nullptr; },
                      [] {},
                      fused_strided_row<T>,
                      fused_combine<T>,
                      [](Segment const*, int) -> RowFunction<T> { return nullptr; }});
    }
    return list;
  }();
  return sets;
}

template <class T>
RowKernels<T> const& row_kernels(bool fused) {
  std::size_t k = 0;
  while (fused && !row_kernel_sets<T>()[k].fused) ++k;
  return row_kernel_sets<T>()[k];
}

template std::vector<RowKernels<float>> const& row_kernel_sets<float>();
template std::vector<RowKernels<double>> const& row_kernel_sets<double>();
template RowKernels<float> const& row_kernels<float>(bool);
template RowKernels<double> const& row_kernels<double>(bool);

}  // namespace Generic
}  // namespace KokkosStencil
