// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_float/Kernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"

#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

void launch(std::size_t kernel, bool anywhere, Args const& args, unsigned blocks, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto k) {
    constexpr KernelTuning t = kernels[decltype(k)::value];
    auto run                 = stream_planes<t.rows, t.split, t.batch_rows, t.batches, t.blocks_per_sm, false>;
    if constexpr (t.anywhere()) {
      if (anywhere) run = stream_planes<t.rows, t.split, t.batch_rows, t.batches, t.blocks_per_sm, true>;
    }
    launch_kernel(run, blocks, 32, 0, static_cast<cudaStream_t>(stream), args);
  });
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
