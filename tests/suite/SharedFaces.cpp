// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <host_temporal/HostTemporal.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

// Shared faces: a part of a field that is swept by itself, with ghost values that are used up, gets the bits that
// sweeps of the whole field give.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Extents = std::array<std::int64_t, 3>;

/// host_temporal that always does several sweeps at once, also where fields are in the caches anyway.
bool const g_always = (register_backend(HostTemporal::make_backend("host_temporal_always_shared", 65536, 1e9)), true);

template <class T, int Rank>
using Data = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;
template <class T, int Rank, class Layout>
using FieldOf = Kokkos::View<Data<T, Rank>, Layout, typename Exec::memory_space>;

template <class View, class F>
void fill(View const& view, F const& f) {
  auto const host = Kokkos::create_mirror_view(view);
  auto const n    = [&](int a) { return static_cast<std::int64_t>(view.extent(static_cast<std::size_t>(a))); };
  for (std::int64_t i = 0; i < n(0); ++i) {
    for (std::int64_t j = 0; j < n(1); ++j) {
      for (std::int64_t k = 0; k < n(2); ++k) {
        auto const value = static_cast<typename View::non_const_value_type>(f(Extents{{i, j, k}}));
        if constexpr (View::rank == 1) host(i) = value;
        if constexpr (View::rank == 2) host(i, j) = value;
        if constexpr (View::rank == 3) host(i, j, k) = value;
      }
    }
  }
  Kokkos::deep_copy(view, host);
}

template <class View>
auto at(View const& v, Extents const& i) {
  if constexpr (View::rank == 1) return v(i[0]);
  if constexpr (View::rank == 2) return v(i[0], i[1]);
  if constexpr (View::rank == 3) return v(i[0], i[1], i[2]);
}

template <class View>
View make(Extents const& n) {
  if constexpr (View::rank == 1) return View("field", static_cast<std::size_t>(n[0]));
  if constexpr (View::rank == 2) {
    return View("field", static_cast<std::size_t>(n[0]), static_cast<std::size_t>(n[1]));
  }
  if constexpr (View::rank == 3) {
    return View("field", static_cast<std::size_t>(n[0]), static_cast<std::size_t>(n[1]),
                static_cast<std::size_t>(n[2]));
  }
}

template <class View>
auto host_copy(View const& view) {
  // Kokkos takes only contiguous Views across memories.
  Extents n{{1, 1, 1}};
  for (std::size_t a = 0; a < std::size_t(View::rank); ++a) n[a] = static_cast<std::int64_t>(view.extent(a));
  auto const packed =
      make<FieldOf<typename View::non_const_value_type, static_cast<int>(View::rank), Kokkos::LayoutRight>>(n);
  Kokkos::deep_copy(packed, view);
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), packed);
}

template <int Rank>
std::array<Index, std::size_t(Rank)> indices(Extents const& i) {
  std::array<Index, std::size_t(Rank)> result;
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) result[a] = i[a];
  return result;
}

/// Points [from, to) that differ from those of the whole field by a bit; `first` is where the part begins.
template <class Part, class Whole>
std::int64_t wrong_points(Part const& part, Whole const& whole, Extents const& from, Extents const& to,
                          Extents const& first) {
  std::int64_t wrong = 0;
  Extents i{};
  for (i[0] = from[0]; i[0] < to[0]; ++i[0]) {
    for (i[1] = from[1]; i[1] < to[1]; ++i[1]) {
      for (i[2] = from[2]; i[2] < to[2]; ++i[2]) {
        Extents const g{{i[0] + first[0], i[1] + first[1], i[2] + first[2]}};
        auto const have = at(part, i), want = at(whole, g);
        if (std::memcmp(&have, &want, sizeof have) != 0) ++wrong;
      }
    }
  }
  return wrong;
}

/// A cut of a field: points [begin, end) per axis, their ghost layers, and more of them that hold NaN.
struct Cut {
  Extents begin{}, end{{1, 1, 1}};
  std::array<std::array<int, 2>, 3> depth{};  // 0: not cut there
  int dead = 0;                               // layers of NaN outside
  int outside(std::size_t a, std::size_t side) const { return depth[a][side] == 0 ? 0 : depth[a][side] + dead; }
};

template <int Rank>
struct Case {
  Stencil<double, Rank> stencil;
  Extents extent{{1, 1, 1}};
  Boundary<Rank> rules;
  Cut cut;
  std::int64_t steps = 1;
  std::string backend;
  bool by_range      = false;  // the range is given, where it is not needed
  bool other_strides = false;
  int seed           = 1;
};

template <class T, int Rank, class Layout>
void verify(Case<Rank> const& c) {
  using View   = FieldOf<T, Rank, Layout>;
  auto const r = std::size_t(Rank);
  View u = make<View>(c.extent), v = make<View>(c.extent);
  std::mt19937 random(static_cast<unsigned>(c.seed));
  std::uniform_real_distribution<double> values(-1.0, 1.0);
  fill(u, [&](Extents const&) { return values(random); });
  auto const start = host_copy(u);
  StencilPolicy<Exec, Rank> whole;
  whole = whole.boundary(c.rules).accuracy(Accuracy::reproducible);
  for (std::int64_t s = 0; s < c.steps; ++s) iterate("single sweep", whole.backend("generic"), c.stencil, 1, u, v);
  auto const expected = host_copy(u);

  Extents local{{1, 1, 1}}, first{}, from{}, to{{1, 1, 1}};
  Boundary<Rank> rules = c.rules;
  for (std::size_t a = 0; a < r; ++a) {
    first[a] = c.cut.begin[a] - c.cut.outside(a, 0);
    local[a] = c.cut.end[a] + c.cut.outside(a, 1) - first[a];
    from[a]  = c.cut.outside(a, 0);
    to[a]    = local[a] - c.cut.outside(a, 1);
    for (std::size_t side = 0; side < 2; ++side) {
      int const axis = static_cast<int>(a), depth = c.cut.depth[a][side];
      Face const face = c.rules.face(axis, static_cast<int>(side));
      if (depth == 0) {
        // Halos at faces that are not cut: the range ends there as in the whole field.
        if (face.kind == BoundaryKind::halo) {
          (side == 0 ? from[a] : to[a]) -= side == 0 ? c.stencil.lower(axis) : c.stencil.upper(axis);
        }
      } else {
        rules = side == 0 ? rules.lower(axis, Face::shared(depth)) : rules.upper(axis, Face::shared(depth));
      }
    }
  }
  View a = make<View>(local), b = make<View>(local);
  double const nan = std::numeric_limits<double>::quiet_NaN();
  fill(b, [&](Extents const&) { return nan; });
  fill(a, [&](Extents i) {
    for (std::size_t k = 0; k < r; ++k) {
      bool const dead =
          (c.cut.depth[k][0] > 0 && i[k] < c.cut.dead) || (c.cut.depth[k][1] > 0 && i[k] >= local[k] - c.cut.dead);
      // Round about where a periodic axis is cut.
      i[k] = (i[k] + first[k] + c.extent[k]) % c.extent[k];
      if (dead) return nan;
    }
    return static_cast<double>(at(start, i));
  });
  bool const ranged = c.by_range || c.cut.dead > 0;
  StencilPolicy<Exec, Rank> policy =
      ranged ? StencilPolicy<Exec, Rank>(Exec(), indices<Rank>(from), indices<Rank>(to)) : StencilPolicy<Exec, Rank>();
  policy             = policy.boundary(rules).accuracy(Accuracy::reproducible).backend(c.backend);
  auto const compare = [&](auto const& result) {
    EXPECT_EQ(wrong_points(host_copy(result), expected, from, to, first), 0)
        << "steps " << c.steps << " backend " << c.backend << " extents " << c.extent[0] << " " << c.extent[1] << " "
        << c.extent[2] << " cut " << c.cut.begin[0] << " to " << c.cut.end[0] << ", " << c.cut.begin[1] << " to "
        << c.cut.end[1] << ", " << c.cut.begin[2] << " to " << c.cut.end[2] << " dead " << c.cut.dead << " seed "
        << c.seed;
  };
  if (c.other_strides) {
    // One View is part of a wider one.
    Extents more = local;
    for (std::size_t k = 0; k < r; ++k) more[k] += 1;
    View wide       = make<View>(more);
    auto const part = [&](View const& w) {
      auto const all = [&](std::size_t k) { return std::make_pair(std::int64_t(0), local[k]); };
      using Strided  = Kokkos::View<Data<T, Rank>, Kokkos::LayoutStride, typename Exec::memory_space>;
      if constexpr (Rank == 1) return Strided(Kokkos::subview(w, all(0)));
      if constexpr (Rank == 2) return Strided(Kokkos::subview(w, all(0), all(1)));
      if constexpr (Rank == 3) return Strided(Kokkos::subview(w, all(0), all(1), all(2)));
    };
    auto second     = part(wide);
    auto first_view = part(a);
    fill(wide, [&](Extents const&) { return nan; });
    iterate("part", policy, c.stencil, c.steps, first_view, second);
    compare(first_view);
    return;
  }
  iterate("part", policy, c.stencil, c.steps, a, b);
  if (!c.backend.empty()) {
    EXPECT_EQ(last_backend(), c.backend);
  }
  compare(a);
}

template <int Rank>
Case<Rank> random_case(std::mt19937& random, int seed) {
  auto const pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Case<Rank> c;
  c.seed = seed;
  std::vector<typename Stencil<double, Rank>::Term> terms;
  int const radius = Rank == 3 ? pick(1, 2) : pick(1, 3), count = pick(1, 9);
  for (int k = 0; k < count; ++k) {
    typename Stencil<double, Rank>::Term t{};
    for (auto& o : t.offset) o = pick(-radius, pick(0, radius));
    t.coefficient = 0.1 * pick(-9, 9) + 0.05;
    terms.push_back(t);
  }
  c.stencil          = Stencil<double, Rank>(terms);
  c.steps            = pick(1, Rank == 3 ? 5 : 8);
  Face const faces[] = {Face::halo(), Face::value(0.5), Face::periodic(), Face::mirror(), Face::edge()};
  bool cut_any       = false;
  for (int axis = 0; axis < Rank; ++axis) {
    auto const a  = static_cast<std::size_t>(axis);
    int const low = -c.stencil.lower(axis), high = c.stencil.upper(axis);
    Face lower = faces[pick(0, 4)], upper = faces[pick(0, 4)];
    if (lower.kind == BoundaryKind::periodic || upper.kind == BoundaryKind::periodic) lower = upper = Face::periodic();
    c.rules          = c.rules.lower(axis, lower).upper(axis, upper);
    int const widest = static_cast<int>(c.steps) * std::max(low, high) + 2;
    bool const cut   = pick(0, 2) > 0 || (axis == Rank - 1 && !cut_any);
    cut_any          = cut_any || cut;
    c.extent[a]      = 2 * widest + pick(Rank == 1 ? 40 : 4, Rank == 1 ? 900 : Rank == 2 ? 60 : 24);
    c.cut.begin[a]   = 0;
    c.cut.end[a]     = c.extent[a];
    if (!cut) continue;
    int const sides = lower.kind == BoundaryKind::periodic ? 3 : pick(1, 3);
    int const spare = pick(0, 1) * pick(0, 2);
    if (sides & 1) {
      c.cut.depth[a][0] = std::max(1, static_cast<int>(c.steps) * low + spare);
      c.cut.begin[a]    = c.cut.depth[a][0] + pick(0, 2) + 2;
    }
    if (sides & 2) {
      c.cut.depth[a][1] = std::max(1, static_cast<int>(c.steps) * high + spare);
      c.cut.end[a]      = c.extent[a] - c.cut.depth[a][1] - pick(0, 1) - 2;
    }
    // What the cut leaves of the whole range must not be written by ghosts: keep inside of fixed halos.
    if (lower.kind == BoundaryKind::halo && (sides & 1)) c.cut.begin[a] += low;
    if (upper.kind == BoundaryKind::halo && (sides & 2)) c.cut.end[a] -= high;
    c.cut.end[a] = std::max(c.cut.end[a], c.cut.begin[a] + 1);
    if (c.cut.end[a] + (c.cut.depth[a][1] + 2) + high > c.extent[a] && (sides & 2)) {
      c.extent[a] = c.cut.end[a] + c.cut.depth[a][1] + 2 + high;
    }
    if (!(sides & 2)) c.extent[a] = c.cut.end[a] = std::max(c.cut.end[a], c.cut.begin[a] + widest);
  }
  c.cut.dead = pick(0, 3) == 0 ? pick(1, 2) : 0;
  c.by_range = pick(0, 1) == 1;
  return c;
}

template <int Rank>
void verify_random(int seeds) {
  for (int seed = 1; seed <= seeds; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    Case<Rank> c = random_case<Rank>(random, seed);
    for (char const* backend : {"", "generic", "host_temporal", "host_temporal_always_shared"}) {
      bool const temporal = std::strncmp(backend, "host", 4) == 0;
      if (temporal && Exec().concurrency() > 0 && !Impl::is_host_space<Exec>()) continue;
      c.backend = backend;
      verify<double, Rank, Kokkos::LayoutRight>(c);
      verify<float, Rank, Kokkos::LayoutLeft>(c);
    }
    c.backend       = "";
    c.other_strides = true;
    verify<double, Rank, Kokkos::LayoutRight>(c);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(SharedFaces, BitsOfTheWholeFieldLines) { verify_random<1>(60); }
TEST(SharedFaces, BitsOfTheWholeFieldPlanes) { verify_random<2>(60); }
TEST(SharedFaces, BitsOfTheWholeFieldVolumes) { verify_random<3>(30); }

template <class View>
struct Across {
  KOKKOS_FUNCTION double operator()(Neighborhood<View> const& n) const { return n(0, 0) + n(1, 0) - n(-1, 0); }
};

class SharedUse : public testing::Test {
 protected:
  using View                            = FieldOf<double, 2, Kokkos::LayoutRight>;
  Stencil<double, 2> const m_average    = star<2>(1, {0.5, 0.125});
  Boundary<2> const m_rules             = Boundary<2>::edge().axis(0, Face::shared(4));
  StencilPolicy<Exec, 2> const m_policy = StencilPolicy<Exec, 2>().boundary(m_rules).accuracy(Accuracy::reproducible);
  View m_u{"u", 24, 17}, m_v{"v", 24, 17};

  void SetUp() override {
    fill(m_u, [](Extents const& i) { return 1.0 / static_cast<double>(3 + i[0] * 17 + i[1]); });
  }
  template <class F>
  std::string error_of(F const& f) {
    try {
      f();
    } catch (Error const& e) {
      return e.what();
    }
    return "no error";
  }
};

TEST_F(SharedUse, PlansAreTheSame) {
  View a("a", 24, 17), b("b", 24, 17);
  Kokkos::deep_copy(a, m_u);
  Plan<Exec, 2, View, View> const plan("plan", m_policy, m_average, a, b);
  plan.run(a, b, 4);
  iterate("function", m_policy, m_average, 4, m_u, m_v);
  auto const x = host_copy(a), y = host_copy(m_u);
  for (int i = 4; i < 20; ++i) {
    for (int j = 0; j < 17; ++j) EXPECT_EQ(x(i, j), y(i, j)) << i << " " << j;
  }
  // One sweep writes the range alone.
  Kokkos::deep_copy(b, 7.0);
  plan.run(a, b);
  auto const z = host_copy(b);
  EXPECT_EQ(z(3, 5), 7.0);
  EXPECT_NE(z(4, 5), 7.0);
  EXPECT_NE(z(19, 5), 7.0);
  EXPECT_EQ(z(20, 5), 7.0);
}

TEST_F(SharedUse, NormsAreThoseOfTheRange) {
  // All that changes is at the other end of the ghosts.
  fill(m_u, [](Extents const& i) { return i[0] == 0 ? 1e6 : 1.0; });
  auto const r = iterate_until("until", m_policy, m_average, {0.0, 4, 2}, m_u, m_v);
  EXPECT_EQ(r.update_norm, 0.0);
  EXPECT_EQ(r.steps, 2);
  fill(m_u, [](Extents const& i) { return i[0] < 4 ? 0.0 : 1.0; });
  auto const one = iterate_until("one", m_policy, m_average, {0.0, 1, 7}, m_u, m_v);
  EXPECT_EQ(one.update_norm, 0.125);
  EXPECT_EQ(one.steps, 1);
}

TEST_F(SharedUse, TooManySweepsAreAnError) {
  std::string const text = error_of([&] { iterate("deep", m_policy, m_average, 5, m_u, m_v); });
  EXPECT_NE(text.find("\"deep\": 5 sweeps, but the shared faces feed 4"), std::string::npos) << text;
  EXPECT_NE(error_of([&] {
              iterate_until("until", m_policy, m_average, {0.0, 5, 1}, m_u, m_v);
            }).find("feed 4"),
            std::string::npos);
}

TEST_F(SharedUse, TooFewLayersAreAnError) {
  auto const wide        = star<2>(2, {0.5, 0.1, 0.025});
  auto const policy      = m_policy.boundary(Boundary<2>::edge().lower(0, Face::shared(1)));
  std::string const text = error_of([&] { parallel_for("wide", policy, wide, m_u, m_v); });
  EXPECT_NE(text.find("the lower face of axis 0 is shared 1 layers deep, and the stencil reaches 2"), std::string::npos)
      << text;
}

TEST_F(SharedUse, RangesEndAtTheLayers) {
  auto const policy      = StencilPolicy<Exec, 2>({3, 0}, {20, 17}).boundary(m_rules);
  std::string const text = error_of([&] { parallel_for("range", policy, m_average, m_u, m_v); });
  EXPECT_NE(text.find("[3, 20) along axis 0 is outside [4, 20)"), std::string::npos) << text;
  EXPECT_NE(text.find("between shared layers"), std::string::npos) << text;
}

TEST_F(SharedUse, CodeTakesOneSweep) {
  Across<View> const f{};
  parallel_for("code", m_policy.radius(1), f, m_u, m_v);
  auto const x = host_copy(m_u), y = host_copy(m_v);
  EXPECT_EQ(y(4, 3), x(4, 3) + x(5, 3) - x(3, 3));
  EXPECT_EQ(y(3, 3), 0.0);
  EXPECT_NE(error_of([&] { iterate("code", m_policy.radius(1), f, 2, m_u, m_v); }).find("takes no shared faces"),
            std::string::npos);
}

TEST_F(SharedUse, OneSidedStencilsUseUpOneSide) {
  // Nothing is read past the lower face: any number of sweeps.
  Stencil<double, 2> const upwind{{{0, 0}, 0.75}, {{0, -1}, 0.25}};
  iterate("across", m_policy, upwind, 50, m_u, m_v);
  Stencil<double, 2> const down{{{0, 0}, 0.75}, {{1, 0}, 0.25}};
  iterate("down", m_policy.boundary(Boundary<2>::edge().lower(0, Face::shared(0)).upper(0, Face::shared(4))), down, 4,
          m_u, m_v);
  EXPECT_NE(error_of([&] { iterate("down", m_policy, down, 5, m_u, m_v); }).find("feed 4"), std::string::npos);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
