// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Value.cuh"

namespace KokkosStencil {
namespace Cuda {

/// The larger of two magnitudes, by their bits, so that NaN is larger than infinity.
struct Larger {
  __device__ double operator()(double a, double b) const {
    return __double_as_longlong(a) > __double_as_longlong(b) ? a : b;
  }
};

/// Adds the change from v to u to a thread's result: the largest change, or the sum of squares.
template <class T>
__device__ __forceinline__ void add(bool largest, T u, T v, double& mine) {
  double const d = static_cast<double>(Value<T>::load(u)) - static_cast<double>(Value<T>::load(v));
  if (largest) {
    mine = Larger()(mine, __longlong_as_double(__double_as_longlong(d) & 0x7fffffffffffffff));
  } else {
    mine += d * d;
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
