// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.hpp"
#include "Stencils.hpp"
#include "paper/SpiderLayout.hpp"

#include <transform/BandMatrix.hpp>
#include <transform/Sparse24.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <set>

namespace KokkosStencil {
namespace Transform {
namespace {

std::vector<Weight> full_row(int first, int last) {
  std::vector<Weight> weights;
  for (int dx = first; dx <= last; ++dx) weights.push_back({dx, 1.0});
  return weights;
}

TEST(SpiderSwap, IsThePermutationOfThePaper) {
  // Radius 3, L = 8: odd columns change places with the column eight further on.
  Order const expected{0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7};
  EXPECT_EQ(spider_swap(8), expected);
  EXPECT_EQ(inverse(spider_swap(8)), expected) << "it undoes itself";
  EXPECT_THROW(spider_swap(7), Error);
  EXPECT_THROW(pair_swap(0), Error);
}

TEST(SpiderSwap, MakesEveryRadius24) {
  for (int radius = 0; radius <= 64; ++radius) {
    int const L = 2 * radius + 2;
    ASSERT_TRUE(is_permutation(spider_swap(L)));
    // Fewer weights only remove non-zeros, so the full row is the worst case.
    Matrix const band = spider_band(full_row(-radius, radius), radius);
    if (radius > 0) {
      EXPECT_FALSE(fits_24(band)) << radius;
    }
    EXPECT_TRUE(fits_24(permute_columns(band, spider_swap(L)))) << radius;
  }
}

TEST(SpiderSwap, InputRowsFollowTheSwap) {
  Order const order = spider_swap(16);
  for (int call = 0; call < 2; ++call) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int i = 0; i < 4; ++i) {
        int const k = 16 * call + 2 * (lane % 4) + i % 2 + 8 * (i / 2);
        EXPECT_EQ(spider_input_row(lane, i, call), order[static_cast<std::size_t>(k)]);
      }
    }
  }
}

TEST(PairSwap, MakesEveryRowOfWidthLAtMost24) {
  for (int L = 2; L <= 64; L += 2) {
    ASSERT_TRUE(is_permutation(pair_swap(L)));
    for (int first = -L; first <= 0; ++first) {
      // L adjacent offsets, wherever the window starts: one more than SPIDER's rule allows.
      Matrix const band = band_matrix(full_row(first, first + L - 1), L, 2 * L, -first);
      EXPECT_TRUE(fits_24(permute_columns(band, pair_swap(L))));
    }
  }
}

TEST(WindowOrder, IsThePairSwapWithReorderedGroups) {
  ASSERT_TRUE(is_permutation(window_order()));
  std::set<std::vector<int>> groups, expected;
  for (int g = 0; g < 8; ++g) {
    auto const first = window_order().begin() + 4 * g;
    groups.insert(std::vector<int>(first, first + 4));
    expected.insert({2 * g, 2 * g + 1, 2 * g + 16, 2 * g + 17});
  }
  EXPECT_EQ(groups, expected);
}

TEST(WindowOrder, GivesEveryLaneOneAlignedVector) {
  std::set<int> starts;
  for (int lane = 0; lane < 32; ++lane) {
    int const q = lane % 4;
    starts.insert(lane_vector(q));
    EXPECT_EQ(lane_vector(q) % 8, 0);
    for (int reg = 0; reg < 4; ++reg) {
      for (int e = 0; e < 2; ++e) {
        int const k = 8 * reg + 2 * q + e;  // the row of B that the PTX ISA gives this element
        EXPECT_EQ(window_order()[static_cast<std::size_t>(k)], lane_vector(q) + 2 * reg + e);
      }
    }
  }
  EXPECT_EQ(starts, (std::set<int>{0, 8, 16, 24}));
}

TEST(WindowOrder, Makes24ForEveryRadiusAndSubset) {
  for (int radius = 0; radius <= 7; ++radius) {
    Matrix const band = window_band({0, 0, 0, full_row(-radius, radius)});
    EXPECT_TRUE(fits_24(permute_columns(band, window_order()))) << radius;
  }
  Matrix const full        = permute_columns(window_band({0, 0, 0, full_row(-8, 7)}), window_order());
  Selection const selected = select_24(full);
  for (unsigned subset = 0; subset < 0x10000u; subset += 7) {
    std::vector<Weight> weights;
    for (int d = 0; d < 16; ++d) {
      if ((subset >> d & 1u) != 0) weights.push_back({d - 8, 1.0 + d});
    }
    Matrix const band = permute_columns(window_band({0, 0, 0, weights}), window_order());
    ASSERT_TRUE(fits_24(band));
    ASSERT_EQ(expand_24(compress_24(band, selected), selected), band) << "the shared selection fits every subset";
  }
}

TEST(OutputOrder, IsAPermutation) { EXPECT_TRUE(is_permutation(output_order())); }

TEST(Order, InverseUndoes) {
  Matrix matrix(2, 32);
  for (int k = 0; k < 32; ++k) matrix(0, k) = k, matrix(1, k) = 100 + k;
  EXPECT_EQ(permute_columns(permute_columns(matrix, window_order()), inverse(window_order())), matrix);
  EXPECT_FALSE(is_permutation({0, 0, 1}));
  EXPECT_FALSE(is_permutation({0, 3, 1}));
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
