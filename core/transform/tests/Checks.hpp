// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Matching.hpp>
#include <transform/Sparse24.hpp>
#include <transform/StridedSwap.hpp>

// What tests ask of matrices, orders and matchings.

namespace KokkosStencil {
namespace Transform {

/// Whether every index from 0 to size - 1 occurs exactly once.
bool is_permutation(Order const& order);

/// The order that undoes another.
Order inverse(Order const& order);

/// Whether every group of four adjacent columns has at most two non-zeros in every row.
bool fits_24(Matrix const& matrix);

/// Undoes compress_24: rows x 2 columns.
Matrix expand_24(Matrix const& stored, Selection const& selection);

/// Whether the matching is symmetric and no two that it puts together are in conflict.
bool is_valid(Matching const& matching, ConflictGraph const& graph);

}  // namespace Transform
}  // namespace KokkosStencil
