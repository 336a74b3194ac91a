// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Matrix products of a warpgroup. All of it is for architecture-specific code alone (sm_90a).

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// wgmma m64n64k16, float sums: d += a b by a warpgroup of four warps, each with 16 rows of a in registers; b lies in
/// shared memory. What follows is for architecture-specific code alone (sm_90a).
template <class Element>
struct Wgmma;

template <>
struct Wgmma<Half> {
  __device__ static void run(float (&d)[32], uint4 const& a, std::uint64_t b) {
    KOKKOSSTENCIL_PTX_90A(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
          "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
          "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
          "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b));
  }
};

template <>
struct Wgmma<Bfloat> {
  __device__ static void run(float (&d)[32], uint4 const& a, std::uint64_t b) {
    KOKKOSSTENCIL_PTX_90A(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,"
        "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, {%32,%33,%34,%35}, %36, 1, 1, 1, 0;"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]),
          "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]),
          "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
          "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "l"(b));
  }
};

/// Goes around the products of a warpgroup: begin() says that registers are ready, end() ends a group of products, and
/// wait() waits until no more than Pending groups are under way.
struct WgmmaGroup {
  __device__ static void begin() { KOKKOSSTENCIL_PTX_90A("wgmma.fence.sync.aligned;" ::: "memory"); }
  __device__ static void end() { KOKKOSSTENCIL_PTX_90A("wgmma.commit_group.sync.aligned;" ::: "memory"); }
  template <int Pending>
  __device__ static void wait() {
    KOKKOSSTENCIL_PTX_90A("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
  }
  /// Keeps uses of a sum behind the wait for it.
  __device__ static void keep(float& sum) { KOKKOSSTENCIL_PTX_90A("" : "+f"(sum)::"memory"); }
  /// Sets a sum in place if `wanted`. In C++ the compiler would copy the sum to another register, and for that wait for
  /// all products.
  __device__ static void set_if(float& sum, float to, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX_90A("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted mov.f32 %0, %1; }"
                          : "+f"(sum)
                          : "f"(to), "r"(wanted));
  }
};

/// setmaxnreg: sets how many registers the threads of a warpgroup have from here on.
struct Registers {
  template <int Count>
  __device__ static void give_back() {
    KOKKOSSTENCIL_PTX_90A("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
  }
  template <int Count>
  __device__ static void take() {
    KOKKOSSTENCIL_PTX_90A("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
  }
};

/// stmatrix: four 8 x 8 matrices of 16-bit elements held by a warp, transposed, a row of 16 bytes to each lane's
/// address.
struct StoreMatrices {
  __device__ static void run(std::uint32_t to, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    KOKKOSSTENCIL_PTX_90A("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(to), "r"(a),
                          "r"(b), "r"(c), "r"(d)
                          : "memory");
  }
};

/// st.shared of 2 and 4 bytes, and the fence that makes a thread's stores visible to the products of the asynchronous
/// proxy.
struct StoreOperand {
  __device__ static void run(std::uint32_t to, std::uint16_t v) {
    KOKKOSSTENCIL_PTX_90A("st.shared.u16 [%0], %1;" ::"r"(to), "h"(v) : "memory");
  }
  __device__ static void run(std::uint32_t to, std::uint32_t v) {
    KOKKOSSTENCIL_PTX_90A("st.shared.u32 [%0], %1;" ::"r"(to), "r"(v) : "memory");
  }
  __device__ static void fence() { KOKKOSSTENCIL_PTX_90A("fence.proxy.async.shared::cta;" ::: "memory"); }
};

/// bar.sync of some of a block's threads.
struct NamedBarrier {
  template <int Name, int Threads>
  __device__ static void wait() {
    KOKKOSSTENCIL_PTX_90A("bar.sync %0, %1;" ::"n"(Name), "n"(Threads) : "memory");
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
