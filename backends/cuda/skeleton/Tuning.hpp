// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The numbers of the family. Each stands here only: Instances.cu compiles the kernels of the table, Plan.cpp chooses
// among them and predicts their time. Say here on which GPU and at which commit they were measured; those of the
// family to copy are guesses.

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

/// A kernel for float and a 2-D star of one radius.
struct KernelTuning {
  int radius        = 0;
  int columns       = 0;    ///< of a block's tile, a thread for each point
  int rows          = 0;    ///< of the tile
  double efficiency = 0.0;  ///< part of the roofline that large grids reach

  constexpr KernelTuning& with_tile(int tile_columns, int tile_rows) {
    return columns = tile_columns, rows = tile_rows, *this;
  }
  constexpr KernelTuning& with_efficiency(double part) { return efficiency = part, *this; }

  /// What follows from the fields.
  constexpr int threads() const { return columns * rows; }
  constexpr int terms() const { return 4 * radius + 1; }
};

constexpr KernelTuning star(int radius) {
  KernelTuning k;
  k.radius = radius;
  return k;
}

constexpr KernelTuning kernels[] = {
    star(1).with_tile(64, 4).with_efficiency(0.7),
};

/// Terms of the largest stencil.
constexpr int most_terms = [] {
  int most = 0;
  for (KernelTuning const& k : kernels) most = k.terms() > most ? k.terms() : most;
  return most;
}();

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
