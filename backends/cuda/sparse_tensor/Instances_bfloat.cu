// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

void launch_bfloat(std::size_t kernel, Args const& args, unsigned blocks, void* stream) {
  launch_instance<Ptx::Bfloat>(kernel, args, blocks, stream);
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
