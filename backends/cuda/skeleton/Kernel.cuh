// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "skeleton/Kernel.hpp"

#include "arch/DependentLaunch.hpp"
#include "common/Value.cuh"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

/// Kernel K of the table: a point a thread, its terms in canonical order, by fused multiply-adds.
template <std::size_t K>
__global__ void __launch_bounds__(kernels[K].threads()) star_points(__grid_constant__ Args const args) {
  Ptx::GridDependency::signal();  // BoundaryKernel, which comes next, may begin beside this one
  constexpr int radius = kernels[K].radius, columns = kernels[K].columns, rows = kernels[K].rows;
  std::uint32_t const tile_yz = blockIdx.x / args.tiles_x;
  auto const thread           = static_cast<int>(threadIdx.x);
  std::int64_t const x        = args.begin[2] + std::int64_t(blockIdx.x % args.tiles_x) * columns + thread % columns;
  std::int64_t const y        = args.begin[1] + std::int64_t(tile_yz % args.tiles_y) * rows + thread / columns;
  std::int64_t const z        = args.begin[0] + tile_yz / args.tiles_y;
  if (x >= args.end[2] || y >= args.end[1]) return;

  float const* const point = args.in + z * args.in_z + y * args.in_y + x;
  float sum                = -0.0f;
  int term                 = 0;
#pragma unroll
  for (int dy = -radius; dy <= radius; ++dy) {
    int const reach = dy == 0 ? radius : 0;
#pragma unroll
    for (int dx = -reach; dx <= reach; ++dx) {
      sum = fused(args.coefficients[term++], __ldg(point + dy * args.in_y + dx), sum);
    }
  }
  args.out[z * args.out_z + y * args.out_y + x] = sum;
}

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
