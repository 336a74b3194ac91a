// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/UpdateNorm.cuh"
#include "common/UpdateNormKernel.hpp"
#include "common/LaunchKernel.hpp"

#include <impl/KokkosStencil_ScaledNorm.hpp>
#include <cstring>
#include <cub/block/block_reduce.cuh>

namespace KokkosStencil {
namespace Cuda {

namespace {

struct Sum {
  __device__ double operator()(double a, double b) const { return a + b; }
};

__device__ double block_total(bool largest, double mine) {
  using Reduce = cub::BlockReduce<double, update_norm_threads>;
  __shared__ typename Reduce::TempStorage storage;
  __syncthreads();
  return largest ? Reduce(storage).Reduce(mine, Larger()) : Reduce(storage).Reduce(mine, Sum());
}

/// Leaves the block's result. The block that arrives last adds up the results of all of them, always in the same order,
/// so the sum does not depend on which block that is.
__device__ void finish(bool largest, double mine, UpdateNormResult const& result) {
  __shared__ bool last;
  mine = block_total(largest, mine);
  if (threadIdx.x == 0) {
    result.partial[blockIdx.x] = mine;
    __threadfence();
    last = atomicAdd(result.arrived, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  mine = 0.0;
  for (unsigned k = threadIdx.x; k < gridDim.x; k += update_norm_threads) {
    double const part = __ldcg(result.partial + k);
    mine              = largest ? Larger()(mine, part) : mine + part;
  }
  mine = block_total(largest, mine);
  if (threadIdx.x == 0) {
    *result.total   = mine;
    *result.arrived = 0;
  }
}

/// Any strides.
template <class T>
__global__ void __launch_bounds__(update_norm_threads)
    update_norm(__grid_constant__ UpdateNormArgs const g, T const* __restrict__ newest, T const* __restrict__ oldest,
                __grid_constant__ UpdateNormResult const result) {
  int const tx = int(threadIdx.x) & ((1 << g.threads_x_log2) - 1), ty = int(threadIdx.x) >> g.threads_x_log2;
  int const side = 1 << g.threads_x_log2, rows = update_norm_threads >> g.threads_x_log2;
  std::int64_t const items = g.size[0] * g.size[1] * g.segments;
  double mine              = 0.0;
  for (std::int64_t item = std::int64_t(blockIdx.x) * rows + ty; item < items; item += std::int64_t(gridDim.x) * rows) {
    std::int64_t const row = item / g.segments, y = row % g.size[1], z = row / g.size[1];
    std::int64_t const low  = item % g.segments * g.segment;
    std::int64_t const high = low + g.segment < g.size[2] ? low + g.segment : g.size[2];
    T const* const a        = newest + z * g.newest_stride[0] + y * g.newest_stride[1];
    T const* const b        = oldest + z * g.oldest_stride[0] + y * g.oldest_stride[1];
    for (std::int64_t x = low + tx; x < high; x += update_norm_batch * side) {
      T u[update_norm_batch], v[update_norm_batch];
#pragma unroll
      for (int k = 0; k < update_norm_batch; ++k) {
        // Past the end of the segment the thread reads its first point again, which is then not counted.
        std::int64_t const at = x + k * side < high ? x + k * side : x;
        u[k]                  = a[at * g.newest_stride[2]];
        v[k]                  = b[at * g.oldest_stride[2]];
      }
#pragma unroll
      for (int k = 0; k < update_norm_batch; ++k) {
        if (g.largest || k == 0 || x + k * side < high) add(g.largest, u[k], v[k], mine);
      }
    }
  }
  finish(g.largest, mine, result);
}

template <class T>
__device__ __forceinline__ void add_vector(bool largest, uint4 const& u, uint4 const& v, double& mine) {
  T a[16 / sizeof(T)], b[16 / sizeof(T)];
  memcpy(a, &u, 16);
  memcpy(b, &v, 16);
  if constexpr (sizeof(T) == 2) {
    // Converting every value to double would take longer than the loads. The difference of two 16-bit values is almost
    // always exact in float: it is if both values can be recovered from it (Dekker's two-sum without an error term).
    float most     = 0.0f;
    double squares = 0.0;
    bool exact     = true;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      float const x = Value<T>::load(a[i]), y = Value<T>::load(b[i]), d = x - y;
      exact = exact && x - d == y && d + y == x;
      if (largest) {
        most = fmaxf(most, fabsf(d));
      } else {
        squares += static_cast<double>(d) * d;
      }
    }
    if (exact) {
      mine = largest ? Larger()(mine, most) : mine + squares;
      return;
    }
  }
#pragma unroll
  for (int i = 0; i < int(16 / sizeof(T)); ++i) add(largest, a[i], b[i], mine);
}

/// Contiguous rows that have the same alignment to 16 bytes in both states. The kernel is limited by how fast it issues
/// instructions, hence loads of 16 bytes and no 64-bit division.
template <class T>
__global__ void __launch_bounds__(update_norm_threads, update_norm_resident - (sizeof(T) == 2 ? 1 : 0))
    change_rows(__grid_constant__ UpdateNormArgs const g, T const* __restrict__ newest, T const* __restrict__ oldest,
                __grid_constant__ UpdateNormResult const result) {
  constexpr int V = 16 / sizeof(T);
  int const tx = int(threadIdx.x) & ((1 << g.threads_x_log2) - 1), ty = int(threadIdx.x) >> g.threads_x_log2;
  int const side = 1 << g.threads_x_log2, rows = update_norm_threads >> g.threads_x_log2;
  auto const height = unsigned(g.size[1]), segments = unsigned(g.segments);
  unsigned const items = unsigned(g.size[0]) * height * segments;
  double mine          = 0.0;
  for (unsigned item = blockIdx.x * rows + ty; item < items; item += gridDim.x * rows) {
    // The last rows come first: the sweep before has left some of them in the second-level cache.
    unsigned const nth = items - 1 - item, row = nth / segments, z = row / height, y = row - z * height;
    std::int64_t const low = (nth - row * segments) * g.segment;
    int const n            = int(g.size[2] - low < g.segment ? g.size[2] - low : g.segment);
    T const* const a       = newest + z * g.newest_stride[0] + y * g.newest_stride[1] + low;
    T const* const b       = oldest + z * g.oldest_stride[0] + y * g.oldest_stride[1] + low;
    // `first` points lie before the first aligned vector, `wide` vectors follow; `single` counts the points of neither.
    int const first = min(n, int((0 - reinterpret_cast<std::uintptr_t>(a)) % 16 / sizeof(T)));
    int const wide = (n - first) / V, single = n - wide * V;
    auto const* const u = reinterpret_cast<uint4 const*>(a + first);
    auto const* const v = reinterpret_cast<uint4 const*>(b + first);
    // The first of the single points is loaded together with the vectors.
    auto const other = [&](int i) { return i < first ? i : i + wide * V; };
    T one{}, two{};
    if (tx < single) {
      one = a[other(tx)];
      two = b[other(tx)];
    }
    for (int x = tx; x < wide; x += update_norm_vectors * side) {
      uint4 p[update_norm_vectors], q[update_norm_vectors];
#pragma unroll
      for (int k = 0; k < update_norm_vectors; ++k) {
        int const at = x + k * side < wide ? x + k * side : x;
        p[k]         = __ldg(u + at);
        q[k]         = __ldg(v + at);
      }
#pragma unroll
      for (int k = 0; k < update_norm_vectors; ++k) {
        if (k == 0 || x + k * side < wide) add_vector<T>(g.largest, p[k], q[k], mine);
      }
    }
    if (tx < single) add(g.largest, one, two, mine);
    for (int i = tx + side; i < single; i += side) add(g.largest, a[other(i)], b[other(i)], mine);
  }
  finish(g.largest, mine, result);
}

/// The second look of launch_update_norm_again. It is launched twice: to find the largest change, then to sum up the
/// squares of the ratios of all changes to it. Ends at once if the first sum of squares was good.
__global__ void __launch_bounds__(update_norm_threads)
    change_again(__grid_constant__ UpdateNormArgs const g, double const* __restrict__ newest,
                 double const* __restrict__ oldest, __grid_constant__ UpdateNormResult const result) {
  double const volatile* const before = result.total;
  double const sum                    = before[0];
  if (sum >= Impl::least_sum_of_squares && sum <= Impl::most_sum_of_squares) return;
  double const scale        = g.largest ? 1.0 : before[1];
  std::int64_t const points = g.size[0] * g.size[1] * g.size[2];
  std::int64_t const all    = std::int64_t(gridDim.x) * update_norm_threads;
  double mine               = 0.0;
  for (std::int64_t k = std::int64_t(blockIdx.x) * update_norm_threads + threadIdx.x; k < points; k += all) {
    std::int64_t const x = k % g.size[2], y = k / g.size[2] % g.size[1], z = k / g.size[2] / g.size[1];
    double const u = newest[z * g.newest_stride[0] + y * g.newest_stride[1] + x * g.newest_stride[2]];
    double const v = oldest[z * g.oldest_stride[0] + y * g.oldest_stride[1] + x * g.oldest_stride[2]];
    if (g.largest) {
      add(true, u, v, mine);
    } else {
      double const d = (u - v) / scale;
      mine += d * d;
    }
  }
  finish(g.largest, mine, {result.partial, result.arrived, result.total + (g.largest ? 1 : 2)});
}

/// Adds up the parts that a sweep has left, and the changes of the points that its kernel has not seen.
template <class T>
__global__ void __launch_bounds__(update_norm_threads)
    update_norm_total(__grid_constant__ BoundaryArgs const rest, double const* __restrict__ parts, std::int64_t count,
                      bool largest, T const* __restrict__ in, T const* __restrict__ out,
                      __grid_constant__ UpdateNormResult const result) {
  std::int64_t const all = std::int64_t(gridDim.x) * update_norm_threads;
  std::int64_t const i   = std::int64_t(blockIdx.x) * update_norm_threads + threadIdx.x;
  double mine            = 0.0;
#pragma unroll 4
  for (std::int64_t k = i; k < count; k += all) mine = largest ? Larger()(mine, parts[k]) : mine + parts[k];
  for (int b = 0; b < rest.box_count; ++b) {
    BoundaryBox const& box = rest.boxes[b];
    for (std::int64_t k = i; k < box.points; k += all) {
      std::int64_t const x = box.begin[2] + k % box.size[2], y = box.begin[1] + k / box.size[2] % box.size[1],
                         z = box.begin[0] + k / box.size[2] / box.size[1];
      add(largest, out[z * rest.out_stride[0] + y * rest.out_stride[1] + x * rest.out_stride[2]],
          in[z * rest.in_stride[0] + y * rest.in_stride[1] + x * rest.in_stride[2]], mine);
    }
  }
  finish(largest, mine, result);
}

}  // namespace

template <class T>
void launch_update_norm_total(BoundaryArgs const& rest, double const* parts, std::int64_t count, bool largest,
                              T const* in, T const* out, UpdateNormResult const& result, cudaStream_t stream) {
  std::int64_t points = count;
  for (int b = 0; b < rest.box_count; ++b) points += rest.boxes[b].points;
  std::int64_t const wanted = (points + 4 * update_norm_threads - 1) / (4 * update_norm_threads);
  auto const blocks         = static_cast<unsigned>(wanted < 1024 ? wanted : 1024);
  Cuda::launch_kernel(update_norm_total<T>, blocks, update_norm_threads, 0, stream, rest, parts, count, largest, in,
                      out, result);
}

template <class T>
void launch_update_norm(UpdateNormArgs const& args, int blocks, T const* newest, T const* oldest,
                        UpdateNormResult const& result, cudaStream_t stream) {
  if (args.rows_alike) {
    Cuda::launch_kernel(change_rows<T>, blocks, update_norm_threads, 0, stream, args, newest, oldest, result);
  } else {
    Cuda::launch_kernel(update_norm<T>, blocks, update_norm_threads, 0, stream, args, newest, oldest, result);
  }
}

void launch_update_norm_again(UpdateNormArgs const& args, int blocks, double const* newest, double const* oldest,
                              UpdateNormResult const& result, cudaStream_t stream) {
  UpdateNormArgs g = args;
  for (bool const largest : {true, false}) {
    g.largest = largest;
    change_again<<<blocks, update_norm_threads, 0, stream>>>(g, newest, oldest, result);
  }
}

template void launch_update_norm(UpdateNormArgs const&, int, double const*, double const*, UpdateNormResult const&,
                                 cudaStream_t);
template void launch_update_norm(UpdateNormArgs const&, int, float const*, float const*, UpdateNormResult const&,
                                 cudaStream_t);
template void launch_update_norm(UpdateNormArgs const&, int, __half const*, __half const*, UpdateNormResult const&,
                                 cudaStream_t);
template void launch_update_norm(UpdateNormArgs const&, int, __nv_bfloat16 const*, __nv_bfloat16 const*,
                                 UpdateNormResult const&, cudaStream_t);

template void launch_update_norm_total(BoundaryArgs const&, double const*, std::int64_t, bool, double const*,
                                       double const*, UpdateNormResult const&, cudaStream_t);
template void launch_update_norm_total(BoundaryArgs const&, double const*, std::int64_t, bool, float const*,
                                       float const*, UpdateNormResult const&, cudaStream_t);
template void launch_update_norm_total(BoundaryArgs const&, double const*, std::int64_t, bool, __half const*,
                                       __half const*, UpdateNormResult const&, cudaStream_t);
template void launch_update_norm_total(BoundaryArgs const&, double const*, std::int64_t, bool, __nv_bfloat16 const*,
                                       __nv_bfloat16 const*, UpdateNormResult const&, cudaStream_t);

}  // namespace Cuda
}  // namespace KokkosStencil
