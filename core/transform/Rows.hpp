// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_Terms.hpp>

#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Outputs along x that one matrix product computes for one block: the M of the tensor-core shapes.
constexpr int block_outputs = 16;
/// Blocks side by side in one product: its N. A warp computes block_outputs * block_count outputs.
constexpr int block_count = 8;
/// Inputs in the window of one block: the K of one sparse product.
constexpr int window_columns = 32;
/// Inputs of the window before the block's first output (for shift 0).
constexpr int window_lead = 8;
/// Offsets along x that one window serves, relative to its shift: -window_lead ... window_lead - 1.
constexpr int window_offsets = 16;
/// Elements of one aligned 16-byte vector of an input row; shifts are multiples of it.
constexpr int vector_elements = 8;

/// A coefficient at an offset along x.
struct Weight {
  int dx;
  double coefficient;
};

/// The terms of a stencil that read one row of the input (SPIDER section 3.1.1).
struct KernelRow {
  int dz, dy;
  std::vector<Weight> weights;  ///< by ascending dx
};

/// What one product does for one row of the kernel: the weights whose offsets fit one window.
///
/// For block n of a warp whose first output is x0, the window is the 32 inputs from
/// x0 + 16 n - 8 + shift of row (z + dz, y + dy), and a weight of output i stands in window column
/// i + 8 + dx - shift.
struct Chunk {
  int dz, dy;
  int shift;  ///< elements, a multiple of vector_elements
  std::vector<Weight> weights;
};

/// Terms by rows of the kernel, in the order of (dz, dy). Linear in the number of terms.
///
/// @param terms sorted by offset, without repeats (as Impl::normalize leaves them); the last axis is x
/// @throws Error if they are not sorted, or if a coefficient is not finite
std::vector<KernelRow> kernel_rows(std::vector<Term> const& terms);

/// One row as the smallest number of chunks, by ascending shift. A row whose offsets lie in [-8, 7] is one
/// chunk of shift 0; a row of any other width or place becomes several or is shifted.
std::vector<Chunk> split_row(KernelRow const& row);

/// The chunks of all rows, sorted by (dz, dy, shift).
std::vector<Chunk> split_rows(std::vector<KernelRow> const& rows);

}  // namespace Transform
}  // namespace KokkosStencil
