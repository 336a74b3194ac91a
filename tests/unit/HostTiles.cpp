// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <generic/HostTiling.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

// How hosts cut volumes into tiles: what a tile's window reads stays in a cache.

namespace KokkosStencil {
namespace Generic {
namespace {

/// Threads that share cores, as far as tiles are concerned.
constexpr int threads = 8;

/// A star of radius 4 on 256^3 points, in rows of `pitch` points.
Problem volume(std::int64_t pitch) {
  Problem p = Model::grid_problem(Model::star(3, 4), 3, {{256, 256, 256}}, ValueType::float32, Accuracy::native, 1);
  p.in_stride[1] = pitch;
  p.in_stride[0] = 256 * pitch;
  p.out_stride   = p.in_stride;
  return p;
}

/// Bytes of the rows that a tile's window has: ten planes of the tile, and eight rows beside it in one of them.
std::int64_t window_bytes(HostTiling const& t) { return (10 * t.tile[1] + 8) * t.tile[2] * 4; }

TEST(HostTiles, WindowsFitACache) {
  HostTiling const together = make_host_tiling(volume(256), threads), apart = make_host_tiling(volume(257), threads);
  for (HostTiling const* const t : {&together, &apart}) {
    for (std::size_t a = 0; a < 3; ++a) {
      std::int64_t const points = t->range.end[a] - t->range.begin[a];
      EXPECT_GE(t->count[a] * t->tile[a], points);
      EXPECT_LT((t->count[a] - 1) * t->tile[a], points);
    }
  }
  // Planes that are powers of two apart share sets of the cache: a smaller part of it holds their window.
  std::int64_t const l2 = second_cache_bytes();
  if (l2 < 1 << 18) GTEST_SKIP() << "the second-level cache is too small for windows of this stencil";
  // Where it is small, a part of the last one holds them.
  std::int64_t const last = last_cache_window();
  EXPECT_LE(last, last_cache_bytes() / 2);
  if (together.tile[1] > 8) {
    EXPECT_LE(window_bytes(together), std::max(l2 / 4, last));
  }
  if (apart.tile[1] > 8) {
    EXPECT_LE(window_bytes(apart), std::max(l2 * 2 / 5, last));
  }
  EXPECT_GE(apart.tile[1], together.tile[1]);
  // In larger caches both hold all rows of a thread's share.
  if (last == 0 && l2 <= 1 << 20) {
    EXPECT_GT(apart.tile[1], together.tile[1]);
  }
}

}  // namespace
}  // namespace Generic
}  // namespace KokkosStencil
