// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.hpp"
#include "arch/DependentLaunch.hpp"
#include "common/Updated.cuh"
#include "common/LaunchKernel.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

template <class T, int N>
__device__ __forceinline__ void load(T const* p, std::int64_t apart, Accumulator<T> (&v)[N]) {
#pragma unroll
  for (int n = 0; n < N; ++n) v[n] = Value<T>::load(p[n * apart]);
}

/// Rows by N points: each value serves several rows, each coefficient several columns; the values of the next
/// tap are on their way while this one's are used.
template <class T, int Rows, bool Updates, int N>
__device__ __forceinline__ void compute(TapArgs const& g, T const* in, T* out, std::int64_t apart_in,
                                        std::int64_t apart_out, int done_rows, int done_columns) {
  using A               = Accumulator<T>;
  auto const* const tap = static_cast<Tap<A> const*>(g.taps);
  A acc[Rows][N];
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
#pragma unroll
    for (int n = 0; n < N; ++n) acc[j][n] = -A(0);
  }
  A next[N];
  if (g.count > 0) load(in + tap[0].offset, apart_in, next);
  for (int k = 0; k < g.count; ++k) {
    A v[N];
#pragma unroll
    for (int n = 0; n < N; ++n) v[n] = next[n];
    if (k + 1 < g.count) load(in + tap[k + 1].offset, apart_in, next);
    std::uint32_t const mask = tap[k].mask;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      if (mask >> j & 1u) {
        A const c = tap[k].coefficient[j];
#pragma unroll
        for (int n = 0; n < N; ++n) acc[j][n] = fused(c, v[n], acc[j][n]);
      }
    }
  }
  if constexpr (Updates) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
#pragma unroll
      for (int n = 0; n < N; ++n) {
        T* const to = out + j * g.out_stride[1] + n * apart_out;
        if (j < done_rows || n < done_columns) continue;
        *to = Value<T>::store(updated<T>(static_cast<A>(g.alpha), acc[j][n], static_cast<A>(g.beta), to));
      }
    }
  } else {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
#pragma unroll
      for (int n = 0; n < N; ++n) out[j * g.out_stride[1] + n * apart_out] = Value<T>::store(acc[j][n]);
    }
  }
}

template <class T, int Rows, bool Updates>
__global__ void __launch_bounds__(tap_threads)
    taps_kernel(__grid_constant__ TapArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  Cuda::Ptx::GridDependency::signal();
  std::int64_t const width  = std::int64_t(1) << g.threads_x_log2;
  unsigned const plane_tile = blockIdx.x % (g.tiles_x * g.tiles_y);
  int const rows_a_tile     = (tap_threads >> g.threads_x_log2) * Rows;
  std::int64_t const z      = g.begin[0] + blockIdx.x / (g.tiles_x * g.tiles_y);
  // The last columns, as the last rows below, are moved back inside; some are then computed twice, alike.
  std::int64_t const wide   = width * tap_columns;
  std::int64_t const last   = g.end[2] - wide > g.begin[2] ? g.end[2] - wide : g.begin[2];
  std::int64_t const tile_x = g.begin[2] + std::int64_t(plane_tile % g.tiles_x) * wide;
  std::int64_t const x      = (tile_x < last ? tile_x : last) + (threadIdx.x & (width - 1));
  std::int64_t y            = g.begin[1] + std::int64_t(plane_tile / g.tiles_x) * rows_a_tile +
                   std::int64_t(threadIdx.x >> g.threads_x_log2) * Rows;
  if (x >= g.end[2] || y >= g.end[1]) return;
  // Those that another thread computes as well, which updates them.
  int const done_rows = y > g.end[1] - Rows ? int(y - (g.end[1] - Rows)) : 0;
  y -= done_rows;
  int const done_columns = x < tile_x ? int((tile_x - x + width - 1) >> g.threads_x_log2) : 0;
  in += z * g.in_stride[0] + y * g.in_stride[1] + x * g.in_stride[2];
  out += z * g.out_stride[0] + y * g.out_stride[1] + x * g.out_stride[2];
  std::int64_t const apart_in = width * g.in_stride[2], apart_out = width * g.out_stride[2];
  if (x + (tap_columns - 1) * width < g.end[2]) {
    compute<T, Rows, Updates, tap_columns>(g, in, out, apart_in, apart_out, done_rows, done_columns);
    return;
  }
  for (std::int64_t c = x; c < g.end[2]; c += width) {
    compute<T, Rows, Updates, 1>(g, in, out, apart_in, apart_out, done_rows, c < tile_x ? 1 : 0);
    in += apart_in;
    out += apart_out;
  }
}

}  // namespace

template <class T>
void launch_taps(TapArgs const& args, int rows, T const* in, T* out, cudaStream_t stream) {
  auto* const kernel = rows == tap_rows
                           ? (args.updates ? taps_kernel<T, tap_rows, true> : taps_kernel<T, tap_rows, false>)
                           : (args.updates ? taps_kernel<T, 1, true> : taps_kernel<T, 1, false>);
  Cuda::launch_kernel(kernel, args.tiles, tap_threads, 0, stream, args, in, out);
}

template void launch_taps(TapArgs const&, int, double const*, double*, cudaStream_t);
template void launch_taps(TapArgs const&, int, float const*, float*, cudaStream_t);
template void launch_taps(TapArgs const&, int, __half const*, __half*, cudaStream_t);
template void launch_taps(TapArgs const&, int, __nv_bfloat16 const*, __nv_bfloat16*, cudaStream_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
