// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Fragments.hpp>
#include <transform/Rows.hpp>
#include <transform/StridedSwap.hpp>

#include <vector>

// SPIDER's own layout: L x 2 L, odd columns swapped, two m16n8k16. The library's has 16 x 32 and one m16n8k32.

namespace KokkosStencil {
namespace Transform {

/// SPIDER's kernel matrix for a row of the given radius: L = 2 radius + 2 outputs, 4 radius + 2 columns
/// and two of padding, so L x 2L. The window starts `radius` before the first output.
Matrix spider_band(std::vector<Weight> const& weights, int radius);

/// SPIDER's element-wise rule on 2 L columns, L even: odd columns change places with the column L
/// further on, even columns stay (SPIDER section 3.1.2).
///
/// Why 2:4 holds when a matrix row has its non-zeros in at most L - 1 = 2r + 1 adjacent columns. A group
/// holds the even columns 4t, 4t + 2 and the odd ones 4t + 1 +- L, 4t + 3 +- L. An even and an odd one
/// are both inside the run only if they are less than L - 1 apart, which leaves the pair
/// (4t + 3 - L, 4t) of a group in the upper half; then 4t + 1 - L and 4t + 2 are outside. For L = 4j + 2
/// one group straddles the halves: it holds 1, L - 2, L and the padding column 2L - 1.
///
/// @throws Error unless L is even and positive
Order spider_swap(int L);

/// The pair-wise rule on 2 L columns, L even: columns 2g, 2g + 1 and 2g + L, 2g + L + 1 share group g.
///
/// Why 2:4 holds when a matrix row has its non-zeros in at most L adjacent columns (or in any set of
/// columns without two that are L apart): of c and c + L at most one is non-zero, and a group holds two
/// such pairs. Pairs of neighbours stay whole, so 32-bit registers of two elements do.
///
/// @throws Error unless L is even and positive
Order pair_swap(int L);

/// The row of the input (0 to 31) that element i of B in call 0 or 1 of mma.sp.m16n8k16 has to hold under
/// the element-wise rule for radius 7 (SPIDER section 3.2): the row of the unswapped layout plus a term
/// that is constant for each i and call.
///
/// @param lane 0 to 31  @param i element of the lane's fragment, 0 to 3  @param call 0 or 1
int spider_input_row(int lane, int i, int call);

/// The A fragment of the sparse m16n8k16: 16 x 8 stored values, the first two registers of fragment_a.
///
/// @throws Error unless the matrix is 16 x 8
Fragment<2> fragment_a_k16(Bits const& stored);

/// The metadata registers of up to four sparse m16n8k16 operands (16 rows, 4 groups each): operand s is
/// held by lanes 4 g + s, with row g in the low and row g + 8 in the high half. Unused lanes hold the
/// metadata of the last operand.
///
/// @throws Error for no or more than four operands, or other shapes
LaneWords metadata_k16(std::vector<Selection> const& operands);

}  // namespace Transform
}  // namespace KokkosStencil
