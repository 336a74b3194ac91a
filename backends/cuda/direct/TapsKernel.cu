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

template <int Rows, class A>
__device__ __forceinline__ void load(Tap<A> const* tap, A (&c)[Rows]) {
  if constexpr (Rows == 1) {
    c[0] = tap->coefficient[0];
  } else if constexpr (sizeof(A) == 4) {
    float4 const q = *reinterpret_cast<float4 const*>(tap->coefficient);
    c[0] = q.x, c[1] = q.y, c[2] = q.z, c[3] = q.w;
  } else {
    double2 const low  = *reinterpret_cast<double2 const*>(tap->coefficient),
                  high = *(reinterpret_cast<double2 const*>(tap->coefficient) + 1);
    c[0] = low.x, c[1] = low.y, c[2] = high.x, c[3] = high.y;
  }
}

template <bool Whole, class T, int N>
__device__ __forceinline__ void load(T const* in, std::int64_t bytes, std::int64_t apart, int columns, T (&v)[N]) {
  char const* const p = reinterpret_cast<char const*>(in) + bytes;
#pragma unroll
  for (int n = 0; n < N; ++n) {
    if (Whole || n < columns) v[n] = *reinterpret_cast<T const*>(p + n * apart);
  }
}

/// Those taps of a list that all threads of a block use at a time, from shared memory: a vector of 16 bytes a thread.
/// One tap that does nothing is behind them.
template <class A>
struct Chunk {
  static constexpr int size  = tap_threads * 16 / int(sizeof(Tap<A>));
  static constexpr int bytes = size * int(sizeof(Tap<A>));

  Tap<A> taps[size + 1];

  static __device__ int4 fetch(TapArgs const& g, int first) {
    int const at        = first * int(sizeof(Tap<A>)) + int(threadIdx.x) * 16;
    bool const is_there = int(threadIdx.x) * 16 < bytes && at < (g.count + 1) * int(sizeof(Tap<A>));
    return is_there ? __ldg(reinterpret_cast<int4 const*>(static_cast<char const*>(g.taps) + at)) : int4{};
  }
  __device__ void put(int4 part) {
    if (int(threadIdx.x) * 16 < bytes) reinterpret_cast<int4*>(taps)[threadIdx.x] = part;
  }
};

/// Rows by N points: each value serves several rows, each coefficient several columns; the values of the next tap are
/// on their way while this one's are used. Not `Whole`: the row has but so many `columns` of them. `apart_in`: bytes.
template <bool Whole, class T, int Rows, bool Updates, int N>
__device__ __forceinline__ void compute(TapArgs const& g, Chunk<Accumulator<T>>& chunk, bool active, T const* in,
                                        T* out, std::int64_t apart_in, std::int64_t apart_out, int done_rows,
                                        int done_columns, int columns) {
  using A = Accumulator<T>;
  A acc[Rows][N];
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
#pragma unroll
    for (int n = 0; n < N; ++n) acc[j][n] = -A(0);
  }
  int4 part = Chunk<A>::fetch(g, 0);
  for (int first = 0; first < g.count; first += Chunk<A>::size) {
    if (first > 0) __syncthreads();
    chunk.put(part);
    part = Chunk<A>::fetch(g, first + Chunk<A>::size);
    __syncthreads();
    if (!active) continue;
    int const count = min(g.count - first, Chunk<A>::size);
    auto const* tap = chunk.taps;
    T next[N]{};
    load<Whole>(in, tap->offset, apart_in, columns, next);
#pragma unroll 2
    for (int k = 0; k < count; ++k, ++tap) {
      A v[N];
#pragma unroll
      for (int n = 0; n < N; ++n) v[n] = Value<T>::load(next[n]);
      load<Whole>(in, tap[1].offset, apart_in, columns, next);
      A c[Rows];
      load(tap, c);
      std::uint32_t const mask = tap->mask;
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
        if (mask >> j & 1u) {
#pragma unroll
          for (int n = 0; n < N; ++n) acc[j][n] = fused(c[j], v[n], acc[j][n]);
        }
      }
    }
  }
  if (!active) return;
#pragma unroll
  for (int j = 0; j < Rows; ++j) {
#pragma unroll
    for (int n = 0; n < N; ++n) {
      T* const to = out + j * g.out_stride[1] + n * apart_out;
      if (!Whole && n >= columns) continue;
      if constexpr (Updates) {
        if (j < done_rows || n < done_columns) continue;
        *to = Value<T>::store(updated<T>(static_cast<A>(g.alpha), acc[j][n], static_cast<A>(g.beta), to));
      } else {
        *to = Value<T>::store(acc[j][n]);
      }
    }
  }
}

template <class T, int Rows, bool Updates, int N>
__global__ void __launch_bounds__(tap_threads, sizeof(T) == 4 ? 4 : 3)
    taps_kernel(__grid_constant__ TapArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  Cuda::Ptx::GridDependency::signal_at_end();
  __shared__ Chunk<Accumulator<T>> chunk;
  if (threadIdx.x == 0) chunk.taps[chunk.size] = {};
  std::int64_t const width  = std::int64_t(1) << g.threads_x_log2;
  unsigned const plane_tile = blockIdx.x % (g.tiles_x * g.tiles_y);
  int const rows_a_tile     = (tap_threads >> g.threads_x_log2) * Rows;
  std::int64_t const z      = g.begin[0] + blockIdx.x / (g.tiles_x * g.tiles_y);
  // The last columns, as the last rows below, are moved back inside; some are then computed twice, alike.
  std::int64_t const wide   = width * N;
  bool const whole          = g.end[2] - g.begin[2] >= wide;
  std::int64_t const last   = whole ? g.end[2] - wide : g.begin[2];
  std::int64_t const tile_x = g.begin[2] + std::int64_t(plane_tile % g.tiles_x) * wide;
  std::int64_t const x      = (tile_x < last ? tile_x : last) + (threadIdx.x & (width - 1));
  std::int64_t y            = g.begin[1] + std::int64_t(plane_tile / g.tiles_x) * rows_a_tile +
                   std::int64_t(threadIdx.x >> g.threads_x_log2) * Rows;
  bool const active = x < g.end[2] && y < g.end[1];
  // Those that another thread computes as well, which updates them.
  int const done_rows = y > g.end[1] - Rows ? int(y - (g.end[1] - Rows)) : 0;
  y -= done_rows;
  int const done_columns = x < tile_x ? int((tile_x - x + width - 1) >> g.threads_x_log2) : 0;
  in += z * g.in_stride[0] + y * g.in_stride[1] + x * g.in_stride[2];
  out += z * g.out_stride[0] + y * g.out_stride[1] + x * g.out_stride[2];
  std::int64_t const apart_in = width * g.in_stride[2] * std::int64_t(sizeof(T)), apart_out = width * g.out_stride[2];
  if (whole) {
    compute<true, T, Rows, Updates, N>(g, chunk, active, in, out, apart_in, apart_out, done_rows, done_columns, N);
  } else {
    int const columns = int((g.end[2] - x + width - 1) >> g.threads_x_log2);
    compute<false, T, Rows, Updates, N>(g, chunk, active, in, out, apart_in, apart_out, done_rows, 0, columns);
  }
}

template <class T, int Rows, int N>
constexpr auto updates_or_not(bool updates) {
  return updates ? taps_kernel<T, Rows, true, N> : taps_kernel<T, Rows, false, N>;
}

template <class T, int Rows>
auto find_kernel(TapArgs const& args) {
  switch (args.columns) {
    case 1: return updates_or_not<T, Rows, 1>(args.updates);
    case 2: return updates_or_not<T, Rows, 2>(args.updates);
    case 3: return updates_or_not<T, Rows, 3>(args.updates);
    default: return updates_or_not<T, Rows, most_tap_columns>(args.updates);
  }
}

}  // namespace

template <class T>
void launch_taps(TapArgs const& args, int rows, T const* in, T* out, cudaStream_t stream) {
  auto* const kernel = rows == tap_rows ? find_kernel<T, tap_rows>(args) : find_kernel<T, 1>(args);
  Cuda::launch_kernel(kernel, args.tiles, tap_threads, 0, stream, args, in, out);
}

template void launch_taps(TapArgs const&, int, double const*, double*, cudaStream_t);
template void launch_taps(TapArgs const&, int, float const*, float*, cudaStream_t);
template void launch_taps(TapArgs const&, int, __half const*, __half*, cudaStream_t);
template void launch_taps(TapArgs const&, int, __nv_bfloat16 const*, __nv_bfloat16*, cudaStream_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
