// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeKernels.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<float>() {
  using T                            = float;
  static ShapeKernel const kernels[] = {rows_entry<T, Line<1>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<2>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<3>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<4>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Star2<1>, 1, 2, 1, 8, 1>(0.97),
                                        rows_entry<T, Star2<2>, 1, 4, 1, 8, 4>(0.97),
                                        rows_entry<T, Star2<3>, 1, 3, 1, 4, 1>(0.92),
                                        rows_entry<T, Star2<4>, 1, 3, 1, 4, 1>(0.85),
                                        rows_entry<T, Box2<1>, 1, 8, 1, 8, 1>(0.96),
                                        rows_entry<T, Box2<2>, 1, 8, 1, 4, 5>(0.77),
                                        rows_entry<T, Box2<3>, 1, 8, 1, 4, 5>(0.67),
                                        rows_entry<T, Star3<1>, 4, 2, 1, 4, 1>(0.90),
                                        planes_entry<T, Star3<2>, 2, 16, 3, 1>(128, 0.77),
                                        planes_entry<T, Star3<3>, 2, 16, 4, 1>(64, 0.71),
                                        planes_entry<T, Star3<4>, 2, 16, 6, 1>(128, 0.69),
                                        planes_entry<T, Box3<1>, 2, 16, 4, 1>(64, 0.73),
                                        {}};
  return kernels;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
