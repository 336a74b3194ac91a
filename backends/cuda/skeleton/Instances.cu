// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Kernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"

#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

void launch(std::size_t kernel, Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto k) {
    constexpr std::size_t K = decltype(k)::value;
    // Another kernel template: `if constexpr` on a field of kernels[K].
    launch_kernel(star_points<K>, blocks, kernels[K].threads(), 0, static_cast<cudaStream_t>(stream), args);
  });
}

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
