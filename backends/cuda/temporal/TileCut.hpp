// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/CudaModel.hpp"

#include <cstdint>

namespace KokkosStencil {
namespace CudaModel {

/// Rows that a thread does at a time.
constexpr int tile_rows_at_once = 4;

/// How cuda_temporal's tiles in shared memory cover a range: as plan and model have it.
struct TileCut {
  int pieces  = 0;        ///< 16-byte pieces of a tile's row; 0: no tile fits
  int rows    = 0;        ///< of a tile
  int threads = 0;        ///< of a block
  int shared  = 0;        ///< bytes of a block
  std::int64_t own[3];    ///< planes, rows and columns of a tile's results
  std::int64_t tiles[3];  ///< along z, y and x
  double seconds = 0.0;   ///< of a pass
};

/// The star or box that a kernel for tiles does; rank 0 if there is none.
Shape tile_shape(Problem const& p);

/// Sweeps a pass, at most.
int most_tile_levels(Problem const& p);

/// For one pass of `levels` sweeps, 1 and more.
TileCut cut_tiles(Problem const& p, int levels, DeviceModel const& device);

}  // namespace CudaModel
}  // namespace KokkosStencil
