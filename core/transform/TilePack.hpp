// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Fragments.hpp>
#include <transform/Morphing.hpp>
#include <transform/Pack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A morphed stencil as operands of mma.sp m16n8k32 (SparStencil section 3.3, code generation), for any
/// pattern and tile. One column of B is one tile, so a product computes 8 of them, wherever they are.
///
/// A' is cut into blocks of 16 outputs and steps of 32 columns. For block b and step s, registers a come
/// from index(split, b, s, lane), metadata from metadata_index(b, s, lane) with selector s % 2; row k of B,
/// which the fragment of the instruction asks for, is the input at inputs[32 s + k] from the first output
/// of the tile; row r of the accumulators of block b is output 16 b + output[r] of the tile (see Morphed).
struct TilePack {
  Element element = Element::half;
  Tile tile;
  int splits = 1;                       ///< 1, or 2 with the lo matrices, as in Pack
  int blocks = 0;                       ///< of 16 outputs; rows past the last output are zero
  int steps  = 0;                       ///< of 32 columns
  std::vector<std::uint32_t> a;         ///< [splits][blocks][steps][lane][4]
  std::vector<std::uint32_t> metadata;  ///< [blocks][(steps + 1) / 2][lane]: two steps share a register
  /// The lookup table: for every column of every step an offset (dz, dy, dx).
  std::vector<std::array<int, 3>> inputs;
  std::array<int, 16> output{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};
  int zero_columns         = 0;    ///< that the matching needs, without those that fill up the last step
  double coefficient_error = 0.0;  ///< as in Pack
  int scale_log2           = 0;    ///< the stored coefficients are the true ones times 2^scale_log2

  std::size_t index(int split, int block, int step, int lane) const {
    auto const n =
        (static_cast<std::size_t>(split) * static_cast<std::size_t>(blocks) + static_cast<std::size_t>(block)) *
            static_cast<std::size_t>(steps) +
        static_cast<std::size_t>(step);
    return (n * warp_lanes + static_cast<std::size_t>(lane)) * 4;
  }
  std::size_t metadata_index(int block, int step, int lane) const {
    auto const n = static_cast<std::size_t>(block) * static_cast<std::size_t>((steps + 1) / 2) +
                   static_cast<std::size_t>(step / 2);
    return n * warp_lanes + static_cast<std::size_t>(lane);
  }
};

/// Packs a kernel matrix whose columns are in an order that is 2:4, 32 a step. Which inputs they are is left to say,
/// and which outputs the rows.
///
/// @param terms the coefficients of the matrix
/// @throws Error for coefficients that are not finite or overflow the element type
TilePack pack_matrix(Matrix const& a, std::vector<Term> const& terms, Tile const& tile, Element element,
                     Coefficients coefficients);

/// Where a kernel keeps its input, in 32-bit words of shared memory: words from one plane to the next, from one row to
/// the next, and from one tile to the next of eight side by side. Words 32 apart share a bank.
struct Banks {
  int plane, row, tile;
};

/// Packs a stencil for kernels that read two adjacent inputs at once: rows 2 k and 2 k + 1 of B are inputs dx and dx +
/// 1 with dx even, so that every register of B is one 32-bit load. Pairs of inputs, rather than columns, are matched in
/// groups of four with at most two non-zeros a row, those first that lie in different banks; the four pairs which one
/// load of a warp reads are chosen for the banks too. Two splits of half are multiplied by a power of two that brings
/// the largest coefficient into [2^14, 2^15), so that neither underflows (`scale_log2`). Rows are in output_order(), so
/// that movmatrix leaves every lane four adjacent outputs. Inputs that complete a pair or a group may be some that the
/// tile does not need, at most one beside those that it does.
TilePack pack_pairs(std::vector<Term> const& terms, Tile const& tile, Banks const& banks,
                    Element element = Element::half, Coefficients coefficients = Coefficients::automatic);

/// Whether pack_pairs can store these coefficients: exactly or as holds_split says.
bool pairs_hold(std::vector<Term> const& terms, Element element);

/// The pairs of inputs that tiles of some number of columns read.
class PairRows {
 public:
  PairRows(std::vector<Term> const& terms, int columns);

  /// Steps of pack_pairs for such a tile if every pair finds a partner, or every group is full.
  int least_steps(int planes, int rows) const;

 private:
  int m_terms, m_planes = 0, m_rows = 0, m_words = 0;
  std::vector<std::uint64_t> m_read;  ///< by one row of outputs: a bit for each pair, m_words of them for a row
};

/// Wavefronts of shared memory that a warp needs for all loads of a step, added up over the steps: 4 a step without
/// bank conflicts.
int wavefronts(TilePack const& pack, Banks const& banks);

}  // namespace Transform
}  // namespace KokkosStencil
