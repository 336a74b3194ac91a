// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShortShapes.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<__half>() {
  return short_shapes<__half>();
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
