// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/FoldPack.hpp>

#include <transform/Rows.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <cstdlib>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int reach = 1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// The input under column k of a product: its row, and its place from the block's first output.
struct Input {
  int dy, x;
  bool used;
};

Input input_of(int product, int k) {
  int const j = k / 8, q = k % 8 / 2, e = k % 2;
  if (product == 0) return {q / 2 - 1, 8 * (q % 2) + 2 * j + e, true};
  if (q < 2) return {1, 8 * q + 2 * j + e, true};
  return {j - 1, (q == 2 ? -2 : block_outputs) + e, j < 3};
}

/// Of the two pairs of a group, the one nearer to the output.
Selection make_selection() {
  Selection selection(block_outputs, window_columns / 4);
  for (int m = 0; m < block_outputs; ++m) {
    for (int group = 0; group < selection.groups(); ++group) {
      bool const first    = output_order()[at(m)] <= group / 2 * 2 + 4;
      selection(m, group) = first ? Selection::Kept{{0, 1}} : Selection::Kept{{2, 3}};
    }
  }
  return selection;
}

}  // namespace

FoldPack pack_fold(std::vector<Term> const& terms, Element element, int splits) {
  double weights[3][3][3] = {};
  for (Term const& t : terms) {
    for (int const o : t.offset) {
      if (std::abs(o) > reach) throw Error("Transform::pack_fold: a term reaches " + std::to_string(o) + " points");
    }
    weights[t.offset[0] + reach][t.offset[1] + reach][t.offset[2] + reach] = t.coefficient;
  }
  static Selection const selection = make_selection();
  FoldPack pack;
  pack.splits   = splits;
  pack.metadata = metadata_k32({selection});
  pack.a.reserve(pack.index(splits, 0, 0, 0));
  for (int which = 0; which < splits; ++which) {
    for (int plane = 0; plane < fold_planes; ++plane) {
      for (int product = 0; product < fold_products; ++product) {
        Matrix matrix(block_outputs, window_columns);
        for (int m = 0; m < block_outputs; ++m) {
          for (int k = 0; k < window_columns; ++k) {
            Input const input = input_of(product, k);
            int const dx      = input.x - output_order()[at(m)];
            if (!input.used || std::abs(dx) > reach) continue;
            Split const s = split(weights[plane][input.dy + reach][dx + reach], element);
            matrix(m, k)  = static_cast<double>(from_bits(which == 0 ? s.hi : s.lo, element));
          }
        }
        for (auto const& lane : fragment_a(round_matrix(compress_24(matrix, selection), element))) {
          pack.a.insert(pack.a.end(), lane.begin(), lane.end());
        }
      }
    }
  }
  return pack;
}

}  // namespace Transform
}  // namespace KokkosStencil
