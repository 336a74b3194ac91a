// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Tile.cuh"

#include "arch/Mma.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Rounds and stores the lane's four outputs of a row. Scaled: after a multiplication of the sums.
template <class Element, bool Scaled = false>
struct Writer {
  std::uint16_t* to;
  float unscale            = 1.0f;
  std::uint32_t non_finite = 0;
  std::uint32_t stored;  ///< bits 0 to 3: which of the four are in the range; bit 4: all

  __device__ void start(Args const& args, Tile const& tile, int lane) {
    std::int32_t const x = tile.x + 4 * lane;
    to                   = static_cast<std::uint16_t*>(args.out) + tile.z * args.out_z + tile.y * args.out_y + x;
    unscale              = args.unscale;
    stored               = 0;
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

  __device__ void put(std::int64_t offset, float const (&sum)[4]) {
    std::uint16_t* const first = to + offset;
    uint2 const four           = round(sum);
    if (stored & 16u) *reinterpret_cast<uint2*>(first) = four;
    if (stored & 1u) first[0] = static_cast<std::uint16_t>(four.x);
    if (stored & 2u) first[1] = static_cast<std::uint16_t>(four.x >> 16);
    if (stored & 4u) first[2] = static_cast<std::uint16_t>(four.y);
    if (stored & 8u) first[3] = static_cast<std::uint16_t>(four.y >> 16);
  }
};

/// Whether a flag gathered from results has seen anything but finite ones, in any lane.
__device__ inline bool any_non_finite(std::uint32_t flag) { return __any_sync(0xffffffffu, (flag & 0x7fff7fffu) != 0); }

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
