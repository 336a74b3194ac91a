// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "SweepNorm.cuh"
#include "Window.cuh"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"

#include <cuda_pipeline_primitives.h>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// The ring of planes in shared memory. Sizes are in vectors.
template <class T, class S, class K>
struct PlaneRing {
  static constexpr int threads = K::tuning.threads();
  static constexpr int height  = K::tuning.height();
  static constexpr int side    = Vec<T>::padding(S::rx);
  static constexpr int row     = K::tuning.ring_row_vectors(sizeof(T));
  static constexpr int stage   = K::tuning.stage_rows() * row;
  static constexpr int each    = (stage + threads - 1) / threads;  ///< vectors of a plane that a thread copies
};

/// 3-D: a block streams along z over a ring of planes, which are copied asynchronously; each is read once. A plane of
/// inputs adds to the sums of the 2 rz + 1 output planes that it reaches, which are in registers.
template <class T, class S, class K, class N>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_planes_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                         T const* __restrict__ in, T* __restrict__ out, __grid_constant__ N const norm) {
  Cuda::Ptx::GridDependency::signal();
  using L         = PlaneRing<T, S, K>;
  constexpr int H = K::tuning.rows_a_lane, Stages = K::tuning.ring_stages;
  constexpr int V    = Vec<T>::size;
  constexpr int left = Vec<T>::words(S::rx);
  Mask<S, false> mask(c);
  constexpr int R = S::rz;
  extern __shared__ uint4 ring[];

  // A line of lanes has H rows; a warp has several lines where rows are short.
  constexpr unsigned Lanes = K::tuning.lanes_across;
  unsigned const lane = threadIdx.x % Lanes, line = threadIdx.x / Lanes;
  Tile const tile       = tile_of<(sizeof(T) > 2)>(g, blockIdx.x);
  std::int64_t const x0 = g.first_vector + std::int64_t(tile.x) * (Lanes * V);
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * L::height;
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile.z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];

  // The vectors that this thread copies of each plane: where they begin, or which they are of the plane's.
  constexpr bool counts = K::tuning.passes_faces;
  std::conditional_t<counts, std::int32_t, std::int64_t> from[L::each];
#pragma unroll
  for (int i = 0; i < L::each; ++i) {
    int const at   = int(threadIdx.x) + i * L::threads;
    std::int64_t y = y0 - S::ry + at / L::row;
    if constexpr (K::tuning.passes_faces) {
      y = read_for<1>(g, y);
    } else {
      y = y > g.last_row ? g.last_row : y;
    }
    std::int64_t const first = y * g.in_stride[1] + readable<T>(g, x0 + (at % L::row - L::side) * V);
    from[i]                  = counts ? int((first - g.low) / V) : first;
  }
  if (counts) in += g.low;
  T const* source = in + (z0 - R) * g.in_stride[0];
  int planes_left = int(z1 - z0) + 2 * R, fill = 0;
  // Whether planes past a face are read.
  bool const turns = K::tuning.passes_faces && (z0 < R || z1 + R > g.extent[0]);
  auto const copy  = [&] {
    if (planes_left > 0) {
      if (turns) source = in + read_for<0>(g, z1 + R - planes_left) * g.in_stride[0];
#pragma unroll
      for (int i = 0; i < L::each; ++i) {
        int const at = int(threadIdx.x) + i * L::threads;
        Cuda::Ptx::CopyAsyncIf::run(ring + fill + at, source + std::int64_t(from[i]) * (counts ? V : 1),
                                    i + 1 < L::each || at < L::stage);
      }
      source += g.in_stride[0];
      --planes_left;
      fill = fill + L::stage == L::stage * Stages ? 0 : fill + L::stage;
    }
    __pipeline_commit();
  };
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) copy();

  std::int64_t const x = x0 + int(lane) * V, y = y0 + int(line) * H;
  double changed          = 0.0;
  T* target               = out + (z0 - 2 * R) * g.out_stride[0] + y * g.out_stride[1] + x;
  constexpr bool by_lines = sizeof(T) == 2 && Lanes == 8;  // stores, whose shuffles all lanes of a warp take part in
  using Wide              = std::conditional_t<sizeof(T) == 2, SectorStore<T>, Store<T>>;
  std::conditional_t<by_lines, SectorStoreOfLines<T>, Wide> const store(x, g.begin[2], g.end[2], g.aligned_out);
  uint4 const* const mine = ring + (line * H) * L::row + L::side + lane;
  int slot                = 0;
  // What lies past faces is made in shared memory: planes and rows of constants, and columns.
  constexpr int rows = L::height + 2 * S::ry;
  int first_inside = 0, last_inside = rows;  // rows of a plane but for those of constants
  if constexpr (K::tuning.passes_faces) {
    first_inside = rows_before<1>(g, y0 - S::ry, rows);
    last_inside  = rows - rows_after<1>(g, y0 - S::ry, rows);
  }
  // Columns of stars within a vector's reach are made in registers instead: few rows of theirs have any. Of three
  // floats that takes longer than in shared memory (docs/experiments/2026-11-23-faces.md).
  constexpr bool within_vector = vectors_beside(S::rx, sizeof(T)) == 1 && !(sizeof(T) == 4 && S::rx > 2);
  // Narrow tiles of two 16-bit values have no registers for it.
  constexpr bool spills       = sizeof(T) == 2 && S::rx == 2 && Lanes < 32;
  constexpr bool in_registers = K::tuning.passes_faces && S::star && within_vector && !spills;
  PastFaces<T> const past(g, x);
  bool const makes_columns = K::tuning.passes_faces && !in_registers && reaches_past<S::rx>(g, x0, x0 + Lanes * V);
  bool const makes_rows    = last_inside - first_inside < rows;
  bool const makes_planes  = turns && (constant_past<0>(g, z0 - R) || constant_past<0>(g, z1 + R - 1));
  bool const makes         = makes_columns || makes_rows || makes_planes;
  auto const make          = [&](int of_slot, std::int64_t plane) {
    if (makes_planes && constant_past<0>(g, plane)) {
      fill_vectors<T, L::threads>(ring + of_slot, L::stage, constant_of<0>(g, plane));
      return;
    }
    if (makes_rows) {
      fill_vectors<T, L::threads>(ring + of_slot, first_inside * L::row, g.faces[1][0].constant);
      fill_vectors<T, L::threads>(ring + of_slot + last_inside * L::row, (rows - last_inside) * L::row,
                                  g.faces[1][1].constant);
    }
    if (!makes_columns) return;
    // Of a star, rows have neighbours along x where they are in the middle.
    constexpr int beside = S::star ? S::ry : 0;
    auto const row = [&](int j) { return reinterpret_cast<T*>(ring + of_slot + (beside + j) * L::row + L::side); };
    make_columns<T, S::rx, L::threads, rows - 2 * beside>(g, x0, L::side * V, (Lanes + L::side) * V,
                                                          first_inside - beside, last_inside - beside, row);
  };
  static_assert(Stages > 2, "of which one is made ahead");
  if (makes) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    make(0, z0 - R);
  }
  PartialSums<T, R, H> sums;
#pragma unroll 1
  for (std::int64_t p = z0 - R; p < z1 + R; ++p) {
    // Columns are made a plane ahead, so that this barrier shows them to all.
    if (makes) {
      __pipeline_wait_prior(Stages - 3);
    } else {
      __pipeline_wait_prior(Stages - 2);
    }
    __syncthreads();
    copy();
    if (makes && p + 1 < z1 + R) make(slot + L::stage == L::stage * Stages ? 0 : slot + L::stage, p + 1);
    uint4 before[N::updates ? H : 1];
    if constexpr (N::updates) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if (p >= z0 + R && y + k < g.end[1]) before[k] = norm.before(target + k * g.out_stride[1], store);
      }
    }
    uint4 const* const plane = mine + slot;
    slot                     = slot + L::stage == L::stage * Stages ? 0 : slot + L::stage;
    unrolled<H + 2 * S::ry>([&](auto index) {
      constexpr int j = index;
      std::uint32_t w[4 + 2 * left];
      constexpr bool wide = !S::star || (j >= S::ry && j < S::ry + H);
      read_window<T, S::rx>(w, plane + j * L::row, wide);
      if constexpr (in_registers && wide) {
        // Of three 16-bit values and more a branch takes longer than what it leaves out.
        if ((sizeof(T) == 2 && S::rx > 2) || past.beside()) past.template make<left>(w);
      }
      sums.template add<S, left>(w, c, mask, j);
    });
    if (p >= z0 + R) {
#pragma unroll
      for (int k = 0; k < H; ++k) {
        if constexpr (N::updates) {
          if (y + k < g.end[1]) norm.apply(sums.plane[0][k], before[k]);
        }
        if constexpr (by_lines) {
          store.run(target + k * g.out_stride[1], sums.plane[0][k], y + k < g.end[1]);
        } else {
          if (y + k < g.end[1]) store.run(target + k * g.out_stride[1], sums.plane[0][k]);
        }
        if constexpr (N::reduces) {
          T const* const before = in + (p - R) * g.in_stride[0] + (y + k) * g.in_stride[1] + readable<T>(g, x);
          if (y + k < g.end[1]) norm.add(sums.plane[0][k], before, store, changed);
        }
      }
    }
    target += g.out_stride[0];
    sums.advance();
  }
  if constexpr (N::reduces) norm.leave(changed, line, K::tuning.warps_a_block);
  // Narrow tiles may run beside the wide ones of the same sweep: what follows finds both done.
  if constexpr (Lanes < 32) Cuda::Ptx::GridDependency::wait();
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
