// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileKernel.cuh"

namespace KokkosStencil {
namespace CudaTemporal {

template <>
TileKernel const* tile_kernels<float>() {
  using T                           = float;
  static TileKernel const kernels[] = {
      TileLaunch<T, 1, true>::entry(),  TileLaunch<T, 2, true>::entry(),  TileLaunch<T, 3, true>::entry(),
      TileLaunch<T, 4, true>::entry(),  TileLaunch<T, 1, false>::entry(), TileLaunch<T, 2, false>::entry(),
      TileLaunch<T, 3, false>::entry(), TileLaunch<T, 4, false>::entry(), {}};
  return kernels;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
