// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
StripKernel const* strip_kernels<float>() {
  using T                            = float;
  static StripKernel const kernels[] = {StripLaunch<T, PlaneShape<1, true>, 8, 4, 12, 1, 1>::entry(3900e9, 1.2),
                                        StripLaunch<T, PlaneShape<1, false>, 8, 4, 12, 12, 1>::entry(2580e9, 1.0),
                                        StripLaunch<T, PlaneShape<2, true>, 8, 4, 6, 1, 1>::entry(2040e9, 1.2),
                                        StripLaunch<T, PlaneShape<2, false>, 8, 8, 4, 1, 1>::entry(1020e9, 1.75),
                                        StripLaunch<T, PlaneShape<3, true>, 8, 4, 4, 1, 1>::entry(1390e9, 1.2),
                                        StripLaunch<T, PlaneShape<4, true>, 8, 4, 3, 1, 1>::entry(1035e9, 1.15),
                                        StripLaunch<T, PlaneShape<3, false>, 8, 8, 3, 1, 1>::entry(545e9, 1.9),
                                        StripLaunch<T, PlaneShape<4, false>, 8, 4, 2, 1, 1>::entry(325e9, 1.5),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
