// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Kernel.hpp"

#include "arch/Ptx.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// Matrices hold zeros beside the stencil's coefficients. Those times infinity or NaN give NaN, so results that are not
// finite are computed again, by the plain formula in canonical order.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

template <class Element>
struct Value;

template <>
struct Value<Ptx::Half> {
  __device__ static float load(std::uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
  __device__ static std::uint16_t round(float v) { return __half_as_ushort(__float2half_rn(v)); }
  static constexpr std::uint16_t exponent = 0x7c00;
};

template <>
struct Value<Ptx::Bfloat> {
  __device__ static float load(std::uint16_t bits) { return __uint_as_float(std::uint32_t(bits) << 16); }
  __device__ static std::uint16_t round(float v) { return __bfloat16_as_ushort(__float2bfloat16_rn(v)); }
  static constexpr std::uint16_t exponent = 0x7f80;
};

/// Computes the outputs of a tile again that are not finite.
template <class Element>
__device__ __noinline__ void fix_non_finite(Args const& args, std::int32_t x0, std::int64_t y0, std::int64_t z,
                                            std::uint32_t height, int lane) {
  auto const* const in = static_cast<std::uint16_t const*>(args.in);
  auto* const out      = static_cast<std::uint16_t*>(args.out);
  for (std::uint32_t row = 0; row < height; ++row) {
    std::int64_t const y = y0 + row;
    for (std::int32_t x = x0 + 4 * lane; x < x0 + 4 * lane + 4; ++x) {
      if (x < args.x_begin || x >= args.x_end) continue;
      std::uint16_t* const to = out + z * args.out_z + y * args.out_y + x;
      if ((*to & Value<Element>::exponent) != Value<Element>::exponent) continue;
      std::uint16_t const* const from = in + z * args.in_z + y * args.in_y + x;
      float sum                       = -0.0f;
      for (int t = 0; t < args.term_count; ++t) {
        sum = fmaf(args.terms[t].coefficient, Value<Element>::load(from[args.terms[t].offset]), sum);
      }
      *to = Value<Element>::round(sum);
    }
  }
}

/// The same for several sweeps as one: sweep by sweep in `patch`, which holds two states of a patch of points in shared
/// memory. Each sweep computes the points that later ones depend on. On a line a patch is one row. Called by a whole
/// warp.
template <class Element>
__device__ __noinline__ void fix_sweeps(Args const& args, std::int32_t x0, std::int64_t y0, std::int64_t z,
                                        std::uint32_t height, int lane, float* patch) {
  __syncwarp();  // reads outputs of other lanes, and overwrites the rows of the ring that they read
  auto const* const in = static_cast<std::uint16_t const*>(args.in) + z * args.in_z;
  auto* const out      = static_cast<std::uint16_t*>(args.out) + z * args.out_z;
  int const far_y = args.sweeps * args.reach_y, far_x = args.sweeps * args.reach_x;
  int const pitch = patch_pitch(args.sweeps, args.reach_x), side = args.reach_y > 0 ? patch_side : 1;
  std::int32_t const x_first = max(x0, args.x_begin), x_last = min(x0 + warp_outputs, args.x_end);
  for (std::uint32_t row = 0; row < height; row += side) {
    std::int64_t const y = y0 + row;
    int const ny         = min(static_cast<int>(height - row), side);
    for (std::int32_t x = x_first; x < x_last; x += patch_side) {
      int const nx          = min(x_last - x, patch_side);
      auto const non_finite = [&](int i) {
        std::uint16_t const* const p = out + (y + i / nx) * args.out_y + x + i % nx;
        return (*p & Value<Element>::exponent) == Value<Element>::exponent;
      };
      bool mine = false;
      for (int i = lane; i < nx * ny; i += 32) mine = mine || non_finite(i);
      if (!__any_sync(0xffffffffu, mine)) continue;
      float* from = patch;
      float* to   = patch + (side + 2 * far_y) * pitch;
      int ey = far_y, ex = far_x;
      for (int i = lane; i < (ny + 2 * ey) * (nx + 2 * ex); i += 32) {
        int const py = i / (nx + 2 * ex), px = i % (nx + 2 * ex);
        from[py * pitch + px] = Value<Element>::load(in[(y + py - ey) * args.in_y + x + px - ex]);
      }
      for (int s = 0; s < args.sweeps; ++s) {
        __syncwarp();
        ey -= args.reach_y;
        ex -= args.reach_x;
        for (int i = lane; i < (ny + 2 * ey) * (nx + 2 * ex); i += 32) {
          int const at = (i / (nx + 2 * ex) + far_y - ey) * pitch + i % (nx + 2 * ex) + far_x - ex;
          float sum    = -0.0f;
          for (int t = 0; t < args.term_count; ++t) {
            sum = fmaf(args.terms[t].coefficient, from[at + args.terms[t].offset], sum);
          }
          to[at] = sum;
        }
        float* const newest = to;
        to                  = from;
        from                = newest;
      }
      __syncwarp();
      for (int i = lane; i < nx * ny; i += 32) {
        if (!non_finite(i)) continue;
        out[(y + i / nx) * args.out_y + x + i % nx] =
            Value<Element>::round(from[(i / nx + far_y) * pitch + i % nx + far_x]);
      }
      __syncwarp();
    }
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
