// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

template <>
Compiled const* compiled<double>() {
  return instances<double>(std::make_integer_sequence<int, kernel_table(Temporal::value_type<double>).count>());
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
