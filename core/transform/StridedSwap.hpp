// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matrix.hpp>

#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A reordering: position k of the result takes element order[k] of the source.
using Order = std::vector<int>;

/// columns: result(i, k) = matrix(i, order[k]). The input takes the same order of its rows, so that the
/// product stays the same (SPIDER section 3.2).
Matrix permute_columns(Matrix const& matrix, Order const& order);

/// rows: result(k, j) = matrix(order[k], j).
Matrix permute_rows(Matrix const& matrix, Order const& order);

/// Window columns c and c + 16 are the pairs of a group: of a row of the matrix, whose non-zeros lie in 16 adjacent
/// columns, one of the two is zero, so every group of four is 2:4. Groups of columns 2 g, 2 g + 1, 2 g + 16, 2 g + 17
/// keep neighbours together, and they are in the order that fits the B fragment of m16n8k32: lane
/// 4 n + q holds in register j the elements k = 8 j + 2 q + {0, 1} of column n, and window_order() maps
/// these to window columns lane_vector(q) + 2 j + {0, 1}. The four registers of a lane, in order, are one
/// run of eight window columns: one aligned 16-byte vector of the input row, without any shuffle.
///
/// Groups of four elements are made of lanes q and q + 1 (q even), so their chunks are 16 apart.
Order const& window_order();

/// First window column of the chunk that lane 4 n + q reads: 0, 16, 8, 24 for q = 0 to 3.
constexpr int lane_vector(int q) { return 16 * (q & 1) + 8 * (q >> 1); }

/// Which output of the block each row of A computes, so that after the accumulators are rounded to pairs
/// and passed through movmatrix, every lane holds four adjacent outputs.
///
/// movmatrix gives lane 4 n + q the rows 2q, 2q + 1 (from the accumulators of rows 0 to 7) and 8 + 2q,
/// 9 + 2q (from rows 8 to 15) of block n. Made to be outputs 4q to 4q + 3 of the block, they are elements
/// 4 lane to 4 lane + 3 of the warp's 128 outputs.
Order const& output_order();

}  // namespace Transform
}  // namespace KokkosStencil
