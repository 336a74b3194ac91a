// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "SweepNorm.cuh"
#include "Window.cuh"
#include "arch/DependentLaunch.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// For grids of a single row: a block copies its part of the row into shared memory, H vectors a thread, and reads each
/// vector's window from there. That takes fewer instructions than getting it from other lanes.
template <class T, class S, class K, class N>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    lines_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g, T const* __restrict__ in,
                 T* __restrict__ out, __grid_constant__ N const norm) {
  static_assert(S::ry == 0 && S::rz == 0, "lines only");
  Cuda::Ptx::GridDependency::signal();
  using A            = Accumulator<T>;
  constexpr int V    = Vec<T>::size;
  constexpr int side = Vec<T>::beside(S::rx);
  constexpr int H = K::tuning.vectors_a_lane, threads = K::tuning.threads(), vectors = threads * H;
  static_assert(2 * side <= threads, "");
  __shared__ uint4 row[vectors + 2 * side];
  Mask<S, false> const mask(c);

  unsigned const tile_x = blockIdx.x % unsigned(g.tiles_x), tile_yz = blockIdx.x / unsigned(g.tiles_x);
  std::int64_t const y = g.begin[1] + tile_yz % unsigned(g.tiles_y), z = g.begin[0] + tile_yz / unsigned(g.tiles_y);
  std::int64_t const x = g.first_vector + std::int64_t(tile_x) * vectors * V;
  int const t          = static_cast<int>(threadIdx.x);
  in += z * g.in_stride[0] + y * g.in_stride[1];
  out += z * g.out_stride[0] + y * g.out_stride[1];

  // Vectors outside the row are replaced by its first or last one: no output that is stored depends on them.
  auto const vector = [&](int k) {
    std::int64_t const at = x + k * V;
    return __ldg(reinterpret_cast<uint4 const*>(in + (at < g.low ? g.low : at > g.high - V ? g.high - V : at)));
  };
  uint4 loaded[H];
#pragma unroll
  for (int k = 0; k < H; ++k) loaded[k] = vector(k * threads + t);
  if (t < side) row[t] = vector(t - side);
  if (t >= threads - side) row[vectors + 2 * side - threads + t] = vector(vectors + side - threads + t);
#pragma unroll
  for (int k = 0; k < H; ++k) row[side + k * threads + t] = loaded[k];
  __syncthreads();

#pragma unroll
  for (int k = 0; k < H; ++k) {
    int const at = k * threads + t;
    std::uint32_t w[4 + 2 * Vec<T>::words(S::rx)];
    read_window<T, S::rx>(w, &row[side + at], true);
    A acc[V];
#pragma unroll
    for (int i = 0; i < V; ++i) acc[i] = -A(0);
    add_row<T, S, Vec<T>::words(S::rx)>(acc, w, c, mask, 0, 0);
    Store<T> const store(x + at * V, g.begin[2], g.end[2], g.aligned_out);
    if constexpr (N::updates) norm.apply(acc, norm.before(out + x + at * V, store));
    store.run(out + x + at * V, acc);
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
