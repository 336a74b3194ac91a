// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/LayoutSearch.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

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

void require(std::vector<Impl::Term> const& terms, Sweep const& sweep, std::vector<Instruction> const& instructions) {
  if (terms.empty()) throw Error("Transform::search_layout: a stencil without terms has no layout");
  if (instructions.empty()) throw Error("Transform::search_layout: no instruction to choose from");
  if (*std::min_element(sweep.outputs.begin(), sweep.outputs.end()) < 1) {
    throw Error("Transform::search_layout: a sweep without outputs");
  }
}

}  // namespace

LayoutShape layout_shape(Morphed const& morphed, int zero_columns, Sweep const& sweep) {
  Tile const& tile = morphed.tile;
  std::array<int, 3> const tiles{{(sweep.outputs[0] + tile.z - 1) / tile.z, (sweep.outputs[1] + tile.y - 1) / tile.y,
                                  (sweep.outputs[2] + tile.x - 1) / tile.x}};
  return {static_cast<double>(tile.outputs()), static_cast<double>(morphed.a.columns() + zero_columns), points(tiles)};
}

double LayoutTime::total() const { return std::max({compute, global, shared}); }

LayoutTime layout_time(LayoutShape const& shape, Morphed const& morphed, Sweep const& sweep,
                       Instruction const& instruction, Machine const& machine) {
  std::array<int, 3> inputs = sweep.outputs;
  for (std::size_t axis = 0; axis < 3; ++axis) inputs[axis] += morphed.width[axis] - 1;
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

Layout search_layout(std::vector<Impl::Term> const& terms, Sweep const& sweep,
                     std::vector<Instruction> const& instructions, Machine const& machine, int most_outputs) {
  require(terms, sweep, instructions);
  std::optional<Layout> best;
  auto const consider = [&](Tile const& tile) {
    Morphed const morphed = morph(terms, tile);
    auto const time_of    = [&](int zeros, Instruction const& instruction) {
      return layout_time(layout_shape(morphed, zeros, sweep), morphed, sweep, instruction, machine);
    };
    int zeros = -1;
    for (Instruction const& instruction : instructions) {
      // Zero columns only add time.
      if (best && !faster(time_of(0, instruction), best->time)) continue;
      if (zeros < 0) zeros = match_columns(morphed).zeros();
      LayoutTime const time = time_of(zeros, instruction);
      if (!best || faster(time, best->time)) best = Layout{tile, instruction, zeros, time};
    }
  };
  for (int z = 1; z <= std::min(most_outputs, sweep.outputs[0]); ++z) {
    for (int y = 1; z * y <= most_outputs && y <= sweep.outputs[1]; ++y) {
      for (int x = 1; z * y * x <= most_outputs && x <= sweep.outputs[2]; ++x) consider({z, y, x});
    }
  }
  if (!best) throw Error("Transform::search_layout: most_outputs leaves no tile; it has to be positive");
  return *best;
}

}  // namespace Transform
}  // namespace KokkosStencil
