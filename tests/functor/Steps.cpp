// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Functors that are told which sweep they are called for, against single sweeps of functors that know it. Products as
// in Iterate.cpp.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorSteps : testing::Test {};
TYPED_TEST_SUITE(FunctorSteps, FunctorSpaces, SpaceNames);

/// What a source gives, a value for each sweep: to read one that is not there is an error that sanitizers see.
template <class Exec>
using Signal = Kokkos::View<double*, typename Exec::memory_space>;
template <class Exec>
Signal<Exec> signal_of(std::int64_t steps) {
  Signal<Exec> const signal("signal", static_cast<std::size_t>(steps));
  auto const host = Kokkos::create_mirror_view(signal);
  for (std::int64_t s = 0; s < steps; ++s) {
    host(static_cast<std::size_t>(s)) = static_cast<double>((s * 37 + 5) % 64 - 32);
  }
  Kokkos::deep_copy(signal, host);
  return signal;
}

template <class N>
KOKKOS_FUNCTION auto around(N const& u, std::integral_constant<int, 1>) {
  return u(-1) + u(1);
}
template <class N>
KOKKOS_FUNCTION auto around(N const& u, std::integral_constant<int, 2>) {
  return u(-1, 0) + u(1, 0) + u(0, 1);
}
template <class N>
KOKKOS_FUNCTION auto around(N const& u, std::integral_constant<int, 3>) {
  return u(-1, 0, 0) + u(0, 1, 0) + u(0, 0, -1);
}

/// Neighbours times a factor that changes from sweep to sweep, and a source at each third point.
template <int Rank, class Exec>
struct Pulse {
  Signal<Exec> signal;

  template <class N>
  KOKKOS_FUNCTION auto operator()(Step step, N const& u) const {
    auto const sum = around(u, std::integral_constant<int, Rank>());
    using T        = std::remove_const_t<decltype(sum)>;
    T const next   = (step % 2 == 0 ? T(0.25) : T(0.5)) * sum;
    return u.index(Rank - 1) % 3 == 0 ? next + static_cast<T>(signal(static_cast<std::size_t>(step))) : next;
  }
};
/// The same in one sweep.
template <int Rank, class Exec>
struct PulseAt {
  Pulse<Rank, Exec> pulse;
  std::int64_t step;

  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    return pulse(Step(step), u);
  }
};

template <class Exec, class View>
void check_rank(std::array<std::size_t, 3> const& extents, std::vector<Boundary<int(View::rank)>> const& all_rules) {
  constexpr int rank = int(View::rank);
  using T            = typename View::value_type;
  auto const field   = [&](char const* name) { return make<View>(name, extents); };
  View u = field("u"), u2 = field("u2"), v = field("v"), v2 = field("v2");
  int rule = 0;
  for (Boundary<rank> const& rules : all_rules)
    for (std::string const& way : ways<Exec, rank>()) {
      StencilPolicy<Exec, rank> const policy = StencilPolicy<Exec, rank>().boundary(rules);
      int const steps                        = 2 + (5 * rule++) % 14;
      Pulse<rank, Exec> const pulse{signal_of<Exec>(steps)};
      SCOPED_TRACE("rule " + std::to_string(rule) + ", steps " + std::to_string(steps) + " " + way);
      scatter(u, 1);
      scatter(v, 1);
      iterate("pulse", policy.backend(way), pulse, steps, state<1>(u, u2));
      if (!way.empty()) {
        EXPECT_EQ(last_backend(), way);
      }
      Kokkos::deep_copy(Exec(), v2, v);
      for (int s = 0; s < steps; ++s) {
        parallel_for("pulse", policy.backend("generic"), PulseAt<rank, Exec>{pulse, s}, reach<1>(v), v2);
        std::swap(v, v2);
      }
      EXPECT_EQ(different(u, v), 0) << sizeof(T);
    }
}

TYPED_TEST(FunctorSteps, Planes) {
  check_rank<TypeParam, SpaceView<TypeParam, float**>>({{rows, columns, 1}}, plane_rules());
  check_rank<TypeParam, SpaceView<TypeParam, double**, Kokkos::LayoutLeft>>({{rows, columns, 1}}, plane_rules());
}

TYPED_TEST(FunctorSteps, Volumes) {
  std::vector<Boundary<3>> const rules{Boundary<3>::halo(), Boundary<3>::periodic(),
                                       Boundary<3>::mirror().lower(1, Face::value(2))};
  check_rank<TypeParam, SpaceView<TypeParam, float***>>({{23, 37, 68}}, rules);
  check_rank<TypeParam, SpaceView<TypeParam, double***>>({{23, 37, 68}}, rules);
}

/// Two fields and a constant one; the source acts on the second field.
template <class Exec>
struct Exchange {
  Signal<Exec> signal;

  template <class N, class T>
  KOKKOS_FUNCTION void operator()(Step const step, N const& a, N const& b, N const& k, T& next_a, T& next_b) const {
    next_a = T(0.25) * (a(-1, 0) + b(0, 1)) + k(0, 0);
    next_b += T(0.5) * a(0, -1) - T(0.5) * b(0, 0) + static_cast<T>(signal(static_cast<std::size_t>(step)));
  }
};
template <class Exec>
struct ExchangeAt {
  Exchange<Exec> exchange;
  std::int64_t step;

  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, N const& k, T& next_a, T& next_b) const {
    next_a = a(0, 0);
    next_b = b(0, 0);
    exchange(Step(step), a, b, k, next_a, next_b);
  }
};

TYPED_TEST(FunctorSteps, SystemsOnAPartOfThePlane) {
  using View       = SpaceView<TypeParam, double**>;
  auto const field = [](std::string const& name) { return View(name, rows, columns); };
  View a = field("a"), a2 = field("a2"), b = field("b"), b2 = field("b2");
  View x = field("x"), x2 = field("x2"), y = field("y"), y2 = field("y2");
  View const k = field("k");
  scatter(k, 4);
  StencilPolicy<TypeParam, 2> const policy({7, 5}, {rows - 3, columns - 9});
  for (std::string const& way : ways<TypeParam, 2>())
    for (int const steps : {1, 6, 19}) {
      Exchange<TypeParam> const exchange{signal_of<TypeParam>(steps)};
      for (View const& v : {a, x, x2}) scatter(v, 1);
      for (View const& v : {b, y, y2}) scatter(v, 2);
      iterate("exchange", policy.backend(way), exchange, steps, state<1>(a, a2), state<1>(b, b2), constants(k));
      for (int s = 0; s < steps; ++s) {
        parallel_for("exchange", policy.backend("generic"), ExchangeAt<TypeParam>{exchange, s},
                     fields(reach<1>(x), reach<1>(y), k), fields(x2, y2));
        std::swap(x, x2);
        std::swap(y, y2);
      }
      EXPECT_EQ(different(a, x), 0) << way << ", " << steps << " steps";
      EXPECT_EQ(different(b, y), 0) << way << ", " << steps << " steps";
    }
}

/// The wave equation with a source, in two levels.
template <class Exec>
struct Wave {
  Signal<Exec> signal;

  template <class N>
  KOKKOS_FUNCTION double operator()(Step step, N const& u, N const& before) const {
    double const next = 0.5 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) - before(0, 0);
    return u.index(0) == 7 && u.index(1) == 9 ? next + signal(static_cast<std::size_t>(step)) : next;
  }
};
template <class Exec>
struct WaveAt {
  Wave<Exec> wave;
  std::int64_t step;

  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u, N const& before) const {
    return wave(Step(step), u, before);
  }
};

TYPED_TEST(FunctorSteps, TwoLevelsInTime) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", 24, 31), before("before", 24, 31), v("v", 24, 31), old("old", 24, 31);
  auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::periodic());
  scatter(u, 1);
  scatter(v, 1);
  scatter(before, 2);
  scatter(old, 2);
  Wave<TypeParam> const wave{signal_of<TypeParam>(8)};
  iterate("wave", policy, wave, 8, levels<1>(u, before));
  for (int s = 0; s < 8; ++s) {
    parallel_for("wave", policy, WaveAt<TypeParam>{wave, s}, fields(reach<1>(v), old), old);
    std::swap(v, old);
  }
  EXPECT_EQ(different(u, v), 0);
  EXPECT_EQ(different(before, old), 0);
}

TYPED_TEST(FunctorSteps, UntilTheyStop) {
  using View = SpaceView<TypeParam, double**>;
  View u("u", rows, columns), u2("u2", rows, columns), v("v", rows, columns), v2("v2", rows, columns);
  auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::value(1));
  for (std::string const& way : ways<TypeParam, 2>()) {
    scatter(u, 1);
    scatter(v, 1);
    // Checks, and sweeps between them, get their numbers; the last check is early.
    Pulse<2, TypeParam> const pulse{signal_of<TypeParam>(17)};
    EXPECT_EQ(iterate_until("pulse", policy.backend(way), pulse, {0.0, 17, 7}, state<1>(u, u2)).steps, 17);
    for (int s = 0; s < 17; ++s) {
      parallel_for("pulse", policy.backend("generic"), PulseAt<2, TypeParam>{pulse, s}, reach<1>(v), v2);
      std::swap(v, v2);
    }
    EXPECT_EQ(different(u, v), 0) << way;
  }
  View w("w", 24, 31), old("old", 24, 31), x("x", 24, 31), x_old("x_old", 24, 31);
  for (View const& of : {w, x}) scatter(of, 1);
  for (View const& of : {old, x_old}) scatter(of, 2);
  Wave<TypeParam> const wave{signal_of<TypeParam>(9)};
  EXPECT_EQ(iterate_until("wave", policy, wave, {0.0, 9, 4}, levels<1>(w, old)).steps, 9);
  iterate("wave", policy, wave, 9, levels<1>(x, x_old));
  EXPECT_EQ(different(w, x), 0);
}

/// The number by reference.
struct Rows {
  template <class N>
  KOKKOS_FUNCTION void operator()(Step const& step, N const& u, double& next) const {
    next = u(0) + static_cast<double>(step) + (u.index(0) == 2 ? 100.0 : 0.0);
  }
};

TYPED_TEST(FunctorSteps, Lines) {
  using View = SpaceView<TypeParam, double*>;
  View u("u", 5), u2("u2", 5);
  iterate("rows", StencilPolicy<TypeParam, 1>().radius(0), Rows(), 4, u, u2);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(host(i), 6.0 + (i == 2 ? 400.0 : 0.0));
  // Counted anew in each call.
  iterate("rows", StencilPolicy<TypeParam, 1>().radius(0), Rows(), 1, u, u2);
  Kokkos::deep_copy(host, u);
  EXPECT_EQ(host(2), 506.0);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
