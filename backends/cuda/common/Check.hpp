// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace KokkosStencil {
namespace Cuda {

/// Throws unless a call of the CUDA runtime succeeded; for plan time.
inline void check(cudaError_t code, char const* what) {
  if (code == cudaSuccess) return;
  throw std::runtime_error(std::string("KokkosStencil: ") + what + " failed: " + cudaGetErrorString(code));
}

/// Throws if a call made before ours has left an error, which would be taken for ours. "Not ready" is no
/// error: an application that polls a stream leaves it, and it is dropped.
inline void check_earlier() {
  cudaError_t const code = cudaPeekAtLastError();
  if (code == cudaSuccess) return;
  if (code == cudaErrorNotReady) {
    cudaGetLastError();
    return;
  }
  throw std::runtime_error(std::string("KokkosStencil: nothing was launched, an earlier CUDA call of this thread "
                                       "has failed: ") +
                           cudaGetErrorString(code) + ". Check that call (cudaGetLastError takes its error back).");
}

/// Throws if the launch just made failed.
inline void check_launch(std::string const& label) {
  cudaError_t const code = cudaGetLastError();
  if (code == cudaSuccess) return;
  throw std::runtime_error("KokkosStencil: \"" + label + "\": a CUDA launch failed: " + cudaGetErrorString(code));
}

}  // namespace Cuda
}  // namespace KokkosStencil
