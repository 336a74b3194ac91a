// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "FaceStripsKernel.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// The points compared, as rows cut into segments; pointers to the first of them.
struct ChangeArgs {
  std::int64_t size[3];
  std::int64_t newest_stride[3], oldest_stride[3];
  std::int64_t segment, segments;  ///< points of a segment, segments a row
  std::int32_t threads_x_log2;     ///< threads side by side in a row
  bool largest;                    ///< the largest change, else the sum of squares
  bool rows_alike;                 ///< contiguous rows, each at the same place in 16 bytes in both states
};
constexpr int change_threads              = 256;
constexpr std::int64_t change_blocks      = 16384;     ///< at most
constexpr std::int64_t change_block_bytes = 96 << 10;  ///< of a state that a block reads, at least
constexpr int change_vectors              = 4;         ///< of 16 bytes of a thread
constexpr int change_resident             = 4;         ///< blocks on a multiprocessor, one less for 16 bits
constexpr int change_batch                = 8;         ///< points of a thread whose loads are in flight together

/// Where results go: one of each block, how many blocks have left theirs (0 before and after), and the total, which
/// host and device see.
struct ChangeResult {
  double* partial;
  unsigned* arrived;
  double* total;
};

template <class T>
void launch_change(ChangeArgs const& args, int blocks, T const* newest, T const* oldest, ChangeResult const& result,
                   cudaStream_t stream);

/// Adds up what a sweep from in to out has left in parts and the changes of the points of the boxes of `rest`.
template <class T>
void launch_change_total(StripArgs const& rest, double const* parts, std::int64_t count, bool largest, T const* in,
                         T const* out, ChangeResult const& result, cudaStream_t stream);

}  // namespace Cuda
}  // namespace KokkosStencil
