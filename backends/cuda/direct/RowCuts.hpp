// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// A plane whose rows follow each other in memory is one line, which may be cut into rows of any length. Rows of a
// multiple of a vector all begin with one, whatever the pitch of the View's.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Where a term's value lies in such rows.
struct RowCut {
  int shear;   ///< what lies a row further on lies a row and so many columns further on
  int offset;  ///< columns from an output's to those of the input, whose vectors begin elsewhere
};

/// The cuts that there are kernels for: what a pitch leaves of vectors, or how far input and output are apart in one,
/// says which. Values of 8 bytes need the first of each three only.
constexpr RowCut row_cuts[] = {{1, 0}, {2, 0}, {-1, 0}, {0, 1}, {0, 2}, {0, -1}};
constexpr int count_of_cuts = 6;

/// Index of the cut of rows that leave so many values of a vector (or are so many apart from the output's), of `vector`
/// values each; -1 where neither is so, or both.
constexpr int row_cut(int left, int apart) { return apart == 0 ? left - 1 : left == 0 ? 3 + apart - 1 : -1; }

/// Columns that a lane's window has on each side.
constexpr int reach_in_cut(bool star, int rows, int columns, RowCut const& cut) {
  int const beside = rows * (cut.shear < 0 ? -cut.shear : cut.shear);
  int const reach  = star ? (beside > columns ? beside : columns) : beside + columns;
  return reach + (cut.offset < 0 ? -cut.offset : cut.offset);
}

/// The least pitch of rows that are cut.
constexpr int least_cut_pitch = 64;

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
