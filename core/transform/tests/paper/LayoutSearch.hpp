// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Morphing.hpp>

#include <array>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// A matrix instruction: M x N x K, and the cycles that one takes of a tensor core (CPI_tcu).
struct Instruction {
  int m, n, k;
  double cycles;
};

/// What the model knows of a machine (SparStencil, table 1).
struct Machine {
  double clock;             ///< f: cycles a second
  double tensor_cores;      ///< N_tcu
  double global_bandwidth;  ///< bw_G: bytes a second
  double shared_bandwidth;  ///< bw_S: bytes a second, all multiprocessors together
};

/// The points that one sweep computes along each axis (1 for those a stencil does not have), and the bytes
/// of an element.
struct Sweep {
  std::array<int, 3> outputs;
  int element_bytes = 2;
};

/// The product A' B' of a sweep: m' x k' times k' x n'.
struct LayoutShape {
  double rows;     ///< m': outputs of a tile
  double columns;  ///< k'
  double tiles;    ///< n'
};

/// k' is the columns in use, so (k + r1 - 1)(k + r2 - 1) for a box as in SparStencil, plus zero columns.
/// Tiles that stick out of the grid count whole.
LayoutShape layout_shape(Morphed const& morphed, int zero_columns, Sweep const& sweep);
LayoutShape layout_shape(Tile const& tile, double columns, Sweep const& sweep);

/// Seconds of a sweep by SparStencil's analytical model (section 3.3).
struct LayoutTime {
  double instructions;  ///< N_MMA, equation 9
  double compute;       ///< equation 7
  double global;        ///< first part of equation 8: every input read and every output written once
  double shared;        ///< second part of equation 8, with equation 10

  double total() const;  ///< equation 6
};

/// Equations 6 to 10. In equation 10 we read k' (m' / 2 + n'), the compressed A' and B'; printed is m, which
/// is the height of the input there.
///
/// @param width offsets the stencil spans along each axis
LayoutTime layout_time(LayoutShape const& shape, std::array<int, 3> const& width, Sweep const& sweep,
                       Instruction const& instruction, Machine const& machine);

struct Layout {
  Tile tile;
  Instruction instruction;
  int zero_columns;
  LayoutTime time;
};

/// Equation 11: the fastest tile and instruction, tiles of 1 to `most_outputs` outputs by exhaustive
/// search. Only candidates that could win by a bound on their columns are morphed, and fewer are matched. Of equal
/// times the smaller sum of compute and shared time wins (a sweep bound by global memory leaves many), then the smaller
/// tile.
///
/// @throws Error for no terms, no instruction or a sweep without outputs
Layout search_layout(std::vector<Term> const& terms, Sweep const& sweep, std::vector<Instruction> const& instructions,
                     Machine const& machine, int most_outputs = 64);

}  // namespace Transform
}  // namespace KokkosStencil
