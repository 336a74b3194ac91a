// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>
#include <transform/StridedSwap.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Which columns of a kernel matrix are non-zero in a common row (SparStencil, definition 1).
class ConflictGraph {
 public:
  explicit ConflictGraph(Matrix const& matrix);
  /// Columns 2 i and 2 i + 1 as one, number i: two such pairs conflict if some row has more than two non-zeros in them,
  /// so that they cannot share a group of four columns that are 2:4.
  static ConflictGraph of_pairs(Matrix const& matrix);

  int columns() const { return m_columns; }
  /// Whether columns i and j (different ones) have an edge, so cannot form a 1:2 pair.
  bool conflict(int i, int j) const;
  /// The columns without conflict as bits, (columns() + 63) / 64 words; a column is not among its own.
  std::uint64_t const* partners(int column) const { return &m_partners[static_cast<std::size_t>(column) * m_words]; }

 private:
  explicit ConflictGraph(int columns);
  void fill(std::vector<std::uint64_t> const& some, std::vector<std::uint64_t> const& full);

  int m_columns;
  std::size_t m_words;  // 64 columns each
  std::vector<std::uint64_t> m_partners;
};

/// One level of a self-similar staircase: how many (block) columns, and how many of them a row covers.
struct Stairs {
  int columns;
  int width;
};

/// Whether row r is non-zero exactly in columns r to r + k - 1 (SparStencil, definition 4; printed there
/// with r + k - 2 as the last one, which contradicts its theorem 1).
bool is_staircase(Matrix const& matrix, int k);

/// Columns in pairs (SparStencil, definition 3): partner[c] is the other column of the pair, or
/// zero_column.
struct Matching {
  static constexpr int zero_column = -1;

  std::vector<int> partner;

  /// The zero columns that have to be appended: p of problem 1.
  int zeros() const;
};

/// Whether the matching is symmetric and no pair is in conflict.
bool is_valid(Matching const& matching, ConflictGraph const& graph);

/// Hierarchical matching of a staircase of staircases, with the smallest number of zero columns.
/// Linear in the number of columns.
///
/// Columns conflict if on every level they are less than its width apart (theorem 1). So:
///
/// - If some level has at least 2 width columns, put it slowest and pair every column with the one half
///   of all columns further on: on that level they are floor(columns / 2) >= width apart. At most one
///   column is left, which no matching of an odd number avoids.
/// - Otherwise, by levels as SparStencil's algorithm 1: pair a column with the one `width` further on or
///   back on the first level that has one; on the other levels they are alike. What is left is in the
///   middle of every level, less than the width from both ends, so in conflict with every other column:
///   each needs a zero column in any matching (theorem 2).
///
/// Algorithm 1 as published treats the blocks that its first level leaves over by themselves and so takes
/// more zero columns than needed in the first case: 1-D radius 1 with (r1, r2) = (1, 3) leaves 3 of 9.
///
/// @param levels slowest first: column = (i_0 * levels[1].columns + i_1) * ... ; any number of them
/// @throws Error for a level without columns or with a width outside 1 to columns
Matching staircase_matching(std::vector<Stairs> const& levels);

/// A maximum matching of any pattern, so the smallest number of zero columns: Edmonds' blossom algorithm
/// on the complement of the conflict graph, from an initial matching. Cubic in the worst case; a good
/// initial matching leaves few searches.
///
/// @throws Error if the initial matching is of another size; it has to be valid
Matching maximum_matching(ConflictGraph const& graph, Matching initial);
Matching maximum_matching(ConflictGraph const& graph);

/// The permutation of the permutation-invariant transformation (SparStencil section 3.2), on the columns
/// with zero columns appended up to a multiple of `unit`: pairs side by side, by their lower column, then
/// the zero columns that only fill up. Pairs are 1:2, so every four columns are 2:4.
Order matched_order(Matching const& matching, int unit);

/// The matrix with zero columns appended.
Matrix pad_columns(Matrix const& matrix, int columns);

}  // namespace Transform
}  // namespace KokkosStencil
