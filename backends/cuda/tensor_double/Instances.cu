// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_double/Kernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"

#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

void launch(std::size_t kernel, bool anywhere, Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto k) {
    constexpr int bytes = kernels[k].shared_bytes();
    auto const run      = anywhere ? stream_planes<decltype(k)::value, true> : stream_planes<decltype(k)::value, false>;
    // Set at each launch, since it holds for the current device only.
    if (bytes > 48 * 1024) cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    launch_kernel(run, blocks, 32 * block_warps, bytes, static_cast<cudaStream_t>(stream), args);
  });
}

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
