// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/LaunchKernel.hpp"

namespace KokkosStencil {
namespace Cuda {

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
