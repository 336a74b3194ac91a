// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/TilePack.hpp>

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace KokkosStencil {
namespace Transform {
namespace {

constexpr int block_rows   = 16;
constexpr int step_columns = 32;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double stored_error(double value, TilePack const& pack) {
  Split const s = split(value, pack.element);
  if (!std::isfinite(from_bits(s.hi, pack.element))) {
    std::ostringstream text;
    text << "Transform::pack_tile: coefficient " << value
         << " is not finite in the 16-bit element type; scale the coefficients or use bfloat";
    throw Error(text.str());
  }
  double const missed = pack.parts == 2 ? s.rest : value - static_cast<double>(from_bits(s.hi, pack.element));
  return value == 0.0 ? 0.0 : std::fabs(missed / value);
}

// Rows of one block and columns of one step, zeros past the last row.
Matrix cut(Matrix const& a, int block, int step) {
  Matrix result(block_rows, step_columns);
  int const rows = std::min(block_rows, a.rows() - block * block_rows);
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < step_columns; ++k) result(i, k) = a(block * block_rows + i, step * step_columns + k);
  }
  return result;
}

Bits part_bits(Matrix const& stored, int part, Element element) {
  Bits bits(stored.rows(), stored.columns());
  for (int i = 0; i < stored.rows(); ++i) {
    for (int j = 0; j < stored.columns(); ++j) {
      Split const s = split(stored(i, j), element);
      bits(i, j)    = part == 0 ? s.hi : s.lo;
    }
  }
  return bits;
}

void pack_block(TilePack& pack, Matrix const& a, int block) {
  std::vector<Selection> pair;
  for (int step = 0; step < pack.steps; ++step) {
    Matrix const piece = cut(a, block, step);
    pair.push_back(select_24(piece));
    Matrix const stored = compress_24(piece, pair.back());
    for (int part = 0; part < pack.parts; ++part) {
      Fragment<4> const fragment = fragment_a(part_bits(stored, part, pack.element));
      for (int lane = 0; lane < warp_lanes; ++lane) {
        std::copy(fragment[at(lane)].begin(), fragment[at(lane)].end(), &pack.a[pack.index(part, block, step, lane)]);
      }
    }
    if (step % 2 == 0 && step + 1 < pack.steps) continue;
    LaneWords const words = metadata_k32(pair);
    std::copy(words.begin(), words.end(), &pack.metadata[pack.metadata_index(block, step, 0)]);
    pair.clear();
  }
}

std::vector<std::array<int, 3>> lookup_table(Morphed const& morphed, Order const& order) {
  std::vector<std::array<int, 3>> inputs;
  inputs.reserve(order.size());
  for (int column : order) {
    bool const zero = column >= morphed.a.columns();
    // The zero column of a pair is its second; a group that only fills up follows some pair.
    inputs.push_back(zero ? inputs.back() : morphed.input(column));
  }
  return inputs;
}

}  // namespace

TilePack pack_tile(std::vector<Impl::Term> const& terms, Tile const& tile, Element element, Coefficients coefficients) {
  Morphed const morphed   = morph(terms, tile);
  Matching const matching = match_columns(morphed);
  Order const order       = matched_order(matching, step_columns);
  int const columns       = static_cast<int>(order.size());
  bool const two_parts =
      coefficients == Coefficients::split || (coefficients == Coefficients::automatic && !exact_in(terms, element));

  TilePack pack;
  pack.element      = element;
  pack.tile         = tile;
  pack.parts        = two_parts ? 2 : 1;
  pack.blocks       = (tile.outputs() + block_rows - 1) / block_rows;
  pack.steps        = columns / step_columns;
  pack.zero_columns = matching.zeros();
  pack.inputs       = lookup_table(morphed, order);
  for (Impl::Term const& t : terms) {
    pack.coefficient_error = std::max(pack.coefficient_error, stored_error(t.coefficient, pack));
  }
  pack.a.resize(pack.index(pack.parts, 0, 0, 0));
  pack.metadata.resize(pack.metadata_index(pack.blocks, 0, 0));
  Matrix const a = permute_columns(pad_columns(morphed.a, columns), order);
  for (int block = 0; block < pack.blocks; ++block) pack_block(pack, a, block);
  return pack;
}

}  // namespace Transform
}  // namespace KokkosStencil
