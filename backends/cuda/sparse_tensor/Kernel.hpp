// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Tuning.hpp"

#include <cstddef>
#include <cstdint>

// What the kernels are told: raw pointers, strides, and the packed operands. Plain C++. Kernels stream along y. For
// slabs y is the slowest axis of the View and z the middle one.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

constexpr int max_loads = 9;

/// A term of the plain formula: distance in elements from the output's point, and coefficient. For several sweeps as
/// one it is a term of a single sweep, and the distance is one in the patch of `fix_sweeps`, with rows patch_pitch()
/// apart.
struct PlainTerm {
  std::int64_t offset;
  float coefficient;
};

struct Args {
  void const* in;
  void const* window;   ///< `in` at the kernel's first row (and plane)
  void const* vectors;  ///< the same at the first aligned 16-byte vector of a row
  void* out;
  std::int64_t in_y, in_z, out_y, out_z;   ///< strides in elements
  std::int64_t load_offset[max_loads];     ///< of each load of a step from the first, in elements
  std::int32_t vector_first, vector_last;  ///< columns where the first and last aligned vectors of a row begin
  std::int32_t lead;                       ///< elements from a block's first output back to its window
  std::int32_t x0;                         ///< first output of the first strip
  std::int32_t x_begin, x_end;             ///< outputs stored
  std::int64_t y_begin, y_end, z_begin, z_end;
  std::uint32_t strips, chunks, planes;
  std::uint32_t height;  ///< output rows of a tile
  /// Chunks from this one on have fewer rows: multiprocessors that end early take some of them.
  std::uint32_t tall_chunks, low_height;
  void const* matrices;  ///< [split][matrix][step][lane] of 16 bytes
  std::uint32_t const* metadata;
  PlainTerm const* terms;
  std::int32_t term_count;
  /// For several sweeps as one, in the kernels `ring`, `wgmma` and `tiles` of lines: sums are multiplied by `unscale`.
  /// Results that are not finite are computed again in so many sweeps of such a reach.
  float unscale;
  std::int32_t sweeps, reach_y, reach_x;
  /// For wgmma on rows that begin anywhere: columns and rows of the input, rows counted from those of `window`, and the
  /// elements from `in` to its end.
  std::int32_t columns;
  std::int64_t rows, elements;
  /// For `sheared` (ShearedKernel.cuh): the position of the first output, and those between which there is input.
  std::int64_t first, low, high;
};

constexpr int patch_pitch(int sweeps, int reach_x) { return patch_side + 2 * sweeps * reach_x; }

/// Launches a kernel of Tuning.hpp on a cudaStream_t, for elements of half and of bfloat16.
void launch_half(std::size_t kernel, Args const& args, unsigned blocks, void* stream);
void launch_bfloat(std::size_t kernel, Args const& args, unsigned blocks, void* stream);
/// The same for kernels with wgmma, which are compiled for compute capability 9.0 only.
void launch_wgmma(std::size_t kernel, bool bfloat, Args const& args, unsigned blocks, void* stream);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
