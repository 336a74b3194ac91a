// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoxKernel.cuh"
#include "LongStarKernel.cuh"
#include "StarKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
SpaceKernel const* space_kernels<float>() {
  using T                            = float;
  static SpaceKernel const kernels[] = {StarLaunch<T, 5, 4>::entry(1.19e-6, 1.47e-6),
                                        StarLaunch<T, 5, 4, 16, true>::entry(1.23e-6, 1.58e-6, 1.42e-6),
                                        StarLaunch<T, 6, 3>::entry(1.4e-6, 1.75e-6),
                                        StarLaunch<T, 8, 2>::entry(2.1e-6, 2.3e-6),
                                        BoxLaunch<T, FullBox, 16, 4, 2>::entry(2.71e-6, 3.2e-6),
                                        BoxLaunch<T, FullBox, 12, 6, 2, 16>::entry(2.98e-6, 3.45e-6, false),
                                        BoxLaunch<T, CornerBox, 16, 4, 2>::entry(2.1e-6, 2.7e-6),
                                        LongStarLaunch<T, 2, 8, 6, 2>::entry(1.36e-6, 1.73e-6),
                                        LongStarLaunch<T, 2, 8, 5, 2>::entry(1.16e-6, 1.42e-6),
                                        {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
