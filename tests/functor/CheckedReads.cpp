// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cstddef>

// A program that is compiled with KOKKOSSTENCIL_CHECK_READS.

#ifndef KOKKOSSTENCIL_CHECK_READS
#error "define KOKKOSSTENCIL_CHECK_READS"
#endif

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using View = Kokkos::View<double**, Exec::memory_space>;
using N    = Neighborhood<View>;

struct CheckedReads : testing::Test {
  View u{"u", 24, 31}, v{"v", 24, 31}, k{"k", 24, 31};
  StencilPolicy<Exec, 2> policy;

  CheckedReads() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Kokkos::deep_copy(u, 1.0);
    Kokkos::deep_copy(k, 2.0);
  }
  double at(View const& of, std::size_t i, std::size_t j) const {
    Kokkos::fence();
    return of(i, j);
  }
};

struct Cross {
  int far;
  template <class Near>
  KOKKOS_FUNCTION double operator()(Near const& n) const {
    return n(-1, 0) + n(0, far);
  }
};

TEST_F(CheckedReads, WhatIsSaidIsRead) {
  parallel_for("by radius", policy.radius(1), Cross{1}, u, v);
  EXPECT_EQ(at(v, 3, 4), 2.0);
  parallel_for(
      "by reach", policy, [](N const& n, N const& m, double& x) { x = n(0, 1) + m(0, 0); },
      fields(reach<0, sides(0, 1)>(u), k), v);
  EXPECT_EQ(at(v, 3, 4), 3.0);
  double sum = 0.0;
  parallel_reduce(
      "sum", policy, [](N const& n, double& all) { all += n(0, -1); }, reach<0, sides(1, 0)>(u),
      Kokkos::Sum<double>(sum));
  EXPECT_EQ(sum, 24.0 * 30.0);
  // Sweeps one at a time.
  iterate(
      "states", policy, [](N const& n, N const& m, double& x) { x = n(1, 0) + m(0, 0); }, 3, state<1>(u, v),
      constants(k));
  EXPECT_EQ(at(u, 3, 4), 7.0);
  EXPECT_EQ(last_backend(), "generic");
  iterate(
      "steps", policy, [](Step step, N const& n) { return n(1, 0) + static_cast<double>(step); }, 2, state<1>(u, v));
  EXPECT_EQ(at(u, 3, 4), 8.0);
  iterate(
      "levels", policy, [](N const& n, N const& before) { return n(0, 1) + before(0, 0); }, 2, levels<1>(u, v));
  EXPECT_EQ(iterate_until("until", policy, Cross{1}, {0.0, 3, 2}, state<1>(u, v)).steps, 3);
}

TEST_F(CheckedReads, FartherEndsTheProgram) {
  EXPECT_DEATH(parallel_for("radius", policy.radius(1), Cross{2}, u, v),
               "input 0 is read at an offset of 2 along axis 1; its reach is -1 to 1");
  EXPECT_DEATH(
      parallel_for(
          "reach", policy, [](N const& n, N const& m) { return n(0, 1) + m(1, 0); }, fields(reach<1>(u), k), v),
      "input 1 is read at an offset of 1 along axis 0; its reach is 0 to 0");
  double sum = 0.0;
  EXPECT_DEATH(parallel_reduce(
                   "side", policy, [](N const& n, double& all) { all += n(0, -1); }, reach<0, sides(0, 1)>(u),
                   Kokkos::Sum<double>(sum)),
               "offset of -1 along axis 1; its reach is 0 to 1");
  EXPECT_DEATH(iterate("states", policy, Cross{-2}, 3, state<1>(u, v)), "offset of -2 along axis 1");
  EXPECT_DEATH(parallel_for(
                   "index", policy, [](N const& n) { return double(n.index(2)); }, reach<0>(u), v),
               "the index of an axis");
  EXPECT_DEATH(
      iterate(
          "levels", policy, [](N const& n, N const& before) { return n(0, 1) + before(0, 1); }, 2, levels<1>(u, v)),
      "input 1 is read at an offset of 1");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

int main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return RUN_ALL_TESTS();
}
