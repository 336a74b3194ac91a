// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch/Ptx.hpp"
#include "common/LaunchKernel.hpp"
#include "WideKernel.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <class Element, bool Several>
Kernel instance() {
  return {{1, wide_rows, false, 1, true, std::is_same<Element, Ptx::Bfloat>::value},
          Kernel::wide,
          20,
          {1, 1, 1},
          0,
          1,
          nullptr,
          0,
          !Several,
          Several,
          [](Kernel const&, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
            cudaFuncSetAttribute(wide<Element, Several>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 WideShared::bytes);
            Cuda::launch_kernel(wide<Element, Several>, blocks, 384, WideShared::bytes, queue, args);
          }};
}

}  // namespace

std::vector<Kernel> wide_planes() {
  return {instance<Ptx::Half, false>(), instance<Ptx::Half, true>(), instance<Ptx::Bfloat, false>(),
          instance<Ptx::Bfloat, true>()};
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
