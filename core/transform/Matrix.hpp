// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A small dense matrix, row-major, filled with zeros.
template <class T>
class BasicMatrix {
 public:
  BasicMatrix(int rows, int columns)
      : m_rows(rows), m_columns(columns), m_data(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}

  int rows() const { return m_rows; }
  int columns() const { return m_columns; }

  T& operator()(int row, int column) { return m_data[at(row, column)]; }
  T const& operator()(int row, int column) const { return m_data[at(row, column)]; }

  friend bool operator==(BasicMatrix const& a, BasicMatrix const& b) {
    return a.m_rows == b.m_rows && a.m_columns == b.m_columns && a.m_data == b.m_data;
  }

 private:
  std::size_t at(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(column);
  }

  int m_rows, m_columns;
  std::vector<T> m_data;
};

using Matrix = BasicMatrix<double>;

}  // namespace Transform
}  // namespace KokkosStencil
