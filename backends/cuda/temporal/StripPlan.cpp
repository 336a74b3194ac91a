// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StripPlan.hpp"

#include <algorithm>
#include <cmath>

namespace KokkosStencil {
namespace CudaTemporal {

namespace {

constexpr std::int64_t least_rows = 4;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// An edge, where a mirror reads the same, as a mirror.
Face folded(Face face) { return face.kind == BoundaryKind::edge ? Face::mirror() : face; }

}  // namespace

std::int64_t plan_strips(Problem const& p, StripKernel const& k, std::int64_t multiprocessors, int levels, bool vectors,
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

  // Columns of the fast path, unless they wrap around: whole strips, as few as leave no more than one of the general
  // path at either side.
  std::int64_t x0 = g.begin[1], x1 = g.end[1];
  if (!wraps[1]) {
    std::int64_t const first = ceil_div(x0 + margin, piece) * piece, last = (x1 - margin) / piece * piece;
    auto const lowest = [&](std::int64_t strips) {
      return std::max(first, ceil_div(x1 - narrow - strips * own, piece) * piece);
    };
    auto const highest = [&](std::int64_t strips) {
      return std::min(last - strips * own, x0 / piece * piece + narrow);
    };
    std::int64_t strips = std::max<std::int64_t>(0, last - first) / own;
    std::int64_t at     = first + (last - first - strips * own) / 2 / piece * piece;
    while (strips > 1 && lowest(strips - 1) <= highest(strips - 1)) {
      --strips;
      at = (lowest(strips) + highest(strips)) / 2 / piece * piece;
    }
    x0 = at;
    x1 = x0 + strips * own;
  }
  // Rows of the fast path: all but those that depend on what does not change.
  std::int64_t const y0 = g.begin[0] + (wraps[0] ? 0 : reach), y1 = g.end[0] - (wraps[0] ? 0 : reach);
  bool const fast    = levels == k.depth && vectors && x1 > x0 && y1 > y0;
  auto const general = [&](std::int64_t rows) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(rows + warm) * k.narrow_cost));
  };

  // Cuts into tasks that take `time` at most; returns how many multiprocessors that keeps busy. First come the blocks
  // of the fast path, then long tasks at the sides, then those at top and bottom, which are short and follow each
  // other.
  auto const cut = [&](std::int64_t time) {
    std::int64_t const most[2] = {
        std::max(time - warm, least_rows),
        std::max(static_cast<std::int64_t>(static_cast<double>(time) / k.narrow_cost) - warm, least_rows)};
    std::int64_t tasks = 0;
    auto const blocks  = [&] { return ceil_div(tasks, strip_warps); };
    g.boxes            = 0;
    auto const add     = [&](std::int64_t by, std::int64_t ey, std::int64_t bx, std::int64_t ex) -> StripBox const& {
      bool const first = g.boxes == 0;
      StripBox& b      = g.box[g.boxes];
      b                = {};
      b.first_task     = static_cast<std::int32_t>(tasks);
      // Box 0 is the fast one, even if empty.
      if (first || (ey > by && ex > bx)) ++g.boxes;
      if (ey <= by || ex <= bx) return b;
      b.begin[0] = static_cast<std::int32_t>(by);
      b.begin[1] = static_cast<std::int32_t>(bx);
      b.end[0]   = static_cast<std::int32_t>(ey);
      b.end[1]   = static_cast<std::int32_t>(ex);
      b.strips   = static_cast<std::int32_t>(ceil_div(ex - bx / piece * piece, first ? own : narrow));
      // Chunks of equal height.
      std::int64_t const chunks = ceil_div(ey - by, most[first ? 0 : 1]);
      b.rows                    = static_cast<std::int32_t>(ceil_div(ey - by, chunks));
      tasks += b.strips * ceil_div(ey - by, b.rows);
      return b;
    };
    std::int64_t busy = 0;
    if (fast) {
      add(y0, y1, x0, x1);
      tasks = strip_warps * blocks();
      add(y0, y1, g.begin[1], x0);
      add(y0, y1, x1, g.end[1]);
      busy = blocks();
      add(g.begin[0], y0, g.begin[1], g.end[1]);
      std::int64_t const rows = add(y1, g.end[0], g.begin[1], g.end[1]).rows;
      busy += ceil_div(blocks() - busy, std::max<std::int64_t>(1, time / general(rows)));
    } else {
      add(0, 0, 0, 0);
      add(g.begin[0], g.end[0], g.begin[1], g.end[1]);
      busy = blocks();
    }
    if (g.boxes == 1) g.box[1].first_task = static_cast<std::int32_t>(tasks);
    g.tasks = static_cast<std::int32_t>(tasks);
    return busy;
  };
  std::int64_t low  = fast && wraps[0] && wraps[1] ? warm + least_rows : general(least_rows);
  std::int64_t high = std::max(low, general(g.end[0] - g.begin[0]));
  // More strips than warps: several rounds.
  std::int64_t const rounds = ceil_div(cut(high), multiprocessors);
  while (low < high) {
    std::int64_t const middle = low + (high - low) / 2;
    if (cut(middle) <= rounds * multiprocessors) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  cut(high);
  return high * rounds;
}

}  // namespace CudaTemporal
}  // namespace KokkosStencil
