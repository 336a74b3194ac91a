// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FunctorTest.hpp"

// Stencils that are code, with one field.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorOneField : testing::Test {};
TYPED_TEST_SUITE(FunctorOneField, FunctorSpaces, SpaceNames);

struct Life {
  template <class N>
  KOKKOS_FUNCTION int operator()(N const& n) const {
    int alive = -n(0, 0);
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) alive += n(i, j);
    }
    return alive == 3 || (alive == 2 && n(0, 0) == 1) ? 1 : 0;
  }
};

Field life_expected(Call const& call, Field const& input, Field const& before) {
  return expected_of(call, input, before, [](Extents const&, auto const& read) {
    double alive = -read({{0, 0, 0}});
    for (int i = -1; i <= 1; ++i) {
      for (int j = -1; j <= 1; ++j) alive += read({{i, j, 0}});
    }
    return alive == 3 || (alive == 2 && read({{0, 0, 0}}) == 1) ? 1.0 : 0.0;
  });
}

Field random_cells(Extents const& extent) {
  Field cells = filled(2, extent, Data::integer, 21, exactly);
  for (double& c : cells.values) c = c > 1 ? 1 : 0;
  return cells;
}

template <class Exec, class Layout>
void check_life() {
  Extents const extent = {{17, 23, 1}};
  SpaceView<Exec, int**, Layout> const u("u", 17, 23), v("v", 17, 23);
  Field const cells = random_cells(extent);
  fill(u, cells);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Face const rule = face.kind == BoundaryKind::value ? Face::value(1) : face;
    Field const nines(2, extent, 9.0);
    fill(v, nines);
    parallel_for("life", StencilPolicy<Exec, 2>().boundary(rules_of<2>(rule)).radius(1), Life(), u, v);
    EXPECT_TRUE(is_functor_backend());
    expect_equal(values_of(v), life_expected(functor_call(2, extent, 1, rule), cells, nines));
  }
}

TYPED_TEST(FunctorOneField, GameOfLife) {
  check_life<TypeParam, Kokkos::LayoutRight>();
  check_life<TypeParam, Kokkos::LayoutLeft>();
}

TYPED_TEST(FunctorOneField, IteratedGameOfLife) {
  Extents const extent = {{17, 23, 1}};
  for (Face const& face : {Face::halo(), Face::periodic(), Face::edge()}) {
    for (int steps : {0, 1, 2, 5}) {
      SCOPED_TRACE(std::string(to_string(face.kind)) + ", " + std::to_string(steps) + " steps");
      SpaceView<TypeParam, int**> u("u", 17, 23), tmp("tmp", 17, 23);
      Field expected = random_cells(extent);
      fill(u, expected);
      fill(tmp, Field(2, extent, 7.0));
      auto const* const first = u.data();
      iterate("life", StencilPolicy<TypeParam, 2>().boundary(rules_of<2>(face)).radius(1), Life(), steps, u, tmp);
      EXPECT_TRUE(is_functor_backend() || last_backend() == "functor_patches") << last_backend();
      Call const call = functor_call(2, extent, 1, face);
      for (int k = 0; k < steps; ++k) expected = life_expected(call, expected, expected);
      expect_equal(values_of(u), expected);
      EXPECT_NE(u.data() == first, tmp.data() == first);
    }
  }
}

/// A block of four that stays and a row of three that turns.
TYPED_TEST(FunctorOneField, LifeUntilNothingChanges) {
  Extents const extent = {{9, 12, 1}};
  Field still(2, extent, 0.0);
  for (Extents const& i : {Extents{{2, 2, 0}}, {{2, 3, 0}}, {{3, 2, 0}}, {{3, 3, 0}}}) still(i) = 1;
  Field turning = still;
  for (int j : {7, 8, 9}) turning({{6, j, 0}}) = 1;
  auto const policy = StencilPolicy<TypeParam, 2>().radius(1);
  StoppingCriterion until;
  until.max_steps   = 40;
  until.check_every = 4;
  for (bool const stays : {true, false}) {
    SpaceView<TypeParam, int**> u("u", 9, 12), tmp("tmp", 9, 12);
    fill(u, stays ? still : turning);
    UntilResult const result = iterate_until("life", policy, Life(), until, u, tmp);
    EXPECT_EQ(result.converged, stays);
    EXPECT_EQ(result.steps, stays ? 4 : 40);
    EXPECT_EQ(result.update_norm, stays ? 0.0 : 1.0);
    expect_equal(values_of(u), stays ? still : turning);
    auto const text = explain("life", policy, Life(), 100, u, tmp);
    EXPECT_NE(text.find("sweep"), std::string::npos) << text;
  }
}

/// Coefficients that vary with the place.
struct Varying {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return static_cast<double>(n.index(0)) * n(-1, 0, 0) + static_cast<double>(n.index(1)) * n(0, 2, 0) -
           static_cast<double>(n.index(2)) * n(0, 0, -2);
  }
};

template <class Exec, class Layout>
void check_varying() {
  Extents const extent = {{5, 7, 9}};
  SpaceView<Exec, double***, Layout> const u("u", 5, 7, 9), v("v", 5, 7, 9);
  Field const input = filled(3, extent, Data::integer, 5, exactly);
  fill(u, input);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Field const zero(3, extent, 0.0);
    fill(v, zero);
    // Another reach along each axis.
    parallel_for("varying", StencilPolicy<Exec, 3>().boundary(rules_of<3>(face)).radius({{1, 2, 2}}), Varying(), u, v);
    EXPECT_TRUE(is_functor_backend());
    Call call  = functor_call(3, extent, 0, face);
    call.terms = {{{{1, 0, 0}}, 1}, {{{-1, 0, 0}}, 1}, {{{0, 2, 2}}, 1}, {{{0, -2, -2}}, 1}};
    expect_equal(values_of(v), expected_of(call, input, zero, [](Extents const& i, auto const& read) {
                   return static_cast<double>(i[0]) * read({{-1, 0, 0}}) +
                          static_cast<double>(i[1]) * read({{0, 2, 0}}) -
                          static_cast<double>(i[2]) * read({{0, 0, -2}});
                 }));
  }
}

TYPED_TEST(FunctorOneField, VariableCoefficients) {
  check_varying<TypeParam, Kokkos::LayoutRight>();
  check_varying<TypeParam, Kokkos::LayoutLeft>();
}

/// The values of a field with strides of any kind, outside of which nothing may be written.
template <class Exec>
struct Spread {
  using View = SpaceView<Exec, double***, Kokkos::LayoutStride>;
  SpaceView<Exec, double*> parent;
  View view;
  Extents extent, stride;

  /// The axes from the slowest on, and the stride of the last one.
  Spread(Extents const& n, std::array<std::size_t, 3> const& order, std::int64_t least) : extent(n) {
    std::int64_t size = least;
    for (int k = 2; k >= 0; --k) {
      std::size_t const a = order[static_cast<std::size_t>(k)];
      stride[a]           = size;
      size *= n[a] + 1;
    }
    parent = SpaceView<Exec, double*>("parent", static_cast<std::size_t>(size));
    view   = View(parent.data(), Kokkos::LayoutStride(n[0], stride[0], n[1], stride[1], n[2], stride[2]));
  }
  void set(Field const& values) const {
    Field all(1, {{static_cast<std::int64_t>(parent.extent(0)), 1, 1}}, 77.5);
    values.each([&](Extents const& i) { all(at(i)) = values(i); });
    fill(parent, all);
  }
  Field get() const {
    Field const all = values_of(parent);
    Field values(3, extent);
    std::int64_t others = 0;
    for (double v : all.values) others += v == 77.5 ? 1 : 0;
    EXPECT_EQ(others, parent.extent(0) - values.values.size()) << "something was written between the points";
    values.each([&](Extents const& i) { values(i) = all(at(i)); });
    return values;
  }
  Extents at(Extents const& i) const { return {{i[0] * stride[0] + i[1] * stride[1] + i[2] * stride[2], 0, 0}}; }
};

TYPED_TEST(FunctorOneField, StridesOfAnyOrder) {
  Extents const extent                      = {{5, 6, 9}};
  Field const input                         = filled(3, extent, Data::integer, 5, exactly), zero(3, extent, 0.0);
  std::array<std::size_t, 3> const orders[] = {{{0, 1, 2}}, {{2, 1, 0}}, {{0, 2, 1}}, {{1, 0, 2}}, {{2, 0, 1}}};
  for (auto const& in_order : orders) {
    for (auto const& out_order : orders) {
      for (std::int64_t least : {1, 2}) {
        Spread<TypeParam> const u(extent, in_order, 1), v(extent, out_order, least);
        u.set(input);
        for (Face const& face : {Face::halo(), Face::mirror()}) {
          v.set(zero);
          parallel_for("varying", StencilPolicy<TypeParam, 3>().boundary(rules_of<3>(face)).radius({{1, 2, 2}}),
                       Varying(), u.view, v.view);
          Call call  = functor_call(3, extent, 0, face);
          call.terms = {{{{1, 0, 0}}, 1}, {{{-1, 0, 0}}, 1}, {{{0, 2, 2}}, 1}, {{{0, -2, -2}}, 1}};
          expect_equal(v.get(), expected_of(call, input, zero, [](Extents const& i, auto const& read) {
                         return static_cast<double>(i[0]) * read({{-1, 0, 0}}) +
                                static_cast<double>(i[1]) * read({{0, 2, 0}}) -
                                static_cast<double>(i[2]) * read({{0, 0, -2}});
                       }));
        }
      }
    }
  }
}

struct Largest {
  template <class N>
  KOKKOS_FUNCTION float operator()(N const& n) const {
    float most = n(-3);
    for (int d = -2; d <= 3; ++d) most = n(d) > most ? n(d) : most;
    return most;
  }
};

TYPED_TEST(FunctorOneField, NonlinearInOneDimension) {
  // Longer than the stretches that rows are cut into; a strided input; an explicit range.
  std::size_t const n  = 9001;
  Extents const extent = {{9001, 1, 1}};
  SpaceView<TypeParam, float*> const parent("parent", 2 * n), v("v", n);
  SpaceView<TypeParam, float const*, Kokkos::LayoutStride> const u(parent.data(), Kokkos::LayoutStride(n, 2));
  Field const input = filled(1, extent, Data::integer, 6, exactly);
  Field spread(1, {{18002, 1, 1}}, 99.0);
  input.each([&](Extents const& i) { spread({{2 * i[0], 0, 0}}) = input(i); });
  fill(parent, spread);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Field const before(1, extent, -50.0);
    fill(v, before);
    Call call = functor_call(1, extent, 3, face);
    call.range({{3, 0, 0}}, {{8998, 1, 1}});
    parallel_for("largest", StencilPolicy<TypeParam, 1>({3}, {8998}).boundary(rules_of<1>(face)).radius(3), Largest(),
                 u, v);
    EXPECT_TRUE(is_functor_backend());
    expect_equal(values_of(v), expected_of(call, input, before, [](Extents const&, auto const& read) {
                   double most = read({{-3, 0, 0}});
                   for (int d = -2; d <= 3; ++d) most = std::max(most, read({{d, 0, 0}}));
                   return most;
                 }));
  }
}

/// Reads the corners and edges of its window only.
struct Rim {
  int r;
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return n(0, 0) + 3 * n(-r, r) + 5 * n(r, -r) + 7 * n(0, -r) + 11 * n(r, 0);
  }
};

TYPED_TEST(FunctorOneField, ViewsSmallerThanTheReach) {
  // Mirrors throw indices past the other face.
  int const radii[] = {1, 2, 5, 8};
  int k             = 0;
  for (FacePair const& first : face_pairs(0)) {
    for (FacePair const& second : face_pairs(1)) {
      int const r          = radii[k % 4];
      Extents const extent = {{1 + k / 4 % 4, 1 + k / 16 % 4, 1}};
      ++k;
      Call call     = functor_call(2, extent, r, Face::halo());
      call.faces[0] = first;
      call.faces[1] = second;
      SCOPED_TRACE(call.text());
      SpaceView<TypeParam, double**> const u("u", extent[0], extent[1]), v("v", extent[0], extent[1]);
      Field const input = filled(2, extent, Data::integer, 4, exactly), nines(2, extent, 9.0);
      fill(u, input);
      fill(v, nines);
      auto const rules  = Boundary<2>().lower(0, first[0]).upper(0, first[1]).lower(1, second[0]).upper(1, second[1]);
      auto const policy = StencilPolicy<TypeParam, 2>().boundary(rules).radius(r);
      if (mirror_meets_halo(call)) {
        EXPECT_THROW(parallel_for("rim", policy, Rim{r}, u, v), Error);
        continue;
      }
      parallel_for("rim", policy, Rim{r}, u, v);
      expect_equal(values_of(v), expected_of(call, input, nines, [r](Extents const&, auto const& read) {
                     return read({{0, 0, 0}}) + 3 * read({{-r, r, 0}}) + 5 * read({{r, -r, 0}}) +
                            7 * read({{0, -r, 0}}) + 11 * read({{r, 0, 0}});
                   }));
    }
  }
}

TYPED_TEST(FunctorOneField, EmptyRangesAndViews) {
  SpaceView<TypeParam, int**> const u("u", 5, 6), v("v", 5, 6), none("none", 0, 6), nothing("nothing", 0, 6);
  fill(v, Field(2, {{5, 6, 1}}, 4.0));
  parallel_for("life", StencilPolicy<TypeParam, 2>({2, 2}, {2, 4}).radius(1), Life(), u, v);
  EXPECT_TRUE(is_functor_backend());
  expect_equal(values_of(v), Field(2, {{5, 6, 1}}, 4.0));
  EXPECT_NO_THROW(parallel_for("life", StencilPolicy<TypeParam, 2>().radius(1), Life(), none, nothing));
  // Too small for the window: nothing is left.
  EXPECT_NO_THROW(parallel_for("life", StencilPolicy<TypeParam, 2>().radius(3), Life(), u, v));
  expect_equal(values_of(v), Field(2, {{5, 6, 1}}, 4.0));
}

TYPED_TEST(FunctorOneField, IteratingNothingLeavesTheHandles) {
  SpaceView<TypeParam, int**> u("u", 5, 6), tmp("tmp", 5, 6);
  Field const cells = random_cells({{5, 6, 1}}), fours(2, {{5, 6, 1}}, 4.0);
  fill(u, cells);
  fill(tmp, fours);
  for (int steps : {0, 1, 2}) {
    iterate("life", StencilPolicy<TypeParam, 2>({2, 2}, {2, 4}).radius(1), Life(), steps, u, tmp);
    // Too small for the window.
    iterate("life", StencilPolicy<TypeParam, 2>().radius(3), Life(), steps, u, tmp);
    expect_equal(values_of(u), cells);
    expect_equal(values_of(tmp), fours);
  }
}

TYPED_TEST(FunctorOneField, IterateChecksBeforeItCopies) {
  SpaceView<TypeParam, int**> u("u", 5, 6), tmp("tmp", 5, 6), other("other", 5, 7);
  Field const fours(2, {{5, 6, 1}}, 4.0);
  fill(tmp, fours);
  auto const policy = StencilPolicy<TypeParam, 2>().radius(1);
  for (int steps : {0, 1}) {
    EXPECT_ERROR(iterate("life", policy.backend("cuda_direct"), Life(), steps, u, tmp), "\"life\"", "generic");
    EXPECT_ERROR(iterate("life", StencilPolicy<TypeParam, 2>(), Life(), steps, u, tmp), ".radius(r)");
    EXPECT_ERROR(iterate("life", policy, Life(), steps, u, other), "5 x 6", "5 x 7");
    EXPECT_ERROR(iterate("life", policy, Life(), steps, u, u), "overlap");
  }
  expect_equal(values_of(tmp), fours);
}

TYPED_TEST(FunctorOneField, Misuse) {
  SpaceView<TypeParam, int**> u("u", 5, 6), v("v", 5, 6);
  SpaceView<TypeParam, int**> const other("other", 5, 7);
  StencilPolicy<TypeParam, 2> const policy;
  EXPECT_ERROR(parallel_for("life", policy, Life(), u, v), "\"life\"", ".radius(r)");
  EXPECT_ERROR(iterate("life", policy, Life(), 1, u, v), "\"life\"", ".radius(r)");
  EXPECT_ERROR(parallel_for("life", policy.radius(1), Life(), u, other), "\"life\"", "5 x 6", "5 x 7");
  EXPECT_ERROR(parallel_for("life", policy.radius(1), Life(), u, u), "\"life\"", "overlap");
  EXPECT_ERROR(iterate("life", policy.radius(1), Life(), -1, u, v), "\"life\"", "-1 steps");
  EXPECT_ERROR(parallel_for("life", StencilPolicy<TypeParam, 2>({0, 0}, {5, 6}).radius(1), Life(), u, v), "\"life\"",
               "[0, 5)", "[1, 4)", "reach<sides(1, 0)>(view)");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
