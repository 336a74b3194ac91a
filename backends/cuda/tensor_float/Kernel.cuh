// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "tensor_float/Kernel.hpp"
#include "tensor_float/Tuning.hpp"

#include "common/PlaneTile.cuh"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"
#include "arch/MmaSparse.hpp"
#include "arch/Ptx.hpp"

#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

// A warp computes 128 adjacent outputs of a row at a time, as eight blocks of 16 (core/transform/README.md), and
// streams along y. In registers floats are multiplied by a power of two, which follows the data, and become halves.

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

constexpr float lift = 2048.0f;  ///< each further half of a split value is multiplied by it once more: 11 bits
/// Data are wide if an input is smaller than the largest one by more powers of two than this, or zero. Two halves,
/// which differ by 11 bits, do not suffice for such an input.
constexpr int wide_exponents = 24;

/// Splits each of eight floats in so many halves, and packs these in pairs. A half holds what the ones before it miss,
/// times `lift` once more.
template <int Splits>
__device__ __forceinline__ void split(uint4 const& first, uint4 const& second, float scale, uint4 (&halves)[Splits]) {
  float const x[8] = {__uint_as_float(first.x),  __uint_as_float(first.y),  __uint_as_float(first.z),
                      __uint_as_float(first.w),  __uint_as_float(second.x), __uint_as_float(second.y),
                      __uint_as_float(second.z), __uint_as_float(second.w)};
  std::uint32_t h[Splits][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    float u = x[2 * i] * scale, v = x[2 * i + 1] * scale;
#pragma unroll
    for (int p = 0; p < Splits; ++p) {
      h[p][i] = Ptx::RoundPair<Ptx::Half>::run(u, v);
      if (p + 1 == Splits) break;
      __half2 const pair = *reinterpret_cast<__half2 const*>(&h[p][i]);
      u                  = (u - __low2float(pair)) * lift;
      v                  = (v - __high2float(pair)) * lift;
    }
  }
#pragma unroll
  for (int p = 0; p < Splits; ++p) halves[p] = make_uint4(h[p][0], h[p][1], h[p][2], h[p][3]);
}

/// A kernel of the table. Its fields are the parameters, since with the index the compiler would allot registers
/// differently. A block is one warp with one tile. Input rows come by way of shared memory, Batch of them at a time,
/// Slots - 2 batches ahead.
///
/// Without Split inputs are rounded to half. With Split there are three products: first times first, first times second
/// and second times first halves. Every two kernel rows have sums of their own, which are then added as floats, since
/// tensor cores cut off low bits when they add. Where the data are wide, second times second and the products with the
/// third halves are added as well.
///
/// Anywhere: rows may begin at any element, and elements are copied one by one.
template <int N, bool Split, int Batch, int Slots, int Blocks, bool Anywhere>
__global__ void __launch_bounds__(32, Blocks) stream_planes(__grid_constant__ Args const args) {
  Ptx::GridDependency::signal();
  constexpr int BatchBytes = Batch * row_bytes;
  constexpr int Extra      = Batch * 4;  // lanes with a vector beyond the first 32 of a row
  constexpr int Splits     = Split ? 2 : 1;
  static_assert(Extra <= 32 && Slots >= 3 && Batch % Splits == 0, "");
  __shared__ __align__(128) unsigned char shared[Slots * BatchBytes];
  __shared__ uint4 shared_second[Split ? N * 32 : 1];
  PlaneTile const tile(args, blockIdx.x % args.strips, blockIdx.x / args.strips);
  int const lane  = static_cast<int>(threadIdx.x);
  int const total = tile.height + N - 1;
  int const pad   = (Batch - total % Batch) % Batch;  // the first batch repeats the first row

  // Vectors of 16 bytes, counted from args.vectors. Vector 0 of a row begins 8 elements before the outputs. Vectors are
  // placed so that a line of global memory stays a line in shared memory; otherwise the second-level cache would get a
  // request for each vector.
  auto const vector_at = [&](int p) {
    std::int32_t const x = tile.x - 8 + 4 * p;
    return static_cast<std::uint32_t>((max(args.first_vector, min(x, args.last_vector)) - args.first_vector) / 4);
  };
  auto const place = [](int p) {
    int const line = (p + 6) / 8;
    return static_cast<std::uint32_t>(line % 5 * 128 + (((p + 6) % 8) ^ (line & 1)) * 16);
  };
  auto const row0  = static_cast<std::uint32_t>((tile.z * args.in_z + tile.y * args.in_y) / 4);
  auto const pitch = static_cast<std::uint32_t>(args.in_y / 4);
  auto const base  = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));

  int const extra_vector         = (lane & 3) < 2 ? lane & 3 : 32 + (lane & 3);
  std::uint32_t const main_from  = row0 + vector_at(lane + 2);
  std::uint32_t const extra_from = row0 + vector_at(extra_vector);
  std::uint32_t const main_to    = base + place(lane + 2);
  std::uint32_t const extra_to   = base + place(extra_vector) + (lane >> 2) % Batch * row_bytes;
  // Anywhere: the lane's first element, and where it goes.
  std::int64_t const first_row   = tile.z * args.in_z + tile.y * args.in_y + tile.x - 8 + lane;
  std::uint32_t const element_to = base + place(lane / 4) + lane % 4 * 4;
  auto const fetch               = [&](std::uint32_t slot, int batch) {
    std::uint32_t const to = slot * BatchBytes;
    int const next         = batch * Batch - pad;
    if constexpr (Anywhere) {
      // Where place() would put them: 32 elements further is the next line, and odd lines have neighbouring vectors
      // swapped.
      std::uint32_t const even = element_to + to, odd = (element_to ^ 16u) + to;
      std::uint32_t const last = even + 512 - (element_to >= base + 128 ? row_bytes : 0);
      bool const inside        = tile.x >= 8 && tile.x + 136 <= args.last_vector + 1;
#pragma unroll
      for (int r = 0; r < Batch; ++r) {
        std::int64_t const row  = min(max(next + r, 0), total - 1);
        float const* const from = args.vectors + first_row + row * args.in_y;
        std::uint32_t const at  = static_cast<std::uint32_t>(r * row_bytes);
        if (inside) {
          Ptx::CopyAsyncAt<4, 0, 0>::run(even + at, from);
          Ptx::CopyAsyncAt<4, 128, 128>::run(odd + at, from);
          Ptx::CopyAsyncAt<4, 256, 256>::run(even + at, from);
          Ptx::CopyAsyncAt<4, 384, 384>::run(odd + at, from);
          if (lane < 16) Ptx::CopyAsyncAt<4, 0, 512>::run(last + at, from);
          continue;
        }
#pragma unroll 1
        for (int c = 0; c < 5; ++c) {
          std::int32_t const column = tile.x - 8 + lane, x = max(0, min(column + 32 * c, args.last_vector));
          std::uint32_t const place = c == 4 ? last : (c % 2 == 0 ? even : odd) + c * 128;
          if (c < 4 || lane < 16) Ptx::CopyAsyncAt<4, 0, 0>::run(place + at, from + (x - column));
        }
      }
    } else {
#pragma unroll
      for (int r = 0; r < Batch; ++r) {
        auto const row = static_cast<std::uint32_t>(min(max(next + r, 0), total - 1));
        Ptx::CopyAsync::run(main_to + to + r * row_bytes, args.vectors, main_from + row * pitch);
      }
      if (Extra == 32 || lane < Extra) {
        auto const row = static_cast<std::uint32_t>(min(max(next + (lane >> 2), 0), total - 1));
        Ptx::CopyAsync::run(extra_to + to, args.vectors, extra_from + row * pitch);
      }
    }
    Ptx::CopyAsync::commit();
  };
#pragma unroll
  for (int s = 0; s < Slots - 1; ++s) fetch(s, s);

  uint4 first_half[N];
#pragma unroll
  for (int k = 0; k < N; ++k) first_half[k] = __ldg(static_cast<uint4 const*>(args.matrices) + k * 32 + lane);
  // No registers are left for the second halves. Each lane keeps its own in shared memory.
  if constexpr (Split) {
#pragma unroll
    for (int k = 0; k < N; ++k)
      shared_second[k * 32 + lane] = __ldg(static_cast<uint4 const*>(args.matrices) + (N + k) * 32 + lane);
  }
  auto const second_base       = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_second)) + 16 * lane;
  auto const second_half       = [&](int k) { return Ptx::LoadShared::run(second_base + 512 * k); };
  std::uint32_t const metadata = __ldg(args.metadata + lane);

  // sum[k]: the output that has seen kernel rows 0 to k.
  float sum[N][4];
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[k][i] = 0.0f;
  }
  // Of the scale: the product of both scales must have an inverse.
  int const most_exponent = min(126, 149 - args.scale_log2);
  int exponent            = 0;
  float scale             = 1.0f;  // 2^exponent
  float unscale           = ldexpf(1.0f, -args.scale_log2);
  float least             = args.least;
  int small_left          = 0;  // rows for which small inputs still count
  int raised_left         = 0;  // rows for which inputs of a lower scale still count
  float non_finite        = 0.0f;

  // Column n of the product is block n / 2 + 4 (n % 2), so that a store fills whole sectors of few lines.
  int const g = lane >> 2, q = lane & 3;
  int const block                 = (g >> 1) + 4 * (g & 1);
  constexpr std::int32_t apart[4] = {0, 64, 8, 72};
  std::int32_t const mine         = tile.x + 16 * q + g;

  float* to          = args.out + tile.z * args.out_z + tile.y * args.out_y + mine;
  auto const wanted  = [&](int i) { return mine + apart[i] >= args.x_begin && mine + apart[i] < args.x_end; };
  bool const keep[4] = {wanted(0), wanted(1), wanted(2), wanted(3)};
  int row            = -pad - (N - 1);  // the output that the next step completes
  auto const put     = [&](float const(&done)[4], float least_now) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float v = done[i] * unscale;
      // Small inputs may have made the sum too inexact. As NaN it is computed again.
      if (fabsf(done[i]) < least_now) v = __int_as_float(0x7fffffff);
      non_finite = __fmaf_rn(v, 0.0f, non_finite);
      if (keep[i]) to[apart[i]] = v;
    }
    // Outputs that are not complete yet are stored where the first complete one will be.
    if (row >= 0) to += args.out_y;
    ++row;
  };

  // Bits of the inputs of a batch, without the sign: of the largest one, and of the smallest one. Without Split the
  // latter are those of the smallest one that is not zero, less one.
  std::uint32_t most = 0u, fewest = ~0u;
  auto const track_range = [&](std::uint32_t at) {
    uint4 const v               = Ptx::LoadShared::run(at);
    std::uint32_t const bits[4] = {v.x << 1, v.y << 1, v.z << 1, v.w << 1};
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      most   = max(most, bits[e]);
      fewest = min(fewest, Split ? bits[e] : bits[e] - 1u);
    }
  };
  auto const reduce_range = [&] {
    most   = __reduce_max_sync(~0u, most);
    fewest = __reduce_min_sync(~0u, fewest);
  };

  std::uint32_t const window = base + place(4 * block + 4 * (q & 1) + 2 * (q >> 1));
  auto const load            = [&](std::uint32_t at, int r, uint4& first, uint4& second) {
    first  = Ptx::LoadShared::run(window + at + r * row_bytes);
    second = Ptx::LoadShared::run((window ^ 16u) + at + r * row_bytes);
  };
  float const zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  using Mma           = Ptx::MmaSparse<Ptx::Half>;

  Ptx::CopyAsync::wait<Slots - 2>();
  __syncwarp();
#pragma unroll
  for (int r = 0; r < Batch; ++r) track_range(main_to + r * row_bytes);
  track_range(extra_to);
  reduce_range();

  int const batches  = (total + Batch - 1) / Batch;
  std::uint32_t slot = 0;
#pragma unroll 1
  for (int b = 0; b < batches; ++b) {
    Ptx::CopyAsync::wait<Slots - 3>();
    __syncwarp();
    fetch(slot == 0 ? Slots - 1 : slot - 1, b + Slots - 1);
    std::uint32_t const at      = slot * BatchBytes;
    slot                        = slot + 1 == Slots ? 0 : slot + 1;
    std::uint32_t const at_next = slot * BatchBytes;

    // The scale changes where the largest input leaves [2^12, 2^15).
    int const top = static_cast<int>(most >> 24) - 127;
    float ratio   = 1.0f;
    if (top < 128 && most != 0u && (b == 0 || top + exponent > 14 || top + exponent < 12)) {
      int const chosen = max(-113, min(most_exponent, 13 - top));
      ratio            = ldexpf(1.0f, chosen - exponent);
#pragma unroll
      for (int k = 0; k < N; ++k) {
#pragma unroll
        for (int i = 0; i < 4; ++i) sum[k][i] *= ratio;
      }
      exponent = chosen;
      scale    = ldexpf(1.0f, exponent);
      unscale  = ldexpf(1.0f, -exponent - args.scale_log2);
    }
    if (b > 0 && ratio > 1.0f) {
      least *= ratio;
      raised_left = N - 1 + Batch;
    }
    bool wide = false;
    if constexpr (Split) {
      // Infinities count as wide data, and so do inputs that the limits of the scale leave small.
      wide = most != 0u && (static_cast<int>(fewest >> 24) < static_cast<int>(most >> 24) - wide_exponents ||
                            top == 128 || top + exponent < 12);
      if (wide) {
        fewest             = ~0u;
        auto const nonzero = [&](std::uint32_t from) {
          uint4 const v = Ptx::LoadShared::run(from);
          fewest = min(min(min(fewest, (v.x << 1) - 1u), (v.y << 1) - 1u), min((v.z << 1) - 1u, (v.w << 1) - 1u));
        };
#pragma unroll
        for (int r = 0; r < Batch; ++r) nonzero(main_to + at + r * row_bytes);
        nonzero(extra_to + at);
        fewest = __reduce_min_sync(~0u, fewest);
      }
    }
    constexpr int smallest = Split ? -24 : -15;  // the least exponent with which inputs keep their accuracy
    bool const small =
        (!Split || wide) && fewest != ~0u && static_cast<int>((fewest + 1u) >> 24) - 127 + exponent < smallest;
    if (small || ratio <= 0x1p-60f) small_left = N - 1 + Batch;  // so small a ratio makes sums vanish
    float const least_now = small_left > 0 ? least : 0.0f;
    most                  = 0u;
    fewest                = ~0u;

    auto const take = [&](int r, uint4(&halves)[Splits]) {
      uint4 first, second;
      load(at, r, first, second);
      track_range(main_to + at_next + r * row_bytes);
      if (r == 0) track_range(extra_to + at_next);
      if (r == Batch - 1) reduce_range();
      split(first, second, scale, halves);
    };
    if constexpr (!Split) {
#pragma unroll
      for (int r = 0; r < Batch; ++r) {
        uint4 x[1];
        take(r, x);
#pragma unroll
        for (int k = N - 1; k > 0; --k) Mma::run(sum[k], first_half[k], x[0], sum[k - 1], metadata);
        Mma::run(sum[0], first_half[0], x[0], zero, metadata);
        put(sum[N - 1], least_now);
      }
    } else {
      auto const pairs = [&](auto is_wide) {
#pragma unroll
        for (int r = 0; r < Batch; r += 2) {
          uint4 x[2][Splits];
          take(r, x[0]);
          take(r + 1, x[1]);
          // after = before + kernel row k0 times the first input row + k1 times the second; -1: none.
          auto const add = [&](float(&after)[4], float const(&before)[4], int k0, int k1) {
            float small[4], large[4];
            bool const both = k0 >= 0 && k1 >= 0;
            int const k = k0 >= 0 ? k0 : k1, j = k0 >= 0 ? 0 : 1;
            Mma::run(small, first_half[k], x[j][1], zero, metadata);
            Mma::run(large, first_half[k], x[j][0], zero, metadata);
            if (both) {
              Mma::run(small, first_half[k1], x[1][1], small, metadata);
              Mma::run(large, first_half[k1], x[1][0], large, metadata);
            }
            Mma::run(small, second_half(k), x[j][0], small, metadata);
            if (both) Mma::run(small, second_half(k1), x[1][0], small, metadata);
#pragma unroll
            for (int i = 0; i < 4; ++i) after[i] = __fmaf_rn(small[i], 1.0f / lift, before[i]) + large[i];
          };
          float done[4];
          add(done, sum[N - 2], N - 1, -1);
#pragma unroll
          for (int k = N - 1; k >= 2; --k) add(sum[k], sum[k - 2], k - 1, k);
          add(sum[1], zero, 0, 1);
          add(sum[0], zero, -1, 0);
          if constexpr (decltype(is_wide)::value) {
#pragma unroll
            for (int j = 0; j < 2; ++j) {
              uint4 first, second, y[3];
              load(at, r + j, first, second);
              split(first, second, scale, y);
              auto const correct = [&](float(&of)[4], int k) {
                float tiny[4];
                Mma::run(tiny, second_half(k), y[1], zero, metadata);
                Mma::run(tiny, first_half[k], y[2], tiny, metadata);
                Mma::run(tiny,
                         Ptx::LoadOrdered::run(static_cast<uint4 const*>(args.matrices) + (2 * N + k) * 32 + lane),
                         y[0], tiny, metadata);
#pragma unroll
                for (int i = 0; i < 4; ++i) of[i] = __fmaf_rn(tiny[i], 1.0f / (lift * lift), of[i]);
              };
              if (j == 0) correct(done, N - 1);
#pragma unroll
              for (int k = N - 1; k >= 1 - j; --k) correct(sum[k], k - 1 + j);
            }
          }
          put(done, decltype(is_wide)::value ? least_now : 0.0f);
          put(sum[N - 1], decltype(is_wide)::value ? least_now : 0.0f);
        }
      };
      if (wide || small_left > 0) {
        pairs(std::true_type());
      } else {
        pairs(std::false_type());
      }
    }
    small_left -= Batch;
    raised_left -= Batch;
    if (raised_left <= 0) least = args.least;
  }
  if (__any_sync(~0u, non_finite != 0.0f || non_finite != non_finite)) {
    __syncwarp();  // outputs were stored by other lanes
    fix_non_finite_plane<float>(args, blockIdx.x % args.strips, blockIdx.x / args.strips);
  }
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
