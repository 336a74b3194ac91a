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
/// once, so whoever has its turn ends it. Each block takes the turn for its run: where one has it, all have, and there
/// is no barrier of all blocks. Only the first thread of a block knows.
struct Turn {
  Control* control;
  std::uint32_t ours          = 0;
  unsigned long long expected = 0;
  unsigned long long found    = 0;
  std::uint32_t token         = 0;

  static __device__ __forceinline__ bool first() { return threadIdx.x == 0; }
  static __device__ __forceinline__ std::uint32_t owner(unsigned long long turn) { return std::uint32_t(turn >> 32); }
  /// A number of the run that no other has that is on the GPU at the same time: where the driver keeps the barrier of
  /// its blocks. CUDA has no public name for that.
  static __device__ __forceinline__ std::uint32_t number() {
    auto const at = reinterpret_cast<std::uint64_t>(cooperative_groups::details::get_grid_workspace());
    return (std::uint32_t(at) ^ std::uint32_t(at >> 32)) | 1u;
  }
  __device__ __forceinline__ bool has() const { return found == expected || owner(found) == ours; }
  __device__ __forceinline__ void attempt() {
    found = atomicCAS(&control->turn, expected, expected | static_cast<unsigned long long>(ours) << 32);
  }

  /// Asks for it, and does not wait for the answer.
  __device__ __forceinline__ void ask() {
    if (!first()) return;
    ours = number();
    attempt();
  }
  /// Asks again, now with the number of exchanges that the first answer told.
  __device__ __forceinline__ void ask_again() {
    if (!first() || has() || owner(found) != 0) return;
    expected = found;
    attempt();
  }
  /// Waits for it. Returns the exchanges of all runs before, an even number.
  __device__ __forceinline__ std::uint32_t take() {
    while (!has()) {
      if (owner(found) != 0) __nanosleep(200);
      expected = std::uint32_t(found);
      attempt();
    }
    return std::uint32_t(found);
  }
  /// The block has received all that it waits for.
  __device__ __forceinline__ void leave() {
    __syncthreads();
    if (first()) token = atomicInc(&control->finished, gridDim.x * gridDim.y - 1);
  }
  /// The last block to leave gives the turn back.
  __device__ __forceinline__ void end(std::uint32_t epoch) {
    if (!first() || token + 1 < gridDim.x * gridDim.y) return;
    *const_cast<unsigned long long volatile*>(&control->turn) = (epoch + 1u) & ~1u;
  }
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
