// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Morphing.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

int window_size(Morphed const& morphed) {
  std::array<int, 3> const extent = morphed.extent();
  return extent[0] * extent[1] * extent[2];
}

// Calls visit(row, window index, coefficient) for every non-zero of A'.
template <class Visit>
void for_each_entry(std::vector<Term> const& terms, Morphed const& m, Visit visit) {
  std::array<int, 3> const extent = m.extent();
  for (Term const& t : terms) {
    int row = 0;
    for (int z = 0; z < m.tile.z; ++z) {
      for (int y = 0; y < m.tile.y; ++y) {
        int const line = (z + t.offset[0] - m.first[0]) * extent[1] + y + t.offset[1] - m.first[1];
        int const base = line * extent[2] + t.offset[2] - m.first[2];
        for (int x = 0; x < m.tile.x; ++x) visit(row++, base + x, t.coefficient);
      }
    }
  }
}

}  // namespace

std::array<int, 3> Morphed::extent() const {
  return {{width[0] + tile.z - 1, width[1] + tile.y - 1, width[2] + tile.x - 1}};
}

std::array<int, 3> Morphed::input(int column) const {
  std::array<int, 3> const extents = extent();
  int const index                  = window[at(column)];
  int const line                   = index / extents[2];
  return {{line / extents[1] + first[0], line % extents[1] + first[1], index % extents[2] + first[2]}};
}

Morphed morph(std::vector<Term> const& terms, Tile const& tile) {
  if (terms.empty()) throw Error("Transform::morph: a stencil without terms has no kernel matrix");
  if (tile.z < 1 || tile.y < 1 || tile.x < 1) {
    throw Error("Transform::morph: a tile of " + std::to_string(tile.z) + " x " + std::to_string(tile.y) + " x " +
                std::to_string(tile.x) + " outputs; every extent has to be positive");
  }
  Morphed morphed;
  morphed.tile = tile;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto const below    = [axis](auto const& s, auto const& t) { return s.offset[axis] < t.offset[axis]; };
    auto const ends     = std::minmax_element(terms.begin(), terms.end(), below);
    morphed.first[axis] = ends.first->offset[axis];
    morphed.width[axis] = ends.second->offset[axis] - morphed.first[axis] + 1;
  }
  std::vector<bool> read(at(window_size(morphed)), false);
  for_each_entry(terms, morphed, [&](int, int index, double) { read[at(index)] = true; });
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (read[i]) morphed.window.push_back(static_cast<int>(i));
  }
  std::vector<int> column(read.size());
  for (std::size_t c = 0; c < morphed.window.size(); ++c) column[at(morphed.window[c])] = static_cast<int>(c);
  morphed.a = Matrix(tile.outputs(), static_cast<int>(morphed.window.size()));
  for_each_entry(terms, morphed, [&](int row, int index, double value) { morphed.a(row, column[at(index)]) = value; });
  return morphed;
}

}  // namespace Transform
}  // namespace KokkosStencil
