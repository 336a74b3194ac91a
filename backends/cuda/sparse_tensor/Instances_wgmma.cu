// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WgmmaKernel.cuh"

#include "common/LaunchKernel.hpp"
#include "sparse_tensor/Kernel.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

template <class Element, bool Several>
void launch(Args const& args, unsigned blocks, void* stream) {
  constexpr int bytes = WgmmaShared::bytes;
  cudaFuncSetAttribute(wgmma<Element, Several>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  launch_kernel(wgmma<Element, Several>, blocks, WgmmaShared::threads, bytes, static_cast<cudaStream_t>(stream), args);
}

}  // namespace

void launch_wgmma(std::size_t kernel, bool bfloat, Args const& args, unsigned blocks, void* stream) {
  if (kernels[kernel].several) {
    (bfloat ? launch<Ptx::Bfloat, true> : launch<Ptx::Half, true>)(args, blocks, stream);
  } else {
    (bfloat ? launch<Ptx::Bfloat, false> : launch<Ptx::Half, false>)(args, blocks, stream);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
