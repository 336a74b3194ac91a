// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace KokkosStencil {
namespace CudaModel {

/// The kernels there are, for each element type and for one part or two. A warp computes `units` units of 4 products,
/// of 8 tiles each, side by side; a tile has `tile_x` columns and 16 * `blocks` outputs.
struct TableKernel {
  int tile_x, blocks, units;
  int resident;           ///< warps of a multiprocessor, as compiled
  bool reaching = false;  ///< tables stay in global memory, planes may lie in two rings: for reaches too far otherwise
};
constexpr TableKernel table_kernels[] = {{4, 1, 4, 8}, {4, 1, 2, 16},  {4, 2, 2, 8},      {4, 2, 1, 16},
                                         {4, 4, 1, 8}, {16, 1, 2, 16}, {4, 1, 1, 8, true}};
constexpr int table_tiles = 8, table_across = 4;

}  // namespace CudaModel
}  // namespace KokkosStencil
