// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "IterateTest.hpp"

#include <string>
#include <utility>
#include <vector>

// Many sweeps of several fields against single sweeps, point a thread. Products are by powers of two, so that it makes
// no difference how a compiler contracts them.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorIterate : testing::Test {};
TYPED_TEST_SUITE(FunctorIterate, FunctorSpaces, SpaceNames);

/// Two fields that turn into each other, by branches too.
struct React {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, T& next_a, T& next_b) const {
    T const turned = a(0, 0) > b(0, 0) ? T(0.125) * a(-1, 0) : T(0.0625) * b(1, 1);
    next_a         = T(0.25) * (a(-1, 0) + a(1, 0)) + T(0.125) * (a(0, -1) + b(0, 1)) - turned;
    next_b += turned - T(0.5) * b(0, 0) + T(0.25) * b(-1, 1);
  }
};
/// The same as single sweeps have it: the value is that of the point at first.
struct ReactOnce {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, T& next_a, T& next_b) const {
    next_b = b(0, 0);
    React()(a, b, next_a, next_b);
  }
};
/// One field with coefficients around the point, others at the point, and the index.
struct Flow {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& k, N const& source) const {
    using T       = decltype(u(0, 0));
    T const ahead = k(0, 1) > T(0) ? u(0, 1) : u(0, -1);
    return T(0.25) * (u(-1, 0) + ahead) + T(0.125) * (k(1, 0) + k(-1, -1)) +
           (n_even(u.index(0) + 3 * u.index(1)) ? source(0, 0) : u(0, 0)) * T(0.25);
  }
  KOKKOS_FUNCTION static bool n_even(std::int64_t n) { return n % 2 == 0; }
};
struct Sum2 {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& before) const {
    return u(1, 1) + before(0, 0) - u(0, -1);
  }
};
template <class Exec, class T, class Layout>
void check_systems(bool odd = false) {
  using View       = SpaceView<Exec, T**, Layout>;
  auto const field = [&](char const* name) { return make<View>(name, {{rows, columns, 1}}, odd); };
  View a = field("a"), a2 = field("a2"), b = field("b"), b2 = field("b2");
  View x = field("x"), x2 = field("x2"), y = field("y"), y2 = field("y2");
  int rule = 0;
  for (Boundary<2> const& rules : plane_rules())
    for (std::string const& way : ways<Exec, 2>()) {
      StencilPolicy<Exec, 2> const policy = StencilPolicy<Exec, 2>().boundary(rules);
      int const steps                     = 2 + (5 * rule) % 13;
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
      for (View const& v : {a, x}) scatter(v, 1);
      for (View const& v : {b, y}) scatter(v, 2);
      for (View const& v : {a2, x2, b2, y2}) scatter(v, 3);
      iterate("react", policy.backend(way), React(), steps, state<1>(a, a2), state<1>(b, b2));
      if (!way.empty()) {
        EXPECT_EQ(last_backend(), way);
      }
      auto const once = policy.backend("generic");
      // What is outside the range stays: ghost values are in both Views.
      Kokkos::deep_copy(Exec(), x2, x);
      Kokkos::deep_copy(Exec(), y2, y);
      for (int s = 0; s < steps; ++s) {
        parallel_for("react", once, ReactOnce(), fields(reach<1>(x), reach<1>(y)), fields(x2, y2));
        std::swap(x, x2);
        std::swap(y, y2);
      }
      EXPECT_EQ(different(a, x), 0);
      EXPECT_EQ(different(b, y), 0);
      rule += way == ways<Exec, 2>().back() ? 1 : 0;
    }
}

TYPED_TEST(FunctorIterate, Systems) {
  check_systems<TypeParam, float, Kokkos::LayoutRight>();
  check_systems<TypeParam, double, Kokkos::LayoutLeft>();
  check_systems<TypeParam, double, Kokkos::LayoutStride>();
  check_systems<TypeParam, double, Kokkos::LayoutStride>(true);
}

template <class Exec, class T, class Layout>
void check_constants() {
  using View       = SpaceView<Exec, T**, Layout>;
  auto const field = [&](char const* name) { return make<View>(name, {{rows, columns, 1}}); };
  View u = field("u"), u2 = field("u2"), v = field("v"), v2 = field("v2");
  View const k = field("k"), source = field("source");
  scatter(k, 4);
  scatter(source, 5);
  int rule = 0;
  for (Boundary<2> const& rules : plane_rules())
    for (std::string const& way : ways<Exec, 2>()) {
      // A part of what the rules allow, too.
      StencilPolicy<Exec, 2> const policy =
          (rule % 3 == 2 ? StencilPolicy<Exec, 2>({7, 5}, {rows - 3, columns - 9}) : StencilPolicy<Exec, 2>())
              .boundary(rules);
      int const steps = 2 + (7 * rule) % 11;
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
      bool const last = way == ways<Exec, 2>().back();
      if (way == "functor_patches" && rule % 3 == 2 && has_periodic_axis(rules)) {
        rule += last ? 1 : 0;
        continue;  // it takes no part of a periodic axis
      }
      scatter(u, 1);
      scatter(v, 1);
      Kokkos::deep_copy(Exec(), v2, v);
      iterate("flow", policy.backend(way), Flow(), steps, state<1>(u, u2), constants(reach<1>(k), source));
      if (!way.empty()) {
        EXPECT_EQ(last_backend(), way);
      }
      for (int s = 0; s < steps; ++s) {
        parallel_for("flow", policy.backend("generic"), Flow(), fields(reach<1>(v), reach<1>(k), source), v2);
        std::swap(v, v2);
      }
      EXPECT_EQ(different(u, v), 0);
      rule += last ? 1 : 0;
    }
}

TYPED_TEST(FunctorIterate, Constants) {
  check_constants<TypeParam, double, Kokkos::LayoutRight>();
  check_constants<TypeParam, float, Kokkos::LayoutLeft>();
}

TYPED_TEST(FunctorIterate, ConstantsThatCannotBe) {
  SpaceView<TypeParam, double**> u("u", 37, 41), u2("u2", 37, 41), v("v", 37, 41), w("w", 38, 41);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(reach<1>(u), v)), "overlap");
  // Also where they are read at the point only: the sweeps change them.
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(v, u2)), "\"flow\"",
               "constant field 1 overlaps the second View of state 0", "Copy it to a View of its own");
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(u, v)),
               "constant field 0 overlaps state 0");
  EXPECT_ERROR(iterate_until("flow", policy, Flow(), StoppingCriterion{}, state<1>(u, u2), constants(v, u)),
               "constant field 1 overlaps state 0");
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(reach<1>(v), w)),
               "constant field 1 has extents 38 x 41 and state 0 37 x 41");
}

/// The next state from two.
struct Leap {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& before, N const& speed) const {
    using T = decltype(u(0, 0));
    return T(0.5) * u(0, 0) - T(0.25) * before(0, 0) + T(0.125) * (u(-1, 0) + u(0, 1)) + speed(0, 0);
  }
};
/// The same by reference, which begins as the older one.
struct LeapInPlace {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& u, N const& before, N const& speed, T& next) const {
    if (next == before(0, 0)) next = Leap()(u, before, speed);
  }
};

TYPED_TEST(FunctorIterate, Levels) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", rows, columns), before("before", rows, columns), v("v", rows, columns), old("old", rows, columns);
  View speed("speed", rows, columns);
  scatter(speed, 9);
  for (Boundary<2> const& rules : plane_rules()) {
    for (int const steps : {0, 1, 6, 7}) {
      scatter(u, 1);
      scatter(before, 2);
      scatter(v, 1);
      scatter(old, 2);
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(rules);
      View const first  = u;
      iterate("leap", policy, Leap(), steps, levels<1>(u, before), constants(speed));
      EXPECT_EQ(u.data() == first.data(), steps % 2 == 0);
      for (int s = 0; s < steps; ++s) {
        parallel_for("leap", policy.backend("generic"), LeapInPlace(), fields(reach<1>(v), old, speed), old);
        std::swap(v, old);
      }
      EXPECT_EQ(different(u, v), 0);
      EXPECT_EQ(different(before, old), 0);
      // Without constants, and with the policy's radius.
      iterate("sum", policy.radius(1), Sum2(), 2, levels(u, before));
      parallel_for("sum", policy, Sum2(), fields(reach<1>(v), old), old);
      parallel_for("sum", policy, Sum2(), fields(reach<1>(old), v), v);
      EXPECT_EQ(different(u, v), 0);
    }
  }
}

TYPED_TEST(FunctorIterate, LevelsThatCannotBe) {
  SpaceView<TypeParam, double**> u("u", 37, 41), before("before", 37, 41), other("other", 38, 41);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(iterate("leap", policy, Leap(), 2, levels<1>(u, u), constants(before)), "\"leap\"", "overlap");
  EXPECT_ERROR(iterate("leap", policy, Leap(), 2, levels<1>(u, before), constants(reach<1>(u))), "overlap");
  EXPECT_ERROR(iterate("leap", policy, Leap(), 2, levels<1>(u, before), constants(u)), "\"leap\"",
               "constant field 0 overlaps the newest level", "Copy it to a View of its own");
  EXPECT_ERROR(iterate("leap", policy, Leap(), 3, levels<1>(u, before), constants(before)), "the older level");
  EXPECT_ERROR(iterate("leap", policy, Leap(), 1, levels<1>(u, before), constants(reach<1>(before))), "overlap");
  EXPECT_ERROR(iterate("leap", policy, Leap(), 2, levels<1>(u, before), constants(other)), "38 x 41");
  EXPECT_ERROR(iterate("leap", policy, Leap(), -1, levels<1>(u, before), constants(u)), "-1");
}

TYPED_TEST(FunctorIterate, ConstantsBetweenTheValuesOfLevels) {
  // Two fields that take turns along the rows of one View share no value.
  using View  = SpaceView<TypeParam, double**>;
  using Space = typename View::memory_space;
  using Turns = Kokkos::View<double**, Kokkos::LayoutStride, Space>;
  Kokkos::View<double*, Space> const memory("memory", 2 * 37 * 41);
  Kokkos::LayoutStride const every_second(37, 82, 41, 2);
  Turns const newest(memory.data(), every_second), between(memory.data() + 1, every_second);
  View v("v", 37, 41), old("old", 37, 41), speed("speed", 37, 41), result("result", 37, 41);
  Kokkos::View<double*, Space> const room("room", 37 * 41);
  Turns u = newest, before(room.data(), Kokkos::LayoutStride(37, 41, 41, 1));
  scatter(v, 1);
  scatter(speed, 9);
  scatter(newest, 1);
  scatter(between, 9);
  StencilPolicy<TypeParam, 2> const policy;
  iterate("leap", policy, Leap(), 4, levels<1>(u, before), constants(between));
  iterate("leap", policy, Leap(), 4, levels<1>(v, old), constants(speed));
  Kokkos::deep_copy(result, u);
  EXPECT_EQ(different(result, v), 0);
  // One sweep leaves the newest level as it is.
  iterate("leap", policy, Leap(), 1, levels<1>(u, before), constants(u));
  parallel_for("leap", policy, Leap(), fields(reach<1>(v), old, v), old);
  Kokkos::deep_copy(result, u);
  EXPECT_EQ(different(result, old), 0);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
