// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <>
Kernel<LineArgs> const* kernels<LineArgs, __half>() {
  return line_instances<__half>();
}
template <>
Kernel<LineArgs> const* kernels<LineArgs, __nv_bfloat16>() {
  return line_instances<__nv_bfloat16>();
}
template <>
Kernel<StripArgs> const* kernels<StripArgs, __half>() {
  return strip_instances<__half>();
}
template <>
Kernel<SpaceArgs> const* kernels<SpaceArgs, __half>() {
  return space_instances<__half>();
}
template <>
Kernel<TileArgs> const* kernels<TileArgs, __half>() {
  return tile_instances<__half>();
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
