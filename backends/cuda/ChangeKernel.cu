// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ChangeKernel.hpp"
#include "Value.cuh"

#include <cfloat>
#include <cub/block/block_reduce.cuh>

namespace KokkosStencil {
namespace Cuda {

namespace {

struct Larger {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};
struct Sum {
  __device__ double operator()(double a, double b) const { return a + b; }
};

__device__ double block_total(bool largest, double mine) {
  using Reduce = cub::BlockReduce<double, change_threads>;
  __shared__ typename Reduce::TempStorage storage;
  return largest ? Reduce(storage).Reduce(mine, Larger()) : Reduce(storage).Reduce(mine, Sum());
}

template <class T>
__global__ void __launch_bounds__(change_threads)
    change(__grid_constant__ ChangeArgs const g, T const* __restrict__ newest, T const* __restrict__ oldest,
           double* partial) {
  int const tx = int(threadIdx.x) & ((1 << g.threads_x_log2) - 1), ty = int(threadIdx.x) >> g.threads_x_log2;
  int const side = 1 << g.threads_x_log2, rows = change_threads >> g.threads_x_log2;
  std::int64_t const items = g.size[0] * g.size[1] * g.segments;
  double mine              = 0.0;
  for (std::int64_t item = std::int64_t(blockIdx.x) * rows + ty; item < items; item += std::int64_t(gridDim.x) * rows) {
    std::int64_t const row = item / g.segments, y = row % g.size[1], z = row / g.size[1];
    std::int64_t const low  = item % g.segments * g.segment;
    std::int64_t const high = low + g.segment < g.size[2] ? low + g.segment : g.size[2];
    T const* const a        = newest + z * g.newest_stride[0] + y * g.newest_stride[1];
    T const* const b        = oldest + z * g.oldest_stride[0] + y * g.oldest_stride[1];
    constexpr int batch     = change_batch;
    for (std::int64_t x = low + tx; x < high; x += batch * side) {
      T u[batch], v[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        // Past the end, a point already counted.
        std::int64_t const at = x + k * side < high ? x + k * side : x;
        u[k]                  = a[at * g.newest_stride[2]];
        v[k]                  = b[at * g.oldest_stride[2]];
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        double const d = static_cast<double>(Value<T>::load(u[k])) - static_cast<double>(Value<T>::load(v[k]));
        if (g.largest) {
          double const m = fabs(d);
          mine           = Larger()(mine, m <= DBL_MAX ? m : m != m ? HUGE_VAL : DBL_MAX);
        } else if (k == 0 || x + k * side < high) {
          mine += d * d;
        }
      }
    }
  }
  double const total = block_total(g.largest, mine);
  if (threadIdx.x == 0) partial[blockIdx.x] = total;
}

__global__ void __launch_bounds__(change_threads)
    change_total(bool largest, int blocks, double const* partial, double* total) {
  double mine = 0.0;
  for (int k = int(threadIdx.x); k < blocks; k += change_threads) {
    mine = largest ? Larger()(mine, partial[k]) : mine + partial[k];
  }
  mine = block_total(largest, mine);
  if (threadIdx.x == 0) *total = mine;
}

}  // namespace

template <class T>
void launch_change(ChangeArgs const& args, int blocks, T const* newest, T const* oldest, double* partial,
                   cudaStream_t stream) {
  change<T><<<blocks, change_threads, 0, stream>>>(args, newest, oldest, partial);
}

template void launch_change(ChangeArgs const&, int, double const*, double const*, double*, cudaStream_t);
template void launch_change(ChangeArgs const&, int, float const*, float const*, double*, cudaStream_t);
template void launch_change(ChangeArgs const&, int, __half const*, __half const*, double*, cudaStream_t);
template void launch_change(ChangeArgs const&, int, __nv_bfloat16 const*, __nv_bfloat16 const*, double*, cudaStream_t);

void launch_change_total(bool largest, int blocks, double const* partial, double* total, cudaStream_t stream) {
  change_total<<<1, change_threads, 0, stream>>>(largest, blocks, partial, total);
}

}  // namespace Cuda
}  // namespace KokkosStencil
