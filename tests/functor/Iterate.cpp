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
/// Two rows and one column away.
struct Tall {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    using T = decltype(u(0, 0));
    return T(0.25) * (u(-2, 0) + u(2, 1)) + T(0.125) * (u(1, -1) + u(0, 1)) + T(0.25) * u(-1, 0);
  }
};

std::vector<Boundary<2>> mixed_rules() {
  return {
      Boundary<2>::halo(),
      Boundary<2>::value(2),
      Boundary<2>::periodic(),
      Boundary<2>::mirror(),
      Boundary<2>::edge(),
      Boundary<2>().lower(0, Face::value(3)).upper(0, Face::edge()).lower(1, Face::mirror()).upper(1, Face::value(1)),
      Boundary<2>::periodic().lower(1, Face::edge()).upper(1, Face::halo()),
      Boundary<2>::value(-1).lower(0, Face::halo()).upper(0, Face::mirror())};
}

/// Rows and columns such that there are several strips, the last of a few columns, and that rows differ from columns.
constexpr std::size_t rows = 163, columns = 269;

template <class Exec, class T, class Layout>
void check_systems(bool odd = false) {
  using View       = SpaceView<Exec, T**, Layout>;
  auto const field = [&](char const* name) { return make<View>(name, {{rows, columns, 1}}, odd); };
  View a = field("a"), a2 = field("a2"), b = field("b"), b2 = field("b2");
  View x = field("x"), x2 = field("x2"), y = field("y"), y2 = field("y2");
  int rule = 0;
  for (Boundary<2> const& rules : mixed_rules())
    for (std::string const& way : ways<Exec>()) {
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
      rule += way == ways<Exec>().back() ? 1 : 0;
    }
}

TYPED_TEST(FunctorIterate, Systems) {
  check_systems<TypeParam, float, Kokkos::LayoutRight>();
  check_systems<TypeParam, double, Kokkos::LayoutLeft>();
  check_systems<TypeParam, double, Kokkos::LayoutStride>();
  check_systems<TypeParam, float, Kokkos::LayoutStride>(true);
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
  for (Boundary<2> const& rules : mixed_rules())
    for (std::string const& way : ways<Exec>()) {
      // A part of what the rules allow, too.
      StencilPolicy<Exec, 2> const policy =
          (rule % 3 == 2 ? StencilPolicy<Exec, 2>({7, 5}, {rows - 3, columns - 9}) : StencilPolicy<Exec, 2>())
              .boundary(rules);
      int const steps = 2 + (7 * rule) % 11;
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
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
      rule += way == ways<Exec>().back() ? 1 : 0;
    }
}

TYPED_TEST(FunctorIterate, Constants) {
  check_constants<TypeParam, double, Kokkos::LayoutRight>();
  check_constants<TypeParam, float, Kokkos::LayoutLeft>();
}

TYPED_TEST(FunctorIterate, ReachOfEachAxis) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", rows, columns), u2("u2", rows, columns), v("v", rows, columns), v2("v2", rows, columns);
  for (Boundary<2> const& rules : mixed_rules())
    for (std::string const& way : ways<TypeParam>()) {
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(rules);
      scatter(u, 1);
      scatter(v, 1);
      Kokkos::deep_copy(v2, v);
      iterate("tall", policy.backend(way), Tall(), 9, state<2, 1>(u, u2));
      for (int s = 0; s < 9; ++s) {
        parallel_for("tall", policy.backend("generic"), Tall(), reach<2, 1>(v), v2);
        std::swap(v, v2);
      }
      EXPECT_EQ(different(u, v), 0) << way;
    }
}

/// One and three axes, and a radius: one sweep after the other.
struct Line {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u) const {
    return 0.5 * u(-1) + 0.25 * u(1);
  }
};
struct Cube {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, double& next) const {
    next += 0.25 * u(-1, 0, 0) + k(0, 0, 0) * u(0, 1, 0) - 0.5 * u(0, 0, -1);
  }
};

TYPED_TEST(FunctorIterate, OtherRanks) {
  SpaceView<TypeParam, double*> u("u", 301), u2("u2", 301), v("v", 301), v2("v2", 301);
  Field const line = filled(1, {{301, 1, 1}}, Data::integer, 3, exactly);
  fill(u, line);
  fill(v, line);
  auto const periodic = StencilPolicy<TypeParam, 1>().boundary(Boundary<1>::periodic());
  iterate("line", periodic.radius(1), Line(), 5, state(u, u2));
  for (int s = 0; s < 5; ++s) {
    parallel_for("line", periodic, Line(), reach<1>(v), v2);
    std::swap(v, v2);
  }
  expect_equal(values_of(u), values_of(v));

  SpaceView<TypeParam, double***> w("w", 20, 18, 48), w2("w2", 20, 18, 48), k("k", 20, 18, 48);
  Field x = filled(3, extents_for(3), Data::integer, 3, exactly),
        y = filled(3, extents_for(3), Data::integer, 4, exactly);
  fill(w, x);
  fill(k, y);
  iterate("cube", StencilPolicy<TypeParam, 3>().boundary(Boundary<3>::mirror()), Cube(), 2, state<1>(w, w2),
          constants(k));
  Call const call = functor_call(3, extents_for(3), 1, Face::mirror());
  for (int s = 0; s < 2; ++s) {
    x = expected_of(call, x, x, [&](Extents const& i, auto const& read) {
      return x(i) + 0.25 * read({{-1, 0, 0}}) + y(i) * read({{0, 1, 0}}) - 0.5 * read({{0, 0, -1}});
    });
  }
  expect_equal(values_of(w), x);
}

TYPED_TEST(FunctorIterate, NothingToDo) {
  SpaceView<TypeParam, double**> u("u", 9, 9), u2("u2", 9, 9);
  auto const* const first = u.data();
  scatter(u, 1);
  iterate("tall", StencilPolicy<TypeParam, 2>(), Tall(), 0, state<2, 1>(u, u2));
  iterate("tall", StencilPolicy<TypeParam, 2>({4, 4}, {4, 4}), Tall(), 3, state<2, 1>(u, u2));
  EXPECT_EQ(u.data(), first);
}

TYPED_TEST(FunctorIterate, Misuse) {
  SpaceView<TypeParam, double**> u("u", 37, 41), u2("u2", 37, 41), v("v", 37, 41), w("w", 38, 41);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(iterate("tall", policy, Tall(), -1, state<2, 1>(u, u2)), "\"tall\"", "-1 steps");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state(u, u2)), "\"tall\"", ".radius(r)");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state<2, 1>(u, u)), "overlap");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state<2, 1>(u, w)), "37 x 41", "38 x 41");
  EXPECT_ERROR(iterate("react", policy, React(), 2, state<1>(u, u2), state<1>(v, u2)), "states 0 and 1", "overlap");
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(reach<1>(u), v)), "overlap");
  EXPECT_ERROR(iterate("flow", policy, Flow(), 2, state<1>(u, u2), constants(reach<1>(v), w)), "38 x 41");
  EXPECT_ERROR(iterate("tall", policy.boundary(Boundary<2>(Face::shared(2))), Tall(), 2, state<2, 1>(u, u2)), "shared");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
