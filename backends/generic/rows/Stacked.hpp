// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Traffic.hpp"

// Kernels for any stencil: runs of terms, for one, two or four rows at once.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

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

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
