// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Pack.hpp>

#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Each split of a value counts 2^-11 of the one before.
constexpr int split_bits = 11;

/// The matrices of a Pack for float data that become halves in the kernel: the coefficients times 2^scale_log2, as the
/// sum of `splits` halves, split p times 2^(-11 p). Rows of A are in order: row m computes output m of its block.
struct FloatPack {
  int splits     = 1;
  int scale_log2 = 0;
  std::vector<ChunkKey> chunks;  ///< by (dz, dy, shift)
  std::vector<std::uint32_t> a;  ///< [split][chunk][lane][4]
  LaneWords metadata{};

  std::size_t index(int split, int chunk, int lane) const {
    auto const n = static_cast<std::size_t>(split) * chunks.size() + static_cast<std::size_t>(chunk);
    return (n * warp_lanes + static_cast<std::size_t>(lane)) * 4;
  }
};

/// The power of two that brings the largest coefficient into [2^14, 2^15).
int float_scale_log2(std::vector<Term> const& terms);

/// Largest relative error of a coefficient as the sum of so many splits.
double float_coefficient_error(std::vector<Term> const& terms, int splits);

/// @throws Error as pack_sparse does
FloatPack pack_float(std::vector<Term> const& terms, int splits);

}  // namespace Transform
}  // namespace KokkosStencil
