// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/Tuning.hpp"

#include <KokkosStencil_Boundary.hpp>

#include <cuda_runtime.h>

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Points that are cut into tiles, a block each.
struct FusedBoundaryBox {
  std::int32_t begin[2], end[2], tile[2];
  std::int32_t tiles_x, first_block;
  std::int32_t upright;  ///< of a band: whether it lies along y
};

constexpr int max_fused_boundary_boxes = 4;

/// What the kernel for several sweeps of points near faces is told, but for the pointers to the Views.
struct FusedBoundaryArgs {
  std::int64_t in_pitch, out_pitch;
  std::int32_t extent[2];
  std::int32_t begin[2], end[2];  ///< points that change
  Face faces[2][2];
  std::int32_t user_axis[2];
  std::int32_t reach[2];  ///< of one sweep, in either direction
  std::int32_t sweeps;
  std::int32_t box_count, blocks;
  std::int32_t shared;  ///< bytes of a block
  /// The coefficients of a box of the larger reach, row by row; the bits of `terms` say which ones the stencil has.
  float coefficient[(2 * fused_reach + 1) * (2 * fused_reach + 1)];
  std::uint64_t terms;
  FusedBoundaryBox boxes[max_fused_boundary_boxes];
};

/// Cells of shared memory for one state of a tile, with rows and columns around it that are read but not used.
constexpr int fused_boundary_cells(int rows, int pitch, int reach) {
  return (rows + 2 * reach + fused_boundary_thread_rows - 1) * pitch + 2 * reach;
}

/// T: __half, __nv_bfloat16. Reach: the larger one of both axes. `overlap`: may begin before the kernel ahead of it on
/// the stream has ended, which must not write what this one reads or writes.
template <class T, int Reach>
void launch_fused_boundary(FusedBoundaryArgs const& args, T const* in, T* out, bool overlap, cudaStream_t stream);

/// The same by warps that each hold a tile in registers, beside `wgmma`. The boxes are bands of a plane, their tiles
/// with all that their sweeps depend on at most fused_band_length cells long and fused_band_cells wide. Faces have
/// ghost values, or they are periodic where the range is whole and at least fused_band_length points long. For sweeps
/// that reach one point.
template <class T>
void launch_fused_band(FusedBoundaryArgs const& args, T const* in, T* out, cudaStream_t stream);

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
