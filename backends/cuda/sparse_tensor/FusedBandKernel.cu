// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FusedBoundaryKernel.hpp"

#include "arch/DependentLaunch.hpp"
#include "common/Value.cuh"

#include <type_traits>

// Points near faces of a plane beside `wgmma`, which leaves each quarter of a multiprocessor registers for one warp of
// this kernel. A warp holds a tile of a band along a face in registers: lanes go along the band, two columns each, and
// sweeps go down its rows, which lie across the band, in place.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

constexpr int cells = fused_band_cells, columns = fused_band_columns, length = fused_band_length;
constexpr int width = 3;  ///< of the stencil
static_assert(65536 / (32 * fused_band_per_sm) / 8 * 8 <= wgmma_beside_registers, "");

__device__ bool wraps(FusedBoundaryArgs const& args, int axis) {
  return args.faces[axis][0].kind == BoundaryKind::periodic;
}

/// What a tile has of an axis: its points, and the first of its cells, which begin as far before the points as all
/// sweeps reach.
struct Stretch {
  std::int32_t begin, end, low;
};

__device__ Stretch stretch(FusedBoundaryArgs const& args, FusedBoundaryBox const& box, int axis, std::int32_t index) {
  std::int32_t const begin = box.begin[axis] + index * box.tile[axis];
  return {begin, min(begin + box.tile[axis], box.end[axis]), begin - args.sweeps * args.reach[axis]};
}

/// Where a cell is read. Past faces with ghost values any value will do, past periodic ones indices go on.
__device__ std::int32_t place(FusedBoundaryArgs const& args, int axis, std::int32_t i) {
  std::int32_t const extent = args.extent[axis];
  if (wraps(args, axis)) return i < 0 ? i + extent : i >= extent ? i - extent : i;
  return min(max(i, 0), extent - 1);
}

__device__ bool changes(FusedBoundaryArgs const& args, int axis, std::int32_t i) {
  return wraps(args, axis) || (i >= args.begin[axis] && i < args.end[axis]);
}

/// Calls `each` with row and column of all elements of so many rows of `wide`. A warp takes 32 at once, and has as many
/// loads under way as the loop is unrolled for.
template <class Each>
__device__ void for_elements(int rows, int wide, int lane, Each const& each) {
  int const down = 32 / wide, right = 32 % wide;
  int y = lane / wide, x = lane % wide;
#pragma unroll 22
  for (int i = lane; i < rows * wide; i += 32) {
    each(y, x);
    y += down;
    x += right;
    if (x >= wide) {
      x -= wide;
      ++y;
    }
  }
}

/// Which terms a stencil has, of 3 x 3.
enum class Terms { box, cross, any };

template <Terms Which>
__device__ bool has_term(std::uint32_t terms, int k, int d) {
  return Which == Terms::box || (Which == Terms::cross ? k == 1 || d == 1 : (terms >> (k * width + d) & 1u) != 0);
}

/// One sweep of a warp's tile, in place. Row r adds to the sums of the three rows that it reaches, of which r - 1 is
/// complete then. Bit v of `columns_change`, bit r of `rows_change`: those to be changed.
template <Terms Which>
__device__ __forceinline__ void sweep_band(float (&cell)[cells][columns], float const (&coefficient)[width][width],
                                           std::uint32_t terms, std::uint32_t columns_change,
                                           std::uint32_t rows_change) {
  float sum[width][columns];
#pragma unroll
  for (int r = 0; r < cells; ++r) {
    if ((rows_change << 1 >> r & 7u) == 0) continue;
    float window[columns + 2];
    window[0]           = __shfl_up_sync(0xffffffffu, cell[r][columns - 1], 1);
    window[columns + 1] = __shfl_down_sync(0xffffffffu, cell[r][0], 1);
#pragma unroll
    for (int v = 0; v < columns; ++v) window[v + 1] = cell[r][v];
#pragma unroll
    for (int k = 0; k < width; ++k) {
      int const to = r + 1 - k;  // the row that has this one as row k of its window
      if (to < 0 || to >= cells) continue;
      float(&of_row)[columns] = sum[to % width];
#pragma unroll
      for (int v = 0; v < columns; ++v) {
        if (k == 0 || r == 0) of_row[v] = -0.0f;
      }
#pragma unroll
      for (int d = 0; d < width; ++d) {
        if (!has_term<Which>(terms, k, d)) continue;
#pragma unroll
        for (int v = 0; v < columns; ++v) of_row[v] = fused(coefficient[k][d], window[v + d], of_row[v]);
      }
      if (k != width - 1 || (rows_change >> to & 1u) == 0) continue;
#pragma unroll
      for (int v = 0; v < columns; ++v) {
        if ((columns_change >> v & 1u) != 0) cell[to][v] = of_row[v];
      }
    }
  }
}

template <class T, Terms Which>
__global__ void __launch_bounds__(32, fused_band_per_sm)
    fused_band(__grid_constant__ FusedBoundaryArgs const args, T const* __restrict__ in, T* __restrict__ out) {
  // The next pass may take the places of this one, and waits for it.
  Ptx::GridDependency::signal();
  constexpr int pitch = cells + 1 - cells % 2;  // odd, so that lanes meet in few banks
  __shared__ T staged[length * pitch];
  int b = 0;
  while (b + 1 < args.box_count && static_cast<int>(blockIdx.x) >= args.boxes[b + 1].first_block) ++b;
  FusedBoundaryBox const& box = args.boxes[b];
  std::int32_t const tile     = static_cast<std::int32_t>(blockIdx.x) - box.first_block;
  int const lane              = static_cast<int>(threadIdx.x);
  bool const upright          = box.upright != 0;
  // Read again after the sweeps, which leave no registers for it.
  __shared__ Stretch stretches[2];
  if (lane < 2) stretches[lane] = stretch(args, box, lane, lane == 0 ? tile / box.tiles_x : tile % box.tiles_x);
  __syncwarp();
  Stretch const &ys = stretches[0], &xs = stretches[1];
  auto const at = [upright](int y, int x) { return upright ? y * pitch + x : x * pitch + y; };

  // By way of shared memory, so that adjacent lanes read and write adjacent values, whichever way they go.
  for_elements(upright ? length : cells, upright ? cells : length, lane, [&](int y, int x) {
    // Past the first cache, which may hold values of two passes before.
    staged[at(y, x)] = __ldcg(in + place(args, 0, ys.low + y) * args.in_pitch + place(args, 1, xs.low + x));
  });
  __syncwarp();
  float cell[cells][columns];
#pragma unroll
  for (int r = 0; r < cells; ++r) {
#pragma unroll
    for (int v = 0; v < columns; ++v) cell[r][v] = Value<T>::load(staged[(lane * columns + v) * pitch + r]);
  }
  float coefficient[width][width];
  std::uint32_t terms = 0, columns_change = 0, rows_change = 0;
#pragma unroll
  for (int k = 0; k < width; ++k) {
#pragma unroll
    for (int d = 0; d < width; ++d) {
      int const term    = upright ? d * width + k : k * width + d;
      coefficient[k][d] = args.coefficient[term];
      terms |= static_cast<std::uint32_t>(args.terms >> term & 1u) << (k * width + d);
    }
  }
#pragma unroll
  for (int v = 0; v < columns; ++v) {
    if (changes(args, upright ? 0 : 1, (upright ? ys : xs).low + lane * columns + v)) columns_change |= 1u << v;
  }
#pragma unroll
  for (int r = 0; r < cells; ++r) {
    if (changes(args, upright ? 1 : 0, (upright ? xs : ys).low + r)) rows_change |= 1u << r;
  }
  int const wide = upright ? xs.end - xs.begin : ys.end - ys.begin;
#pragma unroll 1
  for (int s = args.sweeps - 1; s >= 0; --s) {
    std::uint32_t const needed_later = ((1u << (wide + 2 * s)) - 1) << (args.sweeps - s);
    sweep_band<Which>(cell, coefficient, terms, columns_change, rows_change & needed_later);
  }
  __syncwarp();
#pragma unroll
  for (int r = 0; r < cells; ++r) {
#pragma unroll
    for (int v = 0; v < columns; ++v) staged[(lane * columns + v) * pitch + r] = Value<T>::store(cell[r][v]);
  }
  __syncwarp();
  for_elements(ys.end - ys.begin, xs.end - xs.begin, lane, [&](int y, int x) {
    out[(ys.begin + y) * args.out_pitch + xs.begin + x] = staged[at(ys.begin - ys.low + y, xs.begin - xs.low + x)];
  });
  // What follows on the stream waits for all blocks of this kernel, so it is enough that one of them waits for the
  // kernel before it. The others make room.
  if (blockIdx.x + 1 == gridDim.x) Ptx::GridDependency::wait();
}

}  // namespace

template <class T>
void launch_fused_band(FusedBoundaryArgs const& args, T const* in, T* out, cudaStream_t stream) {
  constexpr std::uint64_t box = 0777, cross = 0272;
  auto const launch = [&](auto terms) {
    constexpr auto kernel = fused_band<T, decltype(terms)::value>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, wgmma_shared_percent);
    launch_concurrent<kernel>(true, static_cast<std::uint32_t>(args.blocks), 32, 0, stream, args, in, out);
  };
  if (args.terms == box) return launch(std::integral_constant<Terms, Terms::box>());
  if (args.terms == cross) return launch(std::integral_constant<Terms, Terms::cross>());
  launch(std::integral_constant<Terms, Terms::any>());
}

template void launch_fused_band<__half>(FusedBoundaryArgs const&, __half const*, __half*, cudaStream_t);
template void launch_fused_band<__nv_bfloat16>(FusedBoundaryArgs const&, __nv_bfloat16 const*, __nv_bfloat16*,
                                               cudaStream_t);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
