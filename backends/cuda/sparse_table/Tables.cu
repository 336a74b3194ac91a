// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arch/Ptx.hpp"
#include "TableKernel.cuh"

#include <type_traits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Table {

namespace {

template <class Element, int Parts, std::size_t K>
void launch(TableArgs const& args, unsigned blocks, int bytes, cudaStream_t stream) {
  constexpr CudaModel::TableKernel k = CudaModel::table_kernels[K];
  auto const run                     = table<Element, k.tile_x, k.blocks, Parts, k.units, k.resident, k.reaching>;
  // Each time, since it counts for the current device only.
  cudaFuncSetAttribute(run, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  run<<<blocks, static_cast<unsigned>(32 * args.warps), static_cast<std::size_t>(bytes), stream>>>(args);
}

template <class Element, int Parts, std::size_t... K>
void add(std::vector<Kernel>& to, std::index_sequence<K...>) {
  constexpr bool bfloat = std::is_same<Element, Ptx::Bfloat>::value;
  (to.push_back({CudaModel::table_kernels[K], bfloat, Parts, launch<Element, Parts, K>}), ...);
}

}  // namespace

std::vector<Kernel> table_kernels() {
  constexpr std::make_index_sequence<sizeof(CudaModel::table_kernels) / sizeof(CudaModel::table_kernels[0])> kinds;
  std::vector<Kernel> all;
  add<Ptx::Half, 1>(all, kinds);
  add<Ptx::Half, 2>(all, kinds);
  add<Ptx::Bfloat, 1>(all, kinds);
  add<Ptx::Bfloat, 2>(all, kinds);
  return all;
}

}  // namespace Table
}  // namespace Cuda
}  // namespace KokkosStencil
