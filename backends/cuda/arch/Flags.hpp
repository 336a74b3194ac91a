// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Flags in global memory between blocks of a kernel.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// st.release: what the thread wrote, or saw by a barrier of its block, is there for those who read the flag.
struct StoreFlag {
  __device__ static void run(std::uint32_t* flag, std::uint32_t value) {
    KOKKOSSTENCIL_PTX("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
  }
};

/// ld.acquire.
struct LoadFlag {
  __device__ static std::uint32_t run(std::uint32_t const* flag) {
    std::uint32_t value = 0;
    KOKKOSSTENCIL_PTX("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
