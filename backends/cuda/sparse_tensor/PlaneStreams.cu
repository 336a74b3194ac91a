// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

// Blocks of one warp where residency has to follow the registers exactly.
template <bool Bfloat>
void add(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<1, 7, false, 1, true>, Bfloat>::template tall_tiles<4, 4, 4>());
  to.push_back(Instance<Shape<1, 9, false, 1, true>, Bfloat>::template tall_tiles<4, 1, 16>());
  to.push_back(Instance<Shape<1, 11, false, 1, true>, Bfloat>::template tall_tiles<4, 1, 14>());
  to.push_back(Instance<Shape<1, 13, false, 1, true>, Bfloat>::template tall_tiles<4, 1, 12>());
  to.push_back(Instance<Shape<1, 15, false, 1, true>, Bfloat>::template tall_tiles<5, 4, 3>());
  to.push_back(Instance<Shape<1, 11, false, 2, true>, Bfloat>::template tall_tiles<2, 1, 9>());
  to.push_back(Instance<Shape<1, 15, false, 2, true>, Bfloat>::template tall_tiles<2, 1, 8>());
}

}  // namespace

std::vector<Kernel> plane_streams() {
  std::vector<Kernel> kernels;
  add<false>(kernels);
  add<true>(kernels);
  return kernels;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
