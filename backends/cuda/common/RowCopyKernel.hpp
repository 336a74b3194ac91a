// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// What the kernel is told that copies rows between Views whose rows need not share an alignment. Axes z, y.
struct RowCopyArgs {
  std::int64_t from_stride[2], to_stride[2];
  std::int64_t plane, line;  ///< the first
  std::int64_t lines;        ///< of a plane
  std::int64_t low, high;    ///< columns
  std::int64_t least, last;  ///< the outermost columns that there are to read
  std::int64_t first;        ///< column at which the first tile begins: a multiple of 32
  std::int64_t columns;      ///< of a tile, likewise, at most 32 * row_copy_chunks
  std::int64_t tiles, rows;  ///< of a row; in all
  /// Elements from the copy to a second one, to which only what lies outside [keep_begin, keep_end) is written too; 0:
  /// there is none.
  std::int64_t second;
  std::int64_t keep_begin[3], keep_end[3];
};

/// Values that a lane copies, at most, and warps of a block.
constexpr int row_copy_chunks(int value_bytes) { return value_bytes == 8 ? 6 : 10; }
constexpr int row_copy_warps = 8;

/// Words: unsigned integers of the values' size.
template <class Word>
void launch_row_copy(RowCopyArgs const& args, Word const* from, Word* to, cudaStream_t stream);

}  // namespace Cuda
}  // namespace KokkosStencil
