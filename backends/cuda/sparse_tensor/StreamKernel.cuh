// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "NonFinite.cuh"
#include "Operands.cuh"
#include "Store.cuh"

#include "arch/Memory.hpp"

#include <cstdint>

// Separate from RingKernel.cuh: for stencils of seven rows matrices, sums and the rows being loaded fit in registers,
// which is faster than a ring in shared memory.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Tall tiles of a plane: rows stream through rotating sums, while the next Ahead rows are being loaded. The grid is
/// persistent: a warp does several tiles, for which it loads its matrices once. The height of a tile is a multiple of
/// the stencil's rows, after which the sums have rotated once.
template <class S, class Element, int Ahead, int Blocks>
__global__ void __launch_bounds__(32, Blocks) stream(__grid_constant__ Args const args) {
  constexpr int N = S::rows;
  static_assert(S::loads == 1, "planes only");
  static_assert(Ahead <= N, "the rows in flight at the end of a tile belong to the next one");
  // A block is one warp, so `warp` is 0. Written as 0 it would change the order of loads and products, which has not
  // been timed.
  int const lane            = static_cast<int>(threadIdx.x & 31u);
  std::uint32_t const warp  = threadIdx.x >> 5;
  std::uint32_t const tiles = args.strips * args.chunks * args.planes;
  std::uint32_t at          = blockIdx.x;
  if (at >= tiles) return;

  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  auto const tile_at = [&](std::uint32_t t) {
    std::uint32_t const strip = t % args.strips + warp, rest = t / args.strips;
    return Tile(args, strip, rest / args.planes, rest % args.planes);
  };
  uint4 ahead[Ahead]        = {};
  std::uint16_t const* from = nullptr;
  auto const start          = [&](std::uint32_t t) { from = first_vector(args, tile_at(t), lane); };
  auto const load           = [&](uint4& row) {
    row = Ptx::LoadOrdered::run(from);
    from += args.in_y;
  };
  float sum[N][4];
  // Takes row j and applies kernel rows k0 to k1 to it. Row k adds to output j - k, whose sum is in slot (j - k) mod N.
  auto const step = [&](int j, int k0, int k1) {
    uint4 const row = ahead[0];
#pragma unroll
    for (int p = 0; p + 1 < Ahead; ++p) ahead[p] = ahead[p + 1];
    load(ahead[Ahead - 1]);
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      if (k >= k0 && k <= k1) matrices.product(0, k, row, sum[(j - k + N) % N], k == 0);
    }
  };
  Writer<Element> writer;
  auto const put = [&](int slot) {
    writer.put(0, sum[slot]);
    writer.to += args.out_y;
  };

  start(at);
#pragma unroll
  for (int p = 0; p < Ahead; ++p) load(ahead[p]);
  for (;;) {
    Tile const tile            = tile_at(at);
    std::uint32_t const height = tile.height;
    writer.start(args, tile, lane);
#pragma unroll
    for (int j = 0; j < N - 1; ++j) step(j, 0, j);
    for (std::uint32_t rows = N; rows < height; rows += N) {
#pragma unroll
      for (int u = 0; u < N; ++u) {
        step(u + N - 1, 0, N - 1);
        put(u);
      }
    }
    std::uint32_t const next = at + gridDim.x;
#pragma unroll
    for (int u = 0; u < N; ++u) {
      if (u == N - Ahead) start(next < tiles ? next : at);
      step(u + N - 1, u, N - 1);
      put(u);
    }
    if (next >= tiles) break;
    at = next;
  }
  // Done after the last tile, since a call between tiles would have to save the matrices.
  if (!any_non_finite(writer.non_finite)) return;
  for (at = blockIdx.x; at < tiles; at += gridDim.x) {
    Tile const tile = tile_at(at);
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
