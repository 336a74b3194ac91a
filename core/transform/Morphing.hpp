// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Terms.hpp>
#include <transform/Matrix.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Outputs that one column of the product computes, along each axis. In SparStencil's words x is r1, the
/// columns that the horizontal crush merges, and y is r2, those of the vertical crush.
struct Tile {
  int z = 1, y = 1, x = 1;

  int outputs() const { return z * y * x; }
};

/// A stencil as a kernel matrix A' (SparStencil section 3.1): row (oz * tile.y + oy) * tile.x + ox is an
/// output of the tile, a column is an input that some output of the tile reads. B' has one column a tile:
/// the inputs of its columns, none of them twice.
///
/// Inputs that no output reads have no column.
struct Morphed {
  Tile tile;
  std::array<int, 3> first{};  ///< smallest offset of the stencil along each axis
  std::array<int, 3> width{};  ///< offsets it spans along each axis: k
  Matrix a{0, 0};
  std::vector<int> window;  ///< for each column its input as an index of the window, x fastest

  /// Extent of the window along each axis.
  std::array<int, 3> extent() const;
  /// The input of a column, as an offset from the first output of the tile.
  std::array<int, 3> input(int column) const;
};

/// Stencil flattening and duplicates crush. The tile {1, 1, 1} is flattening alone: the kernel vector.
/// Linear in window, terms times outputs, and the size of A'.
///
/// @param terms without repeats; at least one
/// @throws Error for no terms or a tile without outputs
Morphed morph(std::vector<Term> const& terms, Tile const& tile);

}  // namespace Transform
}  // namespace KokkosStencil
