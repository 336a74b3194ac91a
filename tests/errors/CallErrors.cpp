// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/HostViews.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

// Misuse that is seen when the library is called. Each text names the label, the values and the mend.

namespace KokkosStencil {
namespace Test {
namespace {

Stencil<double, 2> const g_star = star<2>(1, {1.0, 0.5});

struct Sum {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& n) const {
    return n(0, 0) + n(0, 1);
  }
};

struct Dot {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, double& sum) const {
    sum += a(0, 0) * b(0, 0);
  }
};

struct Product {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& a, N const& b) const {
    return a(0, 0) * b(0, 0);
  }
};

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
               "subviews", "count as faces");
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

TEST_F(CallErrors, RangeOutsideOfAViewWithRules) {
  // There is no rule to recommend.
  HostView<double*> const a("a", 10), b("b", 10);
  auto const p = HostPolicy1({0}, {11}).boundary(Boundary<1>::periodic());
  EXPECT_ERROR(parallel_for("smooth", p, star<1>(1, {1.0, 0.5}), a, b), "[0, 11)", "[0, 10)", "inside the View");
  try {
    parallel_for("smooth", p, star<1>(1, {1.0, 0.5}), a, b);
  } catch (Error const& error) {
    EXPECT_EQ(std::string(error.what()).find("periodic"), std::string::npos) << error.what();
  }
}

TEST_F(CallErrors, ReversedRanges) {
  std::size_t const n = u.extent(0);
  EXPECT_ERROR(parallel_for("smooth", HostPolicy2({1, 1}, {n - 20, 8}), g_star, u, v), "\"smooth\"", "[1, -12)",
               "axis 0", "reversed", "extent is 8", "where it begins");
  EXPECT_ERROR(parallel_for("smooth", HostPolicy2({5, 4}, {5, 3}), g_star, u, v), "[4, 3)", "axis 1", "reversed");
  EXPECT_ERROR(parallel_for("smooth", HostPolicy2({1, 1}, {n - 20, 8}).radius(1), Sum(), u, v), "[1, -12)", "reversed");
  HostView<double**> a("a", 8, 9), b("b", 8, 9);
  EXPECT_ERROR(iterate("smooth", HostPolicy2({3, 1}, {2, 8}), g_star, 2, a, b), "[3, 2)", "reversed");
  EXPECT_ERROR(iterate("smooth", HostPolicy2({3, 1}, {2, 8}).radius(1), Sum(), 2, a, b), "[3, 2)", "reversed");
}

TEST_F(CallErrors, RadiiThatAreNone) {
  EXPECT_ERROR(HostPolicy2().radius({{1}}), "radius", "axis 1");
  EXPECT_ERROR(HostPolicy2().radius(-1), "radius of -1", "axis 0", "0 or more");
  EXPECT_ERROR(HostPolicy2().radius({{1, -2}}), "radius of -2", "axis 1");
  EXPECT_ERROR(HostPolicy2().radius(std::array<std::int64_t, 2>{{1, std::int64_t(1) << 40}}), "1099511627776");
  EXPECT_EQ(HostPolicy2().radius(std::array<int, 2>{{1, 2}}).impl_radius(), (std::array<int, 3>{{1, 2, -1}}));
}

TEST_F(CallErrors, FieldsThatDiffer) {
  HostView<double**> const small("small", 8, 8);
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), small, v), "the input has extents 8 x 8", "the output");
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Product(), fields(u, small), v), "input 1 has extents 8 x 8");
  HostView<double**> a("a", 8, 9), b("b", 8, 8);
  EXPECT_ERROR(iterate("smooth", policy.radius(1), Sum(), 2, a, b), "state 0 has extents 8 x 9",
               "its second View 8 x 8");
}

TEST_F(CallErrors, ViewsWithoutMemory) {
  HostView<double**> const none(nullptr, 8, 9), nothing(nullptr, 0, 9);
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, none, v), "\"smooth\"", "the input", "8 x 9", "no memory", "null",
               "Allocate");
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, u, none), "the output", "8 x 9", "no memory");
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, none, none), "the input", "no memory");
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), none, v), "the input", "no memory");
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), u, none), "the output", "no memory");
  HostView<double**> a = none, b("b", 8, 9);
  EXPECT_ERROR(iterate("smooth", policy, g_star, 2, a, b), "the input", "no memory");
  EXPECT_ERROR(iterate("smooth", policy, g_star, 2, b, a), "the output", "no memory");
  EXPECT_ERROR(iterate_until("smooth", policy, g_star, {}, b, a), "the output", "no memory");
  // As if never allocated, which g++ 12 and Kokkos 4.6.99 cannot destroy: that its extents disagree would lead astray.
  HostView<double**> const never(nullptr, 0, 0);
  EXPECT_ERROR(parallel_for("smooth", policy, g_star, u, never), "the output", "0 x 0", "no memory", "Allocate");
  EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), never, v), "the input", "0 x 0", "no memory");
  double sum = 0.0;
  EXPECT_ERROR(parallel_reduce("smooth", policy.radius(1), Dot(), fields(u, never), sum), "input 1", "no memory");
  // An earlier plan does not help.
  HostView<double**> const w("w", 8, 9);
  using View = HostView<double**>;
  Plan<Host, 2, View, View> const plan("smooth", policy, g_star, u, w);
  EXPECT_ERROR(plan.run(none, w), "the input", "no memory");
  parallel_for("nothing", policy, g_star, nothing, nothing);
}

TEST_F(CallErrors, OutputsThatOverlapThemselves) {
  HostView<double*> const memory("memory", 200);
  using View      = HostView<double**, Kokkos::LayoutStride>;
  auto const with = [&](std::size_t first, std::size_t second) {
    return View(memory.data(), Kokkos::LayoutStride(8, first, 9, second));
  };
  for (View const& w : {with(0, 1), with(1, 0), with(1, 1), with(8, 1), with(2, 3)}) {
    EXPECT_ERROR(parallel_for("smooth", policy, g_star, u, w), "\"smooth\"", "several points of the output", "8 x 9",
                 std::to_string(w.stride(0)) + ", " + std::to_string(w.stride(1)), "do not overlap");
    EXPECT_ERROR(parallel_for("smooth", policy.radius(1), Sum(), u, w), "several points of the output");
    HostView<double*> const other("other", 200);
    View a(other.data(), Kokkos::LayoutStride(8, 9, 9, 1)), b = w;
    EXPECT_ERROR(iterate("smooth", policy, g_star, 2, a, b), "several points of the output");
    EXPECT_ERROR(iterate("smooth", policy, g_star, 2, b, a), "several points of the output");
    EXPECT_ERROR(iterate_until("smooth", policy, g_star, {}, b, a), "several points of the output");
    EXPECT_ERROR(iterate("smooth", policy.radius(1), Sum(), 2, b, a), "several points of the output");
  }
  // An input may: it is the same everywhere.
  HostView<double**> const w("w", 8, 9);
  memory(0) = 3.0;
  parallel_for("smooth", policy, g_star, View(memory.data(), Kokkos::LayoutStride(8, 0, 9, 0)), w);
  Kokkos::fence();
  EXPECT_EQ(w(4, 5), 9.0);
}

TEST_F(CallErrors, ConstantsThatOverflow) {
  HostView<float**> const f("f", 8, 9), g("g", 8, 9);
  Stencil<float, 2> const s{{{0, 1}, 1.0f}};
  auto const huge = policy.boundary(Boundary<2>::value(1).upper(1, Face::value(-1e300)));
  EXPECT_ERROR(parallel_for("smooth", huge, s, f, g), "\"smooth\"", "constant -1e+300", "upper face of axis 1",
               "overflows", "float", "3.40282e+38", "Take another constant");
  EXPECT_ERROR(parallel_for("smooth", huge.radius(1), Sum(), f, g), "constant -1e+300", "upper face of axis 1",
               "float");
  HostView<int**> a("a", 8, 9), b("b", 8, 9);
  EXPECT_ERROR(parallel_for("smooth", huge.radius(1), Sum(), a, b), "constant -1e+300", "of a field", "2.14748e+09");
  double const nan = std::numeric_limits<double>::quiet_NaN();
  auto const none  = policy.boundary(Boundary<2>::value(nan));
  EXPECT_ERROR(iterate("smooth", none.radius(1), Sum(), 2, a, b), "constant nan", "of a field");
  // Double holds it, and numbers that are not finite are constants as others are.
  HostView<double**> const w("w", 8, 9);
  parallel_for("smooth", huge, Stencil<double, 2>{{{0, 1}, 1.0}}, u, w);
  parallel_for("smooth", policy.boundary(Boundary<2>::value(std::numeric_limits<double>::infinity())), s, f, g);
  Kokkos::fence();
  EXPECT_EQ(w(2, 8), -1e300);
  EXPECT_EQ(g(2, 8), std::numeric_limits<float>::infinity());
  parallel_for("smooth", none, s, f, g);
  Kokkos::fence();
  EXPECT_TRUE(std::isnan(g(2, 8)));
}

TEST_F(CallErrors, EnumeratorsThatDoNotExist) {
  HostView<double**> a("a", 8, 9), b("b", 8, 9);
  EXPECT_ERROR(iterate_until("smooth", policy, g_star, {0.0, 10, 1, static_cast<Norm>(77)}, a, b), "\"smooth\"",
               "no Norm(77)", "max or rms");
  EXPECT_ERROR(parallel_for("smooth", policy.accuracy(static_cast<Accuracy>(77)), g_star, u, v), "\"smooth\"",
               "no Accuracy(77)", "reproducible");
  EXPECT_ERROR(parallel_for("smooth", policy.tuning(static_cast<Tuning>(77)), g_star, u, v), "\"smooth\"",
               "no Tuning(77)", "measure");
  auto const p = policy.boundary(Boundary<2>().upper(1, Face{static_cast<BoundaryKind>(77), 0.0}));
  EXPECT_ERROR(parallel_for("smooth", p, g_star, u, v), "\"smooth\"", "axis 1", "BoundaryKind(77)", "edge or shared");
  EXPECT_ERROR(parallel_for("smooth", p.radius(1), Sum(), u, v), "axis 1", "BoundaryKind(77)");
}

TEST_F(CallErrors, PlansThatWereMovedFrom) {
  using View = HostView<double**>;
  View a("a", 8, 9), b("b", 8, 9);
  Plan<Host, 2, View, View> plan("smooth", policy, g_star, a, b);
  auto const moved = std::move(plan);
  EXPECT_ERROR(plan.run(a, b), "moved from");
  EXPECT_ERROR(plan.run(a, b, 3), "moved from");
  EXPECT_ERROR(plan.backend(), "moved from");
  EXPECT_ERROR(plan.explain(), "moved from");
  EXPECT_ERROR(plan.candidates(), "moved from");
  moved.run(a, b);
  EXPECT_EQ(last_backend(), "generic");
}

TEST_F(CallErrors, FunctorIterationsOfNoStepsAreChecked) {
  HostView<double**> a("a", 8, 9), b("b", 8, 9), c("c", 8, 10);
  EXPECT_ERROR(iterate("smooth", policy, Sum(), 0, a, b), "\"smooth\"", "radius");
  EXPECT_ERROR(iterate("smooth", policy.radius(1), Sum(), 0, a, c), "8 x 9", "8 x 10");
  EXPECT_ERROR(iterate("smooth", policy.radius(1), Sum(), 0, a, a), "overlap");
  EXPECT_ERROR(iterate("smooth", policy.radius(1).backend("warp_drive"), Sum(), 0, a, b), "does not exist");
  EXPECT_ERROR(iterate("smooth", HostPolicy2({0, 0}, {8, 9}).radius(1), Sum(), 0, a, b), "outside");
  EXPECT_ERROR(iterate("smooth", policy, g_star, 0, a, c), "8 x 9", "8 x 10");
  iterate("smooth", policy.radius(1), Sum(), 0, a, b);
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
    EXPECT_ERROR(parallel_for("smooth", policy, s, u, v), "\"smooth\"", "(-1, 2)", "not finite", "leave the term out");
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
  // Not in its 300 digits.
  EXPECT_ERROR(run({-1e300, 10, 1}), "tolerance -1e+300,");
  EXPECT_ERROR(run({0.0, -3, 1}), "\"smooth\"", "max_steps -3", "must not be negative");
  EXPECT_ERROR(run({0.0, 10, 0}), "\"smooth\"", "check_every 0", "at least 1");
  EXPECT_ERROR(run({0.0, 10, -2}), "\"smooth\"", "check_every -2", "at least 1");
}

TEST_F(CallErrors, BoundaryAxisThatDoesNotExist) {
  EXPECT_ERROR(Boundary<2>().lower(2, Face::edge()), "no such axis: 2", "0 to 1");
  EXPECT_ERROR(Boundary<2>().upper(-1, Face::edge()), "no such axis: -1", "0 to 1");
  EXPECT_ERROR(Boundary<2>().face(2, 0), "no such axis: 2");
  EXPECT_ERROR(Boundary<2>().face(0, 2), "no such side: 2");
  EXPECT_ERROR((Stencil<double, 2>{{{0, 1}, 1.0}}.lower(2)), "no such axis: 2", "0 to 1");
  EXPECT_ERROR((Stencil<double, 2>{{{0, 1}, 1.0}}.term(1)), "no such term: 1", "there are 1");
  EXPECT_ERROR((StencilPolicy<Kokkos::DefaultHostExecutionSpace, 2>({0, 0}, {4})), "axis 1",
               "an index for each of the 2 axes");
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
