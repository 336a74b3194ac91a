// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// A plane whose rows follow each other in memory is one line, which may be cut into rows of any length. Rows of a
// multiple of a vector all begin with one, whatever the pitch of the View's; those of a multiple of a sector (two
// vectors) also read and write whole sectors.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Where a term's value lies in such rows.
struct RowCut {
  int shear;   ///< what lies a row further on lies a row and so many columns further on
  int offset;  ///< columns from an output's to those of the input, whose vectors begin elsewhere
};

/// The cuts that there are kernels for.
constexpr RowCut row_cuts[] = {{1, 0}, {2, 0}, {3, 0}, {-3, 0}, {-2, 0}, {-1, 0}, {0, 1}, {0, 2}, {0, -1}};
constexpr int count_of_cuts = 9;

/// Index of the cut of rows whose pitch leaves so many values of sectors, where input and output begin so many apart in
/// vectors of so many values; -1 if none is needed, or there is none for both.
constexpr int row_cut(int left, int apart, int vector) {
  bool const whole = left % vector == 0;
  RowCut const wanted{whole           ? 0
                      : left < vector ? left
                                      : left - 2 * vector,
                      apart > vector / 2 ? apart - vector : apart};
  for (int k = 0; k < count_of_cuts; ++k) {
    if (row_cuts[k].shear == wanted.shear && row_cuts[k].offset == wanted.offset) return k;
  }
  return -1;
}

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
