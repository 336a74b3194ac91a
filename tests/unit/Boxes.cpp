// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Field.hpp"

#include <KokkosStencil_Problem.hpp>

#include <gtest/gtest.h>

#include <random>

namespace KokkosStencil {
namespace Test {
namespace {

TEST(Boxes, DifferenceIsAPartition) {
  std::mt19937 generator(3);
  for (int trial = 0; trial < 400; ++trial) {
    PointBox whole{}, hole{};
    for (std::size_t a = 0; a < 3; ++a) {
      whole.begin[a] = static_cast<std::int64_t>(generator() % 3);
      whole.end[a]   = whole.begin[a] + static_cast<std::int64_t>(generator() % 6);
      auto const n   = static_cast<unsigned>(whole.end[a] - whole.begin[a]);
      hole.begin[a]  = whole.begin[a] + generator() % (n + 1);
      hole.end[a]    = hole.begin[a] + generator() % (static_cast<unsigned>(whole.end[a] - hole.begin[a]) + 1);
    }
    auto const parts = difference(whole, hole);
    EXPECT_LE(parts.size(), 6u);
    std::vector<int> covered(1000, 0);
    auto const at = [](Extents const& i) { return static_cast<std::size_t>((i[0] * 10 + i[1]) * 10 + i[2]); };
    for (PointBox const& part : parts) {
      EXPECT_FALSE(part.empty());
      Field::each_in(part.begin, part.end, [&](Extents const& i) { ++covered[at(i)]; });
    }
    Field::each_in({{0, 0, 0}}, {{10, 10, 10}}, [&](Extents const& i) {
      auto const in = [&](PointBox const& box) {
        bool inside = true;
        for (std::size_t a = 0; a < 3; ++a) inside = inside && i[a] >= box.begin[a] && i[a] < box.end[a];
        return inside;
      };
      EXPECT_EQ(covered[at(i)], in(whole) && !in(hole) ? 1 : 0) << index_text(3, i);
    });
  }
}

TEST(Boxes, SizeAndEmptiness) {
  EXPECT_EQ((PointBox{{{1, 2, 3}}, {{2, 4, 6}}}.size()), 6);
  EXPECT_TRUE((PointBox{{{1, 2, 3}}, {{1, 4, 6}}}.empty()));
  EXPECT_EQ((PointBox{{{1, 5, 3}}, {{2, 4, 6}}}.size()), 0);
}

TEST(Boxes, InteriorIsWhereNoWindowLeavesTheView) {
  Problem p;
  p.extent           = {{1, 9, 12}};
  p.begin            = {{0, 1, 0}};
  p.end              = {{1, 9, 12}};
  p.lower            = {{0, -2, 0}};
  p.upper            = {{0, 1, 3}};
  PointBox const box = interior(p);
  EXPECT_EQ(box.begin, (std::array<std::int64_t, 3>{{0, 2, 0}}));
  EXPECT_EQ(box.end, (std::array<std::int64_t, 3>{{1, 8, 9}}));
  p.upper[2] = 30;
  EXPECT_TRUE(interior(p).empty());
  EXPECT_EQ(p.points(), 8 * 12);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
