// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>

// Planes by functor_ring, whose rows the GPU copies by itself from multiples of 16 bytes, wherever they begin: the
// values of generic. Integers, so that results are exact.

namespace KokkosStencil {
namespace Test {
namespace {

#ifdef KOKKOS_ENABLE_CUDA

using Exec = Kokkos::Cuda;

bool rings_exist() { return volume_backend<Exec>(3) == "functor_ring"; }

/// Reads two fields around the point, as far as it may in all directions, and one at the point; adds to what is there.
template <int R>
struct Far {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& u, N const& k, N const& b, T& v) const {
    v += 2 * u(-R, 0) - u(R, 0) + 3 * u(0, -R) + u(0, R) - 4 * u(0, 0) + u(-R, R) - 2 * u(R, -R) + k(0, 1) * b(0, 0) -
         k(1, 0);
  }
};
/// The same as a value, with results.
template <int R>
struct FarSums {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, N const& k, double& sum, double& most) const {
    auto const v = 2 * u(-R, 0) - u(R, 0) + 3 * u(0, -R) + u(0, R) + u(R, R) + k(0, 0);
    sum += static_cast<double>(v * u(0, 0));
    most = v > most ? static_cast<double>(v) : most;
    return v;
  }
};

template <class T, class Layout, int R>
void check(std::array<std::size_t, 3> const& n) {
  using View = SpaceView<Exec, T**, Layout>;
  SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + ", radius " + std::to_string(R));
  View const u = make<View>("u", n, true), k = make<View>("k", n, true), b = make<View>("b", n, true);
  View const v = make<View>("v", n, true), w = make<View>("w", n, true);
  scatter(u, 1);
  scatter(k, 2);
  scatter(b, 3);
  auto const in = fields(reach<R>(u), reach<1>(k), b);
  for (Boundary<2> const& rules : plane_rules()) {
    auto const policy = StencilPolicy<Exec, 2>().boundary(rules);
    scatter(v, 4);
    scatter(w, 4);
    parallel_for("far", policy.backend("functor_ring"), Far<R>(), in, v);
    EXPECT_EQ(last_backend(), "functor_ring");
    parallel_for("far", policy.backend("generic"), Far<R>(), in, w);
    EXPECT_EQ(different(v, w), 0);

    double sum = 1, expected = 2, most = 3, expected_most = 4;
    parallel_reduce("sums", policy.backend("functor_ring"), FarSums<R>(), fields(reach<R>(u), b), v,
                    Kokkos::Sum<double>(sum), Kokkos::Max<double>(most));
    EXPECT_EQ(last_backend(), "functor_ring");
    parallel_reduce("sums", policy.backend("generic"), FarSums<R>(), fields(reach<R>(u), b), w,
                    Kokkos::Sum<double>(expected), Kokkos::Max<double>(expected_most));
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(most, expected_most);
    EXPECT_EQ(different(v, w), 0);
  }
  // A part of the points, and the last rows and columns.
  auto const part = StencilPolicy<Exec, 2>({n[0] / 5, n[1] / 6}, {n[0] - R, n[1] - R});
  scatter(v, 5);
  scatter(w, 5);
  parallel_for("part", part.backend("functor_ring"), Far<R>(), in, v);
  EXPECT_EQ(last_backend(), "functor_ring");
  parallel_for("part", part.backend("generic"), Far<R>(), in, w);
  EXPECT_EQ(different(v, w), 0);
}

TEST(FunctorRowRings, LikeGeneric) {
  if (!rings_exist()) GTEST_SKIP() << "this GPU, or the code for it, has no copies of its own";
  // Several strips, the last of a few points, and rows that are no multiple of those of a strip.
  check<float, Kokkos::LayoutRight, 2>({{97, 1301, 1}});
  check<float, Kokkos::LayoutLeft, 3>({{2077, 61, 1}});
  check<float, Kokkos::LayoutStride, 4>({{83, 1029, 1}});
  check<double, Kokkos::LayoutRight, 3>({{97, 1033, 1}});
  check<double, Kokkos::LayoutLeft, 4>({{519, 70, 1}});
  check<double, Kokkos::LayoutStride, 2>({{50, 733, 1}});
}

/// Every place at which rows may begin, by the extent and by where the Views do.
TEST(FunctorRowRings, RowsThatBeginAnywhere) {
  if (!rings_exist()) GTEST_SKIP() << "this GPU, or the code for it, has no copies of its own";
  using Memory = Kokkos::View<float*, Kokkos::CudaSpace>;
  using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace, Kokkos::MemoryUnmanaged>;
  for (std::size_t columns = 1028; columns < 1032; ++columns) {
    for (std::size_t first = 0; first < 4; ++first) {
      constexpr std::size_t rows = 40;
      SCOPED_TRACE(std::to_string(columns) + " columns, from value " + std::to_string(first));
      // No value before and behind what is allocated.
      std::size_t const size = first + rows * columns;
      Memory const from("from", size), at("at", size), to("to", size), other("other", size);
      View const u(from.data() + first, rows, columns), k(from.data() + first, rows, columns),
          b(at.data() + first, rows, columns), v(to.data() + first, rows, columns),
          w(other.data() + first, rows, columns);
      scatter(u, 6);
      scatter(b, 7);
      StencilPolicy<Exec, 2> const policy;
      parallel_for("far", policy.backend("functor_ring"), Far<3>(), fields(reach<3>(u), reach<1>(k), b), v);
      EXPECT_EQ(last_backend(), "functor_ring");
      parallel_for("far", policy.backend("generic"), Far<3>(), fields(reach<3>(u), reach<1>(k), b), w);
      EXPECT_EQ(different(v, w), 0);
    }
  }
}

/// What the library takes by itself on many points.
TEST(FunctorRowRings, Chosen) {
  if (!rings_exist()) GTEST_SKIP() << "this GPU, or the code for it, has no copies of its own";
  auto const chosen = [](std::size_t rows, std::size_t columns) {
    using View = SpaceView<Exec, double**>;
    View const u("u", rows, columns), k("k", rows, columns), b("b", rows, columns), v("v", rows, columns);
    parallel_for("far", StencilPolicy<Exec, 2>(), Far<4>(), fields(reach<4>(u), reach<1>(k), b), v);
    return last_backend();
  };
  EXPECT_EQ(chosen(4099, 4099), "functor_ring");
  EXPECT_EQ(chosen(4099, 4100), "functor_direct");  // rows of whole vectors
  EXPECT_EQ(chosen(100, 4099), "functor_direct");   // few strips
}

#else

TEST(FunctorRowRings, LikeGeneric) { GTEST_SKIP() << "needs CUDA"; }

#endif

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
