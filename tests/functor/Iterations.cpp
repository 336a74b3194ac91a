// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "IterateTest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

// Many sweeps of functors: reaches, extents and ranks, criteria to stop, what is said and refused. Products as in
// Iterate.cpp.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorIterations : testing::Test {};
TYPED_TEST_SUITE(FunctorIterations, FunctorSpaces, SpaceNames);

/// Two rows and one column away.
struct Tall {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    using T = decltype(u(0, 0));
    return T(0.25) * (u(-2, 0) + u(2, 1)) + T(0.125) * (u(1, -1) + u(0, 1)) + T(0.25) * u(-1, 0);
  }
};

TYPED_TEST(FunctorIterations, ReachOfEachAxis) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", rows, columns), u2("u2", rows, columns), v("v", rows, columns), v2("v2", rows, columns);
  for (Boundary<2> const& rules : plane_rules())
    for (std::string const& way : ways<TypeParam, 2>()) {
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

TYPED_TEST(FunctorIterations, PointsOutsideARangeWithOtherStrides) {
  // They are copied between Views whose rows run along other axes.
  using View  = SpaceView<TypeParam, double**>;
  using Turns = Kokkos::View<double**, Kokkos::LayoutStride, typename View::memory_space>;
  Kokkos::View<double*, typename View::memory_space> const memory("memory", 37 * 43), room("room", 41 * 40);
  Turns u(memory.data(), Kokkos::LayoutStride(37, 43, 41, 1)), u2(room.data(), Kokkos::LayoutStride(37, 1, 41, 40));
  View v("v", 37, 41), v2("v2", 37, 41), result("result", 37, 41);
  scatter(u, 1);
  scatter(v, 1);
  Kokkos::deep_copy(v2, v);
  StencilPolicy<TypeParam, 2> const policy({3, 2}, {31, 36});
  for (int s = 0; s < 3; ++s) {
    iterate("tall", policy, Tall(), 1, state<2, 1>(u, u2));
    parallel_for("tall", policy, Tall(), reach<2, 1>(v), v2);
    std::swap(v, v2);
    Kokkos::deep_copy(result, u);
    EXPECT_EQ(different(result, v), 0) << s;
    scatter(u2, 5 + s);
  }
}

/// Of each axis one side only.
struct Corner {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    using T = decltype(u(0, 0));
    return T(0.5) * u(-1, 0) + T(0.25) * u(-2, 1) + T(0.25) * u(0, 0);
  }
};
struct DeepCorner {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, double& v) const {
    v = u(0, 0, 0) + 2 * u(1, 0, 0) - u(0, -1, 0) + 3 * u(0, 0, 1) + u(1, -1, 1);
  }
};

TYPED_TEST(FunctorIterations, ReachOfEachSide) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", rows, columns), u2("u2", rows, columns), v("v", rows, columns), v2("v2", rows, columns);
  for (Boundary<2> const& rules : plane_rules())
    for (std::string const& way : ways<TypeParam, 2>()) {
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(rules);
      scatter(u, 1);
      scatter(v, 1);
      Kokkos::deep_copy(v2, v);
      iterate("corner", policy.backend(way), Corner(), 9, state<sides(2, 0), sides(0, 1)>(u, u2));
      for (int s = 0; s < 9; ++s) {
        parallel_for("corner", policy.backend("generic"), Corner(), reach<sides(2, 0), sides(0, 1)>(v), v2);
        std::swap(v, v2);
      }
      EXPECT_EQ(different(u, v), 0) << way;
    }

  // Ghost points lie on the sides that are read.
  Extents const extent                    = extents_for(3);
  SpaceView<TypeParam, double***> const w = make_view<SpaceView<TypeParam, double***>>("w"),
                                        x = make_view<SpaceView<TypeParam, double***>>("x");
  Field const in                          = filled(3, extent, Data::integer, 3, exactly);
  fill(w, in);
  Field expected(3, extent, 0.5);
  Field::each_in({{0, 1, 0}}, {{extent[0] - 1, extent[1], extent[2] - 1}}, [&](Extents const& i) {
    auto const at = [&](int a, int b, int c) { return in({{i[0] + a, i[1] + b, i[2] + c}}); };
    expected(i)   = at(0, 0, 0) + 2 * at(1, 0, 0) - at(0, -1, 0) + 3 * at(0, 0, 1) + at(1, -1, 1);
  });
  for (std::string const& way : functor_backends<TypeParam>()) {
    Kokkos::deep_copy(x, 0.5);
    parallel_for("deep corner", by_way(StencilPolicy<TypeParam, 3>(), way, true), DeepCorner(),
                 reach<sides(0, 1), sides(1, 0), sides(0, 1)>(w), x);
    expect_equal(values_of(x), expected);
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

TYPED_TEST(FunctorIterations, OtherRanks) {
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

/// The mean of the neighbours, of two fields.
struct Relax {
  template <class N>
  KOKKOS_FUNCTION static double mean(N const& u) {
    return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1));
  }
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, double& next_a, double& next_b) const {
    next_a = mean(a);
    next_b = mean(b);
  }
};
template <class View>
struct Scale {
  View v;
  double by;
  KOKKOS_FUNCTION void operator()(int k) const { v.data()[k] *= by; }
};
template <class View>
void scale(View const& v, double by) {
  Kokkos::parallel_for("scale", Kokkos::RangePolicy<typename View::execution_space>(0, v.size()), Scale<View>{v, by});
  Kokkos::fence();
}

TYPED_TEST(FunctorIterations, Until) {
  using View              = SpaceView<TypeParam, double**>;
  auto const make_pair_of = [](int seed, double by) {
    View const v("v", rows, columns);
    scatter(v, seed);
    scale(v, by);
    return v;
  };
  for (Norm const norm : {Norm::max, Norm::rms})
    // Squares of the smallest changes are no doubles.
    for (double const by : {1.0, 0x1p-600}) {
      View u = make_pair_of(1, by), v = make_pair_of(2, by), x = make_pair_of(1, by), y = make_pair_of(2, by);
      View u2("u2", rows, columns), v2("v2", rows, columns), x2("x2", rows, columns), y2("y2", rows, columns);
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::value(0));
      StoppingCriterion until;
      until.tolerance   = (norm == Norm::max ? 3.0 : 0.5) * by;
      until.check_every = 11;
      until.max_steps   = 900;
      until.norm        = norm;
      auto const result = iterate_until("relax", policy, Relax(), until, state<1>(u, u2), state<1>(v, v2));
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.steps % 11, 0);
      EXPECT_GT(result.steps, 11);
      for (std::int64_t s = 0; s < result.steps; ++s) {
        parallel_for("relax", policy.backend("generic"), Relax(), fields(reach<1>(x), reach<1>(y)), fields(x2, y2));
        std::swap(x, x2);
        std::swap(y, y2);
      }
      EXPECT_EQ(different(u, x), 0);
      EXPECT_EQ(different(v, y), 0);
      double most = 0, squares = 0;
      for (auto const& pair :
           {std::make_pair(values_of(x), values_of(x2)), std::make_pair(values_of(y), values_of(y2))}) {
        pair.first.each([&](Extents const& i) {
          double const change = std::abs(pair.first(i) - pair.second(i)) / by;
          most                = std::max(most, change);
          squares += change * change;
        });
      }
      double const expected = norm == Norm::max ? most : std::sqrt(squares / double(2 * rows * columns));
      EXPECT_NEAR(result.update_norm / by, expected, norm == Norm::max ? 0.0 : 1e-12 * expected);

      until.tolerance  = 0.0;
      until.max_steps  = 25;
      auto const limit = iterate_until("relax", policy, Relax(), until, state<1>(u, u2), state<1>(v, v2));
      EXPECT_EQ(limit.steps, 25);
      EXPECT_FALSE(limit.converged);
      EXPECT_GT(limit.update_norm, 0.0);
    }
}

/// Waves that fade, from the two newest states.
struct Fade {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u, N const& before, N const& source) const {
    return 0.5 * (Relax::mean(u) + before(0, 0)) + source(0, 0);
  }
};
/// By reference, which begins as the older state.
struct FadeInPlace {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& u, N const& before, N const& source, double& next) const {
    if (next == before(0, 0)) next = Fade()(u, before, source);
  }
};

TYPED_TEST(FunctorIterations, UntilOfLevels) {
  using View              = SpaceView<TypeParam, double**>;
  auto const make_pair_of = [](int seed, double by) {
    View const v("v", rows, columns);
    scatter(v, seed);
    scale(v, by);
    return v;
  };
  View const source("source", rows, columns);
  auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::value(0));
  for (Norm const norm : {Norm::max, Norm::rms})
    // Squares of the smallest changes are no doubles.
    for (double const by : {1.0, 0x1p-600}) {
      View u = make_pair_of(1, by), before = make_pair_of(2, by), x = make_pair_of(1, by), old = make_pair_of(2, by);
      StoppingCriterion until;
      until.tolerance   = (norm == Norm::max ? 3.0 : 0.5) * by;
      until.check_every = 7;
      until.max_steps   = 900;
      until.norm        = norm;
      auto const result = iterate_until("fade", policy, Fade(), until, levels<1>(u, before), constants(source));
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.steps % 7, 0);
      iterate("fade", policy, Fade(), result.steps, levels<1>(x, old), constants(source));
      EXPECT_EQ(different(u, x), 0);
      EXPECT_EQ(different(before, old), 0);
      double most = 0, squares = 0;
      auto const newest = values_of(x), one_before = values_of(old);
      newest.each([&](Extents const& i) {
        double const change = std::abs(newest(i) - one_before(i)) / by;
        most                = std::max(most, change);
        squares += change * change;
      });
      double const expected = norm == Norm::max ? most : std::sqrt(squares / double(rows * columns));
      EXPECT_NEAR(result.update_norm / by, expected, norm == Norm::max ? 0.0 : 1e-12 * expected);

      until.tolerance  = 0.0;
      until.max_steps  = 10;
      auto const limit = iterate_until("fade", policy, FadeInPlace(), until, levels<1>(u, before), constants(source));
      EXPECT_EQ(limit.steps, 10);
      EXPECT_FALSE(limit.converged);
      iterate("fade", policy, Fade(), 10, levels<1>(x, old), constants(source));
      EXPECT_EQ(different(u, x), 0);
      EXPECT_EQ(different(before, old), 0);
    }
}

TYPED_TEST(FunctorIterations, LevelsUntilAndExplained) {
  SpaceView<TypeParam, double**> u("u", 9, 9), before("before", 9, 9), source("source", 9, 9), other("other", 9, 8);
  auto const* const first = u.data();
  StencilPolicy<TypeParam, 2> const policy, nowhere({4, 4}, {4, 4});
  auto const text = explain("fade", policy, Fade(), 100, levels<1>(u, before), constants(source));
  EXPECT_NE(text.find("\"fade\": one sweep at a time, since the two levels"), std::string::npos) << text;
  for (auto const& nothing : {explain("fade", policy, Fade(), 0, levels<1>(u, before), constants(source)),
                              explain("fade", nowhere, Fade(), 9, levels<1>(u, before), constants(source))}) {
    EXPECT_EQ(nothing, "\"fade\": nothing to do.\n");
  }
  EXPECT_ERROR(explain("fade", policy, Fade(), 9, levels<1>(u, before), constants(other)), "\"fade\"", "9 x 8");
  EXPECT_ERROR(explain("fade", policy, Fade(), 9, levels<1>(u, before), constants(u)), "the newest level");
  EXPECT_ERROR(explain("fade", policy.backend("warp_drive"), Fade(), 9, levels<1>(u, before), constants(source)),
               "does not exist");
  StoppingCriterion until;
  EXPECT_ERROR(iterate_until("fade", policy, Fade(), until, levels<1>(u, before), constants(before)),
               "the older level");
  EXPECT_EQ(iterate_until("fade", nowhere, Fade(), until, levels<1>(u, before), constants(source)).steps, 0);
  until.tolerance = -1;
  EXPECT_ERROR(iterate_until("fade", policy, Fade(), until, levels<1>(u, before), constants(source)), "tolerance");
  EXPECT_EQ(u.data(), first);
}

/// So many sweeps of so many points that a GPU times what is faster.
TYPED_TEST(FunctorIterations, ManySweeps) {
  using View          = SpaceView<TypeParam, double**>;
  std::size_t const n = ways<TypeParam, 2>().size() > 1 ? 1503 : 303;
  View u("u", n, n), u2("u2", n, n), v("v", n, n), v2("v2", n, n);
  StencilPolicy<TypeParam, 2> const policy;
  for (int repeat = 0; repeat < 2; ++repeat) {
    for (View const& f : {u, v}) scatter(f, 1);
    Kokkos::deep_copy(TypeParam(), v2, v);
    iterate("tall", policy, Tall(), 61, state<2, 1>(u, u2));
    for (int s = 0; s < 61; ++s) {
      parallel_for("tall", policy.backend("generic"), Tall(), reach<2, 1>(v), v2);
      std::swap(v, v2);
    }
    EXPECT_EQ(different(u, v), 0);
  }
}

/// Neighbours and next but one, by their places.
struct Row {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& k) const {
    using T = decltype(u(0));
    return T(0.5) * u(-2) + T(0.25) * (u(1) + k(-1)) + T(0.125) * (u.index(0) % 3 == 0 ? k(0) : u(-1));
  }
};

TYPED_TEST(FunctorIterations, Lines) {
  using View = SpaceView<TypeParam, float*>;
  std::vector<Boundary<1>> const rules{Boundary<1>::halo(),     Boundary<1>::value(3),
                                       Boundary<1>::periodic(), Boundary<1>::mirror(),
                                       Boundary<1>::edge(),     Boundary<1>::mirror().upper(0, Face::value(2))};
  for (int n : {7, 100, 4099, 70000}) {
    View u("u", n), u2("u2", n), v("v", n), v2("v2", n), k("k", n);
    for (Boundary<1> const& rule : rules) {
      auto const policy = StencilPolicy<TypeParam, 1>().boundary(rule).radius(2);
      for (std::string const& way : ways<TypeParam, 1>()) {
        Field start(1, extents_of(u));
        start.each([&](Extents const& i) { start(i) = static_cast<double>((i[0] * 7919 + 13) % 256 - 128); });
        for (View const& f : {u, v, k}) fill(f, start);
        Kokkos::deep_copy(TypeParam(), v2, v);
        iterate("row", policy.backend(way), Row(), 45, state(u, u2), constants(k));
        if (way == "functor_patches") {
          EXPECT_EQ(last_backend(), way);
        }
        for (int s = 0; s < 45; ++s) {
          parallel_for("row", policy.backend("generic"), Row(), fields(v, k), v2);
          std::swap(v, v2);
        }
        expect_equal(values_of(u), values_of(v));
      }
    }
  }
}

template <class View>
struct CellsAlive {
  View v;
  KOKKOS_FUNCTION void operator()(int k) const {
    v(k / 133, k % 133) = static_cast<unsigned char>((unsigned(k) * 2654435761u >> 28) % 3 == 0);
  }
};
/// Conway's game: values of a byte.
struct Life {
  template <class N>
  KOKKOS_FUNCTION unsigned char operator()(N const& n) const {
    int const around = n(-1, -1) + n(-1, 0) + n(-1, 1) + n(0, -1) + n(0, 1) + n(1, -1) + n(1, 0) + n(1, 1);
    return around == 3 || (around == 2 && n(0, 0) != 0) ? 1 : 0;
  }
};

TYPED_TEST(FunctorIterations, Bytes) {
  using View = SpaceView<TypeParam, unsigned char**>;
  View u("u", 70, 133), u2("u2", 70, 133), v("v", 70, 133), v2("v2", 70, 133);
  auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::periodic()).radius(1);
  for (std::string const& way : ways<TypeParam, 2>()) {
    if (way == "functor_temporal") continue;  // which wants values of four bytes or eight
    for (View const& f : {u, v}) {
      Kokkos::parallel_for("life", Kokkos::RangePolicy<TypeParam>(0, 70 * 133), CellsAlive<View>{f});
    }
    iterate("life", policy.backend(way), Life(), 30, state(u, u2));
    for (int s = 0; s < 30; ++s) {
      parallel_for("life", policy.backend("generic"), Life(), v, v2);
      std::swap(v, v2);
    }
    EXPECT_EQ(different(u, v), 0) << way;
  }
}

/// Extents about those of a strip, and where there are no strips.
TYPED_TEST(FunctorIterations, SmallPlanes) {
  using View = SpaceView<TypeParam, double**>;
  for (std::array<std::size_t, 2> const n : {std::array<std::size_t, 2>{{19, 61}},
                                             {{33, 63}},
                                             {{40, 64}},
                                             {{41, 65}},
                                             {{65, 129}},
                                             {{200, 130}},
                                             {{7, 200}},
                                             {{201, 9}},
                                             {{3, 3}}}) {
    View u("u", n[0], n[1]), u2("u2", n[0], n[1]), v("v", n[0], n[1]), v2("v2", n[0], n[1]);
    for (Boundary<2> const& rules : plane_rules()) {
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(rules);
      for (View const& f : {u, v}) scatter(f, 1);
      Kokkos::deep_copy(TypeParam(), v2, v);
      for (std::string const& way : ways<TypeParam, 2>()) {
        if (way == "functor_temporal" && (n[0] < 64 || n[1] < 64)) continue;
        if (way == "functor_patches" && n[0] < 8) continue;  // a thread computes four rows
        iterate("tall", policy.backend(way), Tall(), 10, state<2, 1>(u, u2));
        for (int s = 0; s < 10; ++s) {
          parallel_for("tall", policy.backend("generic"), Tall(), reach<2, 1>(v), v2);
          std::swap(v, v2);
        }
        EXPECT_EQ(different(u, v), 0) << n[0] << " x " << n[1] << " " << way;
      }
    }
  }
}

TYPED_TEST(FunctorIterations, Explained) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", 400, 400), u2("u2", 400, 400), few("u", 9, 9), few2("u2", 9, 9);
  StencilPolicy<TypeParam, 2> const policy;
  auto const* const first = u.data();
  auto const text         = [](std::string const& t, char const* part) { return t.find(part) != std::string::npos; };
  std::string const some  = explain("tall", policy, Tall(), 100, state<2, 1>(u, u2));
  std::string const none  = explain("tall", policy, Tall(), 100, state<2, 1>(few, few2));
  std::string const any   = explain("tall", policy.radius(2), Tall(), 100, state(u, u2));
  std::string const plain = explain("tall", policy.backend("generic"), Tall(), 100, state<2, 1>(u, u2));
  EXPECT_TRUE(text(some, "\"tall\"")) << some;
  EXPECT_TRUE(text(plain, "one sweep at a time, since \"generic\" is forced")) << plain;
  if (Impl::is_host_space<TypeParam>()) {
    for (std::string const& t : {some, none, any}) EXPECT_TRUE(text(t, "in cache")) << t;
  } else if (ways<TypeParam, 2>().size() > 1) {
    for (std::string const& t : {some, none, any}) EXPECT_TRUE(text(t, "predicted")) << t;
    // The reach is known when the program runs, or the fields are small.
    for (std::string const& t : {none, any}) EXPECT_TRUE(text(t, "functor_patches, up to")) << t;
    std::string const strips = explain("tall", policy.backend("functor_temporal"), Tall(), 100, state<2, 1>(few, few2));
    EXPECT_TRUE(text(strips, "fewer rows")) << strips;
  } else {
    for (std::string const& t : {some, none, any}) EXPECT_TRUE(text(t, "one sweep at a time")) << t;
  }
  EXPECT_EQ(u.data(), first);
}

TYPED_TEST(FunctorIterations, NothingToDo) {
  SpaceView<TypeParam, double**> u("u", 9, 9), u2("u2", 9, 9);
  auto const* const first = u.data();
  scatter(u, 1);
  iterate("tall", StencilPolicy<TypeParam, 2>(), Tall(), 0, state<2, 1>(u, u2));
  iterate("tall", StencilPolicy<TypeParam, 2>({4, 4}, {4, 4}), Tall(), 3, state<2, 1>(u, u2));
  EXPECT_EQ(u.data(), first);
}

/// A functor that no other test has timed.
struct Diffuse {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& source) const {
    using T = decltype(u(0, 0, 0));
    return T(0.5) * u(0, 0, 0) + T(0.25) * (u(0, 0, -1) + u(0, 0, 1)) - T(0.125) * (u(-1, 0, 0) + u(0, 1, 0)) +
           source(0, 0, 0);
  }
};

TYPED_TEST(FunctorIterations, ShortCallsTryPassesAsWell) {
  if (!Impl::is_host_space<TypeParam>()) GTEST_SKIP() << "only hosts try passes by the clock";
  Impl::set_host_pass_cache(1 << 18);
  using View = SpaceView<TypeParam, float***>;
  View u("u", 64, 64, 64), u2("u2", 64, 64, 64), v("v", 64, 64, 64), v2("v2", 64, 64, 64), k("k", 64, 64, 64);
  scatter(u, 1);
  scatter(v, 1);
  scatter(k, 2);
  StencilPolicy<TypeParam, 3> const policy;
  bool tried = false;
  for (int call = 0; call < 4; ++call) {
    iterate("diffuse", policy, Diffuse(), 4, state<1>(u, u2), constants(reach<0>(k)));
    tried = tried || last_backend() == "host_temporal";
  }
  iterate("diffuse", policy.backend("generic"), Diffuse(), 16, state<1>(v, v2), constants(reach<0>(k)));
  EXPECT_EQ(different(u, v), 0);
  EXPECT_TRUE(tried);
}

TYPED_TEST(FunctorIterations, Misuse) {
  SpaceView<TypeParam, double**> u("u", 37, 41), u2("u2", 37, 41), v("v", 37, 41), w("w", 38, 41);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(iterate("tall", policy, Tall(), -1, state<2, 1>(u, u2)), "\"tall\"", "-1 steps");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state(u, u2)), "\"tall\"", ".radius(r)");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state<2, 1>(u, u)), "overlap");
  EXPECT_ERROR(iterate("tall", policy, Tall(), 2, state<2, 1>(u, w)), "37 x 41", "38 x 41");
  EXPECT_ERROR(iterate("relax", policy, Relax(), 2, state<1>(u, u2), state<1>(v, u2)), "states 0 and 1", "overlap");
  SpaceView<TypeParam, double**> w2("w2", 38, 41);
  EXPECT_ERROR(iterate("relax", policy, Relax(), 2, state<1>(u, u2), state<1>(w, w2)),
               "state 1 has extents 38 x 41 and state 0 37 x 41");
  EXPECT_ERROR(iterate("tall", policy.backend("functor_temporal"), Tall(), 2, state<2, 1>(u, u2)),
               "\"functor_temporal\"", "Force none");
  for (char const* way : {"functor_temporal", "functor_patches"}) {
    EXPECT_ERROR(parallel_for("tall", policy.backend(way), Tall(), reach<2, 1>(u), u2), way, "many sweeps");
  }
  // Not even the points outside the range are written then, and explain says so too.
  if (Impl::is_host_space<TypeParam>()) {
    Kokkos::deep_copy(u, 1.0);
    Kokkos::deep_copy(u2, 7.0);
    double const* const first = u.data();
    for (char const* way : {"functor_temporal", "functor_patches", "functor_direct", "functor_points"}) {
      auto const forced = policy.backend(way);
      EXPECT_ERROR(iterate("tall", forced, Tall(), 5, state<2, 1>(u, u2)), way, "needs CUDA");
      EXPECT_ERROR(iterate_until("tall", forced, Tall(), {0.0, 100, 6}, state<2, 1>(u, u2)), way, "needs CUDA");
      EXPECT_ERROR(explain("tall", forced, Tall(), 5, state<2, 1>(u, u2)), way, "needs CUDA");
      EXPECT_EQ(u.data(), first);
      expect_equal(values_of(u2), Field(2, {{37, 41, 1}}, 7.0));
    }
  }
  SpaceView<TypeParam, double**> few("u", 3, 3), few2("u2", 3, 3);
  EXPECT_ERROR(iterate("tall", policy.boundary(Boundary<2>::edge()).backend("functor_patches"), Tall(), 2,
                       state<2, 1>(few, few2)),
               "\"functor_patches\"", "Force none");
  EXPECT_ERROR(iterate("tall", policy.boundary(Boundary<2>(Face::shared(2))), Tall(), 2, state<2, 1>(u, u2)), "shared");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
