// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Change.cuh"
#include "Kernels.hpp"
#include "Window.cuh"

namespace KokkosStencil {
namespace CudaDirect {

/// What a thread's outputs change, for kernels that are asked for it; left by warps.
struct NoMeter {
  static constexpr bool measures = false;
};

struct Meter {
  static constexpr bool measures = true;
  double* parts;
  bool largest;

  /// The change of outputs `a`, columns x and on, of which [begin, end) count, from their values before.
  template <class T>
  __device__ __forceinline__ void add(Accumulator<T> const (&a)[Vec<T>::size], uint4 const& before, std::int64_t x,
                                      std::int64_t begin, std::int64_t end, double& mine) const {
    T old[Vec<T>::size];
    memcpy(old, &before, 16);
#pragma unroll
    for (int v = 0; v < Vec<T>::size; ++v) {
      if (x + v >= begin && x + v < end) Cuda::add(largest, Value<T>::store(a[v]), old[v], mine);
    }
  }

  /// By whole warps, `warp` of `warps` in the block.
  __device__ __forceinline__ void leave(double mine, unsigned warp, unsigned warps) const {
#pragma unroll
    for (int away = 16; away > 0; away /= 2) {
      double const other = __shfl_xor_sync(0xffffffffu, mine, away);
      mine               = largest ? Cuda::Larger()(mine, other) : mine + other;
    }
    if (threadIdx.x % 32 == 0) parts[std::int64_t(blockIdx.x) * warps + warp] = mine;
  }
};

}  // namespace CudaDirect
}  // namespace KokkosStencil
