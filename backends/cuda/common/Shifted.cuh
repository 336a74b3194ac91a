// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

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

/// As shifted, by whole warps that agree in `at`, which may be any number: bits above 15 do not count. A branch for
/// each place of a word takes fewer instructions than selections do.
__device__ __forceinline__ uint4 shifted_alike(uint4 const& low, uint4 const& high, std::uint32_t at) {
  uint4 v = low;
  KOKKOSSTENCIL_PTX(
      "{ .reg .pred one, two; .reg .b32 bit;\n"
      "and.b32 bit, %8, 8; setp.ne.u32 two, bit, 0;\n"
      "and.b32 bit, %8, 4; setp.ne.u32 one, bit, 0;\n"
      "@two bra.uni TWO;\n"
      "@one bra.uni ONE;\n"
      "shf.r.wrap.b32 %0, %0, %1, %9; shf.r.wrap.b32 %1, %1, %2, %9;\n"
      "shf.r.wrap.b32 %2, %2, %3, %9; shf.r.wrap.b32 %3, %3, %4, %9; bra.uni END;\n"
      "ONE: shf.r.wrap.b32 %0, %1, %2, %9; shf.r.wrap.b32 %1, %2, %3, %9;\n"
      "shf.r.wrap.b32 %2, %3, %4, %9; shf.r.wrap.b32 %3, %4, %5, %9; bra.uni END;\n"
      "TWO: @one bra.uni THREE;\n"
      "shf.r.wrap.b32 %0, %2, %3, %9; shf.r.wrap.b32 %1, %3, %4, %9;\n"
      "shf.r.wrap.b32 %2, %4, %5, %9; shf.r.wrap.b32 %3, %5, %6, %9; bra.uni END;\n"
      "THREE: shf.r.wrap.b32 %0, %3, %4, %9; shf.r.wrap.b32 %1, %4, %5, %9;\n"
      "shf.r.wrap.b32 %2, %5, %6, %9; shf.r.wrap.b32 %3, %6, %7, %9;\n"
      "END: }"
      : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
      : "r"(high.x), "r"(high.y), "r"(high.z), "r"(high.w), "r"(at), "r"(at * 8u));
  return v;
}

/// The vector that begins `back` bytes (0 to 14, the same for all of a warp) before a lane's own, which follows that of
/// lane `before`.
__device__ __forceinline__ uint4 shifted_back(uint4 const& own, std::uint32_t back, std::uint32_t before) {
  uint4 v = own;
  KOKKOSSTENCIL_PTX(
      "{ .reg .pred some, more, most; .reg .b32 x, y, z, w;\n"
      "setp.eq.u32 some, %4, 0; @some bra.uni END;\n"
      "setp.gt.u32 most, %4, 8; @most bra.uni MOST;\n"
      "setp.gt.u32 more, %4, 4;\n"
      "shfl.sync.idx.b32 w, %3, %6, 31, -1;\n"
      "@more bra.uni TWO;\n"
      "shf.r.wrap.b32 %3, %2, %3, %5; shf.r.wrap.b32 %2, %1, %2, %5;\n"
      "shf.r.wrap.b32 %1, %0, %1, %5; shf.r.wrap.b32 %0, w, %0, %5; bra.uni END;\n"
      "TWO: shfl.sync.idx.b32 z, %2, %6, 31, -1;\n"
      "shf.r.wrap.b32 %3, %1, %2, %5; shf.r.wrap.b32 %2, %0, %1, %5;\n"
      "shf.r.wrap.b32 %1, w, %0, %5; shf.r.wrap.b32 %0, z, w, %5; bra.uni END;\n"
      "MOST: setp.gt.u32 more, %4, 12;\n"
      "shfl.sync.idx.b32 w, %3, %6, 31, -1;\n"
      "shfl.sync.idx.b32 z, %2, %6, 31, -1;\n"
      "shfl.sync.idx.b32 y, %1, %6, 31, -1;\n"
      "@more bra.uni FOUR;\n"
      "shf.r.wrap.b32 %3, %0, %1, %5; shf.r.wrap.b32 %2, w, %0, %5;\n"
      "shf.r.wrap.b32 %1, z, w, %5; shf.r.wrap.b32 %0, y, z, %5; bra.uni END;\n"
      "FOUR: shfl.sync.idx.b32 x, %0, %6, 31, -1;\n"
      "shf.r.wrap.b32 %3, w, %0, %5; shf.r.wrap.b32 %2, z, w, %5;\n"
      "shf.r.wrap.b32 %1, y, z, %5; shf.r.wrap.b32 %0, x, y, %5;\n"
      "END: }"
      : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
      : "r"(back), "r"(back * 8u), "r"(before));
  return v;
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
