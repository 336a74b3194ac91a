// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cuda_runtime.h>

#include <cstdint>

// What the tensor-core kernels are told: raw pointers, strides, and the packed operands. No Kokkos. Kernels go
// along y: for slabs, y is the slowest axis of the View and z the middle one.

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

/// Input rows a step may load: planes of a 3-D stencil, or windows of a wide 1-D one.
constexpr int max_loads = 9;

/// Of the kernel `wide`: outputs of a row, and the matrices of Transform::RowPairPack.
constexpr int wide_outputs = 1024;
constexpr int wide_rows = 15, wide_pairs = 8, wide_products = 3;

/// A term of the plain formula: elements from the output's point, and the coefficient. Of one of several sweeps: values
/// from a point in the patch of `mend_sweeps`, whose rows are patch_pitch() apart.
struct PlainTerm {
  std::int64_t offset;
  float coefficient;
};

struct TensorArgs {
  void const* in;
  void const* window;  ///< in, moved by the first row (and plane) of the kernel
  void const* pieces;  ///< the same, moved to the first aligned piece of a row
  void* out;
  std::int64_t in_y, in_z, out_y, out_z;  ///< strides in elements
  std::int64_t load_offset[max_loads];    ///< of each load of a step from the first, in elements
  std::int32_t piece_first, piece_last;   ///< first elements of the first and last aligned piece of a row
  std::int32_t lead;                      ///< elements from a block's first output back to its window
  std::int32_t x0;                        ///< first output of the first strip
  std::int32_t x_begin, x_end;            ///< outputs stored
  std::int64_t y_begin, y_end, z_begin, z_end;
  std::uint32_t strips, chunks, planes;
  std::uint32_t height;  ///< output rows a tile
  /// The last chunks, from this one on, are lower: they even out what the tall ones leave.
  std::uint32_t tall_chunks, low_height;
  uint4 const* a;  ///< [part][piece][step][lane]
  std::uint32_t const* metadata;
  PlainTerm const* terms;
  std::int32_t term_count;
  /// Several sweeps as one, in the kernels `ring`, `wide` and `tiles` of lines: sums are multiplied by `unscale`, and
  /// what is not finite is recomputed sweep by sweep, each of which reaches so far.
  float unscale;
  std::int32_t sweeps, reach_y, reach_x;
};

/// Outputs of a patch that is recomputed sweep by sweep, along x and y.
constexpr int patch_side = 8;

/// How far several sweeps of a line may reach together, on either side (CudaModel::sparse_depths keeps to it).
constexpr int line_reach = 39;

constexpr int patch_pitch(int sweeps, int reach_x) { return patch_side + 2 * sweeps * reach_x; }

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
