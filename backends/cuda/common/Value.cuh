// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace KokkosStencil {
namespace Cuda {

/// The type in which values of a stored type are accumulated, and the conversions between the two.
template <class T>
struct Value {
  using A = T;
  static __device__ __forceinline__ A load(T v) { return v; }
  static __device__ __forceinline__ T store(A a) { return a; }
};
template <>
struct Value<__half> {
  using A = float;
  static __device__ __forceinline__ A load(__half v) { return __half2float(v); }
  static __device__ __forceinline__ __half store(A a) { return __float2half_rn(a); }
};
template <>
struct Value<__nv_bfloat16> {
  using A = float;
  static __device__ __forceinline__ A load(__nv_bfloat16 v) { return __bfloat162float(v); }
  static __device__ __forceinline__ __nv_bfloat16 store(A a) { return __float2bfloat16_rn(a); }
};

template <class T>
using Accumulator = typename Value<T>::A;

/// a b + c with one rounding, whatever the compiler's flags. The canonical order depends on it.
__device__ __forceinline__ float fused(float a, float b, float c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ double fused(double a, double b, double c) { return __fma_rn(a, b, c); }
/// fused(a, b, -0): a product that the compiler never merges into another multiply-add.
__device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }

}  // namespace Cuda
}  // namespace KokkosStencil
