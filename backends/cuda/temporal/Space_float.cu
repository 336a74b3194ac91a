// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpaceKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
SpaceKernel const* space_kernel_of<float>() {
  static SpaceKernel const kernel = SpaceLaunch<float, 5, 4>::entry(2.4e-6, 4.5e-6);
  return &kernel;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
