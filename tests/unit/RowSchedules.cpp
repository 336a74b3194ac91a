// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Call.hpp"

#include <transform/RowSchedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace KokkosStencil {
namespace Test {
namespace {

/// The terms of one output row in the order in which a schedule adds them up.
std::vector<std::size_t> order_of_row(Transform::RowSchedule const& schedule, int j,
                                      std::vector<KokkosStencil::Term> const& terms, bool planes) {
  std::vector<std::size_t> order;
  for (Transform::Segment const& s : schedule.segments) {
    if (!(s.mask >> j & 1u)) continue;
    Transform::Row const& row = schedule.rows[static_cast<std::size_t>(s.row)];
    for (int i = 0; i < s.length; ++i) {
      auto const k = static_cast<std::size_t>(s.coefficient[j] + i);
      // The coefficient belongs to the value that is read.
      EXPECT_EQ(terms.at(k).offset,
                (std::array<int, 3>{{row.dz - (planes ? j : 0), row.dy - (planes ? 0 : j), s.first + i}}));
      order.push_back(k);
    }
  }
  return order;
}

TEST(RowSchedules, EveryTermOnceAndInCanonicalOrder) {
  std::vector<std::vector<Term>> shapes = {
      {}, star_offsets(3, 3), box_offsets(3, 1), box_offsets(2, 4), star_offsets(1, 5)};
  for (unsigned seed = 1; seed <= 40; ++seed) shapes.push_back(scattered_offsets(3, 3, 15, seed));
  for (auto const& shape : shapes) {
    std::vector<KokkosStencil::Term> terms;
    for (Term const& t : shape) terms.push_back({t.offset, 1.0});
    std::sort(terms.begin(), terms.end(), [](auto const& p, auto const& q) { return p.offset < q.offset; });
    std::vector<std::size_t> canonical(terms.size());
    for (std::size_t k = 0; k < canonical.size(); ++k) canonical[k] = k;
    for (int stack : {1, 2, 3, 4}) {
      for (bool planes : {false, true}) {
        auto const schedule = Transform::make_row_schedule(terms, stack, planes);
        EXPECT_EQ(schedule.stack, stack);
        for (int j = 0; j < stack; ++j) EXPECT_EQ(order_of_row(schedule, j, terms, planes), canonical);
        for (Transform::Segment const& s : schedule.segments) {
          EXPECT_NE(s.mask, 0u);
          EXPECT_LT(s.mask, 1u << stack);
          EXPECT_GT(s.length, 0);
        }
      }
    }
  }
}

TEST(RowSchedules, SharedValuesAreReadOnce) {
  // A full box stacked four high reads 2r + 4 rows, each as one run per set of output rows.
  std::vector<KokkosStencil::Term> terms;
  for (Term const& t : box_offsets(2, 2)) terms.push_back({{{0, t.offset[0], t.offset[1]}}, 1.0});
  auto const schedule = Transform::make_row_schedule(terms, 4);
  EXPECT_EQ(schedule.rows.size(), 8u);
  EXPECT_EQ(schedule.segments.size(), 8u);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
