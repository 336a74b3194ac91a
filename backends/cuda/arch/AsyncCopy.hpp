// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Asynchronous copies from global to shared memory.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// cp.async of 16 bytes past the first-level cache, and its groups.
struct CopyAsync {
  /// Copies the n-th 16 bytes from a pointer. The address is computed here, since the compiler would keep a pointer for
  /// each n in registers.
  __device__ static void run(std::uint32_t to, void const* from, std::uint32_t n) {
    KOKKOSSTENCIL_PTX(
        "{\n"
        ".reg .u64 at;\n"
        "mad.wide.u32 at, %2, 16, %1;\n"
        "cp.async.cg.shared.global [%0], [at], 16;\n"
        "}" ::"r"(to),
        "l"(from), "r"(n)
        : "memory");
  }
  /// The same, with the hint to fetch the whole line of 128 bytes to the second-level cache.
  __device__ static void run_line(std::uint32_t to, void const* from, std::uint32_t n) {
    KOKKOSSTENCIL_PTX(
        "{\n"
        ".reg .u64 at;\n"
        "mad.wide.u32 at, %2, 16, %1;\n"
        "cp.async.cg.shared.global.L2::128B [%0], [at], 16;\n"
        "}" ::"r"(to),
        "l"(from), "r"(n)
        : "memory");
  }
  __device__ static void commit() { KOKKOSSTENCIL_PTX("cp.async.commit_group;" ::: "memory"); }
  /// Waits until no more than Pending of the newest groups are under way.
  template <int Pending>
  __device__ static void wait() {
    KOKKOSSTENCIL_PTX("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
  }
};

/// cp.async of 4, 8 or 16 bytes, in groups with CopyAsync's; 16 go past the first-level cache.
template <int Bytes>
struct CopyAsyncBytes {
  __device__ static void run(std::uint32_t to, void const* from) {
    if constexpr (Bytes == 16) {
      KOKKOSSTENCIL_PTX("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    } else {
      KOKKOSSTENCIL_PTX("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes) : "memory");
    }
  }
};

/// cp.async of 16 bytes, of which only the first `bytes` are read; the others become zero.
struct CopyAsyncPart {
  __device__ static void run(std::uint32_t to, void const* from, std::uint32_t bytes) {
    KOKKOSSTENCIL_PTX("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  }
};

/// cp.async of 4, 8 or 16 bytes with constant offsets, in bytes, from both addresses. The compiler would keep each sum
/// in a register.
template <int Bytes, int To, int From>
struct CopyAsyncAt {
  __device__ static void run(std::uint32_t to, void const* from) {
    KOKKOSSTENCIL_PTX("cp.async.ca.shared.global [%0 + %2], [%1 + %3], %4;" ::"r"(to), "l"(from), "n"(To), "n"(From),
                      "n"(Bytes)
                      : "memory");
  }
};

/// cp.async of 16 bytes if `wanted`, by a predicate: a branch around it would cost more than the copy.
struct CopyAsyncIf {
  __device__ static void run(void* to, void const* from, bool wanted) {
#if defined(__CUDACC__)
    auto const shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    KOKKOSSTENCIL_PTX(
        "{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0;\n"
        "@wanted cp.async.cg.shared.global [%0], [%1], 16; }" ::"r"(shared),
        "l"(from), "r"(wanted ? 1u : 0u)
        : "memory");
#endif
  }
};

/// cp.async.bulk into shared memory by one thread: the barrier expects so many bytes, and gets them. Addresses and
/// counts are multiples of 16.
struct CopyBulk {
  __device__ static void expect(std::uint32_t barrier, std::uint32_t bytes) {
    KOKKOSSTENCIL_PTX_90A("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared.b64 state, [%0], %1; }" ::"r"(barrier),
                          "r"(bytes)
                          : "memory");
  }
  __device__ static void run(std::uint32_t to, void const* from, std::uint32_t bytes, std::uint32_t barrier) {
    KOKKOSSTENCIL_PTX_90A(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "l"(from),
        "r"(bytes), "r"(barrier)
        : "memory");
  }
  /// Makes the barriers that this thread has initialized and the values that it has stored visible to the copies and
  /// products of the asynchronous proxy.
  __device__ static void fence() {
    KOKKOSSTENCIL_PTX_90A("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
  }
};

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
