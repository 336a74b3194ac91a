// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "RingKernel.cuh"
#include "ShearedKernel.cuh"
#include "SlabKernel.cuh"
#include "StreamKernel.cuh"
#include "TilesKernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"
#include "sparse_tensor/Kernel.hpp"

#include <cstddef>
#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Launches the kernel of an entry of Tuning.hpp that is not one with wgmma.
template <class Element>
void launch_instance(std::size_t kernel, Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto index) {
    constexpr KernelTuning k = kernels[decltype(index)::value];
    using S                  = Shape<k.loads, k.rows, k.cross, k.splits>;
    using Block              = Slab<k.rows_per_warp, k.warps[1], k.ahead, k.blocks_per_sm>;
    auto const launch        = [&](void (*kernel)(Args), dim3 threads) {
      Cuda::launch_kernel(kernel, blocks, threads, 0, static_cast<cudaStream_t>(stream), args);
    };
    if constexpr (k.algorithm == Algorithm::tiles) {
      static_assert(k.threads() == tiles_threads, "kernels are compiled for blocks of so many threads");
      launch(tiles<S, Element, k.height, k.blocks_per_sm, k.several, k.anywhere>,
             dim3(32 * k.warps[0], k.warps[1], k.warps[2]));
    } else if constexpr (k.algorithm == Algorithm::stream) {
      launch(SparseTensor::stream<S, Element, k.ahead, k.blocks_per_sm>, k.threads());
    } else if constexpr (k.algorithm == Algorithm::ring) {
      launch(ring<S, Element, k.ahead, k.blocks_per_sm>, k.threads());
    } else if constexpr (k.algorithm == Algorithm::slab) {
      launch(slabs<k.splits, Element, Block>, k.threads());
    } else if constexpr (k.algorithm == Algorithm::sheared) {
      using Tall = Sheared<k.loads / 2, k.rows_per_warp, k.warps[1], k.ahead, k.blocks_per_sm>;
      launch(sheared<k.cross, k.splits, Element, Tall>, k.threads());
    }
  });
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
