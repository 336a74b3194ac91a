// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "NonFinite.cuh"
#include "Operands.cuh"
#include "Store.cuh"

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"
#include "arch/MmaSparse.hpp"

// 3-D stencils that reach one point along every axis, with the operands of transform/FoldPack.hpp: two products serve
// the three rows of a plane.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// The shape of a block: Warps warps one below the other, each with Deep_ rows of 128 outputs, and a ring of Stages_
/// planes in shared memory.
template <int Deep_, int Warps, int Stages_, int Blocks_>
struct Slab {
  static constexpr int deep        = Deep_;
  static constexpr int rows        = Deep_ * Warps;
  static constexpr int stages      = Stages_;
  static constexpr int blocks      = Blocks_;  ///< resident a multiprocessor
  static constexpr int threads     = 32 * Warps;
  static constexpr int row_vectors = warp_outputs / 8 + 4;  ///< of 16 bytes: whole sectors on both sides
  static constexpr int stage       = (rows + 2) * row_vectors;
  static constexpr int each        = (stage + threads - 1) / threads;  ///< vectors that a thread copies
  static_assert(row_vectors % 8 == 4, "the vectors of two rows that lanes load together lie in different banks");
  static_assert(16 * stage * stages <= 48 * 1024, "more shared memory has to be asked for");
};

/// Rounds and stores a lane's outputs, four a row. Where the range begins or ends inside a sector of 16 outputs, 16
/// lanes store an output of that sector each, all in one store: lanes 0 to 15 in the first such sector, the others in
/// the last. Every store to a sector is a request to the second-level cache, whose rate binds. With rows of 512 points
/// that is worth the shuffles.
template <class Element>
struct SlabWriter {
  std::uint16_t* to;
  std::uint32_t non_finite = 0;
  std::uint32_t flags;  ///< the bits below; which lane's outputs `single` takes, and which of them (for __byte_perm)
  std::int32_t away;    ///< distance of that output from `to`

  static constexpr std::uint32_t whole  = 1u << 31;  ///< this lane stores its four outputs
  static constexpr std::uint32_t single = 1u << 30;  ///< this lane stores an output of a sector that is stored in part
  static constexpr std::uint32_t ends   = 1u << 29;  ///< some lane of the warp has `single`

  __device__ SlabWriter(Args const& args, std::int32_t x, std::int64_t y, std::int64_t z, int lane) {
    to = static_cast<std::uint16_t*>(args.out) + z * args.out_z + y * args.out_y + x + 4 * lane;
    // Sectors are counted from the tile, which begins at a line of the output wherever that is possible.
    std::int32_t const first = args.x_begin - x, last = args.x_end - x;  // of the range, from the tile
    bool const has_first    = first > 0 && first < warp_outputs && first % 16 != 0;
    bool const has_last     = last > 0 && last < warp_outputs && last % 16 != 0;
    bool const both         = has_first && has_last && first / 16 == last / 16;
    std::int32_t const mine = 16 * (lane < 16 ? first / 16 : last / 16) + lane % 16;
    std::int32_t const at   = lane / 4;
    flags                   = (static_cast<std::uint32_t>(mine / 4) & 31u) << 16 | (0x10u + 0x22u * (lane % 4));
    if ((lane < 16 ? has_first : has_last && !both) && mine >= first && mine < last) flags |= single;
    if (4 * lane >= first && 4 * lane < last && !(has_first && at == first / 16) && !(has_last && at == last / 16)) {
      flags |= whole;
    }
    if (has_first || has_last) flags |= ends;
    away = mine - 4 * lane;
    // Keeps the compiler from computing them again at every store.
    asm volatile("" : "+r"(flags), "+r"(away));
  }

  /// Stores all rows together, since each step of a row waits for the one before.
  template <int Deep>
  __device__ void put(std::int64_t pitch, float const (&sum)[Deep][4]) {
    std::uint32_t low[Deep], high[Deep];
#pragma unroll
    for (int d = 0; d < Deep; ++d) {
      low[d]  = Ptx::RoundPair<Element>::run(sum[d][0], sum[d][1]);
      high[d] = Ptx::RoundPair<Element>::run(sum[d][2], sum[d][3]);
    }
#pragma unroll
    for (int d = 0; d < Deep; ++d) {
      non_finite = Ptx::TimesZeroPlus<Element>::run(low[d], non_finite);
      low[d]     = Ptx::Movmatrix::run(low[d]);
      non_finite = Ptx::TimesZeroPlus<Element>::run(high[d], non_finite);
      high[d]    = Ptx::Movmatrix::run(high[d]);
    }
#pragma unroll
    for (int d = 0; d < Deep; ++d) {
      if ((flags & whole) != 0) *reinterpret_cast<uint2*>(to + d * pitch) = make_uint2(low[d], high[d]);
    }
    if ((flags & ends) == 0) return;
#pragma unroll
    for (int d = 0; d < Deep; ++d) {
      low[d]  = __shfl_sync(0xffffffffu, low[d], flags >> 16);
      high[d] = __shfl_sync(0xffffffffu, high[d], flags >> 16);
    }
#pragma unroll
    for (int d = 0; d < Deep; ++d) {
      if ((flags & single) != 0) to[d * pitch + away] = static_cast<std::uint16_t>(__byte_perm(low[d], high[d], flags));
    }
  }
};

/// A block streams through a slab of `height` planes (along y, here) over a ring of planes in shared memory. A plane of
/// inputs adds to the sums of the three output planes that it reaches, which are in registers.
template <int Splits, class Element, class Block>
__global__ void __launch_bounds__(Block::threads, Block::blocks) slabs(__grid_constant__ Args const args) {
  constexpr int N = 3, Products = 2, Deep = Block::deep;
  __shared__ uint4 shared[Block::stage * Block::stages];
  Ptx::GridDependency::signal();
  int const lane = static_cast<int>(threadIdx.x & 31u), warp = static_cast<int>(threadIdx.x >> 5);
  std::uint32_t const rest = blockIdx.x / args.strips;
  Tile const tile(args, blockIdx.x % args.strips, rest / args.planes, rest % args.planes * Block::rows, Block::rows);

  // The vectors that this thread copies of each plane, by their index. Those outside a row are replaced by others
  // inside, since no output that is stored depends on them.
  std::uint32_t from[Block::each];
#pragma unroll
  for (int i = 0; i < Block::each; ++i) {
    int const at         = min(static_cast<int>(threadIdx.x) + i * Block::threads, Block::stage - 1);
    std::int32_t const x = max(args.vector_first, min(tile.x - 16 + at % Block::row_vectors * 8, args.vector_last));
    from[i]              = static_cast<std::uint32_t>(
        ((tile.z + at / Block::row_vectors) * args.in_z + tile.y * args.in_y + x - args.vector_first) / 8);
  }
  auto const plane      = static_cast<std::uint32_t>(args.in_y / 8);
  auto const start      = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  std::uint32_t mine    = start + threadIdx.x * 16;
  int const planes      = static_cast<int>(tile.height) + N - 1;
  int left              = planes;
  std::uint32_t fill    = 0;
  auto const next_stage = [](std::uint32_t at) {
    return at == 16 * Block::stage * (Block::stages - 1) ? 0 : at + 16 * Block::stage;
  };
  auto const fetch = [&] {
    if (left > 0) {
#pragma unroll
      for (int i = 0; i < Block::each; ++i) {
        if ((i + 1) * Block::threads <= Block::stage ||
            static_cast<int>(threadIdx.x) + i * Block::threads < Block::stage) {
          Ptx::CopyAsync::run_line(mine + fill + i * Block::threads * 16, args.vectors, from[i]);
        }
        from[i] += plane;
      }
      --left;
      fill = next_stage(fill);
    }
    Ptx::CopyAsync::commit();
  };
#pragma unroll
  for (int s = 0; s < Block::stages - 1; ++s) fetch();

  auto const* const matrices = static_cast<uint4 const*>(args.matrices);
  uint4 a[Splits][N][Products];
#pragma unroll
  for (int i = 0; i < Splits * N * Products; ++i) {
    a[i / (N * Products)][i / Products % N][i % Products] = __ldg(matrices + i * 32 + lane);
  }
  std::uint32_t const metadata = __ldg(args.metadata + lane);

  // Where this lane's vectors lie in a stage: in row r or, for lanes `beside`, in the row below; and the two elements
  // next to a block of outputs.
  int const q              = lane & 3;
  bool const beside        = q >= 2;
  std::uint32_t const base = start + (warp * Deep * Block::row_vectors + 2 + (lane >> 2) * 2) * 16;
  std::uint32_t pair       = base + ((q >> 1) * Block::row_vectors + (q & 1)) * 16;
  std::uint32_t neighbour  = base + (q == 2 ? -4 : 32);
  asm volatile("" : "+r"(pair), "+r"(neighbour), "+r"(mine));  // keeps the compiler from computing them again
  std::int64_t const z = tile.z + warp * Deep;
  SlabWriter<Element> writer(args, tile.x, tile.y, z, lane);

  // sum[(p - k) modulo N] is that of the output plane to which input plane p is plane k of the stencil. The first two
  // and the last two input planes also reach planes of other slabs, whose sums are not stored here.
  float sum[N][Deep][4] = {};
  auto const product    = [&](int k, int i, uint4 const& b, float(&to)[4]) {
    float const zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int split = 0; split < Splits; ++split) {
      if (k == 0 && i == 0 && split == 0) {
        Ptx::MmaSparse<Element>::run(to, a[split][k][i], b, zero, metadata);
      } else {
        Ptx::MmaSparse<Element>::run(to, a[split][k][i], b, to, metadata);
      }
    }
  };
  std::uint32_t slot = 0;
  int p              = 0;
  // Takes the next plane p, with u = p modulo N. Returns false after the last one.
  auto const step = [&](int u) {
    Ptx::CopyAsync::wait<Block::stages - 2>();
    __syncthreads();
    uint4 row[Deep + 2];
    std::uint32_t edge[Deep + 2];
    auto const load = [&](int r) {
      // Below the last row lanes `beside` need nothing: that row belongs to another warp, or does not exist.
      bool const back = r == Deep + 1 && beside;
      row[r]          = Ptx::LoadShared::run(pair + slot + (back ? r - 1 : r) * Block::row_vectors * 16);
      edge[r]         = Ptx::LoadSharedOrdered::run(neighbour + slot + r * Block::row_vectors * 16);
    };
    load(0), load(1), load(2);
    fetch();
    // The second products of a row wait for its first ones, so they come after the first products of the next row.
#pragma unroll
    for (int d = 0; d <= Deep; ++d) {
      if (d < Deep) {
        if (d + 3 < Deep + 2) load(d + 3);
#pragma unroll
        for (int k = N - 1; k >= 0; --k) product(k, 0, row[d], sum[(u - k + N) % N][d]);
      }
      if (d > 0) {
        uint4 b = row[d + 1];
        if (beside) b = make_uint4(edge[d - 1], edge[d], edge[d + 1], b.w);
#pragma unroll
        for (int k = N - 1; k >= 0; --k) product(k, 1, b, sum[(u - k + N) % N][d - 1]);
      }
    }
    slot = next_stage(slot);
    if (p >= N - 1) {
      writer.put(args.out_z, sum[(u + 1) % N]);
      writer.to += args.out_y;
    }
    return ++p < planes;
  };
  for (bool more = true; more;) {
#pragma unroll
    for (int u = 0; u < N; ++u) more = more && step(u);
  }
  if (!any_non_finite(writer.non_finite)) return;
  __syncwarp();  // some outputs were stored by other lanes
  for (int d = 0; d < Deep; ++d) fix_non_finite<Element>(args, tile.x, tile.y, z + d, tile.height, lane);
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
