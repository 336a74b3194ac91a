// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <impl/KokkosStencil_FunctorPlan.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

// How the points of a sweep of a functor are dealt out: every point of the range once, points that need a boundary rule
// only where rules are asked.

namespace KokkosStencil {
namespace Impl {
namespace {

template <int Rows, int Planes, int Lanes, int Columns, int Others = 0>
struct Shape {
  static constexpr int rows = Rows, planes = Planes, lanes = Lanes, columns = Columns,
                       threads = Lanes * Columns + Others;
};

/// The points of a plan as blocks and warps take them; how often each is done.
template <class S, int Rank, int Fast>
class Done {
 public:
  static constexpr int row_axis = Rank == 2 ? 1 - Fast : 1, plane_axis = Rank == 3 ? 2 - Fast : 0;

  Done(FunctorRange const& where, std::array<std::int64_t, 3> const& extent) : m_where(where), m_extent(extent) {
    m_times.assign(static_cast<std::size_t>(extent[0] * extent[1] * extent[2]), 0);
  }
  void play(CellShape const& shape, CellPlan const& plan) {
    CellTiles const& t = plan.tiles;
    if (!shape.points) {
      EXPECT_EQ(t.listed, 0u);
      EXPECT_EQ(t.apart.count, 0u);
      for (std::int64_t item = 0; item < plan.list.points; ++item) listed(plan, item);
    }
    for (std::uint32_t b = 0; b < plan.teams; ++b) {
      if (b < t.listed) {
        for (std::int64_t k = 0; k < S::threads; ++k) {
          std::int64_t const item = std::int64_t(b) * S::threads + k;
          if (item < plan.list.points) listed(plan, item);
        }
        continue;
      }
      std::uint32_t bx, by, bz;
      // As kernels do: those that have no bands do not look for them.
      if (shape.cached_depth > 0) {
        t.find_block<Rank, true>(b - t.listed, bx, by, bz);
      } else {
        t.find_block<Rank, false>(b - t.listed, bx, by, bz);
      }
      if (bx < t.whole * t.tall) {
        for (int k = 0; k < S::lanes * S::columns; ++k) {
          cell(shape, t, std::int64_t(bx % t.whole) * S::lanes + k % S::lanes,
               std::int64_t(by + bx / t.whole) * S::columns + k / S::lanes, std::int64_t(bz) * t.depth);
        }
        continue;
      }
      Ends ends = t.template ends_of_block<S, Rank, row_axis, plane_axis>(by, bz);
      if (!shape.ends_beside && !shape.reduces) all(ends, t.beside, false);
      all(ends, t.apart, true);
    }
  }
  void expect_once() const {
    std::int64_t wrong = 0;
    for (std::int64_t x = 0; x < m_extent[0]; ++x) {
      for (std::int64_t y = 0; y < m_extent[1]; ++y) {
        for (std::int64_t z = 0; z < m_extent[2]; ++z) {
          std::int64_t const i[3] = {x, y, z};
          if (m_times[at(i)] != (within(m_where.range, i) ? 1 : 0)) ++wrong;
        }
      }
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(m_outside, 0);
  }

 private:
  static bool within(PointBox const& box, std::int64_t const* i) {
    for (std::size_t a = 0; a < 3; ++a) {
      if (i[a] < box.begin[a] || i[a] >= box.end[a]) return false;
    }
    return true;
  }
  std::size_t at(std::int64_t const* i) const {
    return static_cast<std::size_t>((i[0] * m_extent[1] + i[1]) * m_extent[2] + i[2]);
  }
  void add(std::int64_t const* i, bool rules) {
    if (!rules && !within(m_where.inside, i)) ++m_outside;
    for (std::size_t a = 0; a < 3; ++a) {
      if (i[a] < 0 || i[a] >= m_extent[a]) {
        ++m_outside;
        return;
      }
    }
    ++m_times[at(i)];
  }
  void listed(CellPlan const& plan, std::int64_t item) {
    std::int64_t i[3] = {0, 0, 0};
    plan.list.template find<Rank>(item, i);
    add(i, true);
  }
  void all(Ends ends, RowEnds const& of, bool rules) {
    ends.of = of;
    for (std::uint32_t item = 0; item < ends.count(); ++item) {
      std::int64_t i[3] = {0, 0, 0};
      ends.template find<Rank, Fast, row_axis, plane_axis>(item, i);
      add(i, rules);
    }
  }
  void cell(CellShape const& shape, CellTiles const& t, std::int64_t x, std::int64_t row, std::int64_t plane) {
    if (x < t.skip || x >= t.cells[0] || row >= t.cells[1]) return;
    for (std::int64_t p = plane; p < std::min(plane + t.depth, t.cells[2]); ++p) {
      std::int64_t first[3] = {t.first[0], t.first[1], t.first[2]};
      first[Fast] += x * shape.width;
      first[row_axis] += row * S::rows;
      if (Rank > 2) first[plane_axis] += p * S::planes;
      for (int n = 0; n < S::rows * S::planes; ++n) {
        std::int64_t i[3] = {first[0], first[1], first[2]};
        i[row_axis] += n % S::rows;
        if (Rank > 2) i[plane_axis] += n / S::rows;
        CellPart const part = t.part_of(x, shape.width);
        i[Fast] += part.begin;
        for (int k = part.begin; k < part.end; ++k, ++i[Fast]) {
          add(i, false);
          if (shape.parts) read_vectors(shape.width, part, k, i[Fast] - k);
        }
      }
      // A warp that has the first or the last cell does the ends of these rows.
      if (shape.ends_beside && !shape.reduces && (x == t.skip || x == t.cells[0] - 1)) {
        Ends ends;
        ends.of.before = x == t.skip ? t.beside.before : 0;
        ends.of.count  = ends.of.before + (x == t.cells[0] - 1 ? t.beside.count - t.beside.before : 0);
        ends.of.begin  = t.beside.begin;
        ends.of.behind = t.beside.behind;
        ends.row       = first[row_axis];
        ends.plane     = first[plane_axis];
        ends.rows      = S::rows;
        ends.planes    = S::planes;
        all(ends, ends.of, false);
      }
    }
  }

  /// What point k of a cell that begins there reads along the row must lie in vectors that may be read, and these in
  /// the row.
  void read_vectors(int width, CellPart const& part, int k, std::int64_t cell) {
    auto const reach = m_where.reach[Fast];
    for (std::int64_t o = -reach; o <= reach; ++o) {
      std::int64_t const at = k + o + 100 * width, vector = at / width * width - 100 * width;
      if (vector < 0 ? vector < part.first : vector > part.last) ++m_outside;
      if (cell + vector < 0 || cell + vector + width > m_extent[Fast]) ++m_outside;
    }
  }

  FunctorRange m_where;
  std::array<std::int64_t, 3> m_extent;
  std::vector<int> m_times;
  std::int64_t m_outside = 0;
};

template <class S, int Rank, int Fast>
void try_plans(int width, int depth, bool ends_beside, bool reduces, int slots = 0, bool points = true,
               bool parts = false, int spare_rows = 0) {
  alignas(128) static unsigned char memory[128];
  std::mt19937 random(7);
  auto const pick = [&](int lo, int hi) { return std::uniform_int_distribution<std::int64_t>(lo, hi)(random); };
  int planned = 0, in_parts = 0, in_bands = 0;
  for (int trial = 0; trial < 60; ++trial) {
    ViewInfo view;
    view.rank          = Rank;
    view.value_size    = 16 / (width > 1 ? width : 4);
    view.data          = memory + pick(0, 7) * view.value_size;
    view.extent        = {{pick(5, 40), pick(5, 40), Rank > 2 ? pick(5, 40) : 1}};
    view.extent[Fast]  = pick(10, 300);
    std::int64_t pitch = view.extent[Fast] + pick(0, 7);
    if (width > 1) pitch = (pitch + width - 1) / width * width;
    view.stride                                             = {{0, 0, 0}};
    view.stride[Fast]                                       = 1;
    view.stride[std::size_t(Done<S, Rank, Fast>::row_axis)] = pitch;
    if (Rank > 2) {
      view.stride[std::size_t(Done<S, Rank, Fast>::plane_axis)] =
          pitch * view.extent[std::size_t(Done<S, Rank, Fast>::row_axis)];
    }
    FunctorRange where;
    for (std::size_t a = 0; a < 3; ++a) {
      if (a >= std::size_t(Rank)) {
        where.range.begin[a] = where.inside.begin[a] = 0;
        where.range.end[a] = where.inside.end[a] = 1;
        continue;
      }
      int const reach       = int(pick(0, 2));
      where.reach.before[a] = where.reach.behind[a] = reach;
      where.range.begin[a]                          = pick(0, 1) > 0 ? pick(0, 3) : 0;
      where.range.end[a]                            = view.extent[a] - (pick(0, 1) > 0 ? pick(0, 1) : 0);
      where.inside.begin[a]                         = std::max<std::int64_t>(where.range.begin[a], reach);
      where.inside.end[a] = std::max(where.inside.begin[a], std::min(where.range.end[a], view.extent[a] - reach));
    }
    CellShape shape{
        width,       S::rows, S::planes, S::lanes,          S::columns, S::threads, depth, trial % 2 > 0 ? 64 : 100000,
        ends_beside, reduces, slots,     slots > 0 ? 6 : 0, points};
    if (parts) {
      // From a cache for all planes to one for a narrow band.
      shape.parts        = true;
      shape.cache        = pick(0, 1) > 0 ? 1 << 30 : pick(1000, 100000);
      shape.cached_depth = pick(0, 1) > 0 ? 3 : 8;
    }
    shape.spare_rows    = spare_rows;
    CellPlan const plan = cell_plan(shape, Rank, Fast, where, std::array{view, view});
    if (!plan.any) continue;
    if (spare_rows > 0) {
      auto const down = std::size_t(Done<S, Rank, Fast>::row_axis);
      EXPECT_GE(plan.tiles.first[down], where.reach[down] + spare_rows);
      EXPECT_LE(plan.tiles.first[down] + plan.tiles.cells[1], view.extent[down] - where.reach[down] - spare_rows);
    }
    ++planned;
    in_parts += plan.tiles.not_first + plan.tiles.not_last > 0 ? 1 : 0;
    in_bands += plan.tiles.band < plan.tiles.blocks[1] ? 1 : 0;
    Done<S, Rank, Fast> done(where, {{view.extent[0], view.extent[1], view.extent[2]}});
    done.play(shape, plan);
    done.expect_once();
  }
  EXPECT_GT(planned, 10);
  EXPECT_EQ(in_parts > 0, parts);
  EXPECT_EQ(in_bands > 0, parts);
}

TEST(CellPlans, EveryPointOnce) {
  for (bool const reduces : {false, true}) {
    try_plans<Shape<1, 1, 32, 8>, 3, 2>(4, 8, false, reduces);
    try_plans<Shape<1, 1, 32, 16>, 3, 0>(2, 8, false, reduces);
    try_plans<Shape<1, 4, 32, 4>, 3, 2>(4, 1, true, reduces);
    try_plans<Shape<2, 1, 64, 4>, 2, 1>(4, 1, true, reduces);
    try_plans<Shape<4, 1, 32, 4>, 2, 0>(2, 1, true, reduces);
    try_plans<Shape<2, 4, 32, 4>, 3, 2>(1, 1, false, reduces);
  }
  for (bool const points : {false, true}) try_plans<Shape<1, 1, 32, 19, 32>, 3, 2>(4, 64, false, false, 7, points);
  try_plans<Shape<1, 1, 32, 11, 32>, 3, 0>(2, 64, false, false, 132);
  try_plans<Shape<1, 1, 32, 2>, 3, 2>(4, 8, false, false, 0, true, true);
  try_plans<Shape<1, 1, 32, 2>, 3, 0>(2, 8, false, false, 0, true, true);
  try_plans<Shape<1, 1, 32, 2>, 3, 2>(8, 8, false, false, 0, true, true);
  for (bool const reduces : {false, true}) {
    try_plans<Shape<1, 1, 64, 5, 32>, 2, 1>(1, 1, false, reduces, 0, true, false, 1);
    try_plans<Shape<1, 1, 64, 5, 32>, 2, 0>(1, 1, false, reduces, 0, true, false, 1);
  }
}

/// Blocks of a wave each have a place, and the last wave is full or nearly so.
TEST(CellPlans, FullWaves) {
  alignas(128) static float memory[1];
  ViewInfo view;
  view.rank       = 3;
  view.data       = memory;
  view.value_size = 4;
  view.extent     = {{512, 512, 512}};
  view.stride     = {{512 * 512, 512, 1}};
  FunctorRange where;
  where.range  = PointBox{{{4, 4, 4}}, {{508, 508, 508}}};
  where.inside = where.range;
  where.reach  = {{{4, 4, 4}}, {{4, 4, 4}}};
  CellShape shape{4, 1, 1, 32, 19, 640, 64, 132 * 2048, false, false, 132, 6};
  CellPlan const plan = cell_plan(shape, 3, 2, where, std::array{view});
  ASSERT_TRUE(plan.any);
  EXPECT_EQ(plan.list.points, 0);
  // 4 x 27 tiles.
  EXPECT_EQ(plan.teams, 108u * ((504 + plan.tiles.depth - 1) / plan.tiles.depth));
  std::uint32_t const waves = (plan.teams + 131) / 132;
  EXPECT_GT(plan.teams, waves * 132 * 9 / 10);
  EXPECT_LE(plan.tiles.depth, 64);
}

/// Points near faces know how far away neighbours are in 32 bits, but for one axis.
TEST(CellPlans, NoNeighbourIsTooFar) {
  ViewInfo view;
  view.value_size = 4;
  auto const any  = [&](int rank, std::int64_t rows, std::int64_t pitch, std::int64_t columns) {
    view.rank   = rank;
    view.extent = {{rank == 1 ? columns : rows, columns, 1}};
    view.stride = {{rank == 1 ? 1 : pitch, 1, 1}};
    FunctorRange where;
    where.range = PointBox{{{0, 0, 0}}, view.extent};
    if (rank == 1) where.range.end[1] = 1;
    where.inside = where.range;
    return cell_plan(CellShape{1, 1, 1, 64, 4, 256, 1, 132 * 2048, false, false}, rank, rank - 1, where,
                      std::array{view})
        .any;
  };
  EXPECT_TRUE(any(2, 1000, std::int64_t(1) << 30, 1000));
  EXPECT_FALSE(any(2, 1000, std::int64_t(1) << 31, 1000));
  EXPECT_FALSE(any(2, std::int64_t(1) << 31, 8, 8));
  EXPECT_TRUE(any(1, 1, 1, std::int64_t(1) << 32));
}

}  // namespace
}  // namespace Impl
}  // namespace KokkosStencil
