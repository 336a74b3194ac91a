// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Kernel.hpp"

#include <cooperative_groups.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// Runs of a plan may meet, on two streams or in two graphs: they take turns. All blocks of a run are on the GPU at
/// once, so whoever has its turn ends it.
struct Turn {
  Control* control;
  unsigned token = 0;

  static __device__ __forceinline__ bool first() { return blockIdx.x == 0 && blockIdx.y == 0 && threadIdx.x == 0; }

  /// The first block asks for it.
  __device__ __forceinline__ void ask() {
    if (first()) token = atomicCAS(&control->owned, 0u, 1u);
  }
  /// And waits until it has it, while others read the field.
  __device__ __forceinline__ void take() {
    if (first()) {
      while (token != 0u) {
        __nanosleep(200);
        token = atomicCAS(&control->owned, 0u, 1u);
      }
      __threadfence();
    }
    token = cooperative_groups::this_grid().barrier_arrive();
  }
  /// Then all begin, with the epoch of the last run.
  __device__ __forceinline__ std::uint32_t begin() {
    cooperative_groups::this_grid().barrier_wait(static_cast<unsigned&&>(token));
    return *const_cast<std::uint32_t volatile*>(&control->epoch);
  }
  /// The block has received all that it waits for.
  __device__ __forceinline__ void leave() {
    __syncthreads();
    if (threadIdx.x == 0) token = atomicAdd(&control->finished, 1u);
  }
  /// The last block to leave gives the turn back.
  __device__ __forceinline__ void end(std::uint32_t epoch) {
    if (threadIdx.x != 0 || token + 1 < gridDim.x * gridDim.y) return;
    __threadfence();
    control->finished = 0;
    control->epoch    = epoch;
    __threadfence();
    atomicExch(&control->owned, 0u);
  }
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
