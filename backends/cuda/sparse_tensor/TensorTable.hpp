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
  enum Kind {
    tiles,   ///< short tiles of `height` rows, in the order of launch
    stream,  ///< tall tiles, any multiple of `height` rows; the grid is persistent
    ring,    ///< tall tiles, any multiple of `height` rows, a block each; the last ones may be lower
    slab,    ///< 3-D of radius 1: `deep` rows by any number of planes, a block each
    wide     ///< planes by wgmma: tiles of wide_outputs columns by 16 m + 4 rows, a block each
  };

  KernelKey key;
  Kind kind;
  int height;                       ///< output rows a tile, or their unit
  int warps[3];                     ///< of a block of tiles, along x, y and z
  int deep;                         ///< slabs: rows a block takes at once; 0 otherwise
  int blocks_per_sm;                ///< resident, as compiled
  int (*piece)(int load, int row);  ///< of slabs: none
  int pieces;
  bool one, several;  ///< takes single sweeps, several as one
  void (*launch)(Kernel const& kernel, TensorArgs const& args, unsigned blocks, cudaStream_t stream);
};

/// The kernels of each source of instances.
std::vector<Kernel> plane_tiles();
std::vector<Kernel> plane_streams();
std::vector<Kernel> line_tiles();
std::vector<Kernel> space_tiles();
std::vector<Kernel> space_slabs();
std::vector<Kernel> dense_planes();
/// For compute capability 9.0; only where it is compiled for (KOKKOSSTENCIL_CUDA_WGMMA).
std::vector<Kernel> wide_planes();

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
