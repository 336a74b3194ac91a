// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <model/Schedule.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace KokkosStencil {
namespace Model {
namespace {

constexpr int below = 4, above = 22;  // along the first axis

Schedule slabs(int ranks) {
  Schedule s;
  s.ranks        = {{ranks, 1, 1}};
  s.periods      = 10;
  s.sweeps       = 1e-3;
  s.bytes[below] = s.bytes[above] = 2e6;
  return s;
}

TEST(Schedule, OneGpuOnlyComputes) {
  Simulated const r = simulate(slabs(1), Links());
  EXPECT_NEAR(r.seconds, 10e-3, 1e-12);
  EXPECT_EQ(r.waiting, 0.0);
}

TEST(Schedule, TwoGpusAddAnExchangeAPeriod) {
  Links links;
  links.overhead       = 8e-6;
  links.copy_bandwidth = 4e12;
  links.near_latency   = 1e-6;
  links.near_bandwidth = 4e11;
  // Nine exchanges between ten periods: pack, travel, unpack.
  double const exchange = 8e-6 + 2 * 2e6 / 4e12 + 2e6 / 4e11 + 1e-6;
  EXPECT_NEAR(simulate(slabs(2), links).seconds, 10e-3 + 9 * exchange, 1e-12);
}

TEST(Schedule, MessagesHideBehindTheInside) {
  Links links;
  Schedule s       = slabs(2);
  double const one = simulate(s, links).seconds;
  s.band           = 1e-5;
  double const two = simulate(s, links).seconds;
  // What is left is the band and unpacking.
  EXPECT_NEAR(two, 10 * (1e-3 + 1e-5) + 9 * (0.5 * links.overhead + 2e6 / links.copy_bandwidth), 1e-12);
  EXPECT_EQ(simulate(s, links).waiting, 0.0);
  EXPECT_GT(one, 10e-3);
  // Unless they take longer than the inside.
  links.near_bandwidth = 1e9;
  EXPECT_GT(simulate(s, links).waiting, 9 * 0.9e-3);
}

TEST(Schedule, LinksCarryOneMessageAtATime) {
  Links links;
  Schedule s           = slabs(3);
  links.near_bandwidth = 1e9;
  // The one in the middle sends two, one after the other, while it computes and waits for those of the others.
  double const travel = 2 * 2e6 / 1e9;
  EXPECT_GT(simulate(s, links).seconds, 9 * travel);
  EXPECT_LT(simulate(s, links).seconds, 10e-3 + 9 * travel);
  EXPECT_LT(simulate(slabs(2), links).seconds, 9 * travel);
  // A network that a node shares carries those of all its GPUs.
  s              = slabs(4);
  s.periodic[0]  = true;
  links.node     = 2;
  double const a = simulate(s, links).seconds;
  links.far_bandwidth /= 1e4;
  EXPECT_GT(simulate(s, links).seconds, a);
}

TEST(Schedule, EveryDirectionHasItsNeighbour) {
  Links links;
  Schedule s;
  s.ranks   = {{3, 3, 3}};
  s.periods = 4;
  s.sweeps  = 1e-3;
  for (int d = 0; d < 27; ++d) s.bytes[static_cast<std::size_t>(d)] = d == 13 ? 0.0 : 1e5;
  links.near_bandwidth = 1e9;
  links.node           = 27;
  // The middle one has 26 neighbours.
  EXPECT_GT(simulate(s, links).seconds, 3 * 26 * 1e5 / 1e9);
  EXPECT_LT(simulate(s, links).seconds, 4e-3 + 3 * 26 * 1e5 / 1e9 + 3 * 2e-5);
}

TEST(Schedule, DelaysSpreadSlowly) {
  Schedule s  = slabs(1);
  s.jitter    = 0.1;
  s.periods   = 50;
  double last = 0.0;
  for (int const ranks : {1, 16, 256}) {
    s.ranks           = {{ranks, 1, 1}};
    Simulated const r = simulate(s, Links());
    EXPECT_GT(r.seconds, last);
    EXPECT_LT(r.seconds, 50 * (1.1e-3 + 2e-5));
    last = r.seconds;
    EXPECT_EQ(r.waiting > 0.0, ranks > 1);
  }
}

TEST(Schedule, TenThousandGpus) {
  Schedule s;
  s.ranks   = {{20, 20, 25}};
  s.periods = 5;
  s.sweeps  = 1e-3;
  for (int const d : {4, 10, 12, 14, 16, 22}) s.bytes[static_cast<std::size_t>(d)] = 1e6;
  Simulated const r = simulate(s, Links());
  EXPECT_GT(r.seconds, 5e-3);
  EXPECT_LT(r.seconds, 6e-3);
}

}  // namespace
}  // namespace Model
}  // namespace KokkosStencil
