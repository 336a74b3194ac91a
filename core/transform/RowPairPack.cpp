// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/RowPairPack.hpp>

#include <KokkosStencil_Error.hpp>

#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int reach = 8;

/// The input under column k of a product: its row of the pair, and its place from the block's first output.
struct Input {
  int row, x;
};

Input input_of(int product, int k) {
  if (product < 2) return {product, k - reach};
  return {k / 8, 8 + k % 8};
}

}  // namespace

RowPairPack pack_row_pairs(std::vector<Term> const& terms, Element element, int first_row) {
  double weights[row_pair_rows][2 * reach + 1] = {};
  for (Term const& t : terms) {
    int const row = t.offset[1] - first_row, x = t.offset[2] + reach;
    if (t.offset[0] != 0 || row < 0 || row >= row_pair_rows || x < 0 || x > 2 * reach) {
      throw Error("Transform::pack_row_pairs: a term at " + std::to_string(t.offset[0]) + ", " +
                  std::to_string(t.offset[1]) + ", " + std::to_string(t.offset[2]));
    }
    weights[row][x] = t.coefficient;
  }
  RowPairPack pack;
  pack.a.reserve(RowPairPack::index(row_pairs, 0, 0));
  for (int pair = 0; pair < row_pairs; ++pair) {
    for (int product = 0; product < row_pair_products; ++product) {
      Matrix matrix(2 * row_pair_outputs, 16);
      for (int m = 0; m < matrix.rows(); ++m) {
        for (int k = 0; k < matrix.columns(); ++k) {
          Input const input = input_of(product, k);
          int const row     = 2 * pair + input.row - m / row_pair_outputs;
          int const x       = input.x - m % row_pair_outputs + reach;
          if (row >= 0 && row < row_pair_rows && x >= 0 && x <= 2 * reach) matrix(m, k) = weights[row][x];
        }
      }
      for (auto const& lane : fragment_a(round_matrix(matrix, element))) {
        pack.a.insert(pack.a.end(), lane.begin(), lane.end());
      }
    }
  }
  return pack;
}

}  // namespace Transform
}  // namespace KokkosStencil
