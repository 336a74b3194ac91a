// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

// The dense twin of the planar kernels: the same but for the instruction. Half only, coefficients that are elements: it
// is there to be compared with.

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

std::vector<Kernel> dense_planes() {
  return {Instance<Shape<1, 3, false, 1, false>, false>::short_tiles<8, 4>(4, 1, 1),
          Instance<Shape<1, 5, false, 1, false>, false>::short_tiles<8, 4>(4, 1, 1),
          Instance<Shape<1, 7, false, 1, false>, false>::short_tiles<8, 3>(4, 1, 1),
          Instance<Shape<1, 15, false, 1, false>, false>::rings<5, 8>()};
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
