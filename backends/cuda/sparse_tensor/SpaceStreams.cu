// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorInstances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

namespace {

template <bool Bfloat>
void add(std::vector<Kernel>& to) {
  to.push_back(Instance<Shape<3, 3, true, 1, true>, Bfloat>::template streams<Streaming<3, 2, 1, 12, false, true>>());
  to.push_back(Instance<Shape<3, 3, true, 2, true>, Bfloat>::template streams<Streaming<3, 1, 1, 12, false, true>>());
  to.push_back(Instance<Shape<3, 3, false, 1, true>, Bfloat>::template streams<Streaming<3, 1, 4, 3, true, true>>());
  to.push_back(Instance<Shape<3, 3, false, 2, true>, Bfloat>::template streams<Streaming<2, 1, 1, 12, false, true>>());
}

}  // namespace

std::vector<Kernel> space_streams() {
  std::vector<Kernel> kernels;
  add<false>(kernels);
  add<true>(kernels);
  return kernels;
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
