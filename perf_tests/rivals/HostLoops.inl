// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostLoops.hpp"
#include "Shapes.hpp"

// The loops a careful programmer writes without a library: radius known at compile time, rows along the
// contiguous axis vectorized by `omp simd`, threads over the slower axes where OpenMP is on.
// Compiled more than once, with different options and PERF_HOST_LOOPS naming the variant.

#if defined(_OPENMP) && defined(PERF_OPENMP)
#define PERF_PARALLEL_FOR _Pragma("omp parallel for schedule(static)")
#define PERF_PARALLEL_FOR_2 _Pragma("omp parallel for collapse(2) schedule(static)")
#define PERF_PARALLEL_FOR_SIMD _Pragma("omp parallel for simd schedule(static)")
#else
#define PERF_PARALLEL_FOR
#define PERF_PARALLEL_FOR_2
#define PERF_PARALLEL_FOR_SIMD _Pragma("omp simd")
#endif

namespace perf {

namespace {

template <class T, class Shape>
void loop(Kernel const& kernel, Extents const& n, void const* u_data, void* v_data) {
  constexpr int r         = Shape::radius;
  constexpr int w         = Shape::width;
  T const* __restrict__ u = static_cast<T const*>(u_data);
  T* __restrict__ v       = static_cast<T*>(v_data);
  T c[Shape::count];
  Shape::coefficients(kernel, c);
  if constexpr (Shape::rank == 1) {
    std::int64_t const end = n[0] - r;
    PERF_PARALLEL_FOR_SIMD
    for (std::int64_t i = r; i < end; ++i) {
      T sum = c[0] * u[i];
      for (int d = 0; d < r; ++d) sum += c[1 + d] * u[i + d - r] + c[1 + r + d] * u[i + d + 1];
      v[i] = sum;
    }
  } else if constexpr (Shape::rank == 2) {
    std::int64_t const s = n[1];
    PERF_PARALLEL_FOR
    for (std::int64_t i = r; i < n[0] - r; ++i) {
      T const* __restrict__ p = u + i * s;
      T* __restrict__ q       = v + i * s;
#pragma omp simd
      for (std::int64_t j = r; j < s - r; ++j) {
        T sum = 0;
        if constexpr (Shape::box) {
#pragma GCC unroll 16
          for (int a = 0; a < w; ++a) {
#pragma GCC unroll 16
            for (int b = 0; b < w; ++b) sum += c[a * w + b] * p[(a - r) * s + j + b - r];
          }
        } else {
          sum = c[0] * p[j];
#pragma GCC unroll 8
          for (int d = 0; d < r; ++d) {
            sum += c[1 + d] * p[(d - r) * s + j] + c[1 + r + d] * p[(d + 1) * s + j];
            sum += c[1 + 2 * r + d] * p[j + d - r] + c[1 + 3 * r + d] * p[j + d + 1];
          }
        }
        q[j] = sum;
      }
    }
  } else {
    std::int64_t const s = n[2], z = n[1] * n[2];
    PERF_PARALLEL_FOR_2
    for (std::int64_t i = r; i < n[0] - r; ++i) {
      for (std::int64_t j = r; j < n[1] - r; ++j) {
        T const* __restrict__ p = u + i * z + j * s;
        T* __restrict__ q       = v + i * z + j * s;
#pragma omp simd
        for (std::int64_t k = r; k < s - r; ++k) {
          T sum = 0;
          if constexpr (Shape::box) {
#pragma GCC unroll 8
            for (int a = 0; a < w; ++a) {
#pragma GCC unroll 8
              for (int b = 0; b < w; ++b) {
#pragma GCC unroll 8
                for (int d = 0; d < w; ++d) {
                  sum += c[(a * w + b) * w + d] * p[(a - r) * z + (b - r) * s + k + d - r];
                }
              }
            }
          } else {
            sum = c[0] * p[k];
#pragma GCC unroll 8
            for (int d = 0; d < r; ++d) {
              sum += c[1 + d] * p[(d - r) * z + k] + c[1 + r + d] * p[(d + 1) * z + k];
              sum += c[1 + 2 * r + d] * p[(d - r) * s + k] + c[1 + 3 * r + d] * p[(d + 1) * s + k];
              sum += c[1 + 4 * r + d] * p[k + d - r] + c[1 + 5 * r + d] * p[k + d + 1];
            }
          }
          q[k] = sum;
        }
      }
    }
  }
}

}  // namespace

HostLoop PERF_HOST_LOOPS(Case const& c) {
  return with_shape(c.kernel, [&](auto shape) -> HostLoop {
    using S = decltype(shape);
    return c.type == Type::full ? &loop<double, S> : &loop<float, S>;
  });
}

}  // namespace perf
