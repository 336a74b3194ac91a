// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_TileTasks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// How volumes are dealt out to tiles: every point of the range once, tiles that a block has threads for.

namespace KokkosStencil {
namespace Impl {
namespace {

struct Volume {
  alignas(16) double values[4];
  FieldGeometry geometry;
  TileKernelInfo kernel{2, 2, 384, 2, {1, 1, 1}, 2, 0, 8, 1, 132};
  TileProblem problem{{2, 1, 0}, {}, &geometry, {}};

  Volume(std::int64_t planes, std::int64_t rows, std::int64_t columns, std::int64_t offset, std::int64_t pitch) {
    ViewInfo view;
    view.rank   = 3;
    view.data   = values + offset;
    view.extent = {{planes, rows, columns}};
    view.stride = {{rows * pitch, pitch, 1}};
    for (std::size_t a = 0; a < 3; ++a) geometry.extent[a] = view.extent[a];
    problem.where.range = PointBox{{{0, 0, 0}}, {{planes, rows, columns}}};
    problem.where.reach = {{1, 1, 1}};
    problem.views       = {view, view};
  }
};

TEST(TileTasks, CoverTheRangeOnce) {
  std::mt19937 random(1);
  auto const between = [&](std::int64_t lo, std::int64_t hi) {
    return lo + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(hi - lo + 1));
  };
  for (int trial = 0; trial < 200; ++trial) {
    std::int64_t const n[3] = {between(4, 60), between(4, 90), between(4, 200)};
    Volume volume(n[0], n[1], n[2], between(0, 1), n[2] + between(0, 3));
    // Narrower, with constants.
    if (trial % 2 == 0) volume.kernel = TileKernelInfo{4, 2, 256, 2, {1, 1, 1}, 1, 3, 4, 2, 8};
    PointBox& range = volume.problem.where.range;
    for (std::size_t a = 0; a < 3; ++a) {
      range.begin[a] = between(0, 1);
      range.end[a]   = n[a] - between(0, 1);
    }
    TileKernelInfo const& kernel = volume.kernel;
    TileTasks const t            = tile_schedule(kernel, volume.problem, 100, true, nullptr).tasks;
    std::int64_t const halo      = (kernel.depth * kernel.reach[0] + kernel.width - 1) / kernel.width * kernel.width;
    EXPECT_LE(t.lanes * t.teams, kernel.threads);
    EXPECT_EQ(t.owned[0] % kernel.width, 0);
    EXPECT_LE(t.owned[0] + 2 * halo, t.lanes * kernel.width);
    EXPECT_LE(t.owned[1] + 2 * kernel.depth * kernel.reach[1], t.teams * kernel.rows);
    for (int k = 0; k < 3; ++k) {
      auto const a = static_cast<std::size_t>(2 - k);
      EXPECT_EQ(t.begin[k], range.begin[a]);
      EXPECT_EQ(t.stop[k], range.end[a]);
      std::int64_t const first = k < 2 ? t.first[k] : t.begin[k];
      EXPECT_LE(first, range.begin[a]);
      EXPECT_GT(first + kernel.width, range.begin[a]);
      // The tiles reach to the end, and each of them has something to do.
      if (k == 2) continue;
      EXPECT_GE(first + std::int64_t(t.tiles[k]) * t.owned[k], range.end[a]);
      EXPECT_LT(first + std::int64_t(t.tiles[k] - 1) * t.owned[k], range.end[a]);
    }
    EXPECT_EQ(t.planes(), t.tiles[0] * t.tiles[1] * (range.end[0] - range.begin[0]));
    // No more blocks than run at the same time, and the last one has something to do.
    EXPECT_LE(t.count(), static_cast<std::uint32_t>(kernel.resident * kernel.multiprocessors));
    EXPECT_GE(std::int64_t(t.count()) * t.share, t.planes());
    EXPECT_LT((std::int64_t(t.count()) - 1) * t.share, t.planes());
    std::int64_t const address = reinterpret_cast<std::intptr_t>(volume.problem.views[0].data) / kernel.value_size;
    if (t.aligned && kernel.value_size == 8) {
      EXPECT_EQ((address + t.first[0]) % kernel.width, 0);
    }
  }
}

TEST(TileTasks, VolumesThatTheyDoNotFit) {
  Volume volume(40, 40, 80, 0, 80);
  EXPECT_EQ(tiles_unsupported(volume.kernel, volume.problem), "");
  volume.problem.views[1].stride[2] = 2;
  EXPECT_NE(tiles_unsupported(volume.kernel, volume.problem), "");
  EXPECT_NE(tiles_unsupported(volume.kernel, Volume(3, 40, 80, 0, 80).problem), "");
  EXPECT_NE(tiles_unsupported(volume.kernel, Volume(40, 3, 80, 0, 80).problem), "");
  EXPECT_NE(tiles_unsupported(volume.kernel, Volume(40, 40, 3, 0, 80).problem), "");
}

TEST(TileTasks, PlanesThatReflect) {
  Volume volume(40, 40, 80, 0, 80);
  auto const tasks = [&] { return tile_schedule(volume.kernel, volume.problem, 100, true, nullptr).tasks; };
  EXPECT_EQ(tasks().reflecting[0], -1);
  EXPECT_EQ(tasks().reflecting[1], -1);
  volume.geometry.faces[0][0].kind = BoundaryKind::mirror;
  volume.geometry.faces[0][1].kind = BoundaryKind::edge;
  EXPECT_EQ(tasks().reflecting[0], 0);
  EXPECT_EQ(tasks().reflecting[1], 39);
}

TEST(TileTasks, PassesOfASchedule) {
  Volume volume(400, 400, 400, 0, 400);
  EXPECT_EQ(tile_schedule(volume.kernel, volume.problem, 1, true, nullptr).passes, 0);
  TileSchedule const some = tile_schedule(volume.kernel, volume.problem, 9, true, nullptr);
  EXPECT_EQ(some.passes, 4);
  EXPECT_TRUE(some.fills);
  EXPECT_GT(some.pass_seconds, some.sweep_seconds);
}

TileSchedule padded(Volume const& volume, std::int64_t steps) {
  TileSchedule const plain = tile_schedule(volume.kernel, volume.problem, steps, false, nullptr);
  return padded_tile_schedule(volume.kernel, volume.problem, steps, plain, nullptr);
}

TEST(TileTasks, CopiesPayWhereRowsBeginAnywhere) {
  TileKernelInfo const heat{4, 2, 512, 2, {1, 1, 1}, 1, 1, 4, 1, 132};
  auto const volume = [&](std::int64_t columns, std::int64_t offset, std::int64_t first) {
    Volume v(514, 514, columns, offset, columns);
    v.kernel              = heat;
    v.problem.where.range = PointBox{{{1, 1, first}}, {{513, 513, columns - 1}}};
    v.problem.geometry    = nullptr;  // that of the copy, below
    for (ViewInfo& view : v.problem.views) view.value_size = 4;
    return v;
  };
  auto const of = [&](Volume v, std::int64_t steps) {
    v.problem.geometry = &v.geometry;
    return padded(v, steps);
  };
  TileSchedule const many = of(volume(514, 0, 1), 100);
  EXPECT_EQ(many.passes, 50);
  EXPECT_TRUE(many.tasks.aligned);
  // Columns 0 to 514 and what fills vectors, the first of the range at a line.
  EXPECT_EQ(many.tasks.shift, 3);
  EXPECT_EQ(many.padded.columns, 520);
  EXPECT_EQ(many.tasks.begin[0], 4);
  EXPECT_EQ(many.tasks.first[0], 4);
  EXPECT_EQ(many.tasks.stop[0], 516);
  EXPECT_EQ((many.padded.lead + 4) % 32, 0);
  EXPECT_EQ(many.padded.pitch % 32, 0);
  EXPECT_GE(many.padded.pitch, many.padded.lead + many.padded.columns);
  EXPECT_EQ(many.padded.bytes, 3 * 4 * many.padded.pitch * 514 * 514);
  // Too few sweeps; rows that are aligned; and faces that say what lies beyond them, so that columns are as they are.
  EXPECT_TRUE(of(volume(514, 0, 1), 4).empty());
  EXPECT_TRUE(of(volume(512, 0, 1), 100).empty());
  Volume periodic               = volume(514, 0, 0);
  periodic.geometry.faces[2][0] = periodic.geometry.faces[2][1] = Face::periodic();
  TileSchedule const as_it_is                                   = of(periodic, 100);
  EXPECT_EQ(as_it_is.passes, 50);
  EXPECT_EQ(as_it_is.tasks.shift, 0);
  EXPECT_EQ(as_it_is.padded.columns, 514);
  EXPECT_EQ(as_it_is.padded.lead, 0);
}

}  // namespace
}  // namespace Impl
}  // namespace KokkosStencil
