// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The row kernel, compiled once per instruction set. Included by HostRows_*.cpp only, each of which
// defines KOKKOSSTENCIL_ROWS_NAMESPACE and KOKKOSSTENCIL_ROWS_BYTES (bytes of a vector) first. Nothing here
// may call an inline function from another header: the linker would be free to pick a copy made for
// another instruction set. The unroll pragmas keep the accumulators in registers at -O2 too.

#include "HostRows.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

#if defined(__GNUC__)
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

/// Length of a run: known when compiled, or not (0).
template <int Length>
KOKKOSSTENCIL_INLINE int run_length(int length) {
  return Length > 0 ? Length : length;
}

template <unsigned Mask, int Length, int Stack, int Blocks, class T>
KOKKOSSTENCIL_INLINE void add_run_of(typename Vector<T>::type (&acc)[Stack][Blocks], T const* p, Segment const& s,
                                     T const* coefficients) {
  using V = Vector<T>;
  T const* c[Stack];
#pragma GCC unroll 4
  for (int j = 0; j < Stack; ++j) c[j] = coefficients + (Mask >> j & 1 ? s.coefficient[j] : 0);
  int const length = run_length<Length>(s.length);
#pragma GCC unroll 5
  for (int i = 0; i < length; ++i) {
    typename V::type v[Blocks];
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) v[b] = V::load(p + i + b * V::width);
#pragma GCC unroll 4
    for (int j = 0; j < Stack; ++j) {
      if (Mask >> j & 1) {
        typename V::type const w = V::splat(c[j][i]);
#pragma GCC unroll 8
        for (int b = 0; b < Blocks; ++b) acc[j][b] = fused(w, v[b], acc[j][b]);
      }
    }
  }
}

/// One run of a schedule, added to the accumulators of the output rows in Mask.
template <unsigned Mask, int Stack, int Blocks, class T>
KOKKOSSTENCIL_INLINE void add_run(typename Vector<T>::type (&acc)[Stack][Blocks], T const* p, Segment const& s,
                                  T const* coefficients) {
  if constexpr (Stack == 1) {
    // Single rows have short runs between branches: the common lengths are unrolled.
    switch (s.length) {
      case 1: add_run_of<Mask, 1>(acc, p, s, coefficients); return;
      case 2: add_run_of<Mask, 2>(acc, p, s, coefficients); return;
      case 3: add_run_of<Mask, 3>(acc, p, s, coefficients); return;
      case 5: add_run_of<Mask, 5>(acc, p, s, coefficients); return;
      default: break;
    }
  }
  if (s.length == 1) {
    add_run_of<Mask, 1>(acc, p, s, coefficients);
    return;
  }
  add_run_of<Mask, 0>(acc, p, s, coefficients);
}

template <int Stack, int Blocks, class T, class Store>
KOKKOSSTENCIL_INLINE void block(RowWork<T> const& work, std::int64_t x, Store store) {
  using V = Vector<T>;
  typename V::type acc[Stack][Blocks];
#pragma GCC unroll 4
  for (int j = 0; j < Stack; ++j) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) acc[j][b] = V::splat(work.start);
  }
  for (int f = 0; f < work.fetch_count; ++f) {
    char const* const p = reinterpret_cast<char const*>(work.fetch[f] + x) + work.fetch_ahead;
#pragma GCC unroll 8
    for (int b = 0; b < Blocks * KOKKOSSTENCIL_ROWS_BYTES; b += 64) __builtin_prefetch(p + b, 0, 2);
    __builtin_prefetch(p + Blocks * KOKKOSSTENCIL_ROWS_BYTES - 1, 0, 2);  // what a last block reaches into
  }
  for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
    T const* const p = work.rows[s->row] + x + s->first;
    if constexpr (Stack == 1) {
      add_run<1>(acc, p, *s, work.coefficients);
    } else if constexpr (Stack == 2) {
      switch (s->mask) {
        case 1: add_run<1>(acc, p, *s, work.coefficients); break;
        case 2: add_run<2>(acc, p, *s, work.coefficients); break;
        default: add_run<3>(acc, p, *s, work.coefficients); break;
      }
    } else {
      static_assert(Stack == 4, "1, 2 or 4 rows");
      switch (s->mask) {
        case 1: add_run<1>(acc, p, *s, work.coefficients); break;
        case 2: add_run<2>(acc, p, *s, work.coefficients); break;
        case 3: add_run<3>(acc, p, *s, work.coefficients); break;
        case 4: add_run<4>(acc, p, *s, work.coefficients); break;
        case 6: add_run<6>(acc, p, *s, work.coefficients); break;
        case 7: add_run<7>(acc, p, *s, work.coefficients); break;
        case 8: add_run<8>(acc, p, *s, work.coefficients); break;
        case 12: add_run<12>(acc, p, *s, work.coefficients); break;
        case 14: add_run<14>(acc, p, *s, work.coefficients); break;
        case 15: add_run<15>(acc, p, *s, work.coefficients); break;
        default:  // rows of the stack that are not neighbours
          if (s->mask & 1) add_run<1>(acc, p, *s, work.coefficients);
          if (s->mask & 2) add_run<2>(acc, p, *s, work.coefficients);
          if (s->mask & 4) add_run<4>(acc, p, *s, work.coefficients);
          if (s->mask & 8) add_run<8>(acc, p, *s, work.coefficients);
          break;
      }
    }
  }
#pragma GCC unroll 4
  for (int j = 0; j < Stack; ++j) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) store(work.out[j] + x + b * V::width, acc[j][b]);
  }
}

template <int Stack, class T>
KOKKOSSTENCIL_INLINE void scalar(RowWork<T> const& work, std::int64_t begin, std::int64_t end) {
  for (std::int64_t x = begin; x < end; ++x) {
#pragma GCC unroll 4
    for (int j = 0; j < Stack; ++j) {
      T acc = -T(0);
      for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
        if (!(s->mask >> j & 1)) continue;
        T const* const p = work.rows[s->row] + x + s->first;
        T const* const c = work.coefficients + s->coefficient[j];
        for (int i = 0; i < s->length; ++i) acc = multiply_add(c[i], p[i], acc);
      }
      work.out[j][x] = acc;
    }
  }
}

/// One block of 1 to Blocks vectors, as many as \p vectors says.
template <int Stack, int Blocks, class T>
KOKKOSSTENCIL_INLINE void partial_block(int vectors, RowWork<T> const& work, std::int64_t x) {
  if constexpr (Blocks > 1) {
    if (vectors < Blocks) {
      partial_block<Stack, Blocks - 1>(vectors, work, x);
      return;
    }
  }
  block<Stack, Blocks>(work, x, StoreAll());
}

/// Bytes of \p p behind the start of its cache line.
template <class T>
KOKKOSSTENCIL_INLINE std::int64_t behind_line(T const* p) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p) % line_bytes);
}

/// A row for streaming stores: whole cache lines go past the caches, the parts of lines at the ends do not,
/// because a line that is stored both ways costs more than it saves. `points(x, store)` computes the vector
/// at x, `many(x)` streams Blocks vectors. The row must hold a line.
template <class T, int Blocks, class Points, class Many>
KOKKOSSTENCIL_INLINE void streamed_row(std::int64_t behind, std::int64_t count, Points points, Many many) {
  constexpr int width       = Vector<T>::width;
  constexpr std::int64_t in = line_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t const first  = (in - behind / static_cast<std::int64_t>(sizeof(T))) % in;
  std::int64_t const last   = first + (count - first) / in * in;
  for (std::int64_t x = 0; x < first; x += width) {
    points(x, StorePart{0, static_cast<int>(first - x < width ? first - x : width)});
  }
  std::int64_t x = first;
  for (; x + Blocks * width <= last; x += Blocks * width) many(x);
  for (; x < last; x += width) points(x, StoreStreaming());
  for (; x + width <= count; x += width) points(x, StoreAll());
  if (x < count) points(count - width, StorePart{static_cast<int>(width - (count - x)), width});
}

/// The parts of cache lines at the ends of rows do not bypass the cache. Fetched two rows ahead their stores need not
/// wait: with rows of a kilobyte that is a fifth of the time.
template <int Stack, class T>
KOKKOSSTENCIL_INLINE void fetch_ends(RowWork<T> const& work, T* const* out, std::int64_t count) {
  if (!work.streaming) return;
#pragma GCC unroll 4
  for (int j = 0; j < Stack; ++j) {
    __builtin_prefetch(out[j] + work.out_ahead, 1, 3);
    __builtin_prefetch(out[j] + work.out_ahead + count - 1, 1, 3);
  }
}

/// The processor's own prefetching starts anew in every page, and the hints of the row kernels only direct it: the
/// first lines of a page would be waited for. Rows longer than a page run in it undisturbed.
KOKKOSSTENCIL_INLINE void fetch_page(char const* row, std::int64_t bytes) {
  if (bytes > page_bytes) return;
  char const* const near     = row + page_bytes / 2;
  auto const behind          = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(near) % page_bytes);
  std::int64_t const to_page = behind == 0 ? 0 : page_bytes - behind;
  if (to_page >= bytes + 2 * line_bytes) return;
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) __builtin_prefetch(near + to_page + k * line_bytes, 0, 3);
}

template <int Stack, class T>
void stacked_rows(RowWork<T> const& work, std::int64_t count) {
  constexpr int width = Vector<T>::width;
  fetch_ends<Stack>(work, work.out, count);
  for (int f = 0; f < work.fetch_count; ++f) {
    fetch_page(reinterpret_cast<char const*>(work.fetch[f]), count * static_cast<std::int64_t>(sizeof(T)));
  }
  // As many accumulators as the register file holds beside what they are fed with.
  constexpr int blocks =
      (KOKKOSSTENCIL_ROWS_BYTES == 64 ? 16 : 8) / Stack > 8 ? 8 : (KOKKOSSTENCIL_ROWS_BYTES == 64 ? 16 : 8) / Stack;
  if (count < width) {
    scalar<Stack>(work, 0, count);
    return;
  }
  auto const misalignment = [&](int j) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(work.out[j]) % KOKKOSSTENCIL_ROWS_BYTES);
  };
  bool streaming = work.streaming && count * static_cast<std::int64_t>(sizeof(T)) >= line_bytes &&
                   behind_line(work.out[0]) % static_cast<std::int64_t>(sizeof(T)) == 0;
  for (int j = 1; j < Stack; ++j) streaming = streaming && behind_line(work.out[j]) == behind_line(work.out[0]);
  if (streaming) {
    streamed_row<T, blocks>(
        behind_line(work.out[0]), count,
        [&](std::int64_t x, auto store) KOKKOSSTENCIL_INLINE_LAMBDA { block<Stack, 1>(work, x, store); },
        [&](std::int64_t x) KOKKOSSTENCIL_INLINE_LAMBDA { block<Stack, blocks>(work, x, StoreStreaming()); });
    return;
  }
  // Blocks may overlap (out and in are distinct, so writing twice is harmless): the first one ends where
  // aligned stores begin, the last one ends with the row, and neither is a single, latency-bound vector.
  std::int64_t x = 0;
  if (misalignment(0) != 0 && count >= blocks * width) {
    block<Stack, blocks>(work, 0, StoreAll());
    x = blocks * width - misalignment(0) / static_cast<std::int64_t>(sizeof(T));
  }
  for (; x + blocks * width <= count; x += blocks * width) block<Stack, blocks>(work, x, StoreAll());
  if (x < count) {
    int vectors = static_cast<int>((count - x + width - 1) / width);
    if (vectors * width > count) {
      // Too short to reach back: whole vectors first, the rest in one that overlaps them.
      --vectors;
      partial_block<Stack, blocks>(vectors, work, x);
      vectors = 1;
    }
    partial_block<Stack, blocks>(vectors, work, count - vectors * width);
  }
}

/// Vector registers.
#if defined(__x86_64__) && !defined(__AVX512F__)
constexpr int registers = 16;
#else
constexpr int registers = 32;
#endif

/// The columns of an input row, one after the other, each as the set of the output rows that use it (bits).
template <unsigned... Users>
struct Columns {
  static constexpr int users[] = {int(Users)...};
  static constexpr int terms   = (int(Users & 1) + ...);  ///< of the first output row
};

/// What a row of a stencil with R input rows and K terms is computed from, or a row of each of two planes, in
/// registers: the stores of a row must not make the compiler read it again.
template <int R, int K, int Stack, class T>
struct ShapeRow {
  /// Factors that the register file has room for, beside four sums a row, a product's value and the start.
  static constexpr int kept = K <= 9 && K + 4 * Stack + 2 <= registers ? K : 1;

  T* out[Stack];
  T const* row[R];
  char const* ahead[Stack];  ///< where the rows are fetched that memory yields next
  bool fetching;
  T const* coefficients;
  typename Vector<T>::type start;
  typename Vector<T>::type factor[kept];

  KOKKOSSTENCIL_INLINE explicit ShapeRow(RowWork<T> const& work)
      : fetching(work.fetch_count == Stack), coefficients(work.coefficients), start(Vector<T>::splat(work.start)) {
    if constexpr (K <= kept) {
#pragma GCC unroll 16
      for (int k = 0; k < K; ++k) factor[k] = Vector<T>::splat(coefficients[k]);
    }
    Segment const* s = work.segments;
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      row[r] = work.rows[r] + s->first;
      while (s != work.segments + work.segment_count && s->row == r) ++s;
    }
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) {
      out[j]   = work.out[j];
      ahead[j] = fetching ? reinterpret_cast<char const*>(work.fetch[j]) + work.fetch_ahead : nullptr;
    }
  }
  /// The coefficients for a block of points. The compiler would load all of them before the first block, and spill sums
  /// for that.
  KOKKOSSTENCIL_INLINE T const* coefficients_of_block() const {
    T const* c = coefficients;
    if constexpr (K > kept && registers == 16) asm volatile("" : "+r"(c));
    return c;
  }
  KOKKOSSTENCIL_INLINE typename Vector<T>::type factor_of(T const* of_block, int term) const {
    if constexpr (K <= kept) return factor[term];
    return Vector<T>::splat(of_block[term]);
  }
  KOKKOSSTENCIL_INLINE void advance(RowWork<T> const& work) {
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) row[r] += work.in_pitch;
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) {
      out[j] += work.out_pitch;
      if (fetching) ahead[j] += work.in_pitch * static_cast<std::int64_t>(sizeof(T));
    }
  }
};

/// Points at x of a row, or of a row of each of two planes, for a stencil whose input rows have the columns C: no
/// branch between them, so that the processor works far ahead.
template <int Stack, int Blocks, class... C, class T, class Row, class Store>
KOKKOSSTENCIL_INLINE void shape_block(Row const& row, T*, std::int64_t x, Store store) {
  using V = Vector<T>;
  if (row.fetching) {
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) {
      char const* const ahead = row.ahead[j] + x * static_cast<std::int64_t>(sizeof(T));
#pragma GCC unroll 8
      for (int b = 0; b < Blocks * KOKKOSSTENCIL_ROWS_BYTES; b += 64) __builtin_prefetch(ahead + b, 0, 2);
    }
  }
  typename V::type acc[Stack][Blocks];
#pragma GCC unroll 2
  for (int j = 0; j < Stack; ++j) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) acc[j][b] = row.start;
  }
  T const* const coefficients = row.coefficients_of_block();
  int r = 0, term[2] = {0, 0};
  auto const add = [&](auto columns) KOKKOSSTENCIL_INLINE_LAMBDA {
    using Read      = decltype(columns);
    constexpr int n = int(sizeof(Read::users) / sizeof(int));
#pragma GCC unroll 17
    for (int i = 0; i < n; ++i) {
      typename V::type v[Blocks];
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) v[b] = V::load(row.row[r] + x + i + b * V::width);
#pragma GCC unroll 2
      for (int j = 0; j < Stack; ++j) {
        if (Read::users[i] >> j & 1) {
          typename V::type const w = row.factor_of(coefficients, term[j]);
#pragma GCC unroll 8
          for (int b = 0; b < Blocks; ++b) acc[j][b] = fused(w, v[b], acc[j][b]);
          ++term[j];
        }
      }
    }
    ++r;
  };
  (add(C{}), ...);
#pragma GCC unroll 2
  for (int j = 0; j < Stack; ++j) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) store(row.out[j] + x + b * V::width, acc[j][b]);
  }
}

/// One line of shape_rows.
template <int Stack, class... C, class T, class Row>
KOKKOSSTENCIL_INLINE void shape_row(RowWork<T> const& work, Row const& row, std::int64_t count) {
  constexpr int width       = Vector<T>::width;
  constexpr int blocks      = 4;
  T* const none             = nullptr;
  std::int64_t const behind = behind_line(row.out[0]);
  fetch_ends<Stack>(work, row.out, count);
  if (row.fetching) {
    std::int64_t const bytes = count * static_cast<std::int64_t>(sizeof(T));
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) {
      fetch_page(row.ahead[j] - work.fetch_ahead, bytes);
      __builtin_prefetch(row.ahead[j] + bytes - 1, 0, 2);  // the last block may begin in a line and reach into the next
    }
  }
  if (work.streaming && behind % static_cast<std::int64_t>(sizeof(T)) == 0 &&
      behind_line(row.out[Stack - 1]) == behind) {
    streamed_row<T, blocks>(
        behind, count,
        [&](std::int64_t x, auto store)
            KOKKOSSTENCIL_INLINE_LAMBDA { shape_block<Stack, 1, C...>(row, none, x, store); },
        [&](std::int64_t x)
            KOKKOSSTENCIL_INLINE_LAMBDA { shape_block<Stack, blocks, C...>(row, none, x, StoreStreaming()); });
    return;
  }
  std::int64_t const apart = behind % KOKKOSSTENCIL_ROWS_BYTES;
  std::int64_t x           = 0;
  if (apart != 0) {
    shape_block<Stack, blocks, C...>(row, none, 0, StoreAll());
    x = blocks * width - apart / static_cast<std::int64_t>(sizeof(T));
  }
  for (; x + blocks * width <= count; x += blocks * width) shape_block<Stack, blocks, C...>(row, none, x, StoreAll());
  if (x < count) shape_block<Stack, blocks, C...>(row, none, count - blocks * width, StoreAll());
}

/// Several rows in one call: a call a row would cost a third of the speed from memory with rows of a kilobyte.
template <class T, int Stack, class... C>
void shape_rows(RowWork<T> const& work, std::int64_t count) {
  if (count < 4 * Vector<T>::width) {
    stacked_rows<Stack>(work, count);
    return;
  }
  ShapeRow<int(sizeof...(C)), (C::terms + ...), Stack, T> row(work);
  for (std::int64_t line = 0; line < work.lines; ++line) {
    shape_row<Stack, C...>(work, row, count);
    row.advance(work);
  }
}

/// Whether a schedule reads row \p r by the columns \p users; moves \p s on behind the row.
template <int N>
bool row_matches(Segment const*& s, Segment const* end, int r, int const (&users)[N]) {
  int i = 0, next = 0;
  for (; s != end && s->row == r; ++s) {
    if (i > 0 && s->first != next) return false;
    for (int k = 0; k < s->length; ++k, ++i) {
      if (i == N || static_cast<int>(s->mask) != users[i]) return false;
    }
    next = s->first + s->length;
  }
  return i == N;
}

/// The kernel for input rows of the columns C if those are the schedule's, else null.
template <class T, int Stack, class... C>
RowFunction<T> match(Segment const* segments, int count) {
  Segment const* s = segments;
  int r            = 0;
  bool const all   = (row_matches(s, segments + count, r++, C::users) && ...);
  return all && s == segments + count ? shape_rows<T, Stack, C...> : nullptr;
}

/// The output rows (bits) that use what is read.
template <int Mask>
struct Users {
  static constexpr int mask = Mask;
};

/// What the terms of a row, or of a row of each of two planes, read, in canonical order: the values, or the first ones
/// of as many columns as the kernel is made for.
template <int Stack, class T>
struct ListedTerms {
  T const* at[most_listed];
  T const* factor[Stack];
  int users[most_listed], end[most_listed];  ///< of runs: the rows that use them, and where they end
  int runs = 0;
  typename Vector<T>::type start;
  bool fetching;
  char const* ahead[Stack];  ///< where the rows are fetched that memory yields next
};

/// Main vectors from x on, and if Ends, those at the beginning and at `last`: where rows do not begin with a cache
/// line, only these two are apart from the lines.
template <int Columns, int Main, bool Ends, int Stack, class T, class Store>
KOKKOSSTENCIL_INLINE void listed_block(ListedTerms<Stack, T> const& terms, std::int64_t line, T* const* out,
                                       std::int64_t x, std::int64_t last, Store store) {
  using V          = Vector<T>;
  constexpr int n  = Main + (Ends ? 2 : 0);
  auto const place = [&](int b) KOKKOSSTENCIL_INLINE_LAMBDA {
    return b < Main ? x + b * V::width : b == Main ? 0 : last;
  };
  if (terms.fetching) {
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) {
      char const* const ahead = terms.ahead[j] + (line + x) * static_cast<std::int64_t>(sizeof(T));
#pragma GCC unroll 8
      for (int b = 0; b < Main * KOKKOSSTENCIL_ROWS_BYTES; b += 64) __builtin_prefetch(ahead + b, 0, 2);
    }
  }
  typename V::type acc[Stack][n];
  T const* factor[Stack];
#pragma GCC unroll 2
  for (int j = 0; j < Stack; ++j) {
    factor[j] = terms.factor[j];
#pragma GCC unroll 8
    for (int b = 0; b < n; ++b) acc[j][b] = terms.start;
  }
  int k          = 0;
  auto const run = [&](auto users, int end) KOKKOSSTENCIL_INLINE_LAMBDA {
    constexpr int mask = decltype(users)::mask;
    for (; k < end; ++k) {
      T const* const p = terms.at[k] + line;
      T const* main    = p + x;
      // Else the compiler keeps where each vector is from the start of the row, and spills it.
      if constexpr (Columns > 1) asm volatile("" : "+r"(main));
#pragma GCC unroll 7
      for (int i = 0; i < Columns; ++i) {
        typename V::type v[n];
#pragma GCC unroll 8
        for (int b = 0; b < n; ++b) {
          v[b] = V::load(Columns > 1 && b < Main ? main + b * V::width + i : p + place(b) + i);
        }
#pragma GCC unroll 2
        for (int j = 0; j < Stack; ++j) {
          if (mask >> j & 1) {
            typename V::type const w = V::splat(*factor[j]++);
#pragma GCC unroll 8
            for (int b = 0; b < n; ++b) acc[j][b] = fused(w, v[b], acc[j][b]);
          }
        }
      }
    }
  };
  for (int r = 0; r < terms.runs; ++r) {
    if constexpr (Stack == 1) {
      run(Users<1>(), terms.end[r]);
    } else {
      switch (terms.users[r]) {
        case 1: run(Users<1>(), terms.end[r]); break;
        case 2: run(Users<2>(), terms.end[r]); break;
        default: run(Users<3>(), terms.end[r]); break;
      }
    }
  }
#pragma GCC unroll 2
  for (int j = 0; j < Stack; ++j) {
#pragma GCC unroll 8
    for (int b = 0; b < n; ++b) store(out[j] + place(b), acc[j][b]);
  }
}

/// The last vectors of a row and its ends.
template <int Columns, int Main, int Stack, class T>
KOKKOSSTENCIL_INLINE void listed_rest(int vectors, ListedTerms<Stack, T> const& terms, std::int64_t line, T* const* out,
                                      std::int64_t x, std::int64_t last) {
  if constexpr (Main > 0) {
    if (vectors < Main) {
      listed_rest<Columns, Main - 1>(vectors, terms, line, out, x, last);
      return;
    }
  }
  listed_block<Columns, Main, true>(terms, line, out, x, last, StoreAll());
}

/// Several rows, of a stencil that has a row for nearly each of its terms, or for each run of so many columns: a loop
/// over them, with as many points in flight as hide how long a sum takes.
template <int Stack, class T, int Columns = 1>
void listed_rows(RowWork<T> const& work, std::int64_t count) {
  constexpr int width = Vector<T>::width, blocks = 8 / Stack;
  if (count < 2 * width) {
    stacked_rows<Stack>(work, count);
    return;
  }
  ListedTerms<Stack, T> terms;
  T* out[Stack];
  terms.start    = Vector<T>::splat(work.start);
  terms.fetching = work.fetch_count == Stack;
  int k          = 0;
  for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
    for (int i = 0; i < s->length; i += Columns) terms.at[k++] = work.rows[s->row] + s->first + i;
    if (terms.runs > 0 && terms.users[terms.runs - 1] == static_cast<int>(s->mask)) --terms.runs;
    terms.users[terms.runs] = static_cast<int>(s->mask);
    terms.end[terms.runs++] = k;
  }
#pragma GCC unroll 2
  for (int j = 0; j < Stack; ++j) {
    terms.factor[j] = work.coefficients;
    terms.ahead[j]  = terms.fetching ? reinterpret_cast<char const*>(work.fetch[j]) + work.fetch_ahead : nullptr;
    out[j]          = work.out[j];
  }
  for (std::int64_t line = 0; line < work.lines; ++line) {
    std::int64_t const in = line * work.in_pitch;
    fetch_ends<Stack>(work, out, count);
    if (terms.fetching) {
      std::int64_t const bytes = count * static_cast<std::int64_t>(sizeof(T));
#pragma GCC unroll 2
      for (int j = 0; j < Stack; ++j) {
        fetch_page(reinterpret_cast<char const*>(work.fetch[j] + in), bytes);
        // What the blocks leave out: the last one may begin in a line and reach into the next.
        char const* const ahead = terms.ahead[j] + in * static_cast<std::int64_t>(sizeof(T));
        __builtin_prefetch(ahead, 0, 2);
        __builtin_prefetch(ahead + bytes - 1, 0, 2);
      }
    }
    std::int64_t const behind = behind_line(out[0]);
    bool const whole_line     = count * static_cast<std::int64_t>(sizeof(T)) >= line_bytes;
    if (work.streaming && whole_line && behind % static_cast<std::int64_t>(sizeof(T)) == 0 &&
        behind_line(out[Stack - 1]) == behind) {
      constexpr int many = (Columns > 1 ? 8 : 4) / Stack;
      streamed_row<T, many>(
          behind, count,
          [&](std::int64_t x, auto store)
              KOKKOSSTENCIL_INLINE_LAMBDA { listed_block<Columns, 1, false>(terms, in, out, x, 0, store); },
          [&](std::int64_t x) KOKKOSSTENCIL_INLINE_LAMBDA {
            listed_block<Columns, many, false>(terms, in, out, x, 0, StoreStreaming());
          });
    } else {
      std::int64_t const apart = behind % KOKKOSSTENCIL_ROWS_BYTES;
      std::int64_t const last  = count - width;
      // What the first vector does not reach, up to where the last one begins, in whole vectors.
      std::int64_t x = (KOKKOSSTENCIL_ROWS_BYTES - apart) / static_cast<std::int64_t>(sizeof(T));
      int vectors    = static_cast<int>((last - x + width - 1) / width);
      for (; vectors >= blocks; vectors -= blocks, x += blocks * width) {
        listed_block<Columns, blocks, false>(terms, in, out, x, 0, StoreAll());
      }
      if (vectors == blocks - 1) {
        listed_block<Columns, blocks / 2, false>(terms, in, out, x, 0, StoreAll());
        x += blocks / 2 * width;
        vectors -= blocks / 2;
      }
      listed_rest<Columns, blocks - 2>(vectors, terms, in, out, x, last);
    }
#pragma GCC unroll 2
    for (int j = 0; j < Stack; ++j) out[j] += work.out_pitch;
  }
}

/// The kernel for stencils with a row for more than half of what they read, at least so many terms, or null.
template <int Stack, class T>
RowFunction<T> listed(Segment const* segments, int count, int least) {
  int terms = 0, rows = 0;
  for (Segment const* s = segments; s != segments + count; ++s) {
    terms += s->length;
    if (s == segments || s->row != s[-1].row) ++rows;
  }
  return terms >= least && terms <= most_listed && 2 * rows > terms ? listed_rows<Stack, T> : nullptr;
}

/// The kernel for boxes in planes that have so many rows and columns, or null.
template <int Columns, class T>
RowFunction<T> box(Segment const* segments, int count) {
  if (count != Columns) return nullptr;
  for (int k = 0; k < count; ++k) {
    if (int(segments[k].length) != Columns || segments[k].coefficient[0] != k * Columns) return nullptr;
  }
  return listed_rows<1, T, Columns>;
}

/// What the terms of a row read, in canonical order, and their factors.
template <class T>
struct BriefTerms {
  T const* at[most_listed];
  T factor[most_listed];
  int count;
  T start;
};

/// Vectors of short rows, of so many rows that the sums in flight hide how long one takes; the last one of each row at
/// `last`.
template <class V, int Lines, int Blocks, class T>
KOKKOSSTENCIL_INLINE void brief_block(BriefTerms<T> const& terms, std::int64_t in, std::int64_t in_pitch, T* out,
                                      std::int64_t out_pitch, std::int64_t last) {
  auto const place = [&](int b) KOKKOSSTENCIL_INLINE_LAMBDA {
    return b + 1 < Blocks ? static_cast<std::int64_t>(b * V::width) : last;
  };
  typename V::type acc[Lines][Blocks];
#pragma GCC unroll 4
  for (int l = 0; l < Lines; ++l) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) acc[l][b] = V::splat(terms.start);
  }
  for (int k = 0; k < terms.count; ++k) {
    T const* const p         = terms.at[k] + in;
    typename V::type const w = V::splat(terms.factor[k]);
#pragma GCC unroll 4
    for (int l = 0; l < Lines; ++l) {
#pragma GCC unroll 8
      for (int b = 0; b < Blocks; ++b) acc[l][b] = fused(w, V::load(p + l * in_pitch + place(b)), acc[l][b]);
    }
  }
#pragma GCC unroll 4
  for (int l = 0; l < Lines; ++l) {
#pragma GCC unroll 8
    for (int b = 0; b < Blocks; ++b) V::store(out + l * out_pitch + place(b), acc[l][b]);
  }
}

/// Blocks vectors of each row of a plane, the last one ending with `count` points. `in`: points from where the rows
/// begin.
template <class V, int Lines, int Blocks, class T>
void brief_lines(BriefTerms<T> const& terms, RowWork<T> const& work, std::int64_t in, T* out, std::int64_t count) {
  std::int64_t const lines = work.lines, last = count - V::width;
  if (lines < Lines) {
    for (std::int64_t line = 0; line < lines; ++line) {
      brief_block<V, 1, Blocks>(terms, in + line * work.in_pitch, 0, out + line * work.out_pitch, 0, last);
    }
    return;
  }
  // The last rows may be computed again (out and in are distinct).
  for (std::int64_t next = 0; next < lines; next += Lines) {
    std::int64_t const line = next + Lines <= lines ? next : lines - Lines;
    if (work.fetch_count > 0) {
      char const* const ahead =
          reinterpret_cast<char const*>(work.fetch[0] + in + line * work.in_pitch) + work.fetch_ahead;
      for (int l = 0; l < Lines; ++l) {
        char const* const row = ahead + l * work.in_pitch * static_cast<std::int64_t>(sizeof(T));
        for (std::int64_t b = 0; b < count * static_cast<std::int64_t>(sizeof(T)); b += line_bytes) {
          __builtin_prefetch(row + b, 0, 2);
        }
      }
    }
    brief_block<V, Lines, Blocks>(terms, in + line * work.in_pitch, work.in_pitch, out + line * work.out_pitch,
                                  work.out_pitch, last);
  }
}

/// Points of the rows of a plane, in vectors of so many bytes or shorter ones.
template <int Bytes, class T>
KOKKOSSTENCIL_INLINE void brief_part(BriefTerms<T> const& terms, RowWork<T> const& work, std::int64_t in, T* out,
                                     std::int64_t count) {
  using V = VectorOf<T, Bytes>;
  if constexpr (V::width > 1) {
    if (count < V::width) {
      brief_part<(Bytes > 16 ? Bytes / 2 : int(sizeof(T)))>(terms, work, in, out, count);
      return;
    }
  }
  switch ((count + V::width - 1) / V::width) {
    case 1: brief_lines<V, 4, 1>(terms, work, in, out, count); return;
    case 2: brief_lines<V, 4, 2>(terms, work, in, out, count); return;
    case 3: brief_lines<V, 2, 3>(terms, work, in, out, count); return;
    default: break;
  }
  if constexpr (Bytes == KOKKOSSTENCIL_ROWS_BYTES) {
    switch ((count + V::width - 1) / V::width) {
      case 4: brief_lines<V, 2, 4>(terms, work, in, out, count); return;
      case 5: brief_lines<V, 1, 5>(terms, work, in, out, count); return;
      case 6: brief_lines<V, 1, 6>(terms, work, in, out, count); return;
      case 7: brief_lines<V, 1, 7>(terms, work, in, out, count); return;
      default: brief_lines<V, 1, 8>(terms, work, in, out, count); return;
    }
  }
}

/// Short rows, several at a time: a row by itself would take as long as its sums, one after the other.
template <class T>
void brief_rows(RowWork<T> const& work, std::int64_t count) {
  constexpr std::int64_t width = Vector<T>::width, most = 8 * width;
  BriefTerms<T> terms;
  terms.start = work.start;
  terms.count = 0;
  for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
    for (int i = 0; i < s->length; ++i, ++terms.count) {
      terms.at[terms.count]     = work.rows[s->row] + s->first + i;
      terms.factor[terms.count] = work.coefficients[s->coefficient[0] + i];
    }
  }
  for (std::int64_t plane = 0; plane < work.planes; ++plane) {
    std::int64_t const in = plane * work.in_plane;
    T* const out          = work.out[0] + plane * work.out_plane;
    std::int64_t x        = 0;
    for (; count - x > most; x += most) brief_part<KOKKOSSTENCIL_ROWS_BYTES>(terms, work, in + x, out + x, most);
    // What is left may be less than a vector.
    if (x > 0 && count - x < width) x = count - width;
    brief_part<KOKKOSSTENCIL_ROWS_BYTES>(terms, work, in + x, out + x, count - x);
  }
}

/// The kernel for short rows of a stencil, or null.
template <class T>
RowFunction<T> brief(Segment const* segments, int count) {
  int terms = 0;
  for (Segment const* s = segments; s != segments + count; ++s) terms += s->length;
  return terms <= most_listed ? brief_rows<T> : nullptr;
}

/// A list of numbers; the standard one may have members that another instruction set compiled.
template <int... I>
struct Numbers {};
template <int N, int... I>
struct UpTo : UpTo<N - 1, N - 1, I...> {};
template <int... I>
struct UpTo<0, I...> {
  using type = Numbers<I...>;
};

template <class T, int... Arm, int... Column>
RowFunction<T> match_star(Segment const* segments, int count, Numbers<Arm...>, Numbers<Column...>) {
  return match<T, 1, Columns<unsigned(Arm >= 0)>..., Columns<unsigned(Column >= 0)...>, Columns<unsigned(Arm >= 0)>...>(
      segments, count);
}

/// The kernel for a star of the radii up to R: rows of one column each on both sides of its own.
template <class T, int R>
RowFunction<T> star(Segment const* segments, int count) {
  using Width = typename UpTo<2 * R + 1>::type;
  if (auto f = match_star<T>(segments, count, typename UpTo<R>::type(), Width())) return f;
  if (auto f = match_star<T>(segments, count, typename UpTo<2 * R>::type(), Width())) return f;
  if constexpr (R > 1) return star<T, R - 1>(segments, count);
  return nullptr;
}

/// Kernels for the stencils met most: stars, and boxes of small radius. And some that compute two planes at once, for
/// the 7-point star and stencils with many rows: fewer rows come from the second-level cache, and memory is read at two
/// places.
template <class T>
RowFunction<T> shape(Segment const* segments, int count, int stack) {
  using One   = Columns<1>;
  using Three = Columns<1, 1, 1>;
  using Five  = Columns<1, 1, 1, 1, 1>;
  using Other = Columns<2>;
  if (stack == 2) {
    auto const f = match<T, 2, One, One, Columns<1, 3, 1>, One, Other, Columns<2, 3, 2>, Other, Other>(segments, count);
    return f != nullptr ? f : listed<2, T>(segments, count, 30);
  }
  RowFunction<T> const found[] = {
      match<T, 1, Three>(segments, count),
      match<T, 1, Five>(segments, count),
      match<T, 1, Three, Three, Three>(segments, count),
      match<T, 1, Three, Three, Three, Three, Three, Three, Three, Three, Three>(segments, count),
      // Of radius 3 and 4, with 16 registers and from memory, 1.1 to 1.4 times as fast as a list of terms.
      star<T, registers == 16 ? 4 : 2>(segments, count),
      listed<1, T>(segments, count, 0),
      // With more registers four rows at once are faster.
      registers == 16 ? box<5, T>(segments, count) : nullptr,
      registers == 16 ? box<7, T>(segments, count) : nullptr,
  };
  for (RowFunction<T> f : found) {
    if (f != nullptr) return f;
  }
  return nullptr;
}

/// Points x to x + Points of a row, all their sums in flight.
template <int Points, class T>
KOKKOSSTENCIL_INLINE void strided_block(RowWork<T> const& work, std::int64_t x) {
  T acc[Points];
#pragma GCC unroll 8
  for (int b = 0; b < Points; ++b) acc[b] = work.start;
  for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
    std::int64_t const step = work.steps[s->row];
    T const* p              = work.rows[s->row] + (x + s->first) * step;
    T const* const c        = work.coefficients + s->coefficient[0];
    for (int i = 0; i < s->length; ++i, p += step) {
#pragma GCC unroll 8
      for (int b = 0; b < Points; ++b) acc[b] = multiply_add(c[i], p[b * step], acc[b]);
    }
  }
#pragma GCC unroll 8
  for (int b = 0; b < Points; ++b) work.out[0][(x + b) * work.out_step] = acc[b];
}

template <class T>
void strided_row(RowWork<T> const& work, std::int64_t count) {
  std::int64_t x = 0;
  for (; x + 8 <= count; x += 8) strided_block<8>(work, x);
  for (; x < count; ++x) strided_block<1>(work, x);
}

template <class T>
void combine(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count) {
  using V        = Vector<T>;
  std::int64_t x = 0;
  if (step == 1) {
    typename V::type const a = V::splat(alpha), b = V::splat(beta), none = V::splat(-T(0));
    for (; x + V::width <= count; x += V::width)
      V::store(v + x, fused(a, V::load(sum + x), fused(b, V::load(v + x), none)));
  }
  for (; x < count; ++x) v[x * step] = multiply_add(alpha, sum[x], multiply_add(beta, v[x * step], -T(0)));
}

#else  // no vector types: leave it to the compiler

template <class T>
RowFunction<T> shape(Segment const*, int, int) {
  return nullptr;
}

template <class T>
RowFunction<T> brief(Segment const*, int) {
  return nullptr;
}

inline void stream_fence() {}

template <int Stack, class T>
void stacked_rows(RowWork<T> const& work, std::int64_t count) {
  for (int j = 0; j < Stack; ++j) {
    for (std::int64_t x = 0; x < count; ++x) {
      T acc = -T(0);
      for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
        if (!(s->mask >> j & 1)) continue;
        for (int i = 0; i < s->length; ++i) {
          acc += work.coefficients[s->coefficient[j] + i] * work.rows[s->row][x + s->first + i];
        }
      }
      work.out[j][x] = acc;
    }
  }
}

template <class T>
void strided_row(RowWork<T> const& work, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) {
    T acc = -T(0);
    for (Segment const* s = work.segments; s != work.segments + work.segment_count; ++s) {
      for (int i = 0; i < s->length; ++i) {
        acc += work.coefficients[s->coefficient[0] + i] * work.rows[s->row][(x + s->first + i) * work.steps[s->row]];
      }
    }
    work.out[0][x * work.out_step] = acc;
  }
}

template <class T>
void combine(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count) {
  for (std::int64_t x = 0; x < count; ++x) v[x * step] = alpha * sum[x] + beta * v[x * step];
}

#endif

template <class T>
constexpr RowKernels<T> kernels(char const* name) {
#ifdef __FP_FAST_FMA
  bool const fused = true;
#else
  bool const fused = false;
#endif
  return {name,     fused,        registers,      {stacked_rows<1, T>, stacked_rows<2, T>, nullptr, stacked_rows<4, T>},
          shape<T>, stream_fence, strided_row<T>, combine<T>,
          brief<T>};
}

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
