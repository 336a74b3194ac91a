// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Streams.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

// Plans whose first run in the process is captured into a graph: what the first launch of a kernel allocates, copies
// or loads must have happened before. ctest gives each of these tests a process of its own.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;
using Half = Kokkos::Experimental::half_t;

template <class T>
using Coefficient = std::conditional_t<std::is_same<T, double>::value, double, float>;

template <class T, int Rank>
void capture_first(std::string const& backend, Stencil<Coefficient<T>, Rank> const& stencil,
                   std::array<std::size_t, 3> const& extent, std::int64_t steps,
                   Boundary<Rank> const& rules = Boundary<Rank>()) {
  using Data                       = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;
  using View                       = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  Kokkos::LayoutRight const layout = Rank == 1   ? Kokkos::LayoutRight(extent[0])
                                     : Rank == 2 ? Kokkos::LayoutRight(extent[0], extent[1])
                                                 : Kokkos::LayoutRight(extent[0], extent[1], extent[2]);
  View const u("u", layout), v("v", layout);
  std::size_t const count = u.span();
  std::vector<T> start(count);
  for (std::size_t i = 0; i < count; ++i) start[i] = static_cast<T>(static_cast<float>(i % 97) / 64.0f);
  auto const reset = [&] {
    check(cudaMemcpy(u.data(), start.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    check(cudaMemcpy(v.data(), start.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  };
  auto const bits = [&] {
    std::vector<T> all(2 * count);
    check(cudaMemcpy(all.data(), u.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(all.data() + count, v.data(), count * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  };

  HeldStream const stream;
  Plan<Exec, Rank, View, View> const plan(
      "first capture", StencilPolicy<Exec, Rank>(Exec(stream.get())).boundary(rules).backend(backend), stencil, u, v);
  ASSERT_EQ(plan.backend(steps), backend);
  auto const run = [&] {
    plan.run(u, v);
    View a = v, b = u;
    plan.run(a, b, steps);
  };
  reset();
  cudaGraph_t graph          = nullptr;
  cudaGraphExec_t replayable = nullptr;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  EXPECT_NO_THROW(run());
  check(cudaStreamEndCapture(stream.get(), &graph));
  ASSERT_NE(graph, nullptr);
  check(cudaGraphInstantiate(&replayable, graph, 0));
  check(cudaGraphLaunch(replayable, stream.get()));
  stream.wait();
  std::vector<T> const captured = bits();
  check(cudaGraphExecDestroy(replayable));
  check(cudaGraphDestroy(graph));

  reset();
  run();
  stream.wait();
  std::vector<T> const expected = bits();
  EXPECT_EQ(std::memcmp(captured.data(), expected.data(), 2 * count * sizeof(T)), 0);
  EXPECT_NE(std::memcmp(expected.data(), start.data(), count * sizeof(T)), 0) << "nothing was computed";
}

TEST(FirstCapture, Generic) { capture_first<float, 2>("generic", star<2>(1, {0.5f, 0.125f}), {1000, 1031, 1}, 3); }

TEST(FirstCapture, GenericSmall) {
  capture_first<double, 1>("generic", star<1>(2, {0.5, 0.125, 0.125}), {99, 1, 1}, 3, Boundary<1>::mirror());
}

TEST(FirstCapture, GenericHalf) {
  capture_first<Half, 3>("generic", star<3>(1, {0.25f, 0.125f}), {40, 61, 128}, 3, Boundary<3>::periodic());
}

TEST(FirstCapture, GenericManyTerms) {
  // More terms than a team keeps in its own memory.
  capture_first<float, 2>("generic", box<2>(15, std::vector<float>(961, 1.0f / 1024.0f)), {500, 600, 1}, 2);
}

TEST(FirstCapture, SparseTensorWide) {
  // By wgmma where the GPU has that, pass after pass.
  capture_first<Half, 2>("cuda_sparse_tensor", star<2>(1, {0.5f, 0.125f}), {4100, 4096, 1}, 28);
}

TEST(FirstCapture, Direct) { capture_first<float, 2>("cuda_direct", star<2>(1, {0.5f, 0.125f}), {1000, 2048, 1}, 3); }

TEST(FirstCapture, DirectSmall) {
  capture_first<float, 2>("cuda_direct", star<2>(1, {0.5f, 0.125f}), {40, 61, 1}, 3, Boundary<2>::mirror());
}

TEST(FirstCapture, Temporal) {
  capture_first<float, 2>("cuda_temporal", star<2>(1, {0.5f, 0.125f}), {1000, 2048, 1}, 17);
}

TEST(FirstCapture, Resident) {
  capture_first<float, 2>("cuda_resident", star<2>(1, {0.5f, 0.125f}), {300, 416, 1}, 57);
}

TEST(FirstCapture, ResidentVolume) {
  capture_first<float, 3>("cuda_resident", star<3>(1, {0.25f, 0.125f}), {60, 50, 60}, 57);
}

TEST(FirstCapture, SparseTensor) {
  capture_first<Half, 2>("cuda_sparse_tensor", star<2>(1, {0.5f, 0.125f}), {1001, 1000, 1}, 14);
}

/// A rule that is code, on few points: single sweeps, or passes of several.
struct Relax {
  template <class N>
  KOKKOS_FUNCTION float operator()(N const& u) const {
    return 0.5f * u(0, 0) + 0.125f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1));
  }
};
void capture_functor(std::string const& backend, std::int64_t steps) {
  using View = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  View const u("u", 128, 256), v("v", 128, 256);
  std::size_t const bytes = u.span() * sizeof(float);
  std::vector<float> start(u.span()), results[2];
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = static_cast<float>(i % 97) / 64.0f;
  HeldStream const stream;
  auto const policy = StencilPolicy<Exec, 2>(Exec(stream.get())).backend(backend);
  for (bool const captured : {true, false}) {
    check(cudaMemcpy(u.data(), start.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemset(v.data(), 0, bytes));
    View a = u, b = v;
    auto const run = [&] { iterate("captured", policy, Relax(), steps, state<1>(a, b)); };
    if (captured) {
      cudaGraph_t graph          = nullptr;
      cudaGraphExec_t replayable = nullptr;
      check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
      EXPECT_NO_THROW(run());
      check(cudaStreamEndCapture(stream.get(), &graph));
      ASSERT_NE(graph, nullptr);
      check(cudaGraphInstantiate(&replayable, graph, 0));
      check(cudaGraphLaunch(replayable, stream.get()));
      stream.wait();
      check(cudaGraphExecDestroy(replayable));
      check(cudaGraphDestroy(graph));
    } else {
      run();
      stream.wait();
    }
    auto& result = results[captured ? 0 : 1];
    result.resize(start.size());
    check(cudaMemcpy(result.data(), a.data(), bytes, cudaMemcpyDeviceToHost));
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_NE(results[1], start) << "nothing was computed";
}

TEST(FirstCapture, Functor) { capture_functor("functor_direct", 5); }

TEST(FirstCapture, FunctorPasses) { capture_functor("functor_temporal", 17); }

TEST(FirstCapture, FunctorPatches) { capture_functor("functor_patches", 17); }

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
