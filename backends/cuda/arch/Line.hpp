// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Lines of 16 bytes in global memory, which blocks of a kernel read while others write them: always a line as somebody
// wrote it, never parts of two. No fence, no order among lines.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// st.relaxed of 128 bits.
struct StoreLine {
  __device__ static void run(uint4* to, uint4 const& v) {
    KOKKOSSTENCIL_PTX(
        "{ .reg .b64 low, high; .reg .b128 line;\n"
        "mov.b64 low, {%1,%2}; mov.b64 high, {%3,%4}; mov.b128 line, {low, high};\n"
        "st.relaxed.gpu.global.b128 [%0], line; }" ::"l"(to),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w)
        : "memory");
  }
};

/// ld.relaxed of 128 bits, if `wanted`. All four words have to be used: of a load with words that are not, the
/// assembler makes several (13.0).
struct LoadLineIf {
  __device__ static void run(uint4& v, uint4 const* from, bool wanted) {
    KOKKOSSTENCIL_PTX(
        "{ .reg .pred wanted; .reg .b64 low, high; .reg .b128 line;\n"
        "setp.ne.u32 wanted, %5, 0;\n"
        "mov.b64 low, {%0,%1}; mov.b64 high, {%2,%3}; mov.b128 line, {low, high};\n"
        "@wanted ld.relaxed.gpu.global.b128 line, [%4];\n"
        "mov.b128 {low, high}, line; mov.b64 {%0,%1}, low; mov.b64 {%2,%3}, high; }"
        : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
        : "l"(from), "r"(wanted ? 1u : 0u)
        : "memory");
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
