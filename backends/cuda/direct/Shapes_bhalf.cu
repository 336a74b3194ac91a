// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShortShapes.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<__nv_bfloat16>() {
  return short_shapes<__nv_bfloat16>();
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
