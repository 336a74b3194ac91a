// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <bool Bfloat>
void add(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<3, 3, true, 1, true>, Bfloat>::template short_tiles<4, 4>(1, 4, 1));
  to.push_back(Instance<Shape<3, 3, true, 2, true>, Bfloat>::template short_tiles<4, 3>(1, 4, 1));
  to.push_back(Instance<Shape<3, 3, false, 1, true>, Bfloat>::template short_tiles<8, 3>(1, 2, 2));
  to.push_back(Instance<Shape<3, 3, false, 2, true>, Bfloat>::template short_tiles<4, 3>(1, 2, 2));
}

}  // namespace

std::vector<Kernel> space_tiles() {
  std::vector<Kernel> kernels;
  add<false>(kernels);
  add<true>(kernels);
  return kernels;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
