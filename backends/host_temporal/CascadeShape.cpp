// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CascadeShape.hpp"

#include "Tuning.hpp"
#include "generic/HostTiling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace KokkosStencil {
namespace HostTemporal {

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Time of two things that mostly go on at the same time.
double together(double a, double b) { return std::cbrt(a * a * a + b * b * b); }

}  // namespace

bool cascade_fits(Problem const& p, std::int64_t group) {
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1 || p.points() == 0 || p.end[1] - p.begin[1] <= 1) return false;
  if (cascade_axis(p) == 1 && (p.lower[0] != 0 || p.upper[0] != 0)) return false;
  for (std::size_t a = 0; a < 3; ++a) {
    bool const outside[2] = {p.begin[a] + p.lower[a]<0, p.end[a] + p.upper[a]> p.extent[a]};
    if (!outside[0] && !outside[1]) continue;
    // A mirror shows what the sweep computes of the same tile.
    std::int64_t const reach = std::max(-p.lower[a], p.upper[a]);
    if (p.extent[a] < 2 * reach || (a == 2 && group > 1)) return false;
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = p.faces[a][side].kind;
      if (kind == BoundaryKind::periodic && !cascade_wraps(p, a)) return false;
      if (outside[side] && kind == BoundaryKind::mirror && p.lower[a] != -p.upper[a]) return false;
    }
  }
  return true;
}

CascadeShape make_cascade(Problem const& p, Load const& load, int concurrency, std::int64_t cache_bytes,
                          double most_share) {
  CascadeShape chosen;
  std::size_t const slow   = cascade_axis(p);
  std::int64_t const bytes = size_of(p.value_type), line = 64 / bytes, threads = std::max(1, concurrency);
  std::array<std::int64_t, 3> n{}, reach{};
  for (std::size_t a = 0; a < 3; ++a) {
    n[a]     = p.end[a] - p.begin[a];
    reach[a] = p.upper[a] - p.lower[a];
  }
  // What is in the caches anyway is not fetched from memory.
  double const seconds = load.seconds / (slow == 0 && Generic::may_share_cores(concurrency) ? shared_core : 1.0);
  double const memory  = load.held * p.points() <= threads * cache_bytes ? 0.0 : load.sweep / memory_rate;
  double const single  = together(seconds, memory);
  CascadeShape s;
  s.step                   = slow == 0 ? 2 : 8;
  std::int64_t const ring  = cascade_ring(p, s.step);
  double best              = most_share;
  std::int64_t const least = std::min<std::int64_t>(n[2], 256 / bytes);
  for (s.depth = 3; s.depth <= (slow == 0 ? most_cascade_volume_depth : most_cascade_depth); s.depth += 2) {
    for (std::int64_t columns = 1; columns == 1 || n[2] / columns >= least; columns += 1 + columns / 16) {
      s.tile[2] = columns == 1 ? n[2] : ceil_div(ceil_div(n[2], columns), line) * line;
      // Rows of the tile's plane, if its planes follow each other.
      for (std::int64_t bands = 1; bands == 1 || (slow == 0 && n[1] / bands >= 4); ++bands) {
        s.tile[1] = ceil_div(n[1], bands);
        std::array<std::int64_t, 3> lean{};
        double again = 1.0, more = 1.0;  // points that are read and computed, as factors
        auto const leans = [&](std::size_t a, bool cut) {
          lean[a] = (s.depth - 1) * reach[a];
          if (!cut) return;
          again *= 1.0 + static_cast<double>(lean[a] + reach[a]) / static_cast<double>(s.tile[a]);
          more *= 1.0 + 0.5 * static_cast<double>(lean[a]) / static_cast<double>(s.tile[a]);
        };
        leans(2, columns > 1 || cascade_wraps(p, 2));
        if (slow == 0) leans(1, bands > 1 || cascade_wraps(p, 1));
        std::int64_t const row  = (s.tile[2] + lean[2] + reach[2] + 2 * line) * bytes;
        std::int64_t const held = s.depth * ring * row * (slow == 0 ? s.tile[1] + lean[1] + reach[1] : 1);
        if (held > cache_bytes) continue;
        // Enough tiles for threads that help each other, as long as those do not lean over most of themselves.
        std::int64_t const beside = columns * (slow == 0 ? bands : 1);
        std::int64_t const pieces = threads == 1 ? 1 : ceil_div(cascade_tiles * threads, beside);
        s.tile[slow]              = std::min(
                         n[slow], std::max(ceil_div(n[slow], pieces), 8 * s.depth * std::max<std::int64_t>(1, reach[slow])));
        leans(slow, s.tile[slow] < n[slow] || cascade_wraps(p, slow));
        double const waiting =
            std::max(1.0, static_cast<double>(threads) / static_cast<double>(beside * ceil_div(n[slow], s.tile[slow])));
        double const rows = 1.0 + static_cast<double>(row_overhead) / static_cast<double>(row);
        double const far  = row > far_row ? 1.2 : slow == 1 && s.tile[2] * bytes < short_row ? short_rows : 1.0;
        double const share =
            waiting * together(seconds * more * rows * far, memory * 0.5 * (1.0 + again) / s.depth) / single;
        if (!(share < best)) continue;  // nor if there is nothing to do
        best         = share;
        chosen       = s;
        chosen.share = share;
      }
    }
  }
  return chosen;
}

}  // namespace HostTemporal
}  // namespace KokkosStencil
