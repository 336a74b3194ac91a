// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"
#include "common/Check.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

// Programmatic dependent launch: a kernel that begins before the one ahead of it on the stream has ended.

namespace KokkosStencil {
namespace Cuda {

namespace Ptx {

/// griddepcontrol: a kernel launched with programmatic stream serialization may begin once all blocks of the one before
/// it have signalled; it waits for the end of that one before it ends. No effect without that attribute, nor
/// before 9.0.
struct GridDependency {
  __device__ static void signal() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    KOKKOSSTENCIL_PTX("griddepcontrol.launch_dependents;");
#endif
  }
  /// The same for kernels of many short blocks, which it would slow down: only those signal that may run when all
  /// others have ended.
  __device__ static void signal_at_end() {
    constexpr unsigned most_at_once = 8192;
    if (gridDim.x - blockIdx.x <= most_at_once) signal();
  }
  __device__ static void wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    KOKKOSSTENCIL_PTX("griddepcontrol.wait;" ::: "memory");
#endif
  }
};

}  // namespace Ptx

/// When a kernel waits for the one before it: at its end, before it touches memory that others write, or before that
/// and before it signals. One that waits at its end may begin when all blocks of the one before have signalled, so it
/// may not follow one of the second kind.
enum class Waits { at_end, first, before_it_signals };

/// Launches a kernel that may begin when all blocks of the one before it on the stream have signalled
/// (Ptx::GridDependency) or ended. Compiled for less than 9.0, or without `overlap`, it runs after it.
template <auto Kernel, class... Args>
void launch_overlapping(bool overlap, Waits when, std::uint32_t blocks, int threads, std::size_t shared,
                        cudaStream_t stream, Args... args) {
  // Compiled for older GPUs only, the kernels neither signal nor wait.
  static bool const waits = [] {
    cudaFuncAttributes attributes{};
    return cudaFuncGetAttributes(&attributes, Kernel) == cudaSuccess && attributes.ptxVersion >= 90;
  }();
  // The others mean nothing to CUDA. Their number tells a test that looks at launches when kernels wait.
  cudaLaunchAttribute attributes[3]{};
  attributes[0].id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = attributes[2].id = cudaLaunchAttributeIgnore;
  cudaLaunchConfig_t config{};
  config.gridDim          = dim3(blocks);
  config.blockDim         = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared;
  config.stream           = stream;
  config.attrs            = attributes;
  config.numAttrs         = overlap && waits ? 1 + static_cast<unsigned>(when) : 0;
  note_launch(cudaLaunchKernelEx(&config, Kernel, args...));
}

/// Launches a kernel that may run beside the one launched before it on the stream, which it does not depend on.
/// The last block of `Kernel` at least has to end with a wait, so that what follows on the stream finds both done.
/// Behind a kernel that waits before it signals it has to read memory past the first-level cache.
template <auto Kernel, class... Args>
void launch_concurrent(bool overlap, std::uint32_t blocks, int threads, std::size_t shared, cudaStream_t stream,
                       Args... args) {
  launch_overlapping<Kernel>(overlap, Waits::at_end, blocks, threads, shared, stream, args...);
}

/// Launches a kernel whose blocks may take their places while the last ones of the kernel before it on the stream run.
/// They have to wait (Ptx::GridDependency) before they touch memory that others write.
template <auto Kernel, Waits When = Waits::first, class... Args>
void launch_dependent(std::uint32_t blocks, int threads, std::size_t shared, cudaStream_t stream, Args... args) {
  launch_overlapping<Kernel>(true, When, blocks, threads, shared, stream, args...);
}

}  // namespace Cuda
}  // namespace KokkosStencil
