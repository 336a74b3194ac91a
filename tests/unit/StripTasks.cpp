// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_StripTasks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// How strips and their rows are dealt out: every point of the range once, and what takes the short way depends
// on whole vectors of the Views only.

namespace KokkosStencil {
namespace Impl {
namespace {

struct Plane {
  alignas(16) double values[4];
  FieldGeometry geometry;
  StripKernelInfo kernel{2, 64, 6, 5, 1, 1, 2, 0, 8, 8, 132};
  StripProblem problem{1, {}, &geometry, {}};

  Plane(std::int64_t rows, std::int64_t columns, std::int64_t offset, std::int64_t pitch) {
    ViewInfo view;
    view.rank   = 2;
    view.data   = values + offset;
    view.extent = {{rows, columns, 1}};
    view.stride = {{pitch, 1, 0}};
    for (std::size_t a = 0; a < 3; ++a) geometry.extent[a] = view.extent[a];
    problem.where.range = PointBox{{{0, 0, 0}}, {{rows, columns, 1}}};
    problem.where.reach = {{1, 1, 0}};
    problem.views       = {view, view};
  }
};

TEST(StripTasks, CoverTheRangeOnce) {
  std::mt19937 random(1);
  auto const between = [&](std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(hi - lo + 1));
  };
  bool kinds[3] = {false, false, false}, anywhere = false;
  for (int trial = 0; trial < 300; ++trial) {
    std::int64_t const rows = between(10, 500), columns = between(64, 400);
    Plane plane(rows, columns, between(0, 1), columns + between(0, 3));
    if (trial % 2 == 0) {
      // Narrower and deeper.
      plane.kernel = StripKernelInfo{4, 128, 8, 8, 1, 1, 1, 3, 4, 9, 8};
    }
    PointBox& range = plane.problem.where.range;
    for (std::size_t a = 0; a < 2; ++a) {
      range.begin[a] = between(0, 3);
      range.end[a]   = plane.geometry.extent[a] - between(0, 3);
    }
    int const sweeps        = static_cast<int>(between(1, plane.kernel.depth));
    StripTasks const tasks  = strip_pass(plane.kernel, plane.problem, sweeps, nullptr).tasks;
    std::int64_t const lead = sweeps * plane.kernel.reach, halo = plane.kernel.halo;
    std::int64_t const owned = plane.kernel.columns - 2 * halo;
    EXPECT_EQ(tasks.depth, sweeps);
    std::vector<int> hits(static_cast<std::size_t>(rows * columns));
    std::uint32_t count = 0;
    for (int r = 0; r < tasks.regions; ++r) {
      StripRegion const& region = tasks.region[r];
      for (std::int64_t first = region.first; first < region.last; first += region.height) {
        std::int64_t const last = std::min<std::int64_t>(first + region.height, region.last);
        for (std::int64_t s = region.strip; s < region.strip + region.strips; ++s) {
          ++count;
          std::int64_t const x                         = tasks.column + s * owned;
          kinds[static_cast<std::size_t>(region.kind)] = true;
          if (region.kind == StripKind::plain) {
            EXPECT_EQ(sweeps, plane.kernel.depth);
            EXPECT_GE(x - halo, range.begin[1]);
            EXPECT_LE(x - halo + plane.kernel.columns, range.end[1]);
            EXPECT_GE(first - lead, range.begin[0]);
            EXPECT_LE(last + lead, range.end[0]);
          }
          if (region.kind == StripKind::masked) {
            // What is needed lies in the Views, and in whole vectors if these are aligned.
            std::int64_t const w = plane.kernel.width, least = tasks.column & (w - 1);
            anywhere = anywhere || !tasks.aligned;
            EXPECT_EQ((x - halo - least) % w, 0);
            EXPECT_GE(std::max(x - halo, range.begin[1] - plane.kernel.across), least);
            EXPECT_LE(std::min(x - halo + plane.kernel.columns, range.end[1] + plane.kernel.across),
                      tasks.aligned ? least + (columns - least) / w * w : columns);
            EXPECT_GE(std::max(first - lead, range.begin[0] - plane.kernel.reach), 0);
            EXPECT_LE(std::min(last + lead, range.end[0] + plane.kernel.reach), rows);
          }
          for (std::int64_t y = first; y < last; ++y) {
            for (std::int64_t c = std::max(x, range.begin[1]); c < std::min(x + owned, range.end[1]); ++c) {
              ++hits[static_cast<std::size_t>(y * columns + c)];
            }
          }
        }
      }
      EXPECT_EQ(count, tasks.end[r]);
    }
    std::int64_t wrong = 0;
    for (std::int64_t y = 0; y < rows; ++y) {
      for (std::int64_t x = 0; x < columns; ++x) {
        bool const in = y >= range.begin[0] && y < range.end[0] && x >= range.begin[1] && x < range.end[1];
        wrong += hits[static_cast<std::size_t>(y * columns + x)] == (in ? 1 : 0) ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0) << rows << " x " << columns << ", " << sweeps << " sweeps";
  }
  EXPECT_TRUE(kinds[0] && kinds[1] && kinds[2] && anywhere);
}

TEST(StripTasks, PlanesThatTheyDoNotFit) {
  Plane plane(400, 400, 0, 400);
  EXPECT_EQ(strips_unsupported(plane.kernel, plane.problem), "");
  plane.problem.views[1].stride[1] = 2;
  EXPECT_NE(strips_unsupported(plane.kernel, plane.problem), "");
  EXPECT_NE(strips_unsupported(plane.kernel, Plane(9, 400, 0, 400).problem), "");
  EXPECT_NE(strips_unsupported(plane.kernel, Plane(400, 63, 0, 64).problem), "");
}

TEST(StripTasks, PassesOfASchedule) {
  Plane plane(4000, 4000, 0, 4000);
  for (std::int64_t steps = 1; steps < 20; ++steps)
    for (bool const forced : {false, true}) {
      StripSchedule const schedule = strip_schedule(plane.kernel, plane.problem, steps, forced, nullptr);
      std::int64_t left            = steps;
      while (left > 0) {
        int const sweeps = schedule.next(left, plane.kernel.depth);
        if (sweeps > 0) {
          EXPECT_EQ(schedule.pass(sweeps).depth, sweeps);
          EXPECT_GT(schedule.pass(sweeps).count(), 0u) << steps;
        }
        EXPECT_TRUE(sweeps > 0 || !forced) << steps;
        left -= std::max(sweeps, 1);
      }
      EXPECT_EQ(left, 0) << steps;
    }
  // Short iterations of small planes: launches cost more than anything else.
  EXPECT_TRUE(strip_schedule(plane.kernel, plane.problem, 1, false, nullptr).empty());
}

}  // namespace
}  // namespace Impl
}  // namespace KokkosStencil
