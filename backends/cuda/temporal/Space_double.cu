// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoxKernel.cuh"
#include "LongStarKernel.cuh"
#include "StarKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
SpaceKernel const* space_kernels<double>() {
  using T                            = double;
  static SpaceKernel const kernels[] = {StarLaunch<T, 5, 4, 32, true>::entry(1.18e-6, 1.44e-6, 1.3e-6),
                                        StarLaunch<T, 6, 3>::entry(1.25e-6, 1.75e-6),
                                        StarLaunch<T, 8, 2>::entry(2.1e-6, 2.5e-6),
                                        BoxLaunch<T, FullBox, 16, 4, 2>::entry(2.79e-6, 3.12e-6),
                                        BoxLaunch<T, CornerBox, 8, 8, 2>::entry(2.25e-6, 2.65e-6),
                                        LongStarLaunch<T, 2, 8, 6, 2>::entry(1.39e-6, 2.5e-6),
                                        LongStarLaunch<T, 2, 8, 5, 2>::entry(1.25e-6, 1.8e-6),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
