// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Listed.hpp"

// Kernels for short rows, several at a time.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

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

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
