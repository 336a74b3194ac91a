// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace CudaDirect {

template ShapeLauncher const& shape_launcher<double>(std::size_t);

}  // namespace CudaDirect
}  // namespace KokkosStencil
