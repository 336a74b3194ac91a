// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/Tuning.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/TilePack.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// Which layout the kernels run for a problem, and what it costs: pure functions of a problem and a GPU's size.
//
// A block streams along z. That is the slowest axis of a 3-D View; in 2-D it counts rows (y has one), and in 1-D the
// rows that the line is cut into. In each turn its warps compute tiles of tile.z planes from a ring of planes in shared
// memory, into which the next planes are copied meanwhile.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

/// Planes of the input in shared memory.
struct PlaneRing {
  std::array<int, 2> lower{}, upper{};  ///< how far planes and rows reach from an output
  int rows        = 0;                  ///< of a plane
  int plane_words = 0;                  ///< pitch
  int planes      = 0;                  ///< a multiple of tile.z; 0 if there is no such ring
  int at          = 0;                  ///< bytes from the start of shared memory
};

/// How a block computes, and where everything lies in its shared memory.
struct Layout {
  enum Kind { line, plane, space };

  Kind kind = space;
  std::array<int, 3> lower{}, upper{};  ///< how far terms reach, on the kernel's axes
  int splits = 1;                       ///< matrices of a coefficient: 2 where it is the sum of two halves
  Transform::Tile tile{0, 0, 0};
  std::size_t kernel = 0;     ///< of Tuning.hpp
  int warps          = 0;     ///< of a block
  int steps          = 0;     ///< products of 32 columns; before the columns are matched the least there may be
  int units_across   = 1;     ///< units side by side in a block; the others are one below the other
  int width = 0, height = 0;  ///< outputs of a block in a plane
  int left        = 0;        ///< columns copied before the first output, a multiple of 8
  int row_vectors = 0, row_words = 0;   ///< 16-byte vectors of a copied row; its pitch in shared memory
  int row_threads = 0;                  ///< threads that copy a row
  PlaneRing ring;                       ///< all planes
  PlaneRing near_ring;                  ///< if there is one: planes near the output, with rows that the other one lacks
  int phases      = 0;                  ///< turns after which the rings begin at their first plane again
  int metadata_at = 0, offsets_at = 0;  ///< of the tables
  int bytes         = 0;                ///< of shared memory
  int blocks_per_sm = 0;
  double clocks     = 0.0;  ///< clocks of a multiprocessor for a turn of a warp

  explicit operator bool() const { return tile.outputs() > 0; }
  KernelTuning const& tuning() const { return kernels[kernel]; }
  Transform::Banks banks() const { return {ring.plane_words, row_words, tile.x / 2}; }
  /// The word of an input, which is given by its offset from a tile's first output, after the rings have turned `phase`
  /// times. Counted from the place of the tile in the first ring.
  int word(std::array<int, 3> const& input, int phase) const;
  /// Sets the number of steps. Returns false if the layout does not fit in shared memory any more.
  bool set_steps(int count, int shared_bytes);
};

/// Fills in everything that follows from tile, kernel, warps and steps. Returns false if that does not fit in shared
/// memory.
bool lay_out(Layout& layout, std::vector<Term> const& terms, int shared_bytes);

/// Chunks of planes, cut so that all multiprocessors are busy to the end.
struct Chunks {
  std::int64_t length = 0, count = 0;
  double turns  = 0.0;  ///< turns that the warps of a multiprocessor do one after another, with the starts of chunks
  double warps  = 1.0;  ///< resident warps of a multiprocessor, over those there is room for
  double filled = 1.0;  ///< the same, but at least what hides latencies: factor on the clocks of the turns
  double start  = 1.0;  ///< with one wave of blocks: factor on the clocks of the turns, since all start at once
};
/// `columns`: blocks side by side, along x and y.
Chunks cut_planes(Layout const& layout, std::int64_t planes, std::int64_t columns, int multiprocessors);

/// The same for a problem. Without the launch and the points near faces a sweep takes turns * layout.clocks * start,
/// times `filled` where multiprocessors have room for more warps.
Chunks cut_planes(Layout const& layout, Problem const& problem, int multiprocessors);

constexpr std::int64_t vector_elements = 8, line_elements = 64;  ///< of 16 bytes, of a line of memory

/// Where the first block along x begins: blocks write whole lines of memory, if the alignment of the input allows that.
/// Phases are elements from the start of a line of memory.
std::int64_t first_column(std::int64_t begin, std::int64_t in_phase, std::int64_t out_phase);

/// The cheapest layout. It is false if all need more shared memory than a block may have.
Layout choose_layout(Problem const& problem, int multiprocessors, int shared_bytes);

/// The terms on the kernel's axes.
std::vector<Term> kernel_terms(Problem const& problem);

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
