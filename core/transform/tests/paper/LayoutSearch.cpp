// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LayoutSearch.hpp"

#include "ColumnMatching.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

double points(std::array<int, 3> const& extents) {
  double product = 1.0;
  for (int e : extents) product *= e;
  return product;
}

bool faster(LayoutTime const& a, LayoutTime const& b) {
  if (a.total() != b.total()) return a.total() < b.total();
  return a.compute + a.shared < b.compute + b.shared;
}

void require(std::vector<Term> const& terms, Sweep const& sweep, std::vector<Instruction> const& instructions) {
  if (terms.empty()) throw Error("Transform::search_layout: a stencil without terms has no layout");
  if (instructions.empty()) throw Error("Transform::search_layout: no instruction to choose from");
  if (*std::min_element(sweep.outputs.begin(), sweep.outputs.end()) < 1) {
    throw Error("Transform::search_layout: a sweep without outputs");
  }
}

/// How many places the terms have, seen along each set of axes.
class Spread {
 public:
  explicit Spread(std::vector<Term> const& terms) {
    for (std::size_t axes = 1; axes < 8; ++axes) {
      std::set<std::array<int, 3>> seen;
      for (Term const& t : terms) {
        std::array<int, 3> place{};
        for (std::size_t a = 0; a < 3; ++a) place[a] = (axes >> a & 1u) != 0 ? t.offset[a] : 0;
        seen.insert(place);
      }
      m_places[axes] = static_cast<double>(seen.size());
    }
  }

  /// Inputs that a tile reads, at the least (for a box: exactly). Going on by a row of n places adds to a set of
  /// places, for each line of it, n - 1.
  double columns(Tile const& tile) const {
    std::array<double, 3> const more{{tile.z - 1.0, tile.y - 1.0, tile.x - 1.0}};
    double const x  = m_places[4] + more[2];                              // along x alone
    double const yx = m_places[6] + more[2] * m_places[2] + more[1] * x;  // in a plane
    double const zx = m_places[5] + more[2] * m_places[1];                // lines along y
    return m_places[7] + more[2] * m_places[3] + more[1] * zx + more[0] * yx;
  }

 private:
  std::array<double, 8> m_places{};  ///< by the axes kept: 1 z, 2 y, 4 x
};

}  // namespace

LayoutShape layout_shape(Tile const& tile, double columns, Sweep const& sweep) {
  std::array<int, 3> const tiles{{(sweep.outputs[0] + tile.z - 1) / tile.z, (sweep.outputs[1] + tile.y - 1) / tile.y,
                                  (sweep.outputs[2] + tile.x - 1) / tile.x}};
  return {static_cast<double>(tile.outputs()), columns, points(tiles)};
}

LayoutShape layout_shape(Morphed const& morphed, int zero_columns, Sweep const& sweep) {
  return layout_shape(morphed.tile, static_cast<double>(morphed.a.columns() + zero_columns), sweep);
}

double LayoutTime::total() const { return std::max({compute, global, shared}); }

LayoutTime layout_time(LayoutShape const& shape, std::array<int, 3> const& width, Sweep const& sweep,
                       Instruction const& instruction, Machine const& machine) {
  std::array<int, 3> inputs = sweep.outputs;
  for (std::size_t axis = 0; axis < 3; ++axis) inputs[axis] += width[axis] - 1;
  double const bytes = sweep.element_bytes;
  double const moved = shape.columns * (shape.rows / 2 + shape.tiles) * bytes;  // into shared memory, and out again

  LayoutTime time;
  time.instructions = std::ceil(shape.rows / instruction.m) * std::ceil(shape.columns / instruction.k) *
                      std::ceil(shape.tiles / instruction.n);
  time.compute = time.instructions * instruction.cycles / (machine.clock * machine.tensor_cores);
  time.global  = (points(inputs) + points(sweep.outputs)) * bytes / machine.global_bandwidth;
  time.shared  = 2 * moved / machine.shared_bandwidth;
  return time;
}

Layout search_layout(std::vector<Term> const& terms, Sweep const& sweep, std::vector<Instruction> const& instructions,
                     Machine const& machine, int most_outputs) {
  require(terms, sweep, instructions);
  // What a tile takes at the least, the quickest first. Building its matrix is what costs.
  struct Candidate {
    Tile tile;
    Instruction instruction;
    LayoutTime least;
  };
  Spread const spread(terms);
  std::array<int, 3> const width = morph(terms, {1, 1, 1}).width;
  std::vector<Candidate> candidates;
  for (int z = 1; z <= std::min(most_outputs, sweep.outputs[0]); ++z) {
    for (int y = 1; z * y <= most_outputs && y <= sweep.outputs[1]; ++y) {
      for (int x = 1; z * y * x <= most_outputs && x <= sweep.outputs[2]; ++x) {
        Tile const tile{z, y, x};
        LayoutShape const shape = layout_shape(tile, spread.columns(tile), sweep);
        for (Instruction const& i : instructions) {
          candidates.push_back({tile, i, layout_time(shape, width, sweep, i, machine)});
        }
      }
    }
  }
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return faster(candidates[a].least, candidates[b].least); });
  std::optional<Layout> best;
  std::size_t best_at = 0;
  // Of equal times the earlier candidate wins.
  auto const beats = [&](LayoutTime const& time, std::size_t at) {
    return !best || faster(time, best->time) || (!faster(best->time, time) && at < best_at);
  };
  for (std::size_t const at : order) {
    Candidate const& c = candidates[at];
    if (best && faster(best->time, c.least)) break;
    if (!beats(c.least, at)) continue;
    Morphed const morphed = morph(terms, c.tile);
    // Zero columns only add time.
    if (!beats(layout_time(layout_shape(morphed, 0, sweep), width, sweep, c.instruction, machine), at)) continue;
    int const zeros       = zero_columns(match_columns(morphed));
    LayoutTime const time = layout_time(layout_shape(morphed, zeros, sweep), width, sweep, c.instruction, machine);
    if (!beats(time, at)) continue;
    best    = Layout{c.tile, c.instruction, zeros, time};
    best_at = at;
  }
  if (!best) throw Error("Transform::search_layout: most_outputs leaves no tile; it has to be positive");
  return *best;
}

}  // namespace Transform
}  // namespace KokkosStencil
