// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TilePlan.hpp"

#include "temporal/TileCut.hpp"

namespace KokkosStencil {
namespace CudaTemporal {

static_assert(tile_rows == CudaModel::tile_rows_at_once, "the cut is for the kernel");

void plan_tiles(Problem const& p, CudaModel::TileCut const& cut, int levels, bool vectors, TileArgs& g) {
  g         = {};
  g.levels  = levels;
  g.flat    = p.rank == 2;
  g.vectors = vectors;
  g.pieces  = cut.pieces;
  g.rows    = cut.rows;
  g.threads = cut.threads;
  g.shared  = cut.shared;
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a]);
    g.user_axis[a] = p.user_axis[a];
    g.own[a]       = static_cast<std::int32_t>(cut.own[a]);
    g.tiles[a]     = static_cast<std::int32_t>(cut.tiles[a]);
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = p.faces[a][side];
    if (a == 2) continue;
    g.in_stride[a]  = p.in_stride[a];
    g.out_stride[a] = p.out_stride[a];
  }
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
