// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "../HostRows.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// Vectors of the instruction set that a file is compiled for, and ways to store them.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

#define KOKKOSSTENCIL_INLINE inline __attribute__((always_inline))
#define KOKKOSSTENCIL_INLINE_LAMBDA __attribute__((always_inline))

/// A vector of so many bytes.
template <class T, int Bytes>
struct VectorOf {
  static constexpr int width = Bytes / int(sizeof(T));
  typedef T type __attribute__((vector_size(Bytes)));
  typedef T unaligned __attribute__((vector_size(Bytes), aligned(sizeof(T)), may_alias));

  static KOKKOSSTENCIL_INLINE type load(T const* p) { return *reinterpret_cast<unaligned const*>(p); }
  static KOKKOSSTENCIL_INLINE void store(T* p, type v) { *reinterpret_cast<unaligned*>(p) = v; }
  static KOKKOSSTENCIL_INLINE type splat(T c) { return c - type{}; }
};

/// A value alone, with the same members.
template <class T>
struct Single {
  static constexpr int width = 1;
  using type                 = T;

  static KOKKOSSTENCIL_INLINE type load(T const* p) { return *p; }
  static KOKKOSSTENCIL_INLINE void store(T* p, type v) { *p = v; }
  static KOKKOSSTENCIL_INLINE type splat(T c) { return c; }
};
template <>
struct VectorOf<float, int(sizeof(float))> : Single<float> {};
template <>
struct VectorOf<double, int(sizeof(double))> : Single<double> {};

template <class T>
using Vector = VectorOf<T, KOKKOSSTENCIL_ROWS_BYTES>;

// Explicit, because whether a compiler fuses a * b + c depends on what it tunes for: gcc leaves chains of up to
// 256 bits apart on Zen, and one that vectorizes the products of an ordered sum no longer fuses them.
#ifdef __FP_FAST_FMA
KOKKOSSTENCIL_INLINE float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
KOKKOSSTENCIL_INLINE double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
template <class T>
KOKKOSSTENCIL_INLINE T multiply_add(T a, T b, T c) {
  return a * b + c;
}
#endif

#if KOKKOSSTENCIL_ROWS_BYTES >= 64
KOKKOSSTENCIL_INLINE Vector<float>::type fused(Vector<float>::type a, Vector<float>::type b, Vector<float>::type c) {
  return (Vector<float>::type)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
}
KOKKOSSTENCIL_INLINE Vector<double>::type fused(Vector<double>::type a, Vector<double>::type b,
                                                Vector<double>::type c) {
  return (Vector<double>::type)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
}
#endif
#if KOKKOSSTENCIL_ROWS_BYTES >= 32
KOKKOSSTENCIL_INLINE VectorOf<float, 32>::type fused(VectorOf<float, 32>::type a, VectorOf<float, 32>::type b,
                                                     VectorOf<float, 32>::type c) {
  return (VectorOf<float, 32>::type)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}
KOKKOSSTENCIL_INLINE VectorOf<double, 32>::type fused(VectorOf<double, 32>::type a, VectorOf<double, 32>::type b,
                                                      VectorOf<double, 32>::type c) {
  return (VectorOf<double, 32>::type)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
}
#endif
#if KOKKOSSTENCIL_ROWS_BYTES >= 32 || defined(__FMA__)
KOKKOSSTENCIL_INLINE VectorOf<float, 16>::type fused(VectorOf<float, 16>::type a, VectorOf<float, 16>::type b,
                                                     VectorOf<float, 16>::type c) {
  return (VectorOf<float, 16>::type)_mm_fmadd_ps((__m128)a, (__m128)b, (__m128)c);
}
KOKKOSSTENCIL_INLINE VectorOf<double, 16>::type fused(VectorOf<double, 16>::type a, VectorOf<double, 16>::type b,
                                                      VectorOf<double, 16>::type c) {
  return (VectorOf<double, 16>::type)_mm_fmadd_pd((__m128d)a, (__m128d)b, (__m128d)c);
}
KOKKOSSTENCIL_INLINE float fused(float a, float b, float c) { return multiply_add(a, b, c); }
KOKKOSSTENCIL_INLINE double fused(double a, double b, double c) { return multiply_add(a, b, c); }
#else
template <class V>
KOKKOSSTENCIL_INLINE V fused(V a, V b, V c) {
  return a * b + c;
}
#endif

/// How a vector of results is written: as it is, past the caches (the address a multiple of the vector), or
/// the elements [from, to) only.
struct StoreAll {
  template <class T>
  KOKKOSSTENCIL_INLINE void operator()(T* p, typename Vector<T>::type v) const {
    Vector<T>::store(p, v);
  }
};

#if defined(__SSE2__)
struct StoreStreaming {
  KOKKOSSTENCIL_INLINE void operator()(float* p, Vector<float>::type v) const {
#if KOKKOSSTENCIL_ROWS_BYTES == 64
    _mm512_stream_ps(p, (__m512)v);
#elif KOKKOSSTENCIL_ROWS_BYTES == 32
    _mm256_stream_ps(p, (__m256)v);
#else
    _mm_stream_ps(p, (__m128)v);
#endif
  }
  KOKKOSSTENCIL_INLINE void operator()(double* p, Vector<double>::type v) const {
#if KOKKOSSTENCIL_ROWS_BYTES == 64
    _mm512_stream_pd(p, (__m512d)v);
#elif KOKKOSSTENCIL_ROWS_BYTES == 32
    _mm256_stream_pd(p, (__m256d)v);
#else
    _mm_stream_pd(p, (__m128d)v);
#endif
  }
};
inline void stream_fence() { _mm_sfence(); }
#else
using StoreStreaming = StoreAll;
inline void stream_fence() {}
#endif

struct StorePart {
  int from, to;  ///< the elements up to the end of a line, or from the start of one

#if KOKKOSSTENCIL_ROWS_BYTES == 64
  // Aligned: a masked store counts for both lines that it spans, whatever the mask, and the other one is streamed.
  KOKKOSSTENCIL_INLINE void operator()(float* p, Vector<float>::type v) const {
    __mmask16 const low = static_cast<__mmask16>((1u << (to - from)) - 1), high = static_cast<__mmask16>(~0u << from);
    if (from == 0) {
      _mm512_mask_store_ps(p + to - 16, static_cast<__mmask16>(low << (16 - to)),
                           _mm512_maskz_expand_ps(static_cast<__mmask16>(low << (16 - to)), (__m512)v));
    } else {
      _mm512_mask_store_ps(p + from, low, _mm512_maskz_compress_ps(high, (__m512)v));
    }
  }
  KOKKOSSTENCIL_INLINE void operator()(double* p, Vector<double>::type v) const {
    __mmask8 const low = static_cast<__mmask8>((1u << (to - from)) - 1), high = static_cast<__mmask8>(~0u << from);
    if (from == 0) {
      _mm512_mask_store_pd(p + to - 8, static_cast<__mmask8>(low << (8 - to)),
                           _mm512_maskz_expand_pd(static_cast<__mmask8>(low << (8 - to)), (__m512d)v));
    } else {
      _mm512_mask_store_pd(p + from, low, _mm512_maskz_compress_pd(high, (__m512d)v));
    }
  }
#else
  template <class T>
  KOKKOSSTENCIL_INLINE void operator()(T* p, typename Vector<T>::type v) const {
    T element[Vector<T>::width];
    Vector<T>::store(element, v);
    for (int i = from; i < to; ++i) p[i] = element[i];
  }
#endif
};

/// Vector registers.
#if defined(__x86_64__) && !defined(__AVX512F__)
constexpr int registers = 16;
#else
constexpr int registers = 32;
#endif

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
