// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/RowCopyKernel.hpp"

#include "arch/DependentLaunch.hpp"
#include "common/Alignment.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace KokkosStencil {
namespace Cuda {

namespace {

// A 64-bit division is a function call, so small numbers are divided in 32 bits.
__device__ __forceinline__ std::int64_t divided(std::int64_t n, std::int64_t d) {
  return n >> 32 == 0 && d >> 32 == 0 ? std::int64_t(unsigned(n) / unsigned(d)) : n / d;
}

/// A row of all that are copied.
struct Row {
  std::int64_t number, plane, line;

  __device__ __forceinline__ Row(RowCopyArgs const& g, std::int64_t n)
      : number(n), plane(g.plane + divided(n, g.lines)), line(g.line + n - (plane - g.plane) * g.lines) {}
};

/// Calls visit(number of the row, plane, line, element of the input and of the copy at column `begin`) for `Rows` rows
/// from this one on, as far as there are some.
template <int Rows, class Visit>
__device__ __forceinline__ void visit_rows(RowCopyArgs const& g, Row const& row, std::int64_t begin,
                                           Visit const& visit) {
  std::int64_t plane = row.plane, line = row.line;
  std::int64_t in  = plane * g.from_stride[0] + line * g.from_stride[1] + begin;
  std::int64_t out = plane * g.to_stride[0] + line * g.to_stride[1] + begin;
  int const left   = int(min(g.rows - row.number, std::int64_t(Rows)));
#pragma unroll
  for (int r = 0; r < Rows; ++r) {
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
}

/// Whether the columns in `keep` of a row are kept from the second copy.
__device__ __forceinline__ bool keeps(RowCopyArgs const& g, std::int64_t plane, std::int64_t line) {
  return plane >= g.keep_begin[0] && plane < g.keep_end[0] && line >= g.keep_begin[1] && line < g.keep_end[1];
}

/// Lanes take adjacent points, so that wherever rows begin a warp touches few sectors twice. A warp loads all of its
/// values before it stores the first: `chunks` times 32 of a row, and several rows if they are short, since one would
/// neither keep the memory busy nor be worth finding where it lies.
template <class Word, int chunks>
__global__ void __launch_bounds__(32 * row_copy_warps)
    row_copy(__grid_constant__ RowCopyArgs const g, Word const* __restrict__ from, Word* __restrict__ to) {
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  constexpr int rows       = row_copy_chunks(sizeof(Word)) / chunks;
  int const lane           = int(threadIdx.x % 32);
  std::int64_t const tile  = std::int64_t(blockIdx.x) * row_copy_warps + threadIdx.x / 32;
  std::int64_t const group = divided(tile, g.tiles), row = group * rows;
  if (row >= g.rows) return;
  Row const first_row(g, row);
  std::int64_t const begin = g.first + (tile - group * g.tiles) * g.columns;
  // Columns of the tile, counted from its first.
  auto const column = [&](std::int64_t x) {
    return int(x < begin ? 0 : x > begin + g.columns ? g.columns : x - begin);
  };
  int const low = column(g.low), high = column(g.high);
  // Columns past the outermost ones that there are get their values.
  int const least = column(g.least), last = g.last < begin ? int(g.last - begin) : column(g.last);
  Word word[rows][chunks];
  visit_rows<rows>(g, first_row, begin, [&](int r, std::int64_t, std::int64_t, std::int64_t in, std::int64_t) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      int const x = lane + 32 * c;
      if (x >= low && x < high) word[r][c] = from[in + (x < least ? least : x > last ? last : x)];
    }
  });
  visit_rows<rows>(g, first_row, begin, [&](int r, std::int64_t, std::int64_t, std::int64_t, std::int64_t out) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      int const x = lane + 32 * c;
      if (x >= low && x < high) to[out + x] = word[r][c];
    }
  });
  if (g.second == 0) return;
  int const keep_low = column(g.keep_begin[2]), keep_high = column(g.keep_end[2]);
  visit_rows<rows>(g, first_row, begin,
                   [&](int r, std::int64_t plane, std::int64_t line, std::int64_t, std::int64_t out) {
                     bool const inside = keeps(g, plane, line);
                     if (inside && keep_low <= low && keep_high >= high) return;
#pragma unroll
                     for (int c = 0; c < chunks; ++c) {
                       int const x = lane + 32 * c;
                       if (x < low || x >= high) continue;
                       if (!inside || x < keep_low || x >= keep_high) to[g.second + out + x] = word[r][c];
                     }
                   });
}

/// Rows of which a thread copies a vector each, and threads of a block.
constexpr int vector_copy_rows = 4, vector_copy_threads = 256;
/// Values of a vector, and those of a row beside its whole vectors, at most.
constexpr int vector_copy_values = 8, vector_copy_ends = 2 * (vector_copy_values - 1);
/// Columns of a row from which on vectors are taken: with 45 that is slower, with 513 faster, between these it was not
/// measured (docs/experiments/2026-11-30-tails-of-rows.md).
constexpr std::int64_t vector_copy_columns = 200;

struct VectorCopyArgs : RowCopyArgs {
  std::int64_t vectors;         ///< whole ones of a row, at most
  std::uint32_t vector_blocks;  ///< blocks that copy these
  std::int64_t begin, end;      ///< elements of the input between which all are that are copied
};

/// 16 bytes from byte `at`, an even number, of two adjacent vectors on.
__device__ __forceinline__ uint4 part_of(uint4 const& first, uint4 const& second, unsigned at) {
  std::uint32_t u[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
#pragma unroll
  for (int i = 0; i < 6; ++i) u[i] = at & 8 ? u[i + 2] : u[i];
#pragma unroll
  for (int i = 0; i < 5; ++i) u[i] = at & 4 ? u[i + 1] : u[i];
#pragma unroll
  for (int i = 0; i < 4; ++i) u[i] = __funnelshift_r(u[i], u[i + 1], at % 4 * 8);
  return make_uint4(u[0], u[1], u[2], u[3]);
}

/// The same for long rows of 16-bit values, which `row_copy` moves with as many instructions as larger ones. The first
/// blocks make whole vectors of the copy: a thread makes one in each of some rows, out of the two vectors of the input
/// in which its values lie. The other blocks copy what is left at the ends of rows, a value a thread.
__global__ void __launch_bounds__(vector_copy_threads)
    vector_copy(__grid_constant__ VectorCopyArgs const g, std::uint16_t const* __restrict__ from,
                std::uint16_t* __restrict__ to) {
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  constexpr int V = vector_copy_values;
  // Columns of a row of the copy in front of its first whole vector, and all whole vectors.
  auto const before = [&](std::int64_t out) {
    return (V - int(reinterpret_cast<std::uintptr_t>(to + out) / sizeof(std::uint16_t) % V)) % V;
  };
  auto const vectors = [&](std::int64_t out) { return (g.high - g.low - before(out)) / V; };
  if (blockIdx.x >= g.vector_blocks) {
    std::int64_t const thread = std::int64_t(blockIdx.x - g.vector_blocks) * vector_copy_threads + threadIdx.x;
    std::int64_t const row    = thread / vector_copy_ends;
    int const i               = int(thread - row * vector_copy_ends);
    if (row >= g.rows) return;
    visit_rows<1>(
        g, Row(g, row), g.low, [&](int, std::int64_t plane, std::int64_t line, std::int64_t in, std::int64_t out) {
          bool const first     = i < V - 1;
          std::int64_t const x = first ? i : before(out) + vectors(out) * V + i - (V - 1);
          if (x >= (first ? before(out) : g.high - g.low)) return;
          std::uint16_t const value = from[in + x];
          to[out + x]               = value;
          bool const kept = keeps(g, plane, line) && g.low + x >= g.keep_begin[2] && g.low + x < g.keep_end[2];
          if (g.second != 0 && !kept) to[g.second + out + x] = value;
        });
    return;
  }
  std::int64_t const thread = std::int64_t(blockIdx.x) * vector_copy_threads + threadIdx.x;
  std::int64_t const group = divided(thread, g.vectors), row = group * vector_copy_rows;
  std::int64_t const x = (thread - group * g.vectors) * V;
  if (row >= g.rows) return;
  Row const first_row(g, row);
  uint4 both[vector_copy_rows][2] = {};
  visit_rows<vector_copy_rows>(
      g, first_row, g.low, [&](int r, std::int64_t, std::int64_t, std::int64_t in, std::int64_t out) {
        if (x >= vectors(out) * V) return;
        std::uint16_t const* const values = from + in + before(out) + x;
        auto const at                     = reinterpret_cast<std::uintptr_t>(values) % 16;
        auto const* const vector =
            reinterpret_cast<std::uint16_t const*>(reinterpret_cast<std::uintptr_t>(values) - at);
        // Before the first value that is copied and after the last one there need not be memory.
        if (vector >= from + g.begin && vector + 2 * V <= from + g.end) {
          both[r][0] = __ldg(reinterpret_cast<uint4 const*>(vector));
          if (at != 0) both[r][1] = __ldg(reinterpret_cast<uint4 const*>(vector) + 1);
        } else {
          std::uint16_t some[2 * V] = {};
#pragma unroll
          for (int v = 0; v < 2 * V; ++v) {
            if (vector + v >= values && vector + v < values + V) some[v] = vector[v];
          }
          memcpy(both[r], some, sizeof some);
        }
      });
  visit_rows<vector_copy_rows>(
      g, first_row, g.low, [&](int r, std::int64_t plane, std::int64_t line, std::int64_t in, std::int64_t out) {
        if (x >= vectors(out) * V) return;
        int const first          = before(out);
        std::int64_t const begin = g.low + first + x, end = begin + V;
        auto const at                     = unsigned(reinterpret_cast<std::uintptr_t>(from + in + first + x) % 16);
        uint4 const made                  = part_of(both[r][0], both[r][1], at);
        std::uint16_t* const vector       = to + out + first + x;
        *reinterpret_cast<uint4*>(vector) = made;
        bool const inside                 = keeps(g, plane, line);
        if (g.second == 0 || (inside && begin >= g.keep_begin[2] && end <= g.keep_end[2])) return;
        if (g.second % V == 0 && (!inside || end <= g.keep_begin[2] || begin >= g.keep_end[2])) {
          *reinterpret_cast<uint4*>(vector + g.second) = made;
          return;
        }
        std::uint16_t value[V];
        memcpy(value, &made, sizeof value);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          bool const kept = inside && begin + v >= g.keep_begin[2] && begin + v < g.keep_end[2];
          if (!kept) vector[g.second + v] = value[v];
        }
      });
}

}  // namespace

template <class Word>
void launch_row_copy(RowCopyArgs const& args, Word const* from, Word* to, cudaStream_t stream) {
  if constexpr (sizeof(Word) == 2) {
    std::int64_t const columns = args.high - args.low;
    if (columns >= vector_copy_columns && args.least <= args.low && args.last >= args.high - 1) {
      VectorCopyArgs g{};
      static_cast<RowCopyArgs&>(g) = args;
      g.vectors                    = columns / vector_copy_values;
      g.vector_blocks =
          static_cast<std::uint32_t>(divide_up(divide_up(g.rows, vector_copy_rows) * g.vectors, vector_copy_threads));
      g.begin = std::numeric_limits<std::int64_t>::max();
      g.end   = std::numeric_limits<std::int64_t>::min();
      for (std::int64_t const plane : {g.plane, g.plane + g.rows / g.lines - 1}) {
        for (std::int64_t const line : {g.line, g.line + g.lines - 1}) {
          std::int64_t const row = plane * g.from_stride[0] + line * g.from_stride[1];
          g.begin                = std::min(g.begin, row + g.low);
          g.end                  = std::max(g.end, row + g.high);
        }
      }
      auto const ends = static_cast<std::uint32_t>(divide_up(g.rows * vector_copy_ends, vector_copy_threads));
      launch_dependent<vector_copy>(g.vector_blocks + ends, vector_copy_threads, 0, stream, g, from, to);
      return;
    }
  }
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
