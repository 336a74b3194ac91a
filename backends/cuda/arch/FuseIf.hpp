// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// sum = a b + sum with one rounding, if `wanted`, by a predicate: the compiler would keep a copy of the sum and
/// choose.
template <class A>
struct FuseIf {
  __device__ static void run(A& sum, A a, A b, std::uint32_t wanted) {
    if constexpr (sizeof(A) == 8) {
      KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; @wanted fma.rn.f64 %0, %1, %2, %0; }"
                        : "+d"(sum)
                        : "d"(a), "d"(b), "r"(wanted));
    } else {
      KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %3, 0; @wanted fma.rn.f32 %0, %1, %2, %0; }"
                        : "+f"(sum)
                        : "f"(a), "f"(b), "r"(wanted));
    }
  }
  /// to = a b + sum.
  __device__ static void run(A& to, A a, A b, A sum, std::uint32_t wanted) {
    if constexpr (sizeof(A) == 8) {
      asm("{ .reg .pred wanted; setp.ne.u32 wanted, %4, 0; @wanted fma.rn.f64 %0, %1, %2, %3; }"
          : "+d"(to)
          : "d"(a), "d"(b), "d"(sum), "r"(wanted));
    } else {
      asm("{ .reg .pred wanted; setp.ne.u32 wanted, %4, 0; @wanted fma.rn.f32 %0, %1, %2, %3; }"
          : "+f"(to)
          : "f"(a), "f"(b), "f"(sum), "r"(wanted));
    }
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
