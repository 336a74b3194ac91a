// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FunctorTest.hpp"

#include <cmath>

// Ghost points filled by the boundary rules.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FillHalo : testing::Test {};
TYPED_TEST_SUITE(FillHalo, FunctorSpaces, SpaceNames);

/// `all` with its ghost points as the rules about the box [begin, end) have them; every face has the same rule.
Field filled_ghosts(Field const& all, Extents const& begin, Extents const& end, Face const& face) {
  Extents inner;
  for (std::size_t a = 0; a < 3; ++a) inner[a] = end[a] - begin[a];
  Call const call = functor_call(all.rank, inner, 4, face);
  Ghosts const ghosts(call, exactly);
  Field given(all.rank, inner);
  given.each([&](Extents const& i) { given(i) = all({{i[0] + begin[0], i[1] + begin[1], i[2] + begin[2]}}); });
  Field after = all;
  after.each([&](Extents const& i) {
    Extents nearest;
    std::array<int, 3> offset;
    for (std::size_t a = 0; a < 3; ++a) {
      nearest[a] = std::min(std::max<std::int64_t>(i[a] - begin[a], 0), inner[a] - 1);
      offset[a]  = static_cast<int>(i[a] - begin[a] - nearest[a]);
    }
    if (face.kind != BoundaryKind::halo) after(i) = ghosts.read(given, nearest, offset);
  });
  return after;
}

template <class Exec, int Rank, class T, class Layout>
void check_fill() {
  Extents const extent = extents_for(Rank);
  Made<Exec, Rank, T, Layout> u, w;
  Field const x = filled(Rank, extent, Data::integer, 3, exactly), y = filled(Rank, extent, Data::integer, 4, exactly);
  Extents begin{{0, 0, 0}}, end{{1, 1, 1}};
  std::array<Index, std::size_t(Rank)> first, last;
  for (std::size_t a = 0; a < Rank; ++a) {
    begin[a] = 1 + std::int64_t(a);
    end[a]   = extent[a] - 2;
    first[a] = begin[a];
    last[a]  = end[a];
  }
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(std::string(to_string(face.kind)) + ", rank " + std::to_string(Rank));
    put(u.view, x);
    put(w.view, y);
    fill_halo("ghosts", StencilPolicy<Exec, Rank>(first, last).boundary(rules_of<Rank>(face)), u.view, w.view);
    expect_equal(take(u.view), filled_ghosts(x, begin, end, face));
    expect_equal(take(w.view), filled_ghosts(y, begin, end, face));
    // The same number of layers everywhere.
    put(u.view, x);
    fill_halo("ghosts", StencilPolicy<Exec, Rank>().radius(2).boundary(rules_of<Rank>(face)), u.view);
    Extents lower{{0, 0, 0}}, upper{{1, 1, 1}};
    for (std::size_t a = 0; a < Rank; ++a) {
      lower[a] = 2;
      upper[a] = extent[a] - 2;
    }
    expect_equal(take(u.view), filled_ghosts(x, lower, upper, face));
  }
}

TYPED_TEST(FillHalo, EveryRule) {
  check_fill<TypeParam, 1, double, Kokkos::LayoutRight>();
  check_fill<TypeParam, 1, float, Kokkos::LayoutStride>();
  check_fill<TypeParam, 2, float, Kokkos::LayoutRight>();
  check_fill<TypeParam, 2, double, Kokkos::LayoutLeft>();
  check_fill<TypeParam, 2, float, Kokkos::LayoutStride>();
  check_fill<TypeParam, 3, double, Kokkos::LayoutRight>();
  check_fill<TypeParam, 3, float, Kokkos::LayoutLeft>();
  check_fill<TypeParam, 3, double, Kokkos::LayoutStride>();
}

TYPED_TEST(FillHalo, FacesThatAreHalosAreLeftAlone) {
  SpaceView<TypeParam, double**> const u("u", 8, 9);
  Extents const extent = {{8, 9, 1}};
  Field const x        = filled(2, extent, Data::integer, 3, exactly);
  fill(u, x);
  // Rows 0 and 7 come from elsewhere; columns wrap around, in these rows as well.
  auto const rules = Boundary<2>().axis(1, Face::periodic());
  fill_halo("columns", StencilPolicy<TypeParam, 2>({1, 1}, {7, 8}).boundary(rules), u);
  Field after = x;
  for (std::int64_t i = 0; i < 8; ++i) {
    after({{i, 0, 0}}) = x({{i, 7, 0}});
    after({{i, 8, 0}}) = x({{i, 1, 0}});
  }
  expect_equal(values_of(u), after);
  // A neighbour's layers as well, without a range.
  fill(u, x);
  fill_halo("columns", StencilPolicy<TypeParam, 2>().radius(1).boundary(rules.axis(0, Face::shared(1))), u);
  expect_equal(values_of(u), after);
}

/// Of a type that no number is made into.
struct Pair {
  double first;
  float second;
};
struct Swapped {
  template <class N>
  KOKKOS_FUNCTION Pair operator()(N const& n) const {
    return {n(-1, 0).first, n(0, 1).second};
  }
};
template <class View>
struct Pairs {
  View v;
  KOKKOS_FUNCTION void operator()(int k) const { v(k / 6, k % 6) = {1.0 * k, 100.0f + static_cast<float>(k)}; }
};

TYPED_TEST(FillHalo, ValuesThatAreStructures) {
  using View = SpaceView<TypeParam, Pair**>;
  View const u("u", 5, 6), v("v", 5, 6);
  auto const policy = StencilPolicy<TypeParam, 2>().radius(1);
  Kokkos::parallel_for("pairs", Kokkos::RangePolicy<TypeParam>(0, 30), Pairs<View>{u});
  fill_halo("ghosts", policy.boundary(Boundary<2>::edge()), u);
  parallel_for("swapped", policy.boundary(Boundary<2>::periodic()), Swapped(), u, v);
  auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  EXPECT_EQ(a(0, 0).first, 7.0);
  EXPECT_EQ(a(2, 3).second, 115.0f);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 6; ++j) {
      EXPECT_EQ(b(i, j).first, a((i + 4) % 5, j).first);
      EXPECT_EQ(b(i, j).second, a(i, (j + 1) % 6).second);
    }
  }
  EXPECT_ERROR(fill_halo("ghosts", policy.boundary(Boundary<2>::value(1)), u), "\"ghosts\"", "not made from a number");
  EXPECT_ERROR(parallel_for("swapped", policy.boundary(Boundary<2>::value(1)), Swapped(), u, v), "\"swapped\"",
               "lower face of axis 0", "not made from a number");
}

TYPED_TEST(FillHalo, NothingAndMisuse) {
  SpaceView<TypeParam, double**> const u("u", 5, 6);
  SpaceView<TypeParam, unsigned char**> const bytes("bytes", 5, 6);
  Field const fours(2, {{5, 6, 1}}, 4.0);
  fill(u, fours);
  auto const policy = StencilPolicy<TypeParam, 2>().boundary(Boundary<2>::periodic());
  // More layers than points.
  EXPECT_ERROR(fill_halo("ghosts", policy.radius(3), u), "\"ghosts\"", "6 layers", "axis 0", "5 points");
  SpaceView<TypeParam, double**> const none("none", 0, 6);
  fill_halo("ghosts", policy.radius(3), none);
  EXPECT_ERROR(fill_halo("ghosts", policy, u), "\"ghosts\"", ".radius(r)");
  EXPECT_ERROR(fill_halo("ghosts", StencilPolicy<TypeParam, 2>({1, 1}, {6, 5}).boundary(Boundary<2>::edge()), u),
               "\"ghosts\"", "[1, 6)");
  // A mirror of more layers than there are points would read past the View, where the other face has no rule.
  auto const mirror = Boundary<2>().lower(0, Face::mirror());
  fill_halo("ghosts", StencilPolicy<TypeParam, 2>().boundary(mirror).radius(2), u);
  EXPECT_ERROR(fill_halo("ghosts", StencilPolicy<TypeParam, 2>().boundary(mirror).radius(3), u), "\"ghosts\"",
               "3 layers");
  EXPECT_ERROR(fill_halo("ghosts", policy.boundary(Boundary<2>::value(300)).radius(1), u, bytes), "\"ghosts\"", "300");
  EXPECT_ERROR(fill_halo("ghosts", policy.boundary(Boundary<2>::value(1.5)).radius(1), u, bytes), "\"ghosts\"", "1.5",
               "no whole number");
  EXPECT_ERROR(fill_halo("ghosts", policy.boundary(Boundary<2>::value(std::nan(""))).radius(1), u, bytes), "\"ghosts\"",
               "nan", "no whole number");
  expect_equal(values_of(u), fours);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
