// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"
#include "paper/ColumnMatching.hpp"
#include "paper/LayoutSearch.hpp"

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace KokkosStencil {
namespace Transform {
namespace {

/// Round figures, so that the expected times can be worked out by hand.
Machine const machine{1e9, 100, 1e12, 1e13};
Instruction const k32{16, 8, 32, 8}, k16{16, 8, 16, 4};

/// An A100 of 40 GB: 108 multiprocessors, 4 tensor cores each, 128 bytes a cycle of shared memory each.
Machine const a100{1.41e9, 432, 1.555e12, 108 * 128 * 1.41e9};

Samples::Terms few_terms() { return {{{{0, -2, 1}}, 1.0}, {{{0, 0, 0}}, 2.0}, {{{0, 1, -3}}, 3.0}}; }

TEST(LayoutTime, EquationsSixToTen) {
  // Box-2D49P: k = 7, m' = 16, k' = (7 + 3)(7 + 3), n' = 800 * 1600 / 16.
  Morphed const morphed   = morph(Samples::box(2, 3), {1, 4, 4});
  Sweep const sweep       = {{{1, 800, 1600}}, 2};
  LayoutShape const shape = layout_shape(morphed, 0, sweep);
  EXPECT_EQ(shape.rows, 16);
  EXPECT_EQ(shape.columns, 100);
  EXPECT_EQ(shape.tiles, 80000);
  LayoutTime const time = layout_time(shape, morphed.width, sweep, k32, machine);
  EXPECT_EQ(time.instructions, 1 * 4 * 10000);
  EXPECT_DOUBLE_EQ(time.compute, 40000 * 8 / 1e11);
  EXPECT_DOUBLE_EQ(time.global, (806.0 * 1606 + 800.0 * 1600) * 2 / 1e12);
  EXPECT_DOUBLE_EQ(time.shared, 2 * (100 * (8 + 80000.0)) * 2 / 1e13);
  EXPECT_EQ(time.total(), std::max({time.compute, time.global, time.shared}));
  EXPECT_EQ(layout_time(shape, morphed.width, sweep, k16, machine).instructions, 1 * 7 * 10000);
}

TEST(LayoutTime, RemaindersCountWhole) {
  Morphed const morphed   = morph(Samples::star(3, 1), {2, 3, 3});
  Sweep const sweep       = {{{3, 10, 9}}, 2};
  LayoutShape const shape = layout_shape(morphed, 2, sweep);
  EXPECT_EQ(shape.tiles, 2 * 4 * 3);
  EXPECT_EQ(shape.columns, morphed.a.columns() + 2);
  EXPECT_EQ(layout_time(shape, morphed.width, sweep, k32, machine).instructions,
            2 * ((morphed.a.columns() + 33) / 32) * 3);
}

/// The search without its shortcut.
LayoutTime fastest(Samples::Terms const& terms, Sweep const& sweep, Machine const& on, int most) {
  LayoutTime best{1e30, 1e30, 1e30, 1e30};
  for (int z = 1; z <= std::min(most, sweep.outputs[0]); ++z) {
    for (int y = 1; z * y <= most && y <= sweep.outputs[1]; ++y) {
      for (int x = 1; z * y * x <= most && x <= sweep.outputs[2]; ++x) {
        Morphed const morphed   = morph(terms, {z, y, x});
        LayoutShape const shape = layout_shape(morphed, zero_columns(match_columns(morphed)), sweep);
        for (Instruction const& instruction : {k32, k16}) {
          LayoutTime const time = layout_time(shape, morphed.width, sweep, instruction, on);
          if (time.total() < best.total()) best = time;
        }
      }
    }
  }
  return best;
}

TEST(SearchLayout, EquationEleven) {
  Sweep const flat = {{{1, 500, 700}}, 2}, deep = {{{40, 50, 70}}, 2};
  // The second has memory to spare, so that compute decides.
  for (Machine const& on : {machine, Machine{1e9, 1, 1e14, 1e15}}) {
    for (auto const& terms : {Samples::box(2, 1), Samples::box(2, 3), Samples::star(2, 3), few_terms()}) {
      EXPECT_EQ(search_layout(terms, flat, {k32, k16}, on, 24).time.total(), fastest(terms, flat, on, 24).total());
    }
    for (auto const& terms : {Samples::box(3, 1), Samples::star(3, 2), Samples::scattered(1, 2, 3, 30, 7)}) {
      EXPECT_EQ(search_layout(terms, deep, {k32, k16}, on, 16).time.total(), fastest(terms, deep, on, 16).total());
    }
  }
}

TEST(SearchLayout, KeepsToTheGridAndTheLimit) {
  Layout const line = search_layout(Samples::box(1, 3), {{{1, 1, 1 << 20}}, 2}, {k32}, a100);
  EXPECT_EQ(line.tile.z * line.tile.y, 1);
  EXPECT_GT(line.tile.x, 1);
  EXPECT_LE(line.tile.x, 64);
  Layout const one = search_layout(Samples::box(2, 1), {{{1, 100, 100}}, 2}, {k32}, a100, 1);
  EXPECT_EQ(one.tile.outputs(), 1);
}

TEST(SearchLayout, NothingToSearch) {
  Sweep const sweep = {{{1, 100, 100}}, 2};
  EXPECT_THROW(search_layout({}, sweep, {k32}, machine), Error);
  EXPECT_THROW(search_layout(Samples::box(2, 1), sweep, {}, machine), Error);
  EXPECT_THROW(search_layout(Samples::box(2, 1), {{{1, 0, 100}}, 2}, {k32}, machine), Error);
  EXPECT_THROW(search_layout(Samples::box(2, 1), sweep, {k32}, machine, 0), Error);
}

TEST(SearchLayout, Report) {
  auto const report = [](char const* kernel, Samples::Terms const& terms, Sweep const& sweep) {
    auto const start    = std::chrono::steady_clock::now();
    Layout const layout = search_layout(terms, sweep, {k32, k16}, a100);
    double const taken  = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    std::printf(
        "%-10s tile %d x %d x %2d, k%d, %2d zero columns: compute %6.1f, global %6.1f, shared %6.1f us (%.1f ms)\n",
        kernel, layout.tile.z, layout.tile.y, layout.tile.x, layout.instruction.k, layout.zero_columns,
        layout.time.compute * 1e6, layout.time.global * 1e6, layout.time.shared * 1e6, taken);
    EXPECT_GT(layout.time.total(), 0.0);
  };
  Sweep const flat = {{{1, 10240, 10240}}, 2}, deep = {{{512, 512, 512}}, 2};
  report("box-2d1r", Samples::box(2, 1), flat);
  report("box-2d3r", Samples::box(2, 3), flat);
  report("star-2d1r", Samples::star(2, 1), flat);
  report("star-2d3r", Samples::star(2, 3), flat);
  report("box-3d1r", Samples::box(3, 1), deep);
  report("star-3d1r", Samples::star(3, 1), deep);
  report("box-3d3r", Samples::box(3, 3), deep);
  report("box-3d7r", Samples::box(3, 7), deep);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
