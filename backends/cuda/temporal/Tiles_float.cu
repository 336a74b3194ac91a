// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
TileKernel const* tile_kernels<float>() {
  return all_tile_kernels<float>();
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
