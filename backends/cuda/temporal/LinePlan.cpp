// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinePlan.hpp"

#include "common/Alignment.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

LineArgs plan_line(Problem const& p, LineTuning const& k, int depth, bool aligned) {
  std::int64_t const vector = vector_bytes / size_of(p.value_type), halo = k.halo(depth, size_of(p.value_type));
  std::int64_t const start = p.begin[2] / vector * vector, interior = k.width() - 2 * halo;
  LineArgs g{};
  g.extent  = static_cast<std::int32_t>(p.extent[2]);
  g.begin   = static_cast<std::int32_t>(p.begin[2]);
  g.end     = static_cast<std::int32_t>(p.end[2]);
  g.depth   = depth;
  g.halo    = static_cast<std::int32_t>(halo);
  g.first   = static_cast<std::int32_t>(start - halo);
  g.tasks   = static_cast<std::int32_t>(divide_up(p.end[2] - start, interior));
  g.aligned = aligned;
  for (std::size_t side = 0; side < 2; ++side) g.faces[side] = p.faces[2][side];
  g.wraps = g.faces[0].kind == BoundaryKind::periodic && g.begin == 0 && g.end == g.extent && g.extent % vector == 0 &&
            k.width() <= g.extent;
  return g;
}

double line_seconds(Problem const& p, LineTuning const& k, LineArgs const& g, std::int64_t multiprocessors,
                    double speed, double bandwidth) {
  // One warp alone leaves half of its scheduler idle.
  std::int64_t const warps = schedulers * multiprocessors, rounds = divide_up(g.tasks, warps);
  double const work  = static_cast<double>((rounds + 1) * warps) * k.width() * g.depth / (k.rate * speed);
  double const bytes = 2.0 * size_of(p.value_type) * static_cast<double>(p.points());
  return line_pass_seconds + std::max(work, bytes / (line_bandwidth * bandwidth));
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
