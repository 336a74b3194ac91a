// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>

// Which kernel for CUDA one sweep takes by itself, by the number of points; and that its values are those of one point
// a thread.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorChoice : testing::Test {};
TYPED_TEST_SUITE(FunctorChoice, FunctorSpaces, SpaceNames);

/// Reads as far as it may along the slowest axis.
template <int Rank, int R>
struct Reads {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u) const {
    if constexpr (Rank == 2) {
      return 2 * u(-R, 0) - u(R, 0) + 3 * u(0, -1) + u(0, 1);
    } else {
      return 2 * u(-R, 0, 0) - u(R, 0, 0) + 3 * u(0, -1, 0) + u(0, 0, 1);
    }
  }
};
/// The kernel that a cube of n points along each axis takes.
template <class Exec, int Rank, int R, class T>
std::string chosen(std::size_t n) {
  using View = SpaceView<Exec, DataOf<Rank, T>>;
  std::array<std::size_t, 3> const extents{{n, n, n}};
  View const u = make<View>("u", extents), v = make<View>("v", extents), w = make<View>("w", extents);
  scatter(u, 1);
  auto const policy = StencilPolicy<Exec, Rank>().boundary(Boundary<Rank>::periodic());
  parallel_for("reads", policy, Reads<Rank, R>(), reach<R>(u), v);
  std::string const backend = last_backend();
  parallel_for("reads", policy.backend("generic"), Reads<Rank, R>(), reach<R>(u), w);
  EXPECT_EQ(different(v, w), 0) << backend << ", " << n;
  return backend;
}

TYPED_TEST(FunctorChoice, ByTheNumberOfPoints) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same<TypeParam, Kokkos::Cuda>::value) {
    auto const threads = static_cast<double>(TypeParam().concurrency());
    // The extent of a square or cube of so many points for each thread.
    auto const extent = [&](int rank, double share) {
      return static_cast<std::size_t>(std::pow(share * threads, 1.0 / rank)) / 4 * 4;
    };
    EXPECT_EQ((chosen<TypeParam, 2, 1, float>(64)), "functor_points");
    EXPECT_EQ((chosen<TypeParam, 2, 1, float>(extent(2, 0.45))), "functor_points");
    EXPECT_EQ((chosen<TypeParam, 2, 1, float>(extent(2, 0.6))), "functor_direct");
    EXPECT_EQ((chosen<TypeParam, 2, 1, double>(extent(2, 0.9))), "functor_points");
    EXPECT_EQ((chosen<TypeParam, 2, 1, double>(extent(2, 1.2))), "functor_direct");
    EXPECT_EQ((chosen<TypeParam, 3, 1, float>(extent(3, 0.45))), "functor_points");
    EXPECT_EQ((chosen<TypeParam, 3, 1, float>(extent(3, 0.7))), "functor_streaming");
    EXPECT_EQ((chosen<TypeParam, 3, 4, float>(extent(3, 0.7))), "functor_streaming");
    EXPECT_EQ((chosen<TypeParam, 3, 4, float>(extent(3, 2.6))), volume_backend<TypeParam>(4));
    return;
  }
#endif
  EXPECT_EQ((chosen<TypeParam, 2, 1, float>(64)), "generic");
  EXPECT_EQ((chosen<TypeParam, 3, 4, double>(20)), "generic");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
