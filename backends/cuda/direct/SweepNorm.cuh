// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Window.cuh"
#include "common/UpdateNorm.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// For kernels that only sweep.
struct NoNorm {
  static constexpr bool reduces = false, updates = false;
};

/// For kernels that write alpha S(u) + beta v.
template <class T>
struct WithFactors {
  using A                       = Accumulator<T>;
  static constexpr bool reduces = false, updates = true;
  A alpha, beta;

  /// The outputs of a vector as they are, as far as they are written; nothing is read if beta is 0.
  template <class Store>
  __device__ __forceinline__ uint4 before(T const* at, Store const& store) const {
    uint4 v = make_uint4(0, 0, 0, 0);
    if (beta == 0) return v;
    if (store.whole_vector()) return *reinterpret_cast<uint4 const*>(at);
    T some[Vec<T>::size];
    memcpy(some, &v, 16);
#pragma unroll
    for (int k = 0; k < Vec<T>::size; ++k) {
      if (store.wants(k)) some[k] = at[k];
    }
    memcpy(&v, some, 16);
    return v;
  }
  __device__ __forceinline__ void apply(A (&sum)[Vec<T>::size], uint4 const& v) const {
    std::uint32_t const w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < Vec<T>::size; ++k) {
      sum[k] = beta == 0 ? times(alpha, sum[k]) : fused(alpha, sum[k], times(beta, Element<T, 0>::get(w, k)));
    }
  }
};

/// For kernels that find the update norm while they sweep: each warp leaves the largest change of its outputs, or the
/// sum of squares.
struct SweepNorm {
  static constexpr bool reduces = true, updates = false;
  double* partial;
  bool largest;

  /// Adds the changes of a vector's outputs that are stored. `before` is the input at their place: it is read again,
  /// from a cache, since keeping it would take too many registers.
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

  /// Leaves the result of warp `warp` of the block's `warps`. All its lanes call this.
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
