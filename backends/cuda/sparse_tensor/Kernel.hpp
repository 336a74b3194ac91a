// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Tuning.hpp"

#include <cstddef>
#include <cstdint>

// What the kernels are told: raw pointers, strides, and the packed operands. No Kokkos, no CUDA. Kernels go along y:
// for slabs, y is the slowest axis of the View and z the middle one.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

constexpr int max_loads = 9;

/// A term of the plain formula: elements from the output's point, and the coefficient. Of one of several sweeps: values
/// from a point in the patch of `fix_sweeps`, whose rows are patch_pitch() apart.
struct PlainTerm {
  std::int64_t offset;
  float coefficient;
};

struct Args {
  void const* in;
  void const* window;   ///< in, moved by the first row (and plane) of the kernel
  void const* vectors;  ///< the same, moved to the first aligned 16-byte vector of a row
  void* out;
  std::int64_t in_y, in_z, out_y, out_z;   ///< strides in elements
  std::int64_t load_offset[max_loads];     ///< of each load of a step from the first, in elements
  std::int32_t vector_first, vector_last;  ///< first elements of the first and last aligned 16-byte vector of a row
  std::int32_t lead;                       ///< elements from a block's first output back to its window
  std::int32_t x0;                         ///< first output of the first strip
  std::int32_t x_begin, x_end;             ///< outputs stored
  std::int64_t y_begin, y_end, z_begin, z_end;
  std::uint32_t strips, chunks, planes;
  std::uint32_t height;  ///< output rows of a tile
  /// The last chunks, from this one on, are lower: they even out what the tall ones leave.
  std::uint32_t tall_chunks, low_height;
  void const* matrices;  ///< [split][matrix][step][lane] of 16 bytes
  std::uint32_t const* metadata;
  PlainTerm const* terms;
  std::int32_t term_count;
  /// Several sweeps as one, in the kernels `ring`, `wgmma` and `tiles` of lines: sums are multiplied by `unscale`, and
  /// what is not finite is recomputed sweep by sweep, each of which reaches so far.
  float unscale;
  std::int32_t sweeps, reach_y, reach_x;
};

constexpr int patch_pitch(int sweeps, int reach_x) { return patch_side + 2 * sweeps * reach_x; }

/// Launches a kernel of Tuning.hpp on a cudaStream_t, for elements of half and of bfloat16.
void launch_half(std::size_t kernel, Args const& args, unsigned blocks, void* stream);
void launch_bfloat(std::size_t kernel, Args const& args, unsigned blocks, void* stream);
/// The same for those with wgmma, which are compiled for compute capability 9.0 alone.
void launch_wgmma(std::size_t kernel, bool bfloat, Args const& args, unsigned blocks, void* stream);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
