// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Tile.cuh"

#include "arch/Mma.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Rounds and stores the lane's four outputs of a row. Scaled: sums are multiplied by `unscale` before. Anywhere: rows
/// may begin at any element; then all lanes of a warp have to store together.
template <class Element, bool Scaled = false, bool Anywhere = false>
struct Writer {
  std::uint16_t* to;
  float unscale            = 1.0f;
  std::uint32_t non_finite = 0;
  std::uint32_t stored;      ///< bits 0 to 3: which of the four are in the range; bit 4: all
  std::int32_t first, last;  ///< Anywhere: the range, in elements from the lane's first output

  __device__ void start(Args const& args, Tile const& tile, int lane) {
    std::int32_t const x = tile.x + 4 * lane;
    to                   = static_cast<std::uint16_t*>(args.out) + tile.z * args.out_z + tile.y * args.out_y + x;
    unscale              = args.unscale;
    if constexpr (Anywhere) {
      first = args.x_begin - x;
      last  = args.x_end - x;
      return;
    }
    stored = 0;
    for (int e = 0; e < 4; ++e) {
      if (x + e >= args.x_begin && x + e < args.x_end) stored |= 1u << e;
    }
    if (stored == 15u) stored = 16u;
  }

  __device__ uint2 round(float const (&sum)[4]) {
    float const by           = Scaled ? unscale : 1.0f;
    std::uint32_t const low  = Ptx::RoundPair<Element>::run(by * sum[0], by * sum[1]);
    std::uint32_t const high = Ptx::RoundPair<Element>::run(by * sum[2], by * sum[3]);
    non_finite               = Ptx::TimesZeroPlus<Element>::run(low, non_finite);
    non_finite               = Ptx::TimesZeroPlus<Element>::run(high, non_finite);
    return make_uint2(Ptx::Movmatrix::run(low), Ptx::Movmatrix::run(high));
  }

  /// A lane stores the aligned 8 bytes that begin among the outputs of the lane before it. At the ends of the warp and
  /// of the range some of its outputs are in no such 8 bytes; these it stores one by one.
  __device__ void put_anywhere(std::uint16_t* own, uint2 const& four) const {
    int const lane             = static_cast<int>(threadIdx.x & 31u);
    auto const back            = static_cast<int>(reinterpret_cast<std::uintptr_t>(own) / 2 % 4);
    std::uint64_t const mine   = std::uint64_t(four.y) << 32 | four.x;
    std::uint64_t const before = __shfl_up_sync(0xffffffffu, mine, 1);
    auto const whole           = [&](int at) { return at - back >= first && at - back + 4 <= last; };
    bool const this_one = (lane > 0 || back == 0) && whole(0), next_one = lane < 31 && whole(4);
    std::uint64_t const bits = back == 0 ? mine : mine << (16 * back) | before >> (64 - 16 * back);
    if (this_one) *reinterpret_cast<std::uint64_t*>(own - back) = bits;
    if (this_one && (next_one || back == 0)) return;
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      bool const stored_whole = e < 4 - back ? this_one : next_one;
      if (!stored_whole && e >= first && e < last) own[e] = static_cast<std::uint16_t>(mine >> (16 * e));
    }
  }

  __device__ void put(std::int64_t offset, float const (&sum)[4]) {
    std::uint16_t* const first_output = to + offset;
    uint2 const four                  = round(sum);
    if constexpr (Anywhere) {
      put_anywhere(first_output, four);
      return;
    }
    if (stored & 16u) *reinterpret_cast<uint2*>(first_output) = four;
    if (stored & 1u) first_output[0] = static_cast<std::uint16_t>(four.x);
    if (stored & 2u) first_output[1] = static_cast<std::uint16_t>(four.x >> 16);
    if (stored & 4u) first_output[2] = static_cast<std::uint16_t>(four.y);
    if (stored & 8u) first_output[3] = static_cast<std::uint16_t>(four.y >> 16);
  }
};

/// Whether some lane's `flag`, which TimesZeroPlus has made of results, has seen one that is not finite.
__device__ inline bool any_non_finite(std::uint32_t flag) { return __any_sync(0xffffffffu, (flag & 0x7fff7fffu) != 0); }

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
