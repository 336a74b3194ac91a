// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Sparse24.hpp>

#include <KokkosStencil_Error.hpp>

#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

std::string place(int row, int group) {
  return "group " + std::to_string(group) + " (columns " + std::to_string(4 * group) + " to " +
         std::to_string(4 * group + 3) + ") of row " + std::to_string(row);
}

int nonzeros(Matrix const& matrix, int row, int group) {
  int count = 0;
  for (int p = 0; p < 4; ++p) count += matrix(row, 4 * group + p) != 0.0 ? 1 : 0;
  return count;
}

Selection::Kept kept_positions(Matrix const& matrix, int row, int group) {
  std::array<std::uint8_t, 2> found{};
  unsigned count = 0;
  for (std::uint8_t p = 0; p < 4; ++p) {
    if (matrix(row, 4 * group + p) != 0.0) found[count++] = p;
  }
  if (count == 2) return found;
  if (count == 0) return {{0, 1}};
  if (found[0] == 3) return {{2, 3}};
  return {{found[0], static_cast<std::uint8_t>(found[0] + 1)}};
}

}  // namespace

Selection select_24(Matrix const& matrix) {
  if (matrix.columns() % 4 != 0) {
    throw Error("Transform::select_24: " + std::to_string(matrix.columns()) +
                " columns are not a multiple of four; pad the matrix");
  }
  Selection selection(matrix.rows(), matrix.columns() / 4);
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int g = 0; g < selection.groups(); ++g) {
      if (nonzeros(matrix, i, g) > 2) {
        throw Error("Transform::select_24: " + place(i, g) + " has more than two non-zeros; reorder the columns");
      }
      selection(i, g) = kept_positions(matrix, i, g);
    }
  }
  return selection;
}

Matrix compress_24(Matrix const& matrix, Selection const& selection) {
  Matrix stored(matrix.rows(), matrix.columns() / 2);
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int g = 0; g < selection.groups(); ++g) {
      int count = 0;
      for (int e = 0; e < 2; ++e) {
        double const value   = matrix(i, 4 * g + selection(i, g)[static_cast<unsigned>(e)]);
        stored(i, 2 * g + e) = value;
        count += value != 0.0 ? 1 : 0;
      }
      if (count != nonzeros(matrix, i, g)) {
        throw Error("Transform::compress_24: the selection leaves out a non-zero in " + place(i, g));
      }
    }
  }
  return stored;
}

}  // namespace Transform
}  // namespace KokkosStencil
