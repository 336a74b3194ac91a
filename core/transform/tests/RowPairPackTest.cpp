// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"
#include "Stencils.hpp"

#include <transform/RowPairPack.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int blocks = 8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Sixteen rows, with what lies left and right of eight blocks.
struct Rows {
  double value[2 * row_pairs][8 * blocks + 16];
  double operator()(int row, int x) const { return value[row][x + 8]; }
};

Fragment<2> load_b(Rows const& rows, int pair, int product, Element element) {
  Fragment<2> b{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      int const k = 8 * (i / 2) + 2 * (lane % 4) + i % 2, x = 8 * (lane / 4);
      double const v = product < 2 ? rows(2 * pair + product, x - 8 + k) : rows(2 * pair + k / 8, x + 8 + k % 8);
      b[at(lane)][at(i / 2)] |= std::uint32_t{to_bits(v, element)} << (16 * (i % 2));
    }
  }
  return b;
}

void check(Samples::Terms const& terms, Element element, int first_row) {
  std::mt19937 engine(5);
  Rows rows{};
  for (auto& row : rows.value) {
    for (double& v : row) v = static_cast<double>(static_cast<int>(engine() % 17u) - 8);
  }
  RowPairPack const pack = pack_row_pairs(terms, element, first_row);
  ASSERT_EQ(pack.a.size(), RowPairPack::index(row_pairs, 0, 0));
  Model::Accumulators sums{};
  for (int pair = 0; pair < row_pairs; ++pair) {
    for (int product = 0; product < row_pair_products; ++product) {
      Fragment<4> a{};
      for (int lane = 0; lane < warp_lanes; ++lane) {
        for (std::size_t r = 0; r < 4; ++r) a[at(lane)][r] = pack.a.at(RowPairPack::index(pair, product, lane) + r);
      }
      sums = Model::mma_m16n8k16(element, a, load_b(rows, pair, product, element), sums);
    }
  }
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      int const x = 8 * (2 * (lane % 4) + i % 2) + lane / 4, y = i / 2;
      double expected = 0.0;
      for (auto const& t : terms) expected += t.coefficient * rows(y + t.offset[1] - first_row, x + t.offset[2]);
      EXPECT_EQ(static_cast<double>(sums[at(lane)][at(i)]), expected);
    }
  }
}

Samples::Terms box_terms(int first, int last, int left, int right) {
  Samples::Terms terms;
  for (int dy = first; dy <= last; ++dy) {
    for (int dx = left; dx <= right; ++dx) {
      terms.push_back({{{0, dy, dx}}, static_cast<double>((dy * 31 + dx * 7 + 300) % 9 - 4)});
    }
  }
  return terms;
}

TEST(RowPairPack, IsThePlainSum) {
  for (Element const element : {Element::half, Element::bfloat}) {
    check(box_terms(-7, 7, -7, 7), element, -7);
    check(box_terms(-7, 7, -8, 8), element, -7);
    check(box_terms(-4, 4, -4, 4), element, -4);
    check(box_terms(0, 14, -1, 8), element, 0);
    check(box_terms(2, 5, -8, -3), element, 1);
  }
}

TEST(RowPairPack, RefusesWhatDoesNotFit) {
  EXPECT_THROW(pack_row_pairs(box_terms(-7, 8, 0, 0), Element::half, -7), Error);
  EXPECT_THROW(pack_row_pairs(box_terms(-8, 0, 0, 0), Element::half, -7), Error);
  EXPECT_THROW(pack_row_pairs(box_terms(0, 0, -9, 0), Element::half, 0), Error);
  EXPECT_THROW(pack_row_pairs(box_terms(0, 0, 0, 9), Element::half, 0), Error);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
