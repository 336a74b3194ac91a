// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/HostViews.hpp"
#include "../harness/TestBackend.hpp"

#include <impl/KokkosStencil_StateOps.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

// The choice of a backend, by predicted time.

namespace KokkosStencil {
namespace Test {
namespace {

Stencil<double, 2> const g_star = star<2>(1, {1.0, 0.5});

/// Services for one kind of device, which host spaces are while a test says so.
struct SpecialServices : Impl::DeviceServices {
  static bool& there() {
    static bool yes = false;
    return yes;
  }
  std::unique_ptr<Impl::StateOps> state_ops(Problem const&, SpaceInfo const&) const override {
    if (there()) throw Error("special services were asked");
    return nullptr;
  }
};

struct Dispatch : testing::Test {
  using View     = HostView<double**>;
  using HostPlan = Plan<Host, 2, View, View>;
  View u{"u", 8, 9}, v{"v", 8, 9};
  HostPolicy2 policy;

  void SetUp() override { test_backend() = TestBackendState(); }
  void TearDown() override { test_backend() = TestBackendState(); }
  HostPlan plan(HostPolicy2 const& p) const { return HostPlan("choice", p, g_star, u, v); }
  static Candidate candidate(HostPlan const& plan, std::string const& name) {
    auto const& all = plan.candidates();
    return *std::find_if(all.begin(), all.end(), [&](Candidate const& c) { return c.backend == name; });
  }
};

TEST_F(Dispatch, NamesInOrderOfRegistration) {
  auto const names = backend_names();
  ASSERT_GE(names.size(), 2u);
  EXPECT_EQ(std::count(names.begin(), names.end(), "generic"), 1);
  EXPECT_EQ(names.back(), "test_switch");
}

TEST_F(Dispatch, OneThatRefusesIsNotChosen) {
  HostPlan const p = plan(policy);
  EXPECT_EQ(p.backend(), "generic");
  Candidate const refused = candidate(p, "test_switch"), chosen = candidate(p, "generic");
  EXPECT_FALSE(refused.runnable);
  EXPECT_FALSE(refused.chosen);
  EXPECT_EQ(refused.reason, "the test said no");
  EXPECT_TRUE(chosen.runnable);
  EXPECT_TRUE(chosen.chosen);
  EXPECT_GT(chosen.predicted, 0.0);
  p.run(u, v);
  EXPECT_EQ(last_backend(), "generic");
  EXPECT_EQ(test_backend().sweeps, 0);
}

TEST_F(Dispatch, TheFasterPredictionWins) {
  test_backend().accepts = true;
  HostPlan const p       = plan(policy);
  EXPECT_EQ(p.backend(), "test_switch");
  EXPECT_EQ(candidate(p, "test_switch").predicted, test_backend().predicted);
  EXPECT_FALSE(candidate(p, "generic").chosen);
  EXPECT_NE(candidate(p, "generic").reason, "");
  EXPECT_EQ(test_backend().prepared, 1);
  p.run(u, v);
  EXPECT_EQ(last_backend(), "test_switch");
  EXPECT_EQ(test_backend().sweeps, 1);
  p.run(u, v, 5);
  EXPECT_EQ(test_backend().sweeps, 6);
  // Calls choose in the same way.
  HostView<double**> a("a", 9, 13), b("b", 9, 13);
  parallel_for("choice", policy, g_star, a, b);
  EXPECT_EQ(last_backend(), "test_switch");
  iterate("choice", policy, g_star, 3, a, b);
  EXPECT_EQ(last_backend(), "test_switch");
  EXPECT_EQ(test_backend().sweeps, 10);
}

TEST_F(Dispatch, TheSlowerPredictionLoses) {
  test_backend().accepts   = true;
  test_backend().predicted = 1e30;
  HostPlan const p         = plan(policy);
  EXPECT_EQ(p.backend(), "generic");
  EXPECT_TRUE(candidate(p, "test_switch").runnable);
  EXPECT_FALSE(candidate(p, "test_switch").chosen);
}

TEST_F(Dispatch, ForcingBeatsThePrediction) {
  test_backend().accepts = true;
  HostPlan const generic = plan(policy.backend("generic"));
  EXPECT_EQ(generic.backend(), "generic");
  EXPECT_EQ(candidate(generic, "generic").reason, "forced");
  test_backend().predicted = 1e30;
  EXPECT_EQ(plan(policy.backend("test_switch")).backend(), "test_switch");
  EXPECT_EQ(plan(policy.backend("")).backend(), "generic");
}

TEST_F(Dispatch, TheClockDoesNotDecideWhereTheNewestStateIs) {
  // It chooses between single sweeps and passes of several, during the first calls of a plan.
  HostView<float**> a("a", 767, 903), b("b", 767, 903);
  HostPolicy2 const temporal = policy.backend("host_temporal");
  Stencil<double, 2> const halved({{{0, 0}, 0.25}, {{0, 0}, 0.25}});
  for (std::int64_t const steps : {11, 12, 11, 12, 30, 31, 100, 101, 11, 12}) {
    auto first = a, second = b;
    iterate("places", temporal, halved, steps, first, second);
    ASSERT_EQ(first.data(), steps % 2 == 1 ? b.data() : a.data()) << steps << " sweeps";
  }
}

TEST_F(Dispatch, ExplainShowsEveryCandidate) {
  std::string const refused = plan(policy).explain();
  for (char const* part : {"\"choice\"", "2-D double 8x9", "5 terms", "native", "predicted", "generic", "chosen",
                           "test_switch", "cannot run: the test said no"}) {
    EXPECT_NE(refused.find(part), std::string::npos) << part << " is missing in\n" << refused;
  }
  test_backend().accepts   = true;
  std::string const beaten = plan(policy).explain();
  EXPECT_NE(beaten.find("not chosen"), std::string::npos) << beaten;
  EXPECT_NE(plan(policy.backend("generic")).explain().find("chosen: forced"), std::string::npos);
}

TEST_F(Dispatch, APlanChoosesForOneSweepAndForMany) {
  test_backend().accepts = true;
  test_backend().depths  = {{1, 1.0}, {4, 1e-30}};
  HostPlan const p       = plan(policy);
  EXPECT_EQ(p.backend(), "generic");
  EXPECT_EQ(p.backend(24), "test_switch");
  auto const& many = p.candidates(24);
  EXPECT_EQ(std::count_if(many.begin(), many.end(), [](Candidate const& c) { return c.backend == "test_switch"; }), 2);
  for (Candidate const& c : many) EXPECT_EQ(c.chosen, c.backend == "test_switch" && c.estimate.depth == 4);
  EXPECT_EQ(test_backend().prepared, 1);
  EXPECT_EQ(test_backend().prepared_depth, 4);
  EXPECT_NE(p.explain().find("depth 4 is faster"), std::string::npos) << p.explain();
  View a("a", 8, 9), b("b", 8, 9);
  p.run(a, b);
  EXPECT_EQ(last_backend(), "generic");
  p.run(a, b, 24);
  EXPECT_EQ(last_backend(), "test_switch");
  p.run(a, b, 1);
  EXPECT_EQ(last_backend(), "generic");
  // Calls choose for the steps they make.
  HostView<double**> c("c", 11, 13), d("d", 11, 13);
  parallel_for("choice", policy, g_star, c, d);
  EXPECT_EQ(last_backend(), "generic");
  iterate("choice", policy, g_star, 8, c, d);
  EXPECT_EQ(last_backend(), "test_switch");
}

TEST_F(Dispatch, ServicesForADeviceGoBeforeGenericOnes) {
  Impl::register_device_services(std::make_unique<SpecialServices const>());
  HostView<double**> const a("a", 14, 13), b("b", 14, 13);
  SpecialServices::there() = true;
  EXPECT_ERROR(HostPlan("services", policy, g_star, a, b), "special services were asked");
  SpecialServices::there() = false;
  EXPECT_NO_THROW(HostPlan("services", policy, g_star, a, b));
}

TEST_F(Dispatch, TheWayBackIsAskedForToo) {
  // Between Views of different strides every second sweep is another problem, which a backend may refuse.
  using Rows             = HostView<double**, Kokkos::LayoutStride>;
  test_backend().accepts = true;
  test_backend().pitch   = 9;
  HostView<double**> const narrow("narrow", 8, 9), wide("wide", 8, 12);
  Rows a(narrow.data(), Kokkos::LayoutStride(8, 9, 9, 1)), b(wide.data(), Kokkos::LayoutStride(8, 12, 9, 1));
  Plan<Host, 2, Rows, Rows> const p("back", policy, g_star, a, b);
  EXPECT_EQ(p.backend(), "test_switch");
  EXPECT_EQ(test_backend().prepared, 1);
  p.run(a, b);
  EXPECT_EQ(test_backend().sweeps, 1);
  p.run(a, b, 3);
  EXPECT_EQ(test_backend().sweeps, 3);
  std::swap(a, b);
  // Where it is forced no other one steps in.
  auto const forced = policy.backend("test_switch");
  Plan<Host, 2, Rows, Rows> const one_way("one way", forced, g_star, a, b);
  one_way.run(a, b);
  one_way.run(a, b, 1);
  std::swap(a, b);
  EXPECT_EQ(test_backend().sweeps, 5);
  std::string const why = "\"test_switch\" cannot run the way back";
  EXPECT_ERROR(one_way.run(b, a), why);
  EXPECT_ERROR(one_way.run(a, b, 2), why);
  EXPECT_ERROR(one_way.run(b, a, 1), why);
  EXPECT_ERROR(iterate("back", forced, g_star, 2, a, b), why);
  EXPECT_ERROR(iterate_until("back", forced, g_star, StoppingCriterion{1e9, 2, 1}, a, b), why);
  EXPECT_EQ(test_backend().sweeps, 5);
  test_backend().pitch = 0;
  Plan<Host, 2, Rows, Rows> const both("back and forth", policy, g_star, a, b);
  int const before = test_backend().sweeps;
  both.run(a, b, 3);
  EXPECT_EQ(test_backend().sweeps, before + 3);
}

TEST_F(Dispatch, SmallerProblemsAreNotSlower) {
  View const a("a", 800, 900), b("b", 800, 900);
  HostPlan const large("choice", policy, g_star, a, b);
  EXPECT_LT(candidate(plan(policy), "generic").predicted, candidate(large, "generic").predicted);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
