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
  return {Rows, true, Blocks, [](FloatArgs const& args, unsigned blocks, cudaStream_t stream) {
            ring<Rows, true, 2, 7, Blocks><<<blocks, 32, 0, stream>>>(args);
          }};
}

}  // namespace

std::vector<Kernel> split_kernels() {
  return {kernel<5, 12>(), kernel<7, 8>(), kernel<9, 8>(), kernel<11, 8>(), kernel<15, 8>()};
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
