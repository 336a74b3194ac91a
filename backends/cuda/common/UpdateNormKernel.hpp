// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/BoundaryPoints.hpp"

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// The points compared, as rows cut into segments; pointers to the first of them.
struct UpdateNormArgs {
  std::int64_t size[3];
  std::int64_t newest_stride[3], oldest_stride[3];
  std::int64_t segment, segments;  ///< points of a segment, segments a row
  std::int32_t threads_x_log2;     ///< threads side by side in a row
  bool largest;                    ///< the largest change, else the sum of squares
  bool rows_alike;                 ///< contiguous rows, each at the same place in 16 bytes in both states
};
constexpr int update_norm_threads              = 256;
constexpr std::int64_t update_norm_blocks      = 16384;     ///< at most
constexpr std::int64_t update_norm_block_bytes = 96 << 10;  ///< of a state that a block reads, at least
constexpr int update_norm_vectors              = 4;         ///< of 16 bytes of a thread
constexpr int update_norm_resident             = 4;         ///< blocks on a multiprocessor, one less for 16 bits
constexpr int update_norm_batch                = 8;         ///< points of a thread whose loads are in flight together

/// Where results go: one of each block; how many blocks have left theirs (0 before and after a launch); the total, in
/// memory that host and device see.
struct UpdateNormResult {
  double* partial;
  unsigned* arrived;
  double* total;  ///< update_norm_totals values: the norm; what launch_update_norm_again leaves
};
constexpr int update_norm_totals = 3;

template <class T>
void launch_update_norm(UpdateNormArgs const& args, int blocks, T const* newest, T const* oldest,
                        UpdateNormResult const& result, cudaStream_t stream);

/// A second look at changes of doubles, for sums of squares in total[0] that may lack some (Impl::squares_lost): leaves
/// the largest change in total[1] and the sum of the squares of all ratios to it in total[2]. Does nothing if total[0]
/// is good. Runs in the stream, since what is launched later may overwrite the older state.
void launch_update_norm_again(UpdateNormArgs const& args, int blocks, double const* newest, double const* oldest,
                              UpdateNormResult const& result, cudaStream_t stream);

/// Adds up the `count` parts that a sweep from in to out has left, and the changes of the points in the boxes of
/// `rest`.
template <class T>
void launch_update_norm_total(BoundaryArgs const& rest, double const* parts, std::int64_t count, bool largest,
                              T const* in, T const* out, UpdateNormResult const& result, cudaStream_t stream);

}  // namespace Cuda
}  // namespace KokkosStencil
