// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Problem.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// The points that a pass of several sweeps stores, and those that change in it.
struct PassRange {
  PointBox stored, changing;
};

/// Both are the range of the problem, but at faces whose ghost values are used up. There the whole View changes, so
/// that no kernel needs masks, and layers that no later sweep reads are not stored.
inline PassRange pass_range(Problem const& p, int depth) {
  PassRange range{{p.begin, p.end}, {p.begin, p.end}};
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.used_up[a][0]) {
      range.stored.begin[a] += std::min<std::int64_t>(p.borrowed[a][0], std::int64_t(depth - 1) * -p.lower[a]);
      range.changing.begin[a] = 0;
    }
    if (p.used_up[a][1]) {
      range.stored.end[a] -= std::min<std::int64_t>(p.borrowed[a][1], std::int64_t(depth - 1) * p.upper[a]);
      range.changing.end[a] = p.extent[a];
    }
  }
  return range;
}

}  // namespace Cuda
}  // namespace KokkosStencil
