// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Fragments.hpp>
#include <transform/Rows.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// How coefficients that are not elements are stored.
enum class Coefficients {
  rounded,   ///< one matrix, each coefficient rounded to the nearest element
  split,     ///< two matrices, hi and lo (see Split)
  automatic  ///< one matrix if that is exact, else two
};

struct PackOptions {
  Element element           = Element::half;
  Coefficients coefficients = Coefficients::automatic;
};

/// Where a chunk reads: row (z + dz, y + dy), window moved by shift elements.
struct ChunkKey {
  int dz, dy, shift;

  friend bool operator==(ChunkKey const& a, ChunkKey const& b) {
    return a.dz == b.dz && a.dy == b.dy && a.shift == b.shift;
  }
};

/// The constant operands of a stencil, ready for the registers of a warp.
///
/// `a` is an array [splits][chunks][steps][lane][4]: split 0 is hi, split 1 lo; a lane loads four registers
/// with one 128-bit load, and a warp reads 512 contiguous bytes. One step of a sparse pack is one
/// m16n8k32, with the lane's four B registers; the two steps of a dense pack are two m16n8k16, with
/// registers 0, 1 and 2, 3 of the same B. How a kernel uses it: README.md in this directory.
struct Pack {
  Element element = Element::half;
  bool sparse     = true;
  int splits      = 1;           ///< 1, or 2 with the lo matrices
  int steps       = 1;           ///< products a chunk: 1 sparse, 2 dense
  std::vector<ChunkKey> chunks;  ///< by (dz, dy, shift)
  std::vector<std::uint32_t> a;
  /// One register for every chunk and split of every sparse pack: selectors 0 and 1 both pick it.
  LaneWords metadata{};
  /// Largest |stored - true| / |true| over the coefficients, 0 if they are exact.
  double coefficient_error = 0.0;

  /// Index in `a` of the first register of a lane.
  std::size_t index(int split, int chunk, int step, int lane) const {
    auto const n = static_cast<std::size_t>(split) * chunks.size() + static_cast<std::size_t>(chunk);
    return ((n * static_cast<std::size_t>(steps) + static_cast<std::size_t>(step)) * warp_lanes +
            static_cast<std::size_t>(lane)) *
           4;
  }
};

/// Whether every coefficient is an element, so that one matrix is exact.
bool exact_in(std::vector<Term> const& terms, Element element);

/// Whether two elements hold each coefficient times 2^scale_log2 to 2^-16 of itself: what they miss vanishes beside the
/// rounding of a result. Takes a fraction of the time of packing.
bool holds_split(std::vector<Term> const& terms, Element element, int scale_log2 = 0);

/// Operands for mma.sp m16n8k32 with the pair-wise swap (window_order) and the rows of output_order.
///
/// All chunks share one selection: that of a full window of 16 offsets, which covers every chunk.
/// Linear in the number of terms (256 table look-ups a chunk and split).
///
/// @param terms sorted by offset, without repeats; the last axis is x
/// @throws Error for unsorted terms, non-finite coefficients, a coefficient that overflows the element
///         type (with its value and the mend)
Pack pack_sparse(std::vector<Term> const& terms, PackOptions const& options = {});

/// Operands for dense mma m16n8k16 in the same orders, so that the kernels differ in nothing but the
/// instruction: the dense twin. Parameters and errors as pack_sparse.
Pack pack_dense(std::vector<Term> const& terms, PackOptions const& options = {});

}  // namespace Transform
}  // namespace KokkosStencil
