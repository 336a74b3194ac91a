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
  /// The first block waits for it, while others read the field.
  static __device__ __forceinline__ void take(Control* control) {
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    while (atomicCAS(&control->owned, 0u, 1u) != 0u) __nanosleep(200);
    __threadfence();
  }
  /// Then all begin, with the epoch of the last run.
  static __device__ __forceinline__ std::uint32_t begin(Control* control) {
    cooperative_groups::this_grid().sync();
    return *const_cast<std::uint32_t volatile*>(&control->epoch);
  }
  /// The last block to end gives it back.
  static __device__ __forceinline__ void end(Control* control, std::uint32_t epoch) {
    __syncthreads();
    if (threadIdx.x != 0) return;
    __threadfence();
    if (atomicAdd(&control->finished, 1u) + 1 < gridDim.x) return;
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
