// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Window.cuh"
#include "common/UpdateNorm.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

struct NoNorm {
  static constexpr bool reduces = false;
};

/// What the update norm takes from a thread's outputs, for kernels that are asked for it: each warp leaves the largest
/// change, or the sum of squares, of its own.
struct SweepNorm {
  static constexpr bool reduces = true;
  double* partial;
  bool largest;

  /// Adds the outputs that are stored, from the vector at `before`: it is read again, from a cache, since
  /// registers for it would cost more.
  template <class T, class Store>
  __device__ __forceinline__ void add(Accumulator<T> const (&a)[Vec<T>::size], T const* before, Store const& store,
                                      double& mine) const {
    uint4 const vector = __ldg(reinterpret_cast<uint4 const*>(before));
    T old[Vec<T>::size];
    memcpy(old, &vector, 16);
#pragma unroll
    for (int v = 0; v < Vec<T>::size; ++v) {
      if (store.wants(v)) Cuda::add(largest, Value<T>::store(a[v]), old[v], mine);
    }
  }

  /// By whole warps, `warp` of `warps` in the block.
  __device__ __forceinline__ void leave(double mine, unsigned warp, unsigned warps) const {
#pragma unroll
    for (int away = 16; away > 0; away /= 2) {
      double const other = __shfl_xor_sync(0xffffffffu, mine, away);
      mine               = largest ? Cuda::Larger()(mine, other) : mine + other;
    }
    if (threadIdx.x % 32 == 0) partial[std::int64_t(blockIdx.x) * warps + warp] = mine;
  }
};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
