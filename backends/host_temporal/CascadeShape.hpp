// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Schedule.hpp"

#include <KokkosStencil_Problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace HostTemporal {

/// How a Cascade cuts its work.
struct CascadeShape {
  int depth = 1;                                ///< most sweeps of a pass, odd; 1: nothing to gain
  std::array<std::int64_t, 3> tile{{1, 1, 1}};  ///< most points of the last sweep along each axis
  std::int64_t step = 1;                        ///< rows or planes of a sweep before the next one follows
  double share      = 1.0;                      ///< of the time of single sweeps that it is predicted to take
};

/// Most sweeps of a pass.
constexpr int most_cascade_depth = 15;

/// The axis along which the sweeps of a cascade follow each other.
inline std::size_t cascade_axis(Problem const& p) { return p.end[0] - p.begin[0] > 1 ? 0 : 1; }

/// Rows or planes that lie between two sweeps.
inline std::int64_t cascade_ring(Problem const& p, std::int64_t step) {
  std::size_t const slow = cascade_axis(p);
  return step + 2 * p.upper[slow] - p.lower[slow];
}

/// Whether sweeps go on beyond a periodic face.
inline bool cascade_wraps(Problem const& p, std::size_t a) {
  return p.faces[a][0].kind == BoundaryKind::periodic && (p.lower[a] != 0 || p.upper[a] != 0) && p.begin[a] == 0 &&
         p.end[a] == p.extent[a];
}

/// Whether a cascade can do a problem whose axis 2 is made of rows, in `group` joined axes: planes and volumes.
bool cascade_fits(Problem const& problem, std::int64_t group);

/// The cascade for a problem that fits, so many threads and bytes of cache for each of them; of depth 1 if it would
/// take more than `most_share` of the time of single sweeps.
CascadeShape make_cascade(Problem const& problem, Load const& load, int concurrency, std::int64_t cache_bytes,
                          double most_share);

}  // namespace HostTemporal
}  // namespace KokkosStencil
