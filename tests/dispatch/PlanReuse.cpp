// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/HostViews.hpp"
#include "../harness/TestBackend.hpp"

#include <gtest/gtest.h>

#include <impl/KokkosStencil_HeldBytes.hpp>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

// What is prepared for one call serves the next, and nothing else does.

namespace KokkosStencil {
namespace Test {
namespace {

struct PlanReuse : testing::Test {
  HostView<double**> u{"u", 18, 19}, v{"v", 18, 19};
  HostPolicy2 policy;
  Stencil<double, 2> const s = star<2>(1, {1.25, 0.5});

  /// Plans built by f().
  template <class F>
  static std::uint64_t built(F const& f) {
    std::uint64_t const before = Impl::plans_built();
    f();
    EXPECT_EQ(last_backend(), "generic");
    return Impl::plans_built() - before;
  }
};

TEST_F(PlanReuse, TheSameCallBuildsOnce) {
  parallel_for("first", policy, s, u, v);
  EXPECT_EQ(built([&] { parallel_for("first", policy, s, u, v); }), 0u);
  // Equal terms, another label, other Views of the same shape.
  HostView<double**> const a("a", 18, 19), b("b", 18, 19);
  EXPECT_EQ(built([&] { parallel_for("second", policy, star<2>(1, {1.25, 0.5}), a, b); }), 0u);
  EXPECT_EQ(built([&] { parallel_for("third", policy.backend(""), s, b, a); }), 0u);
}

TEST_F(PlanReuse, EveryDifferenceBuildsAnew) {
  parallel_for("call", policy, s, u, v);
  HostView<double**> const a("a", 18, 20), b("b", 18, 20);
  HostView<double**, Kokkos::LayoutLeft> const left("left", 18, 19);
  HostView<float**> const f("f", 18, 19), g("g", 18, 19);
  EXPECT_EQ(built([&] { parallel_for("call", policy, s, a, b); }), 1u) << "extents";
  EXPECT_EQ(built([&] { parallel_for("call", policy, s, left, v); }), 1u) << "strides";
  EXPECT_EQ(built([&] { parallel_for("call", policy, s, f, g); }), 1u) << "value type";
  EXPECT_EQ(built([&] { parallel_for("call", policy, star<2>(1, {1.25, 0.75}), u, v); }), 1u) << "coefficients";
  EXPECT_EQ(built([&] { parallel_for("call", HostPolicy2({2, 2}, {4, 5}), s, u, v); }), 1u) << "range";
  EXPECT_EQ(built([&] { parallel_for("call", policy.boundary(Boundary<2>::value(1)), s, u, v); }), 1u) << "faces";
  EXPECT_EQ(built([&] { parallel_for("call", policy.boundary(Boundary<2>::value(2)), s, u, v); }), 1u) << "constant";
  EXPECT_EQ(built([&] { parallel_for("call", policy.accuracy(Accuracy::reproducible), s, u, v); }), 1u) << "accuracy";
  EXPECT_EQ(built([&] { parallel_for("call", policy.backend("generic"), s, u, v); }), 1u) << "forced backend";
  EXPECT_EQ(built([&] { parallel_for("call", policy, s, u, v); }), 0u) << "the first is still there";
}

TEST_F(PlanReuse, ConstantsAreComparedByTheirBits) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const with  = [&](double constant) {
    parallel_for("constant", policy.boundary(Boundary<2>::value(constant)), s, u, v);
  };
  EXPECT_EQ(built([&] { with(nan); }), 1u);
  EXPECT_EQ(built([&] { with(nan); }), 0u) << "NaN is itself";
  EXPECT_EQ(built([&] { with(0.0); }), 1u);
  EXPECT_EQ(built([&] { with(-0.0); }), 1u) << "zeros of either sign are two constants";
  EXPECT_EQ(built([&] { with(0.0); }), 0u);
}

TEST_F(PlanReuse, IterationsBuildOnce) {
  HostView<double**> a("a", 18, 19), b("b", 18, 19);
  iterate("call", policy, s, 5, a, b);
  EXPECT_EQ(built([&] { iterate("call", policy, s, 5, a, b); }), 0u);
  iterate_until("call", policy, s, StoppingCriterion{1e-3, 10, 5}, a, b);
  EXPECT_EQ(built([&] { iterate_until("call", policy, s, StoppingCriterion{1e-4, 20, 5}, a, b); }), 0u);
}

TEST_F(PlanReuse, SmallCountsOfSweepsHaveTheirOwn) {
  HostView<double**> a("a", 18, 23), b("b", 18, 23);
  auto const iterations = [&](std::int64_t steps) { return built([&] { iterate("call", policy, s, steps, a, b); }); };
  for (std::int64_t const steps : {4, 5, 7, 12, 13, 16, 17, 32, 64}) EXPECT_EQ(iterations(steps), 1u) << steps;
  for (std::int64_t const steps : {4, 5, 7, 12, 13, 16, 31, 63, 1000}) EXPECT_EQ(iterations(steps), 0u) << steps;
}

TEST_F(PlanReuse, AnErrorIsNotKept) {
  EXPECT_THROW(parallel_for("call", HostPolicy2({0, 0}, {18, 19}), s, u, v), Error);
  EXPECT_THROW(parallel_for("call", HostPolicy2({0, 0}, {18, 19}), s, u, v), Error);
}

TEST_F(PlanReuse, MoreShapesThanAreKept) {
  // Old plans go, results stay right.
  for (int round = 0; round < 2; ++round) {
    for (int n = 3; n < 303; ++n) {
      HostView<double*> const a("a", static_cast<std::size_t>(n)), b("b", static_cast<std::size_t>(n));
      Kokkos::deep_copy(a, 1.0);
      parallel_for("shapes", HostPolicy1(), star<1>(1, {1.0, 2.0}), a, b);
      Kokkos::fence();
      EXPECT_EQ(last_backend(), "generic");
      ASSERT_EQ(b(0), 0.0);
      ASSERT_EQ(b(1), 5.0);
      ASSERT_EQ(b(static_cast<std::size_t>(n) - 2), 5.0);
    }
  }
}

TEST_F(PlanReuse, KeptPlansAreBoundedInBytes) {
  // Stencils of 20,001 terms: without a bound these plans take more than 600 MB.
  HostView<double*> const a("a", 20100), b("b", 20100);
  for (int round = 0; round < 400; ++round) {
    std::vector<Stencil<double, 1>::Term> terms;
    for (int k = -10000; k <= 10000; ++k) terms.push_back({{k}, round + 1.0});
    std::size_t const before = Impl::cached_bytes();
    parallel_for("long", HostPolicy1(), Stencil<double, 1>(terms), a, b);
    EXPECT_EQ(last_backend(), "generic");
    std::size_t const now = Impl::cached_bytes();
    ASSERT_LE(now, Impl::most_cached_bytes);
    if (round == 0) {
      EXPECT_GT(now, before + 3 * terms.size() * sizeof(Term)) << "a plan has several copies of the terms";
    }
  }
  EXPECT_GT(Impl::cached_bytes(), Impl::most_cached_bytes / 2) << "many are kept";
}

TEST_F(PlanReuse, OnlyPlansThatNobodyUsesAreDroppedForTheirMemory) {
  auto const call = [&](std::size_t n) {
    HostView<double*> const a("a", n), b("b", n);
    return built([&] { parallel_for("dropped", HostPolicy1(), star<1>(1, {1.0, 2.0}), a, b); });
  };
  EXPECT_EQ(call(41), 1u);
  EXPECT_EQ(call(42), 1u);
  Impl::drop_unused_plans([] { return true; });
  for (int k = 0; k < 100; ++k) EXPECT_EQ(call(42), 0u);
  int asked = 0;
  Impl::drop_unused_plans([&asked] { return ++asked == 10000; });
  EXPECT_GT(asked, 1) << "the first one is dropped at least";
  EXPECT_LT(asked, 10000) << "and those in use are not";
  EXPECT_EQ(call(42), 0u) << "in use";
  EXPECT_EQ(call(41), 1u) << "not used for long";

  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  EXPECT_EQ(call(42), 0u);
  asked = 0;
  Impl::drop_unused_plans([&asked] { return ++asked == 10000; });
  EXPECT_EQ(call(42), 0u) << "in use";
  EXPECT_EQ(call(41), 1u) << "few calls went by, but a second";
}

TEST_F(PlanReuse, WhatBackendsHoldCounts) {
  test_backend()         = TestBackendState();
  test_backend().accepts = true;
  test_backend().bytes   = Impl::most_cached_bytes / 2;
  auto const prepared    = [&](std::size_t n) {
    HostView<double*> const a("a", n), b("b", n);
    int const before = test_backend().prepared;
    parallel_for("holds", HostPolicy1(), star<1>(1, {1.0, 2.0}), a, b);
    EXPECT_EQ(last_backend(), "test_switch");
    return test_backend().prepared - before;
  };
  EXPECT_EQ(prepared(31), 1);
  EXPECT_EQ(prepared(31), 0);
  EXPECT_EQ(prepared(32), 1) << "too much with the first";
  EXPECT_EQ(prepared(32), 0);
  EXPECT_EQ(prepared(31), 1) << "which is gone";
  // One that holds more than all may is kept until the next.
  test_backend().bytes = 2 * Impl::most_cached_bytes;
  EXPECT_EQ(prepared(33), 1);
  EXPECT_EQ(prepared(33), 0);
  EXPECT_EQ(prepared(34), 1);
  EXPECT_EQ(prepared(33), 1);
  test_backend().bytes = 0;
  EXPECT_EQ(prepared(35), 1);
  test_backend() = TestBackendState();
}

TEST_F(PlanReuse, APlanRunsOtherViewsOfItsShape) {
  using View = HostView<double**>;
  Plan<Host, 2, View, View> const plan("plan", policy, s, u, v);
  EXPECT_EQ(plan.backend(), "generic");
  View a("a", 18, 19), b("b", 18, 19);
  Kokkos::deep_copy(a, 2.0);
  EXPECT_EQ(built([&] { plan.run(a, b); }), 0u);
  Kokkos::fence();
  EXPECT_EQ(b(1, 1), 2.0 * 1.25 + 4 * 2.0 * 0.5);
  // A const input fits too, and a copy of the plan.
  auto const copy                  = plan;
  HostView<double const**> const c = a;
  Kokkos::deep_copy(b, 0.0);
  copy.run(c, b);
  Kokkos::fence();
  EXPECT_EQ(b(16, 17), 6.5);
}

TEST_F(PlanReuse, APlanForTwoLayoutsRunsBothWays) {
  // Handles are swapped after an odd number of sweeps; then the next call goes the other way.
  using View = HostView<double**, Kokkos::LayoutStride>;
  HostView<double*> const memory("memory", 2000), kept("kept", 2000);
  Kokkos::LayoutStride const rows(18, 25, 19, 1), columns(18, 1, 19, 21);
  View const narrow(memory.data(), rows), wide(memory.data() + 1000, columns);
  HostPolicy2 const inner = HostPolicy2({2, 3}, {15, 17}).boundary(Boundary<2>::periodic());
  for (auto const& p : {policy, inner, policy.backend("generic")}) {
    Plan<Host, 2, View, View> const plan("both ways", p, s, narrow, wide);
    for (std::size_t k = 0; k < 2000; ++k) memory(k) = static_cast<double>(k % 17) - 8.0;
    HostView<double**> a("a", 18, 19), b("b", 18, 19);
    View w = narrow, tmp = wide;
    for (std::size_t i = 0; i < 18; ++i) {
      for (std::size_t j = 0; j < 19; ++j) a(i, j) = w(i, j);
    }
    auto const compare = [&](View const& got, HostView<double**> const& expected) {
      Kokkos::fence();
      for (std::size_t i = 0; i < 18; ++i) {
        for (std::size_t j = 0; j < 19; ++j) ASSERT_EQ(got(i, j), expected(i, j)) << i << ", " << j;
      }
    };
    for (int const steps : {1, 3, 2, 5, 1}) {
      plan.run(w, tmp, steps);
      iterate("reference", p, s, steps, a, b);
      compare(w, a);
    }
    // Sweeps, from the newest state wherever it is.
    plan.run(w, tmp);
    parallel_for("reference", p, s, a, b);
    compare(tmp, b);
    plan.run(tmp, w);
    parallel_for("reference", p, s, b, a);
    compare(w, a);
  }
  Plan<Host, 2, View, View> const plan("both ways", policy, s, narrow, wide);
  View const too(kept.data(), rows);
  EXPECT_ERROR(plan.run(narrow, too), "stride of the output along axis 1: 21, given 1");
  EXPECT_ERROR(plan.run(wide, wide), "stride of the input along axis 1: 1, given 21");
}

#ifdef KOKKOS_ENABLE_SERIAL
TEST_F(PlanReuse, ManyHostThreadsMayCall) {
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&wrong, t] {
      using View =
          Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
      StencilPolicy<Kokkos::Serial, 1> const serial;
      for (int call = 0; call < 200; ++call) {
        // Shapes that several threads meet for the first time at once.
        auto const n = static_cast<std::size_t>(5 + call);
        std::vector<double> in(n, t + 1.0), out(n, 0.0);
        parallel_for("threads", serial, star<1>(1, {1.0, 0.5}), View(in.data(), n), View(out.data(), n));
        if (last_backend() != "generic" || out[1] != 2.0 * (t + 1.0) || out[n - 2] != out[1]) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}
#endif

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
