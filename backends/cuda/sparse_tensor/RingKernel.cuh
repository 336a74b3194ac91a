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

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Vectors of 16 bytes of an input row that a warp's outputs depend on.
constexpr int row_vectors = warp_outputs / 8 + 2;

__device__ inline Tile ring_tile(Args const& args) {
  std::uint32_t const rest = blockIdx.x / args.strips;
  return Tile(args, blockIdx.x % args.strips, rest / args.planes, rest % args.planes);
}

/// Finds its tile again instead of being told: kept in registers until the end, it would be spilled.
template <class Element>
__device__ __noinline__ void fix_ring(Args const& args, float* patch) {
  Tile const tile = ring_tile(args);
  int const lane  = static_cast<int>(threadIdx.x);
  if (args.sweeps > 1) {
    fix_sweeps<Element>(args, tile.x, tile.y, tile.z, tile.height, lane, patch);
  } else {
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

/// Tall tiles of planar stencils of many rows: rows stream through rotating sums, as in `stream`, but come by way of a
/// ring in shared memory, which takes fewer registers. The ring has as many rows as the stencil. They are copied in
/// batches of Batch rows, all batches but one ahead of their use. Ragged: some columns of the tile are not in the
/// range.
template <class S, class Element, int Batch, bool Ragged>
__device__ __forceinline__ void ring_warp(Args const& args, Tile const& tile, uint4 (&shared)[S::rows * row_vectors]) {
  constexpr int N          = S::rows;
  constexpr int Slots      = N / Batch;
  constexpr int RowVectors = row_vectors;
  constexpr int Vectors    = Batch * RowVectors;
  constexpr int Copies     = (Vectors + 31) / 32;
  static_assert(S::loads == 1 && N % Batch == 0 && Slots >= 2, "");
  // The ring has room for the two states of a patch of fix_sweeps.
  static_assert((patch_side + N - 1) * (patch_side + N - 1) * 2 * sizeof(float) <= sizeof(shared), "");

  // A lane copies vectors lane, lane + 32, ... of a batch. The first batch begins with a row that is not copied, so
  // that a tile has whole turns of N steps.
  int const lane   = static_cast<int>(threadIdx.x);
  auto const place = [&](int c) {
    std::int32_t const x = tile.x - args.lead + (lane + 32 * c) % RowVectors * 8;
    return (lane + 32 * c) / RowVectors * args.in_y + max(args.vector_first, min(x, args.vector_last));
  };
  // Counted in vectors, since pointers would take more registers than there are.
  auto from =
      static_cast<std::uint32_t>((tile.z * args.in_z + (tile.y - 1) * args.in_y + place(0) - args.vector_first) / 8);
  std::int32_t offset[Copies];  // from the first
#pragma unroll
  for (int c = 0; c < Copies; ++c) offset[c] = c == 0 ? 0 : static_cast<std::int32_t>(place(c) - place(0)) / 8;
  auto const mine  = static_cast<std::uint32_t>(__cvta_generic_to_shared(&shared[lane]));
  auto const fetch = [&](int slot, bool first, bool none) {
#pragma unroll
    for (int c = 0; c < Copies && !none; ++c) {
      bool const some = (32 * c + 31 < Vectors || lane + 32 * c < Vectors) && !(first && lane + 32 * c < RowVectors);
      if (some) Ptx::CopyAsync::run(mine + (slot * Vectors + 32 * c) * 16, args.vectors, from + offset[c]);
    }
    Ptx::CopyAsync::commit();
    from += static_cast<std::uint32_t>(Batch * args.in_y / 8);
  };
#pragma unroll
  for (int b = 0; b < Slots - 1; ++b) fetch(b, b == 0, false);
  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  auto const window =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(&shared[2 * (lane >> 2) + 2 * (lane & 1) + (lane >> 1 & 1)]));
  float sum[N][4];
  // Step u of a turn: takes the next input row and applies kernel rows k0 to k1 to it. When a batch begins, the one
  // before it has freed its place, into which another batch is copied.
  auto const step = [&](int u, int k0, int k1, bool last) {
    if (u % Batch == 0) {
      Ptx::CopyAsync::wait<Slots - 2>();
      __syncwarp();
      fetch((u / Batch + Slots - 1) % Slots, false, last && u > 0);
    }
    if (k0 > k1) return;
    // The barrier keeps the compiler from loading several rows at once. Their products would become dependent chains,
    // and registers run out.
    __syncwarp();
    uint4 const row = Ptx::LoadShared::run(window + u * RowVectors * 16);
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      if (k >= k0 && k <= k1) matrices.product(0, k, row, sum[(u + N - 1 - k) % N], k == 0);
    }
  };
  Writer<Element, true> writer;
  writer.start(args, tile, lane);
  auto const put = [&](int slot) {
    if constexpr (Ragged) {
      writer.put(0, sum[slot]);
    } else {
      *reinterpret_cast<uint2*>(writer.to) = writer.round(sum[slot]);
    }
    writer.to += args.out_y;
  };

  step(0, 1, 0, false);
#pragma unroll
  for (int u = 1; u < N; ++u) step(u, 0, u - 1, false);
  for (std::uint32_t rows = N; rows < tile.height; rows += N) {
#pragma unroll
    for (int u = 0; u < N; ++u) {
      step(u, 0, N - 1, false);
      put(u);
    }
  }
#pragma unroll
  for (int u = 0; u < N; ++u) {
    step(u, u, N - 1, true);
    put(u);
  }
  if (any_non_finite(writer.non_finite)) fix_ring<Element>(args, reinterpret_cast<float*>(&shared[0]));
}

/// A block is one warp with one tile.
template <class S, class Element, int Batch, int Blocks>
__global__ void __launch_bounds__(32, Blocks) ring(__grid_constant__ Args const args) {
  __shared__ uint4 shared[S::rows * row_vectors];
  Ptx::GridDependency::signal();
  Tile const tile = ring_tile(args);
  if (tile.x >= args.x_begin && tile.x + warp_outputs <= args.x_end) {
    ring_warp<S, Element, Batch, false>(args, tile, shared);
  } else {
    ring_warp<S, Element, 1, true>(args, tile, shared);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
