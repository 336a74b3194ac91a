// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/StridedSwap.hpp>

#include <transform/Rows.hpp>

#include <cstddef>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Order make_window_order() {
  Order order(index(window_columns));
  for (int q = 0; q < 4; ++q) {
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 2; ++e) order[index(8 * j + 2 * q + e)] = lane_vector(q) + 2 * j + e;
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

Order const& window_order() {
  static Order const order = make_window_order();
  return order;
}

Order const& output_order() {
  static Order const order = make_output_order();
  return order;
}

}  // namespace Transform
}  // namespace KokkosStencil
