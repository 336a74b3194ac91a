// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Value.cuh"

#include <cfloat>
#include <cmath>

namespace KokkosStencil {
namespace Cuda {

struct Larger {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

/// The change from v to u added to what a thread has: the largest, or the sum of squares. Of the largest, infinity
/// stands for NaN, the largest double for infinity.
template <class T>
__device__ __forceinline__ void add(bool largest, T u, T v, double& mine) {
  double const d = static_cast<double>(Value<T>::load(u)) - static_cast<double>(Value<T>::load(v));
  if (largest) {
    double const m = fabs(d);
    mine           = Larger()(mine, m <= DBL_MAX ? m : m != m ? HUGE_VAL : DBL_MAX);
  } else {
    mine += d * d;
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
