// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// Launches a kernel that may run beside the one launched before it on the stream, which it does not depend on: from
/// when all blocks of that one have signalled (Ptx::GridDependency) or ended. `Kernel` has to end with a wait, so that
/// what follows on the stream finds both done. Without `beside`, or compiled for less than 9.0, it runs after it.
template <auto Kernel, class... Args>
void launch_beside(bool beside, std::uint32_t blocks, int threads, std::size_t shared, cudaStream_t stream,
                   Args... args) {
  // Compiled for older GPUs only, the kernels neither signal nor wait.
  static bool const waits = [] {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, Kernel) == cudaSuccess && attributes.ptxVersion >= 90;
  }();
  cudaLaunchAttribute attribute{};
  attribute.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim          = dim3(blocks);
  config.blockDim         = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared;
  config.stream           = stream;
  config.attrs            = &attribute;
  config.numAttrs         = beside && waits ? 1 : 0;
  cudaLaunchKernelEx(&config, Kernel, args...);
}

/// Launches a kernel whose blocks may take their places while the last ones of the kernel before it on the stream run.
/// They have to wait (Ptx::GridDependency) before they touch memory that others write.
template <auto Kernel, class... Args>
void launch_early(std::uint32_t blocks, int threads, std::size_t shared, cudaStream_t stream, Args... args) {
  launch_beside<Kernel>(true, blocks, threads, shared, stream, args...);
}

}  // namespace Cuda
}  // namespace KokkosStencil
