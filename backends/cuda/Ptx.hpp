// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// PTX instructions that CUDA C++ has no name for, one struct each. They compile for every architecture; where the
// hardware lacks one, calling it traps, and the dispatcher does not choose a kernel that would.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED 1
#else
#define KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED 0
#endif

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

/// Element types of the tensor-core operands, two to a register.
struct Half {};
struct Bfloat {};

__device__ inline void unsupported() {
#if defined(__CUDA_ARCH__)
  __trap();
#endif
}

#if KOKKOSSTENCIL_PTX_TENSOR_SUPPORTED && defined(__CUDACC__)
#define KOKKOSSTENCIL_PTX(...) asm volatile(__VA_ARGS__)
#else
#define KOKKOSSTENCIL_PTX(...) unsupported()
#endif

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) && defined(__CUDACC__)
#define KOKKOSSTENCIL_PTX_90A(...) asm volatile(__VA_ARGS__)
#else
#define KOKKOSSTENCIL_PTX_90A(...) unsupported()
#endif

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

/// mma m16n8k16, float accumulators: d = a b + c.
template <class Element>
struct MmaDense;

template <>
struct MmaDense<Half> {
  __device__ static void run(float (&d)[4], uint4 const& a, std::uint32_t b0, std::uint32_t b1, float const (&c)[4]) {
    KOKKOSSTENCIL_PTX(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

template <>
struct MmaDense<Bfloat> {
  __device__ static void run(float (&d)[4], uint4 const& a, std::uint32_t b0, std::uint32_t b1, float const (&c)[4]) {
    KOKKOSSTENCIL_PTX(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%10,%11,%12,%13};"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a.x), "r"(a.y), "r"(a.z), "r"(a.w), "r"(b0), "r"(b1), "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]));
  }
};

/// mma m16n8k8 in double: d = a b + c, fused multiply-adds in some order. Before compute capability 9.0 as four m8n8k4,
/// whose registers are parts of these.
struct MmaDouble {
  __device__ static void run(double (&d)[4], double const (&a)[4], double2 const& b, double const (&c)[4]) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
    KOKKOSSTENCIL_PTX(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};"
        : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b.x), "d"(b.y), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
#else
    quarter(d[0], d[1], a[0], b.x, c[0], c[1]);
    quarter(d[2], d[3], a[1], b.x, c[2], c[3]);
    quarter(d[0], d[1], a[2], b.y, d[0], d[1]);
    quarter(d[2], d[3], a[3], b.y, d[2], d[3]);
#endif
  }

 private:
  __device__ static void quarter(double& d0, double& d1, double a, double b, double c0, double c1) {
    KOKKOSSTENCIL_PTX("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%4,%5};"
                      : "=d"(d0), "=d"(d1)
                      : "d"(a), "d"(b), "d"(c0), "d"(c1));
  }
};

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

/// ld.global of 16 bytes that stays before a __syncwarp() behind it, which those of read-only data need not.
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

/// cp.async of 16 bytes past the first-level cache, and its groups.
struct CopyAsync {
  /// The n-th 16 bytes from a pointer. Added here: the compiler would keep a pointer for each n.
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
  /// The same with the hint that the rest of the 128 bytes around will be wanted in the second-level cache.
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
  /// Until no more than Pending of the newest groups are under way.
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

/// st.global of 16 bytes where wanted: a flag instead of a branch around it.
struct StoreIf {
  __device__ static void run(void* to, uint4 const& v, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX(
        "{ .reg .pred wanted; setp.ne.u32 wanted, %5, 0;\n"
        "@wanted st.global.v4.u32 [%0], {%1,%2,%3,%4}; }" ::"l"(to),
        "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "r"(wanted)
        : "memory");
  }
};

/// The same for a value.
template <class T>
struct StoreValueIf {
  __device__ static void run(T* to, T const& v, std::uint32_t wanted) {
    if constexpr (sizeof(T) == 2) {
      KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.u16 [%0], %1; }" ::"l"(to),
                        "h"(reinterpret_cast<std::uint16_t const&>(v)), "r"(wanted)
                        : "memory");
    } else if constexpr (sizeof(T) == 8) {
      KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.f64 [%0], %1; }" ::"l"(to),
                        "d"(v), "r"(wanted)
                        : "memory");
    } else {
      KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted st.global.f32 [%0], %1; }" ::"l"(to),
                        "f"(v), "r"(wanted)
                        : "memory");
    }
  }
};

/// Brings what is around an address to the second-level cache, where wanted.
struct PrefetchIf {
  __device__ static void run(void const* at, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX("{ .reg .pred wanted; setp.ne.u32 wanted, %1, 0; @wanted prefetch.global.L2 [%0]; }" ::"l"(at),
                      "r"(wanted));
  }
};

/// mbarrier: a barrier in shared memory whose arrival and wait lie apart. Its rounds have parities 0, 1, 0, ...
struct SplitBarrier {
  __device__ static void init(std::uint32_t at, std::uint32_t count) {
    KOKKOSSTENCIL_PTX("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  }
  __device__ static void arrive(std::uint32_t at) {
    KOKKOSSTENCIL_PTX("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
  }
  __device__ static void wait(std::uint32_t at, std::uint32_t parity) {
    std::uint32_t done = 1;
    do {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred done; mbarrier.try_wait.parity.shared.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
#else
      KOKKOSSTENCIL_PTX(
          "{ .reg .pred done; mbarrier.test_wait.parity.shared.b64 done, [%1], %2; selp.u32 %0, 1, 0, done; }"
          : "=r"(done)
          : "r"(at), "r"(parity)
          : "memory");
#endif
    } while (done == 0);
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

/// ld.shared of 4 bytes, Offset bytes further on, and of 8.
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

/// cp.async of 16 bytes where wanted: a flag instead of a branch around it, which would cost more than the copy.
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

/// movmatrix: transposes an 8 x 8 matrix of 16-bit elements held by a warp.
struct Movmatrix {
  __device__ static std::uint32_t run(std::uint32_t source) {
    std::uint32_t moved = 0;
    KOKKOSSTENCIL_PTX("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(moved) : "r"(source));
    return moved;
  }
};

/// cvt.rn: two floats rounded to a pair, the first in the low half.
template <class Element>
struct RoundPair;

template <>
struct RoundPair<Half> {
  __device__ static std::uint32_t run(float low, float high) {
    std::uint32_t pair = 0;
    KOKKOSSTENCIL_PTX("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
  }
};

template <>
struct RoundPair<Bfloat> {
  __device__ static std::uint32_t run(float low, float high) {
    std::uint32_t pair = 0;
    KOKKOSSTENCIL_PTX("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
  }
};

/// fma.rn on pairs: 0 * pair + sum, which stays +-0 as long as every element it has seen is finite.
template <class Element>
struct TimesZeroPlus;

template <>
struct TimesZeroPlus<Half> {
  __device__ static std::uint32_t run(std::uint32_t pair, std::uint32_t sum) {
    KOKKOSSTENCIL_PTX("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(pair), "r"(0u));
    return sum;
  }
};

template <>
struct TimesZeroPlus<Bfloat> {
  __device__ static std::uint32_t run(std::uint32_t pair, std::uint32_t sum) {
    KOKKOSSTENCIL_PTX("fma.rn.bf16x2 %0, %1, %2, %0;" : "+r"(sum) : "r"(pair), "r"(0u));
    return sum;
  }
};

/// griddepcontrol: a kernel launched with programmatic stream serialization may begin once all blocks of the one before
/// it have signalled; it waits for the end of that one before it ends. No effect without that attribute, nor
/// before 9.0.
struct GridDependency {
  __device__ static void signal() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    KOKKOSSTENCIL_PTX("griddepcontrol.launch_dependents;");
#endif
  }
  __device__ static void wait() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    KOKKOSSTENCIL_PTX("griddepcontrol.wait;" ::: "memory");
#endif
  }
};

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

/// Brackets of a warpgroup's products: registers are ready, a group of them ends, no more than Pending groups run.
struct WgmmaGroup {
  __device__ static void begin() { KOKKOSSTENCIL_PTX_90A("wgmma.fence.sync.aligned;" ::: "memory"); }
  __device__ static void end() { KOKKOSSTENCIL_PTX_90A("wgmma.commit_group.sync.aligned;" ::: "memory"); }
  template <int Pending>
  __device__ static void wait() {
    KOKKOSSTENCIL_PTX_90A("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
  }
  /// Keeps uses of a sum behind the wait for it.
  __device__ static void keep(float& sum) { KOKKOSSTENCIL_PTX_90A("" : "+f"(sum)::"memory"); }
  /// Sets a sum in place where wanted. In C++ the compiler would make a second register of it, and wait for all
  /// products.
  __device__ static void set_if(float& sum, float to, std::uint32_t wanted) {
    KOKKOSSTENCIL_PTX_90A("{ .reg .pred wanted; setp.ne.u32 wanted, %2, 0; @wanted mov.f32 %0, %1; }"
                          : "+f"(sum)
                          : "f"(to), "r"(wanted));
  }
};

/// setmaxnreg: registers of a warpgroup's threads from here on.
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
  /// Barriers made, and values stored by this thread, are there for copies and products of the asynchronous proxy.
  __device__ static void fence() {
    KOKKOSSTENCIL_PTX_90A("fence.mbarrier_init.release.cluster; fence.proxy.async.shared::cta;" ::: "memory");
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

/// bar.sync of some of a block's threads.
struct NamedBarrier {
  template <int Name, int Threads>
  __device__ static void wait() {
    KOKKOSSTENCIL_PTX_90A("bar.sync %0, %1;" ::"n"(Name), "n"(Threads) : "memory");
  }
};

#undef KOKKOSSTENCIL_PTX
#undef KOKKOSSTENCIL_PTX_90A

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
