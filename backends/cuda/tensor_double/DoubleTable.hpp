// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"

#include <cuda_runtime.h>

#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

constexpr int block_warps = 4;  ///< strips a block takes side by side

struct DoubleArgs : PlaneArgs<double> {
  double2 const* b;  ///< [kernel row][step][lane]: the band matrices
  bool aligned;      ///< pairs of outputs are
};

/// One compiled kernel.
struct Kernel {
  int rows;           ///< of the stencil along y
  int reach;          ///< along x, to either side
  int steps;          ///< of 8 inputs: the window of 8 outputs
  int lead;           ///< inputs of the window before its first output
  int blocks_per_sm;  ///< by its registers
  int shared_bytes;   ///< of a block
  void (*launch)(DoubleArgs const& args, unsigned blocks, cudaStream_t stream);
};

/// By rows, then by reach.
std::vector<Kernel> dense_kernels();

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
