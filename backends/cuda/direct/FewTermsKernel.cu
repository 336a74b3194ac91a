// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernels.hpp"
#include "arch/DependentLaunch.hpp"
#include "common/LaunchKernel.hpp"
#include "common/Value.cuh"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

/// The tiles of taps_kernel with tap_rows rows and N columns a thread, a warp abreast, term by term: no value serves
/// two rows, but nothing has to be decided, and columns and terms lie at distances known to all threads.
template <class T, int N>
__global__ void __launch_bounds__(tap_threads, N < 4            ? 1
                                               : sizeof(T) == 8 ? 3
                                                                : 4)
    few_terms_kernel(__grid_constant__ TapArgs const g, __grid_constant__ FewTerms<Accumulator<T>> const list,
                     T const* __restrict__ in, T* __restrict__ out) {
  using A            = Accumulator<T>;
  constexpr int wide = 32 * N, high = tap_threads / 32 * tap_rows;
  Cuda::Ptx::GridDependency::signal_at_end();
  unsigned const plane      = blockIdx.x / (g.tiles_x * g.tiles_y);
  unsigned const plane_tile = blockIdx.x - plane * (g.tiles_x * g.tiles_y);
  unsigned const tile_y     = plane_tile / g.tiles_x;
  std::int64_t const z      = g.begin[0] + plane;
  // The last columns and rows are moved back inside; some are then computed twice, alike.
  std::int64_t const x = min(g.begin[2] + std::int64_t(plane_tile - tile_y * g.tiles_x) * wide, g.end[2] - wide);
  std::int64_t const y = g.begin[1] + std::int64_t(tile_y) * high, last = g.end[1] - tap_rows;
  std::int64_t const top = min(y, last);
  if (y + threadIdx.x / 32 * tap_rows >= g.end[1]) return;
  auto const row       = static_cast<unsigned>(min(y + threadIdx.x / 32 * tap_rows, last) - top);
  char const* const at = reinterpret_cast<char const*>(in + z * g.in_stride[0] + top * g.in_stride[1] + x);
  unsigned from[tap_rows];
#pragma unroll
  for (int j = 0; j < tap_rows; ++j) {
    from[j] = ((row + j) * static_cast<unsigned>(g.in_stride[1]) + (threadIdx.x & 31u)) * unsigned(sizeof(T));
  }

  A acc[tap_rows][N];
#pragma unroll
  for (int j = 0; j < tap_rows; ++j) {
#pragma unroll
    for (int n = 0; n < N; ++n) acc[j][n] = -A(0);
  }
#pragma unroll 1
  for (int k = 0; k < g.count; ++k) {
    char const* const term = at + list.offset[k];
    T v[tap_rows][N];
#pragma unroll
    for (int j = 0; j < tap_rows; ++j) {
#pragma unroll
      for (int n = 0; n < N; ++n) v[j][n] = reinterpret_cast<T const*>(term + from[j])[n * 32];
    }
    A const c = list.coefficient[k];
#pragma unroll
    for (int j = 0; j < tap_rows; ++j) {
#pragma unroll
      for (int n = 0; n < N; ++n) acc[j][n] = fused(c, Value<T>::load(v[j][n]), acc[j][n]);
    }
  }
  T* to = out + z * g.out_stride[0] + (top + row) * g.out_stride[1] + x + (threadIdx.x & 31u);
#pragma unroll
  for (int j = 0; j < tap_rows; ++j, to += g.out_stride[1]) {
#pragma unroll
    for (int n = 0; n < N; ++n) to[n * 32] = Value<T>::store(acc[j][n]);
  }
}

}  // namespace

template <class T, class A>
void launch_few_terms(TapArgs const& args, FewTerms<A> const& list, T const* in, T* out, cudaStream_t stream) {
  auto* const kernel = args.columns == 1   ? few_terms_kernel<T, 1>
                       : args.columns == 2 ? few_terms_kernel<T, 2>
                                           : few_terms_kernel<T, most_tap_columns>;
  Cuda::launch_kernel(kernel, args.tiles, tap_threads, 0, stream, args, list, in, out);
}

template void launch_few_terms(TapArgs const&, FewTerms<double> const&, double const*, double*, cudaStream_t);
template void launch_few_terms(TapArgs const&, FewTerms<float> const&, float const*, float*, cudaStream_t);
template void launch_few_terms(TapArgs const&, FewTerms<float> const&, __half const*, __half*, cudaStream_t);
template void launch_few_terms(TapArgs const&, FewTerms<float> const&, __nv_bfloat16 const*, __nv_bfloat16*,
                               cudaStream_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
