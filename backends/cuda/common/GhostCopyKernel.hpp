// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// Rows of a box of points, cut into chunks: vectors of 16 bytes, or single points where the two Views are not aligned
/// alike.
struct GhostBox {
  std::int64_t plane, line, point;  ///< of its first chunk
  std::int64_t low, high;           ///< points of a row that are copied; the first and last chunk may reach beyond
  std::int64_t lines, rows;         ///< of a plane, in all
  std::int64_t chunks;              ///< of a row
  std::uint32_t columns;            ///< blocks side by side in a row
  std::uint32_t first_block;
  std::int32_t threads_x_log2;  ///< threads side by side in a row
};

struct GhostCopyArgs {
  std::int64_t first_stride[3], second_stride[3];
  GhostBox box[6];
  std::uint32_t boxes, blocks;
  bool by_vectors;
};
constexpr int ghost_threads = 256;

/// Words: unsigned integers of the values' size.
template <class Word>
void launch_copy_ghosts(GhostCopyArgs const& args, Word const* first, Word* second, cudaStream_t stream);

}  // namespace Cuda
}  // namespace KokkosStencil
