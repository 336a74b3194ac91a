// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatKernel.cuh"
#include "FloatTable.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

namespace {

template <int Rows, int Blocks>
Kernel kernel() {
  return {Rows, false, Blocks, [](FloatArgs const& args, unsigned blocks, cudaStream_t stream) {
            ring<Rows, false, 2, 7, Blocks><<<blocks, 32, 0, stream>>>(args);
          }};
}

}  // namespace

std::vector<Kernel> rounded_kernels() {
  return {kernel<5, 16>(), kernel<7, 16>(), kernel<9, 16>(), kernel<11, 12>(), kernel<13, 12>(), kernel<15, 12>()};
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
