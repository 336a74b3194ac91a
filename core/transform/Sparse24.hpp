// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Which two of every four adjacent columns are stored: for each row and group of four, two positions
/// from 0 to 3, the first below the second (the order that ordered metadata asks for).
class Selection {
 public:
  using Kept = std::array<std::uint8_t, 2>;

  Selection(int rows, int groups) : m_kept(rows, groups) {}

  int rows() const { return m_kept.rows(); }
  int groups() const { return m_kept.columns(); }
  Kept& operator()(int row, int group) { return m_kept(row, group); }
  Kept const& operator()(int row, int group) const { return m_kept(row, group); }

  /// The four bits of metadata of a group: the first position in the two low bits.
  unsigned bits(int row, int group) const {
    Kept const& kept = m_kept(row, group);
    return unsigned{kept[0]} | unsigned{kept[1]} << 2;
  }

 private:
  BasicMatrix<Kept> m_kept;
};

/// The positions of the non-zeros. A group with fewer than two keeps placeholder zeros: with one
/// non-zero the position after it (before it, if it is the last), with none positions 0 and 1
/// (SPIDER section 3.1.2).
///
/// @param matrix columns a multiple of four
/// @throws Error if a group has more than two non-zeros, naming row and group
Selection select_24(Matrix const& matrix);

/// The stored values: rows x columns / 2, two a group.
///
/// @throws Error if the selection leaves out a non-zero (it then belongs to another pattern)
Matrix compress_24(Matrix const& matrix, Selection const& selection);

}  // namespace Transform
}  // namespace KokkosStencil
