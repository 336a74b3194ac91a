// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include "Streams.hpp"

#include <cuda/common/Device.hpp>
#include <cuda/direct/Direct.hpp>
#include <cuda/direct/Plan.hpp>
#include <model/GridProblem.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

// What Plan::run promises, backend by backend, each on a problem that it surely runs: any stream, no wait, no
// allocation and no copy to or from the host, capture into a graph, labels for Kokkos Tools.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;
using Half = Kokkos::Experimental::half_t;

std::function<void()> g_on_launch;
std::string g_allocations;

void count_launch(char const* name, std::uint32_t, std::uint64_t*) {
  if (std::strcmp(name, "promises") == 0 && g_on_launch) g_on_launch();
}
void note_allocation(Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t bytes) {
  // For teams without scratch memory Kokkos reports an allocation of nothing.
  if (bytes > 0) g_allocations += std::string(label) + " ";
}

struct Nothing {
  KOKKOS_FUNCTION void operator()(int) const {}
};

/// Calls `action` for every launch with the label "promises" for the length of a scope.
class Launches {
 public:
  explicit Launches(std::function<void()> const& action) {
    g_on_launch = action;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_launch);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(count_launch);
  }
  ~Launches() {
    g_on_launch = nullptr;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    Kokkos::Tools::Experimental::set_begin_parallel_reduce_callback(nullptr);
  }
  Launches(Launches const&)            = delete;
  Launches& operator=(Launches const&) = delete;
};

template <class T>
using Coefficient = std::conditional_t<std::is_same<T, double>::value, double, float>;

template <class T, int Rank>
class Promises {
  using Data = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;
  using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Flat = Kokkos::View<T*, Kokkos::CudaSpace>;
  using Host = Kokkos::View<T*, Kokkos::HostSpace>;
  using Made = Plan<Exec, Rank, View, View>;

 public:
  using Policy = StencilPolicy<Exec, Rank>;

  Promises(std::string const& backend, Stencil<Coefficient<T>, Rank> const& stencil,
           std::array<std::size_t, 3> const& extent, std::int64_t steps)
      : m_backend(backend), m_stencil(stencil), m_steps(steps) {
    Kokkos::LayoutRight const layout = Rank == 1   ? Kokkos::LayoutRight(extent[0])
                                       : Rank == 2 ? Kokkos::LayoutRight(extent[0], extent[1])
                                                   : Kokkos::LayoutRight(extent[0], extent[1], extent[2]);
    m_u                              = View("u", layout);
    m_v                              = View("v", layout);
    m_start                          = Host("start", m_u.span());
    unsigned random                  = 1;
    for (std::size_t i = 0; i < m_start.extent(0); ++i) {
      random     = 1664525u * random + 1013904223u;
      m_start(i) = static_cast<T>(static_cast<float>(random >> 16) / 65536.0f);
    }
  }

  /// Expects fewer launches than steps, those that copy ghost values included.
  Promises& fused() {
    m_fused = true;
    return *this;
  }
  void keeps() const {
    keeps(Policy(), "halo");
    keeps(Policy().boundary(Boundary<Rank>::periodic()), "periodic");
  }

  void keeps(Policy const& policy, std::string const& faces) const {
    SCOPED_TRACE(m_backend + ", " + std::to_string(Rank) + "-D, " + faces);
    Made const usual("promises", Policy(policy).backend(m_backend), m_stencil, m_u, m_v);
    ASSERT_EQ(usual.backend(), m_backend);
    ASSERT_EQ(usual.backend(m_steps), m_backend);
    reset();
    run(usual);
    Kokkos::fence();
    std::vector<T> const expected = bits();
    ASSERT_FALSE(unchanged(expected));

    HeldStream stream;
    Made const plan("promises", on(policy, Exec(stream.get())).backend(m_backend), m_stencil, m_u, m_v);
    ASSERT_EQ(plan.backend(), m_backend);
    first_run(plan, stream, expected);
    busy_run(plan, stream, expected);
    captured_run(plan, stream, expected);
  }

 private:
  static Policy on(Policy const& policy, Exec const& instance) {
    Boundary<Rank> rules;
    for (int a = 0; a < Rank; ++a) {
      auto const& face = policy.impl_info().faces[static_cast<std::size_t>(a)];
      rules            = rules.lower(a, face[0]).upper(a, face[1]);
    }
    return Policy(instance).boundary(rules);
  }

  /// Two sweeps, and many.
  void run(Made const& plan) const {
    plan.run(m_u, m_v);
    plan.run(m_v, m_u);
    View u = m_u, v = m_v;
    plan.run(u, v, m_steps);
  }

  void reset() const {
    Flat const u(m_u.data(), m_u.span()), v(m_v.data(), m_v.span());
    Kokkos::deep_copy(u, m_start);
    Kokkos::deep_copy(v, m_start);
    Kokkos::fence();
  }

  std::vector<T> bits() const {
    std::size_t const size = m_u.span();
    std::vector<T> all(2 * size);
    check(cudaMemcpy(all.data(), m_u.data(), size * sizeof(T), cudaMemcpyDeviceToHost));
    check(cudaMemcpy(all.data() + size, m_v.data(), size * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }
  static bool same(std::vector<T> const& a, std::vector<T> const& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  }
  bool unchanged(std::vector<T> const& all) const {
    std::size_t const size = m_start.extent(0);
    return std::memcmp(all.data(), m_start.data(), size * sizeof(T)) == 0 &&
           std::memcmp(all.data() + size, m_start.data(), size * sizeof(T)) == 0;
  }

  /// On a stream, with labels and without allocations.
  void first_run(Made const& plan, HeldStream const& stream, std::vector<T> const& expected) const {
    reset();
    int one = 0, many = 0;
    g_allocations.clear();
    Kokkos::Tools::Experimental::set_allocate_data_callback(note_allocation);
    {
      Launches const launches([&] { ++one; });
      plan.run(m_u, m_v);
      plan.run(m_v, m_u);
    }
    EXPECT_GE(one, 2) << "the label of a sweep";
    {
      Launches const launches([&] { ++many; });
      View u = m_u, v = m_v;
      plan.run(u, v, m_steps);
    }
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    EXPECT_EQ(g_allocations, "");
    EXPECT_EQ(last_backend(), m_backend);
    EXPECT_GE(many, 1) << "the label of many sweeps";
    if (m_fused) {
      EXPECT_LT(many, m_steps) << "no deep pass";
    }
    stream.wait();
    EXPECT_TRUE(same(bits(), expected)) << "on a stream";
  }

  /// Behind work that does not end before the host says so.
  void busy_run(Made const& plan, HeldStream& stream, std::vector<T> const& expected) const {
    reset();
    stream.hold();
    run(plan);
    EXPECT_TRUE(stream.held()) << "run waited for the device";
    stream.release();
    stream.wait();
    EXPECT_TRUE(same(bits(), expected)) << "behind other work";
  }

  /// Allocations, copies and waits make a capture fail or show in the graph.
  void captured_run(Made const& plan, HeldStream const& stream, std::vector<T> const& expected) const {
    reset();
    cudaGraph_t graph          = nullptr;
    cudaGraphExec_t replayable = nullptr;
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
    run(plan);
    check(cudaStreamEndCapture(stream.get(), &graph));
    ASSERT_NE(graph, nullptr);
    EXPECT_EQ(plan.backend(), m_backend);
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count));
    EXPECT_GE(count, 3u);
    for (cudaGraphNode_t const node : nodes) {
      cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
      check(cudaGraphNodeGetType(node, &type));
      EXPECT_EQ(type, cudaGraphNodeTypeKernel);
    }
    check(cudaGraphInstantiate(&replayable, graph, 0));
    EXPECT_TRUE(unchanged(bits())) << "the capture itself moved something";
    for (int replay = 0; replay < 2; ++replay) {
      reset();
      check(cudaGraphLaunch(replayable, stream.get()));
      stream.wait();
      EXPECT_TRUE(same(bits(), expected)) << "replay " << replay;
    }
    check(cudaGraphExecDestroy(replayable));
    check(cudaGraphDestroy(graph));
  }

  std::string m_backend;
  Stencil<Coefficient<T>, Rank> m_stencil;
  std::int64_t m_steps;
  bool m_fused = false;
  View m_u, m_v;
  Host m_start;
};

/// Weights that are exact in half, or not; sums of at most 1, so that no state grows.
template <class C, int Rank>
Stencil<C, Rank> weighted_box(int radius, bool exact) {
  std::size_t count = 1;
  for (int a = 0; a < Rank; ++a) count *= static_cast<std::size_t>(2 * radius + 1);
  std::vector<C> weights(count);
  C const scale = exact ? C(1) / C(256) : C(0.3) / static_cast<C>(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = static_cast<C>(i * 7 % 3 + 1) * scale;
  return box<Rank>(radius, weights);
}

struct Plans : testing::Test {
  void SetUp() override {
    int launches = 0;
    {
      Launches const counted([&] { ++launches; });
      Kokkos::parallel_for("promises", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1), Nothing());
    }
    if (launches == 0) GTEST_SKIP() << "this Kokkos does not call its tools";
  }

  static Cuda::Direct::Algorithm way(Problem const& p) {
    return Cuda::Direct::plan_sweep(p, Cuda::device_model(Impl::SpaceTraits<Exec>::info(Exec()).device)).algorithm;
  }
  static Problem problem(std::vector<KokkosStencil::Term> const& terms, std::array<std::int64_t, 3> const& extent) {
    return Model::grid_problem(terms, extent[2] > 1 ? 3 : 2, extent, ValueType::float32, Accuracy::native, 1);
  }
};

TEST_F(Plans, Generic) { Promises<float, 2>("generic", star<2>(1, {0.5f, 0.125f}), {67, 131, 1}, 4).keeps(); }

TEST_F(Plans, DirectByShape) {
  EXPECT_EQ(way(problem(Model::star(2, 1), {{1000, 2048, 1}})), Cuda::Direct::Algorithm::shape);
  Promises<float, 2>("cuda_direct", star<2>(1, {0.5f, 0.125f}), {1000, 2048, 1}, 3).keeps();
  EXPECT_EQ(way(problem(Model::box(3, 1), {{64, 128, 256}})), Cuda::Direct::Algorithm::shape);
  Promises<float, 3>("cuda_direct", weighted_box<float, 3>(1, false), {64, 128, 256}, 3).keeps();
}

TEST_F(Plans, DirectByTaps) {
  Stencil<float, 2> const far{{{-9, -7}, 0.25f}, {{0, 0}, 0.25f}, {{3, 11}, 0.125f}, {{8, -2}, 0.125f}};
  EXPECT_EQ(way(problem({{{{-9, -7, 0}}, 0.25}, {{{0, 0, 0}}, 0.25}, {{{3, 11, 0}}, 0.125}, {{{8, -2, 0}}, 0.125}},
                        {{1024, 2048, 1}})),
            Cuda::Direct::Algorithm::taps);
  Promises<float, 2>("cuda_direct", far, {1024, 2048, 1}, 3).keeps();
}

TEST_F(Plans, DirectByPoints) {
  EXPECT_EQ(way(problem(Model::star(2, 1), {{40, 61, 1}})), Cuda::Direct::Algorithm::points);
  Promises<float, 2> const small("cuda_direct", star<2>(1, {0.5f, 0.125f}), {40, 61, 1}, 3);
  small.keeps();
  small.keeps(StencilPolicy<Exec, 2>().boundary(Boundary<2>::mirror()), "mirror");
}

TEST_F(Plans, Temporal) {
  Promises<float, 1>("cuda_temporal", star<1>(1, {0.5f, 0.25f}), {1 << 20, 1, 1}, 40).fused().keeps();
  Promises<float, 2>("cuda_temporal", star<2>(1, {0.5f, 0.125f}), {1000, 2048, 1}, 17).fused().keeps();
  Promises<float, 3>("cuda_temporal", star<3>(1, {0.25f, 0.125f}), {128, 192, 320}, 17).fused().keeps();
}

TEST_F(Plans, Resident) {
  Promises<float, 2>("cuda_resident", star<2>(1, {0.5f, 0.125f}), {300, 416, 1}, 57).fused().keeps();
  Promises<double, 2>("cuda_resident", weighted_box<double, 2>(1, false), {67, 131, 1}, 40).fused().keeps();
  Promises<float, 3>("cuda_resident", star<3>(1, {0.25f, 0.125f}), {60, 50, 60}, 40).fused().keeps();
  Promises<double, 3>("cuda_resident", star<3>(1, {0.25, 0.125}), {60, 50, 60}, 17).fused().keeps();
}

TEST_F(Plans, SparseTensor) {
  Promises<Half, 1>("cuda_sparse_tensor", star<1>(1, {0.5f, 0.25f}), {1 << 20, 1, 1}, 8).fused().keeps();
  Promises<Half, 2>("cuda_sparse_tensor", star<2>(1, {0.5f, 0.125f}), {1001, 1000, 1}, 14).fused().keeps();
  Promises<Half, 2>("cuda_sparse_tensor", weighted_box<float, 2>(4, false), {301, 520, 1}, 2).keeps();
  Promises<Half, 3>("cuda_sparse_tensor", star<3>(1, {0.25f, 0.125f}), {40, 61, 128}, 3).keeps();
}

TEST_F(Plans, SparseTable) {
  Stencil<float, 2> const gaps{{{-2, -3}, 0.3f}, {{0, 0}, 0.2f}, {{1, 2}, 0.1f}, {{2, -1}, 0.2f}};
  Promises<Half, 2>("cuda_sparse_table", gaps, {301, 520, 1}, 3).keeps();
  Promises<Half, 3>("cuda_sparse_table", weighted_box<float, 3>(2, false), {40, 61, 128}, 3).keeps();
}

TEST_F(Plans, DenseTensor) {
  Promises<float, 2>("cuda_tensor_float", weighted_box<float, 2>(3, false), {301, 520, 1}, 3).keeps();
  Promises<double, 2>("cuda_tensor_double", weighted_box<double, 2>(3, false), {301, 520, 1}, 3).keeps();
}

/// cuda_direct that says when it enqueues a sweep; not there for other tests. (Kokkos fences around its callbacks.)
class Counted : public Backend {
 public:
  static std::function<void()>& on_sweep() {
    static std::function<void()> action;
    return action;
  }
  std::string name() const override { return "test_counted"; }
  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    return on_sweep() ? m_backend->can_run(p, space) : Status::cannot("for one test");
  }
  double predict(Problem const& p, SpaceInfo const& space) const override { return m_backend->predict(p, space); }
  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<Ready>(m_backend->prepare(p, space, launch));
  }

 private:
  class Ready : public Executable {
   public:
    explicit Ready(std::unique_ptr<Executable> ready) : m_ready(std::move(ready)) {}
    void sweep(Launch const& launch, void const* in, void* out) const override {
      m_ready->sweep(launch, in, out);
      on_sweep()();
    }

   private:
    std::unique_ptr<Executable> m_ready;
  };
  std::unique_ptr<Backend const> m_backend = Cuda::Direct::make_backend();
};

TEST(PlansUntil, SweepsDoNotWaitForChecks) {
  register_backend(std::make_unique<Counted const>());
  using View = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  View u("u", 301, 520), v("v", 301, 520);
  HeldStream stream;
  constexpr int every = 10, checks = 3;
  auto const policy  = StencilPolicy<Exec, 2>(Exec(stream.get())).backend("test_counted");
  auto const stencil = star<2>(1, {0.5f, 0.0625f});
  int sweeps = 0, held = 0;
  Counted::on_sweep() = [] {};
  // Once before: kernels that the driver loads, and what a check takes, may wait for the device.
  iterate_until("until", policy, stencil, StoppingCriterion{0.0, every, every}, u, v);
  Kokkos::deep_copy(u, 1.0f);
  stream.hold();
  Counted::on_sweep() = [&] {
    ++sweeps;
    // The first sweep after a check is enqueued before its result is there; after the last check there is none.
    if ((sweeps % every == 1 && sweeps > 1) || sweeps == checks * every) {
      held += stream.held() ? 1 : 0;
      stream.release();
    } else if (sweeps % every == 2 && sweeps > every) {
      stream.hold();
    }
  };
  UntilResult const result =
      iterate_until("until", policy, stencil, StoppingCriterion{0.0, checks * every, every}, u, v);
  Counted::on_sweep() = nullptr;
  EXPECT_EQ(last_backend(), "test_counted");
  EXPECT_EQ(result.steps, checks * every);
  EXPECT_EQ(sweeps, checks * every);
  EXPECT_EQ(held, checks) << "a sweep between two checks, or the first after one, waited for the device";
}

/// Between Views of different strides handles change places after an odd number of sweeps, and the next call goes back.
TEST(PlansBothWays, AsBetweenViewsOfOneStride) {
  using Flat                 = Kokkos::View<float*, Kokkos::CudaSpace>;
  using Host                 = Kokkos::View<float*, Kokkos::HostSpace>;
  using Strided              = Kokkos::View<float**, Kokkos::LayoutStride, Kokkos::CudaSpace>;
  using Plain                = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  constexpr std::size_t rows = 67, columns = 212, pitch[] = {212, 237};
  auto const stencil  = star<2>(1, {0.5f, 0.125f});
  Flat const memory[] = {Flat("first", rows * pitch[0]), Flat("second", rows * pitch[1])};
  Host const start("start", rows * columns);
  for (std::size_t i = 0; i < rows * columns; ++i)
    start(i) = static_cast<float>((i * 2654435761u >> 7) % 1024u) / 1024.0f;
  for (std::string const& backend : {std::string("generic"), std::string("cuda_direct")}) {
    for (Boundary<2> const& faces : {Boundary<2>(), Boundary<2>::periodic()}) {
      SCOPED_TRACE(backend);
      Strided u(memory[0].data(), Kokkos::LayoutStride(rows, pitch[0], columns, 1));
      Strided v(memory[1].data(), Kokkos::LayoutStride(rows, pitch[1], columns, 1));
      Plain a("a", rows, columns), b("b", rows, columns);
      Flat const all(a.data(), rows * columns);
      Kokkos::deep_copy(all, start);
      Kokkos::deep_copy(memory[0], start);
      auto const policy = StencilPolicy<Exec, 2>().boundary(faces).accuracy(Accuracy::reproducible).backend(backend);
      Plan<Exec, 2, Strided, Strided> const plan("both ways", policy, stencil, u, v);
      for (int const steps : {1, 2, 3, 1}) {
        plan.run(u, v, steps);
        iterate("reference", policy, stencil, steps, a, b);
        Kokkos::fence();
        auto const newest   = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Flat(u.data(), u.span()));
        auto const expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Flat(a.data(), a.span()));
        int wrong           = 0;
        for (std::size_t y = 0; y < rows; ++y) {
          for (std::size_t x = 0; x < columns; ++x) {
            wrong += newest(y * u.stride(0) + x) == expected(y * columns + x) ? 0 : 1;
          }
        }
        EXPECT_EQ(wrong, 0) << steps << " steps";
      }
    }
  }
}

/// Threads whose calls share a plan, whose copies are its own: each sees only its own values.
TEST(PlansOfThreads, PaddedCopies) {
  using View              = Kokkos::View<Half***, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  using Host              = Kokkos::View<Half*, Kokkos::HostSpace>;
  constexpr std::size_t n = 205;
  constexpr int threads = 4, steps = 12, calls = 10;
  StencilPolicy<Exec, 3> const policy;
  auto const stencil = star<3>(1, {0.25, 0.125});
  std::vector<View> u, v;
  for (int t = 0; t < threads; ++t) {
    u.emplace_back("u", n, n, n);
    v.emplace_back("v", n, n, n);
    Kokkos::deep_copy(u.back(), static_cast<Half>(static_cast<float>(t + 1)));
    Kokkos::deep_copy(v.back(), static_cast<Half>(static_cast<float>(t + 1)));
  }
  std::string const text = Plan<Exec, 3, View, View>("threads", policy, stencil, u[0], v[0]).explain();
  if (text.find("padded copies") == std::string::npos) GTEST_SKIP() << "not on padded copies here: " << text;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int call = 0; call < calls; ++call) {
        iterate("threads", policy, stencil, steps, u[static_cast<std::size_t>(t)], v[static_cast<std::size_t>(t)]);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  Kokkos::fence();
  // The coefficients add up to 1, and all values are the thread's.
  for (int t = 0; t < threads; ++t) {
    Host const found("found", n * n * n);
    Kokkos::deep_copy(found, Kokkos::View<Half*, Kokkos::CudaSpace>(u[static_cast<std::size_t>(t)].data(), n * n * n));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
      wrong += static_cast<float>(found(i)) == static_cast<float>(t + 1) ? 0 : 1;
    EXPECT_EQ(wrong, 0u) << "thread " << t;
  }
}

/// Lines of which input and output begin at different places in 16 bytes. Around the output nothing is written.
template <class T>
class LinesApart : public ::testing::Test {};
template <class View>
int differences(View const& a, View const& b) {
  int count = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Exec>(0, static_cast<int>(a.size())),
      KOKKOS_LAMBDA(int i, int& sum) { sum += a(i) == b(i) ? 0 : 1; }, count);
  return count;
}
using ValueTypes = ::testing::Types<Half, Kokkos::Experimental::bhalf_t, float, double>;
TYPED_TEST_SUITE(LinesApart, ValueTypes);

TYPED_TEST(LinesApart, AsByGeneric) {
  using View              = Kokkos::View<TypeParam*, Exec>;
  constexpr std::size_t n = 20011, around = 32;
  constexpr int most_values = 16 / static_cast<int>(sizeof(TypeParam));
  View const from("from", n + 2 * around), to("to", n + 2 * around), reference("reference", n + 2 * around);
  auto const start = Kokkos::create_mirror_view(from);
  for (std::size_t i = 0; i < start.size(); ++i) {
    start(i) = static_cast<TypeParam>(static_cast<float>((i * 2654435761u >> 7) % 64u) / 64.0f);
  }
  Kokkos::deep_copy(from, start);
  setenv("KOKKOSSTENCIL_CUDA_DIRECT", "shape", 1);
  for (int const radius : {1, 3, 4, 7, 8}) {
    std::vector<double> coefficients;
    for (int i = 0; i <= radius; ++i) coefficients.push_back(1.0 / (2 << i));
    auto const stencil = star<1>(radius, coefficients);
    for (int phase = 0; phase < most_values * most_values; phase += radius == 1 ? 1 : 3) {
      SCOPED_TRACE("radius " + std::to_string(radius) + ", phase " + std::to_string(phase));
      auto const part = [&](View const& all, int at) {
        std::size_t const first = around + static_cast<std::size_t>(at);
        return View(all.data() + first, n);
      };
      auto const sweep = [&](View const& out, char const* backend) {
        Kokkos::deep_copy(out, static_cast<TypeParam>(7.0f));
        auto const policy = StencilPolicy<Exec, 1>().accuracy(Accuracy::reproducible).backend(backend);
        parallel_for("lines", policy, stencil, part(from, phase % most_values), part(out, phase / most_values));
      };
      sweep(to, "cuda_direct");
      sweep(reference, "generic");
      EXPECT_EQ(differences(to, reference), 0);
    }
  }
  unsetenv("KOKKOSSTENCIL_CUDA_DIRECT");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#else

TEST(Plans, OnAGpu) { GTEST_SKIP() << "built without CUDA"; }

#endif
