// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
StripKernel const* strip_kernels<double>() {
  using T                            = double;
  static StripKernel const kernels[] = {StripLaunch<T, PlaneShape<1, true>, 4, 4, 12, 1, 1, 4, 5>::entry(1750e9, 2.5),
                                        StripLaunch<T, PlaneShape<1, true>, 4, 4, 8, 1, 1>::entry(1380e9, 2.15),
                                        StripLaunch<T, PlaneShape<1, false>, 4, 4, 8, 1, 1>::entry(1350e9, 2.15),
                                        StripLaunch<T, PlaneShape<2, true>, 4, 4, 6, 1, 1, 4>::entry(945e9, 2.3),
                                        StripLaunch<T, PlaneShape<2, true>, 4, 4, 4, 1, 1>::entry(695e9, 2.3),
                                        StripLaunch<T, PlaneShape<2, false>, 4, 4, 4, 1, 1>::entry(520e9, 1.95),
                                        StripLaunch<T, PlaneShape<3, true>, 4, 4, 4, 1, 1, 2, 6>::entry(640e9, 2.15),
                                        StripLaunch<T, PlaneShape<4, true>, 4, 4, 3, 1, 1, 1>::entry(500e9, 2.05),
                                        StripLaunch<T, PlaneShape<3, false>, 4, 4, 2, 1, 1>::entry(258e9, 1.75),
                                        StripLaunch<T, PlaneShape<4, false>, 4, 4, 2, 2, 1, 1, 2>::entry(162e9, 1.5),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
