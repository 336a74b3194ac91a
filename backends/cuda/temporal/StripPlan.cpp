// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripPlan.hpp"

#include <algorithm>

namespace KokkosStencil {
namespace CudaTemporal {

namespace {

constexpr std::int64_t least_rows = 4;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// An edge, where a mirror reads the same, as a mirror.
Face folded(Face face) { return face.kind == BoundaryKind::edge ? Face::mirror() : face; }

}  // namespace

std::int64_t plan_strips(Problem const& p, StripKernel const& k, std::int64_t warps, int levels, bool vectors,
                         StripArgs& g) {
  std::int64_t const piece = 16 / size_of(p.value_type), reach = k.depth * k.radius, warm = 2 * levels * k.radius;
  std::int64_t const margin = k.margin, own = k.width - 2 * margin, narrow = k.narrow - 2 * margin;
  g           = {};
  g.in_pitch  = p.in_stride[1];
  g.out_pitch = p.out_stride[1];
  g.levels    = levels;
  g.vectors   = vectors;
  bool wraps[2];
  for (std::size_t a = 0; a < 2; ++a) {
    g.extent[a]    = static_cast<std::int32_t>(p.extent[a + 1]);
    g.begin[a]     = static_cast<std::int32_t>(p.begin[a + 1]);
    g.end[a]       = static_cast<std::int32_t>(p.end[a + 1]);
    g.user_axis[a] = p.user_axis[a + 1];
    for (std::size_t side = 0; side < 2; ++side) g.faces[a][side] = folded(p.faces[a + 1][side]);
    wraps[a] = g.faces[a][0].kind == BoundaryKind::periodic && g.begin[a] == 0 && g.end[a] == g.extent[a];
  }
  wraps[0] = wraps[0] && reach <= g.extent[0];
  wraps[1] = wraps[1] && g.extent[1] % piece == 0 && k.width <= g.extent[1];

  // Columns of the fast path: whole strips, if they do not wrap around, with as much left over on both sides.
  std::int64_t x0 = g.begin[1], x1 = g.end[1];
  if (!wraps[1]) {
    x0                        = ceil_div(x0 + margin, piece) * piece;
    x1                        = (x1 - margin) / piece * piece;
    std::int64_t const strips = (x1 - x0) / own;
    x0 += (x1 - x0 - strips * own) / 2 / piece * piece;
    x1 = x0 + strips * own;
  }
  bool const fast = levels == k.depth && vectors && x1 > x0;

  // Tasks that take at most `time` rows of the fast path each.
  auto const cut = [&](std::int64_t time) {
    std::int64_t const rows = std::max(time - warm, least_rows);
    std::int64_t const general =
        std::max(static_cast<std::int64_t>(static_cast<double>(time) / k.narrow_cost) - warm, least_rows);
    std::int64_t y0 = g.begin[0], y1 = g.end[0];
    if (!wraps[0]) {
      std::int64_t const band = std::max(general, reach);
      y0 += band;
      y1 -= band;
    }
    std::int64_t tasks = 0;
    g.boxes            = 0;
    auto const add     = [&](std::int64_t by, std::int64_t ey, std::int64_t bx, std::int64_t ex) {
      StripBox& b  = g.box[g.boxes];
      b            = {};
      b.first_task = static_cast<std::int32_t>(tasks);
      // Box 0 is the fast one, even if empty.
      bool const first = g.boxes == 0;
      if (first || (ey > by && ex > bx)) ++g.boxes;
      if (ey <= by || ex <= bx) return;
      b.begin[0] = static_cast<std::int32_t>(by);
      b.begin[1] = static_cast<std::int32_t>(bx);
      b.end[0]   = static_cast<std::int32_t>(ey);
      b.end[1]   = static_cast<std::int32_t>(ex);
      b.strips   = static_cast<std::int32_t>(ceil_div(ex - bx / piece * piece, first ? own : narrow));
      // Chunks of equal height.
      std::int64_t const chunks = ceil_div(ey - by, first ? rows : general);
      b.rows                    = static_cast<std::int32_t>(ceil_div(ey - by, chunks));
      tasks += b.strips * ceil_div(ey - by, b.rows);
    };
    if (fast && y1 > y0) {
      add(y0, y1, x0, x1);
      add(g.begin[0], y0, g.begin[1], g.end[1]);
      add(y1, g.end[0], g.begin[1], g.end[1]);
      add(y0, y1, g.begin[1], x0);
      add(y0, y1, x1, g.end[1]);
    } else {
      add(0, 0, 0, 0);
      add(g.begin[0], g.end[0], g.begin[1], g.end[1]);
    }
    if (g.boxes == 1) g.box[1].first_task = static_cast<std::int32_t>(tasks);
    g.tasks = static_cast<std::int32_t>(tasks);
    return tasks;
  };
  std::int64_t low = warm + least_rows;
  std::int64_t high =
      static_cast<std::int64_t>(std::max(k.narrow_cost, 1.0) * static_cast<double>(g.end[0] - g.begin[0] + warm)) + 1;
  // More strips than warps: several rounds.
  std::int64_t const most = warps * ceil_div(cut(high), warps);
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (cut(middle) <= most) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return high * ceil_div(cut(high), warps);
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
