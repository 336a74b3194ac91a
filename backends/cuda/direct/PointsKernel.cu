// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FaceStrips.cuh"
#include "Kernels.hpp"
#include "Value.cuh"

namespace KokkosStencil {
namespace CudaDirect {

namespace {

using Cuda::Accumulator;
using Cuda::fused;
using Cuda::Value;

/// N terms from the k-th on: their loads are in flight together.
template <class T, int N, class A>
__device__ __forceinline__ A add_terms(A acc, PointArgs<A> const& g, int k, T const* point) {
  A v[N];
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] = Value<T>::load(__ldg(point + g.offset[k + i]));
#pragma unroll
  for (int i = 0; i < N; ++i) acc = fused(g.coefficient[k + i], v[i], acc);
  return acc;
}

/// One point a thread, its terms with the launch's arguments: small grids need all the threads that they can get, and
/// one launch for everything, points near faces included; those take more registers, hence Faces.
template <class T, bool Faces>
__global__ void __launch_bounds__(point_threads)
    points_kernel(__grid_constant__ PointArgs<Accumulator<T>> const g, T const* __restrict__ in, T* __restrict__ out) {
  using A       = Accumulator<T>;
  unsigned tile = blockIdx.x;
  if constexpr (Faces) {
    if (tile < g.strips.blocks) {
      Cuda::strip_point<T, point_threads>(g.strips, tile, in, out);
      return;
    }
    tile -= g.strips.blocks;
  }
  unsigned const tile_yz = tile / g.tiles_x, tile_z = tile_yz / g.tiles_y;
  int const x = g.begin[2] + int(((tile - tile_yz * g.tiles_x) << g.threads_x_log2) +
                                 (threadIdx.x & ((1u << g.threads_x_log2) - 1)));
  int const y = g.begin[1] + int((tile_yz - tile_z * g.tiles_y) * (point_threads >> g.threads_x_log2) +
                                 (threadIdx.x >> g.threads_x_log2));
  int const z = g.begin[0] + int(tile_z);
  if (x >= g.end[2] || y >= g.end[1]) return;
  T const* const point = in + z * g.in_stride[0] + y * g.in_stride[1] + x * g.in_stride[2];
  A acc                = -A(0);
  int k                = 0;
#pragma unroll 1
  for (; k + 8 <= g.count; k += 8) acc = add_terms<T, 8>(acc, g, k, point);
  if (g.count & 4) {
    acc = add_terms<T, 4>(acc, g, k, point);
    k += 4;
  }
  if (g.count & 2) {
    acc = add_terms<T, 2>(acc, g, k, point);
    k += 2;
  }
  if (g.count & 1) acc = add_terms<T, 1>(acc, g, k, point);
  out[z * g.out_stride[0] + y * g.out_stride[1] + x * g.out_stride[2]] = Value<T>::store(acc);
}

}  // namespace

template <class T, class A>
void launch_points(PointArgs<A> const& args, T const* in, T* out, cudaStream_t stream) {
  static_assert(sizeof(args) + 2 * sizeof(void*) <= 4096, "arguments of a launch");
  if (args.strips.blocks > 0) {
    points_kernel<T, true><<<args.strips.blocks + args.tiles, point_threads, 0, stream>>>(args, in, out);
  } else {
    points_kernel<T, false><<<args.tiles, point_threads, 0, stream>>>(args, in, out);
  }
}

template void launch_points(PointArgs<double> const&, double const*, double*, cudaStream_t);
template void launch_points(PointArgs<float> const&, float const*, float*, cudaStream_t);
template void launch_points(PointArgs<float> const&, __half const*, __half*, cudaStream_t);
template void launch_points(PointArgs<float> const&, __nv_bfloat16 const*, __nv_bfloat16*, cudaStream_t);

}  // namespace CudaDirect
}  // namespace KokkosStencil
