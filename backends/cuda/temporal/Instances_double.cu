// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <>
Kernel<LineArgs> const* kernels<LineArgs, double>() {
  return line_instances<double>();
}
template <>
Kernel<StripArgs> const* kernels<StripArgs, double>() {
  return strip_instances<double>();
}
template <>
Kernel<SpaceArgs> const* kernels<SpaceArgs, double>() {
  return space_instances<double>();
}
template <>
Kernel<TileArgs> const* kernels<TileArgs, double>() {
  return tile_instances<double>();
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
