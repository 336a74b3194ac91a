// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Pack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace Model {

/// A three-dimensional field of 16-bit elements, x contiguous. Element 0 of the storage is taken to lie
/// on a 16-byte boundary; `start` moves the field off it.
struct Field {
  int nz, ny, nx, pitch, start;
  std::vector<std::uint16_t> storage;

  Field(int z, int y, int x, int pitch_in, int start_in = 0);
  std::size_t index(int z, int y, int x) const;
  std::uint16_t& operator()(int z, int y, int x) { return storage[index(z, y, x)]; }
  std::uint16_t operator()(int z, int y, int x) const { return storage[index(z, y, x)]; }
};

/// What one warp computes from 128 outputs.
struct WarpResult {
  std::array<float, 128> sums;          ///< from the accumulators
  std::array<std::uint16_t, 128> bits;  ///< through movmatrix and the lanes' 8-byte stores
};

/// Runs a warp of the kernel that README.md describes on the model: outputs x0 to x0 + 127 of row (z, y).
///
/// @throws std::invalid_argument if a lane's load is not one aligned 16-byte vector
WarpResult run_warp(Pack const& pack, Field const& in, int z, int y, int x0, int selector = 0);

}  // namespace Model
}  // namespace Transform
}  // namespace KokkosStencil
