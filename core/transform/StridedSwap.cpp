// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/StridedSwap.hpp>

#include <transform/Rows.hpp>

#include <KokkosStencil_Error.hpp>

#include <cstddef>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void require_even(char const* where, int L) {
  if (L <= 0 || L % 2 != 0) {
    throw Error(std::string("Transform::") + where + ": L = " + std::to_string(L) + " must be even and positive");
  }
}

Order make_window_order() {
  Order order(index(window_columns));
  for (int q = 0; q < 4; ++q) {
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 2; ++e) order[index(8 * j + 2 * q + e)] = lane_piece(q) + 2 * j + e;
    }
  }
  return order;
}

Order make_output_order() {
  Order order(index(block_outputs));
  for (int row = 0; row < block_outputs; ++row) {
    int const q       = row % 8 / 2;
    order[index(row)] = 4 * q + 2 * (row / 8) + row % 2;
  }
  return order;
}

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

Matrix permute_columns(Matrix const& matrix, Order const& order) {
  Matrix result(matrix.rows(), matrix.columns());
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int k = 0; k < matrix.columns(); ++k) result(i, k) = matrix(i, order[index(k)]);
  }
  return result;
}

Matrix permute_rows(Matrix const& matrix, Order const& order) {
  Matrix result(matrix.rows(), matrix.columns());
  for (int k = 0; k < matrix.rows(); ++k) {
    for (int j = 0; j < matrix.columns(); ++j) result(k, j) = matrix(order[index(k)], j);
  }
  return result;
}

Order spider_swap(int L) {
  require_even("spider_swap", L);
  Order order(index(2 * L));
  for (int k = 0; k < 2 * L; ++k) order[index(k)] = k % 2 == 0 ? k : (k < L ? k + L : k - L);
  return order;
}

Order pair_swap(int L) {
  require_even("pair_swap", L);
  Order order(index(2 * L));
  for (int g = 0; g < L / 2; ++g) {
    for (int e = 0; e < 2; ++e) {
      order[index(4 * g + e)]     = 2 * g + e;
      order[index(4 * g + 2 + e)] = 2 * g + L + e;
    }
  }
  return order;
}

Order const& window_order() {
  static Order const order = make_window_order();
  return order;
}

Order const& output_order() {
  static Order const order = make_output_order();
  return order;
}

int spider_input_row(int lane, int i, int call) {
  int const row  = 16 * call + 2 * (lane % 4) + i % 2 + 8 * (i / 2);
  int const term = i % 2 == 0 ? 0 : (call == 0 ? 16 : -16);
  return row + term;
}

}  // namespace Transform
}  // namespace KokkosStencil
