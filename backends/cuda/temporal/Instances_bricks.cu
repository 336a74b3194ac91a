// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BrickKernel.cuh"
#include "Instances.cuh"

// Apart from the other kernels of a type, which take a compiler long enough.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <class T>
Kernel<BrickArgs> const* brick_instances() {
  return instances<BrickArgs, T, BrickInstance>(std::make_integer_sequence<int, brick_table(value_type<T>).count>());
}

template <>
Kernel<BrickArgs> const* kernels<BrickArgs, double>() {
  return brick_instances<double>();
}
template <>
Kernel<BrickArgs> const* kernels<BrickArgs, float>() {
  return brick_instances<float>();
}
template <>
Kernel<BrickArgs> const* kernels<BrickArgs, __half>() {
  return brick_instances<__half>();
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
