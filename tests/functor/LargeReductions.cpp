// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IterateTest.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>

// Reductions over so many points that warps leave what they find in memory. Integers, so that sums are exact in any
// order.

namespace KokkosStencil {
namespace Test {
namespace {

template <class Exec>
struct FunctorLargeReductions : testing::Test {};
TYPED_TEST_SUITE(FunctorLargeReductions, FunctorSpaces, SpaceNames);

/// Results of three types, by three reducers.
template <int Rank>
struct Three {
  template <class N, class T>
  KOKKOS_FUNCTION void operator()(N const& u, T& v, double& dot, std::int64_t& positive, T& most) const {
    v = Sum<Rank>::of(u);
    dot += static_cast<double>(v * Sum<Rank>::at(u));
    if (v > 0) ++positive;
    most = v > most ? v : most;
  }
};
template <int Rank>
struct One {
  template <class N>
  KOKKOS_FUNCTION auto operator()(N const& u, double& sum) const {
    auto const v = Sum<Rank>::of(u);
    sum += static_cast<double>(v);
    return v;
  }
};

template <class Result>
double on_host(Result const& result) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result)();
}

template <class Exec, int Rank>
std::string expected_backend() {
  std::string const volume = volume_backend<Exec>(1);
  return Rank == 3 || volume == "generic" ? volume : "functor_direct";
}

template <class Exec, class T, class Layout, int Rank>
void check(std::array<std::size_t, 3> const& n) {
  using View   = SpaceView<Exec, std::conditional_t<Rank == 2, T**, T***>, Layout>;
  using Result = Kokkos::View<double, typename Exec::memory_space>;
  SCOPED_TRACE(std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]));
  View const u = make<View>("u", n), v = make<View>("v", n), w = make<View>("w", n);
  Result const sum("sum"), sum_expected("sum");
  scatter(u, 5);
  for (Boundary<Rank> const& rules : {Boundary<Rank>::halo(), Boundary<Rank>::mirror()}) {
    StencilPolicy<Exec, Rank> const policy = StencilPolicy<Exec, Rank>().boundary(rules);
    double dot = 1, dot_expected = 2;
    std::int64_t positive = 1, positive_expected = 2;
    T most = 1, most_expected = 2;
    parallel_reduce("three", policy.backend("generic"), Three<Rank>(), reach<1>(u), w, dot_expected, positive_expected,
                    Kokkos::Max<T>(most_expected));
    // The memory of the first is that of the second.
    for (int run = 0; run < 2; ++run) {
      parallel_reduce("three", policy, Three<Rank>(), reach<1>(u), v, dot, positive, Kokkos::Max<T>(most));
      EXPECT_EQ(last_backend(), (expected_backend<Exec, Rank>()));
      EXPECT_EQ(dot, dot_expected);
      EXPECT_EQ(positive, positive_expected);
      EXPECT_EQ(most, most_expected);
      EXPECT_EQ(different(v, w), 0);
    }
    parallel_reduce("one", policy.backend("generic"), One<Rank>(), reach<1>(u), w, sum_expected);
    parallel_reduce("one", policy, One<Rank>(), reach<1>(u), v, sum);
    EXPECT_EQ(on_host(sum), on_host(sum_expected));
  }
}

TYPED_TEST(FunctorLargeReductions, ManyBlocks) {
  check<TypeParam, float, Kokkos::LayoutRight, 2>({{1601, 1403, 1}});
  check<TypeParam, double, Kokkos::LayoutLeft, 2>({{1404, 1200, 1}});
  check<TypeParam, float, Kokkos::LayoutRight, 3>({{131, 170, 192}});
  check<TypeParam, double, Kokkos::LayoutLeft, 3>({{122, 170, 131}});
}

#ifdef KOKKOS_ENABLE_CUDA
/// A graph does not keep what may be gone when it is replayed.
TEST(FunctorLargeReductions, Captured) {
  using View          = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Result        = Kokkos::View<double, Kokkos::CudaSpace>;
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    Kokkos::Cuda const space(stream);
    View const u("u", 1500, 1208), v("v", 1500, 1208);
    Result const sum("sum");
    scatter(u, 7);
    StencilPolicy<Kokkos::Cuda, 2> const policy(space);
    auto const run = [&] { parallel_reduce("one", policy, One<2>(), reach<1>(u), v, sum); };
    run();
    space.fence();
    double const expected      = on_host(sum);
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t replayable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    run();
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&replayable, graph, 0), cudaSuccess);
    // A larger field, which needs more memory for what its warps find.
    View const large("large", 5000, 6000), out("out", 5000, 6000);
    double total = 0;
    parallel_reduce("one", policy, One<2>(), reach<1>(large), out, total);
    EXPECT_EQ(total, 0);
    for (int replay = 0; replay < 2; ++replay) {
      Kokkos::deep_copy(sum, -1.0);
      ASSERT_EQ(cudaGraphLaunch(replayable, stream), cudaSuccess);
      ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
      EXPECT_EQ(on_host(sum), expected) << "replay " << replay;
    }
    EXPECT_EQ(cudaGraphExecDestroy(replayable), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

/// Streams do not share what their warps find.
TEST(FunctorLargeReductions, TwoStreams) {
  using View              = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Result            = Kokkos::View<double, Kokkos::CudaSpace>;
  cudaStream_t streams[2] = {};
  for (cudaStream_t& stream : streams) ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    Kokkos::Cuda const spaces[2] = {Kokkos::Cuda(streams[0]), Kokkos::Cuda(streams[1])};
    View u[2], v[2];
    Result sum[2], expected[2];
    for (int k = 0; k < 2; ++k) {
      u[k]        = View("u", 2048, 2100);
      v[k]        = View("v", 2048, 2100);
      sum[k]      = Result("sum");
      expected[k] = Result("sum");
      scatter(u[k], 11 + k);
      parallel_reduce("one", StencilPolicy<Kokkos::Cuda, 2>().backend("generic"), One<2>(), reach<1>(u[k]), v[k],
                      expected[k]);
    }
    Kokkos::fence();
    for (int round = 0; round < 20; ++round) {
      for (int k = 0; k < 2; ++k) {
        parallel_reduce("one", StencilPolicy<Kokkos::Cuda, 2>(spaces[k]), One<2>(), reach<1>(u[k]), v[k], sum[k]);
      }
      for (int k = 0; k < 2; ++k) {
        spaces[k].fence();
        EXPECT_EQ(on_host(sum[k]), on_host(expected[k])) << "round " << round;
      }
    }
  }
  for (cudaStream_t const stream : streams) EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}
#endif

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
