// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

// Several sweeps while the data is in cache, between two fields that take turns (time skewing: D. Wonnacott, IPDPS
// 2000; split tiles as in S. Krishnamoorthy et al., PLDI 2007). The range is cut into chunks along its slowest axis.
// First each chunk is swept by itself: from sweep to sweep it shrinks by the reach of the stencil where it meets
// another one. Then what is missing around each meeting place, which grows from sweep to sweep. Within both, slabs
// follow each other that are small enough for the cache, each sweep's a reach behind those of the sweep before. Every
// point is computed once a sweep, from the values that a single sweep would see, so that the bits are the same.

namespace KokkosStencil {
namespace HostTemporal {

/// How sweeps of a problem are cut.
struct Schedule {
  PointBox range{};
  std::size_t slow    = 0;      ///< axis of chunks and slabs
  bool ring           = false;  ///< the last chunk meets the first one, by a periodic face
  std::int64_t chunks = 1;
  std::int64_t slab   = 1;      ///< planes or rows of a slab
  bool blocked        = false;  ///< slabs are cut into blocks along the next axis
  std::int64_t block  = 1;
  std::array<std::int64_t, 3> reach{{0, 0, 0}};  ///< of the stencil, the longer of both directions
  int depth    = 1;                              ///< most sweeps of a pass, an odd number; 1: nothing to gain
  double share = 1.0;                            ///< of the time of single sweeps that it is predicted to take
  Problem shape{};                               ///< the problem without its terms

  std::int64_t chunk_begin(std::int64_t k) const {
    return range.begin[slow] + (range.end[slow] - range.begin[slow]) * k / chunks;
  }
  /// Places where chunks meet.
  std::int64_t seams() const { return ring ? chunks : chunks - 1; }

  /// The boxes of a chunk, each with the number of its sweep from 1 to `sweeps`, in an order in which one thread may
  /// compute them: f(sweep, box).
  template <class F>
  void chunk(std::int64_t k, int sweeps, F const& f) const {
    std::int64_t const low = chunk_begin(k), high = chunk_begin(k + 1), r = reach[slow];
    std::int64_t const from_low = k > 0 || ring ? r : 0, from_high = k + 1 < chunks || ring ? r : 0;
    for (std::int64_t at = low; at < high; at += slab) {
      bool const first = at == low, last = at + slab >= high;
      blocks(sweeps, f, [&](int t) {
        std::int64_t const begin = low + t * from_low, end = high - t * from_high;
        return Stretch{first ? begin : std::max(begin, at - t * r), last ? end : std::min(end, at + slab - t * r)};
      });
    }
  }

  /// The same for what is missing around the meeting place of a chunk with the next one, after all chunks. Around the
  /// place where the range meets itself there are boxes on either side.
  template <class F>
  void seam(std::int64_t k, int sweeps, F const& f) const {
    std::int64_t const at = chunk_begin(k + 1), r = reach[slow];
    if (k + 1 < chunks) {
      blocks(sweeps, f, [&](int t) { return Stretch{at - t * r, at + t * r}; });
      return;
    }
    // Both sides sweep by sweep, in whole blocks: each needs the other one's last sweep.
    std::int64_t const start = range.begin[slow];
    for (int t = 1; t <= sweeps; ++t) {
      for (Stretch const s : {Stretch{at - t * r, at}, Stretch{start, start + t * r}}) {
        PointBox box    = range;
        box.begin[slow] = s.begin;
        box.end[slow]   = s.end;
        if (!box.empty()) f(t, box);
      }
    }
  }

 private:
  struct Stretch {
    std::int64_t begin, end;
  };

  /// f(t, box) for the stretch of each sweep t, block by block where slabs are cut into blocks.
  template <class F, class Of>
  void blocks(int sweeps, F const& f, Of const& stretch_of) const {
    std::size_t const next = std::min<std::size_t>(slow + 1, 2);
    std::int64_t const low = range.begin[next], high = range.end[next];
    std::int64_t const step = blocked ? block : std::max<std::int64_t>(1, high - low);
    for (std::int64_t at = low; at < high; at += step) {
      for (int t = 1; t <= sweeps; ++t) {
        PointBox box    = range;
        Stretch const s = stretch_of(t);
        box.begin[slow] = s.begin;
        box.end[slow]   = s.end;
        if (blocked) {
          if (at > low) box.begin[next] = std::max(low, at - t * reach[next]);
          if (at + step < high) box.end[next] = std::max(low, at + step - t * reach[next]);
        }
        if (!box.empty()) f(t, box);
      }
    }
  }
};

/// What sweeps cost a point.
struct Load {
  int held       = 0;    ///< bytes that stay in cache while they are swept several times
  double sweep   = 0.0;  ///< bytes to and from memory of a sweep by itself
  double pass    = 0.0;  ///< and of a pass of several sweeps
  double seconds = 0.0;  ///< arithmetic of a sweep, in cache
};
/// Of a stencil that is data, on one field.
Load load_of(Problem const& problem);

/// The schedule for a problem whose axis 2 is made of rows, so many threads and bytes of cache for each of them; of
/// depth 1 if several sweeps at once would take more than `most_share` of the time of single ones. `last_cache`: bytes
/// of the cache that they share.
Schedule make_schedule(Problem const& problem, Load const& load, int concurrency, std::int64_t cache_bytes,
                       double most_share, std::int64_t last_cache = std::numeric_limits<std::int64_t>::max());

}  // namespace HostTemporal
}  // namespace KokkosStencil
