// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/RowCopyKernel.hpp"

#include "arch/DependentLaunch.hpp"
#include "common/Alignment.hpp"

#include <type_traits>

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Lanes take adjacent points, so that wherever rows begin a warp touches few sectors twice. A warp loads all of its
/// values before it stores the first: `chunks` times 32 of a row, and several rows if they are short, since one would
/// neither keep the memory busy nor be worth finding where it lies.
template <class Word, int chunks>
__global__ void __launch_bounds__(32 * row_copy_warps)
    row_copy(__grid_constant__ RowCopyArgs const g, Word const* __restrict__ from, Word* __restrict__ to) {
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  constexpr int rows      = row_copy_chunks(sizeof(Word)) / chunks;
  int const lane          = int(threadIdx.x % 32);
  std::int64_t const tile = std::int64_t(blockIdx.x) * row_copy_warps + threadIdx.x / 32;
  // A 64-bit division is a function call, so small numbers are divided in 32 bits.
  auto const divided = [](std::int64_t n, std::int64_t d) {
    return n >> 32 == 0 && d >> 32 == 0 ? std::int64_t(unsigned(n) / unsigned(d)) : n / d;
  };
  std::int64_t const group = divided(tile, g.tiles), row = group * rows;
  if (row >= g.rows) return;
  std::int64_t const z = g.plane + divided(row, g.lines), y = g.line + row - (z - g.plane) * g.lines;
  std::int64_t const begin = g.first + (tile - group * g.tiles) * g.columns;
  // Columns of the tile, counted from its first.
  auto const column = [&](std::int64_t x) {
    return int(x < begin ? 0 : x > begin + g.columns ? g.columns : x - begin);
  };
  int const low = column(g.low), high = column(g.high);
  // Columns past the outermost ones that there are get their values.
  int const least = column(g.least), last = g.last < begin ? int(g.last - begin) : column(g.last);
  int const left = int(g.rows - row < rows ? g.rows - row : rows);
  // Calls visit(number of the row, plane, line, offset of its tile in either View) for each row of the warp.
  auto const visit_rows = [&](auto const& visit) {
    std::int64_t plane = z, line = y;
    std::int64_t in  = z * g.from_stride[0] + y * g.from_stride[1] + begin;
    std::int64_t out = z * g.to_stride[0] + y * g.to_stride[1] + begin;
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (r < left) visit(r, plane, line, in, out);
      in += g.from_stride[1];
      out += g.to_stride[1];
      if (++line == g.line + g.lines) {
        line = g.line;
        ++plane;
        in += g.from_stride[0] - g.lines * g.from_stride[1];
        out += g.to_stride[0] - g.lines * g.to_stride[1];
      }
    }
  };
  Word word[rows][chunks];
  visit_rows([&](int r, std::int64_t, std::int64_t, std::int64_t in, std::int64_t) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      int const x = lane + 32 * c;
      if (x >= low && x < high) word[r][c] = from[in + (x < least ? least : x > last ? last : x)];
    }
  });
  visit_rows([&](int r, std::int64_t, std::int64_t, std::int64_t, std::int64_t out) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      int const x = lane + 32 * c;
      if (x >= low && x < high) to[out + x] = word[r][c];
    }
  });
  if (g.second == 0) return;
  int const keep_low = column(g.keep_begin[2]), keep_high = column(g.keep_end[2]);
  visit_rows([&](int r, std::int64_t plane, std::int64_t line, std::int64_t, std::int64_t out) {
    bool const inside =
        plane >= g.keep_begin[0] && plane < g.keep_end[0] && line >= g.keep_begin[1] && line < g.keep_end[1];
    if (inside && keep_low <= low && keep_high >= high) return;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      int const x = lane + 32 * c;
      if (x < low || x >= high) continue;
      if (!inside || x < keep_low || x >= keep_high) to[g.second + out + x] = word[r][c];
    }
  });
}

}  // namespace

template <class Word>
void launch_row_copy(RowCopyArgs const& args, Word const* from, Word* to, cudaStream_t stream) {
  constexpr int most = row_copy_chunks(sizeof(Word));
  auto const launch  = [&](auto chunks_of_tile) {
    constexpr int chunks      = decltype(chunks_of_tile)::value;
    std::int64_t const groups = divide_up(args.rows, most / chunks);
    auto const blocks         = static_cast<std::uint32_t>(divide_up(args.tiles * groups, row_copy_warps));
    launch_dependent<row_copy<Word, chunks>>(blocks, 32 * row_copy_warps, 0, stream, args, from, to);
  };
  std::int64_t const chunks = args.columns / 32;
  if (args.tiles == 1 && chunks == 1) return launch(std::integral_constant<int, 1>());
  if (args.tiles == 1 && chunks == 2) return launch(std::integral_constant<int, 2>());
  if (args.tiles == 1 && chunks == 3) return launch(std::integral_constant<int, 3>());
  if (args.tiles == 1 && chunks <= most / 2) return launch(std::integral_constant<int, most / 2>());
  launch(std::integral_constant<int, most>());
}

template void launch_row_copy(RowCopyArgs const&, std::uint64_t const*, std::uint64_t*, cudaStream_t);
template void launch_row_copy(RowCopyArgs const&, std::uint32_t const*, std::uint32_t*, cudaStream_t);
template void launch_row_copy(RowCopyArgs const&, std::uint16_t const*, std::uint16_t*, cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
