// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/LaunchKernel.hpp"

namespace KokkosStencil {
namespace Cuda {

/// How many blocks of a kernel, with so much dynamic shared memory, a multiprocessor of the current device holds. Lets
/// the kernel have as much as there is, since plans need different amounts.
template <class... Parameters>
int blocks_of_multiprocessor(void (*kernel)(Parameters...), int threads, int shared) {
  int device = 0, most = 0, blocks = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device), "cudaDeviceGetAttribute");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most), "cudaFuncSetAttribute");
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, static_cast<std::size_t>(shared)),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

/// launch_kernel for kernels whose blocks wait for each other: they begin once there is room for all of them.
template <class... Parameters>
void launch_cooperative(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared,
                        cudaStream_t stream, typename Given<Parameters>::type... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))...};
  note_launch(
      cudaLaunchCooperativeKernel(reinterpret_cast<void const*>(kernel), blocks, threads, pointers, shared, stream));
}

}  // namespace Cuda
}  // namespace KokkosStencil
