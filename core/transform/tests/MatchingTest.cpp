// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.hpp"
#include "paper/ColumnMatching.hpp"

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A staircase of `rows` rows, k wide.
Matrix staircase(int rows, int k) {
  Matrix m(rows, rows + k - 1);
  for (int r = 0; r < rows; ++r) {
    for (int c = r; c < r + k; ++c) m(r, c) = 1.0;
  }
  return m;
}

/// The Kronecker product: a staircase of staircases.
Matrix product(Matrix const& a, Matrix const& b) {
  Matrix m(a.rows() * b.rows(), a.columns() * b.columns());
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.columns(); ++j) {
      m(i, j) = a(i / b.rows(), j / b.columns()) * b(i % b.rows(), j % b.columns());
    }
  }
  return m;
}

Matrix random_pattern(int rows, int columns, unsigned percent, unsigned seed) {
  std::mt19937 engine(seed);
  Matrix m(rows, columns);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) m(i, j) = engine() % 100u < percent ? 1.0 : 0.0;
  }
  return m;
}

/// The smallest number of zero columns, by trying everything.
int fewest_zeros(ConflictGraph const& graph) {
  std::vector<int> best(std::size_t{1} << graph.size(), 0);  // for each set of columns still to place
  for (std::size_t set = 1; set < best.size(); ++set) {
    int first = 0;
    while ((set >> first & 1u) == 0) ++first;
    std::size_t const rest = set & ~(std::size_t{1} << first);
    best[set]              = best[rest] + 1;
    for (int other = first + 1; other < graph.size(); ++other) {
      if ((rest >> other & 1u) == 0 || graph.conflict(first, other)) continue;
      best[set] = std::min(best[set], best[rest & ~(std::size_t{1} << other)]);
    }
  }
  return best.back();
}

/// SparStencil's algorithm 1 to the letter, for m blocks of g columns, and the zero columns it takes.
int published_zeros(Stairs const& global, Stairs const& local) {
  auto const unmatched = [](Stairs const& s) {
    int const step = std::max(s.columns / 2, s.width);
    std::vector<bool> matched(at(s.columns), false);
    for (int i = 0; i + step < s.columns; ++i) {
      if (!matched[at(i)]) matched[at(i)] = matched[at(i + step)] = true;
    }
    return static_cast<int>(std::count(matched.begin(), matched.end(), false));
  };
  return unmatched(global) * unmatched(local);
}

TEST(ConflictGraph, PairsConflictWhereARowHasMoreThanTwo) {
  std::mt19937 engine(5);
  for (int n = 0; n < 50; ++n) {
    Matrix a(70, 12);
    for (int r = 0; r < 70; ++r) {
      for (int c = 0; c < 12; ++c) a(r, c) = engine() % 100 < static_cast<unsigned>(n) ? 1.0 : 0.0;
    }
    ConflictGraph const graph(a);
    ASSERT_EQ(graph.size(), 6);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < i; ++j) {
        bool more = false;
        for (int r = 0; r < 70; ++r) more = more || a(r, 2 * i) + a(r, 2 * i + 1) + a(r, 2 * j) + a(r, 2 * j + 1) > 2.0;
        EXPECT_EQ(graph.conflict(i, j), more);
      }
    }
  }
}

TEST(ConflictGraph, TheoremOne) {
  // Columns k apart and more never conflict; those closer always do, so the bound is sharp.
  for (int k = 1; k <= 15; ++k) {
    for (int rows = 1; rows <= 80; rows += rows < 8 ? 1 : 9) {
      Matrix const m = staircase(rows, k);
      ASSERT_TRUE(is_staircase(m, k));
      ASSERT_FALSE(is_staircase(m, k - 1));
      ConflictGraph const graph = column_conflicts(m);
      for (int i = 0; i < graph.size(); ++i) {
        for (int j = i + 1; j < graph.size(); ++j) ASSERT_EQ(graph.conflict(i, j), j - i < k) << k << ": " << i;
      }
    }
  }
}

TEST(StaircaseMatching, TheoremTwoOnOneLevel) {
  for (int k = 1; k <= 15; ++k) {
    for (int rows = 1; rows <= 20; ++rows) {
      ConflictGraph const graph = column_conflicts(staircase(rows, k));
      Matching const matching   = staircase_matching({{graph.size(), k}});
      ASSERT_TRUE(is_valid(matching, graph)) << k << ", " << rows;
      ASSERT_EQ(zero_columns(matching), zero_columns(maximum_matching(graph))) << k << ", " << rows;
      ASSERT_EQ(zero_columns(matching), published_zeros({1, 1}, {graph.size(), k})) << k << ", " << rows;
      if (graph.size() <= 12) {
        ASSERT_EQ(zero_columns(matching), fewest_zeros(graph)) << k << ", " << rows;
      }
    }
  }
}

TEST(StaircaseMatching, TheoremTwoOnTwoLevels) {
  int better = 0;
  for (int k1 = 1; k1 <= 7; ++k1) {
    for (int k2 = 1; k2 <= 7; ++k2) {
      for (int r1 = 1; r1 <= 6; ++r1) {
        for (int r2 = 1; r2 <= 6; ++r2) {
          SCOPED_TRACE("k " + std::to_string(k1) + " x " + std::to_string(k2) + ", r " + std::to_string(r1) + " x " +
                       std::to_string(r2));
          ConflictGraph const graph = column_conflicts(product(staircase(r2, k2), staircase(r1, k1)));
          Stairs const global{r2 + k2 - 1, k2}, local{r1 + k1 - 1, k1};
          Matching const matching = staircase_matching({global, local});
          ASSERT_TRUE(is_valid(matching, graph));
          ASSERT_EQ(zero_columns(matching), zero_columns(maximum_matching(graph)));
          int const published = published_zeros(global, local);
          ASSERT_LE(zero_columns(matching), published);
          if (2 * global.width > global.columns && 2 * local.width > local.columns) {
            ASSERT_EQ(zero_columns(matching), published);
          } else {
            ASSERT_LE(zero_columns(matching), 1);
          }
          better += zero_columns(matching) < published ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(better, 0) << "theorem 2 holds as published, then; say so in ColumnMatching.hpp";
  EXPECT_EQ(published_zeros({3, 1}, {3, 3}), 3) << "the example of ColumnMatching.hpp";
  EXPECT_EQ(zero_columns(staircase_matching({{3, 1}, {3, 3}})), 1);
}

TEST(StaircaseMatching, ThreeLevels) {
  for (int k : {1, 3, 5}) {
    for (int r = 1; r <= 27; ++r) {
      int const rz = r % 3 + 1, ry = r / 3 % 3 + 1, rx = r / 9 + 1;
      ConflictGraph const graph =
          column_conflicts(product(staircase(rz, k), product(staircase(ry, k), staircase(rx, k))));
      Matching const matching = staircase_matching({{rz + k - 1, k}, {ry + k - 1, k}, {rx + k - 1, k}});
      ASSERT_TRUE(is_valid(matching, graph)) << k << ", " << r;
      ASSERT_EQ(zero_columns(matching), zero_columns(maximum_matching(graph))) << k << ", " << r;
    }
  }
}

TEST(StaircaseMatching, RejectsWhatIsNoStaircase) {
  EXPECT_THROW(staircase_matching({{3, 4}}), Error);
  EXPECT_THROW(staircase_matching({{3, 0}}), Error);
  EXPECT_THROW(staircase_matching({{0, 0}}), Error);
}

TEST(MaximumMatching, IsMaximal) {
  // Sparse complements (many conflicts) have the odd cycles that need contraction.
  for (unsigned seed = 0; seed < 600; ++seed) {
    int const columns = 1 + static_cast<int>(seed % 13);
    ConflictGraph const graph =
        column_conflicts(random_pattern(3 + static_cast<int>(seed % 10), columns, 15 + seed % 50, seed));
    Matching const matching = maximum_matching(graph);
    ASSERT_TRUE(is_valid(matching, graph)) << seed;
    ASSERT_EQ(zero_columns(matching), fewest_zeros(graph)) << seed;
  }
}

TEST(MaximumMatching, TheInitialMatchingDoesNotMatter) {
  std::mt19937 engine(5);
  for (unsigned seed = 0; seed < 200; ++seed) {
    ConflictGraph const graph = column_conflicts(random_pattern(12, 40, 20 + seed % 30, seed));
    Matching initial{std::vector<int>(40, Matching::none)};
    for (int trial = 0; trial < 200; ++trial) {
      int const i = static_cast<int>(engine() % 40u), j = static_cast<int>(engine() % 40u);
      if (i == j || graph.conflict(i, j) || initial.partner[at(i)] >= 0 || initial.partner[at(j)] >= 0) continue;
      initial.partner[at(i)] = j;
      initial.partner[at(j)] = i;
    }
    Matching const matching = maximum_matching(graph, initial);
    ASSERT_TRUE(is_valid(matching, graph)) << seed;
    ASSERT_EQ(zero_columns(matching), zero_columns(maximum_matching(graph))) << seed;
  }
}

TEST(MaximumMatching, ManyRowsAndAnInitialMatchingOfAnotherSize) {
  Matrix far(200, 2);  // a conflict in the last word of the row sets only
  far(199, 0) = far(199, 1) = 1.0;
  EXPECT_TRUE(column_conflicts(far).conflict(0, 1));
  EXPECT_THROW(maximum_matching(column_conflicts(far), Matching{{-1}}), Error);
}

TEST(MatchedOrder, PairsAre24) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Matrix const m          = random_pattern(8, 1 + static_cast<int>(seed % 30), 30, seed);
    Matching const matching = maximum_matching(column_conflicts(m));
    Order const order       = matched_order(matching, 4);
    ASSERT_TRUE(is_permutation(order));
    ASSERT_LT(static_cast<int>(order.size()), m.columns() + zero_columns(matching) + 4);
    ASSERT_TRUE(fits_24(permute_columns(pad_columns(m, static_cast<int>(order.size())), order))) << seed;
  }
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
