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

/// Throws if the launch just made failed.
inline void check_launch(std::string const& label) {
  cudaError_t const code = cudaGetLastError();
  if (code == cudaSuccess) return;
  throw std::runtime_error("KokkosStencil: \"" + label + "\": a CUDA launch failed: " + cudaGetErrorString(code));
}

}  // namespace Cuda
}  // namespace KokkosStencil
