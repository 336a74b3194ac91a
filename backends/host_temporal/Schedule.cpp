// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule.hpp"

#include "Tuning.hpp"
#include "generic/HostTiling.hpp"

#include <cmath>

namespace KokkosStencil {
namespace HostTemporal {

namespace {

bool periodic(Problem const& p, std::size_t axis) {
  return p.faces[axis][0].kind == BoundaryKind::periodic || p.faces[axis][1].kind == BoundaryKind::periodic;
}

/// Points that a slab or a block leans over, as a factor on its own.
double lean_over(std::int64_t own, std::int64_t lean) { return static_cast<double>(lean) / static_cast<double>(own); }

/// Time of two things that mostly go on at the same time.
double together(double a, double b) { return std::cbrt(a * a * a + b * b * b); }

}  // namespace

Load load_of(Problem const& p) {
  int const bytes = size_of(p.value_type);
  // A sweep reads one field and writes the other, a pass reads and writes both.
  return {2 * bytes, 2.0 * bytes, 4.0 * bytes, static_cast<double>(p.terms.size()) / cached_rate(bytes)};
}

Schedule make_schedule(Problem const& p, Load const& load, int concurrency, std::int64_t cache_bytes, double most_share,
                       std::int64_t last_cache) {
  Schedule s;
  s.range       = {p.begin, p.end};
  s.shape       = p;
  s.shape.terms = {};
  for (std::size_t a = 0; a < 3; ++a) {
    s.reach[a] = std::max(-p.lower[a], p.upper[a]);
    // A mirror or an edge must not throw a row farther than the stencil reaches.
    if (p.extent[a] > 1 && p.extent[a] < 2 * s.reach[a]) return s;
  }
  while (s.slow < 2 && p.end[s.slow] - p.begin[s.slow] <= 1) ++s.slow;
  s.ring                    = periodic(p, s.slow);
  std::size_t const next    = std::min<std::size_t>(s.slow + 1, 2);
  bool const may_block      = next > s.slow && !periodic(p, next);
  std::int64_t const length = p.end[s.slow] - p.begin[s.slow];
  std::int64_t const width  = next > s.slow ? p.end[next] - p.begin[next] : 1;
  // Bytes in what a slab and a block have one of.
  std::int64_t line = load.held;
  for (std::size_t a = next + 1; a < 3; ++a) line *= p.extent[a];
  // What is in the caches anyway is not fetched from memory.
  double const seconds = load.seconds / (Generic::may_share_cores(concurrency) ? shared_core : 1.0);
  double const memory  = load.held * p.points() <= concurrency * cache_bytes ? 0.0 : load.sweep / memory_rate;
  s.share              = most_share;
  Schedule chosen      = s;
  chosen.share         = 1.0;
  bool const chunked   = s.ring || concurrency > 1;
  for (int depth = 3; depth <= (s.slow == 0 ? most_volume_depth : most_depth); depth += 2) {
    std::int64_t const lean = depth * s.reach[s.slow], across = depth * s.reach[next];
    if (chunked && length / std::max<std::int64_t>(1, 2 * lean) < concurrency) break;
    s.depth  = depth;
    s.chunks = std::max(1, concurrency);
    // Around the places where chunks meet everything comes from memory a second time.
    double const again = static_cast<double>(2 * lean * s.seams()) / static_cast<double>(length);
    for (std::int64_t slab = std::max<std::int64_t>(1, s.reach[s.slow]); slab <= length; slab *= 2) {
      // What a slab leans over comes from the last cache, if that holds the slabs of all threads, or else from memory:
      // then larger slabs win, though not all of a block stays in the near cache.
      std::int64_t const slabs = std::min(concurrency * (slab + lean), length) * line * width;
      bool const large         = slabs > last_cache / 2;
      std::int64_t const rows  = large ? 4 : 8;
      std::int64_t const fits  = (large ? 2 : 1) * cache_bytes / (line * (slab + lean));
      s.slab                   = slab;
      s.blocked                = fits < width;
      s.block                  = s.blocked ? (fits - across) / rows * rows : width;
      if (s.blocked && (!may_block || s.block < std::max(rows, s.reach[next]))) continue;
      double const traffic = load.pass / (load.sweep * depth) * (1.0 + again) *
                             (1.0 + (large && s.blocked ? 1.0 : slab_overlap) * lean_over(slab, lean)) *
                             (s.blocked ? 1.0 + block_overlap * lean_over(s.block, across) : 1.0);
      double const cut   = s.blocked && next == 2 ? cut_rows : 1.0;
      double const share = together(seconds * cut, memory * traffic) / together(seconds, memory);
      if (!(share < s.share)) continue;  // nor if there is nothing to do
      s.share = share;
      chosen  = s;
    }
  }
  return chosen;
}

}  // namespace HostTemporal
}  // namespace KokkosStencil
