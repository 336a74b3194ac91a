// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// Vectors of 16 bytes that do not begin at 16 bytes.

namespace KokkosStencil {
namespace Cuda {

/// The 16 bytes from byte `at` on, 0 to 15, of two adjacent vectors; `at` is a multiple of Unit.
template <int Unit>
__device__ __forceinline__ uint4 shifted(uint4 const& low, uint4 const& high, std::uint32_t at) {
  static_assert(Unit == 2 || Unit == 4 || Unit == 8, "");
  bool const two          = (at & 8u) != 0;
  std::uint32_t const a[] = {two ? low.z : low.x,  two ? low.w : low.y,   two ? high.x : low.z,
                             two ? high.y : low.w, two ? high.z : high.x, two ? high.w : high.y};
  if constexpr (Unit == 8) return make_uint4(a[0], a[1], a[2], a[3]);
  bool const one          = (at & 4u) != 0;
  std::uint32_t const b[] = {one ? a[1] : a[0], one ? a[2] : a[1], one ? a[3] : a[2], one ? a[4] : a[3],
                             one ? a[5] : a[4]};
  if constexpr (Unit == 4) return make_uint4(b[0], b[1], b[2], b[3]);
  std::uint32_t const half = (at & 2u) * 8u;
  return make_uint4(__funnelshift_r(b[0], b[1], half), __funnelshift_r(b[1], b[2], half),
                    __funnelshift_r(b[2], b[3], half), __funnelshift_r(b[3], b[4], half));
}

/// The vector that begins at any value. The aligned vectors that it touches are read.
template <class T>
__device__ __forceinline__ uint4 load_anywhere(T const* from) {
  auto const address        = reinterpret_cast<std::uintptr_t>(from);
  auto const at             = static_cast<std::uint32_t>(address & 15u);
  auto const* const aligned = reinterpret_cast<uint4 const*>(address - at);
  return shifted<int(sizeof(T))>(__ldg(aligned), __ldg(aligned + (at != 0 ? 1 : 0)), at);
}

}  // namespace Cuda
}  // namespace KokkosStencil
