// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <string>
#include <type_traits>
#include <vector>

// One sweep on rows of any length, which begin anywhere and end within what a thread, a warp or a block takes: the
// kernels that the library takes against a point a thread. Integers, so that sums are exact in any order.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorAnywhere : testing::Test {};
TYPED_TEST_SUITE(FunctorAnywhere, FunctorSpaces, SpaceNames);

/// A star of a radius along all axes.
template <int Rank, int Radius, class N>
KOKKOS_FORCEINLINE_FUNCTION auto star_of(N const& u) {
  if constexpr (Rank == 2) {
    auto sum = u(0, 0);
    for (int d = 1; d <= Radius; ++d) sum += u(-d, 0) - u(d, 0) + u(0, -d) + u(0, d);
    return sum;
  } else {
    auto sum = u(0, 0, 0);
    for (int d = 1; d <= Radius; ++d)
      sum += u(-d, 0, 0) - u(d, 0, 0) + u(0, -d, 0) - u(0, d, 0) + u(0, 0, -d) + u(0, 0, d);
    return sum;
  }
}
template <int Rank, int Radius>
struct Star {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    return star_of<Rank, Radius>(u);
  }
};
/// The same, whatever neighbourhood is given: the only type that a lambda can name.
template <class View, int Radius>
struct NamedStar {
  KOKKOS_FUNCTION auto operator()(Neighborhood<View> const& u) const { return star_of<int(View::rank), Radius>(u); }
};
/// Two outputs by reference, one of them updated.
template <int Rank, int Radius>
struct Update2 {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, T& v, T& w) const {
    v += star_of<Rank, Radius>(u) + T(u.index(Rank - 1) % 3);
    w = star_of<Rank, 1>(k) - v;
  }
};
/// The same with what it adds up to.
template <int Rank, int Radius>
struct Summed {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& k, double& sum, double& most) const {
    auto const v = star_of<Rank, Radius>(u) - star_of<Rank, 1>(k);
    sum += static_cast<double>(v);
    most = static_cast<double>(v) > most ? static_cast<double>(v) : most;
    return v;
  }
};

template <class View>
View field(char const* name, std::array<std::size_t, 3> const& n, int seed) {
  auto const view = make<View>(name, n);
  scatter(view, seed);
  return view;
}

/// What a sweep must run on, if anything is certain.
template <class Exec, int Rank>
void expect_cells([[maybe_unused]] int reach) {
#ifdef KOKKOS_ENABLE_CUDA
  if (std::is_same<Exec, Kokkos::Cuda>::value) {
    EXPECT_EQ(last_backend(), Rank == 3 ? volume_backend<Exec>(reach) : "functor_direct");
  }
#endif
}

template <class Exec, int Rank, int Radius, class T>
void check(std::array<std::size_t, 3> const& n, Boundary<Rank> const& rules) {
  using View = SpaceView<Exec, std::conditional_t<Rank == 2, T**, T***>>;
  SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]) + ", radius " +
               std::to_string(Radius));
  auto const rule   = StencilPolicy<Exec, Rank>().boundary(rules);
  auto const policy = as_for_many(rule, Radius), single = rule.backend("generic");
  View const u = field<View>("u", n, 1), k = field<View>("k", n, 2);
  View const v = field<View>("v", n, 3), w = field<View>("w", n, 4), x = field<View>("x", n, 3),
             y = field<View>("y", n, 4);

  parallel_for("star", policy, Star<Rank, Radius>(), reach<Radius>(u), v);
  expect_cells<Exec, Rank>(Radius);
  parallel_for("star", single, Star<Rank, Radius>(), reach<Radius>(u), x);
  EXPECT_EQ(different(v, x), 0) << "returned";
  scatter(v, 3);
  parallel_for("named", policy, NamedStar<View, Radius>(), reach<Radius>(u), v);
  expect_cells<Exec, Rank>(Radius);
  EXPECT_EQ(different(v, x), 0) << "by a functor that names the type";

  auto const both = fields(reach<Radius>(u), reach<1>(k));
  parallel_for("update", policy, Update2<Rank, Radius>(), both, fields(v, w));
  expect_cells<Exec, Rank>(Radius);
  parallel_for("update", single, Update2<Rank, Radius>(), both, fields(x, y));
  EXPECT_EQ(different(v, x), 0) << "updated";
  EXPECT_EQ(different(w, y), 0) << "beside what is updated";

  double sum[2] = {0, 0}, most[2] = {0, 0};
  parallel_reduce("summed", as_for_many(rule, 1), Summed<Rank, Radius>(), both, v, Kokkos::Sum<double>(sum[0]),
                  Kokkos::Max<double>(most[0]));
  expect_cells<Exec, Rank>(1);
  parallel_reduce("summed", single, Summed<Rank, Radius>(), both, x, Kokkos::Sum<double>(sum[1]),
                  Kokkos::Max<double>(most[1]));
  EXPECT_EQ(different(v, x), 0) << "with sums";
  EXPECT_EQ(sum[0], sum[1]);
  EXPECT_EQ(most[0], most[1]);
}

/// From no point past the last warp to all but one; rows of two values together and of single ones.
TYPED_TEST(FunctorAnywhere, Planes) {
  for (std::size_t const columns : {130u, 131u, 158u, 159u, 257u, 258u, 383u}) {
    for (Boundary<2> const& rules : {Boundary<2>::halo(), Boundary<2>::periodic(), Boundary<2>::mirror()}) {
      check<TypeParam, 2, 1, float>({{61, columns, 1}}, rules);
      check<TypeParam, 2, 4, float>({{61, columns, 1}}, rules);
      check<TypeParam, 2, 1, double>({{61, columns, 1}}, rules);
    }
  }
}

TYPED_TEST(FunctorAnywhere, Volumes) {
  for (std::size_t const columns : {66u, 67u, 129u, 159u, 257u}) {
    for (Boundary<3> const& rules : {Boundary<3>::halo(), Boundary<3>::periodic(), Boundary<3>::value(2)}) {
      check<TypeParam, 3, 1, float>({{29, 31, columns}}, rules);
      check<TypeParam, 3, 3, float>({{29, 31, columns}}, rules);
      check<TypeParam, 3, 1, double>({{29, 31, columns}}, rules);
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
