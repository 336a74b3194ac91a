// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/Ptx.hpp"

#include <cstdint>

// Dense matrix products of a warp, and what arranges their operands in registers.

namespace KokkosStencil {
namespace Cuda {
namespace Ptx {

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

}  // namespace Ptx
}  // namespace Cuda
}  // namespace KokkosStencil
