// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

template <>
CompiledVolume const* compiled_volumes<double>() {
  return volume_instances<double>(std::make_integer_sequence<int, volume_table(ValueType::float64).count>());
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
