// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
StripKernel const* strip_kernels<__half>() {
  using T                            = __half;
  static StripKernel const kernels[] = {StripLaunch<T, PlaneShape<1, true>, 8, 8, 8, 1, 1>::entry(4400e9, 2.75),
                                        StripLaunch<T, PlaneShape<1, false>, 8, 8, 8, 1, 1>::entry(2760e9, 2.0),
                                        StripLaunch<T, PlaneShape<2, true>, 8, 8, 4, 1, 1>::entry(2340e9, 2.6),
                                        StripLaunch<T, PlaneShape<2, false>, 8, 8, 4, 1, 1>::entry(1040e9, 1.9),
                                        StripLaunch<T, PlaneShape<3, true>, 8, 8, 4, 1, 1, 0, 4>::entry(1615e9, 2.35),
                                        StripLaunch<T, PlaneShape<4, true>, 8, 8, 3, 1, 1, 0, 4>::entry(1230e9, 2.2),
                                        StripLaunch<T, PlaneShape<3, false>, 8, 8, 3, 1, 1>::entry(522e9, 1.9),
                                        StripLaunch<T, PlaneShape<4, false>, 8, 8, 2, 1, 1>::entry(327e9, 1.5),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
