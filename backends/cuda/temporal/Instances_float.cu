// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <>
Kernel<LineArgs> const* kernels<LineArgs, float>() {
  return line_instances<float>();
}
template <>
Kernel<StripArgs> const* kernels<StripArgs, float>() {
  return strip_instances<float>();
}
template <>
Kernel<SpaceArgs> const* kernels<SpaceArgs, float>() {
  return space_instances<float>();
}
template <>
Kernel<TileArgs> const* kernels<TileArgs, float>() {
  return tile_instances<float>();
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
