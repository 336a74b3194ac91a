// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"
#include "common/LaunchKernel.hpp"
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

  template <int Height, int Blocks, bool Several = false>
  static Kernel short_tiles(int x, int y, int z) {
    Kernel k =
        kernel(Kernel::tiles, Height, Blocks,
               [](Kernel const& self, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
                 dim3 const threads(static_cast<unsigned>(32 * self.warps[0]), static_cast<unsigned>(self.warps[1]),
                                    static_cast<unsigned>(self.warps[2]));
                 Cuda::launch_kernel(tiles<S, Element, Height, Blocks, Several>, blocks, threads, 0, queue, args);
               });
    k.warps[0] = x;
    k.warps[1] = y;
    k.warps[2] = z;
    k.one      = !Several;
    k.several  = Several;
    return k;
  }

  template <int Ahead, int Blocks>
  static Kernel streams() {
    return kernel(Kernel::stream, S::rows, Blocks,
                  [](Kernel const&, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
                    Cuda::launch_kernel(Tensor::stream<S, Element, Ahead, Blocks>, blocks, 32, 0, queue, args);
                  });
  }

  template <int Batch, int Blocks>
  static Kernel rings() {
    Kernel k  = kernel(Kernel::ring, S::rows, Blocks,
                       [](Kernel const&, TensorArgs const& args, unsigned blocks, cudaStream_t queue) {
                        Cuda::launch_kernel(Tensor::ring<S, Element, Batch, Blocks>, blocks, 32, 0, queue, args);
                      });
    k.several = true;
    return k;
  }

 private:
  static Kernel kernel(Kernel::Kind kind, int height, int blocks,
                       void (*launch)(Kernel const&, TensorArgs const&, unsigned, cudaStream_t)) {
    return {{S::loads, S::rows, S::cross, S::parts, S::sparse, Bfloat},
            kind,
            height,
            {1, 1, 1},
            0,
            blocks,
            piece,
            S::pieces,
            true,
            false,
            launch};
  }
};

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
