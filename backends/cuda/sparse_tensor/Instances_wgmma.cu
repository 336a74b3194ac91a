// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WgmmaAnywhereKernel.cuh"
#include "WgmmaKernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"
#include "sparse_tensor/Kernel.hpp"

#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

template <class Element, bool Several>
void launch(Args const& args, unsigned blocks, void* stream) {
  constexpr int bytes = WgmmaShared::bytes;
  cudaFuncSetAttribute(wgmma<Element, Several>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  cudaFuncSetAttribute(wgmma<Element, Several>, cudaFuncAttributePreferredSharedMemoryCarveout, wgmma_shared_percent);
  auto const cuda_stream = static_cast<cudaStream_t>(stream);
  if constexpr (Several) {
    launch_dependent<wgmma<Element, true>, Waits::before_it_signals>(blocks, WgmmaShared::threads, bytes, cuda_stream,
                                                                     args);
  } else {
    launch_kernel(wgmma<Element, false>, blocks, WgmmaShared::threads, bytes, cuda_stream, args);
  }
}

template <class Element>
void launch_anywhere(std::size_t kernel, Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto index) {
    constexpr KernelTuning k = kernels[decltype(index)::value];
    if constexpr (k.algorithm == Algorithm::wgmma && k.anywhere) {
      using S = AnywhereShape<k.pairs(), k.splits, k.shifts()>;
      static_assert(S::rows == k.rows && S::blocks == k.blocks_per_sm, "");
      auto const function = wgmma_anywhere<Element, S, k.several>;
      cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, S::bytes);
      launch_kernel(function, blocks, S::threads, S::bytes, static_cast<cudaStream_t>(stream), args);
    }
  });
}

}  // namespace

void launch_wgmma(std::size_t kernel, bool bfloat, Args const& args, unsigned blocks, void* stream) {
  if (kernels[kernel].anywhere) {
    return (bfloat ? launch_anywhere<Ptx::Bfloat> : launch_anywhere<Ptx::Half>)(kernel, args, blocks, stream);
  }
  if (kernels[kernel].several) {
    (bfloat ? launch<Ptx::Bfloat, true> : launch<Ptx::Half, true>)(args, blocks, stream);
  } else {
    (bfloat ? launch<Ptx::Bfloat, false> : launch<Ptx::Half, false>)(args, blocks, stream);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
