// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.hpp"
#include "Stencils.hpp"
#include "paper/ColumnMatching.hpp"

#include <transform/Morphing.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KOKKOSSTENCIL_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define KOKKOSSTENCIL_SANITIZED
#endif
#endif

#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

std::string name(Tile const& t) {
  return std::to_string(t.z) + " x " + std::to_string(t.y) + " x " + std::to_string(t.x);
}

std::vector<Tile> tiles(int rank) {
  std::vector<Tile> result;
  for (int z = 1; z <= (rank > 2 ? 3 : 1); ++z) {
    for (int y = 1; y <= (rank > 1 ? 4 : 1); ++y) {
      for (int x = 1; x <= 6; ++x) result.push_back({z, y, x});
    }
  }
  return result;
}

/// Every row of A' is the stencil, at the inputs of the columns; no input has two columns, none is unread.
void expect_morphed(Samples::Terms const& terms, Tile const& tile) {
  Morphed const m = morph(terms, tile);
  std::set<std::array<int, 3>> inputs;
  std::map<std::array<int, 3>, int> read;
  for (int c = 0; c < m.a.columns(); ++c) ASSERT_TRUE(inputs.insert(m.input(c)).second);
  for (int row = 0; row < tile.outputs(); ++row) {
    int const z = row / tile.x / tile.y, y = row / tile.x % tile.y, x = row % tile.x;
    std::map<std::array<int, 3>, double> expected, found;
    for (auto const& t : terms) expected[{{z + t.offset[0], y + t.offset[1], x + t.offset[2]}}] = t.coefficient;
    for (int c = 0; c < m.a.columns(); ++c) {
      if (m.a(row, c) == 0.0) continue;
      found[m.input(c)] = m.a(row, c);
      ++read[m.input(c)];
    }
    ASSERT_EQ(found, expected) << "row " << row;
  }
  ASSERT_EQ(read.size(), inputs.size());
}

TEST(Morph, KeepsTheStencil) {
  for (int rank = 1; rank <= 3; ++rank) {
    for (Tile const& tile : tiles(rank)) {
      SCOPED_TRACE(name(tile));
      expect_morphed(Samples::box(rank, rank < 3 ? 3 : 1), tile);
      expect_morphed(Samples::star(rank, 2), tile);
      auto const some = Samples::scattered(rank > 2 ? 1 : 0, rank > 1 ? 2 : 0, 3, 40, static_cast<unsigned>(tile.x));
      if (!some.empty()) expect_morphed(some, tile);
    }
  }
}

TEST(Morph, FlatteningIsTheKernelVector) {
  Morphed const m = morph(Samples::box(2, 1), {});
  EXPECT_EQ(m.a.rows(), 1);
  EXPECT_EQ(m.a.columns(), 9);
  EXPECT_EQ(m.input(0), (std::array<int, 3>{{0, -1, -1}}));
  EXPECT_EQ(m.input(8), (std::array<int, 3>{{0, 1, 1}}));
}

TEST(Morph, ShapesOfThePaper) {
  // Section 3.3: m' = r1 r2, k' = (k + r1 - 1)(k + r2 - 1).
  for (int radius = 0; radius <= 4; ++radius) {
    for (Tile const& tile : tiles(2)) {
      Morphed const m = morph(Samples::box(2, radius), tile);
      int const k     = 2 * radius + 1;
      EXPECT_EQ(m.a.rows(), tile.x * tile.y);
      EXPECT_EQ(m.a.columns(), (k + tile.x - 1) * (k + tile.y - 1));
    }
  }
}

TEST(Morph, BoxesAreStaircasesOfStaircases) {
  for (int radius = 0; radius <= 4; ++radius) {
    for (Tile const& tile : tiles(2)) {
      int const k = 2 * radius + 1, g = k + tile.x - 1;
      Morphed const m = morph(Samples::box(2, radius), tile);
      ASSERT_TRUE(is_box(m));
      Matrix blocks(tile.y, k + tile.y - 1);
      for (int i = 0; i < blocks.rows(); ++i) {
        for (int j = 0; j < blocks.columns(); ++j) {
          Matrix block(tile.x, g);
          for (int r = 0; r < tile.x; ++r) {
            for (int c = 0; c < g; ++c) block(r, c) = m.a(i * tile.x + r, j * g + c);
          }
          blocks(i, j) = block == Matrix(tile.x, g) ? 0.0 : 1.0;
          if (blocks(i, j) != 0.0) {
            ASSERT_TRUE(is_staircase(block, k)) << name(tile);
          }
        }
      }
      ASSERT_TRUE(is_staircase(blocks, k)) << name(tile);
    }
  }
  EXPECT_FALSE(is_box(morph(Samples::star(2, 1), {1, 2, 2})));
}

TEST(Morph, NothingToMorph) {
  EXPECT_THROW(morph({}, {}), Error);
  EXPECT_THROW(morph(Samples::box(1, 1), {1, 0, 2}), Error);
}

void expect_matched(Samples::Terms const& terms, Tile const& tile) {
  Morphed const m           = morph(terms, tile);
  ConflictGraph const graph = column_conflicts(m.a);
  Matching const matching   = match_columns(m);
  ASSERT_TRUE(is_valid(matching, graph)) << name(tile);
  ASSERT_EQ(zero_columns(matching), zero_columns(maximum_matching(graph))) << name(tile);
}

TEST(MatchColumns, TakesTheFewestZeroColumns) {
  for (int rank = 1; rank <= 3; ++rank) {
    for (int radius = 0; radius <= (rank < 3 ? 4 : 1); ++radius) {
      for (Tile const& tile : tiles(rank)) {
        SCOPED_TRACE("rank " + std::to_string(rank) + ", radius " + std::to_string(radius));
        expect_matched(Samples::box(rank, radius), tile);
        expect_matched(Samples::star(rank, radius), tile);
      }
    }
  }
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    auto const some = Samples::scattered(static_cast<int>(seed % 2), 2, 3, 5 + seed, seed);
    if (!some.empty()) expect_matched(some, {1, 1 + static_cast<int>(seed % 3), 4});
  }
}

double time_of(Samples::Terms const& terms, Tile const& tile) {
  using Clock     = std::chrono::steady_clock;
  Morphed const m = morph(terms, tile);
  double best     = 1e30;
  for (int repeat = 0; repeat < 10; ++repeat) {
    auto const start        = Clock::now();
    Matching const matching = match_columns(m);
    best                    = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    EXPECT_EQ(static_cast<int>(matching.partner.size()), m.a.columns());
  }
  return best;
}

TEST(MatchTime, BelowAMillisecond) {
  auto const report = [](char const* kernel, Samples::Terms const& terms, Tile const& tile) {
    double const time = time_of(terms, tile);
    std::printf("%-10s tile %s: %4d columns, %8.2f us\n", kernel, name(tile).c_str(), morph(terms, tile).a.columns(),
                time);
#if defined(NDEBUG) && !defined(KOKKOSSTENCIL_SANITIZED)
    EXPECT_LT(time, 1000.0) << kernel;
#endif
  };
  report("box-1d3r", Samples::box(1, 3), {1, 1, 16});
  report("box-2d1r", Samples::box(2, 1), {1, 4, 4});
  report("box-2d3r", Samples::box(2, 3), {1, 4, 4});
  report("box-2d7r", Samples::box(2, 7), {1, 4, 4});
  report("box-3d3r", Samples::box(3, 3), {2, 2, 4});
  report("box-3d7r", Samples::box(3, 7), {2, 2, 4});
  report("star-2d1r", Samples::star(2, 1), {1, 4, 4});
  report("star-2d3r", Samples::star(2, 3), {1, 4, 4});
  report("star-2d7r", Samples::star(2, 7), {1, 4, 4});
  report("star-3d1r", Samples::star(3, 1), {2, 2, 4});
  report("star-3d4r", Samples::star(3, 4), {2, 2, 4});
  report("star-3d7r", Samples::star(3, 7), {2, 2, 4});
  report("star-3d8r", Samples::star(3, 8), {4, 4, 4});
  report("random-2d", Samples::scattered(0, 3, 3, 40, 1), {1, 4, 4});
  report("random-3d", Samples::scattered(1, 1, 1, 40, 1), {2, 2, 4});
}

TEST(MatchTime, GrowsLinearlyForStaircases) {
  // 350 times the columns; a factor of 4 covers a busy machine. One level, and levels none of which has twice as many
  // columns as offsets.
  auto const far = [](int rz, int ry, int rx) {
    return Samples::make_terms(
        rz, ry, rx, [](int, int, int) { return true; }, Samples::SmallIntegers(1));
  };
  auto const expect_linear = [](Samples::Terms const& few, Samples::Terms const& many, Tile const& tile) {
    double const ratio = static_cast<double>(morph(many, tile).a.columns()) / morph(few, tile).a.columns();
    EXPECT_GT(ratio, 100.0);
    EXPECT_LT(time_of(many, tile), 4 * ratio * time_of(few, tile));
  };
  expect_linear(far(0, 0, 98), far(0, 0, 34320), {1, 1, 4});
  expect_linear(far(0, 5, 5), far(0, 129, 129), {1, 4, 4});
  expect_linear(far(2, 2, 2), far(15, 15, 31), {2, 2, 2});
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
