// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
TileKernel const* tile_kernels<__half>() {
  return all_tile_kernels<__half>();
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
