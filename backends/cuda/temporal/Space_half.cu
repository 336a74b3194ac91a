// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StarKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
SpaceKernel const* space_kernels<__half>() {
  static SpaceKernel const kernels[] = {StarLaunch<__half, 4, 2, 16>::entry(1.14e-6, 1.6e-6), {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
