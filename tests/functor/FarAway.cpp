// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctorTest.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Functors that read far away: their points near faces, which are all of them, look at the rules for each value, since
// copies of all that lies between would take too much time and memory.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorFarAway : testing::Test {};
TYPED_TEST_SUITE(FunctorFarAway, FunctorSpaces, SpaceNames);

struct SixPoints {
  int r;
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return n(0, 0, 0) + 2 * n(-r, 0, 0) + 3 * n(r, 0, 0) + 5 * n(0, -r, 0) + 7 * n(0, r, 0) + 11 * n(0, 0, -r) +
           13 * n(0, 0, r);
  }
};

TYPED_TEST(FunctorFarAway, Volumes) {
  Extents const extent{{7, 6, 9}};
  SpaceView<TypeParam, double***> const u("u", extent[0], extent[1], extent[2]),
      v("v", extent[0], extent[1], extent[2]);
  Field const input = filled(3, extent, Data::integer, 4, exactly), nines(3, extent, 9.0);
  fill(u, input);
  for (Face const& face : {Face::periodic(), Face::mirror(), Face::edge(), Face::value(3.0)}) {
    Boundary<3> rules;
    for (int axis = 0; axis < 3; ++axis) rules = rules.lower(axis, face).upper(axis, face);
    for (int const r : {1, 3, 9}) {
      SCOPED_TRACE(r);
      Call const call = functor_call(3, extent, r, face);
      fill(v, nines);
      parallel_for("far", StencilPolicy<TypeParam, 3>().boundary(rules).radius(r), SixPoints{r}, u, v);
      expect_equal(values_of(v), expected_of(call, input, nines, [r](Extents const&, auto const& read) {
                     return read({{0, 0, 0}}) + 2 * read({{-r, 0, 0}}) + 3 * read({{r, 0, 0}}) +
                            5 * read({{0, -r, 0}}) + 7 * read({{0, r, 0}}) + 11 * read({{0, 0, -r}}) +
                            13 * read({{0, 0, r}});
                   }));
    }
  }
}

TYPED_TEST(FunctorFarAway, ManyTimesTheExtent) {
  Extents const extent{{7, 6, 9}};
  SpaceView<TypeParam, double***> const u("u", extent[0], extent[1], extent[2]),
      v("v", extent[0], extent[1], extent[2]);
  Field const input = filled(3, extent, Data::integer, 4, exactly);
  fill(u, input);
  for (int const r : {40, 1000, 100000}) {
    SCOPED_TRACE(r);
    auto const policy = StencilPolicy<TypeParam, 3>().boundary(Boundary<3>::periodic()).radius(r);
    parallel_for("far", policy, SixPoints{r}, u, v);
    Field expected = input;
    expected.each([&](Extents const& i) {
      auto const read = [&](std::size_t axis, std::int64_t by) {
        Extents at = i;
        at[axis]   = ((i[axis] + by) % extent[axis] + extent[axis]) % extent[axis];
        return input(at);
      };
      expected(i) = input(i) + 2 * read(0, -r) + 3 * read(0, r) + 5 * read(1, -r) + 7 * read(1, r) + 11 * read(2, -r) +
                    13 * read(2, r);
    });
    expect_equal(values_of(v), expected);
  }
}

struct BothSides {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& n) const {
    return n(-40000) + 10 * n(40000);
  }
};

TYPED_TEST(FunctorFarAway, DeclaredReach) {
  constexpr std::size_t extent = 100000;
  using View                   = SpaceView<TypeParam, double*>;
  View const u("u", extent), v("v", extent);
  auto const host = Kokkos::create_mirror_view(u);
  for (std::size_t i = 0; i < extent; ++i) host(i) = static_cast<double>(i % 97);
  Kokkos::deep_copy(u, host);
  parallel_for("far", StencilPolicy<TypeParam, 1>().boundary(Boundary<1>::periodic()), BothSides{}, reach<40000>(u), v);
  auto const found  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < extent; ++i) {
    double const before = host((i + extent - 40000) % extent), behind = host((i + 40000) % extent);
    wrong += found(i) == before + 10 * behind ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(FunctorReach, SidesAreNoDistances) {
  using View = Kokkos::View<double*, Kokkos::HostSpace>;
  for (auto const& [before, behind] :
       std::vector<std::pair<int, int>>{{0, 0}, {1, 0}, {0, 1}, {32767, 0}, {7, 32767}}) {
    int const code = sides(before, behind);
    EXPECT_EQ(Impl::before_of(code), before);
    EXPECT_EQ(Impl::behind_of(code), behind);
  }
  EXPECT_EQ((Impl::FieldTraits<decltype(reach<32768>(View()))>::along(0)), 32768);
  EXPECT_EQ((Impl::FieldTraits<decltype(reach<sides(1, 0)>(View()))>::along(0)), 1);
  EXPECT_FALSE(Impl::is_distance(-1));
  EXPECT_FALSE(Impl::is_distance(-2));
}

/// A value that has to be given.
struct Given {
  double value;
  explicit constexpr Given(double v) : value(v) {}
};
struct AddNeighbours {
  template <class N>
  Given operator()(N const& n) const {
    return Given(n(-1).value + n(1).value);
  }
};

TEST(FunctorReach, ValuesThatHaveToBeGiven) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  using View = Kokkos::View<Given*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  std::vector<Given> in, out(5, Given(0.0));
  for (int i = 0; i < 5; ++i) in.emplace_back(i + 1.0);
  parallel_for("given", StencilPolicy<Host, 1>().boundary(Boundary<1>::periodic()).radius(1), AddNeighbours{},
               View(in.data(), in.size()), View(out.data(), out.size()));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(out[static_cast<std::size_t>(i)].value, (i + 4) % 5 + 1.0 + (i + 1) % 5 + 1.0);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
