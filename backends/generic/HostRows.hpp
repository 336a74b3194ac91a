// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "RowSchedule.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace Generic {

/// Computes `count` points of `stack` rows: out[j][x] = sum of coefficient * rows[r][x + dx], in the
/// canonical order, for 0 <= x < count. `streaming`: bypass the cache when storing. `rows` and `out`
/// point at x = 0.
template <class T>
using RowFunction = void (*)(T* const* out, std::int64_t count, T const* const* rows, Segment const* segments,
                             int segment_count, T const* coefficients, bool streaming);

/// The row kernels of one instruction set, by number of stacked rows.
template <class T>
struct RowKernels {
  char const* name;
  RowFunction<T> stacked[max_stack];  ///< [stack - 1]
};

/// The best kernels this processor can run; `fused`: only those that really use fused multiply-adds.
template <class T>
RowKernels<T> const& row_kernels(bool fused);

}  // namespace Generic
}  // namespace KokkosStencil
