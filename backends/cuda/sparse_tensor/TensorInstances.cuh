// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TensorKernels.hpp"
#include "TensorTable.hpp"

#include <type_traits>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

template <class S, bool Bfloat>
struct Instance {
  using Element = std::conditional_t<Bfloat, Ptx::Bfloat, Ptx::Half>;

  static int piece(int load, int row) { return S::piece(load, row); }
  static bool has(int load, int row) { return S::has(load, row); }

  template <int Height, int Blocks>
  static Kernel short_tiles(int x, int y, int z) {
    return {{S::loads, S::rows, S::cross, S::parts, S::sparse, Bfloat},
            false,
            Height,
            {x, y, z},
            Blocks,
            piece,
            has,
            S::pieces,
            [](Kernel const& k, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
              dim3 const threads(static_cast<unsigned>(32 * k.warps[0]), static_cast<unsigned>(k.warps[1]),
                                 static_cast<unsigned>(k.warps[2]));
              tiles<S, Element, Height, true, Blocks><<<blocks, threads, 0, queue>>>(args);
            }};
  }

  template <int Ahead, int Warps, int Blocks>
  static Kernel tall_tiles() {
    return {{S::loads, S::rows, S::cross, S::parts, S::sparse, Bfloat},
            true,
            S::rows,
            {Warps, 1, 1},
            Blocks,
            piece,
            has,
            S::pieces,
            [](Kernel const&, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
              Tensor::stream<S, Element, Ahead, true, 32 * Warps, Blocks><<<blocks, 32 * Warps, 0, queue>>>(args);
            }};
  }
};

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
