// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FunctorTest.hpp"

// The forms of a functor: outputs by reference, updates in place, a reach of each field.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorForms : testing::Test {};
TYPED_TEST_SUITE(FunctorForms, FunctorSpaces, SpaceNames);

/// out += sum, only where the index along the first axis is not a multiple of three.
template <int Rank>
struct Accumulate {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& n, T& out) const {
    if (n.index(0) % 3 != 0) out += Sum<Rank>::of(n);
  }
};

/// w = 2 u - w + c sum(u), returned, with w an input as well.
template <int Rank>
struct Leapfrog {
  template <class N, class C, class W>
  KOKKOS_FUNCTION auto operator()(N const& u, C const& c, W const& w) const {
    return 2 * Sum<Rank>::at(u) - Sum<Rank>::at(w) + Sum<Rank>::at(c) * Sum<Rank>::of(u);
  }
};

template <class Exec, int Rank, class T, class Layout>
void check_forms() {
  Extents const extent = extents_for(Rank);
  Made<Exec, Rank, T, Layout> u, c, w;
  Field const in    = filled(Rank, extent, Data::integer, 3, exactly),
              speed = filled(Rank, extent, Data::integer, 4, exactly),
              old   = filled(Rank, extent, Data::integer, 5, exactly);
  put(u.view, in);
  put(c.view, speed);
  for (Face const& rule : all_faces())
    for (std::string const& backend : functor_backends<Exec>()) {
      Face const face = rule.kind == BoundaryKind::value ? Face::value(2) : rule;
      SCOPED_TRACE(std::string(to_string(face.kind)) + ", rank " + std::to_string(Rank) + " " + backend);
      Call const call                       = functor_call(Rank, extent, 1, face);
      StencilPolicy<Exec, Rank> const rules = StencilPolicy<Exec, Rank>().boundary(rules_of<Rank>(face));
      auto const policy                     = by_way(rules, backend, true);
      auto const by_radius                  = by_way(rules, backend, false).radius(1);

      put(w.view, old);
      parallel_for("accumulate", policy, Accumulate<Rank>(), reach<1>(u.view), w.view);
      expect_equal(take(w.view), expected_of(call, in, old, [&](Extents const& i, auto const& read) {
                     return i[0] % 3 != 0 ? old(i) + Sum<Rank>::expected(read) : old(i);
                   }));
      put(w.view, old);
      parallel_for("accumulate", by_radius, Accumulate<Rank>(), fields(u.view), fields(w.view));
      expect_equal(take(w.view), expected_of(call, in, old, [&](Extents const& i, auto const& read) {
                     return i[0] % 3 != 0 ? old(i) + Sum<Rank>::expected(read) : old(i);
                   }));

      put(w.view, old);
      parallel_for("leapfrog", policy, Leapfrog<Rank>(), fields(reach<1>(u.view), c.view, w.view), w.view);
      expect_equal(take(w.view), expected_of(call, in, old, [&](Extents const& i, auto const& read) {
                     return 2 * in(i)-old(i) + speed(i) * Sum<Rank>::expected(read);
                   }));
      // With a radius what is updated says that it is read at the point.
      put(w.view, old);
      parallel_for("leapfrog", by_radius, Leapfrog<Rank>(), fields(u.view, c.view, reach<0>(w.view)), w.view);
      expect_equal(take(w.view), expected_of(call, in, old, [&](Extents const& i, auto const& read) {
                     return 2 * in(i)-old(i) + speed(i) * Sum<Rank>::expected(read);
                   }));
    }
}

TYPED_TEST(FunctorForms, UpdatesInPlace) {
  check_forms<TypeParam, 1, double, Kokkos::LayoutRight>();
  check_forms<TypeParam, 1, float, Kokkos::LayoutStride>();
  check_forms<TypeParam, 2, double, Kokkos::LayoutRight>();
  check_forms<TypeParam, 2, float, Kokkos::LayoutLeft>();
  check_forms<TypeParam, 2, double, Kokkos::LayoutStride>();
  check_forms<TypeParam, 3, float, Kokkos::LayoutRight>();
  check_forms<TypeParam, 3, double, Kokkos::LayoutLeft>();
  check_forms<TypeParam, 3, int, Kokkos::LayoutStride>();
}

template <int R, class N>
KOKKOS_INLINE_FUNCTION auto deep(N const& u, N const& k) {
  auto sum = k(0, 0, 0) * u(0, 0, 0) + k(-1, 0, 0) - 2 * k(1, 0, 1) + k(0, -1, 0);
  for (int d = 1; d <= R; ++d) {
    sum += u(-d, 0, 0) + 2 * u(d, 0, 0) + 3 * u(0, -d, 0) + 4 * u(0, d, 0) - u(0, 0, -d) - 2 * u(0, 0, d);
  }
  return sum + u(R, -R, R) - u(-R, 0, 1);
}
/// Planes far ahead and behind, more of them than are kept in registers for some.
template <int R>
struct Deep {
  template <class N, class W>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, W& out) const {
    out += deep<R>(u, k);
  }
};
/// The same as lambdas have it.
template <class View, int R>
struct NamedDeep {
  using N = Neighborhood<View>;
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, typename View::value_type& out) const {
    out += deep<R>(u, k);
  }
};

template <class View>
struct Differ {
  View a, b;
  KOKKOS_FUNCTION void operator()(int i, std::int64_t& sum) const {
    for (std::size_t j = 0; j < a.extent(1); ++j) {
      for (std::size_t k = 0; k < a.extent(2); ++k) sum += a(i, j, k) == b(i, j, k) ? 0 : 1;
    }
  }
};

/// Blocks that go along many planes, the last ones fewer, give the bits of one point a thread.
template <class Exec, int R, class T, class Layout>
void check_deep(std::size_t columns) {
  using View = SpaceView<Exec, T***, Layout>;
  SCOPED_TRACE(std::to_string(columns) + " columns");
  // Enough rows that a block goes along more than two planes.
  bool const left        = std::is_same<Layout, Kokkos::LayoutLeft>::value;
  std::size_t const n[3] = {left ? columns : 83, 403, left ? 83 : columns};
  View const u("u", n[0], n[1], n[2]), k("k", n[0], n[1], n[2]), v("v", n[0], n[1], n[2]), w("w", n[0], n[1], n[2]);
  Extents const extent = extents_of(u);
  fill(u, filled(3, extent, Data::integer, 3, exactly));
  fill(k, filled(3, extent, Data::integer, 4, exactly));
  for (Face const& face : {Face::halo(), Face::periodic()}) {
    auto const policy = StencilPolicy<Exec, 3>().boundary(Boundary<3>(face));
    Kokkos::deep_copy(v, T(3));
    Kokkos::deep_copy(w, T(3));
    parallel_for("deep", policy, Deep<R>(), fields(reach<R>(u), reach<1>(k)), v);
    EXPECT_EQ(last_backend(), volume_backend<Exec>(R));
    parallel_for("deep", policy.backend("generic"), Deep<R>(), fields(reach<R>(u), reach<1>(k)), w);
    EXPECT_EQ(last_backend(), "generic");
    std::int64_t different = 0;
    Kokkos::parallel_reduce("differ", Kokkos::RangePolicy<Exec>(0, int(n[0])), Differ<View>{v, w}, different);
    EXPECT_EQ(different, 0);
    Kokkos::deep_copy(v, T(3));
    parallel_for("deep", policy, NamedDeep<View, R>(), fields(reach<R>(u), reach<1>(k)), v);
    EXPECT_EQ(last_backend(), volume_backend<Exec>(R));
    Kokkos::parallel_reduce("differ", Kokkos::RangePolicy<Exec>(0, int(n[0])), Differ<View>{v, w}, different);
    EXPECT_EQ(different, 0) << "by a functor that names the type";
  }
}

TYPED_TEST(FunctorForms, ManyPlanes) {
  check_deep<TypeParam, 1, float, Kokkos::LayoutRight>(44);
  check_deep<TypeParam, 1, double, Kokkos::LayoutLeft>(44);
  check_deep<TypeParam, 4, double, Kokkos::LayoutRight>(44);
  check_deep<TypeParam, 5, float, Kokkos::LayoutLeft>(44);
}
/// Each place of the ring is used several times, with another phase each time.
TYPED_TEST(FunctorForms, ManyPlanesAnywhere) {
  check_deep<TypeParam, 4, float, Kokkos::LayoutRight>(45);
  check_deep<TypeParam, 4, double, Kokkos::LayoutRight>(45);
  check_deep<TypeParam, 5, float, Kokkos::LayoutLeft>(47);
}

/// Reads corners of planes behind and ahead, its place, and points of a field that it updates.
struct Far {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& c, N const& k, N const& w) const {
    auto sum = u(-3, -2, 4) + 2 * u(4, 1, -3) - u(0, 3, 2) + 3 * u(-2, 0, 0) + u(4, 4, 4) - u(-4, -4, -4) + u(2, 0, -1);
    sum += k(1, 1, -1) - 2 * k(-1, 0, 1) + k(0, -1, 0);
    return sum - w(0, 0, 0) + c(0, 0, 0) * static_cast<int>(u.index(0) % 3 + 2 * (u.index(1) % 2) - u.index(2) % 5);
  }
};

/// Extents and places of tiles of all kinds: `from` cuts as many points off at the front of each row, `to` at the end.
/// `later`: rows of one field begin so many points later.
template <class Exec, class T, class Layout>
void check_far(std::array<std::size_t, 3> const& n, std::size_t from, std::size_t to, std::size_t later = 0) {
  using View = SpaceView<Exec, T***, Layout>;
  SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]));
  View const u("u", n[0], n[1], n[2]), k("k", n[0], n[1], n[2]), c("c", n[0], n[1], n[2]), v("v", n[0], n[1], n[2]),
      w("w", n[0], n[1], n[2]);
  Extents const extent = extents_of(u);
  fill(u, filled(3, extent, Data::integer, 3, exactly));
  fill(k, filled(3, extent, Data::integer, 4, exactly));
  fill(c, filled(3, extent, Data::integer, 5, exactly));
  Field const old     = filled(3, extent, Data::integer, 6, exactly);
  constexpr bool left = std::is_same<Layout, Kokkos::LayoutLeft>::value;
  auto const cut      = [&](View const& all, std::size_t begin) {
    auto const part = [&](int axis) {
      bool const fast = axis == (left ? 0 : 2);
      return std::make_pair(fast ? begin : std::size_t(0), n[std::size_t(axis)] - (fast ? to + from - begin : 0));
    };
    return Kokkos::subview(all, part(0), part(1), part(2));
  };
  auto const cu = cut(u, from), ck = cut(k, from + later), cc = cut(c, from), cv = cut(v, from), cw = cut(w, from);
  for (Face const& face : {Face::halo(), Face::mirror()}) {
    auto const policy = StencilPolicy<Exec, 3>().boundary(Boundary<3>(face));
    fill(v, old);
    fill(w, old);
    parallel_for("far", as_for_many(policy, 4), Far(), fields(reach<4>(cu), cc, reach<1>(ck), cv), cv);
    EXPECT_EQ(last_backend(), volume_backend<Exec>(4));
    parallel_for("far", policy.backend("generic"), Far(), fields(reach<4>(cu), cc, reach<1>(ck), cw), cw);
    std::int64_t different = 0;
    Kokkos::parallel_reduce("differ", Kokkos::RangePolicy<Exec>(0, int(n[0])), Differ<View>{v, w}, different);
    EXPECT_EQ(different, 0);
  }
}

TYPED_TEST(FunctorForms, FarReach) {
  check_far<TypeParam, float, Kokkos::LayoutRight>({{47, 61, 160}}, 0, 0);
  check_far<TypeParam, float, Kokkos::LayoutRight>({{38, 61, 160}}, 3, 6);
  check_far<TypeParam, double, Kokkos::LayoutLeft>({{150, 45, 39}}, 0, 1);
}
/// Rows that begin anywhere, within planes that do, and end at each place of what a thread computes.
TYPED_TEST(FunctorForms, FarReachAnywhere) {
  for (std::size_t const columns : {137u, 138u, 159u, 169u, 265u}) {
    check_far<TypeParam, float, Kokkos::LayoutRight>({{38, 43, columns}}, 0, 0);
  }
  check_far<TypeParam, float, Kokkos::LayoutRight>({{38, 61, 160}}, 3, 6, 2);
  check_far<TypeParam, double, Kokkos::LayoutRight>({{38, 61, 131}}, 0, 0);
  check_far<TypeParam, double, Kokkos::LayoutLeft>({{75, 45, 39}}, 1, 1, 1);
}

/// Notes whether it was ever called for a point outside a box.
template <class Flag>
struct AskIndices {
  Flag outside;
  std::int64_t begin[3], end[3];

  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& n) const {
    for (int a = 0; a < 3; ++a) {
      if (n.index(a) < begin[a] || n.index(a) >= end[a]) outside() = 1;
    }
    return n(0, 0, -1) + n(0, 0, 1) + n(0, 1, 0) + n(1, 0, 0);
  }
};

/// Vectors reach past the range at either end of a row.
TYPED_TEST(FunctorForms, IndicesOfTheRange) {
  using View = SpaceView<TypeParam, float***, Kokkos::LayoutRight>;
  using Flag = SpaceView<TypeParam, int, Kokkos::LayoutRight>;
  View const u("u", 24, 40, 136), v("v", 24, 40, 136);
  for (std::int64_t from : {1, 2, 3, 6}) {
    for (std::int64_t to : {135, 134, 133, 130}) {
      Flag const outside("outside");
      auto const policy = as_for_many(StencilPolicy<TypeParam, 3>({1, 1, from}, {23, 39, to}), 1);
      parallel_for("ask", policy, AskIndices<Flag>{outside, {1, 1, from}, {23, 39, to}}, reach<1>(u), v);
      EXPECT_EQ(last_backend(), volume_backend<TypeParam>(1));
      int found = 1;
      Kokkos::deep_copy(found, outside);
      EXPECT_EQ(found, 0) << from << " to " << to;
    }
  }
}

/// Two outputs, one of which is an input: read at the point, then written.
struct Swap {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, double& to, double& from) const {
    double const x = a(0, 0), y = b(0, 0);
    to   = x + y;
    from = x - y + to;
  }
};

TYPED_TEST(FunctorForms, SeveralOutputsInPlace) {
  SpaceView<TypeParam, double**> const a("a", 36, 48), b("b", 36, 48);
  Extents const extent = extents_for(2);
  Field const x = filled(2, extent, Data::integer, 3, exactly), y = filled(2, extent, Data::integer, 4, exactly);
  fill(a, x);
  fill(b, y);
  parallel_for("swap", StencilPolicy<TypeParam, 2>().radius(0), Swap(), fields(a, b), fields(a, b));
  Field sum = x, twice = x;
  sum.each([&](Extents const& i) {
    sum(i)   = x(i) + y(i);
    twice(i) = 2 * x(i);
  });
  expect_equal(values_of(a), sum);
  expect_equal(values_of(b), twice);
}

/// A row ahead along the first axis, two along the second.
struct Ahead {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n, N const& k) const {
    return n(1, 0) + 2 * n(-1, 2) + 3 * n(0, -2) + k(0, 0);
  }
};

TYPED_TEST(FunctorForms, ReachOfEachAxis) {
  SpaceView<TypeParam, double**> const u("u", 36, 48), k("k", 36, 48), v("v", 36, 48);
  Extents const extent = extents_for(2);
  Field const x = filled(2, extent, Data::integer, 3, exactly), y = filled(2, extent, Data::integer, 4, exactly);
  fill(u, x);
  fill(k, y);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Field const before(2, extent, 0.5);
    fill(v, before);
    parallel_for("ahead", StencilPolicy<TypeParam, 2>().boundary(rules_of<2>(face)), Ahead(),
                 fields(reach<1, 2>(u), reach<0>(k)), v);
    Call call  = functor_call(2, extent, 0, face);
    call.terms = {{{{1, 0, 0}}, 1}, {{{-1, 2, 0}}, 1}, {{{0, -2, 0}}, 1}};
    expect_equal(values_of(v), expected_of(call, x, before, [&](Extents const& i, auto const& read) {
                   return read({{1, 0, 0}}) + 2 * read({{-1, 2, 0}}) + 3 * read({{0, -2, 0}}) + y(i);
                 }));
  }
}

TYPED_TEST(FunctorForms, Misuse) {
  SpaceView<TypeParam, double**> const u("u", 37, 41), v("v", 37, 41), w("w", 38, 41);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(parallel_for("flow", policy, Accumulate<2>(), u, v), "\"flow\"", ".radius(r)", "reach<1>(u)");
  EXPECT_ERROR(parallel_for("flow", policy, Accumulate<2>(), reach<1>(u), u), "\"flow\"", "input 0", "output 0",
               "overlap", "1 points away", "reach<0>");
  EXPECT_ERROR(parallel_for("flow", policy.radius(2), Leapfrog<2>(), fields(reach<1>(u), u, v), v), "input 2",
               "output 0", "2 points away");
  EXPECT_ERROR(parallel_for("flow", policy, Accumulate<2>(), reach<1>(u), w), "37 x 41", "38 x 41");
  EXPECT_ERROR(parallel_for("flow", policy.backend("functor_streaming"), Accumulate<2>(), reach<1>(u), v),
               "\"functor_streaming\"", "three axes", "reach<1>(u)");
  // In place, but shifted by a row.
  auto const lower = Kokkos::subview(w, std::make_pair(0, 37), Kokkos::ALL);
  auto const upper = Kokkos::subview(w, std::make_pair(1, 38), Kokkos::ALL);
  EXPECT_ERROR(parallel_for("flow", policy, Accumulate<2>(), reach<0>(lower), upper), "same points", "overlap");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
