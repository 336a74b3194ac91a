// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/PlaneArgs.hpp"
#include "common/Value.cuh"

#include <cuda_runtime.h>

namespace KokkosStencil {
namespace Cuda {

/// Where a warp's tile lies. Tiles do not overlap, since the last bits of an output may depend on the tile it is in.
struct PlaneTile {
  std::int32_t x;
  std::int64_t y, z;
  int height;

  /// `rest` numbers the tiles of a strip: those of all planes at the first height, then at the second, and so on.
  template <class T>
  __device__ PlaneTile(PlaneArgs<T> const& args, std::uint32_t strip, std::uint32_t rest) {
    x      = args.x0 + static_cast<std::int32_t>(strip) * plane_columns;
    z      = args.z_begin + rest % args.planes;
    y      = args.y_begin + static_cast<std::int64_t>(rest / args.planes) * args.height;
    height = static_cast<int>(min(static_cast<std::int64_t>(args.height), args.y_end - y));
  }
};

/// Computes the outputs of a tile that are not finite again, by the plain formula in canonical order: matrices hold
/// zeros beside the stencil's coefficients, and those times infinity or NaN do not belong in the result.
template <class T>
__device__ __noinline__ void fix_non_finite_plane(PlaneArgs<T> const& args, std::uint32_t strip, std::uint32_t rest) {
  PlaneTile const tile(args, strip, rest);
  int const lane = static_cast<int>(threadIdx.x & 31u);
  for (int row = 0; row < tile.height; ++row) {
    T const* const in = args.in + tile.z * args.in_z + (tile.y + row) * args.in_y;
    T* const out      = args.out + tile.z * args.out_z + (tile.y + row) * args.out_y;
    for (std::int32_t x = tile.x + lane; x < tile.x + plane_columns; x += 32) {
      if (x < args.x_begin || x >= args.x_end || isfinite(out[x])) continue;
      T sum = T(-0.0);
      for (int t = 0; t < args.term_count; ++t) {
        sum = fused(args.terms[t].coefficient, in[x + args.terms[t].offset], sum);
      }
      out[x] = sum;
    }
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
