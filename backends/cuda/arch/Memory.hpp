// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Loads and stores that have to stay in their place or depend on a flag.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// ld.global.nc of 16 bytes, kept in its place among the other instructions here: loads that the compiler
/// gathers at the top of an unrolled body cost registers and turn the products into chains.
struct LoadOrdered {
  __device__ static uint4 run(void const* from) {
    uint4 v = {0u, 0u, 0u, 0u};
    KOKKOSSTENCIL_PTX("ld.global.nc.v4.u32 {%0,%1,%2,%3}, [%4];"
                      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                      : "l"(from));
    return v;
  }
};

/// ld.global of 16 bytes that the compiler keeps before the next __syncwarp(). It may move loads of read-only data.
struct LoadBeforeSync {
  __device__ static uint4 run(void const* from) {
    uint4 v = {0u, 0u, 0u, 0u};
    KOKKOSSTENCIL_PTX("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];"
                      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                      : "l"(from)
                      : "memory");
    return v;
  }
};

/// st.global of 16 bytes if `wanted`, by a predicate instead of a branch around it.
struct StoreIf {
  __device__ static void run(void* to, uint4 const& v, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX(
        "{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0;\n"
        "@wanted st.global.v4.u32 [%0], {%1,%2,%3,%4}; }" ::"l"(to),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(wanted)
        : "memory");
  }
};

/// The same for a single value, Offset values from the address.
template <class T, int Offset = 0>
struct StoreValueIf {
  __device__ static void run(T* to, T const& v, std::uint32_t wanted) {
    constexpr int bytes = Offset * int(sizeof(T));
    if constexpr (sizeof(T) == 2) {
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.u16 [%0 + %3], %1; }" ::"l"(to),
          "h"(reinterpret_cast<std::uint16_t const&>(v)), "r"(wanted), "n"(bytes)
          : "memory");
    } else if constexpr (sizeof(T) == 8) {
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.f64 [%0 + %3], %1; }" ::"l"(to), "d"(v),
          "r"(wanted), "n"(bytes)
          : "memory");
    } else {
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.f32 [%0 + %3], %1; }" ::"l"(to), "f"(v),
          "r"(wanted), "n"(bytes)
          : "memory");
    }
  }
};

/// The same into shared memory.
struct StoreSharedIf {
  __device__ static void run(std::uint32_t to, uint4 const& v, bool wanted) {
    KOKKOSSTENCIL_PTX(
        "{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0;\n"
        "@wanted st.shared.v4.u32 [%0], {%1,%2,%3,%4}; }" ::"r"(to),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(wanted ? 1u : 0u)
        : "memory");
  }
};

/// Brings the line at an address to the second-level cache, if `wanted`.
struct PrefetchIf {
  __device__ static void run(void const* at, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %1, 0; @wanted prefetch.global.L2 [%0]; }" ::"l"(at),
                      "r"(wanted));
  }
};

/// ld.shared of 16 bytes.
struct LoadShared {
  __device__ static uint4 run(std::uint32_t from) {
    uint4 v = {0u, 0u, 0u, 0u};
    KOKKOSSTENCIL_PTX("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
                      : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                      : "r"(from)
                      : "memory");
    return v;
  }
};

/// ld.shared of 2 bytes.
struct LoadSharedHalf {
  __device__ static std::uint16_t run(std::uint32_t from) {
    std::uint16_t v = 0;
    KOKKOSSTENCIL_PTX("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(from) : "memory");
    return v;
  }
};

/// ld.shared of 4 bytes, kept in its place among barriers and copies.
struct LoadSharedOrdered {
  __device__ static std::uint32_t run(std::uint32_t from) {
    std::uint32_t v = 0;
    KOKKOSSTENCIL_PTX("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(from) : "memory");
    return v;
  }
};

/// ld.shared of 4 bytes, Offset bytes from the address; of 8 bytes; and of two doubles.
template <int Offset>
struct LoadSharedWord {
  __device__ static std::uint32_t run(std::uint32_t from) {
    std::uint32_t v = 0;
    KOKKOSSTENCIL_PTX("ld.shared.u32 %0, [%1+%2];" : "=r"(v) : "r"(from), "n"(Offset));
    return v;
  }
};
struct LoadSharedPair {
  __device__ static uint2 run(std::uint32_t from) {
    uint2 v = {0u, 0u};
    KOKKOSSTENCIL_PTX("ld.shared.v2.u32 {%0,%1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(from));
    return v;
  }
};

struct LoadSharedDoubles {
  __device__ static double2 run(std::uint32_t from) {
    double2 v = {0.0, 0.0};
    KOKKOSSTENCIL_PTX("ld.shared.v2.f64 {%0,%1}, [%2];" : "=d"(v.x), "=d"(v.y) : "r"(from) : "memory");
    return v;
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
