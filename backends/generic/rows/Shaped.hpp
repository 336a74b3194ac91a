// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Stacked.hpp"

// Kernels made for a shape: what its rows read is known when they are compiled.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

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

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
