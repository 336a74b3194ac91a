// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matching.hpp>
#include <transform/Morphing.hpp>
#include <transform/StridedSwap.hpp>
#include <transform/TilePack.hpp>

#include <vector>

// SparStencil's matching by single columns (section 3.2). The library matches pairs of inputs instead.

namespace KokkosStencil {
namespace Transform {

/// The conflict graph of single columns (SparStencil, definition 1): two of them conflict if some row is not zero in
/// both, so that they cannot form a 1:2 pair.
ConflictGraph column_conflicts(Matrix const& matrix);

/// The zero columns that a matching needs: p of problem 1.
int zero_columns(Matching const& matching);

/// From no initial matching.
Matching maximum_matching(ConflictGraph const& graph);

/// One level of a self-similar staircase: how many (block) columns, and how many of them a row covers.
struct Stairs {
  int columns;
  int width;
};

/// Whether row r is non-zero exactly in columns r to r + k - 1 (SparStencil, definition 4; printed there
/// with r + k - 2 as the last one, which contradicts its theorem 1).
bool is_staircase(Matrix const& matrix, int k);

/// The staircases of a morphed stencil's window, slowest axis first.
std::vector<Stairs> levels(Morphed const& morphed);

/// Whether the stencil is a box, so that A' is a staircase of staircases, one level an axis.
bool is_box(Morphed const& morphed);

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

/// The pairs of columns with the smallest number of zero columns: staircase_matching for boxes, and for
/// other patterns maximum_matching from what of the box's matching has both columns.
Matching match_columns(Morphed const& morphed);

/// The permutation of the permutation-invariant transformation (SparStencil section 3.2), on the columns
/// with zero columns appended up to a multiple of `unit`: pairs side by side, by their lower column, then
/// the zero columns that only fill up. Pairs are 1:2, so every four columns are 2:4.
Order matched_order(Matching const& matching, int unit);

/// The matrix with zero columns appended.
Matrix pad_columns(Matrix const& matrix, int columns);

/// Morphs, matches, permutes the columns of A' and with them the inputs, and packs (SparStencil section 3.3, code
/// generation). A zero column repeats an input of its group, so nothing is read that the tile does not need.
///
/// @throws Error as morph, and for coefficients that are not finite or overflow the element type
TilePack pack_tile(std::vector<Term> const& terms, Tile const& tile, Element element = Element::half,
                   Coefficients coefficients = Coefficients::automatic);

}  // namespace Transform
}  // namespace KokkosStencil
