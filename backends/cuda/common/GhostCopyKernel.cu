// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/GhostCopyKernel.hpp"

#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Each thread copies a chunk of V values.
template <class Word, int V>
__global__ void __launch_bounds__(ghost_threads)
    copy_ghosts(__grid_constant__ GhostCopyArgs const g, Word const* __restrict__ first, Word* __restrict__ second) {
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  unsigned which = 0;
  while (which + 1 < g.boxes && blockIdx.x >= g.box[which + 1].first_block) ++which;
  GhostBox const& box  = g.box[which];
  unsigned const block = blockIdx.x - box.first_block, group = block / box.columns,
                 column = block - group * box.columns;
  int const tx = int(threadIdx.x) & ((1 << box.threads_x_log2) - 1), ty = int(threadIdx.x) >> box.threads_x_log2;
  std::int64_t const chunk = (std::int64_t(column) << box.threads_x_log2) + tx;
  std::int64_t const row   = std::int64_t(group) * (ghost_threads >> box.threads_x_log2) + ty;
  if (chunk >= box.chunks || row >= box.rows) return;
  // Divided in 32 bits where possible: a 64-bit division is a call of a function.
  std::int64_t const z = row >> 32 == 0 && box.lines >> 32 == 0 ? unsigned(row) / unsigned(box.lines) : row / box.lines;
  std::int64_t const y = box.line + row - z * box.lines;
  std::int64_t const x = box.point + chunk * V;
  Word const* const from = first + (box.plane + z) * g.first_stride[0] + y * g.first_stride[1];
  Word* const to         = second + (box.plane + z) * g.second_stride[0] + y * g.second_stride[1];
  if (V > 1 && x >= box.low && x + V <= box.high) {
    *reinterpret_cast<uint4*>(to + x) = *reinterpret_cast<uint4 const*>(from + x);
    return;
  }
#pragma unroll 1
  for (int v = 0; v < V; ++v) {
    if (x + v >= box.low && x + v < box.high) to[(x + v) * g.second_stride[2]] = from[(x + v) * g.first_stride[2]];
  }
}

}  // namespace

template <class Word>
void launch_copy_ghosts(GhostCopyArgs const& args, Word const* first, Word* second, cudaStream_t stream) {
  if (args.by_vectors) {
    launch_dependent<copy_ghosts<Word, 16 / sizeof(Word)>>(args.blocks, ghost_threads, 0, stream, args, first, second);
  } else {
    launch_dependent<copy_ghosts<Word, 1>>(args.blocks, ghost_threads, 0, stream, args, first, second);
  }
}

template void launch_copy_ghosts(GhostCopyArgs const&, std::uint64_t const*, std::uint64_t*, cudaStream_t);
template void launch_copy_ghosts(GhostCopyArgs const&, std::uint32_t const*, std::uint32_t*, cudaStream_t);
template void launch_copy_ghosts(GhostCopyArgs const&, std::uint16_t const*, std::uint16_t*, cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
