// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InstancesCut.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

template CutLauncher const& cut_launcher<double>(std::size_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
