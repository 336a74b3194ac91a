// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedBoundaryKernel.hpp"

#include "arch/DependentLaunch.hpp"
#include "common/Value.cuh"

#include <impl/KokkosStencil_MapIndex.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

/// A block's cells: those of its tile, and those that its sweeps depend on. Past faces that are neither ghost values
/// nor periodic there are as many cells as one sweep reaches, which are filled again after each sweep. Past periodic
/// faces indices simply go on.
struct Cells {
  std::int32_t begin[2], end[2];  ///< points of the tile
  std::int32_t low[2], size[2];   ///< of the cells

  __device__ Cells(FusedBoundaryArgs const& args, FusedBoundaryBox const& box, std::int32_t tile) {
    std::int32_t const index[2] = {tile / box.tiles_x, tile % box.tiles_x};
#pragma unroll
    for (int a = 0; a < 2; ++a) {
      begin[a] = box.begin[a] + index[a] * box.tile[a];
      end[a]   = min(begin[a] + box.tile[a], box.end[a]);
      low[a]   = max(begin[a] - args.sweeps * args.reach[a], first(args, a));
      size[a]  = min(end[a] + args.sweeps * args.reach[a], last(args, a)) - low[a];
    }
  }

  static __device__ bool wraps(FusedBoundaryArgs const& args, int a) {
    return args.faces[a][0].kind == BoundaryKind::periodic;
  }
  static __device__ std::int32_t first(FusedBoundaryArgs const& args, int a) {
    return wraps(args, a) ? -args.extent[a] : args.faces[a][0].kind == BoundaryKind::halo ? 0 : -args.reach[a];
  }
  static __device__ std::int32_t last(FusedBoundaryArgs const& args, int a) {
    return args.extent[a] + (wraps(args, a)                                ? args.extent[a]
                             : args.faces[a][1].kind == BoundaryKind::halo ? 0
                                                                           : args.reach[a]);
  }
};

/// Finds the point that a cell stands for, without mapping periodic indices. Returns false if it is a constant.
template <class T>
__device__ bool source(FusedBoundaryArgs const& args, std::int32_t const (&cell)[2], std::int32_t (&point)[2],
                       float& constant) {
  int axis = -1, face = 0;
#pragma unroll
  for (int a = 0; a < 2; ++a) {
    point[a] = cell[a];
    if (Cells::wraps(args, a)) continue;
    int side             = 0;
    std::int64_t const m = Impl::map_near_index(cell[a], args.extent[a], args.faces[a], side);
    point[a]             = static_cast<std::int32_t>(m);
    // Past several constant faces the one of the View's lowest axis counts.
    if (m < 0 && (axis < 0 || args.user_axis[a] < args.user_axis[axis])) {
      axis = a;
      face = side;
    }
  }
  if (axis >= 0) constant = Value<T>::load(Value<T>::store(static_cast<float>(args.faces[axis][face].constant)));
  return axis < 0;
}

__device__ std::int32_t wrapped(std::int32_t i, std::int32_t extent) {
  return i < 0 ? i + extent : i >= extent ? i - extent : i;
}

__device__ bool in_range(FusedBoundaryArgs const& args, int a, std::int32_t i) {
  std::int32_t const at = wrapped(i, args.extent[a]);
  return at >= args.begin[a] && at < args.end[a];
}

/// Divides small integers in float. Exact, since no such quotient is as near to the next integer as the rounding error.
struct Divider {
  float inverse;
  __device__ explicit Divider(int by) : inverse(1.0f / static_cast<float>(by)) {}
  __device__ int operator()(int i) const { return static_cast<int>((static_cast<float>(i) + 0.5f) * inverse); }
};

template <class T, int Reach>
__global__ void __launch_bounds__(fused_boundary_threads, fused_boundary_blocks_per_sm)
    fused_boundary(__grid_constant__ FusedBoundaryArgs const args, T const* __restrict__ in, T* __restrict__ out) {
  constexpr int Rows = fused_boundary_thread_rows, Width = 2 * Reach + 1;
  extern __shared__ float cells[];
  int b = 0;
  while (b + 1 < args.box_count && static_cast<int>(blockIdx.x) >= args.boxes[b + 1].first_block) ++b;
  FusedBoundaryBox const& box = args.boxes[b];
  Cells const block(args, box, static_cast<std::int32_t>(blockIdx.x) - box.first_block);
  int const pitch = block.size[1], thread = static_cast<int>(threadIdx.x);
  float* from = cells + Reach * (pitch + 1);
  float* to   = from + fused_boundary_cells(block.size[0], pitch, Reach);
  bool past   = false;  // are there cells past faces?
#pragma unroll
  for (int a = 0; a < 2; ++a) {
    past = past || (!Cells::wraps(args, a) && (block.low[a] < 0 || block.low[a] + block.size[a] > args.extent[a]));
  }
  int const all = (block.size[0] + Rows - 1) / Rows * pitch;
  Divider const by_pitch(pitch);
  for (int i = thread; i < all; i += fused_boundary_threads) {
    int const group = by_pitch(i), x = i - group * pitch;
    float value[Rows];
#pragma unroll
    for (int e = 0; e < Rows; ++e) {
      std::int32_t const cell[2] = {block.low[0] + min(group * Rows + e, block.size[0] - 1), block.low[1] + x};
      std::int32_t point[2]      = {cell[0], cell[1]};
      if (!past || source<T>(args, cell, point, value[e])) {
        // Past the first cache, which may hold values of two passes before.
        value[e] = Value<T>::load(
            __ldcg(in + wrapped(point[0], args.extent[0]) * args.in_pitch + wrapped(point[1], args.extent[1])));
      }
    }
#pragma unroll
    for (int e = 0; e < Rows; ++e) {
      // In both states, for what no sweep computes stays as it is.
      int const at = (group * Rows + e) * pitch + x;
      if (group * Rows + e < block.size[0]) from[at] = to[at] = value[e];
    }
  }
  constexpr std::uint64_t every_term = ~std::uint64_t(0) >> (64 - Width * Width);
  // Radius 3 has no registers for all of them at once, nor has radius 2 in code for 8.0.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  constexpr int largest_whole = 1;
#else
  constexpr int largest_whole = 2;
#endif
  bool const whole = Reach <= largest_whole && args.terms == every_term;
  for (int s = args.sweeps - 1; s >= 0; --s) {
    // The cells that later sweeps depend on, of those that change. Where the range is only part of a periodic axis the
    // others are among them.
    std::int32_t low[2], size[2];
    bool all_change = true;
#pragma unroll
    for (int a = 0; a < 2; ++a) {
      bool const wraps = Cells::wraps(args, a);
      low[a]           = max(block.begin[a] - s * args.reach[a], wraps ? -args.extent[a] : args.begin[a]);
      size[a]    = max(0, min(block.end[a] + s * args.reach[a], wraps ? 2 * args.extent[a] : args.end[a]) - low[a]);
      all_change = all_change && (!wraps || (args.begin[a] == 0 && args.end[a] == args.extent[a]) ||
                                  (low[a] >= args.begin[a] && low[a] + size[a] <= args.end[a]));
    }
    int const items = (size[0] + Rows - 1) / Rows * size[1];
    int const at0   = (low[0] - block.low[0]) * pitch + low[1] - block.low[1];
    Divider const by_width(size[1]);
    __syncthreads();
    for (int i = thread; i < items; i += fused_boundary_threads) {
      int const group = by_width(i), x = i - group * size[1], at = at0 + group * Rows * pitch + x;
      // Neighbours of cells that do not change may lie outside the cells. What is read there is not used.
      float window[Rows + 2 * Reach][Width], sum[Rows];
#pragma unroll
      for (int y = 0; y < Rows + 2 * Reach; ++y) {
#pragma unroll
        for (int k = 0; k < Width; ++k) window[y][k] = from[at + (y - Reach) * pitch + k - Reach];
      }
#pragma unroll
      for (int e = 0; e < Rows; ++e) sum[e] = -0.0f;
      auto const add = [&](int t) {
#pragma unroll
        for (int e = 0; e < Rows; ++e) sum[e] = fused(args.coefficient[t], window[e + t / Width][t % Width], sum[e]);
      };
      if (whole) {
#pragma unroll
        for (int t = 0; t < Width * Width; ++t) add(t);
      } else {
#pragma unroll
        for (int t = 0; t < Width * Width; ++t) {
          if ((args.terms >> t & 1u) != 0) add(t);
        }
      }
      if (!all_change) {
        bool const changes = in_range(args, 1, low[1] + x);
#pragma unroll
        for (int e = 0; e < Rows; ++e) {
          if (!changes || !in_range(args, 0, low[0] + group * Rows + e)) sum[e] = window[e + Reach][Reach];
        }
      }
#pragma unroll
      for (int e = 0; e < Rows; ++e) {
        if (group * Rows + e < size[0]) to[at + e * pitch] = sum[e];
      }
    }
    if (past && s > 0) {
      __syncthreads();
      for (int i = thread; i < block.size[0] * pitch; i += fused_boundary_threads) {
        int const cell_row         = by_pitch(i);
        std::int32_t const cell[2] = {block.low[0] + cell_row, block.low[1] + i - cell_row * pitch};
        bool inside                = true;
#pragma unroll
        for (int a = 0; a < 2; ++a) {
          inside = inside && (Cells::wraps(args, a) || (cell[a] >= 0 && cell[a] < args.extent[a]));
        }
        if (inside) continue;
        std::int32_t point[2];
        float value = 0.0f;
        if (source<T>(args, cell, point, value)) {
          int const y = point[0] - block.low[0], x = point[1] - block.low[1];
          // Cells that are not needed any more may stand for points that have no cell.
          if (y < block.size[0] && x < block.size[1] && y >= 0 && x >= 0) value = to[y * pitch + x];
        }
        to[i] = value;
      }
    }
    float* const newest = to;
    to                  = from;
    from                = newest;
  }
  __syncthreads();
  int const nx = block.end[1] - block.begin[1], points = (block.end[0] - block.begin[0]) * nx;
  Divider const by_columns(nx);
  for (int i = thread; i < points; i += fused_boundary_threads) {
    int const tile_row = by_columns(i), y = block.begin[0] + tile_row, x = block.begin[1] + i - tile_row * nx;
    out[y * args.out_pitch + x] = Value<T>::store(from[(y - block.low[0]) * pitch + x - block.low[1]]);
  }
  // What follows on the stream waits for all blocks of this kernel, so it is enough that one of them waits for the
  // kernel before it. The others make room.
  if (blockIdx.x + 1 == gridDim.x) Ptx::GridDependency::wait();
}

}  // namespace

template <class T, int Reach>
void launch_fused_boundary(FusedBoundaryArgs const& args, T const* in, T* out, bool overlap, cudaStream_t stream) {
  launch_concurrent<fused_boundary<T, Reach>>(overlap, static_cast<std::uint32_t>(args.blocks), fused_boundary_threads,
                                              static_cast<std::size_t>(args.shared), stream, args, in, out);
}

template void launch_fused_boundary<__half, 1>(FusedBoundaryArgs const&, __half const*, __half*, bool, cudaStream_t);
template void launch_fused_boundary<__half, 2>(FusedBoundaryArgs const&, __half const*, __half*, bool, cudaStream_t);
template void launch_fused_boundary<__half, 3>(FusedBoundaryArgs const&, __half const*, __half*, bool, cudaStream_t);
template void launch_fused_boundary<__nv_bfloat16, 1>(FusedBoundaryArgs const&, __nv_bfloat16 const*, __nv_bfloat16*,
                                                      bool, cudaStream_t);
template void launch_fused_boundary<__nv_bfloat16, 2>(FusedBoundaryArgs const&, __nv_bfloat16 const*, __nv_bfloat16*,
                                                      bool, cudaStream_t);
template void launch_fused_boundary<__nv_bfloat16, 3>(FusedBoundaryArgs const&, __nv_bfloat16 const*, __nv_bfloat16*,
                                                      bool, cudaStream_t);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
