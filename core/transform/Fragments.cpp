// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Fragments.hpp>

#include <KokkosStencil_Error.hpp>

#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int mma_rows = 16;

std::uint32_t pair_at(Bits const& matrix, int row, int column) {
  return std::uint32_t{matrix(row, column)} | std::uint32_t{matrix(row, column + 1)} << 16;
}

void require_shape(char const* where, int rows, int columns, int expected_columns) {
  if (rows != mma_rows || columns != expected_columns) {
    throw Error(std::string("Transform::") + where + ": the operand is " + std::to_string(rows) + " x " +
                std::to_string(columns) + ", not " + std::to_string(mma_rows) + " x " +
                std::to_string(expected_columns));
  }
}

// Sixteen bits: the metadata of four adjacent groups of a row.
std::uint32_t four_groups(Selection const& selection, int row, int first) {
  std::uint32_t word = 0;
  for (int g = 0; g < 4; ++g) word |= std::uint32_t{selection.bits(row, first + g)} << (4 * g);
  return word;
}

std::uint32_t two_rows(Selection const& selection, int row, int first) {
  return four_groups(selection, row, first) | four_groups(selection, row + 8, first) << 16;
}

}  // namespace

Bits round_matrix(Matrix const& matrix, Element element) {
  Bits bits(matrix.rows(), matrix.columns());
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.columns(); ++j) bits(i, j) = to_bits(matrix(i, j), element);
  }
  return bits;
}

Fragment<4> fragment_a(Bits const& matrix) {
  require_shape("fragment_a", matrix.rows(), matrix.columns(), 16);
  Fragment<4> fragment{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    int const row = lane / 4, column = 2 * (lane % 4);
    fragment[static_cast<std::size_t>(lane)] = {{pair_at(matrix, row, column), pair_at(matrix, row + 8, column),
                                                 pair_at(matrix, row, column + 8),
                                                 pair_at(matrix, row + 8, column + 8)}};
  }
  return fragment;
}

LaneWords metadata_k32(std::vector<Selection> const& operands) {
  if (operands.empty() || operands.size() > 2) {
    throw Error("Transform::metadata_k32: " + std::to_string(operands.size()) + " operands; one register holds 1 or 2");
  }
  for (Selection const& s : operands) require_shape("metadata_k32", s.rows(), s.groups(), 8);
  LaneWords words{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    Selection const& operand              = lane % 4 < 2 ? operands.front() : operands.back();
    words[static_cast<std::size_t>(lane)] = two_rows(operand, lane / 4, 4 * (lane % 2));
  }
  return words;
}

}  // namespace Transform
}  // namespace KokkosStencil
