// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// What the headers of this folder share: each wraps PTX instructions that CUDA C++ has no name for, one struct an
// instruction. They compile for every architecture; where the hardware lacks one, calling it traps, and the dispatcher
// does not choose a kernel that would.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED 1
#else
#define KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED 0
#endif

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// Element types of the tensor-core operands, two to a register.
struct Half {};
struct Bfloat {};

__device__ inline void unsupported() {
#if defined(__CUDA_ARCH__)
  __trap();
#endif
}

#if KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED && defined(__CUDACC__)
#define KOKKOSSTENCIL_PTX(...) asm volatile(__VA_ARGS__)
#else
#define KOKKOSSTENCIL_PTX(...) unsupported()
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && defined(__CUDACC__)
#define KOKKOSSTENCIL_PTX_90A(...) asm volatile(__VA_ARGS__)
#else
#define KOKKOSSTENCIL_PTX_90A(...) unsupported()
#endif

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
