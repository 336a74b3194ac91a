// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeKernels.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<__half>() {
  using T                            = __half;
  static ShapeKernel const kernels[] = {rows_entry<T, Line<1>, 1, 2, 1, 4, 1>(0.85),
                                        rows_entry<T, Line<2>, 1, 2, 1, 4, 1>(0.85),
                                        rows_entry<T, Line<3>, 1, 2, 1, 4, 1>(0.80),
                                        rows_entry<T, Line<4>, 1, 2, 1, 4, 1>(0.80),
                                        rows_entry<T, Star2<1>, 1, 4, 1, 8, 1>(0.92),
                                        rows_entry<T, Star2<2>, 1, 3, 1, 4, 1>(0.88),
                                        march_entry<T, Star2<3>, 4, 4, 4, 4>(24, 0.87),
                                        march_entry<T, Star2<4>, 4, 4, 4, 4>(64, 0.84),
                                        rows_entry<T, Box2<1>, 1, 4, 1, 8, 1>(0.91),
                                        march_entry<T, Box2<2>, 8, 2, 4, 2>(0, 0.82),
                                        march_entry<T, Box2<3>, 4, 2, 4, 4>(0, 0.48),
                                        rows_entry<T, Star3<1>, 2, 2, 1, 4, 1>(0.64),
                                        planes_entry<T, Star3<2>, 2, 16, 4, 1>(128, 0.60),
                                        planes_entry<T, Star3<3>, 2, 8, 4, 1>(256, 0.46),
                                        planes_entry<T, Star3<4>, 2, 8, 4, 1>(256, 0.40),
                                        planes_entry<T, Box3<1>, 2, 16, 4, 1>(128, 0.48),
                                        {}};
  return kernels;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
