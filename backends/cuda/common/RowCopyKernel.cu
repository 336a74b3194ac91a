// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/RowCopyKernel.hpp"

#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Lanes take adjacent points, so that wherever rows begin a warp touches few sectors twice.
template <class Word>
__global__ void __launch_bounds__(32 * row_copy_warps)
    row_copy(__grid_constant__ RowCopyArgs const g, Word const* __restrict__ from, Word* __restrict__ to) {
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  constexpr int each      = row_copy_columns(sizeof(Word)) / 32;
  int const lane          = int(threadIdx.x % 32);
  std::int64_t const tile = std::int64_t(blockIdx.x) * row_copy_warps + threadIdx.x / 32;
  // A 64-bit division is a function call, so small numbers are divided in 32 bits.
  auto const divided = [](std::int64_t n, std::int64_t d) {
    return n >> 32 == 0 && d >> 32 == 0 ? std::int64_t(unsigned(n) / unsigned(d)) : n / d;
  };
  std::int64_t const row = divided(tile, g.tiles);
  if (row >= g.tile_rows) return;
  std::int64_t const z = divided(row, g.lines), y = g.line + row - z * g.lines;
  std::int64_t const begin = g.first + (tile - row * g.tiles) * g.columns, x = begin + lane;
  std::int64_t const end = begin + g.columns < g.high ? begin + g.columns : g.high;
  from += (g.plane + z) * g.from_stride[0] + y * g.from_stride[1] + x;
  to += (g.plane + z) * g.to_stride[0] + y * g.to_stride[1] + x;
  Word word[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    if (x + 32 * i >= g.low && x + 32 * i < end) word[i] = from[32 * i];
  }
#pragma unroll
  for (int i = 0; i < each; ++i) {
    if (x + 32 * i >= g.low && x + 32 * i < end) to[32 * i] = word[i];
  }
  if (g.second == 0) return;
  bool const row_inside =
      g.plane + z >= g.keep_begin[0] && g.plane + z < g.keep_end[0] && y >= g.keep_begin[1] && y < g.keep_end[1];
  if (row_inside && begin >= g.keep_begin[2] && end <= g.keep_end[2]) return;
#pragma unroll
  for (int i = 0; i < each; ++i) {
    std::int64_t const at = x + 32 * i;
    if (at < g.low || at >= end) continue;
    if (!row_inside || at < g.keep_begin[2] || at >= g.keep_end[2]) to[g.second + 32 * i] = word[i];
  }
}

}  // namespace

template <class Word>
void launch_row_copy(RowCopyArgs const& args, std::uint32_t blocks, Word const* from, Word* to, cudaStream_t stream) {
  launch_dependent<row_copy<Word>>(blocks, 32 * row_copy_warps, 0, stream, args, from, to);
}

template void launch_row_copy(RowCopyArgs const&, std::uint32_t, std::uint64_t const*, std::uint64_t*, cudaStream_t);
template void launch_row_copy(RowCopyArgs const&, std::uint32_t, std::uint32_t const*, std::uint32_t*, cudaStream_t);
template void launch_row_copy(RowCopyArgs const&, std::uint32_t, std::uint16_t const*, std::uint16_t*, cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
