// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "tensor_double/Kernel.hpp"
#include "tensor_double/Tuning.hpp"

#include "common/PlaneTile.cuh"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

/// Kernel K of the table. A warp streams down a strip of columns, with N input rows in shared memory and N rotating
/// sums. The outputs of a row are 16 blocks of 8. They are the product of matrix A, which has the window of Steps * 8
/// inputs of each block, with matrix B, the band matrix of a kernel row, which all warps of a block read from shared
/// memory. The narrow side of the product lies along x, so that windows are short: 24 inputs for 8 outputs at a reach
/// of 7.
/// Anywhere: rows may begin at any element, and elements are copied one by one.
template <std::size_t K, bool Anywhere>
__global__ void __launch_bounds__(32 * block_warps, kernels[K].blocks_per_sm)
    stream_planes(__grid_constant__ Args const args) {
  Ptx::GridDependency::signal();
  constexpr int N = kernels[K].rows, Steps = kernels[K].steps;
  extern __shared__ __align__(128) unsigned char shared[];
  int const lane = static_cast<int>(threadIdx.x & 31u), warp = static_cast<int>(threadIdx.x >> 5);
  auto* const bands = reinterpret_cast<double2*>(shared);
  for (int i = static_cast<int>(threadIdx.x); i < N * Steps * 32; i += 32 * block_warps)
    bands[i] = __ldg(static_cast<double2 const*>(args.bands) + i);
  __syncthreads();
  std::uint32_t const groups = (args.strips + block_warps - 1) / block_warps;
  std::uint32_t const strip  = blockIdx.x % groups * block_warps + static_cast<std::uint32_t>(warp);
  std::uint32_t const rest   = blockIdx.x / groups;
  if (strip >= args.strips) return;
  PlaneTile const tile(args, strip, rest);
  int const total = tile.height + N - 1;
  int const pad   = (N - total % N) % N;  // steps come in whole turns of N; the first ones repeat the first row

  // Vectors of two elements, counted from args.vectors.
  auto const start = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const ring  = start + static_cast<std::uint32_t>(N * Steps * 512 + warp * N * row_bytes + 64);
  auto const row0  = static_cast<std::uint32_t>((tile.z * args.in_z + tile.y * args.in_y) / 2);
  auto const pitch = static_cast<std::uint32_t>(args.in_y / 2);
  std::uint32_t from[3];
  std::int64_t const first_row = tile.z * args.in_z + tile.y * args.in_y + tile.x - 8 + lane;  // if Anywhere
#pragma unroll
  for (int c = 0; c < 3; ++c) {
    std::int32_t const x = tile.x - 8 + 2 * (lane + 32 * c);
    from[c] =
        row0 + static_cast<std::uint32_t>((max(args.first_vector, min(x, args.last_vector)) - args.first_vector) / 2);
  }
  int next         = -pad;
  auto const fetch = [&](int slot) {
    auto const row = static_cast<std::uint32_t>(min(max(next, 0), total - 1));
    if constexpr (Anywhere) {
      std::uint32_t const to   = ring + static_cast<std::uint32_t>(slot * row_bytes + 8 * lane);
      double const* const from = args.vectors + first_row + row * args.in_y;
      if (tile.x >= 8 && tile.x + 136 <= args.last_vector + 1) {
        Ptx::CopyAsyncAt<8, 0, 0>::run(to, from);
        Ptx::CopyAsyncAt<8, 256, 256>::run(to, from);
        Ptx::CopyAsyncAt<8, 512, 512>::run(to, from);
        Ptx::CopyAsyncAt<8, 768, 768>::run(to, from);
        if (lane < 16) Ptx::CopyAsyncAt<8, 1024, 1024>::run(to, from);
      } else {
#pragma unroll 1
        for (int c = 0; c < 5; ++c) {
          std::int32_t const column = tile.x - 8 + lane, x = max(0, min(column + 32 * c, args.last_vector));
          if (c < 4 || lane < 16) Ptx::CopyAsyncAt<8, 0, 0>::run(to + 256 * c, from + (x - column));
        }
      }
    } else {
#pragma unroll
      for (int c = 0; c < 3; ++c) {
        if (lane + 32 * c < 72) {
          Ptx::CopyAsync::run(ring + static_cast<std::uint32_t>(slot * row_bytes + 16 * (lane + 32 * c)), args.vectors,
                              from[c] + row * pitch);
        }
      }
    }
    ++next;
    Ptx::CopyAsync::commit();
  };
#pragma unroll
  for (int s = 0; s < N - 1; ++s) fetch(s);

  double sum[N][4];
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[k][i] = 0.0;
  }
  // Lane 4 g + q holds elements 2 q and 2 q + 1 of blocks g and g + 8.
  int const g = lane >> 2, q = lane & 3;
  std::int32_t const mine = tile.x + 8 * g + 2 * q;
  auto const wanted       = [&](int e) { return mine + e >= args.x_begin && mine + e < args.x_end; };
  bool const keep[4]      = {wanted(0), wanted(1), wanted(64), wanted(65)};
  bool const all          = args.aligned && keep[0] && keep[1] && keep[2] && keep[3];
  double* to              = args.out + tile.z * args.out_z + tile.y * args.out_y + mine;
  int row                 = -pad - (N - 1);  // the output that the next step completes
  double non_finite       = 0.0;
  double const zero[4]    = {0.0, 0.0, 0.0, 0.0};
  // Windows begin 8 elements before their outputs, or 4 if they have only 16 elements.
  auto const window = ring + static_cast<std::uint32_t>(64 * g + 16 * q + (8 * (8 - kernels[K].reach())));
  auto const band   = start + static_cast<std::uint32_t>(16 * lane);

#pragma unroll 1
  for (int done = 0; done < total + pad; done += N) {
#pragma unroll
    for (int u = 0; u < N; ++u) {
      Ptx::CopyAsync::wait<N - 2>();
      __syncwarp();
      fetch((u + N - 1) % N);
      double a[Steps][4];
#pragma unroll
      for (int s = 0; s < Steps; ++s) {
        double2 const low  = Ptx::LoadSharedDoubles::run(window + u * row_bytes + 64 * s);
        double2 const high = Ptx::LoadSharedDoubles::run(window + u * row_bytes + 64 * s + 512);
        a[s][0]            = low.x;
        a[s][1]            = high.x;
        a[s][2]            = low.y;
        a[s][3]            = high.y;
      }
#pragma unroll
      for (int k = N - 1; k >= 0; --k) {
        double(&of)[4] = sum[(u - k + N) % N];
#pragma unroll
        for (int s = 0; s < Steps; ++s) {
          double2 const b = Ptx::LoadSharedDoubles::run(band + (k * Steps + s) * 512);
          if (k == 0 && s == 0) {
            Ptx::MmaDouble::run(of, a[s], b, zero);
          } else {
            Ptx::MmaDouble::run(of, a[s], b, of);
          }
        }
      }
      double const(&y)[4] = sum[(u + 1) % N];
#pragma unroll
      for (int i = 0; i < 4; ++i) non_finite = __fma_rn(y[i], 0.0, non_finite);
      // Outputs that are not complete yet are stored where the first complete one will be.
      if (all) {
        *reinterpret_cast<double2*>(to)      = make_double2(y[0], y[1]);
        *reinterpret_cast<double2*>(to + 64) = make_double2(y[2], y[3]);
      } else {
        if (keep[0]) to[0] = y[0];
        if (keep[1]) to[1] = y[1];
        if (keep[2]) to[64] = y[2];
        if (keep[3]) to[65] = y[3];
      }
      if (row >= 0) to += args.out_y;
      ++row;
    }
  }
  if (__any_sync(~0u, non_finite != 0.0 || non_finite != non_finite)) {
    __syncwarp();  // outputs were stored by other lanes
    fix_non_finite_plane<double>(args, strip, rest);
  }
}

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
