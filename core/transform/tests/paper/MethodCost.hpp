// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Pack.hpp>

namespace KokkosStencil {
namespace Transform {

/// What one method spends on one output point, as SPIDER counts it (tables 1 and 2): no reuse between
/// products beyond the method's own tile.
struct Cost {
  double operations;  ///< multiply-adds, zeros of padding included
  double input;       ///< input elements read
  double parameters;  ///< coefficients read
};

/// Cost per point of a two-dimensional box stencil of radius r, derived from the layout of each method;
/// the constants that a method fixes by its tile (8 x 8 points but for tc_stencil) are its own. For radius
/// 3 they are the figures of SPIDER's table 2.
namespace BoxCost {

/// No padding, every input of an 8 x 8 tile and every coefficient read once a tile.
Cost lower_bound(int radius);

/// ConvStencil: two products of flattened windows, (2r+1)^2 long and padded to fours, for 2r + 2 outputs
/// and 8 rows at a time.
Cost conv_stencil(int radius);

/// TCStencil: 2r + 1 dense products 16 x 16 x 16 for the (16 - 2r)^2 valid outputs of a tile.
/// @throws Error for a radius of 8 and more, which leaves no output
Cost tc_stencil(int radius);

/// LoRAStencil: r products of rank one, each two multiplications of 8 x 8 outputs by their window of
/// 8 + 2r, padded to eights. Symmetric kernels only.
Cost lora_stencil(int radius);

/// SPIDER (section 3.1): 2r + 1 products of L x L stored values with 2L inputs, L = 2r + 2, for L outputs
/// in each of 8 columns.
Cost spider(int radius);

}  // namespace BoxCost

/// Cost per point of a pack on the tensor cores: what its instructions do, at 128 outputs each.
/// Operations count stored values (half the window for a sparse pack); input counts the windows as if every
/// chunk loaded its own; parameters count the A registers as if loaded for every product.
Cost pack_cost(Pack const& pack);

}  // namespace Transform
}  // namespace KokkosStencil
