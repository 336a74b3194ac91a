// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#ifdef KOKKOSSTENCIL_WITH_CUDA
#include "Streams.hpp"

#include <cuda/common/Device.hpp>
#include <cuda/common/UpdateNorm.hpp>
#include <cuda/direct/Direct.hpp>
#include <cuda/resident/Executable.hpp>
#include <cuda/resident/Plan.hpp>
#include <cuda/resident/VolumePlan.hpp>
#include <model/GridProblem.hpp>
#endif

#include <cuda.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Fields that stay on the chip: every kernel of cuda_resident, few blocks and many, whatever the plans would choose;
// and runs that meet, on streams and in graphs.

#ifndef KOKKOSSTENCIL_WITH_CUDA

TEST(Resident, OnAGpu) { GTEST_SKIP() << "no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Cuda::Resident::kernel_table;
using Cuda::Resident::volume_table;

DeviceModel device() {
  DeviceModel model        = *find_device(known_devices(), "H200");
  auto const& facts        = Cuda::device_facts(Kokkos::Cuda().cuda_device());
  model.compute_capability = facts.compute_capability;
  model.multiprocessors    = facts.sm_count;
  return model;
}

/// What makes and launches executables on a stream.
struct Maker {
  Kokkos::Cuda exec;
  std::string label                     = "resident";
  std::unique_ptr<Backend const> direct = Cuda::Direct::make_backend();

  Launch launch(cudaStream_t stream) const { return {label, &exec, stream}; }
  Launch launch() const { return launch(exec.cuda_stream()); }
  std::unique_ptr<Executable> single(Problem const& p) const {
    return direct->prepare(p, Impl::SpaceTraits<Kokkos::Cuda>::info(exec), launch());
  }
  template <class Plan>
  std::unique_ptr<Executable> resident(Problem const& p, Plan const& plan) const {
    return Cuda::Resident::make_executable(p, plan, exec.cuda_device(), launch(), single(p));
  }
};

class Random {
 public:
  double next() { return static_cast<double>((m_state = m_state * 1664525u + 1013904223u) >> 20) / 4096.0; }

 private:
  std::uint32_t m_state = 1;
};

using Axis = std::array<Face, 2>;

using Rules = std::array<Axis, 3>;

/// A field with these faces along z, y and x; `part`: with a range that begins and ends inside.
Problem field(std::vector<KokkosStencil::Term> const& terms, std::vector<std::int64_t> const& extents, ValueType type,
              Rules const& faces, bool part, std::int64_t steps) {
  std::size_t const rank = extents.size();
  std::array<std::int64_t, 3> all{{1, 1, 1}};
  std::copy(extents.begin(), extents.end(), all.begin());
  Problem p = Model::grid_problem(terms, static_cast<int>(rank), all, type, Accuracy::native, steps);
  for (std::size_t a = 3 - rank; a < 3; ++a) {
    p.faces[a]       = faces[a];
    bool const below = p.faces[a][0].kind == BoundaryKind::halo, above = p.faces[a][1].kind == BoundaryKind::halo;
    p.begin[a] = below ? -p.lower[a] : 0;
    p.end[a]   = p.extent[a] - (above ? p.upper[a] : 0);
    if (part && p.end[a] - p.begin[a] > 20) {
      p.begin[a] += 5 - static_cast<int>(a);
      p.end[a] -= 2;
    }
  }
  return p;
}

template <class T>
using Line = Kokkos::View<T*, Kokkos::CudaSpace>;

template <class T>
Line<T> filled_line(std::size_t size, Random& random) {
  Line<T> const line("line", size);
  auto const host = Kokkos::create_mirror_view(line);
  for (std::size_t i = 0; i < size; ++i) host(i) = static_cast<T>(random.next());
  Kokkos::deep_copy(line, host);
  return line;
}

template <class T>
std::vector<T> values(Line<T> const& line) {
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), line);
  return {host.data(), host.data() + host.size()};
}

/// Two runs, since the second finds what the first has left to others: bit for bit what single sweeps make.
template <class T, class Plan>
void expect_right_runs(Maker const& maker, Problem const& p, Plan const& plan, Random& random) {
  auto const size = static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]);
  Line<T> const a = filled_line<T>(size, random), b("b", size), u("u", size), v("v", size);
  for (auto const& each : {b, u, v}) Kokkos::deep_copy(each, a);
  auto const run = maker.resident(p, plan);
  ASSERT_EQ(run->pass(maker.launch(), u.data(), v.data(), p.steps), p.steps);
  ASSERT_EQ(run->pass(maker.launch(), v.data(), u.data(), p.steps + 1), p.steps + 1);
  void const* const newest = maker.single(p)->iterate(maker.launch(), a.data(), b.data(), 2 * p.steps + 1);
  maker.exec.fence();
  auto const got = values(u), want = values(newest == a.data() ? a : b);
  std::int64_t wrong = 0, at = -1;
  for (std::size_t i = 0; i < size; ++i) {
    if (got[i] == want[i]) continue;
    ++wrong;
    if (at < 0) at = static_cast<std::int64_t>(i);
  }
  std::int64_t const plane = p.extent[1] * p.extent[2];
  EXPECT_EQ(wrong, 0) << "the first at " << at / plane << ", " << at % plane / p.extent[2] << ", " << at % p.extent[2];
}

/// All sweeps and the change of the last one, in one launch.
template <class T, class Plan>
void expect_right_change(Maker const& maker, Problem const& p, Plan const& plan, bool finds, Random& random) {
  auto const size = static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]);
  Line<T> const a = filled_line<T>(size, random), b("b", size), u("u", size), v("v", size), w("w", size);
  for (auto const& each : {b, u, v, w}) Kokkos::deep_copy(each, a);
  auto const run = maker.resident(p, plan), single = maker.single(p);
  Cuda::UpdateNorm reducer(p, maker.exec.cuda_device());
  for (Norm const norm : {Norm::max, Norm::rms}) {
    bool const found = run->pass_with_norm(maker.launch(), u.data(), v.data(), p.steps, norm, reducer);
    EXPECT_EQ(found, finds && (norm == Norm::max || sizeof(T) < 8));
    if (!found) continue;
    double const got   = reducer.of_sweep(maker.launch(), norm, [] {});
    void* const before = single->iterate(maker.launch(), a.data(), b.data(), p.steps - 1);
    single->sweep(maker.launch(), before, w.data());
    double const want = reducer.between(maker.launch(), w.data(), before, true, norm, [] {});
    maker.exec.fence();
    EXPECT_EQ(values(v), values(w));
    EXPECT_GT(want, 0.0);
    // Sums in any order differ from each other by a factor of at most gamma_n each (Higham, 3.1).
    double const n = static_cast<double>(p.points() + 4);
    EXPECT_NEAR(got, want, norm == Norm::max ? 0.0 : want * n * std::numeric_limits<double>::epsilon());
    for (auto const& each : {a, b}) Kokkos::deep_copy(each, u);
  }
}

Axis const halo{{Face::halo(), Face::halo()}}, periodic{{Face::periodic(), Face::periodic()}},
    value{{Face::value(0.5), Face::value(2.0)}}, mirror{{Face::mirror(), Face::mirror()}},
    edge{{Face::edge(), Face::edge()}};

void set_random(std::vector<KokkosStencil::Term>& terms, Random& random) {
  for (KokkosStencil::Term& t : terms) {
    t.coefficient = static_cast<float>((random.next() - 0.25) / static_cast<double>(terms.size()));
  }
}

/// Every depth with another extent, faces and alignment.
template <class T>
void runs_of_each_kernel(ValueType type) {
  Maker const maker;
  Random random;
  std::vector<std::array<Axis, 2>> const rules{{{halo, halo}},     {{periodic, periodic}}, {{value, value}},
                                               {{periodic, halo}}, {{value, periodic}},    {{halo, value}}};
  std::vector<std::array<std::int64_t, 2>> const extents{{{300, 512}}, {{201, 333}}, {{600, 701}}, {{13, 11}},
                                                         {{64, 1500}}, {{997, 40}},  {{900, 1208}}};
  for (int kernel = 0; kernel < kernel_table(type).count; ++kernel) {
    auto const& k = kernel_table(type).rows[kernel];
    auto terms    = k.shape.star ? Model::star(2, k.shape.radius) : Model::box(2, k.shape.radius);
    set_random(terms, random);
    int runs = 0;
    for (std::size_t which = 0; which < 2 * rules.size() * extents.size(); which += 5) {
      auto const& extent = extents[which / 2 % extents.size()];
      auto const& rule   = rules[which % rules.size()];
      for (int const depth : {1, 2, 5, 8}) {
        int const steps = 3 * depth + 1 + static_cast<int>(which % 3);
        Problem const p =
            field(terms, {extent[0], extent[1]}, type, {{Axis{}, rule[0], rule[1]}}, which % 2 == 1, steps);
        Cuda::Resident::Plan const plan(p, device(), static_cast<std::size_t>(kernel), depth);
        if (!plan.unsupported_reason().empty()) continue;
        SCOPED_TRACE(std::to_string(terms.size()) + " terms, " + std::to_string(k.columns_per_lane) + "x" +
                     std::to_string(k.rows_per_warp) + ", depth " + std::to_string(depth) + ", case " +
                     std::to_string(which) + ", " + std::to_string(plan.blocks()) + " blocks");
        expect_right_runs<T>(maker, p, plan, random);
        if (runs % 4 == 0) expect_right_change<T>(maker, p, plan, k.finds_change(), random);
        ++runs;
      }
    }
    EXPECT_GT(runs, k.image ? 20 : 12);
  }
}

TEST(ResidentKernels, RunsOfEachKernel) {
  runs_of_each_kernel<float>(ValueType::float32);
  runs_of_each_kernel<double>(ValueType::float64);
}

/// Every arrangement of a block's bundles with many extents, faces, ranges and alignments.
template <class T>
void runs_of_each_volume(ValueType type) {
  Maker const maker;
  Random random;
  std::vector<Rules> const rules{
      {{halo, halo, halo}},       {{periodic, periodic, periodic}}, {{value, value, value}},
      {{mirror, mirror, mirror}}, {{edge, periodic, halo}},         {{periodic, mirror, value}},
      {{halo, value, periodic}},  {{value, edge, mirror}},          {{mirror, halo, edge}}};
  for (int kernel = 0; kernel < volume_table(type).count; ++kernel) {
    auto const& k = volume_table(type).rows[kernel];
    auto terms    = k.shape.star ? Model::star(3, 1) : Model::box(3, 1);
    set_random(terms, random);
    int const columns = k.columns_per_lane;
    std::vector<std::vector<std::int64_t>> const extents{
        {41, 37, 20 * columns}, {24, 45, 32 * columns}, {9, 8, 7 * columns}, {33, 20, 31 * columns - 1}, {12, 90, 5}};
    int runs = 0;
    for (std::size_t which = 0; which < 2 * rules.size() * extents.size(); ++which) {
      int const steps = 2 + static_cast<int>(which % 9);
      Problem p =
          field(terms, extents[which / 2 % extents.size()], type, rules[which % rules.size()], which % 2 == 1, steps);
      if (!k.shape.star) {
        // Constants that meet have to be the same.
        for (auto& axis : p.faces) axis[1].constant = axis[0].constant;
      }
      for (int along_z = 1; along_z <= k.warps; along_z *= 2) {
        if (k.warps % along_z != 0) continue;
        Cuda::Resident::VolumePlan const plan(p, device(), static_cast<std::size_t>(kernel), along_z);
        if (!plan.unsupported_reason().empty()) continue;
        SCOPED_TRACE(std::to_string(terms.size()) + " terms, " + std::to_string(columns) + "x" +
                     std::to_string(k.rows[0]) + "x" + std::to_string(k.rows[1]) + ", " + std::to_string(along_z) +
                     " bundles along z, case " + std::to_string(which) + ", " + std::to_string(plan.blocks()) +
                     " blocks");
        expect_right_runs<T>(maker, p, plan, random);
        if (runs % 4 == 0) expect_right_change<T>(maker, p, plan, k.finds_change(), random);
        ++runs;
      }
    }
    EXPECT_GT(runs, 100);
  }
}

TEST(ResidentKernels, RunsOfEachVolume) {
  runs_of_each_volume<float>(ValueType::float32);
  runs_of_each_volume<double>(ValueType::float64);
}

/// Forced through the public interface: mirrors and edges, any range, misaligned Views, short runs and long ones.
class Resident : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda" || runner().rank() == 1) GTEST_SKIP() << "planes and volumes on CUDA only";
    if (runner().value_type() != ValueType::float32 && runner().value_type() != ValueType::float64) {
      GTEST_SKIP() << "float and double only";
    }
  }

  void verify(Call s, std::int64_t steps) {
    Rounding const round = runner().coefficient_rounding(s);
    set_coefficients(s.terms, Data::random, 1, round);
    if (s.symmetric) make_symmetric(s.terms);
    make_bounded(s.terms, round);
    SCOPED_TRACE(runner().name() + ": " + s.text() + ", " + std::to_string(steps) + " steps");
    Field const start       = filled(s.rank, s.extent, Data::random, 1, runner().rounding());
    Expected const expected = reference(s, start, steps, tolerance(s, runner().value_type()), runner().rounding());
    Outcome const o         = runner().iterate(s, start, steps, "cuda_resident");
    EXPECT_EQ(o.backend, "cuda_resident");
    EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
    EXPECT_TRUE(within_contract(o.newest, expected, &start));
  }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Resident);

TEST_P(Resident, Planes) {
  if (runner().rank() != 2) GTEST_SKIP();
  for (int radius = 1; radius <= 4; ++radius) {
    for (bool star : {true, false}) {
      if (!star && radius > 2) continue;
      Call s      = call({{70, 304, 1}}, star ? star_offsets(2, radius) : box_offsets(2, radius));
      s.symmetric = true;
      for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75), Face::mirror()}) {
        verify(Call(s).face(face), 25);
      }
      if (radius == 1) verify(Call(s).face(Face::edge()), 12);
      verify(Call(s).range({{5, 20, 0}}, {{6, 299, 1}}), 9);
      s.symmetric = false;
      s.shift     = 1;
      verify(s.face(0, 0, Face::value(-0.5)).face(1, 1, Face::value(2.0)), 17);
      verify(s.face(Face::periodic()), 2);
    }
  }
}

TEST_P(Resident, Volumes) {
  if (runner().rank() != 3) GTEST_SKIP();
  for (bool star : {true, false}) {
    if (!star && runner().value_type() == ValueType::float64) continue;  // there is no kernel
    // Along x, which may be either end of a View's axes, whole vectors of any kernel.
    Call const s = call({{60, 36, 60}}, star ? star_offsets(3, 1) : box_offsets(3, 1));
    for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75), Face::mirror(), Face::edge()}) {
      verify(Call(s).face(face), 25);
    }
    verify(Call(s).range({{5, 7, 6}}, {{41, 30, 59}}), 9);
    Call shifted  = call({{45, 33, 57}}, star ? star_offsets(3, 1) : box_offsets(3, 1));
    shifted.shift = 1;
    verify(shifted, 17);
    verify(shifted.face(1, 0, Face::value(-0.5)), 2);
  }
}

TEST_P(Resident, SmallExtents) {
  if (runner().rank() != 2) GTEST_SKIP();
  for (std::int64_t rows : {3, 4, 9, 33}) {
    for (std::int64_t columns : {3, 7, 64, 130}) {
      Call s      = call({{rows, columns, 1}}, box_offsets(2, 1));
      s.symmetric = true;
      for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75), Face::mirror()}) {
        verify(Call(s).face(face), 37);
      }
    }
  }
}

/// Runs of one plan, for a plane or a volume, that meet: each finds what it would find alone.
class ResidentMeetings : public testing::TestWithParam<int> {
 protected:
  static constexpr int streams = 3, rounds = 3400;  // 10,000 runs and some

  void SetUp() override {
    int const rank = GetParam();
    auto terms     = Model::star(rank, 1);
    for (KokkosStencil::Term& t : terms) t.coefficient = static_cast<float>((m_random.next() + 0.1) / 8.0);
    std::vector<std::int64_t> const extents =
        rank == 2 ? std::vector<std::int64_t>{250, 310} : std::vector<std::int64_t>{50, 60, 60};
    m_problem = field(terms, extents, ValueType::float32, {{periodic, periodic, periodic}}, false, 20);
    m_size    = static_cast<std::size_t>(m_problem.points());
    if (rank == 2) {
      make(Cuda::Resident::Plan(m_problem, device()));
    } else {
      make(Cuda::Resident::VolumePlan(m_problem, device()));
    }
    if (m_run == nullptr) GTEST_SKIP() << "does not fit";
    for (int i = 0; i < streams; ++i) {
      check(cudaStreamCreateWithFlags(&m_stream[i], cudaStreamNonBlocking));
      m_in[i]  = filled_line<float>(m_size, m_random);
      m_out[i] = Line<float>("out", m_size);
      Line<float> const a("a", m_size), b("b", m_size);
      Kokkos::deep_copy(a, m_in[i]);
      void const* const newest = m_maker.single(m_problem)->iterate(m_maker.launch(), a.data(), b.data(), steps(i));
      m_maker.exec.fence();
      m_expected[i] = values(newest == a.data() ? a : b);
    }
  }
  void TearDown() override {
    Kokkos::fence();
    for (cudaStream_t const stream : m_stream) {
      if (stream != nullptr) check(cudaStreamDestroy(stream));
    }
  }

  template <class Plan>
  void make(Plan const& plan) {
    if (!plan.unsupported_reason().empty()) return;
    EXPECT_GT(plan.blocks(), 1);
    m_run = m_maker.resident(m_problem, plan);
  }

  static int steps(int i) { return 23 + 7 * i; }
  void run(int i, cudaStream_t stream) const {
    EXPECT_EQ(m_run->pass(m_maker.launch(stream), m_in[i].data(), m_out[i].data(), steps(i)), steps(i));
  }
  void expect_right() const {
    check(cudaDeviceSynchronize());
    for (int i = 0; i < streams; ++i) {
      EXPECT_EQ(values(m_out[i]), m_expected[i]) << "stream " << i;
      Kokkos::deep_copy(m_out[i], -1.0f);
    }
    Kokkos::fence();
  }

  Maker m_maker;
  Random m_random;
  Problem m_problem;
  std::size_t m_size = 0;
  std::unique_ptr<Executable> m_run;
  std::array<cudaStream_t, streams> m_stream{};
  std::array<Line<float>, streams> m_in, m_out;
  std::array<std::vector<float>, streams> m_expected;
};

TEST_P(ResidentMeetings, OnStreams) {
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < streams; ++i) run(i, m_stream[i]);
  }
  expect_right();
}

INSTANTIATE_TEST_SUITE_P(Ranks, ResidentMeetings, testing::Values(2, 3));

/// Ends a capture and gives the graph, ready to be launched.
cudaGraphExec_t captured(cudaStream_t stream) {
  cudaGraph_t graph     = nullptr;
  cudaGraphExec_t ready = nullptr;
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&ready, graph, 0));
  check(cudaGraphDestroy(graph));
  return ready;
}

TEST_P(ResidentMeetings, InGraphs) {
  std::array<cudaGraphExec_t, streams> graphs{};
  for (int i = 0; i < streams; ++i) {
    check(cudaStreamBeginCapture(m_stream[i], cudaStreamCaptureModeThreadLocal));
    run(i, m_stream[i]);
    graphs[i] = captured(m_stream[i]);
  }
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < streams; ++i) check(cudaGraphLaunch(graphs[i], m_stream[i]));
  }
  expect_right();
  for (cudaGraphExec_t const graph : graphs) check(cudaGraphExecDestroy(graph));
}

TEST_P(ResidentMeetings, InBranchesOfAGraph) {
  cudaEvent_t fork = nullptr, join = nullptr;
  check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  check(cudaStreamBeginCapture(m_stream[0], cudaStreamCaptureModeThreadLocal));
  check(cudaEventRecord(fork, m_stream[0]));
  check(cudaStreamWaitEvent(m_stream[1], fork, 0));
  run(0, m_stream[0]);
  run(1, m_stream[1]);
  check(cudaEventRecord(join, m_stream[1]));
  check(cudaStreamWaitEvent(m_stream[0], join, 0));
  run(2, m_stream[0]);
  cudaGraphExec_t const graph = captured(m_stream[0]);
  for (int r = 0; r < rounds; ++r) check(cudaGraphLaunch(graph, m_stream[2]));
  expect_right();
  check(cudaGraphExecDestroy(graph));
  check(cudaEventDestroy(fork));
  check(cudaEventDestroy(join));
}

__global__ void be_busy(long long clocks) {
  long long const start = clock64();
  while (clock64() - start < clocks) {
  }
}

/// Beside kernels of higher priority, short and long, which take the places of some blocks or of all.
TEST_P(ResidentMeetings, BesideOthersOfHigherPriority) {
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t above = nullptr;
  check(cudaStreamCreateWithPriority(&above, cudaStreamNonBlocking, greatest));
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < streams; ++i) {
      int const what = static_cast<int>(4096.0 * m_random.next());
      be_busy<<<what % 16 == 0 ? 132 : 1 + what % 100, 32 << what % 6, 0, above>>>(2000 + 100 * (what % 200));
      run(i, m_stream[i]);
    }
  }
  expect_right();
  check(cudaStreamDestroy(above));
}

/// Streams of a part of the GPU, a green context.
class Partition {
 public:
  explicit Partition(unsigned multiprocessors) {
    CUdevResource whole{}, rest{};
    CUdevResourceDesc description{};
    unsigned groups      = 1;
    auto* const resource = entry<decltype(&cuDeviceGetDevResource)>("cuDeviceGetDevResource");
    auto* const split    = entry<decltype(&cuDevSmResourceSplitByCount)>("cuDevSmResourceSplitByCount");
    auto* const describe = entry<decltype(&cuDevResourceGenerateDesc)>("cuDevResourceGenerateDesc");
    auto* const create   = entry<decltype(&cuGreenCtxCreate)>("cuGreenCtxCreate");
    auto* const stream   = entry<decltype(&cuGreenCtxStreamCreate)>("cuGreenCtxStreamCreate");
    m_destroy            = entry<decltype(&cuGreenCtxDestroy)>("cuGreenCtxDestroy");
    if (resource == nullptr || split == nullptr || describe == nullptr || create == nullptr || stream == nullptr)
      return;
    int const device = Kokkos::Cuda().cuda_device();
    if (resource(device, &whole, CU_DEV_RESOURCE_TYPE_SM) != CUDA_SUCCESS) return;
    if (split(&m_part, &groups, &whole, &rest, 0, multiprocessors) != CUDA_SUCCESS) return;
    if (describe(&description, &m_part, 1) != CUDA_SUCCESS) return;
    if (create(&m_context, description, device, CU_GREEN_CTX_DEFAULT_STREAM) != CUDA_SUCCESS) return;
    for (CUstream& its : m_streams) {
      if (stream(&its, m_context, CU_STREAM_NON_BLOCKING, 0) != CUDA_SUCCESS) return;
    }
    m_works = true;
  }
  ~Partition() {
    for (cudaStream_t const stream : m_streams) {
      if (stream != nullptr) cudaStreamDestroy(stream);
    }
    if (m_context != nullptr) m_destroy(m_context);
  }
  Partition(Partition const&)            = delete;
  Partition& operator=(Partition const&) = delete;

  bool works() const { return m_works; }
  int multiprocessors() const { return static_cast<int>(m_part.sm.smCount); }
  cudaStream_t stream(int i) const { return m_streams[static_cast<std::size_t>(i)]; }

 private:
  template <class Function>
  static Function entry(char const* name) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult result{};
    cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &result);
    return reinterpret_cast<Function>(found);
  }

  CUdevResource m_part{};
  CUgreenCtx m_context              = nullptr;
  CUresult (*m_destroy)(CUgreenCtx) = nullptr;
  std::array<CUstream, 3> m_streams{};
  bool m_works = false;
};

TEST_P(ResidentMeetings, InAPartition) {
  Partition const part(32);
  if (!part.works()) GTEST_SKIP() << "no green contexts";
  // What does not fit is refused, when a plan is made and where one is given such a stream later.
  auto const with_blocks = [&](int most) {
    DeviceModel model     = device();
    model.multiprocessors = most;
    return model;
  };
  Launch const launch = m_maker.launch(part.stream(0));
  auto const remake   = [&](auto const& plan) {
    return Cuda::Resident::make_executable(m_problem, plan, m_maker.exec.cuda_device(), launch,
                                             m_maker.single(m_problem));
  };
  int const rank = GetParam();
  if (rank == 2) {
    EXPECT_THROW(remake(Cuda::Resident::Plan(m_problem, device())), std::runtime_error);
  } else {
    EXPECT_THROW(remake(Cuda::Resident::VolumePlan(m_problem, device())), std::runtime_error);
  }
  EXPECT_THROW(m_run->pass(launch, m_in[0].data(), m_out[0].data(), steps(0)), std::runtime_error);
  DeviceModel const small = with_blocks(part.multiprocessors());
  auto const whole        = std::move(m_run);
  Cuda::Resident::Plan const plane(m_problem, small);
  Cuda::Resident::VolumePlan const volume(m_problem, small);
  if (!(rank == 2 ? plane.unsupported_reason() : volume.unsupported_reason()).empty()) GTEST_SKIP() << "does not fit";
  m_run = rank == 2 ? remake(plane) : remake(volume);
  Line<float> const beside("beside", m_size);
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < streams; ++i) run(i, part.stream(i));
    // And one on the whole GPU.
    EXPECT_EQ(whole->pass(m_maker.launch(m_stream[0]), m_in[0].data(), beside.data(), steps(0)), steps(0));
  }
  expect_right();
  EXPECT_EQ(values(beside), m_expected[0]);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
