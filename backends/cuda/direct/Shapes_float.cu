// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeKernels.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template <>
ShapeKernel const* shape_kernels<float>() {
  using T                            = float;
  static ShapeKernel const kernels[] = {rows_entry<T, Line<1>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<2>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<3>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<4>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Star2<1>, 1, 2, 1, 8, 1>(),
                                        rows_entry<T, Star2<2>, 1, 4, 1, 8, 4>(),
                                        march_entry<T, Star2<3>, 8, 4, 5, 2>(16),
                                        march_entry<T, Star2<4>, 8, 4, 6, 2>(24),
                                        rows_entry<T, Box2<1>, 1, 4, 1, 8, 1>(),
                                        march_entry<T, Box2<2>, 8, 4, 5, 2>(24),
                                        march_entry<T, Box2<3>, 4, 2, 4, 6>(0),
                                        march_entry<T, Box2<4>, 8, 2, 4, 2>(0),
                                        march_entry<T, Box2<5>, 4, 1, 6, 4>(0),
                                        march_entry<T, Box2<6>, 4, 1, 6, 4>(0),
                                        march_entry<T, Box2<7>, 4, 1, 6, 4>(0),
                                        rows_entry<T, Star3<1>, 4, 2, 1, 4, 1>(),
                                        planes_entry<T, Star3<2>, 2, 16, 4, 1>(32),
                                        planes_entry<T, Star3<3>, 2, 16, 4, 1>(64),
                                        planes_entry<T, Star3<4>, 2, 16, 4, 1>(64),
                                        columns_entry<T, Box3<1>, 4, 1, 4, 4>(32),
                                        planes_entry<T, Box3<2>, 2, 16, 4, 1>(256),
                                        rows_entry<T, Line<5>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<6>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<7>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<8>, 1, 2, 1, 4, 1>(),
                                        march_entry<T, Star2<5>, 8, 4, 6, 2>(32),
                                        march_entry<T, Star2<6>, 8, 4, 6, 2>(32),
                                        march_entry<T, Star2<7>, 8, 4, 6, 2>(32),
                                        march_entry<T, Star2<8>, 8, 4, 6, 2>(32),
                                        planes_entry<T, Star3<5>, 2, 8, 4, 1>(128),
                                        planes_entry<T, Star3<6>, 2, 8, 4, 1>(128),
                                        planes_entry<T, Star3<7>, 2, 8, 4, 1>(128),
                                        planes_entry<T, Star3<8>, 2, 8, 4, 1>(128),
                                        // Patterns inside a shape, cheapest first.
                                        lines_entry<T, InLine<4>, 4, 2, 10>(),
                                        lines_entry<T, InLine<6>, 4, 2, 10>(),
                                        lines_entry<T, InLine<8>, 4, 2, 10>(),
                                        rows_entry<T, InLine<4>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, InLine<8>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, InBox2<1>, 1, 4, 1, 8, 1>(),
                                        march_entry<T, InStar2<4>, 8, 4, 6, 2>(24),
                                        march_entry<T, InBox2<2>, 8, 4, 5, 2>(24),
                                        march_entry<T, InStar2<8>, 8, 2, 6, 2>(32),
                                        march_entry<T, InBox2<3>, 4, 2, 4, 6>(0),
                                        march_entry<T, InBox2<4>, 8, 2, 4, 2>(0),
                                        columns_entry<T, InBox3<1>, 4, 1, 4, 4>(32),
                                        planes_entry<T, InStar3<4>, 2, 16, 4, 1>(64),
                                        planes_entry<T, InStar3<8>, 2, 8, 4, 1>(128),
                                        {}};
  return kernels;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
