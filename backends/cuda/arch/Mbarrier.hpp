// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Barriers in shared memory.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// mbarrier: a barrier in shared memory at which threads arrive first and wait later. Its rounds have parities 0, 1, 0,
/// and so on.
struct Mbarrier {
  __device__ static void init(std::uint32_t at, std::uint32_t count) {
    KOKKOSSTENCIL_PTX("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  }
  __device__ static void arrive(std::uint32_t at) {
    KOKKOSSTENCIL_PTX("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
  }
  __device__ static void wait(std::uint32_t at, std::uint32_t parity) {
    std::uint32_t done = 1;
    do {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
#else
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred done; mbarrier.test_wait.parity.shared.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
#endif
    } while (done == 0);
  }
};

/// bar.sync of so many threads of a block, by number: 1 to 15, which 0 leaves to the block.
struct TeamBarrier {
  __device__ static void wait(int number, int threads) {
    KOKKOSSTENCIL_PTX("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
