// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoubleKernel.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

namespace {

template <int Rows, int Steps, int Blocks>
Kernel kernel() {
  return {Rows,
          Steps == 2 ? 4 : 8,
          Steps,
          Steps == 2 ? 4 : 8,
          Blocks,
          shared_bytes<Rows, Steps>(),
          [](DoubleArgs const& args, unsigned blocks, cudaStream_t stream) {
            // Each time, since it counts for the current device only.
            constexpr int bytes = shared_bytes<Rows, Steps>();
            auto const run      = dense<Rows, Steps, Blocks>;
            if (bytes > 48 * 1024) cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
            run<<<blocks, 32 * block_warps, bytes, stream>>>(args);
          }};
}

}  // namespace

std::vector<Kernel> dense_kernels() {
  return {kernel<7, 2, 3>(),  kernel<7, 3, 3>(),  kernel<9, 2, 3>(), kernel<9, 3, 2>(),
          kernel<11, 3, 2>(), kernel<13, 3, 2>(), kernel<15, 3, 2>()};
}

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
