// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstancesSheared.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

template ShearedLauncher const& sheared_launcher<float>(std::size_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
