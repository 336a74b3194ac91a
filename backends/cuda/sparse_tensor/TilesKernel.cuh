// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "NonFinite.cuh"
#include "Operands.cuh"
#include "Store.cuh"

#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "common/Shifted.cuh"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// A warp loads all input rows of a tile of Height output rows, then multiplies them. A block takes blockDim.x / 32
/// strips by blockDim.y chunks by blockDim.z planes. Several: the stencil stands for several sweeps of a line.
/// Anywhere: rows may begin at any element, of stencils with one load. It must not read the first and the last row of a
/// View, beyond which there may be no memory.
template <class S, class Element, int Height, int Blocks, bool Several, bool Anywhere>
__global__ void __launch_bounds__(tiles_threads, Blocks) tiles(__grid_constant__ Args const args) {
  constexpr int N = S::rows;
  // With so many rows the compiler would delay the last loads until the first products have freed registers.
  constexpr bool Tall = Height > 8;
  Ptx::GridDependency::signal_at_end();
  int const lane               = static_cast<int>(threadIdx.x & 31u);
  std::uint32_t const blocks_x = (args.strips + blockDim.x / 32 - 1) / (blockDim.x / 32);
  std::uint32_t const blocks_y = (args.chunks + blockDim.y - 1) / blockDim.y;
  std::uint32_t const rest     = blockIdx.x / blocks_x;
  std::uint32_t const strip    = blockIdx.x % blocks_x * (blockDim.x / 32) + (threadIdx.x >> 5);
  std::uint32_t const chunk    = rest % blocks_y * blockDim.y + threadIdx.y;
  std::uint32_t const plane    = rest / blocks_y * blockDim.z + threadIdx.z;
  if (strip >= args.strips || chunk >= args.chunks || plane >= args.planes) return;

  Tile const tile(args, strip, chunk, plane);
  std::uint16_t const* const from = first_vector(args, tile, lane);
  uint4 row[Height + N - 1][S::loads];
#pragma unroll
  for (int j = 0; j < Height + N - 1; ++j) {
#pragma unroll
    for (int l = 0; l < S::loads; ++l) {
      if (S::cross && l != S::loads / 2 && (j < N / 2 || j >= Height + N / 2)) continue;
      std::uint16_t const* const vector = from + (S::loads == 1 ? 0 : args.load_offset[l]) + j * args.in_y;
      if constexpr (Anywhere) {
        static_assert(S::loads == 1 && !Tall && !Several, "");
        row[j][l] = load_anywhere(vector);
        continue;
      }
      row[j][l] = Tall ? Ptx::LoadBeforeSync::run(vector) : __ldg(reinterpret_cast<uint4 const*>(vector));
    }
  }
  Matrices<S, Element> matrices;
  matrices.load(args, lane);
  if (Tall) __syncwarp();
  Writer<Element, Several, Anywhere> writer;
  writer.start(args, tile, lane);
#pragma unroll
  for (int i = 0; i < Height; ++i) {
    float sum[4];
    bool first = true;
#pragma unroll
    for (int k = 0; k < N; ++k) {
#pragma unroll
      for (int l = 0; l < S::loads; ++l) {
        if (!S::has(l, k)) continue;
        matrices.product(l, k, row[i + k][l], sum, first);
        first = false;
      }
    }
    writer.put(0, sum);
    writer.to += args.out_y;
  }
  if (!any_non_finite(writer.non_finite)) return;
  if (Anywhere) __syncwarp();  // outputs were stored by other lanes
  if constexpr (Several) {
    static_assert(S::rows == 1, "");
    // A patch has the larger of the two reaches on both sides, also if a one-sided stencil has fewer windows.
    __shared__ float patch[4][2 * (patch_side + 2 * line_reach)];
    fix_sweeps<Element>(args, tile.x, tile.y, tile.z, tile.height, lane, patch[threadIdx.x >> 5]);
  } else {
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
