// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The numbers of cuda_tensor_double. Each stands here only: Instances.cu compiles the kernels of the table, Plan.cpp
// chooses among them and predicts their time. Times were measured on an NVIDIA H200 at commit 1065052 (boxes on 16384^2
// points and on small grids; perf_tests/results/nvidia-h200); the efficiency and what is hidden were fitted to all
// cases there, random ones as well, and to those of an H100.

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

constexpr int block_warps = 4;  ///< strips of columns that a block takes side by side, one for each warp

/// Bytes of an input row in shared memory: 144 elements, the first one 8 before the outputs. Lines of memory stay
/// lines.
constexpr int row_bytes = 10 * 128;

/// A kernel for planes of stencils. 8 outputs are the product of a window of 8 * steps inputs with a band matrix.
struct KernelTuning {
  int rows          = 0;  ///< the most rows of a stencil along y
  int steps         = 0;  ///< products of 8 inputs for a row of the stencil: 2 or 3
  int blocks_per_sm = 0;  ///< blocks for which a multiprocessor has registers

  constexpr KernelTuning& with_blocks_per_sm(int n) { return blocks_per_sm = n, *this; }

  /// Columns that the window has before its outputs, and after them.
  constexpr int reach() const { return 4 * (steps - 1); }
  /// Shared memory of a block: the band matrices, and for each warp a ring of as many input rows as the stencil has.
  constexpr int shared_bytes() const { return rows * steps * 512 + block_warps * rows * row_bytes; }
  /// What a tile costs in addition to its rows, in rows: to fill its ring, and since sums rotate by whole turns.
  constexpr int start_rows() const { return rows * 3 / 2 + 3; }
};

constexpr KernelTuning kernel(int rows, int steps) {
  KernelTuning k;
  k.rows  = rows;
  k.steps = steps;
  return k;
}

/// By rows, then by reach.
constexpr KernelTuning kernels[] = {
    kernel(7, 2).with_blocks_per_sm(3),  kernel(7, 3).with_blocks_per_sm(3),  kernel(9, 2).with_blocks_per_sm(3),
    kernel(9, 3).with_blocks_per_sm(2),  kernel(11, 3).with_blocks_per_sm(2), kernel(13, 3).with_blocks_per_sm(2),
    kernel(15, 3).with_blocks_per_sm(2),
};

/// Part of the roofline that large grids reach, without what is lost by cutting planes into tiles.
constexpr double efficiency = 0.77;
/// Factor on the efficiency for rows that begin anywhere: copies are of single elements, and stores of parts of
/// sectors.
constexpr double anywhere_efficiency = 0.80;

/// Seconds to start; and seconds to fill and empty the pipeline of a tile, which the products of a row and the square
/// of the stencil's rows multiply.
constexpr double start_seconds = 2.0e-6, fill_seconds = 0.0563e-6;
/// Pipelines fill while other blocks multiply: the part of the busy time that hides the filling, and the part of the
/// filling that is never hidden. The most that warps without columns may add, as a factor.
constexpr double hiding_time = 0.15, unhidden_fill = 0.05, most_idle = 2.3;

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
