// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/RowSchedule.hpp>

#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Generic {

using Transform::make_ordered_schedule;
using Transform::make_row_schedule;
using Transform::max_stack;
using Transform::Row;
using Transform::RowSchedule;
using Transform::Segment;

/// Most terms of a stencil whose rows are computed term by term, short ones above all.
constexpr int most_listed = 128;

/// Bytes of a cache line, and of a page, beyond which processors do not fetch ahead by themselves.
constexpr int line_bytes          = 64;
constexpr std::int64_t page_bytes = 4096;

/// What a row kernel works on; row pointers are at x = 0.
template <class T>
struct RowWork {
  T* const* out;          ///< one per output row
  T const* const* rows;   ///< one per RowSchedule::rows
  T const* const* fetch;  ///< input rows that come from memory for the first time, to be fetched ahead
  int fetch_count;
  std::int64_t fetch_ahead;  ///< bytes from where the row is read to where it is fetched
  Segment const* segments;
  int segment_count;
  T const* coefficients;
  bool streaming;              ///< bypass the cache when storing
  std::int64_t out_ahead = 0;  ///< points from where a row is written to where the ends of a later one are fetched
  /// As many times, each time so many points further on. Only kernels for short rows do more than one, and those made
  /// for a shape where rows have at least 256 bytes.
  std::int64_t lines = 1, in_pitch = 0, out_pitch = 0;
  /// Elements from point to point, of each input row (0 where all points read one value) and of the output. Only the
  /// strided kernel looks at them.
  std::int64_t const* steps = nullptr;
  std::int64_t out_step     = 1;
  /// The neutral start of a sum, which keeps the sign of a zero. Read at run time: with a constant start the
  /// compiler may drop it, then fuse the first product instead of the second, and break the canonical order.
  T start = -T(0);
  /// And all of it for as many planes. Only the kernel for short rows does more than one.
  std::int64_t planes = 1, in_plane = 0, out_plane = 0;
};

/// Computes `count` points of `stack` rows, `lines` times: out[j][x] = sum of coefficient * rows[r][x + dx], in the
/// canonical order, for 0 <= x < count.
template <class T>
using RowFunction = void (*)(RowWork<T> const& work, std::int64_t count);

/// The row kernels of one instruction set, by number of stacked rows.
template <class T>
struct RowKernels {
  char const* name;
  bool fused;                         ///< products and sums are rounded once
  int registers;                      ///< of vectors
  RowFunction<T> stacked[max_stack];  ///< [stack - 1], null for 3
  /// The kernel made for the runs of a schedule, of single rows or of a row in each of two planes, or null.
  RowFunction<T> (*shape)(Segment const* segments, int segment_count, int stack);
  void (*fence)();         ///< orders streaming stores before what follows
  RowFunction<T> strided;  ///< single rows whose points are `steps` apart
  /// v = alpha sum + beta v for `count` points of v, `step` apart; beta is not 0.
  void (*combine)(T alpha, T const* sum, T beta, T* v, std::int64_t step, std::int64_t count);
  /// The kernel for short rows of a schedule of single rows, or null where it has too many terms. It does not stream.
  RowFunction<T> (*brief)(Segment const* segments, int segment_count);
};

/// The best kernels this processor can run; `fused`: only those that really use fused multiply-adds.
template <class T>
RowKernels<T> const& row_kernels(bool fused);

/// All that this processor can run, the best first.
template <class T>
std::vector<RowKernels<T>> const& row_kernel_sets();

}  // namespace Generic
}  // namespace KokkosStencil
