// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Stacked.hpp"

// Kernels for many rows of few terms each: a loop over a list of terms.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

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

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
