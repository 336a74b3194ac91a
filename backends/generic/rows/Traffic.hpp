// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Vector.hpp"

// Rows on their way from and to memory: streaming stores, and what is fetched ahead.

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

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

}  // namespace KOKKOSSTENCIL_ROWS_NAMESPACE
}  // namespace Generic
}  // namespace KokkosStencil
