// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/HostViews.hpp"

#include <limits>

// Misuse that is seen when the library is called. Each text names the label, the values and the mend.

namespace KokkosStencil {
namespace Test {
namespace {

Stencil<double, 2> const g_star = star<2>(1, {1.0, 0.5});

struct CallErrors : testing::Test {
  HostView<double**> u{"u", 8, 9}, v{"v", 8, 9};
  HostPolicy2 policy;

  void SetUp() override { Kokkos::deep_copy(v, 7.0); }
  /// Nothing was launched: the output is as it was.
  void TearDown() override {
    Kokkos::fence();
    for (std::size_t i = 0; i < v.extent(0); ++i) {
      for (std::size_t j = 0; j < v.extent(1); ++j) EXPECT_EQ(v(i, j), 7.0);
    }
  }
};

TEST_F(CallErrors, ExtentsThatDisagree) {
  HostView<double**> const other("other", 8, 10);
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, other, v), "\"smooth\"", "8 x 10", "8 x 9", "must agree",
               "subviews");
  HostView<double**> a("a", 8, 9), b("b", 9, 9);
  EXPECT_ERROR(iterate("smooth", policy, g_star, 3, a, b), "\"smooth\"", "8 x 9", "9 x 9");
  using View     = HostView<double**>;
  using HostPlan = Plan<Host, 2, View, View>;
  EXPECT_ERROR(HostPlan("smooth", policy, g_star, other, v), "\"smooth\"", "8 x 10", "8 x 9");
}

TEST_F(CallErrors, RangeOutside) {
  HostPolicy2 const outside({0, 1}, {7, 8});
  EXPECT_ERROR(parallel_for("smooth", outside, g_star, u, v), "\"smooth\"", "[0, 7)", "axis 0", "[1, 7)", "extent of 8",
               "-1", "+1", "Shrink the range", ".boundary(Boundary<2>::periodic())");
  EXPECT_ERROR(parallel_for("smooth", HostPolicy2({1, 1}, {7, 9}), g_star, u, v), "[1, 9)", "axis 1", "[1, 8)");
  // With a rule the whole View is allowed, and no more.
  auto const ruled = [](HostPolicy2 const& p) { return p.boundary(Boundary<2>::mirror()); };
  EXPECT_ERROR(parallel_for("smooth", ruled(HostPolicy2({-1, 0}, {8, 9})), g_star, u, v), "[-1, 8)", "[0, 8)");
  EXPECT_ERROR(parallel_for("smooth", ruled(HostPolicy2({0, 0}, {8, 10})), g_star, u, v), "[0, 10)", "[0, 9)");
  // Halos narrower than the window leave nothing.
  EXPECT_ERROR(parallel_for("smooth", HostPolicy2({4, 4}, {5, 5}), star<2>(6, {1., 1., 1., 1., 1., 1., 1.}), u, v),
               "[4, 5)", "outside");
}

TEST_F(CallErrors, TheSameView) {
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, v, v), "\"smooth\"", "overlap", "8 x 9", "second View");
  HostView<double**> a = v, b = v;
  EXPECT_ERROR(iterate("smooth", policy, g_star, 2, a, b), "overlap");
  EXPECT_ERROR(iterate_until("smooth", policy, g_star, StoppingCriterion{}, a, b), "overlap");
}

TEST_F(CallErrors, OverlapIsSeenByEarlierPlansToo) {
  // The first call builds and keeps what it needs; the second must check its own Views.
  HostView<double**> other("other", 8, 9);
  parallel_for("smooth", policy, g_star, u, other);
  EXPECT_EQ(last_backend(), "generic");
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, v, v), "overlap");
  using View = HostView<double**>;
  Plan<Host, 2, View, View> const plan("smooth", policy, g_star, u, other);
  EXPECT_ERROR(plan.run(v, v), "\"smooth\"", "overlap");
}

TEST_F(CallErrors, PartiallyOverlappingSubviews) {
  HostView<double**> const parent("parent", 12, 20);
  using Pair       = std::pair<int, int>;
  auto const left  = Kokkos::subview(parent, Pair(0, 8), Pair(0, 9));
  auto const right = Kokkos::subview(parent, Pair(3, 11), Pair(8, 17));
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, left, right), "overlap");
}

TEST_F(CallErrors, CoefficientsThatAreNotFinite) {
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Stencil<double, 2> const s{{{0, 0}, 1.0}, {{-1, 2}, bad}};
    EXPECT_ERROR(parallel_for("smooth", policy, s, u, v), "\"smooth\"", "(-1, 2)", "not finite");
  }
}

TEST_F(CallErrors, CoefficientsThatOverflow) {
  HostView<float**> const f("f", 8, 9), g("g", 8, 9);
  Stencil<double, 2> const s{{{0, 1}, 1e39}};
  EXPECT_ERROR(parallel_for("smooth", policy, s, f, g), "\"smooth\"", "1e+39", "(0, 1)", "overflows", "float",
               "3.40282e+38", "Scale the stencil");
  // Double holds it.
  HostView<double**> const w("w", 8, 9);
  parallel_for("smooth", policy, s, u, w);
  EXPECT_EQ(last_backend(), "generic");
}

#ifdef KOKKOSSTENCIL_IMPL_HAS_HALF
TEST_F(CallErrors, CoefficientsThatOverflowHalf) {
  using Half = Kokkos::Experimental::half_t;
  HostView<Half**> const f("f", 8, 9), g("g", 8, 9);
  Stencil<float, 2> const s{{{0, 1}, 70000.0f}};
  EXPECT_ERROR(parallel_for("smooth", policy, s, f, g), "70000", "overflows", "half", "65504");
}
#else
TEST(CallErrorsHalf, CoefficientsThatOverflowHalf) { GTEST_SKIP() << "half_t is float in this Kokkos"; }
#endif

TEST_F(CallErrors, PeriodicOnOneFace) {
  auto const lower = policy.boundary(Boundary<2>::mirror().lower(1, Face::periodic()));
  EXPECT_ERROR(parallel_for("smooth", lower, g_star, u, v), "\"smooth\"", "axis 1", "periodic at its lower",
               "mirror at its upper", "both", "Boundary::axis(1, Face::periodic())");
  auto const upper = policy.boundary(Boundary<2>().upper(0, Face::periodic()));
  EXPECT_ERROR(parallel_for("smooth", upper, g_star, u, v), "axis 0", "halo at its lower", "periodic at its upper");
}

TEST_F(CallErrors, MirrorIntoAHalo) {
  HostView<double*> const a("a", 3), b("b", 3);
  auto const p = HostPolicy1().boundary(Boundary<1>().lower(0, Face::mirror()));
  EXPECT_ERROR(parallel_for("smooth", p, Stencil<double, 1>{{{-4}, 1.0}}, a, b), "\"smooth\"", "axis 0", "mirror",
               "halo", "extent 3", "reach 4", "Widen the View");
}

TEST_F(CallErrors, NegativeSteps) {
  HostView<double**> a("a", 8, 9), b("b", 8, 9);
  EXPECT_ERROR(iterate("smooth", policy, g_star, -1, a, b), "\"smooth\"", "-1 steps", "must not be negative");
  using View = HostView<double**>;
  Plan<Host, 2, View, View> const plan("smooth", policy, g_star, a, b);
  EXPECT_ERROR(plan.run(a, b, -7), "\"smooth\"", "-7 steps");
}

TEST_F(CallErrors, UntilParameters) {
  HostView<double**> a("a", 8, 9), b("b", 8, 9);
  auto const run = [&](StoppingCriterion const& until) { iterate_until("smooth", policy, g_star, until, a, b); };
  EXPECT_ERROR(run({-1.0, 10, 1}), "\"smooth\"", "tolerance -1", "must not be negative");
  EXPECT_ERROR(run({std::numeric_limits<double>::quiet_NaN(), 10, 1}), "\"smooth\"", "nan");
  EXPECT_ERROR(run({0.0, -3, 1}), "\"smooth\"", "max_steps -3", "must not be negative");
  EXPECT_ERROR(run({0.0, 10, 0}), "\"smooth\"", "check_every 0", "at least 1");
  EXPECT_ERROR(run({0.0, 10, -2}), "\"smooth\"", "check_every -2", "at least 1");
}

TEST_F(CallErrors, BoundaryAxisThatDoesNotExist) {
  EXPECT_ERROR(Boundary<2>().lower(2, Face::edge()), "no such axis: 2", "0 to 1");
  EXPECT_ERROR(Boundary<2>().upper(-1, Face::edge()), "no such axis: -1", "0 to 1");
}

TEST_F(CallErrors, PlanForOtherViews) {
  using View = HostView<double**>;
  View const w("w", 8, 9), longer("longer", 8, 10), longer2("longer2", 8, 10);
  Plan<Host, 2, View, View> const plan("smooth", policy, g_star, u, w);
  EXPECT_ERROR(plan.run(longer, longer2), "\"smooth\"", "extent of the input along axis 1: 9, given 10", "Make a plan");
  EXPECT_ERROR(plan.run(u, longer), "\"smooth\"", "extent of the output along axis 1: 9, given 10", "Make a plan");
  HostView<double**, Kokkos::LayoutLeft> const left("left", 8, 9);
  EXPECT_ERROR(plan.run(left, w), "\"smooth\"", "stride of the input along axis 0: 9, given 1", "Make a plan");
  HostView<float**> const f("f", 8, 9), g("g", 8, 9);
  EXPECT_ERROR(plan.run(f, g), "\"smooth\"", "value type of the input: double, given float", "Make a plan");
}

TEST(Interleaved, DisjointSubviewsOfOneParentAreAccepted) {
  // Even and odd columns, and two halves side by side in every row.
  HostView<double*> const parent("parent", 4000);
  for (std::size_t k = 0; k < 4000; ++k) parent(k) = static_cast<double>(k);
  using Strided = HostView<double**, Kokkos::LayoutStride>;
  Kokkos::LayoutStride const columns(10, 40, 12, 2);
  Strided const even(parent.data(), columns), odd(parent.data() + 1, columns);
  parallel_for("interleaved", HostPolicy2(), Stencil<double, 2>{{{0, 1}, 1.0}}, even, odd);
  Kokkos::fence();
  EXPECT_EQ(last_backend(), "generic");
  EXPECT_EQ(odd(3, 4), even(3, 5));
  EXPECT_EQ(even(3, 5), 3 * 40 + 10) << "the input must not change";

  Kokkos::LayoutStride const halves(10, 40, 20, 1);
  Strided const left(parent.data(), halves), right(parent.data() + 20, halves);
  parallel_for("halves", HostPolicy2(), Stencil<double, 2>{{{1, 0}, 2.0}}, left, right);
  Kokkos::fence();
  EXPECT_EQ(right(4, 7), 2 * left(5, 7));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
