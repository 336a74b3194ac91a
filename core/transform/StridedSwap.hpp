// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>

#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A reordering: position k of the result takes element order[k] of the source.
using Order = std::vector<int>;

/// Whether every index from 0 to size - 1 occurs exactly once.
bool is_permutation(Order const& order);

/// The order that undoes another.
Order inverse(Order const& order);

/// columns: result(i, k) = matrix(i, order[k]). The input takes the same order of its rows, so that the
/// product stays the same (SPIDER section 3.2).
Matrix permute_columns(Matrix const& matrix, Order const& order);

/// rows: result(k, j) = matrix(order[k], j).
Matrix permute_rows(Matrix const& matrix, Order const& order);

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

/// The pair-wise rule for L = 16 with the groups in the order that fits the B fragment of m16n8k32: lane
/// 4 n + q holds in register j the elements k = 8 j + 2 q + {0, 1} of column n, and window_order() maps
/// these to window columns lane_piece(q) + 2 j + {0, 1}. The four registers of a lane, in order, are one
/// run of eight window columns: one aligned 16-byte piece of the input row, without any shuffle.
///
/// Groups of four elements are made of lanes q and q + 1 (q even), so their pieces are 16 apart.
Order const& window_order();

/// First window column of the piece that lane 4 n + q reads: 0, 16, 8, 24 for q = 0 to 3.
constexpr int lane_piece(int q) { return 16 * (q & 1) + 8 * (q >> 1); }

/// Which output of the block each row of A computes, so that after the accumulators are rounded to pairs
/// and passed through movmatrix, every lane holds four adjacent outputs.
///
/// movmatrix gives lane 4 n + q the rows 2q, 2q + 1 (from the accumulators of rows 0 to 7) and 8 + 2q,
/// 9 + 2q (from rows 8 to 15) of block n. Made to be outputs 4q to 4q + 3 of the block, they are elements
/// 4 lane to 4 lane + 3 of the warp's 128 outputs.
Order const& output_order();

/// The row of the input (0 to 31) that element i of B in call 0 or 1 of mma.sp.m16n8k16 has to hold under
/// the element-wise rule for radius 7 (SPIDER section 3.2): the row of the unswapped layout plus a term
/// that is constant for each i and call.
///
/// @param lane 0 to 31  @param i element of the lane's fragment, 0 to 3  @param call 0 or 1
int spider_input_row(int lane, int i, int call);

}  // namespace Transform
}  // namespace KokkosStencil
