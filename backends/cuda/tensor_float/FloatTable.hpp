// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "FloatArgs.hpp"

#include <cuda_runtime.h>

#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

/// One compiled kernel.
struct Kernel {
  int rows;           ///< of the stencil along y
  bool split;         ///< products of split values; else inputs are rounded
  int blocks_per_sm;  ///< resident, of one warp each
  void (*launch)(FloatArgs const& args, unsigned blocks, cudaStream_t stream);
};

/// By rows.
std::vector<Kernel> rounded_kernels();
std::vector<Kernel> split_kernels();

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
