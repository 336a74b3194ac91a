// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
StripKernel const* strip_kernels<double>() {
  using T                            = double;
  static StripKernel const kernels[] = {StripLaunch<T, PlaneShape<1, true>, 4, 4, 10, 1, 1>::entry(1650e9, 2.5),
                                        StripLaunch<T, PlaneShape<1, true>, 4, 4, 8, 1, 1>::entry(1350e9, 2.5),
                                        StripLaunch<T, PlaneShape<1, false>, 4, 4, 8, 1, 1>::entry(1340e9, 2.0),
                                        StripLaunch<T, PlaneShape<2, true>, 4, 4, 5, 1, 1>::entry(860e9, 2.5),
                                        StripLaunch<T, PlaneShape<2, false>, 4, 4, 4, 1, 1>::entry(520e9, 2.0),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
