// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpacePlan.hpp"

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace CudaTemporal {

std::int64_t plan_space(Problem const& p, SpaceKernel const& k, std::int64_t multiprocessors, bool vectors,
                        SpaceArgs& g) {
  auto const ceil_div = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  g                   = {};
  g.vectors           = vectors;
  for (std::size_t a = 0; a < 3; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a]);
    g.user_axis[a] = p.user_axis[a];
    for (std::size_t side = 0; side < 2; ++side) {
      Face const face  = p.faces[a][side];
      g.faces[a][side] = face.kind == BoundaryKind::edge ? Face::mirror() : face;
    }
  }
  g.in_stride[0]  = p.in_stride[0];
  g.in_stride[1]  = p.in_stride[1];
  g.out_stride[0] = p.out_stride[0];
  g.out_stride[1] = p.out_stride[1];

  std::int64_t const piece = 16 / size_of(p.value_type), planes = g.end[0] - g.begin[0], warm = 2 * k.depth;
  g.tiles[0]               = static_cast<std::int32_t>(ceil_div(g.end[1] - g.begin[1], k.own[0]));
  g.tiles[1]               = static_cast<std::int32_t>(ceil_div(g.end[2] - g.begin[2] / piece * piece, k.own[1]));
  std::int64_t const tiles = std::int64_t(g.tiles[0]) * g.tiles[1];
  std::int64_t best        = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t chunks = 1; chunks <= std::min<std::int64_t>(planes, 64); ++chunks) {
    std::int64_t const height = ceil_div(planes, chunks);
    std::int64_t const time   = ceil_div(tiles * ceil_div(planes, height), multiprocessors) * (height + warm);
    if (time >= best) continue;
    best     = time;
    g.planes = static_cast<std::int32_t>(height);
    g.chunks = static_cast<std::int32_t>(ceil_div(planes, height));
  }
  return best;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
