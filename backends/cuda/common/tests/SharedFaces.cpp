// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/PassRange.hpp"
#include "temporal/Plan.hpp"
#include "temporal/SpacePlan.hpp"
#include "temporal/StripPlan.hpp"

#include <impl/KokkosStencil_Dispatch.hpp>
#include <model/GridProblem.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

// Passes over blocks whose ghost layers are used up.

namespace KokkosStencil {
namespace Cuda {
namespace {

using Extents = std::array<std::int64_t, 3>;

DeviceModel const& h200() { return *find_device(known_devices(), "H200"); }

/// A block between neighbours above and below along its first axis: `sweeps` sweeps until ghost layers come.
Problem block(std::vector<Term> const& terms, int rank, Extents const& extent, int reach, int sweeps, int early = 0) {
  Impl::PolicyInfo policy;
  policy.rank  = rank;
  policy.whole = false;
  Impl::ViewInfo in;
  in.rank             = rank;
  in.value_type       = ValueType::float64;
  in.value_size       = 8;
  in.extent           = extent;
  std::int64_t stride = 1;
  for (auto a = static_cast<std::size_t>(rank); a-- > 0;) {
    in.stride[a] = stride;
    stride *= extent[a];
    policy.begin[a] = reach;
    policy.end[a]   = extent[a] - reach;
  }
  policy.begin[0]    = sweeps * reach;
  policy.end[0]      = extent[0] - sweeps * reach;
  policy.faces[0][0] = policy.faces[0][1] = Face::shared(sweeps * reach);
  policy.early[0]                         = {{early, early}};
  Impl::ViewInfo out                      = in;
  in.data                                 = reinterpret_cast<void*>(std::uintptr_t(1) << 44);
  out.data                                = reinterpret_cast<void*>(std::uintptr_t(2) << 44);
  return Impl::widened(policy, Impl::make_problem("block", policy, terms, in, out, sweeps));
}

TEST(SharedFaces, PassesStoreWhatLaterSweepsRead) {
  Problem const p = block(Model::star(3, 2), 3, {{200, 64, 64}}, 2, 6);
  EXPECT_TRUE(p.used_up[0][0] && p.used_up[0][1]);
  EXPECT_FALSE(p.used_up[1][0] || p.used_up[2][1]);
  for (int const depth : {1, 2, 6}) {
    PassRange const range = pass_range(p, depth);
    EXPECT_EQ(range.stored.begin[0], 2 * depth);
    EXPECT_EQ(range.stored.end[0], 200 - 2 * depth);
    EXPECT_EQ(range.stored.begin[1], 2);
    EXPECT_EQ(range.changing.begin[0], 0);
    EXPECT_EQ(range.changing.end[0], 200);
    EXPECT_EQ(range.changing.end[2], 62);
  }
}

TEST(SharedFaces, WhatStaysFixedInsideTheLayersIsNotUsedUp) {
  Impl::PolicyInfo policy;
  policy.rank        = 1;
  policy.whole       = false;
  policy.begin[0]    = 1;
  policy.end[0]      = 92;
  policy.faces[0][1] = Face::shared(8);
  Impl::ViewInfo in;
  in.extent[0] = 100;
  in.stride[0] = 1;
  in.data      = reinterpret_cast<void*>(std::uintptr_t(1) << 44);
  auto out     = in;
  out.data     = reinterpret_cast<void*>(std::uintptr_t(2) << 44);
  for (int const changing : {-1, 8, 7, 6, 0}) {
    policy.changing[0][1] = changing;
    Problem const p       = Impl::widened(policy, Impl::make_problem("line", policy, Model::star(1, 1), in, out, 8));
    EXPECT_EQ(p.used_up[2][1], changing < 0 || changing >= 7) << changing;
  }
}

TEST(SharedFaces, StripsTakeTheFastPathAtCuts) {
  for (int const early : {0, 12, 48, 1400}) {
    for (int const sweeps : {12, 24, 48}) {
      Problem const p     = block(Model::star(2, 1), 2, {{3000 + 2 * sweeps, 4096, 1}}, 1, sweeps, early);
      auto const* const k = Temporal::find_kernels(p, h200()).strips.front();
      auto const g        = Temporal::plan_strips(p, *k, h200().multiprocessors, k->depth, true).args;
      PointBox const all  = pass_range(p, k->depth).stored;
      // Every point has one task. Early rows are those of the first tasks.
      bool const some = early > 0 && early < 500;
      std::vector<std::int64_t> done(static_cast<std::size_t>(p.extent[1]));
      for (int r = 0; r < g.regions; ++r) {
        auto const& region = g.region[r];
        for (std::int32_t y = region.begin[0]; y < region.end[0]; ++y) {
          done[static_cast<std::size_t>(y)] += region.end[1] - region.begin[1];
          bool const near = y < all.begin[1] + early || y >= all.end[1] - early;
          EXPECT_EQ(region.first_task < g.early_tasks, some && near) << y;
        }
        // Only columns next to walls need masks.
        EXPECT_TRUE(region.fast || region.end[1] - region.begin[1] < 200) << sweeps;
      }
      for (std::int64_t y = 0; y < p.extent[1]; ++y) {
        EXPECT_EQ(done[static_cast<std::size_t>(y)], y >= all.begin[1] && y < all.end[1] ? 4094 : 0) << y;
      }
      EXPECT_EQ(g.early_tasks > 0, some);
    }
  }
}

TEST(SharedFaces, EarlyPlanesAreTheFirstTasks) {
  for (int const early : {0, 4, 12, 90}) {
    Problem const p = block(Model::star(3, 1), 3, {{128 + 8, 200, 256}}, 1, 4, early);
    for (auto const* const k : Temporal::find_kernels(p, h200()).space) {
      auto const g             = Temporal::plan_space(p, *k, h200().multiprocessors, true, Temporal::Effort::fine).args;
      PointBox const stored    = pass_range(p, k->depth).stored;
      std::int64_t const tiles = std::int64_t(g.tiles[0]) * g.tiles[1];
      // So many would be all.
      int const sides = early > 0 && early < 64 ? 2 : 0;
      EXPECT_EQ(Temporal::early_sides(p, *k), sides);
      EXPECT_EQ(g.early_tasks, sides * tiles);
      std::vector<std::int64_t> done(static_cast<std::size_t>(p.extent[0]));
      for (int i = 0; i < g.groups; ++i) {
        auto const& group = g.group[i];
        for (std::int32_t z = group.begin; z < group.end; ++z) {
          done[static_cast<std::size_t>(z)] += group.tiles;
          bool const near = z < stored.begin[0] + early || z >= stored.end[0] - early;
          EXPECT_EQ(group.first_task<g.early_tasks, sides> 0 && near) << z;
        }
      }
      for (std::int64_t z = 0; z < p.extent[0]; ++z) {
        EXPECT_EQ(done[static_cast<std::size_t>(z)], z >= stored.begin[0] && z < stored.end[0] ? tiles : 0) << z;
      }
    }
  }
}

}  // namespace
}  // namespace Cuda
}  // namespace KokkosStencil
