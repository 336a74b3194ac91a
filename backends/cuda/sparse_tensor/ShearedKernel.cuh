// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "NonFinite.cuh"
#include "Operands.cuh"
#include "Store.cuh"

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"

#include <cstdint>
#include <type_traits>

// Volumes whose rows begin anywhere. In memory a volume is a line, which may as well be cut into rows of another
// length: here the multiple of 8 next to the pitch, and planes likewise. All these rows begin at 16 bytes. A neighbour
// in the row below then lies a few columns aside of where it was, the same number everywhere: it is the stencil that is
// sheared, and its coefficients stand in other columns of the matrices. What lies between the rows of the View is
// computed, too, and not stored.
//
// Positions are elements of that line, counted from the 128 bytes of memory in which the output begins. args.in_y
// and in_z are the pitches of these rows and planes, args.out_y and out_z those of both Views.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// The shape of a block: Warps warps one below the other, each with Deep_ rows of 128 outputs, and a ring of Stages_
/// planes in shared memory.
template <int Radius_, int Deep_, int Warps, int Stages_, int Blocks_>
struct Sheared {
  static constexpr int radius      = Radius_;
  static constexpr int deep        = Deep_;
  static constexpr int rows        = Deep_ * Warps;
  static constexpr int stages      = Stages_;
  static constexpr int blocks      = Blocks_;  ///< resident a multiprocessor
  static constexpr int threads     = 32 * Warps;
  static constexpr int row_vectors = warp_outputs / 8 + 2;  ///< of 16 bytes
  static constexpr int stage       = (rows + 2 * radius) * row_vectors;
  static constexpr int each        = (stage + threads - 1) / threads;  ///< vectors that a thread copies
  static_assert(16 * stage * stages <= 48 * 1024, "more shared memory has to be asked for");
};

/// Where a tile of a block begins, and its planes.
struct ShearedTile {
  std::int64_t position;  ///< of its first output in its first plane
  std::int64_t plane;     ///< the first, counted from that of the range
  int height;
  int column;  ///< of its first output, from the begin of the row

  template <class Block>
  static __device__ __forceinline__ ShearedTile of(Args const& args, Block) {
    std::uint32_t const rest = blockIdx.x / args.strips;
    auto const column        = static_cast<int>(blockIdx.x % args.strips) * warp_outputs;
    // The last rows are moved back, where two blocks store the same. The last planes are fewer: at another place in the
    // window of a product the last bit of a sum may be another.
    std::int64_t const plane = std::int64_t(rest / args.planes) * args.height;
    auto const height        = static_cast<int>(min(std::int64_t(args.height), args.y_end - plane));
    std::int64_t const row   = min(std::int64_t(rest % args.planes) * Block::rows, args.z_end - Block::rows);
    // Planes of the View begin by a few elements earlier or later in each plane.
    std::int64_t const drift = (args.out_z - args.in_z) * (height - 1);
    std::int64_t const home =
        (args.first + plane * args.out_z + (drift < 0 ? drift : 0)) & ~std::int64_t(sheared_line - 1);
    return {home + row * args.in_y + column, plane, height, column};
  }
};

/// Where a lane's four outputs of a row lie in the range.
struct ShearedPlace {
  std::uint32_t column;  ///< of the first, from the first of the range; less than the pitch
  std::uint32_t at;      ///< the same in elements of the View, or beyond the range if it is before that

  __device__ __forceinline__ ShearedPlace(Args const& args, std::int64_t position, std::int64_t plane) {
    std::int64_t const from = position - args.first - plane * args.out_z;
    at                      = static_cast<std::uint32_t>(from);
    // The tile may begin before the range, by less than a row.
    column = static_cast<std::uint32_t>(from + args.out_y) % static_cast<std::uint32_t>(args.out_y);
  }
  /// So many elements further on; `columns`: the remainder of that by the pitch.
  __device__ __forceinline__ void advance(std::uint32_t elements, std::uint32_t columns, std::uint32_t pitch) {
    at += elements;
    column = min(column + columns, column + columns - pitch);
  }
  /// `end`: elements from the first of the range to the end of its last row, with what is between two rows.
  __device__ __forceinline__ bool whole(std::uint32_t columns, std::uint32_t end) const {
    return column + 4 <= columns && at < end;
  }
  /// Whether output e is in the range.
  __device__ __forceinline__ bool has(std::uint32_t e, std::uint32_t columns, std::uint32_t pitch,
                                      std::uint32_t end) const {
    return min(column + e, column + e - pitch) < columns && at + e < end;
  }
};

/// Copies a vector of which not all lies in the View: what does not is some other value.
__device__ __noinline__ inline void copy_sheared_part(Args const& args, std::uint16_t* to, std::int64_t position) {
  auto const* const in = static_cast<std::uint16_t const*>(args.in);
#pragma unroll 1
  for (int e = 0; e < 8; ++e) {
    std::int64_t const at = position + e < args.low ? args.low : position + e;
    to[e]                 = in[at < args.high ? at : args.high - 1];
  }
}

/// Elements from the first output of a plane to the end of the last row.
__device__ __forceinline__ std::uint32_t sheared_end(Args const& args) {
  return static_cast<std::uint32_t>(args.rows * args.out_y);
}

/// Computes results that are not finite again.
template <class Element, class Block>
__device__ __noinline__ void fix_sheared(Args const& args) {
  ShearedTile const tile = ShearedTile::of(args, Block());
  int const lane = static_cast<int>(threadIdx.x & 31u), warp = static_cast<int>(threadIdx.x >> 5);
  auto const* const in = static_cast<std::uint16_t const*>(args.in);
  auto* const out      = static_cast<std::uint16_t*>(args.out);
  for (int z = 0; z < tile.height; ++z) {
    for (int d = 0; d < Block::deep; ++d) {
      if (tile.column + 4 * lane >= args.in_y) continue;
      std::int64_t const at = tile.position + z * args.in_z + (warp * Block::deep + d) * args.in_y + 4 * lane;
      ShearedPlace const place(args, at, tile.plane + z);
      for (int e = 0; e < 4; ++e) {
        if (!place.has(e, args.columns, static_cast<std::uint32_t>(args.out_y), sheared_end(args))) continue;
        std::uint16_t& to = out[at + e];
        if ((to & Value<Element>::exponent) != Value<Element>::exponent) continue;
        float sum = -0.0f;
        for (int t = 0; t < args.term_count; ++t) {
          sum = fmaf(args.terms[t].coefficient, Value<Element>::load(in[at + e + args.terms[t].offset]), sum);
        }
        to = Value<Element>::round(sum);
      }
    }
  }
}

/// A block streams through planes over a ring of them in shared memory. A row of inputs adds to the sums of all rows
/// and planes of outputs that it reaches, which are in registers.
template <bool Cross, int Splits, class Element, class Block>
__global__ void __launch_bounds__(Block::threads, Block::blocks) sheared(__grid_constant__ Args const args) {
  constexpr int R = Block::radius, N = 2 * R + 1, Deep = Block::deep;
  using S = Shape<N, N, Cross, Splits>;
  __shared__ uint4 shared[Block::stage * Block::stages];
  Ptx::GridDependency::signal();
  int const lane = static_cast<int>(threadIdx.x & 31u), warp = static_cast<int>(threadIdx.x >> 5);
  ShearedTile const tile = ShearedTile::of(args, Block());
  int const planes       = tile.height + 2 * R;

  // The vectors that this thread copies of each plane, by their index from position 0.
  std::int32_t from[Block::each];
#pragma unroll
  for (int i = 0; i < Block::each; ++i) {
    int const at = min(static_cast<int>(threadIdx.x) + i * Block::threads, Block::stage - 1);
    from[i] =
        static_cast<std::int32_t>((tile.position - R * args.in_z + (at / Block::row_vectors - R) * args.in_y) / 8) - 1 +
        at % Block::row_vectors;
  }
  auto const plane = static_cast<std::int32_t>(args.in_z / 8);
  // Vectors that lie in the View as a whole.
  auto const lowest  = static_cast<std::int32_t>((args.low + 7) / 8),
             highest = static_cast<std::int32_t>(args.high / 8) - 1;
  auto const least   = static_cast<std::int32_t>((tile.position - R * args.in_z - R * args.in_y) / 8) - 1;
  auto const most    = static_cast<std::int32_t>(
                        (tile.position + (planes - 1 - R) * args.in_z + (Block::rows + R - 1) * args.in_y) / 8) -
                    2 + Block::row_vectors;
  bool const careful    = least < lowest || most > highest;
  auto const start      = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  std::uint32_t mine    = start + threadIdx.x * 16;
  int left              = planes;
  std::uint32_t fill    = 0;
  auto const next_stage = [](std::uint32_t at) {
    return at == 16 * Block::stage * (Block::stages - 1) ? 0 : at + 16 * Block::stage;
  };
  auto const copy = [&](auto is_careful) {
    constexpr bool here_careful = decltype(is_careful)::value;
#pragma unroll
    for (int i = 0; i < Block::each; ++i) {
      int const at           = static_cast<int>(threadIdx.x) + i * Block::threads;
      std::uint32_t const to = mine + fill + i * Block::threads * 16;
      if ((i + 1) * Block::threads <= Block::stage || at < Block::stage) {
        if (here_careful && (from[i] < lowest || from[i] > highest)) {
          copy_sheared_part(args, reinterpret_cast<std::uint16_t*>(shared) + (to - start) / 2,
                            std::int64_t(from[i]) * 8);
        } else {
          Ptx::CopyAsync::run_line(to, args.in, static_cast<std::uint32_t>(from[i]));
        }
      }
      from[i] += plane;
    }
  };
  auto const fetch = [&] {
    if (left > 0) {
      if (careful) {
        copy(std::true_type());
      } else {
        copy(std::false_type());
      }
      --left;
      fill = next_stage(fill);
    }
    Ptx::CopyAsync::commit();
  };
#pragma unroll
  for (int s = 0; s < Block::stages - 1; ++s) fetch();

  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  // Where this lane's vectors lie in a stage.
  std::uint32_t window =
      start + (warp * Deep * Block::row_vectors + 2 * (lane >> 2) + 2 * (lane & 1) + (lane >> 1 & 1)) * 16;
  asm volatile("" : "+r"(window), "+r"(mine));  // keeps the compiler from computing them again
  auto const pitch = static_cast<std::uint32_t>(args.out_y), columns = static_cast<std::uint32_t>(args.columns),
             end           = sheared_end(args);
  auto const row_step      = static_cast<std::uint32_t>(args.in_y);
  auto const a_row         = row_step % pitch;
  auto const drift         = static_cast<std::int32_t>(args.in_z - args.out_z);
  auto const a_plane       = static_cast<std::uint32_t>(drift < 0 ? drift + static_cast<std::int32_t>(pitch) : drift);
  std::int64_t const first = tile.position + warp * Deep * args.in_y + 4 * lane;
  ShearedPlace place(args, first, tile.plane);
  // What lies behind the end of a row is of the next one, whose first strip computes it.
  bool const own           = tile.column + 4 * lane < static_cast<int>(args.in_y);
  auto* to                 = static_cast<std::uint16_t*>(args.out) + first;
  std::uint32_t non_finite = 0;

  // sum[(p - k) modulo N] is that of the output plane to which input plane p is plane k of the stencil. The first 2 R
  // and the last 2 R input planes also reach planes of other tiles, whose sums are not stored here.
  float sum[N][Deep][4] = {};
  std::uint32_t slot    = 0;
  int p                 = 0;
  // Takes the next plane p, with u = p modulo N. Returns false after the last one.
  auto const step = [&](int u) {
    Ptx::CopyAsync::wait<Block::stages - 2>();
    __syncthreads();
    uint4 row[2];
    row[0] = Ptx::LoadShared::run(window + slot);
    fetch();
#pragma unroll
    for (int r = 0; r < Deep + 2 * R; ++r) {
      if (r + 1 < Deep + 2 * R)
        row[(r + 1) % 2] = Ptx::LoadShared::run(window + slot + (r + 1) * Block::row_vectors * 16);
#pragma unroll
      for (int k = N - 1; k >= 0; --k) {
#pragma unroll
        for (int d = 0; d < Deep; ++d) {
          int const j = r - d;
          if (j < 0 || j >= N || !S::has(k, j)) continue;
          bool const begins = k == 0 && j == (Cross ? R : 0);
          matrices.product(k, j, row[r % 2], sum[(u - k + N) % N][d], begins);
        }
      }
    }
    slot = next_stage(slot);
    if (p >= N - 1) {
      float const(&done)[Deep][4] = sum[(u + 1) % N];
      ShearedPlace at             = place;
#pragma unroll
      for (int d = 0; d < Deep; ++d) {
        std::uint32_t low         = Ptx::RoundPair<Element>::run(done[d][0], done[d][1]);
        std::uint32_t high        = Ptx::RoundPair<Element>::run(done[d][2], done[d][3]);
        non_finite                = Ptx::TimesZeroPlus<Element>::run(low, non_finite);
        non_finite                = Ptx::TimesZeroPlus<Element>::run(high, non_finite);
        low                       = Ptx::Movmatrix::run(low);
        high                      = Ptx::Movmatrix::run(high);
        std::uint16_t* const four = to + d * args.in_y;
        bool const whole          = own && at.whole(columns, end);
        if (whole) *reinterpret_cast<uint2*>(four) = make_uint2(low, high);
        if (!__all_sync(0xffffffffu, whole || !own)) {
          std::uint32_t const value[2] = {low, high};
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            if (!whole && own && at.has(e, columns, pitch, end))
              four[e] = static_cast<std::uint16_t>(value[e / 2] >> (16 * (e % 2)));
          }
        }
        at.advance(row_step, a_row, pitch);
      }
      to += args.in_z;
      place.advance(static_cast<std::uint32_t>(drift), a_plane, pitch);
    }
    return ++p < planes;
  };
  for (bool more = true; more;) {
#pragma unroll
    for (int u = 0; u < N; ++u) more = more && step(u);
  }
  if (any_non_finite(non_finite)) fix_sheared<Element, Block>(args);
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
