// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Terms.hpp>

#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Most output rows that are computed together.
constexpr int max_stack = 4;

/// A run of consecutive x offsets in one input row that is used by the same output rows.
struct Segment {
  std::int32_t row;                     ///< index into RowSchedule::rows
  std::int16_t first;                   ///< first x offset
  std::int16_t length;                  ///< number of x offsets
  std::uint32_t mask;                   ///< bit j: output row j uses the run
  std::int32_t coefficient[max_stack];  ///< per output row, index of its first coefficient
};

/// An input row, relative to the first output row.
struct Row {
  int dz, dy;
};

/// The order in which a stack of output rows (y, y + 1, ... or the same y of planes z, z + 1, ...) reads its input
/// rows: every loaded value is used for all output rows that need it. For each output row the terms come in
/// canonical order.
struct RowSchedule {
  int stack = 1;
  std::vector<Row> rows;
  std::vector<Segment> segments;
};

/// Terms sorted by offset (z, y, x), as in a Problem. 1 <= stack <= max_stack. Offsets must fit 16 bits. The rows of a
/// stack are of one plane, or of as many planes.
RowSchedule make_row_schedule(std::vector<Term> const& terms, int stack, bool planes = false);

/// Of single rows, with the terms in the order they have.
RowSchedule make_ordered_schedule(std::vector<Term> const& terms);

}  // namespace Transform
}  // namespace KokkosStencil
