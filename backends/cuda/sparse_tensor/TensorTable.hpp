// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TensorArgs.hpp"

#include <cuda_runtime.h>

#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

/// What a kernel was instantiated for. Pieces of its matrices are in the order of Shape::piece.
struct KernelKey {
  int loads;   ///< input rows a step
  int rows;    ///< kernel rows along y
  bool cross;  ///< all rows only in the middle load
  int parts;
  bool sparse;
  bool bfloat;
};

/// One compiled kernel.
struct Kernel {
  KernelKey key;
  bool tall;          ///< streams through tall tiles: any height that is a multiple of rows; persistent grid
  int height;         ///< output rows a tile, or its unit if tall
  int warps[3];       ///< of a block, along x, y and z
  int blocks_per_sm;  ///< resident, as compiled
  int (*piece)(int load, int row);
  bool (*has)(int load, int row);
  int pieces;
  void (*launch)(Kernel const& kernel, TensorArgs const& args, unsigned blocks, cudaStream_t stream);
};

/// The kernels of each source of instances.
std::vector<Kernel> plane_tiles();
std::vector<Kernel> plane_streams();
std::vector<Kernel> line_tiles();
std::vector<Kernel> space_tiles();

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
