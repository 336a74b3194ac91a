// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "FunctorTest.hpp"

// Stencils that are code, with several inputs and outputs.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorFields : testing::Test {};
TYPED_TEST_SUITE(FunctorFields, FunctorSpaces, SpaceNames);

Extents const g_extent = {{11, 13, 1}};

struct Flux {
  template <class A, class B>
  KOKKOS_FUNCTION double operator()(A const& density, B const& level) const {
    return density(0, 0) * level(1, 0) - density(-1, 0) * level(0, -1);
  }
};

template <class Exec, class InLayout, class OutLayout>
void check_flux() {
  // Two inputs of different value types and layouts.
  SpaceView<Exec, double**, InLayout> const density("density", 11, 13);
  SpaceView<Exec, int**> const level("level", 11, 13);
  SpaceView<Exec, double**, OutLayout> const v("v", 11, 13);
  Field const d = filled(2, g_extent, Data::integer, 1, exactly), l = filled(2, g_extent, Data::integer, 2, exactly);
  fill(density, d);
  fill(level, l);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Face const rule = face.kind == BoundaryKind::value ? Face::value(3) : face;
    Field const before(2, g_extent, 0.5);
    fill(v, before);
    parallel_for("flux", StencilPolicy<Exec, 2>().boundary(rules_of<2>(rule)).radius(1), Flux(), fields(density, level),
                 v);
    EXPECT_TRUE(is_functor_backend());
    Call const call = functor_call(2, g_extent, 1, rule);
    Ghosts const levels(call, exactly);
    expect_equal(values_of(v), expected_of(call, d, before, [&](Extents const& i, auto const& read) {
                   return read({{0, 0, 0}}) * levels.read(l, i, {{1, 0, 0}}) -
                          read({{-1, 0, 0}}) * levels.read(l, i, {{0, -1, 0}});
                 }));
  }
}

TYPED_TEST(FunctorFields, TwoInputs) {
  check_flux<TypeParam, Kokkos::LayoutRight, Kokkos::LayoutRight>();
  check_flux<TypeParam, Kokkos::LayoutLeft, Kokkos::LayoutRight>();
  check_flux<TypeParam, Kokkos::LayoutRight, Kokkos::LayoutLeft>();
}

struct Gradient {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& n, double& along, float& across) const {
    along  = n(1, 0) - n(-1, 0);
    across = static_cast<float>(n(0, 1) - n(0, -1));
  }
};

TYPED_TEST(FunctorFields, TwoOutputs) {
  SpaceView<TypeParam, double**> const u("u", 11, 13), along("along", 11, 13);
  SpaceView<TypeParam, float**> const across("across", 11, 13);
  Field const input = filled(2, g_extent, Data::integer, 3, exactly);
  fill(u, input);
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    Field const before(2, g_extent, 0.5);
    fill(along, before);
    fill(across, before);
    parallel_for("gradient", StencilPolicy<TypeParam, 2>().boundary(rules_of<2>(face)).radius(1), Gradient(), fields(u),
                 fields(along, across));
    EXPECT_TRUE(is_functor_backend());
    Call const call = functor_call(2, g_extent, 1, face);
    expect_equal(values_of(along), expected_of(call, input, before, [](Extents const&, auto const& read) {
                   return read({{1, 0, 0}}) - read({{-1, 0, 0}});
                 }));
    expect_equal(values_of(across), expected_of(call, input, before, [](Extents const&, auto const& read) {
                   return read({{0, 1, 0}}) - read({{0, -1, 0}});
                 }));
  }
}

TYPED_TEST(FunctorFields, Misuse) {
  SpaceView<TypeParam, double**> const u("u", 11, 13), w("w", 11, 12), along("along", 11, 13);
  SpaceView<TypeParam, float**> const across("across", 11, 13);
  auto const policy = StencilPolicy<TypeParam, 2>().radius(1);
  EXPECT_ERROR(parallel_for("flux", policy, Flux(), fields(u, w), along), "\"flux\"", "11 x 12", "11 x 13");
  EXPECT_ERROR(parallel_for("flux", policy, Flux(), fields(u, along), along), "\"flux\"", "overlap");
  // Two outputs in one place.
  SpaceView<TypeParam, float**, Kokkos::LayoutRight> const alias(reinterpret_cast<float*>(along.data()), 11, 13);
  EXPECT_ERROR(parallel_for("gradient", policy, Gradient(), fields(u), fields(along, alias)), "\"gradient\"",
               "outputs 0 and 1", "overlap");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
