// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MethodCost.hpp"

#include <KokkosStencil_Error.hpp>

#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

double square(double x) { return x * x; }

int round_up(int x, int unit) { return (x + unit - 1) / unit * unit; }

constexpr int tile = 8;  // points along each side of the tile that table 2 assumes

}  // namespace

namespace BoxCost {

Cost lower_bound(int radius) {
  double const weights = square(2 * radius + 1);
  return {weights, square(tile + 2 * radius) / square(tile), weights / square(tile)};
}

Cost conv_stencil(int radius) {
  int const window       = round_up((2 * radius + 1) * (2 * radius + 1), 4);
  double const products  = 2.0;
  double const per_point = products * window;
  return {per_point, per_point / (2 * radius + 2), per_point / tile};
}

Cost tc_stencil(int radius) {
  constexpr int side = 16;
  if (2 * radius >= side) {
    throw Error("BoxCost::tc_stencil: radius " + std::to_string(radius) + " leaves no output in a tile of 16");
  }
  double const outputs = square(side - 2 * radius);
  double const rows    = 2 * radius + 1;
  return {rows * side * side * side / outputs, rows * side * side / outputs, rows * side * side / outputs};
}

Cost lora_stencil(int radius) {
  int const window          = round_up(tile + 2 * radius, 8);
  double const terms        = radius;
  double const outputs      = square(tile);
  double const left_product = static_cast<double>(tile) * window * window;
  double const right        = static_cast<double>(tile) * window * tile;
  return {terms * (left_product + right) / outputs, square(window) / outputs, terms * 2.0 * tile * window / outputs};
}

Cost spider(int radius) {
  double const L      = 2 * radius + 2;
  double const rows   = 2 * radius + 1;
  double const points = L * tile;
  return {rows * L * L * tile / points, rows * 2.0 * L * tile / points, rows * L * L / points};
}

}  // namespace BoxCost

Cost pack_cost(Pack const& pack) {
  double const chunks  = static_cast<double>(pack.chunks.size());
  double const outputs = block_outputs * block_count;
  double const stored  = pack.sparse ? window_columns / 2 : window_columns;
  double const values  = chunks * pack.splits * block_outputs * stored;
  return {values * block_count / outputs, chunks * window_columns * block_count / outputs, values / outputs};
}

}  // namespace Transform
}  // namespace KokkosStencil
