// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Window.cuh"
#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// As rows_kernel, for rows that begin anywhere: adjacent lanes have adjacent columns, and load and store them value by
/// value. Each value of a row that is loaded serves H rows of D planes; neighbours along x come from the first cache.
template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    lanes_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
                 T* __restrict__ out) {
  Cuda::Ptx::GridDependency::signal();
  using A         = Accumulator<T>;
  constexpr int D = K::tuning.planes_a_lane, H = K::tuning.rows_a_lane, W = K::tuning.warps_a_block;
  constexpr int C = lane_columns;
  Mask<S, false> mask(c);
  constexpr int planes = D + 2 * S::rz, rows = H + 2 * S::ry;

  int const lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
  unsigned const tile_x = blockIdx.x % unsigned(g.tiles_x), tile_yz = blockIdx.x / unsigned(g.tiles_x);
  unsigned tile_y, tile_z;
  if (g.band == 0) {
    tile_y = tile_yz % unsigned(g.tiles_y);
    tile_z = tile_yz / unsigned(g.tiles_y);
  } else {
    unsigned const a_band = unsigned(g.band) * unsigned(g.tiles_z), rest = tile_yz % a_band;
    unsigned const first = tile_yz / a_band * unsigned(g.band),
                   high  = min(unsigned(g.band), unsigned(g.tiles_y) - first);
    tile_y               = first + rest % high;
    tile_z               = rest / high;
  }
  std::int64_t const x = g.begin[2] + std::int64_t(tile_x) * (32 * C) + lane;
  std::int64_t y       = g.begin[1] + (std::int64_t(tile_y) * W + warp) * H;
  std::int64_t z       = g.begin[0] + std::int64_t(tile_z) * D;
  if (y >= g.end[1]) return;
  // The last rows and planes are moved back inside; some are then computed twice, alike. Columns past the end are those
  // of the last point, and not stored.
  if (y > g.end[1] - H) y = g.end[1] - H;
  if (z > g.end[0] - D) z = g.end[0] - D;
  std::int64_t from[C];
#pragma unroll
  for (int i = 0; i < C; ++i) from[i] = min(x + 32 * i, g.end[2] - 1);

  T const* const first = in + (z - S::rz) * g.in_stride[0] + (y - S::ry) * g.in_stride[1];
  A acc[D][H][C];
#pragma unroll
  for (int d = 0; d < D; ++d) {
#pragma unroll
    for (int k = 0; k < H; ++k) {
#pragma unroll
      for (int i = 0; i < C; ++i) acc[d][k][i] = -A(0);
    }
  }
#pragma unroll
  for (int q = 0; q < planes; ++q) {
    T const* row = first + q * g.in_stride[0];
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      bool const mid    = q >= S::rz && q < S::rz + D && j >= S::ry && j < S::ry + H;
      bool const needed = !S::star || mid || (q >= S::rz && q < S::rz + D) || (j >= S::ry && j < S::ry + H);
#pragma unroll
      for (int dx = -S::rx; dx <= S::rx; ++dx) {
        if (!needed || (dx != 0 && S::star && !mid)) continue;
        A value[C];
#pragma unroll
        for (int i = 0; i < C; ++i) value[i] = Value<T>::load(__ldg(row + from[i] + dx));
#pragma unroll
        for (int d = 0; d < D; ++d) {
          int const dz = q - S::rz - d;
#pragma unroll
          for (int k = 0; k < H; ++k) {
            int const dy = j - S::ry - k;
            if (dz < -S::rz || dz > S::rz || dy < -S::ry || dy > S::ry || !S::has(dz, dy)) continue;
            if (dx != 0 && !S::wide(dz, dy)) continue;
            int const term = S::index(dz, dy, dx);
            if (!mask.has(term)) continue;
#pragma unroll
            for (int i = 0; i < C; ++i) acc[d][k][i] = fused(c.value[term], value[i], acc[d][k][i]);
          }
        }
      }
      row += g.in_stride[1];
    }
  }
#pragma unroll
  for (int d = 0; d < D; ++d) {
    T* row = out + (z + d) * g.out_stride[0] + y * g.out_stride[1] + x;
#pragma unroll
    for (int k = 0; k < H; ++k) {
#pragma unroll
      for (int i = 0; i < C; ++i) {
        if (x + 32 * i < g.end[2]) row[32 * i] = Value<T>::store(acc[d][k][i]);
      }
      row += g.out_stride[1];
    }
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
