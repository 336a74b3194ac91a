// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpaceKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
SpaceKernel const* space_kernel_of<double>() {
  static SpaceKernel const kernel = SpaceLaunch<double, 5, 4>::entry(1.85e-6, 2.7e-6);
  return &kernel;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
