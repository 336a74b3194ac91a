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

/// Products that a plane takes.
constexpr int fold_products = 2;
/// Planes: the stencil reaches one point each way.
constexpr int fold_planes = 3;

/// Operands of a stencil in space that reaches at most one point along every axis. A window of 32 inputs serves 16
/// offsets, of which these stencils have three: three of its four chunks would be multiplied by zeros for the most
/// part. Here two products serve the three rows of a plane. Block n has outputs x = 16 n to 16 n + 15, and lane 4 n + q
/// holds in register j, element e of B:
///
///     product 0:  q = 0, 1   input 16 n + 8 q + 2 j + e of row -1
///                 q = 2, 3   input 16 n + 8 (q - 2) + 2 j + e of row 0
///     product 1:  q = 0, 1   input 16 n + 8 q + 2 j + e of row 1
///                 q = 2      input 16 n - 2 + e of row j - 1: the left neighbours
///                 q = 3      input 16 n + 16 + e of row j - 1: the right ones; j = 3 is for nothing
///
/// 2:4 holds since a group has pairs of inputs eight apart (or left and right neighbours), of which no output takes
/// more than one. All products share one register of metadata. Rows of A are in output_order().
struct FoldPack {
  int splits = 1;                ///< 1, or 2 with the lo matrices (see Split)
  std::vector<std::uint32_t> a;  ///< [split][plane][product][lane][4]
  LaneWords metadata{};

  std::size_t index(int split, int plane, int product, int lane) const {
    int const matrix = (split * fold_planes + plane) * fold_products + product;
    return (static_cast<std::size_t>(matrix) * warp_lanes + static_cast<std::size_t>(lane)) * 4;
  }
};

/// @param splits 1 rounds the coefficients to elements, 2 splits them
/// @throws Error for a term that reaches farther
FoldPack pack_fold(std::vector<Term> const& terms, Element element, int splits);

}  // namespace Transform
}  // namespace KokkosStencil
