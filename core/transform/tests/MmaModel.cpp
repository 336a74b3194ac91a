// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"

#include <cstddef>
#include <stdexcept>

namespace KokkosStencil {
namespace Transform {
namespace Model {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Element i of a lane's fragment: two a register, the first in the low half.
template <std::size_t Registers>
double element_of(Fragment<Registers> const& fragment, int lane, int i, Element element) {
  std::uint32_t const word = fragment[at(lane)][at(i / 2)];
  return static_cast<double>(from_bits(static_cast<std::uint16_t>(i % 2 == 0 ? word & 0xffffu : word >> 16), element));
}

struct Thread {
  int group_id, id_in_group;
};

Thread thread_of(int lane) { return {lane >> 2, lane % 4}; }

// The four bits that describe a chunk of four columns, from half a metadata register.
struct Indices {
  int first, second;
};

Indices indices_of(std::uint32_t word, bool second_row, int chunk) {
  unsigned const bits = word >> (16 * (second_row ? 1 : 0) + 4 * chunk) & 15u;
  Indices const indices{static_cast<int>(bits & 3u), static_cast<int>(bits >> 2)};
  if (indices.first >= indices.second) throw std::invalid_argument("metadata is not ordered");
  return indices;
}

// A (16 x K) from the compressed fragment. Rows: elements 0, 1, 4, 5 belong to group_id, the others to
// group_id + 8; chunks: elements from 4 on are 16 columns further on.
template <std::size_t Registers>
Matrix sparse_operand_a(Element element, Fragment<Registers> const& a, LaneWords const& metadata, int first_lane,
                        bool two_lanes) {
  constexpr int elements = 2 * static_cast<int>(Registers);
  Matrix dense(16, 4 * elements);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    Thread const t = thread_of(lane);
    for (int i = 0; i < elements; i += 2) {
      bool const second_row                  = i % 4 >= 2;
      int const row                          = second_row ? t.group_id + 8 : t.group_id;
      int const first_column                 = 4 * t.id_in_group + (i >= 4 ? 16 : 0);
      int const source                       = 4 * t.group_id + first_lane + (two_lanes ? first_column / 16 : 0);
      Indices const kept                     = indices_of(metadata[at(source)], second_row, first_column % 16 / 4);
      dense(row, first_column + kept.first)  = element_of(a, lane, i, element);
      dense(row, first_column + kept.second) = element_of(a, lane, i + 1, element);
    }
  }
  return dense;
}

Matrix dense_operand_a(Element element, Fragment<4> const& a) {
  Matrix dense(16, 16);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    Thread const t = thread_of(lane);
    for (int i = 0; i < 8; ++i) {
      bool const upper   = i < 2 || (4 <= i && i < 6);
      int const row      = upper ? t.group_id : t.group_id + 8;
      int const column   = 2 * t.id_in_group + (i & 1) + (i >= 4 ? 8 : 0);
      dense(row, column) = element_of(a, lane, i, element);
    }
  }
  return dense;
}

// B (K x 8): every pair of elements is 8 rows below the one before.
template <std::size_t Registers>
Matrix operand_b(Element element, Fragment<Registers> const& b) {
  constexpr int elements = 2 * static_cast<int>(Registers);
  Matrix dense(4 * elements, 8);
  for (int lane = 0; lane < warp_lanes; ++lane) {
    Thread const t = thread_of(lane);
    for (int i = 0; i < elements; ++i) {
      dense(2 * t.id_in_group + (i & 1) + 8 * (i / 2), t.group_id) = element_of(b, lane, i, element);
    }
  }
  return dense;
}

Accumulators multiply(Matrix const& a, Matrix const& b, Accumulators const& c) {
  Accumulators d{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    Thread const t = thread_of(lane);
    for (int i = 0; i < 4; ++i) {
      int const row    = i < 2 ? t.group_id : t.group_id + 8;
      int const column = 2 * t.id_in_group + (i & 1);
      double sum       = static_cast<double>(c[at(lane)][at(i)]);
      for (int k = 0; k < a.columns(); ++k) sum += a(row, k) * b(k, column);
      d[at(lane)][at(i)] = static_cast<float>(sum);
    }
  }
  return d;
}

}  // namespace

Accumulators mma_sp_m16n8k32(Element element, Fragment<4> const& a, Fragment<4> const& b, Accumulators const& c,
                             LaneWords const& metadata, int selector) {
  if (selector != 0 && selector != 1) throw std::invalid_argument("selector of m16n8k32");
  return multiply(sparse_operand_a(element, a, metadata, 2 * selector, true), operand_b(element, b), c);
}

Accumulators mma_sp_m16n8k16(Element element, Fragment<2> const& a, Fragment<2> const& b, Accumulators const& c,
                             LaneWords const& metadata, int selector) {
  if (selector < 0 || selector > 3) throw std::invalid_argument("selector of m16n8k16");
  return multiply(sparse_operand_a(element, a, metadata, selector, false), operand_b(element, b), c);
}

Accumulators mma_m16n8k16(Element element, Fragment<4> const& a, Fragment<2> const& b, Accumulators const& c) {
  return multiply(dense_operand_a(element, a), operand_b(element, b), c);
}

LaneWords movmatrix(LaneWords const& source) {
  // Four lanes hold a row of the source: lane 4 r + q its elements 2q, 2q + 1. The result is held the
  // same way after the transposition.
  auto const half = [&](int row, int column) {
    return source[at(4 * row + column / 2)] >> (16 * (column % 2)) & 0xffffu;
  };
  LaneWords result{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    int const row    = lane / 4;
    int const column = 2 * (lane % 4);
    result[at(lane)] = half(column, row) | half(column + 1, row) << 16;
  }
  return result;
}

}  // namespace Model
}  // namespace Transform
}  // namespace KokkosStencil
