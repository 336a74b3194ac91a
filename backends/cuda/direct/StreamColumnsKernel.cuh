// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "SweepNorm.cuh"
#include "Window.cuh"
#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

template <int E>
struct Words {
  std::uint32_t w[E];
};
template <int E>
__device__ __forceinline__ Words<E> load_words(void const* from) {
  if constexpr (E == 1) {
    return {{__ldg(static_cast<std::uint32_t const*>(from))}};
  } else if constexpr (E == 2) {
    uint2 const v = __ldg(static_cast<uint2 const*>(from));
    return {{v.x, v.y}};
  } else {
    uint4 const v = __ldg(static_cast<uint4 const*>(from));
    return {{v.x, v.y, v.z, v.w}};
  }
}

/// 3-D: every warp streams along z by itself; a lane has a vector of H rows. As soon as a row of a plane has been used,
/// the same row of the next plane is loaded in its place. Neighbours along x come from other lanes by shuffle, rows of
/// other warps from the first-level cache. No shared memory, no barrier.
template <class T, class S, class K, class N>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_columns_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                          T const* __restrict__ in, T* __restrict__ out, __grid_constant__ N const norm) {
  Cuda::Ptx::GridDependency::signal();
  constexpr int H = K::tuning.rows_a_lane, W = K::tuning.warps_a_block;
  constexpr int V    = Vec<T>::size;
  constexpr int left = Vec<T>::words(S::rx);
  Mask<S, true> mask(c);
  constexpr int R    = S::rz;
  constexpr int rows = H + 2 * S::ry;
  constexpr int E    = left <= 2 ? left : 4;  // words loaded at the edges of a warp
  static_assert(Vec<T>::beside(S::rx) == 1, "neighbours come from the next lane");
  constexpr bool turns = K::tuning.passes_faces && K::tuning.passes(0, int(sizeof(T)), false);

  constexpr unsigned L = K::tuning.lanes_across, lines = 32 / L;
  unsigned const lane = threadIdx.x % L, warp = threadIdx.x / 32;
  Tile const tile       = tile_of(g, blockIdx.x);
  std::int64_t const x  = g.first_vector + std::int64_t(tile.x) * (L * V) + int(lane) * V;
  std::int64_t y        = g.begin[1] + (std::int64_t(tile.y) * W + warp) * (lines * H);
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile.z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];
  if (y >= g.end[1]) return;
  if constexpr (lines > 1) y += threadIdx.x % 32 / L * H;
  // The last rows are moved back inside the range; those that two warps compute get the same values.
  std::int64_t const new_y = y;
  if (y > g.end[1] - H) y = g.end[1] - H;

  // What lies beside the columns of a warp's line: the first lane loads what the last one needs from the right, and the
  // last one what the first one needs from the left.
  std::int64_t const center = readable<T>(g, x);
  std::int64_t const edge =
      lane == 0 ? readable<T>(g, x + L * V) : readable<T>(g, x - L * V) + (4 - E) * 4 / int(sizeof(T));
  bool const at_edge        = lane == 0 || lane == L - 1;
  std::uint32_t const faces = K::tuning.passes_faces ? at_faces<T>(g, x) : 0;
  auto const wide           = [](int j) { return !S::star || (j >= S::ry && j < S::ry + H); };
  T const* source           = in + (z0 - R) * g.in_stride[0] + (y - S::ry) * g.in_stride[1];
  // From the rows before and after the warp's to what is read for them.
  std::int64_t before = 0, after = 0;
  if constexpr (turns) {
    static_assert(S::ry == 1, "one row on either side");
    source += (read_for<0>(g, z0 - R) - (z0 - R)) * g.in_stride[0];
    before = (read_for<1>(g, y - 1) - (y - 1)) * g.in_stride[1];
    after  = (read_for<1>(g, y + H) - (y + H)) * g.in_stride[1];
  }
  uint4 v[rows];
  Words<E> e[rows];
  auto const load = [&](int j) {
    T const* row = source + j * g.in_stride[1];
    if constexpr (turns) row += j == 0 ? before : j == rows - 1 ? after : 0;
    v[j] = __ldg(reinterpret_cast<uint4 const*>(row + center));
    if (wide(j)) {
      if (at_edge) e[j] = load_words<E>(row + edge);
    }
  };
#pragma unroll
  for (int j = 0; j < rows; ++j) load(j);

  T* target = out + (z0 - 2 * R) * g.out_stride[0] + y * g.out_stride[1] + x;
  Store<T> const store(x, g.begin[2], g.end[2], g.aligned_out);
  PartialSums<T, R, H> sums;
  int const planes = int(z1 - z0);
#pragma unroll 1
  for (int done = -2 * R; done < planes; ++done) {
    source += g.in_stride[0];
    if constexpr (turns) {
      std::int64_t const next = z0 + R + done + 1;
      if (next == 0 || next == g.extent[0]) {
        source += (read_for<0>(g, next) - read_for<0>(g, next - 1) - 1) * g.in_stride[0];
      }
    }
    bool const more = done + 1 < planes;
    uint4 before[N::updates ? H : 1];
    if constexpr (N::updates) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if (done >= 0 && y + k >= new_y) before[k] = norm.before(target + k * g.out_stride[1], store);
      }
    }
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      std::uint32_t w[4 + 2 * left];
      w[left + 0] = v[j].x;
      w[left + 1] = v[j].y;
      w[left + 2] = v[j].z;
      w[left + 3] = v[j].w;
      if (wide(j)) {
#pragma unroll
        for (int i = 1; i <= left; ++i) {
          std::uint32_t const center_low = w[left + 4 - i], center_high = w[left - 1 + i];
          w[left - i]     = __shfl_sync(0xffffffffu, lane == L - 1 ? e[j].w[E - i] : center_low, (lane - 1) % L, L);
          w[left + 3 + i] = __shfl_sync(0xffffffffu, lane == 0 ? e[j].w[i - 1] : center_high, (lane + 1) % L, L);
        }
        if constexpr (K::tuning.passes_faces) make_columns<T, left>(w, g, faces);
      }
      if (more) load(j);
      mask.renew();
      sums.template add<S, left>(w, c, mask, j);
    }
    if (done >= 0) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if constexpr (N::updates) {
          if (y + k < new_y) continue;
          norm.apply(sums.plane[0][k], before[k]);
        }
        store.run(target + k * g.out_stride[1], sums.plane[0][k]);
      }
    }
    target += g.out_stride[0];
    sums.advance();
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
