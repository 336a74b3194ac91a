// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <bool Bfloat, int Parts>
void add(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<2, 1, false, Parts, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<3, 1, false, Parts, true>, Bfloat>::template short_tiles<8, 4>(4, 1, 1));
  to.push_back(Instance<Shape<5, 1, false, Parts, true>, Bfloat>::template short_tiles<4, 4>(4, 1, 1));
}

/// Several sweeps as one.
template <bool Bfloat>
void add_several(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<1, 1, false, 1, true>, Bfloat>::template short_tiles<8, 6, true>(4, 1, 1));
  to.push_back(Instance<Shape<2, 1, false, 1, true>, Bfloat>::template short_tiles<8, 5, true>(4, 1, 1));
  to.push_back(Instance<Shape<3, 1, false, 1, true>, Bfloat>::template short_tiles<8, 4, true>(4, 1, 1));
  to.push_back(Instance<Shape<5, 1, false, 1, true>, Bfloat>::template short_tiles<4, 4, true>(4, 1, 1));
}

}  // namespace

std::vector<Kernel> line_tiles() {
  std::vector<Kernel> kernels;
  add<false, 1>(kernels);
  add<false, 2>(kernels);
  add<true, 1>(kernels);
  add<true, 2>(kernels);
  add_several<false>(kernels);
  add_several<true>(kernels);
  return kernels;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
