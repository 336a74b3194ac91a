// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

// Apart from the other kernels of a type, which take a compiler long enough.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <>
Kernel<PatchArgs> const* kernels<PatchArgs, double>() {
  return patch_instances<double>();
}
template <>
Kernel<PatchArgs> const* kernels<PatchArgs, float>() {
  return patch_instances<float>();
}
template <>
Kernel<PatchArgs> const* kernels<PatchArgs, __half>() {
  return patch_instances<__half>();
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
