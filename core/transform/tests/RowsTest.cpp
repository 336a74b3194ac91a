// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"
#include "paper/SpiderLayout.hpp"

#include <transform/BandMatrix.hpp>
#include <transform/Rows.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <tuple>

namespace KokkosStencil {
namespace Transform {
namespace {

TEST(Rows, BoxHasOneRowForEachLine) {
  auto const rows = kernel_rows(Samples::box(3, 2));
  ASSERT_EQ(rows.size(), 25u);
  EXPECT_EQ(rows[0].dz, -2);
  EXPECT_EQ(rows[0].dy, -2);
  EXPECT_EQ(rows[24].dy, 2);
  for (auto const& row : rows) {
    ASSERT_EQ(row.weights.size(), 5u);
    EXPECT_EQ(row.weights.front().dx, -2);
  }
}

TEST(Rows, StarHasShortRowsOffTheCentre) {
  auto const rows = kernel_rows(Samples::star(2, 7));
  ASSERT_EQ(rows.size(), 15u);
  for (auto const& row : rows) EXPECT_EQ(row.weights.size(), row.dy == 0 ? 15u : 1u);
}

TEST(Rows, RejectsWhatIsNotNormalized) {
  EXPECT_THROW(kernel_rows({{{{0, 0, 1}}, 1.0}, {{{0, 0, 0}}, 1.0}}), Error);
  EXPECT_THROW(kernel_rows({{{{0, 0, 1}}, 1.0}, {{{0, 0, 1}}, 1.0}}), Error);
  EXPECT_THROW(kernel_rows({{{{0, 0, 1}}, std::numeric_limits<double>::quiet_NaN()}}), Error);
  EXPECT_TRUE(kernel_rows({}).empty());
}

TEST(Rows, RadiusUpToSevenIsOneChunkInPlace) {
  for (int radius = 0; radius <= 7; ++radius) {
    for (auto const& chunk : split_rows(kernel_rows(Samples::box(2, radius)))) EXPECT_EQ(chunk.shift, 0);
    EXPECT_EQ(split_rows(kernel_rows(Samples::box(2, radius))).size(), static_cast<std::size_t>(2 * radius + 1));
  }
}

TEST(Rows, WideRowsNeedTheFewestChunks) {
  for (int radius = 0; radius <= 64; ++radius) {
    auto const chunks = split_rows(kernel_rows(Samples::box(1, radius)));
    std::size_t best  = 1;
    // Windows of 16 offsets that start at multiples of 8: the first may waste up to 7 of them.
    int const first_start = -(radius + 7) / 8 * 8;
    while (first_start + 16 * static_cast<int>(best) <= radius) ++best;
    EXPECT_EQ(chunks.size(), best) << radius;
  }
}

TEST(Rows, ChunksKeepEveryWeightInsideItsWindow) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    auto const terms = Samples::scattered(0, 1, 60, 5 + seed % 60, seed);
    std::map<std::tuple<int, int>, double> found;
    Chunk const* last = nullptr;
    auto const chunks = split_rows(kernel_rows(terms));
    for (auto const& chunk : chunks) {
      EXPECT_EQ(chunk.shift % vector_elements, 0);
      if (last != nullptr && last->dy == chunk.dy) {
        EXPECT_GT(chunk.shift, last->shift);
      }
      last = &chunk;
      for (auto const& w : chunk.weights) {
        EXPECT_GE(w.dx - chunk.shift, -8);
        EXPECT_LE(w.dx - chunk.shift, 7);
        found[{chunk.dy, w.dx}] += w.coefficient;
      }
    }
    ASSERT_EQ(found.size(), terms.size());
    for (auto const& t : terms) EXPECT_EQ((found[{t.offset[1], t.offset[2]}]), t.coefficient);
  }
}

TEST(Rows, ShiftsStayNearZero) {
  auto const single = [](int dx) { return split_row({0, 0, {{dx, 1.0}}}).front().shift; };
  for (int dx = -8; dx <= 7; ++dx) EXPECT_EQ(single(dx), 0);
  EXPECT_EQ(single(8), 8);
  EXPECT_EQ(single(-9), -8);
  EXPECT_EQ(single(1000), 1000);
}

TEST(BandMatrix, AppliesTheRow) {
  std::vector<Weight> const weights{{-1, 2.0}, {0, 3.0}, {2, 5.0}};
  Matrix const band = band_matrix(weights, 4, 8, 1);
  for (int i = 0; i < 4; ++i) {
    for (int c = 0; c < 8; ++c) {
      double const expected = c == i ? 2.0 : c == i + 1 ? 3.0 : c == i + 3 ? 5.0 : 0.0;
      EXPECT_EQ(band(i, c), expected);
    }
  }
  EXPECT_THROW(band_matrix(weights, 4, 6, 1), Error);
  EXPECT_THROW(band_matrix(weights, 4, 8, 0), Error);
}

TEST(BandMatrix, SpiderShapes) {
  auto const row    = kernel_rows(Samples::box(1, 3)).front();
  Matrix const band = spider_band(row.weights, 3);
  EXPECT_EQ(band.rows(), 8);
  EXPECT_EQ(band.columns(), 16);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(band(i, 14) + band(i, 15), 0.0) << "padding";
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
