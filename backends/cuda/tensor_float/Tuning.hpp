// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>

// The numbers of cuda_tensor_float. Each stands here only: Instances.cu compiles the kernels of the table, Plan.cpp
// chooses among them and predicts their time. Times and efficiencies were measured on an NVIDIA H200 at commit 1065052
// (boxes on 16384^2 points and on small grids; perf_tests/results/nvidia-h200).

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

/// A kernel for planes of stencils; a block is one warp.
struct KernelTuning {
  int rows          = 0;      ///< the most rows of a stencil along y
  bool split        = false;  ///< values are split in two halves and multiplied thrice; else they are rounded to half
  int blocks_per_sm = 0;      ///< blocks for which a multiprocessor has registers
  double efficiency = 0.0;    ///< part of the roofline that large grids reach
  int batch_rows    = 2;      ///< input rows that are copied to shared memory together
  int batches       = 7;      ///< batches of the ring in shared memory; all but two are being copied

  constexpr KernelTuning& with_blocks_per_sm(int n) { return blocks_per_sm = n, *this; }
  constexpr KernelTuning& with_efficiency(double part) { return efficiency = part, *this; }

  /// Products for a row of the stencil.
  constexpr int products() const { return split ? 3 : 1; }
  /// Halves that a coefficient is split in. The third one is used only where inputs differ much in size.
  constexpr int coefficient_splits() const { return split ? 3 : 1; }
  /// Whether there is a second kernel, for rows that begin anywhere. With many split rows its registers would spill.
  constexpr bool anywhere() const { return !split || rows <= 9; }
  /// What a tile costs in addition to its rows, in rows: to fill and to empty its ring.
  constexpr int start_rows() const { return rows + 3; }
};

constexpr KernelTuning rounded_kernel(int rows) {
  KernelTuning k;
  k.rows       = rows;
  k.efficiency = 0.84;
  return k;
}
constexpr KernelTuning split_kernel(int rows) {
  KernelTuning k = rounded_kernel(rows);
  k.split        = true;
  return k;
}

/// Factor on the efficiency for rows that begin anywhere: copies are of single elements, and stores of parts of
/// sectors. And seconds that blocks wait for these on small planes (26 random problems of two GPUs).
constexpr double anywhere_efficiency = 0.55, anywhere_wait = 12e-6;
/// Factors on the efficiency and on the start where rows end with zeros, on padded copies of halos: beside other inputs
/// these take third halves.
constexpr double zeros_efficiency = 0.65, zeros_start = 1.7;

/// By rows. There is no split kernel with 13 rows, since its registers would spill; the one with 15 rows serves.
constexpr KernelTuning kernels[] = {
    rounded_kernel(5).with_blocks_per_sm(16),
    rounded_kernel(7).with_blocks_per_sm(16),
    rounded_kernel(9).with_blocks_per_sm(16),
    rounded_kernel(11).with_blocks_per_sm(12),
    rounded_kernel(13).with_blocks_per_sm(12),
    rounded_kernel(15).with_blocks_per_sm(12),
    split_kernel(5).with_blocks_per_sm(12).with_efficiency(0.70),
    split_kernel(7).with_blocks_per_sm(8).with_efficiency(0.55),
    split_kernel(9).with_blocks_per_sm(8).with_efficiency(0.48),
    split_kernel(11).with_blocks_per_sm(8).with_efficiency(0.50),
    split_kernel(15).with_blocks_per_sm(8).with_efficiency(0.56),
};

/// With fewer terms split values are less accurate than float: their errors, of up to 8 units in the last place each,
/// do not average out, while those of so few fused multiply-adds remain small.
constexpr std::size_t fewest_split_terms = 16;

/// Bytes of an input row in shared memory: 128 elements and 8 on either side, in whole lines of memory.
constexpr int row_bytes = 5 * 128;

/// Seconds in addition to the roofline for a kernel of so many rows: to start, and until the first outputs.
constexpr double start_seconds(int rows) { return 0.2e-6 + 0.3e-6 * rows + 0.033e-6 * rows * rows; }

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
