// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <bool Bfloat>
void add(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<1, 1, false, 1, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 3, false, 1, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 5, false, 1, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 5, false, 1, true>, Bfloat>::template short_tiles<16, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 7, false, 1, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 1, false, 2, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 3, false, 2, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<1, 5, false, 2, true>, Bfloat>::template short_tiles<8, 3>(4, 1, 1));
  to.push_back(Instance<Shape<1, 7, false, 2, true>, Bfloat>::template short_tiles<8, 3>(4, 1, 1));
}

}  // namespace

std::vector<Kernel> plane_tiles() {
  std::vector<Kernel> kernels;
  add<false>(kernels);
  add<true>(kernels);
  return kernels;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
