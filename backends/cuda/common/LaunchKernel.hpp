// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Check.hpp"

#include <cuda_runtime.h>

#include <cstddef>

namespace KokkosStencil {
namespace Cuda {

template <class T>
struct Given {
  using type = T;
};

/// kernel<<<blocks, threads, shared, stream>>>(arguments...), which keeps the error of the launch for check_launch.
template <class... Parameters>
void launch_kernel(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t shared, cudaStream_t stream,
                   typename Given<Parameters>::type... arguments) {
  void* pointers[] = {const_cast<void*>(static_cast<void const*>(&arguments))...};
  note_launch(cudaLaunchKernel(reinterpret_cast<void const*>(kernel), blocks, threads, pointers, shared, stream));
}

}  // namespace Cuda
}  // namespace KokkosStencil
