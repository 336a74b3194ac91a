// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// How hosts cut a range into tiles of rows that share the cache, and what is decided by the sizes of caches.

namespace KokkosStencil {
namespace Generic {

/// A cut of a range into equal tiles.
struct HostTiling {
  PointBox range{};
  std::array<std::int64_t, 3> tile{{1, 1, 1}};
  std::array<std::int64_t, 3> count{{1, 1, 1}};

  std::int64_t tiles() const { return count[0] * count[1] * count[2]; }
  /// Tiles of the same size on a part of the range.
  HostTiling on(PointBox const& part) const {
    HostTiling t = *this;
    t.range      = part;
    for (std::size_t a = 0; a < 3; ++a) t.count[a] = (part.end[a] - part.begin[a] + tile[a] - 1) / tile[a];
    return t;
  }
  PointBox box(std::int64_t index) const {
    PointBox b{};
    for (int a = 2; a >= 0; --a) {
      auto const k = static_cast<std::size_t>(a);
      b.begin[k]   = range.begin[k] + index % count[k] * tile[k];
      b.end[k]     = std::min(b.begin[k] + tile[k], range.end[k]);
      index /= count[k];
    }
    return b;
  }
};

/// Tiles whose windows fit the second-level cache, or where that is small the last one, and that keep every thread
/// busy.
HostTiling make_host_tiling(Problem const& problem, int concurrency);

/// Vector registers with which rows go one by one where more would take them by fours.
constexpr int few_registers = 16;
/// Terms from which on short rows, and with few registers all rows of planes, go by fours.
constexpr std::size_t many_terms = 40;

/// How many rows the row kernels compute together, unless there is one made for single rows (RowSweep).
int row_stack(Problem const& problem);

/// Whether what a sweep reads is fetched ahead, and whether what it writes bypasses the caches.
struct Traffic {
  bool fetched, streamed;
};
/// `iterated`: the output is what the next sweep reads.
Traffic traffic_of(Problem const& problem, int concurrency, bool iterated);

/// Bytes of the second-level cache of a processor, and of the last-level one.
std::int64_t second_cache_bytes();
std::int64_t last_cache_bytes();

/// Bytes of the last-level cache for the window of a tile, on processors with a small second-level cache; else 0.
std::int64_t last_cache_window();

/// Of many processors two may share a core and its caches, which virtual machines do not tell.
inline bool may_share_cores(int concurrency) { return concurrency > 4; }

}  // namespace Generic
}  // namespace KokkosStencil
