// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Fragments.hpp>

#include <impl/KokkosStencil_Terms.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Pairs of input rows that a pair of output rows takes, and dense products of 16 columns a pair.
constexpr int row_pairs         = 8;
constexpr int row_pair_products = 3;
/// Adjacent outputs of a block, and kernel rows that fit.
constexpr int row_pair_outputs = 8;
constexpr int row_pair_rows    = 15;

/// Operands of planar stencils of up to 15 rows for dense products whose 16 rows are two output rows of eight outputs
/// each: output row y + a, output x + e is row 8 a + e. A block of eight outputs has a window of 24 inputs from x - 8,
/// of which two input rows make three products:
///
///     product 0, 1  row 2 i, 2 i + 1: column k is input x - 8 + k
///     product 2     column k is input x + 8 + k % 8 of row 2 i + k / 8
///
/// where i = 0 to 7 and row 0 is the first kernel row of output row y. Fifteen of sixteen rows of the stencil and 15 of
/// 24 columns are not zero; in return inputs stay in their natural order, and windows overlap in memory.
struct RowPairPack {
  std::vector<std::uint32_t> a;  ///< [pair][product][lane][4], as of fragment_a()

  static std::size_t index(int pair, int product, int lane) {
    return (static_cast<std::size_t>(pair * row_pair_products + product) * warp_lanes +
            static_cast<std::size_t>(lane)) *
           4;
  }
};

/// @param first_row offset along y of the first kernel row
/// @throws Error for a term outside of 15 rows, of -8 to 8 along x, or of the plane
RowPairPack pack_row_pairs(std::vector<Term> const& terms, Element element, int first_row);

}  // namespace Transform
}  // namespace KokkosStencil
