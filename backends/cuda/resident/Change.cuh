// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Kernel.hpp"

#include "common/UpdateNorm.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// The same pointer, of which the compiler does not know it: else it would find the places of all rows before the loop
/// of sweeps, and keep them in registers.
template <class T>
__device__ __forceinline__ T* anew(T* pointer) {
  asm volatile("" : "+l"(pointer));
  return pointer;
}
/// The same of the number of a row.
__device__ __forceinline__ int anew(int row) {
  asm volatile("" : "+r"(row));
  return row;
}

/// Leaves a warp's part. Registers have no room for two states: where the change of the last sweep is asked for, planes
/// keep the state before in shared memory, volumes in the output.
__device__ __forceinline__ void leave_change(ChangeArgs const& g, double mine, int part) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    double const other = __shfl_xor_sync(0xffffffffu, mine, d);
    mine               = g.largest ? Larger()(mine, other) : mine + other;
  }
  if (threadIdx.x % 32 == 0) g.parts[part] = mine;
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
