// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Matrix products of a warp with a 2:4 sparse operand.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// mma.sp::ordered_metadata m16n8k32, float accumulators: d = a b + c with a 2:4 sparse. Selector 0.
template <class Element>
struct MmaSparse;

template <>
struct MmaSparse<Half> {
  __device__ static void run(float (&d)[4], uint4 const& a, uint4 const& b, float const (&c)[4], std::uint32_t meta) {
    KOKKOSSTENCIL_PTX(
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, 0x0;"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]), "r"(meta));
  }
};

template <>
struct MmaSparse<Bfloat> {
  __device__ static void run(float (&d)[4], uint4 const& a, uint4 const& b, float const (&c)[4], std::uint32_t meta) {
    KOKKOSSTENCIL_PTX(
        "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.bf16.bf16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, 0x0;"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b.x), "r"(b.y), "r"(b.z), "r"(b.w), "f"(c[0]), "f"(c[1]),
          "f"(c[2]), "f"(c[3]), "r"(meta));
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
