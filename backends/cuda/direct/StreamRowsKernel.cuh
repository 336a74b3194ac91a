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

/// The ring of rows in shared memory; a stage is several rows. Sizes are in vectors.
template <class T, class S, class K>
struct RowRing {
  static constexpr int side    = Vec<T>::beside(S::rx);
  static constexpr int padding = Vec<T>::padding(S::rx);
  static constexpr int row     = K::tuning.ring_row_vectors(sizeof(T));
  static constexpr int stage   = K::tuning.stage_rows() * row;
  static constexpr int ring    = stage * K::tuning.ring_stages;
};

/// 2-D: a block of warps side by side streams along y over a ring of rows, which are copied asynchronously; each is
/// read once. A row of inputs adds to the sums of the 2 ry + 1 output rows that it reaches, which are in registers. The
/// loop is short; the long unrolled code of rows_kernel would wait for instructions to be fetched.
template <class T, class S, class K, class N>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    stream_rows_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                       T const* __restrict__ in, T* __restrict__ out, __grid_constant__ N const norm) {
  static_assert(S::rz == 0, "a stencil of one plane");
  Cuda::Ptx::GridDependency::signal();
  using L         = RowRing<T, S, K>;
  constexpr int B = K::tuning.rows_a_stage, Stages = K::tuning.ring_stages, threads = K::tuning.threads();
  constexpr int V    = Vec<T>::size;
  constexpr int left = Vec<T>::words(S::rx);
  Mask<S, (S::count >= 25)> mask(c);
  constexpr int R = S::ry;
  extern __shared__ uint4 ring[];

  int const t           = int(threadIdx.x);
  Tile const tile       = tile_of<false>(g, blockIdx.x);
  std::int64_t const x0 = g.first_vector + std::int64_t(tile.x) * (threads * V), x = x0 + t * V;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile.y) * g.length;
  std::int64_t const y1 = y0 + g.length < g.end[1] ? y0 + g.length : g.end[1];
  std::int64_t const z  = g.begin[0] + tile.z;

  // The first threads also copy what lies beside the block's columns.
  bool const helps = t < 2 * L::side;
  int const place  = t < L::side ? t - L::side : threads - L::side + t;
  T const* source  = in + z * g.in_stride[0] + (y0 - R) * g.in_stride[1];
  T const* beside  = source + readable<T>(g, x0 + place * V);
  source += readable<T>(g, x);
  int const rows = int(y1 - y0);
  int rows_left = rows + 2 * R, fill = 0;
  auto const copy = [&] {
#pragma unroll
    for (int b = 0; b < B; ++b) {
      uint4* const to = ring + fill + b * L::row + L::padding;
      Cuda::Ptx::CopyAsyncIf::run(to + t, source, b < rows_left);
      source += g.in_stride[1];
      if (L::side > 0) {
        Cuda::Ptx::CopyAsyncIf::run(to + place, beside, helps && b < rows_left);
        beside += g.in_stride[1];
      }
    }
    rows_left -= B;
    fill = fill + L::stage == L::ring ? 0 : fill + L::stage;
    __pipeline_commit();
  };
#pragma unroll
  for (int s = 0; s < Stages - 1; ++s) copy();

  T* target = out + z * g.out_stride[0] + (y0 - 2 * R) * g.out_stride[1] + x;
  Store<T> const store(x, g.begin[2], g.end[2], g.aligned_out);
  uint4 const* const mine = ring + L::padding + t;
  int slot                = 0;
  PartialSums<T, R, 1> sums;
#pragma unroll 1
  for (int done = -2 * R; done < rows; done += B) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    copy();
    uint4 before[N::updates ? B : 1];
    if constexpr (N::updates) {
#pragma unroll
      for (int b = 0; b < B; ++b) {
        if (unsigned(done + b) < unsigned(rows)) before[b] = norm.before(target + b * g.out_stride[1], store);
      }
    }
    uint4 const* const stage = mine + slot;
    slot                     = slot + L::stage == L::ring ? 0 : slot + L::stage;
    unrolled<B>([&](auto b) {
      std::uint32_t w[4 + 2 * left];
      read_window<T, S::rx>(w, stage + b * L::row, true);
      mask.renew();
#pragma unroll
      for (int i = 0; i <= 2 * R; ++i) {
        if (S::has(0, R - i)) add_row<T, S, left>(sums.plane[i][0], w, c, mask, 0, R - i);
      }
      if constexpr (N::updates) {
        if (unsigned(done + b) < unsigned(rows)) norm.apply(sums.plane[0][0], before[b]);
      }
      if (unsigned(done + b) < unsigned(rows)) store.run(target, sums.plane[0][0]);
      target += g.out_stride[1];
      sums.advance();
    });
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
