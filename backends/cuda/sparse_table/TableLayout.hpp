// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/TableKernels.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/TilePack.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// Which layout the table-driven kernel runs, and what it costs: pure functions of a problem and a GPU's size.

namespace KokkosStencil {
namespace CudaModel {

/// What is not zero of this is taken as it is.
struct TableChoice {
  Transform::Tile tile{0, 0, 0};
  int units = 0, warps = 0;
};

/// Planes of the input in shared memory.
struct TableRing {
  std::array<int, 2> lower{}, upper{};  ///< how far planes and rows reach from an output
  int rows        = 0;                  ///< of a plane
  int plane_words = 0;                  ///< pitch
  int planes      = 0;                  ///< a multiple of tile.z
  int at          = 0;                  ///< bytes from the start of shared memory
};

/// A block marches along z, which is the slowest axis of a 3-D View, the rows of a plane (y is then of one row), or the
/// rows that a line is cut into.
struct TableLayout {
  enum Kind { line, plane, space };

  Kind kind = space;
  std::array<int, 3> lower{}, upper{};  ///< how far terms reach, on the kernel's axes
  int parts = 1;
  Transform::Tile tile{0, 0, 0};
  TableKernel kernel{};
  int warps   = 0;                      ///< of a block
  int steps   = 0;                      ///< products of 32 columns; at least, before the columns are matched
  int units_x = 1;                      ///< units side by side in a block; the others are one below the other
  int width = 0, height = 0;            ///< outputs of a block in a plane
  int left       = 0;                   ///< columns copied before the first output, a multiple of 8
  int row_pieces = 0, row_words = 0;    ///< 16-byte pieces of a copied row; its pitch in shared memory
  int copy_lanes = 0;                   ///< threads that copy a row
  TableRing ring;                       ///< all planes
  TableRing wide;                       ///< of reaching kernels, if not empty: what the other ring has no rows for
  int phases      = 0;                  ///< turns by tile.z planes until the rings are as at first
  int metadata_at = 0, offsets_at = 0;  ///< of the tables
  int bytes     = 0;                    ///< of shared memory
  int per_sm    = 0;                    ///< resident blocks
  double clocks = 0.0;                  ///< of a multiprocessor for what a warp computes between two synchronizations

  explicit operator bool() const { return tile.outputs() > 0; }
  Transform::Banks banks() const { return {ring.plane_words, row_words, tile.x / 2}; }
  /// Word of an input, as an offset from a tile's first output, when the rings have turned `phase` times; from the
  /// start of the first ring and the tile's place in it.
  int word(std::array<int, 3> const& input, int phase) const;
  /// The same with so many steps; false if it does not fit in shared memory any more.
  bool set_steps(int count, int shared_bytes);
};

/// Chunks of planes that keep the multiprocessors busy to the end.
struct TableCut {
  std::int64_t length = 0, chunks = 0;
  double marches = 0.0;  ///< of a multiprocessor's warps, one after another, start of chunks included
  double filled  = 1.0;  ///< part of the warps a multiprocessor has room for, where there is less than a wave of blocks
};
TableCut cut_table(TableLayout const& layout, std::int64_t planes, std::int64_t columns, int multiprocessors);

/// Why no layout can run a problem, whatever its size; empty if one can.
std::string table_refusal(Problem const& problem);

/// Why there is none where that does not refuse.
constexpr char const* table_too_far =
    "reaches too far for a block's shared memory (in 3-D 227 KiB, as of an H200, do for boxes of radius 10 and stars "
    "of "
    "radius 18, 163 KiB, as of an A100, for 8 and 16)";

/// The terms on the kernel's axes.
std::vector<Impl::Term> table_terms(Problem const& problem);

/// The cheapest layout, none if all need more shared memory than a block may have.
TableLayout choose_table(Problem const& problem, int multiprocessors, int shared_bytes, TableChoice const& only = {});

/// How a problem is cut. A sweep but for the launch and points near faces takes marches * layout.clocks, on grids that
/// leave multiprocessors half empty `filled` times as long.
TableCut cut_table(TableLayout const& layout, Problem const& problem, int multiprocessors);

}  // namespace CudaModel
}  // namespace KokkosStencil
