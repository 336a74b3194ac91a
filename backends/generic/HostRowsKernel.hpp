// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The row kernels, compiled once per instruction set. Included by HostRows_*.cpp only, each of which
// defines KOKKOSSTENCIL_ROWS_NAMESPACE and KOKKOSSTENCIL_ROWS_BYTES (bytes of a vector) first. Nothing here and in
// rows/ may call an inline function from another header: the linker would be free to pick a copy made for another
// instruction set. The unroll pragmas keep the accumulators in registers at -O2 too.

#include "HostRows.hpp"

#if defined(__GNUC__)
#include "rows/Brief.hpp"
#include "rows/Listed.hpp"
#include "rows/Shaped.hpp"
#include "rows/Stacked.hpp"
#include "rows/Strided.hpp"
#else
#include "rows/Plain.hpp"
#endif

namespace KokkosStencil {
namespace Generic {
namespace KOKKOSSTENCIL_ROWS_NAMESPACE {

#if defined(__GNUC__)

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
      star < T,
      registers == 16 ? 4 : 2 > (segments, count),
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
