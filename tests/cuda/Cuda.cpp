// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

// What only CUDA has: streams, and launches that return before the device is done. Graphs: Plans.cpp.

#ifndef KOKKOS_ENABLE_CUDA

TEST(Cuda, StreamsAndAsynchrony) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

#include "Streams.hpp"

namespace KokkosStencil {
namespace Test {
namespace {

using View     = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using CudaPlan = Plan<Kokkos::Cuda, 2, View, View>;
using Policy   = StencilPolicy<Kokkos::Cuda, 2>;

constexpr int g_rows = 67, g_columns = 131;

Stencil<float, 2> shift() { return Stencil<float, 2>{{{0, 1}, 1.0f}}; }

View field(char const* name, float scale) {
  View const view(name, g_rows, g_columns);
  auto const host = Kokkos::create_mirror_view(view);
  for (int i = 0; i < g_rows; ++i) {
    for (int j = 0; j < g_columns; ++j) host(i, j) = scale * static_cast<float>((i * 5 + j) % 97);
  }
  Kokkos::deep_copy(view, host);
  return view;
}

/// Whether `view` is the field of that scale, moved by `steps` columns around the View.
void expect_shifted(View const& view, float scale, int steps) {
  auto const host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(host, view);
  int wrong = 0;
  for (int i = 0; i < g_rows; ++i) {
    for (int j = 0; j < g_columns; ++j) {
      wrong += host(i, j) != scale * static_cast<float>((i * 5 + (j + steps) % g_columns) % 97);
    }
  }
  EXPECT_EQ(wrong, 0) << "of " << g_rows * g_columns << " points";
}

struct Neighbour {
  KOKKOS_FUNCTION float operator()(Neighborhood<View> const& n) const { return n(0, 1); }
};

using Space = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::CudaSpace>;

/// Of four fields: more than 512 bytes with the Views and the faces.
struct SumOfFour {
  using N = Neighborhood<Space>;
  KOKKOS_FUNCTION double operator()(N const& a, N const& b, N const& c, N const& d) const {
    return a(0, 0, 1) + b(0, 1, 0) + c(1, 0, 0) + d(0, 0, 0);
  }
};

struct Cuda : testing::Test {
  cudaStream_t stream = nullptr;
  void SetUp() override { check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  void TearDown() override {
    Kokkos::fence();
    check(cudaStreamDestroy(stream));
  }
};

TEST_F(Cuda, RunsOnTheStreamOfTheInstance) {
  View u = field("u", 1.0f), v = field("v", 0.0f), w = field("w", 0.0f), x = field("x", 0.0f);
  {
    Kokkos::Cuda const instance(stream);
    Policy const policy = Policy(instance).boundary(Boundary<2>::periodic());
    parallel_for("stream", policy, shift(), u, v);
    EXPECT_FALSE(last_backend().empty());
    parallel_for("stream", policy.radius(1), Neighbour(), v, w);
    EXPECT_TRUE(last_backend() == "functor_points" || last_backend() == "generic") << last_backend();
    CudaPlan const plan("stream", policy, shift(), w, x);
    plan.run(w, x);
    EXPECT_EQ(last_backend(), plan.backend());
    check(cudaStreamSynchronize(stream));
  }
  expect_shifted(v, 1.0f, 1);
  expect_shifted(w, 1.0f, 2);
  expect_shifted(x, 1.0f, 3);
}

TEST_F(Cuda, TwoStreamsDoNotMix) {
  cudaStream_t other = nullptr;
  check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  View a = field("a", 1.0f), b = field("b", 0.0f), c = field("c", 2.0f), d = field("d", 0.0f);
  {
    Kokkos::Cuda const first(stream), second(other);
    auto const rules = Boundary<2>::periodic();
    for (int k = 0; k < 50; ++k) {
      iterate("first", Policy(first).boundary(rules), shift(), 4, a, b);
      iterate("second", Policy(second).boundary(rules), shift(), 3, c, d);
    }
    EXPECT_FALSE(last_backend().empty());
    check(cudaStreamSynchronize(stream));
    check(cudaStreamSynchronize(other));
  }
  expect_shifted(a, 1.0f, 200);
  expect_shifted(c, 2.0f, 150);
  check(cudaStreamDestroy(other));
}

TEST_F(Cuda, RunReturnsBeforeTheDeviceIsDone) {
  View u = field("u", 1.0f), v = field("v", 0.0f);
  Kokkos::Cuda const instance(stream);
  Policy const policy = Policy(instance).boundary(Boundary<2>::periodic());
  CudaPlan const plan("asynchronous", policy, shift(), u, v);
  // Once before: what is built, and kernels that the driver loads, may wait for the device.
  auto const everything = [&](std::vector<cudaError_t>& still_busy, cudaEvent_t event) {
    plan.run(u, v);
    EXPECT_EQ(last_backend(), plan.backend());
    still_busy.push_back(cudaEventQuery(event));
    plan.run(u, v, 2);
    still_busy.push_back(cudaEventQuery(event));
    parallel_for("asynchronous", policy, shift(), u, v);
    still_busy.push_back(cudaEventQuery(event));
    iterate("asynchronous", policy, shift(), 2, u, v);
    still_busy.push_back(cudaEventQuery(event));
    parallel_for("asynchronous", policy.radius(1), Neighbour(), u, v);
    still_busy.push_back(cudaEventQuery(event));
  };
  cudaEvent_t waited = nullptr;
  check(cudaEventCreateWithFlags(&waited, cudaEventDisableTiming));
  std::vector<cudaError_t> before, during;
  everything(before, waited);
  check(cudaStreamSynchronize(stream));

  int* flag = nullptr;
  check(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  *flag       = 0;
  int* mapped = nullptr;
  check(cudaHostGetDevicePointer(&mapped, flag, 0));
  wait_for<<<1, 1, 0, stream>>>(mapped);
  check(cudaEventRecord(waited, stream));
  everything(during, waited);
  *const_cast<int volatile*>(flag) = 1;
  check(cudaStreamSynchronize(stream));
  // Behind a fence the waiting kernel would have run out of patience.
  EXPECT_EQ(during, std::vector<cudaError_t>(during.size(), cudaErrorNotReady));
  check(cudaEventDestroy(waited));
  check(cudaFreeHost(flag));
  expect_shifted(u, 1.0f, 8);
}

TEST_F(Cuda, FunctorsOfManyFieldsTravelAsArguments) {
  // Through a buffer in constant memory a launch would wait for the one before, and a graph would copy from a buffer
  // that others have written to by then.
  std::vector<Space> fields_of_four;
  for (double const value : {1.0, 2.0, 3.0, 4.0}) {
    fields_of_four.emplace_back("field", 20, 30, 40);
    Kokkos::deep_copy(fields_of_four.back(), value);
  }
  Space const& a = fields_of_four[0];
  Space const &b = fields_of_four[1], &c = fields_of_four[2], &d = fields_of_four[3];
  Space const v("v", 20, 30, 40), w("w", 20, 30, 40);
  HeldStream held;
  auto const policy = StencilPolicy<Kokkos::Cuda, 3>(Kokkos::Cuda(held.get())).boundary(Boundary<3>::edge()).radius(1);
  // Once before: what the first launch of a kernel takes.
  parallel_for("four", policy, SumOfFour(), fields(a, b, c, d), v);
  held.wait();

  held.hold();
  parallel_for("four", policy, SumOfFour(), fields(a, b, c, d), v);
  parallel_for("four", policy, SumOfFour(), fields(a, b, c, v), w);
  EXPECT_TRUE(held.held()) << "a launch waited for the one before";
  held.release();
  held.wait();

  cudaGraph_t graph          = nullptr;
  cudaGraphExec_t replayable = nullptr;
  check(cudaStreamBeginCapture(held.get(), cudaStreamCaptureModeGlobal));
  parallel_for("four", policy, SumOfFour(), fields(a, b, c, v), w);
  check(cudaStreamEndCapture(held.get(), &graph));
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 1u) << "more than a kernel";
  check(cudaGraphInstantiate(&replayable, graph, 0));
  // The same kernel with other fields before the graph runs.
  parallel_for("four", policy, SumOfFour(), fields(d, d, d, d), v);
  check(cudaGraphLaunch(replayable, held.get()));
  held.wait();
  auto const host = Kokkos::create_mirror_view(w);
  Kokkos::deep_copy(host, w);
  EXPECT_EQ(host(7, 8, 9), 1.0 + 2.0 + 3.0 + 16.0);
  check(cudaGraphExecDestroy(replayable));
  check(cudaGraphDestroy(graph));
}

TEST_F(Cuda, RunAllocatesNothing) {
  View u = field("u", 1.0f), v = field("v", 0.0f);
  Kokkos::Cuda const instance(stream);
  std::size_t before = 0, after = 1, total = 0;
  // Other processes on the GPU may allocate meanwhile, but hardly each time. A plan of its own for each round: what
  // only the first run allocates would be missed in a second one.
  for (int round = 0; round < 5 && before != after; ++round) {
    CudaPlan const plan("memory", Policy(instance).boundary(Boundary<2>::mirror()), shift(), u, v);
    plan.run(u, v);
    check(cudaDeviceSynchronize());
    check(cudaMemGetInfo(&before, &total));
    for (int k = 0; k < 1000; ++k) plan.run(u, v);
    plan.run(u, v, 1000);
    EXPECT_EQ(last_backend(), plan.backend());
    check(cudaDeviceSynchronize());
    check(cudaMemGetInfo(&after, &total));
  }
  EXPECT_EQ(before, after);
}

TEST_F(Cuda, AnErrorFromBeforeStopsNothing) {
  View u = field("u", 1.0f), v = field("v", 0.0f);
  Kokkos::Cuda const instance(stream);
  int tried = 0;
  for (std::string const& backend : backend_names()) {
    if (backend.rfind("cuda_", 0) != 0) continue;
    SCOPED_TRACE(backend);
    try {
      CudaPlan const plan("after an error", Policy(instance).backend(backend), shift(), u, v);
      ++tried;
      int* block = nullptr;
      ASSERT_EQ(cudaMalloc(&block, std::size_t(1) << 60), cudaErrorMemoryAllocation);
      plan.run(u, v);
      plan.run(u, v, 2);
      EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation) << "the error is the caller's to take back";
      check(cudaStreamSynchronize(stream));
    } catch (Error const&) {
      // A backend that cannot run this problem.
    }
  }
  if (tried == 0) GTEST_SKIP() << "no CUDA backend runs this problem here";
}

__global__ void write_to(int* place) { *place = 1; }

/// Ends the process with status 0 after the text of the error that a run throws.
void run_after_a_fault() {
  View u = field("u", 1.0f), v = field("v", 0.0f);
  CudaPlan const plan("after a fault", Policy().backend("cuda_direct"), shift(), u, v);
  write_to<<<1, 1>>>(nullptr);
  cudaDeviceSynchronize();
  try {
    plan.run(u, v);
  } catch (std::runtime_error const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::_Exit(0);
  }
  std::_Exit(1);
}

TEST(CudaDeathTest, AnErrorThatLastsIsNamed) {
  auto const names = backend_names();
  if (std::find(names.begin(), names.end(), "cuda_direct") == names.end()) GTEST_SKIP() << "built without cuda_direct";
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(run_after_a_fault(), testing::ExitedWithCode(0), "an earlier kernel.*cudaErrorIllegalAddress .700.");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
