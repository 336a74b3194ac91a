// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SpiderLayout.hpp"

#include <transform/BandMatrix.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
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

}  // namespace

Matrix spider_band(std::vector<Weight> const& weights, int radius) {
  int const outputs = 2 * radius + 2;
  return band_matrix(weights, outputs, 2 * outputs, radius);
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

int spider_input_row(int lane, int i, int call) {
  int const row  = 16 * call + 2 * (lane % 4) + i % 2 + 8 * (i / 2);
  int const term = i % 2 == 0 ? 0 : (call == 0 ? 16 : -16);
  return row + term;
}

Fragment<2> fragment_a_k16(Bits const& stored) {
  if (stored.rows() != 16 || stored.columns() != 8) throw Error("Transform::fragment_a_k16: not 16 x 8 elements");
  Bits full(16, 16);
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 8; ++k) full(i, k) = stored(i, k);
  }
  Fragment<2> fragment{};
  Fragment<4> const all = fragment_a(full);
  for (std::size_t lane = 0; lane < fragment.size(); ++lane) fragment[lane] = {{all[lane][0], all[lane][1]}};
  return fragment;
}

LaneWords metadata_k16(std::vector<Selection> const& operands) {
  if (operands.empty() || operands.size() > 4) {
    throw Error("Transform::metadata_k16: one register holds 1 to 4 operands");
  }
  // Two of four groups each are, in metadata, one of eight.
  std::vector<Selection> pairs(2, Selection(16, 8));
  for (std::size_t slot = 0; slot < 4; ++slot) {
    Selection const& operand = operands[std::min(slot, operands.size() - 1)];
    if (operand.rows() != 16 || operand.groups() != 4) {
      throw Error("Transform::metadata_k16: not 16 rows of 4 groups");
    }
    for (int row = 0; row < 16; ++row) {
      for (int g = 0; g < 4; ++g) pairs[slot / 2](row, static_cast<int>(slot % 2) * 4 + g) = operand(row, g);
    }
  }
  return metadata_k32(pairs);
}

}  // namespace Transform
}  // namespace KokkosStencil
