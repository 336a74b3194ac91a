// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/BoundaryPoints.cuh"
#include "Kernels.hpp"
#include "common/Updated.cuh"
#include "common/LaunchKernel.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

static_assert(point_loads == 8, "the terms that are left over are added by four, two and one");

/// Adds N terms from the k-th on. Their loads are in flight together.
template <class T, int N, class A, int Most>
__device__ __forceinline__ A add_terms(A acc, PointTerms<A, Most> const& terms, int k, T const* point) {
  A v[N];
#pragma unroll
  for (int i = 0; i < N; ++i) v[i] = Value<T>::load(__ldg(point + terms.offset[k + i]));
#pragma unroll
  for (int i = 0; i < N; ++i) acc = fused(terms.coefficient[k + i], v[i], acc);
  return acc;
}

template <class T, class A, int Most>
__device__ __forceinline__ void compute(PointGrid const& g, PointTerms<A, Most> const& terms, unsigned tile,
                                        T const* __restrict__ in, T* __restrict__ out) {
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
  for (; k + point_loads <= g.count; k += point_loads) acc = add_terms<T, point_loads>(acc, terms, k, point);
  if (g.count & 4) {
    acc = add_terms<T, 4>(acc, terms, k, point);
    k += 4;
  }
  if (g.count & 2) {
    acc = add_terms<T, 2>(acc, terms, k, point);
    k += 2;
  }
  if (g.count & 1) acc = add_terms<T, 1>(acc, terms, k, point);
  T* const to = out + z * g.out_stride[0] + y * g.out_stride[1] + x * g.out_stride[2];
  if (g.updates) acc = updated<T>(static_cast<A>(g.alpha), acc, static_cast<A>(g.beta), to);
  *to = Value<T>::store(acc);
}

/// A point a thread, with the terms in the arguments of the launch. For small grids, which need as many threads as they
/// can get, and one launch for everything.
template <class T, int Most>
__global__ void __launch_bounds__(point_threads)
    points_kernel(__grid_constant__ PointGrid const g, __grid_constant__ PointTerms<Accumulator<T>, Most> const terms,
                  T const* __restrict__ in, T* __restrict__ out) {
  compute(g, terms, blockIdx.x, in, out);
}

/// The same, where the first blocks compute the points near faces. They take more registers.
template <class T>
__global__ void __launch_bounds__(point_threads)
    points_and_faces_kernel(__grid_constant__ PointArgs<Accumulator<T>> const args, T const* __restrict__ in,
                            T* __restrict__ out) {
  if (blockIdx.x < args.boundary.blocks) {
    Cuda::BoundaryBox const& box = Cuda::boundary_box(args.boundary, blockIdx.x);
    Cuda::boundary_point<T, point_threads>(args.boundary, box, blockIdx.x, in, out);
  } else {
    compute(args.grid, args.terms, blockIdx.x - args.boundary.blocks, in, out);
  }
}

}  // namespace

template <class T, class A>
void launch_points(PointArgs<A> const& args, T const* in, T* out, cudaStream_t stream) {
  static_assert(sizeof(args) + 2 * sizeof(void*) <= 4096, "arguments of a launch");
  // Launches with long arguments take the host longer, hence two kernels.
  if (args.boundary.blocks > 0) {
    Cuda::launch_kernel(points_and_faces_kernel<T>, args.boundary.blocks + args.grid.tiles, point_threads, 0, stream,
                        args, in, out);
  } else if (args.grid.count <= few_point_terms) {
    PointTerms<A, few_point_terms> terms;
    std::copy_n(args.terms.coefficient, few_point_terms, terms.coefficient);
    std::copy_n(args.terms.offset, few_point_terms, terms.offset);
    Cuda::launch_kernel(points_kernel<T, few_point_terms>, args.grid.tiles, point_threads, 0, stream, args.grid, terms,
                        in, out);
  } else {
    Cuda::launch_kernel(points_kernel<T, most_point_terms>, args.grid.tiles, point_threads, 0, stream, args.grid,
                        args.terms, in, out);
  }
}

template void launch_points(PointArgs<double> const&, double const*, double*, cudaStream_t);
template void launch_points(PointArgs<float> const&, float const*, float*, cudaStream_t);
template void launch_points(PointArgs<float> const&, __half const*, __half*, cudaStream_t);
template void launch_points(PointArgs<float> const&, __nv_bfloat16 const*, __nv_bfloat16*, cudaStream_t);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
