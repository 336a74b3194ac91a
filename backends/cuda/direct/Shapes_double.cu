// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeKernels.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<double>() {
  using T                            = double;
  static ShapeKernel const kernels[] = {rows_entry<T, Line<1>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<2>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<3>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Line<4>, 1, 4, 1, 4, 1>(0.90),
                                        rows_entry<T, Star2<1>, 1, 2, 1, 8, 1>(0.98),
                                        rows_entry<T, Star2<2>, 1, 4, 1, 4, 1>(0.98),
                                        rows_entry<T, Star2<3>, 1, 4, 1, 4, 1>(0.94),
                                        rows_entry<T, Star2<4>, 1, 4, 1, 8, 4>(0.87),
                                        rows_entry<T, Box2<1>, 1, 4, 1, 8, 1>(0.97),
                                        rows_entry<T, Box2<2>, 1, 8, 1, 4, 5>(0.90),
                                        rows_entry<T, Box2<3>, 1, 6, 1, 4, 1>(0.68),
                                        rows_entry<T, Star3<1>, 4, 2, 1, 8, 2>(0.94),
                                        planes_entry<T, Star3<2>, 2, 16, 3, 1>(128, 0.79),
                                        planes_entry<T, Star3<3>, 2, 16, 6, 1>(64, 0.78),
                                        planes_entry<T, Star3<4>, 2, 16, 6, 1>(128, 0.79),
                                        planes_entry<T, Box3<1>, 2, 16, 4, 1>(16, 0.78),
                                        {}};
  return kernels;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
