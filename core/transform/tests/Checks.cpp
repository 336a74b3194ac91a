// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.hpp"

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool is_permutation(Order const& order) {
  std::vector<bool> seen(order.size(), false);
  for (int i : order) {
    if (i < 0 || index(i) >= order.size() || seen[index(i)]) return false;
    seen[index(i)] = true;
  }
  return true;
}

Order inverse(Order const& order) {
  Order result(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) result[index(order[k])] = static_cast<int>(k);
  return result;
}

bool fits_24(Matrix const& matrix) {
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int g = 0; g < matrix.columns() / 4; ++g) {
      int count = 0;
      for (int p = 0; p < 4; ++p) count += matrix(i, 4 * g + p) != 0.0 ? 1 : 0;
      if (count > 2) return false;
    }
  }
  return matrix.columns() % 4 == 0;
}

Matrix expand_24(Matrix const& stored, Selection const& selection) {
  Matrix matrix(stored.rows(), 2 * stored.columns());
  for (int i = 0; i < stored.rows(); ++i) {
    for (int g = 0; g < selection.groups(); ++g) {
      for (int e = 0; e < 2; ++e) matrix(i, 4 * g + selection(i, g)[static_cast<unsigned>(e)]) = stored(i, 2 * g + e);
    }
  }
  return matrix;
}

bool is_valid(Matching const& matching, ConflictGraph const& graph) {
  int const size = static_cast<int>(matching.partner.size());
  if (size != graph.size()) return false;
  for (int v = 0; v < size; ++v) {
    int const w = matching.partner[index(v)];
    if (w == Matching::none) continue;
    if (w < 0 || w >= size || w == v || matching.partner[index(w)] != v || graph.conflict(v, w)) return false;
  }
  return true;
}

}  // namespace Transform
}  // namespace KokkosStencil
