// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <string>

// Functors that read all that lies around a point, corners too, in loops: which the compiler is told to unroll, or
// which it may leave as they are. The kernels that the library takes against a point a thread. Integers, so that sums
// are exact in any order.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorLoops : testing::Test {};
TYPED_TEST_SUITE(FunctorLoops, FunctorSpaces, SpaceNames);

/// A weight of its own for each offset.
template <int Rank, int R>
struct Unrolled {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    typename N::value_type sum = 0;
    if constexpr (Rank == 2) {
      KOKKOSSTENCIL_UNROLL
      for (int i = -R; i <= R; ++i) {
        KOKKOSSTENCIL_UNROLL
        for (int j = -R; j <= R; ++j) sum += static_cast<typename N::value_type>(i * 5 + j) * u(i, j);
      }
    } else {
      KOKKOSSTENCIL_UNROLL
      for (int i = -R; i <= R; ++i) {
        KOKKOSSTENCIL_UNROLL
        for (int j = -R; j <= R; ++j) {
          KOKKOSSTENCIL_UNROLL
          for (int k = -R; k <= R; ++k) sum += static_cast<typename N::value_type>(i * 9 + j * 3 + k) * u(i, j, k);
        }
      }
    }
    return sum;
  }
};
/// The same in loops that end where only the program knows.
template <int Rank, int R>
struct Rolled {
  int last;
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    typename N::value_type sum = 0;
    for (int i = -last; i <= last; ++i) {
      for (int j = -last; j <= last; ++j) {
        if constexpr (Rank == 2) {
          sum += static_cast<typename N::value_type>(i * 5 + j) * u(i, j);
        } else {
          for (int k = -last; k <= last; ++k)
            sum += static_cast<typename N::value_type>(i * 9 + j * 3 + k) * u(i, j, k);
        }
      }
    }
    return sum;
  }
};
/// Added to the output, by a functor that names the type.
template <class View, int R>
struct Added {
  KOKKOS_FUNCTION void operator()(Neighborhood<View> const& u, typename View::value_type& out) const {
    out += Unrolled<int(View::rank), R>()(u) - static_cast<typename View::value_type>(u.index(0) % 3);
  }
};

template <class Exec, int Rank, int R, class T, class Layout>
void check(std::array<std::size_t, 3> const& n, Boundary<Rank> const& rules) {
  using View = SpaceView<Exec, DataOf<Rank, T>, Layout>;
  SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]));
  auto const rule   = StencilPolicy<Exec, Rank>().boundary(rules);
  auto const policy = as_for_many(rule, R), single = rule.backend("generic");
  View const u = make<View>("u", n), v = make<View>("v", n), w = make<View>("w", n);
  auto const start = [&] {
    scatter(v, 3);
    scatter(w, 3);
  };
  scatter(u, 1);
  start();
  parallel_for("rolled", single, Rolled<Rank, R>{R}, reach<R>(u), w);
  parallel_for("unrolled", policy, Unrolled<Rank, R>(), reach<R>(u), v);
  EXPECT_EQ(different(v, w), 0) << "unrolled, by " << last_backend();
  scatter(v, 3);
  parallel_for("rolled", policy, Rolled<Rank, R>{R}, reach<R>(u), v);
  EXPECT_EQ(different(v, w), 0) << "rolled, by " << last_backend();
  start();
  parallel_for("added", single, Added<View, R>(), reach<R>(u), w);
  parallel_for("added", policy, Added<View, R>(), reach<R>(u), v);
  EXPECT_EQ(different(v, w), 0) << "added, by " << last_backend();
}

template <int Rank, class Check>
void with_rules(Check const& check_one) {
  for (Face const& face : all_faces()) {
    SCOPED_TRACE(to_string(face.kind));
    check_one(rules_of<Rank>(face));
  }
}

TYPED_TEST(FunctorLoops, Volumes) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  with_rules<3>([](Boundary<3> const& rules) {
    check<TypeParam, 3, 1, float, Right>({{29, 31, 128}}, rules);
    check<TypeParam, 3, 1, float, Right>({{14, 9, 268}}, rules);
    check<TypeParam, 3, 1, float, Right>({{14, 9, 66}}, rules);
    check<TypeParam, 3, 1, double, Right>({{14, 17, 70}}, rules);
    check<TypeParam, 3, 1, double, Right>({{14, 17, 71}}, rules);
    check<TypeParam, 3, 1, double, Left>({{132, 9, 27}}, rules);
    check<TypeParam, 3, 1, float, Left>({{68, 33, 11}}, rules);
  });
}

TYPED_TEST(FunctorLoops, Planes) {
  with_rules<2>([](Boundary<2> const& rules) {
    check<TypeParam, 2, 1, float, Kokkos::LayoutRight>({{61, 132, 1}}, rules);
    check<TypeParam, 2, 2, float, Kokkos::LayoutRight>({{61, 133, 1}}, rules);
    check<TypeParam, 2, 2, double, Kokkos::LayoutLeft>({{130, 61, 1}}, rules);
  });
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
