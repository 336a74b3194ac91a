// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ColumnMatching.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int none = Matching::none;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void require_levels(std::vector<Stairs> const& levels) {
  for (Stairs const& s : levels) {
    if (s.columns < 1 || s.width < 1 || s.width > s.columns) {
      throw Error("Transform::staircase_matching: a staircase " + std::to_string(s.width) + " wide does not fit " +
                  std::to_string(s.columns) + " columns");
    }
  }
}

// Pairs columns half of all apart, in the order that has one level slowest; `inner` columns of the given
// order share an index on that level and on the slower ones.
Matching half_apart(int total, int columns, int inner) {
  Matching matching{std::vector<int>(at(total), none)};
  int const others     = total / columns;
  auto const column_at = [=](int position) {
    int const index = position / others, other = position % others;
    return (other / inner * columns + index) * inner + other % inner;
  };
  for (int p = 0; p < total / 2; ++p) {
    int const c = column_at(p), d = column_at(p + total / 2);
    matching.partner[at(c)] = d;
    matching.partner[at(d)] = c;
  }
  return matching;
}

std::vector<std::array<int, 3>> lookup_table(Morphed const& morphed, Order const& order) {
  std::vector<std::array<int, 3>> inputs;
  inputs.reserve(order.size());
  for (int column : order) {
    bool const zero = column >= morphed.a.columns();
    // The zero column of a pair is its second; a group that only fills up follows some pair.
    inputs.push_back(zero ? inputs.back() : morphed.input(column));
  }
  return inputs;
}

}  // namespace

ConflictGraph column_conflicts(Matrix const& matrix) {
  // A column beside its copy: where it is not zero, nothing else has room.
  Matrix twice(matrix.rows(), 2 * matrix.columns());
  for (int i = 0; i < twice.rows(); ++i) {
    for (int j = 0; j < twice.columns(); ++j) twice(i, j) = matrix(i, j / 2);
  }
  return ConflictGraph(twice);
}

int zero_columns(Matching const& matching) {
  return static_cast<int>(std::count(matching.partner.begin(), matching.partner.end(), none));
}

Matching maximum_matching(ConflictGraph const& graph) {
  return maximum_matching(graph, {std::vector<int>(at(graph.size()), none)});
}

bool is_staircase(Matrix const& matrix, int k) {
  for (int r = 0; r < matrix.rows(); ++r) {
    for (int c = 0; c < matrix.columns(); ++c) {
      if ((matrix(r, c) != 0.0) != (r <= c && c < r + k)) return false;
    }
  }
  return true;
}

std::vector<Stairs> levels(Morphed const& morphed) {
  std::vector<Stairs> levels;
  for (std::size_t axis = 0; axis < 3; ++axis) levels.push_back({morphed.extent()[axis], morphed.width[axis]});
  return levels;
}

// A pattern with a hole misses its entry in row 0, so the rows of A' of a box are full.
bool is_box(Morphed const& morphed) {
  int entries = 0;
  for (int c = 0; c < morphed.a.columns(); ++c) entries += morphed.a(0, c) != 0.0 ? 1 : 0;
  return entries == morphed.width[0] * morphed.width[1] * morphed.width[2];
}

Matching staircase_matching(std::vector<Stairs> const& levels) {
  require_levels(levels);
  int total = 1;
  for (Stairs const& s : levels) total *= s.columns;
  int inner = total;
  for (Stairs const& s : levels) {
    inner /= s.columns;
    if (2 * s.width <= s.columns) return half_apart(total, s.columns, inner);
  }
  Matching matching{std::vector<int>(at(total), none)};
  for (int c = 0; c < total; ++c) {
    inner = total;
    for (Stairs const& s : levels) {
      inner /= s.columns;
      int const index = c / inner % s.columns;
      int const step  = index < s.columns - s.width ? s.width : index >= s.width ? -s.width : 0;
      if (step == 0) continue;
      matching.partner[at(c)] = c + step * inner;
      break;
    }
  }
  return matching;
}

Matching match_columns(Morphed const& morphed) {
  Matching box = staircase_matching(levels(morphed));
  if (is_box(morphed)) return box;
  std::vector<int> column(box.partner.size(), none);
  for (std::size_t c = 0; c < morphed.window.size(); ++c) column[at(morphed.window[c])] = static_cast<int>(c);
  Matching initial;
  initial.partner.reserve(morphed.window.size());
  for (int index : morphed.window) {
    int const other = box.partner[at(index)];
    initial.partner.push_back(other == none ? none : column[at(other)]);
  }
  return maximum_matching(column_conflicts(morphed.a), std::move(initial));
}

Order matched_order(Matching const& matching, int unit) {
  int const columns = static_cast<int>(matching.partner.size());
  int const padded  = (columns + zero_columns(matching) + unit - 1) / unit * unit;
  int zero          = columns;
  Order order;
  order.reserve(at(padded));
  for (int c = 0; c < columns; ++c) {
    int const d = matching.partner[at(c)];
    if (d != none && d < c) continue;
    order.push_back(c);
    order.push_back(d == none ? zero++ : d);
  }
  while (static_cast<int>(order.size()) < padded) order.push_back(zero++);
  return order;
}

Matrix pad_columns(Matrix const& matrix, int columns) {
  Matrix result(matrix.rows(), columns);
  for (int i = 0; i < matrix.rows(); ++i) {
    for (int j = 0; j < matrix.columns(); ++j) result(i, j) = matrix(i, j);
  }
  return result;
}

TilePack pack_tile(std::vector<Term> const& terms, Tile const& tile, Element element, Coefficients coefficients) {
  Morphed const morphed   = morph(terms, tile);
  Matching const matching = match_columns(morphed);
  Order const order       = matched_order(matching, 32);
  Matrix const padded     = pad_columns(morphed.a, static_cast<int>(order.size()));

  TilePack pack     = pack_matrix(permute_columns(padded, order), terms, tile, element, coefficients);
  pack.zero_columns = zero_columns(matching);
  pack.inputs       = lookup_table(morphed, order);
  return pack;
}

}  // namespace Transform
}  // namespace KokkosStencil
