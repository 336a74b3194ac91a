// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

// Many sweeps of several fields of three axes against single sweeps, as Iterate.cpp.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorIterate3D : testing::Test {};
TYPED_TEST_SUITE(FunctorIterate3D, FunctorSpaces, SpaceNames);

/// Two fields that turn into each other, by branches too.
struct React {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, T& next_a, T& next_b) const {
    T const turned = a(0, 0, 0) > b(0, 0, 0) ? T(0.125) * a(-1, 0, 1) : T(0.0625) * b(1, 1, -1);
    next_a         = T(0.25) * (a(-1, 0, 0) + a(1, 0, 0)) + T(0.125) * (a(0, -1, 0) + b(0, 1, 0)) - turned;
    next_b += turned - T(0.5) * b(0, 0, 0) + T(0.25) * (b(-1, 1, 0) + a(0, 0, 1));
  }
};
/// The same as single sweeps have it: the value is that of the point at first.
struct ReactOnce {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, T& next_a, T& next_b) const {
    next_b = b(0, 0, 0);
    React()(a, b, next_a, next_b);
  }
};
/// One field with coefficients around the point, others at the point, and the index.
struct Flow {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& k, N const& source) const {
    using T       = decltype(u(0, 0, 0));
    T const ahead = k(0, 0, 1) > T(0) ? u(0, 0, 1) : u(0, 0, -1);
    bool const at = (u.index(0) + 3 * u.index(1) + u.index(2)) % 2 == 0;
    return T(0.25) * (u(-1, 0, 0) + ahead) + T(0.125) * (k(1, 0, 0) + k(-1, -1, 0) + u(0, 1, 0)) +
           (at ? source(0, 0, 0) : u(0, 0, 0)) * T(0.25);
  }
};

std::vector<Boundary<3>> mixed_rules() {
  using B = Boundary<3>;
  return {
      B::halo(),
      B::value(2),
      B::periodic(),
      B::mirror(),
      B::edge(),
      B::mirror().lower(0, Face::value(3)).upper(0, Face::edge()).lower(1, Face::value(1)).upper(2, Face::value(-2)),
      B::periodic().lower(1, Face::edge()).upper(1, Face::halo()),
      B::value(-1).lower(0, Face::halo()).upper(0, Face::mirror()).upper(1, Face::halo()).lower(2, Face::halo())};
}

/// Such that there are several tiles and chunks, the last ones small.
constexpr std::array<std::size_t, 3> extents{{39, 47, 139}};
template <class Layout>
constexpr std::array<std::size_t, 3> extents_by() {
  return std::is_same<Layout, Kokkos::LayoutLeft>::value ? std::array<std::size_t, 3>{{139, 47, 39}} : extents;
}

template <class Exec, class T, class Layout>
void check_systems(bool odd = false) {
  using View       = SpaceView<Exec, T***, Layout>;
  auto const field = [&](char const* name) { return make<View>(name, extents_by<Layout>(), odd); };
  View a = field("a"), a2 = field("a2"), b = field("b"), b2 = field("b2");
  View x = field("x"), x2 = field("x2"), y = field("y"), y2 = field("y2");
  int rule = 0;
  for (Boundary<3> const& rules : mixed_rules())
    for (std::string const& way : ways<Exec, 3>()) {
      StencilPolicy<Exec, 3> const policy = StencilPolicy<Exec, 3>().boundary(rules);
      int const steps                     = 2 + rule % 4;
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
      for (View const& v : {a, x}) scatter(v, 1);
      for (View const& v : {b, y}) scatter(v, 2);
      for (View const& v : {a2, b2}) scatter(v, 3);
      iterate("react", policy.backend(way), React(), steps, state<1>(a, a2), state<1>(b, b2));
      if (!way.empty()) {
        EXPECT_EQ(last_backend(), way);
      }
      Kokkos::deep_copy(Exec(), x2, x);
      Kokkos::deep_copy(Exec(), y2, y);
      for (int s = 0; s < steps; ++s) {
        parallel_for("react", policy.backend("generic"), ReactOnce(), fields(reach<1>(x), reach<1>(y)), fields(x2, y2));
        std::swap(x, x2);
        std::swap(y, y2);
      }
      EXPECT_EQ(different(a, x), 0);
      EXPECT_EQ(different(b, y), 0);
      rule += way == ways<Exec, 3>().back() ? 1 : 0;
    }
}

TYPED_TEST(FunctorIterate3D, Systems) {
  check_systems<TypeParam, float, Kokkos::LayoutRight>();
  check_systems<TypeParam, double, Kokkos::LayoutStride>(true);
}

/// While one lives, passes work on copies with padded rows, though they would not pay on so few points.
struct OnCopies {
  OnCopies() { Impl::set_padded_tiles(true); }
  ~OnCopies() { Impl::set_padded_tiles(false); }
};

TYPED_TEST(FunctorIterate3D, SystemsOnCopies) {
  OnCopies const copies;
  check_systems<TypeParam, float, Kokkos::LayoutRight>();
  check_systems<TypeParam, double, Kokkos::LayoutStride>(true);
}

template <class Exec, class T, class Layout>
void check_constants(std::array<std::size_t, 3> const& ex = extents_by<Layout>()) {
  using View       = SpaceView<Exec, T***, Layout>;
  auto const field = [&](char const* name) { return make<View>(name, ex); };
  View u = field("u"), u2 = field("u2"), v = field("v"), v2 = field("v2");
  View const k = field("k"), source = field("source");
  scatter(k, 4);
  scatter(source, 5);
  int rule       = 0;
  bool const few = *std::min_element(ex.begin(), ex.end()) < 20;
  auto const end = [&](std::size_t a, int less) { return static_cast<std::int64_t>(ex[a]) - less; };
  for (Boundary<3> const& rules : mixed_rules())
    for (std::string const& way : ways<Exec, 3>()) {
      // A part of what the rules allow, too.
      StencilPolicy<Exec, 3> const policy =
          (rule % 3 == 2 && !few ? StencilPolicy<Exec, 3>({7, 5, 3}, {end(0, 3), end(1, 9), end(2, 5)})
                                 : StencilPolicy<Exec, 3>())
              .boundary(rules);
      int const steps = 2 + (3 * rule) % 4;
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
      bool const last = way == ways<Exec, 3>().back();
      if (way == "functor_patches" && rule % 3 == 2 && !few && has_periodic_axis(rules)) {
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

TYPED_TEST(FunctorIterate3D, Constants) {
  check_constants<TypeParam, double, Kokkos::LayoutRight>();
  check_constants<TypeParam, float, Kokkos::LayoutLeft>();
}

TYPED_TEST(FunctorIterate3D, ConstantsOnCopies) {
  OnCopies const copies;
  check_constants<TypeParam, double, Kokkos::LayoutRight>();
  check_constants<TypeParam, float, Kokkos::LayoutLeft>();
  check_constants<TypeParam, float, Kokkos::LayoutRight>({{5, 61, 7}});
}

TYPED_TEST(FunctorIterate3D, UntilOnCopies) {
  using View = SpaceView<TypeParam, double***, Kokkos::LayoutRight>;
  // Sweeps between two checks go by passes on copies, those that are measured by the Views.
  OnCopies const copies;
  View u = make<View>("u", extents), u2 = make<View>("u2", extents), v = make<View>("v", extents),
       v2      = make<View>("v2", extents);
  View const k = make<View>("k", extents), source = make<View>("source", extents);
  scatter(k, 4);
  scatter(source, 5);
  for (std::string const& way : ways<TypeParam, 3>()) {
    SCOPED_TRACE(way);
    scatter(u, 1);
    scatter(v, 1);
    Kokkos::deep_copy(TypeParam(), v2, v);
    StencilPolicy<TypeParam, 3> const policy;
    StoppingCriterion never;
    never.tolerance   = 0;
    never.check_every = 4;
    never.max_steps   = 11;
    auto const result =
        iterate_until("flow", policy.backend(way), Flow(), never, state<1>(u, u2), constants(reach<1>(k), source));
    EXPECT_EQ(result.steps, 11);
    for (int s = 0; s < 11; ++s) {
      parallel_for("flow", policy.backend("generic"), Flow(), fields(reach<1>(v), reach<1>(k), source), v2);
      std::swap(v, v2);
    }
    EXPECT_EQ(different(u, v), 0);
  }
}

TYPED_TEST(FunctorIterate3D, SmallVolumes) {
  for (std::array<std::size_t, 3> const& n : {std::array<std::size_t, 3>{{4, 4, 4}}, {{5, 61, 7}}, {{41, 6, 131}}}) {
    check_constants<TypeParam, double, Kokkos::LayoutRight>(n);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
