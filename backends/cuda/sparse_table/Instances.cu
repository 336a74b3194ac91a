// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_table/Kernel.cuh"

#include "common/LaunchKernel.hpp"
#include "common/WithIndex.hpp"

#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

namespace {

template <class Element, int Splits>
void launch_of(std::size_t kernel, Args const& args, unsigned blocks, int shared_bytes, void* stream) {
  with_index<std::size(kernels)>(kernel, [&](auto k) {
    auto const run = run_table<Element, Splits, decltype(k)::value>;
    // Set for each launch, since it holds for the current device only.
    cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes);
    launch_kernel(run, blocks, static_cast<unsigned>(32 * args.warps), static_cast<std::size_t>(shared_bytes),
                  static_cast<cudaStream_t>(stream), args);
  });
}

}  // namespace

void launch(std::size_t kernel, bool bfloat, int splits, Args const& args, unsigned blocks, int shared_bytes,
            void* stream) {
  auto const launch_it = bfloat ? (splits == 1 ? launch_of<Ptx::Bfloat, 1> : launch_of<Ptx::Bfloat, 2>)
                                : (splits == 1 ? launch_of<Ptx::Half, 1> : launch_of<Ptx::Half, 2>);
  launch_it(kernel, args, blocks, shared_bytes, stream);
}

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
