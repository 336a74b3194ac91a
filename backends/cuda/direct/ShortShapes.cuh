// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "ShapeKernels.cuh"

namespace KokkosStencil {
namespace CudaDirect {

/// The kernels for a type of 16 bits.
template <class T>
ShapeKernel const* short_shapes() {
  static ShapeKernel const kernels[] = {rows_entry<T, Line<1>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<2>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<3>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<4>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Star2<1>, 1, 4, 1, 8, 1>(),
                                        rows_entry<T, Star2<2>, 1, 3, 1, 4, 1>(),
                                        march_entry<T, Star2<3>, 4, 4, 4, 4>(24),
                                        march_entry<T, Star2<4>, 4, 4, 4, 4>(64),
                                        rows_entry<T, Box2<1>, 1, 4, 1, 8, 1>(),
                                        march_entry<T, Box2<2>, 8, 2, 4, 2>(0),
                                        march_entry<T, Box2<3>, 4, 2, 4, 4>(0),
                                        planes_entry<T, Star3<1>, 2, 4, 6, 3>(8),
                                        planes_entry<T, Star3<2>, 2, 8, 4, 2>(43),
                                        planes_entry<T, Star3<3>, 2, 4, 4, 2>(256),
                                        planes_entry<T, Star3<4>, 2, 4, 6, 2>(256),
                                        planes_entry<T, Box3<1>, 4, 2, 6, 4>(85),

                                        rows_entry<T, Line<5>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<6>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<7>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, Line<8>, 1, 2, 1, 4, 1>(),
                                        planes_entry<T, Star3<5>, 1, 8, 4, 1>(256),
                                        planes_entry<T, Star3<6>, 1, 8, 4, 1>(256),
                                        planes_entry<T, Star3<7>, 1, 8, 4, 1>(256),
                                        planes_entry<T, Star3<8>, 1, 8, 4, 1>(256),
                                        // Patterns inside a shape, cheapest first.
                                        lines_entry<T, InLine<4>, 4, 2, 10>(),
                                        lines_entry<T, InLine<6>, 4, 2, 10>(),
                                        lines_entry<T, InLine<8>, 4, 2, 10>(),
                                        rows_entry<T, InLine<4>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, InLine<8>, 1, 2, 1, 4, 1>(),
                                        rows_entry<T, InBox2<1>, 1, 4, 1, 8, 1>(),
                                        march_entry<T, InStar2<4>, 4, 4, 4, 4>(64),
                                        march_entry<T, InBox2<2>, 8, 2, 4, 2>(0),
                                        march_entry<T, InStar2<8>, 4, 2, 6, 2>(64),
                                        march_entry<T, InBox2<3>, 4, 2, 4, 4>(0),
                                        planes_entry<T, InBox3<1>, 2, 16, 4, 1>(128),
                                        planes_entry<T, InStar3<8>, 1, 8, 4, 1>(256),
                                        {}};
  return kernels;
}

}  // namespace CudaDirect
}  // namespace KokkosStencil
