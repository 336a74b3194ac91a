// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "SweepNorm.cuh"
#include "Window.cuh"
#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// The window of a lane from column `shift` of its vector on, by whole warps. `edge`: what lies a warp's columns
/// further right, in the first lanes, or left, in the last ones.
template <class T, int Left>
__device__ __forceinline__ void shifted_window(std::uint32_t (&w)[4 + 2 * Left], uint4 const& own, uint4 const& edge,
                                               int shift) {
  constexpr int right         = Left + 4;
  int const lane              = int(threadIdx.x % 32);
  std::uint32_t const mine[4] = {own.x, own.y, own.z, own.w}, edges[4] = {edge.x, edge.y, edge.z, edge.w};
  std::uint32_t a[Left + 4 + right];
#pragma unroll
  for (int i = 0; i < 4; ++i) a[Left + i] = mine[i];
#pragma unroll
  for (int i = 1; i <= right; ++i) {
    int const n   = (i + 3) / 4;  // lanes away
    int const low = n * 4 - i, high = (i - 1) % 4;
    if (i <= Left) a[Left - i] = __shfl_sync(0xffffffffu, lane >= 32 - n ? edges[low] : mine[low], (lane - n) & 31);
    a[Left + 3 + i] = __shfl_sync(0xffffffffu, lane < n ? edges[high] : mine[high], (lane + n) & 31);
  }
  int const bytes = shift * int(sizeof(T));
  bool const two = (bytes & 8) != 0, one = (bytes & 4) != 0;
#pragma unroll
  for (int i = 0; i < Left + 2 + right; ++i) a[i] = two ? a[i + 2] : a[i];
  if constexpr (sizeof(T) < 8) {
#pragma unroll
    for (int i = 0; i < Left + 1 + right; ++i) a[i] = one ? a[i + 1] : a[i];
  }
#pragma unroll
  for (int i = 0; i < 4 + 2 * Left; ++i) {
    w[i] = sizeof(T) == 2 ? __funnelshift_r(a[i], a[i + 1], std::uint32_t(bytes & 2) * 8u) : a[i];
  }
}

/// Every lane computes a vector of H rows of D planes. Its loads are 16 bytes wide and many in flight together;
/// neighbours along x come from other lanes. Tiles are short and launched along x, then y: what they read twice
/// is still in a cache. No shared memory, no barrier.
template <class T, class S, class K, class N>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    rows_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
                T* __restrict__ out, __grid_constant__ N const norm) {
  Cuda::Ptx::GridDependency::signal();
  using A         = Accumulator<T>;
  constexpr int D = K::tuning.planes_a_lane, H = K::tuning.rows_a_lane, W = K::tuning.warps_a_block;
  constexpr int V    = Vec<T>::size;
  constexpr int left = Vec<T>::words(S::rx);
  Mask<S, false> mask(c);
  constexpr int side   = Vec<T>::beside(S::rx);
  constexpr int planes = D + 2 * S::rz, rows = H + 2 * S::ry;
  constexpr unsigned L = K::tuning.lanes_across, lines = 32 / L;
  static_assert(side <= int(L / 2), "neighbours come from the lanes of one line of a warp");

  unsigned const lane = threadIdx.x % L, warp = threadIdx.x / 32;
  Tile const tile      = tile_of(g, blockIdx.x);
  std::int64_t const x = g.first_vector + std::int64_t(tile.x) * (L * V) + int(lane) * V;
  std::int64_t y       = g.begin[1] + (std::int64_t(tile.y) * W + warp) * (lines * H);
  std::int64_t z       = g.begin[0] + std::int64_t(tile.z) * D;
  if (y >= g.end[1]) {
    if constexpr (N::reduces) norm.leave(0.0, warp, W);
    return;
  }
  if constexpr (lines > 1) y += threadIdx.x % 32 / L * H;
  // The last rows and planes are moved back inside; some are then computed twice, alike.
  std::int64_t const new_y = y, new_z = z;
  if (y > g.end[1] - H) y = g.end[1] - H;
  if (z > g.end[0] - D) z = g.end[0] - D;

  T const* const first = in + (z - S::rz) * g.in_stride[0] + (y - S::ry) * g.in_stride[1];
  // The first lanes hold what the last ones need from the right of the line, and the other way round.
  std::int64_t const center = readable<T>(g, x), edge = readable<T>(g, lane < L / 2 ? x + L * V : x - L * V);
  // Of a line folded into rows whose outputs begin elsewhere in 16 bytes than its inputs, lanes have windows that are
  // shifted by as much, so that outputs are aligned vectors.
  constexpr bool shifts     = K::tuning.shifts_windows;
  bool const at_edge        = lane < side + (shifts ? 1 : 0) || lane >= L - side;
  std::uint32_t const faces = K::tuning.passes_faces ? at_faces<T>(g, x) : 0;

  // Rows that outputs need, and those whose neighbours along x they need.
  auto const mid_plane = [](int q) { return q >= S::rz && q < S::rz + D; };
  auto const mid_row   = [](int j) { return j >= S::ry && j < S::ry + H; };
  auto const needed    = [&](int q, int j) { return !S::star || mid_plane(q) || mid_row(j); };
  auto const wide      = [&](int q, int j) { return side > 0 && (!S::star || (mid_plane(q) && mid_row(j))); };

  uint4 v[planes][rows], e[planes][rows];
#pragma unroll
  for (int q = 0; q < planes; ++q) {
    T const* row = first + q * g.in_stride[0];
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (needed(q, j)) v[q][j] = __ldg(reinterpret_cast<uint4 const*>(row + center));
      if (wide(q, j)) {
        if (at_edge) e[q][j] = __ldg(reinterpret_cast<uint4 const*>(row + edge));
      }
      row += g.in_stride[1];
    }
  }

  uint4 before[N::updates ? D : 1][N::updates ? H : 1];
  auto const mine = [&](int d, int k) { return z + d >= new_z && y + k >= new_y; };
  if constexpr (N::updates) {
    Store<T> const store(x, g.begin[2], g.end[2], g.aligned_out);
#pragma unroll
    for (int d = 0; d < D; ++d) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        T const* const at = out + (z + d) * g.out_stride[0] + (y + k) * g.out_stride[1] + x;
        if (mine(d, k)) before[d][k] = norm.before(at, store);
      }
    }
  }

  A acc[D][H][V];
#pragma unroll
  for (int d = 0; d < D; ++d) {
#pragma unroll
    for (int k = 0; k < H; ++k) {
#pragma unroll
      for (int i = 0; i < V; ++i) acc[d][k][i] = -A(0);
    }
  }
#pragma unroll
  for (int q = 0; q < planes; ++q) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      if (!needed(q, j)) continue;
      std::uint32_t w[4 + 2 * left];
      w[left + 0] = v[q][j].x;
      w[left + 1] = v[q][j].y;
      w[left + 2] = v[q][j].z;
      w[left + 3] = v[q][j].w;
      if constexpr (shifts) {
        shifted_window<T, left>(w, v[q][j], e[q][j], g.shift);
      } else if (wide(q, j)) {
        std::uint32_t const edges[4] = {e[q][j].x, e[q][j].y, e[q][j].z, e[q][j].w};
#pragma unroll
        for (int i = 1; i <= left; ++i) {
          int const n   = (i + 3) / 4;  // lanes away
          int const low = n * 4 - i, high = (i - 1) % 4;
          std::uint32_t const center_low = w[left + low], center_high = w[left + high];
          w[left - i]     = __shfl_sync(0xffffffffu, lane >= L - n ? edges[low] : center_low, (lane - n) % L, L);
          w[left + 3 + i] = __shfl_sync(0xffffffffu, lane < unsigned(n) ? edges[high] : center_high, (lane + n) % L, L);
        }
        if constexpr (K::tuning.passes_faces) make_columns<T, left>(w, g, faces);
      }
#pragma unroll
      for (int d = 0; d < D; ++d) {
        int const dz = q - S::rz - d;
        if (dz < -S::rz || dz > S::rz) continue;
#pragma unroll
        for (int k = 0; k < H; ++k) {
          int const dy = j - S::ry - k;
          if (dy >= -S::ry && dy <= S::ry && S::has(dz, dy)) add_row<T, S, left>(acc[d][k], w, c, mask, dz, dy);
        }
      }
    }
  }

  Store<T> const store(x, g.begin[2], g.end[2], g.aligned_out);
#pragma unroll
  for (int d = 0; d < D; ++d) {
    T* row = out + (z + d) * g.out_stride[0] + y * g.out_stride[1] + x;
#pragma unroll
    for (int k = 0; k < H; ++k) {
      if constexpr (N::updates) {
        if (mine(d, k)) {
          norm.apply(acc[d][k], before[d][k]);
          store.run(row, acc[d][k]);
        }
      } else {
        store.run(row, acc[d][k]);
      }
      row += g.out_stride[1];
    }
  }
  if constexpr (N::reduces) {
    double mine = 0.0;
#pragma unroll
    for (int d = 0; d < D; ++d) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if (z + d < new_z || y + k < new_y) continue;
        T const* const before = in + (z + d) * g.in_stride[0] + (y + k) * g.in_stride[1] + center;
        norm.add(acc[d][k], before, store, mine);
      }
    }
    norm.leave(mine, warp, W);
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
