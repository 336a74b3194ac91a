// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LinePlan.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace CudaTemporal {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

int most_levels(LineKernel const& k) { return k.width / 4 / k.radius; }

void plan_line(Problem const& p, LineKernel const& k, int levels, bool vectors, LineArgs& g) {
  std::int64_t const piece = 16 / size_of(p.value_type), margin = ceil_div(levels * k.radius, piece) * piece;
  std::int64_t const start = p.begin[2] / piece * piece, own = k.width - 2 * margin;
  g         = {};
  g.extent  = static_cast<std::int32_t>(p.extent[2]);
  g.begin   = static_cast<std::int32_t>(p.begin[2]);
  g.end     = static_cast<std::int32_t>(p.end[2]);
  g.levels  = levels;
  g.margin  = static_cast<std::int32_t>(margin);
  g.first   = static_cast<std::int32_t>(start - margin);
  g.tasks   = static_cast<std::int32_t>(ceil_div(p.end[2] - start, own));
  g.vectors = vectors;
  for (std::size_t side = 0; side < 2; ++side) g.faces[side] = p.faces[2][side];
  g.wraps = g.faces[0].kind == BoundaryKind::periodic && g.begin == 0 && g.end == g.extent && g.extent % piece == 0 &&
            k.width <= g.extent;
}

double line_seconds(Problem const& p, LineKernel const& k, LineArgs const& g, std::int64_t multiprocessors,
                    double speed, double bandwidth) {
  // One warp alone leaves half of its scheduler idle.
  std::int64_t const schedulers = 4 * multiprocessors, rounds = ceil_div(g.tasks, schedulers);
  double const work  = static_cast<double>((rounds + 1) * schedulers) * k.width * g.levels / (k.rate * speed);
  double const bytes = 2.0 * size_of(p.value_type) * static_cast<double>(p.points());
  return 6e-6 + std::max(work, bytes / (0.9 * bandwidth));
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
