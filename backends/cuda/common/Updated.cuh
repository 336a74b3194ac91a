// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Value.cuh"

namespace KokkosStencil {
namespace Cuda {

/// alpha sum + beta v for an output v; with a beta of 0 that is not read. The product is rounded, then the rest.
template <class T>
__device__ __forceinline__ Accumulator<T> updated(Accumulator<T> alpha, Accumulator<T> sum, Accumulator<T> beta,
                                                  T const* v) {
  return beta != 0 ? fused(alpha, sum, times(beta, Value<T>::load(*v))) : times(alpha, sum);
}

}  // namespace Cuda
}  // namespace KokkosStencil
