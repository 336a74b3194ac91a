// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#ifdef KOKKOSSTENCIL_WITH_CUDA
#include "Passes.hpp"

#include <cuda/temporal/BrickPlan.hpp>
#include <cuda/temporal/Kernels.hpp>
#include <cuda/temporal/Plan.hpp>
#include <cuda/temporal/SpacePlan.hpp>
#include <cuda/temporal/StripPlan.hpp>
#include <cuda/temporal/Temporal.hpp>
#include <cuda/temporal/TilePlan.hpp>
#include <model/GridProblem.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Many sweeps by cuda_temporal: each of its kernels at its depth, below and past it, also where single sweeps would be
// faster.

#ifndef KOKKOSSTENCIL_WITH_CUDA

TEST(Temporal, OnAGpu) { GTEST_SKIP() << "no CUDA"; }

#else

namespace KokkosStencil {

namespace Test {
namespace {

/// cuda_temporal to which single sweeps seem long, with patches and bricks and without; not there for other tests.
class Deep : public Backend {
 public:
  Deep(std::string name, bool small) : m_name(std::move(name)), m_backend(Cuda::Temporal::make_backend({1e3, small})) {}
  static bool& there() {
    static bool yes = false;
    return yes;
  }
  std::string name() const override { return m_name; }
  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    return there() ? m_backend->can_run(p, space) : Status::cannot("for one test");
  }
  double predict(Problem const& p, SpaceInfo const& space) const override { return m_backend->predict(p, space); }
  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return m_backend->prepare(p, space, launch);
  }

 private:
  std::string m_name;
  std::unique_ptr<Backend const> m_backend;
};

int g_launches = 0;

void count_launch(char const* name, std::uint32_t, std::uint64_t*) { g_launches += std::string(name) == "iterate"; }

class Temporal : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    static bool const registered = (register_backend(std::make_unique<Deep const>("test_deep", true)),
                                    register_backend(std::make_unique<Deep const>("test_deep_streams", false)), true);
    Deep::there()                = registered;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_launch);
    g_launches = 0;
    Kokkos::parallel_for("iterate", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1), Nothing());
    m_counts = g_launches > 0;
  }
  void TearDown() override {
    Deep::there() = false;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  }

  /// With the passes of the backend's own choice, and with deep ones.
  void verify(Call s, std::int64_t steps) {
    Rounding const round = runner().coefficient_rounding(s);
    set_coefficients(s.terms, Data::random, 1, round);
    if (s.symmetric) make_symmetric(s.terms);
    make_bounded(s.terms, round);
    SCOPED_TRACE(runner().name() + ": " + s.text() + ", " + std::to_string(steps) + " steps");
    Field const start       = filled(s.rank, s.extent, Data::random, 1, runner().rounding());
    Expected const expected = reference(s, start, steps, tolerance(s, runner().value_type()), runner().rounding());
    std::vector<std::string> backends{"cuda_temporal", "test_deep"};
    if (s.rank > 1) backends.push_back("test_deep_streams");
    for (std::string const& backend : backends) {
      SCOPED_TRACE(backend);
      g_launches      = 0;
      Outcome const o = runner().iterate(s, start, steps, backend);
      EXPECT_EQ(o.backend, backend);
      EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
      EXPECT_TRUE(within_contract(o.newest, expected, &start));
      if (m_counts && backend != "cuda_temporal") {
        EXPECT_LT(g_launches, steps) << "single sweeps";
      }
    }
  }

 private:
  struct Nothing {
    KOKKOS_FUNCTION void operator()(int) const {}
  };
  bool m_counts = false;
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(Temporal);

TEST_P(Temporal, Lines) {
  if (runner().rank() != 1) GTEST_SKIP() << "lines only";
  for (int radius = 1; radius <= 4; ++radius) {
    for (std::int64_t extent : {9, 700, 4096}) {
      for (Face const& face : all_faces()) {
        Call s = call({{extent, 1, 1}}, star_offsets(1, radius)).face(face);
        verify(s, 17);
        s.shift = 1;
        // Copies of rows that begin anywhere are launches, too.
        verify(s.face(0, 1, face.kind == BoundaryKind::periodic ? face : Face::mirror()), 9);
      }
    }
    verify(call({{4100, 1, 1}}, star_offsets(1, radius)).face(Face::edge()).range({{3, 0, 0}}, {{4001, 1, 1}}), 40);
  }
}

TEST_P(Temporal, Planes) {
  if (runner().rank() != 2 || runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "planes, not bhalf_t";
  for (int radius = 1; radius <= 4; ++radius) {
    for (bool star : {true, false}) {
      Call s      = call({{70, 304, 1}}, star ? star_offsets(2, radius) : box_offsets(2, radius));
      s.symmetric = true;
      for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75), Face::mirror()}) {
        verify(Call(s).face(face), 12);
      }
      s.symmetric = false;
      verify(s.face(0, 0, Face::value(-0.5)).face(1, 1, Face::value(2.0)), 17);
      verify(s.face(Face::periodic()), 17);
    }
  }
}

/// Fewer sweeps than the kernels do in a pass, where most strips depend on no face; rows that begin anywhere as well.
TEST_P(Temporal, FewSweepsOfPlanes) {
  if (runner().rank() != 2 || runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "planes, not bhalf_t";
  for (int radius = 1; radius <= 4; ++radius) {
    for (bool star : {true, false}) {
      for (int steps : {3, 4, 5, 7, 8, 11}) {
        if (steps > 12 / radius) continue;
        Call s = call({{130, 640, 1}}, star ? star_offsets(2, radius) : box_offsets(2, radius));
        verify(Call(s).face(Face::halo()), steps);
        verify(Call(s).face(Face::periodic()), steps);
        s.shift = 1;
        verify(s.face(Face::halo()), steps);
      }
    }
  }
}

TEST_P(Temporal, Volumes) {
  if (runner().rank() != 3 || runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "volumes, not bhalf_t";
  bool const half = runner().value_type() == ValueType::float16;
  for (auto const& offsets :
       {star_offsets(3, 1), star_offsets(3, 2), box_offsets(3, 1), box17_offsets(), star_offsets(3, 3)}) {
    if (half && offsets.size() == 17) continue;
    Call s      = call({{9, 38, half ? 248 : 124}}, offsets);
    s.symmetric = true;
    for (Face const& face : {Face::halo(), Face::periodic(), Face::value(0.75), Face::mirror()}) {
      verify(Call(s).face(face), 17);
    }
    s.symmetric = false;
    // Padded to whole vectors, which rows do not fill.
    Call ragged = call({{9, 38, half ? 243 : 123}}, offsets);
    ragged.in = ragged.out = Layout::padded;
    verify(ragged, 17);
    verify(ragged.face(Face::periodic()), 17);
    verify(Call(s).range({{3, 3, 7}}, {{6, 35, 111}}), 17);
    s.shift = 1;
    verify(Call(s).face(0, 0, Face::value(-0.5)).face(2, 1, Face::value(2.0)), 18);
    verify(s.face(Face::periodic()), 8);
  }
  for (auto const& offsets : {star_offsets(3, 4), box_offsets(3, 2), box_offsets(3, 3), box_offsets(3, 4)}) {
    Call s = call({{9, 21, half ? 72 : 37}}, offsets);
    // Enough for copies to padded rows and back to count less than what fused passes save.
    verify(Call(s).face(Face::periodic()), 6);
    verify(s.face(0, 0, Face::value(-0.5)).face(1, 0, Face::mirror()).face(2, 1, Face::edge()), 9);
  }
}

/// What mirrors and edges reflect changes after each sweep, and not as the field beyond them would.
TEST_P(Temporal, Reflections) {
  int const rank = runner().rank();
  if (rank == 1 || runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "planes and volumes, not bhalf_t";
  for (int radius = 1; radius <= (rank == 2 ? 4 : 2); ++radius) {
    for (bool star : {true, false}) {
      Call s = call(rank == 2 ? Extents{{70, 304, 1}} : Extents{{9, 30, 72}},
                    star ? star_offsets(rank, radius) : box_offsets(rank, radius));
      verify(Call(s).face(Face::mirror()), 9);
      verify(Call(s).face(Face::edge()), 8);
      s.shift = 1;
      verify(s.face(Face::edge()).face(0, 1, Face::value(0.5)).face(rank - 1, 0, Face::mirror()), 5);
    }
  }
}

/// What a face reflects or wraps to the other side may lie outside of the range, where nothing changes.
TEST_P(Temporal, ThinRangesAtFaces) {
  int const rank = runner().rank();
  if (runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "not bhalf_t";
  for (int radius = 1; radius <= 2; ++radius) {
    for (bool star : {true, false}) {
      Call s = call(rank == 1   ? Extents{{700, 1, 1}}
                    : rank == 2 ? Extents{{70, 304, 1}}
                                : Extents{{12, 24, 48}},
                    star ? star_offsets(rank, radius) : box_offsets(rank, radius));
      s.symmetric = true;
      for (Face const& face : {Face::mirror(), Face::periodic()}) {
        s.face(face);
        for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
          for (std::int64_t rows : {1, 4}) {
            auto begin = std::array<std::int64_t, 3>{}, end = s.extent;
            end[a] = rows;
            verify(Call(s).range(begin, end), 9);
            begin[a] = s.extent[a] - rows;
            end[a]   = s.extent[a];
            verify(Call(s).range(begin, end), 9);
          }
        }
      }
    }
  }
}

/// One pass over a range in Views that agree outside of it, as those of an iteration do: there they still do after it.
template <class T>
void write_range_only(Problem const& p, bool small) {
  using Space             = Kokkos::View<T*, Kokkos::CudaSpace>;
  std::int64_t const size = p.extent[0] * p.extent[1] * p.extent[2];
  Space const u(Kokkos::view_alloc("u", Kokkos::WithoutInitializing), static_cast<std::size_t>(size));
  Space const v(Kokkos::view_alloc("v", Kokkos::WithoutInitializing), static_cast<std::size_t>(size));
  auto const inside = [&](std::int64_t i) {
    std::array<std::int64_t, 3> const at{
        {i / (p.extent[1] * p.extent[2]), i / p.extent[2] % p.extent[1], i % p.extent[2]}};
    bool yes = true;
    for (std::size_t a = 0; a < 3; ++a) yes = yes && at[a] >= p.begin[a] && at[a] < p.end[a];
    return yes;
  };
  auto const outer = [](std::int64_t i) { return T(2 + i % 512); };
  auto const from  = Kokkos::create_mirror_view(u);
  for (std::int64_t i = 0; i < size; ++i) from(static_cast<std::size_t>(i)) = inside(i) ? T(1) : outer(i);
  Kokkos::deep_copy(u, from);
  for (std::int64_t i = 0; i < size; ++i) {
    if (inside(i)) from(static_cast<std::size_t>(i)) = T(-777);
  }
  Kokkos::deep_copy(v, from);
  Kokkos::Cuda const exec;
  std::string const label = "one pass";
  Launch const launch{label, &exec, exec.cuda_stream()};
  SpaceInfo const space = Impl::SpaceTraits<Kokkos::Cuda>::info(exec);
  auto const backend    = Cuda::Temporal::make_backend({1e3, small});
  ASSERT_TRUE(backend->can_run(p, space));
  ASSERT_EQ(backend->prepare(p, space, launch)->iterate(launch, u.data(), v.data(), p.steps), v.data());
  exec.fence();
  auto const h      = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
  std::int64_t lost = 0, outside = 0;
  for (std::int64_t i = 0; i < size; ++i) {
    T const value = h(static_cast<std::size_t>(i));
    if (inside(i) ? value == T(-777) : value != outer(i)) ++(inside(i) ? lost : outside);
  }
  EXPECT_EQ(lost, 0);
  EXPECT_EQ(outside, 0);
}

TEST(TemporalRange, NothingElseIsWritten) {
  struct Case {
    std::vector<KokkosStencil::Term> terms;
    int rank;
    std::array<std::int64_t, 3> extent;
    std::int64_t steps;
  };
  std::vector<Case> const cases{{Model::star(1, 1), 1, {{5000, 1, 1}}, 8},  {Model::star(2, 1), 2, {{200, 640, 1}}, 8},
                                {Model::box(2, 1), 2, {{200, 643, 1}}, 8},  {Model::star(3, 1), 3, {{20, 90, 304}}, 4},
                                {Model::star(3, 1), 3, {{20, 90, 301}}, 4}, {Model::star(3, 2), 3, {{20, 90, 304}}, 2},
                                {Model::star(3, 2), 3, {{20, 90, 301}}, 2}, {Model::box(3, 1), 3, {{20, 130, 304}}, 2},
                                {Model::box(3, 1), 3, {{20, 130, 301}}, 2}};
  for (Case const& c : cases) {
    for (ValueType const type : {ValueType::float32, ValueType::float64}) {
      for (bool part : {false, true}) {
        Problem p = Model::grid_problem(c.terms, c.rank, c.extent, type, Accuracy::native, c.steps);
        for (std::size_t a = 0; a < 3 && part; ++a) {
          if (p.extent[a] == 1) continue;
          p.begin[a] += 5;
          p.end[a] -= 2;
        }
        SCOPED_TRACE(std::to_string(c.rank) + "-D, " + std::to_string(c.terms.size()) + " terms, row of " +
                     std::to_string(p.extent[2]) + (type == ValueType::float32 ? " float" : " double") +
                     (part ? ", part of it" : ""));
        for (bool const small : {false, true}) {
          type == ValueType::float32 ? write_range_only<float>(p, small) : write_range_only<double>(p, small);
        }
      }
    }
  }
}

/// How the rows of a test begin: columns more than whole vectors, and where the first point lies in input and output.
struct Phase {
  std::int64_t more;
  std::size_t in, out;
};

/// One pass of each 3-D kernel beside single sweeps, whatever the plans would choose, over a few tiles.
template <class T>
void pass_of_each_kernel(ValueType type, Phase const& phase) {
  using Space = Kokkos::View<T*, Kokkos::CudaSpace>;
  SingleSweeps const single;
  Kokkos::Cuda const& exec = single.exec;
  int const room           = shared_bytes();
  ASSERT_GT(room, 0);
  auto const* kernel = Cuda::Temporal::kernels<Cuda::Temporal::SpaceArgs, T>();
  for (Cuda::Temporal::SpaceTuning const& k : Cuda::Temporal::space_table(type)) {
    Cuda::Temporal::Kernel<Cuda::Temporal::SpaceArgs> const& compiled = *kernel++;
    Cuda::Temporal::SpaceLayout const layout                          = k.layout(sizeof(T));
    if (layout.bytes > room || k.least_compute_capability > compute_capability()) continue;
    auto terms = terms_of(k.shape());
    if (k.stencil != Cuda::Temporal::SpaceStencil::star) {
      terms.erase(std::remove_if(terms.begin(), terms.end(),
                                 [&](KokkosStencil::Term const& t) {
                                   return !Cuda::Temporal::has_term(k.stencil, t.offset[0], t.offset[1], t.offset[2]);
                                 }),
                  terms.end());
    }
    for (int which = 0; which < 4; ++which) {
      std::array<std::int64_t, 3> const extent{
          {13, 2 * layout.interior[0] + 5, 2 * layout.interior[1] + 24 + phase.more}};
      Problem p = Model::grid_problem(terms, 3, extent, type, Accuracy::native, k.depth);
      for (std::size_t a = 0; a < 3; ++a) {
        if (which == 1) p.faces[a] = {{Face::periodic(), Face::periodic()}};
        if (which == 2) p.faces[a] = {{Face::value(0.5), Face::value(2.0)}};
        p.begin[a] = which == 1 || which == 2 ? 0 : k.radius + (which == 3 ? 1 : 0);
        p.end[a]   = extent[a] - (which == 1 || which == 2 ? 0 : k.radius);
      }
      SCOPED_TRACE(std::to_string(k.term_count()) + " terms, depth " + std::to_string(k.depth) + ", tiles of " +
                   std::to_string(layout.interior[0]) + " x " + std::to_string(layout.interior[1]) + ", faces " +
                   std::to_string(which));
      auto const size = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
      Space const all_u("u", size + 8), all_v("v", size + 8), a("a", size), b("b", size);
      auto const part = [&](Space const& all, std::size_t first) {
        return Kokkos::subview(all, std::make_pair(first, first + size));
      };
      auto const u = part(all_u, phase.in), v = part(all_v, phase.out);
      Kokkos::deep_copy(all_v, T(-777));
      auto const start     = Kokkos::create_mirror_view(a);
      std::uint32_t random = 1;
      for (std::size_t i = 0; i < size; ++i) start(i) = T((random = random * 1664525u + 1013904223u) >> 8) / T(1 << 24);
      for (Space const& each : {a, b}) Kokkos::deep_copy(each, start);
      for (auto const& each : {u, v}) Kokkos::deep_copy(each, start);
      bool const aligned      = phase.more == 0 && phase.in == 0 && phase.out == 0;
      auto const args         = Cuda::Temporal::plan_space(p, k, 40, aligned, Cuda::Temporal::Effort::fine).args;
      auto const coefficients = coefficients_for<T>(p, k.shape());
      ASSERT_EQ(compiled.prepare(layout.bytes), cudaSuccess);
      compiled.launch(coefficients.data(), args, u.data(), v.data(), exec.cuda_stream());
      Space const expected = single.iterate(p, a.data(), b.data(), k.depth) == a.data() ? a : b;
      exec.fence();
      auto const got     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all_v);
      auto const want    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
      std::int64_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) wrong += got(phase.out + i) == want(i) ? 0 : 1;
      EXPECT_EQ(wrong, 0);
      for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(got(i < phase.out ? i : size + i), T(-777));
    }
  }
}

TEST(TemporalSpace, PassOfEachKernel) {
  pass_of_each_kernel<float>(ValueType::float32, {0, 0, 0});
  pass_of_each_kernel<double>(ValueType::float64, {0, 0, 0});
}

TEST(TemporalSpace, PassOfEachKernelAnywhere) {
  for (Phase const& phase : {Phase{1, 0, 0}, Phase{2, 1, 3}, Phase{0, 2, 1}, Phase{3, 3, 2}}) {
    SCOPED_TRACE("columns more " + std::to_string(phase.more));
    pass_of_each_kernel<float>(ValueType::float32, phase);
    pass_of_each_kernel<double>(ValueType::float64, phase);
  }
}

/// The kernels for a first pass, from rows that begin anywhere to aligned ones, and for a last pass, beside single
/// sweeps. Beyond the View, and in what pads rows, lie NaN. A first pass may store ghost values, too, and has to if it
/// is asked.
template <class T>
void end_passes(ValueType type) {
  using Space = Kokkos::View<T*, Kokkos::CudaSpace>;
  SingleSweeps const single;
  Kokkos::Cuda const& exec = single.exec;
  int const room = shared_bytes(), vector = 16 / int(sizeof(T));
  auto const* kernel = Cuda::Temporal::kernels<Cuda::Temporal::SpaceArgs, T>();
  for (Cuda::Temporal::SpaceTuning const& k : Cuda::Temporal::space_table(type)) {
    Cuda::Temporal::Kernel<Cuda::Temporal::SpaceArgs> const& compiled = *kernel++;
    auto const layout                                                 = k.layout(sizeof(T), true);
    if (!k.anywhere || k.shared_bytes(sizeof(T), true) > room || k.least_compute_capability > compute_capability())
      continue;
    auto const terms = terms_of(k.shape());
    for (int which = 0; which < 4 * vector; ++which) {
      bool const first = which % 2 == 0;
      int const more = which / 2 % vector, shift = which / 2 / vector * (vector - 1);
      std::array<std::int64_t, 3> const extent{
          {13, 2 * layout.interior[0] + 5, 2 * layout.interior[1] + 24 + which % 5}};
      Problem p = Model::grid_problem(terms, 3, extent, type, Accuracy::native, k.depth);
      for (std::size_t a = 0; a < 2; ++a) {
        if (which % 3 > static_cast<int>(a)) p.faces[a] = {{Face::periodic(), Face::periodic()}};
        bool const halo = p.faces[a][0].kind == BoundaryKind::halo;
        p.begin[a]      = halo ? k.radius : 0;
        p.end[a]        = extent[a] - (halo ? k.radius : 0);
      }
      p.begin[2]             = k.radius + which % 2;
      p.end[2]               = extent[2] - k.radius - which % 3;
      Problem q              = p;
      std::int64_t const odd = extent[2] + more, even = (extent[2] + 7) / 8 * 8;
      q.in_stride  = {{extent[1] * (first ? odd : even), first ? odd : even, 1}};
      q.out_stride = {{extent[1] * (first ? even : odd), first ? even : odd, 1}};
      if (!first) q.extent[2] = (extent[2] + vector - 1) / vector * vector;
      SCOPED_TRACE(std::to_string(k.term_count()) + " terms, " + std::to_string(which));
      auto const dense    = static_cast<std::size_t>(extent[0] * extent[1] * extent[2]);
      auto const room_for = [&](std::int64_t pitch, int from) {
        return static_cast<std::size_t>(extent[0] * extent[1] * pitch + from);
      };
      int const in_shift = first ? shift : 0, out_shift = first ? 0 : shift;
      Space const u("u", room_for(q.in_stride[1], in_shift)), v("v", room_for(q.out_stride[1], out_shift)),
          a("a", dense), b("b", dense);
      auto const start = Kokkos::create_mirror_view(a);
      auto const from  = Kokkos::create_mirror_view(u);
      Kokkos::deep_copy(from, std::numeric_limits<T>::quiet_NaN());
      Kokkos::deep_copy(v, T(-777));
      std::uint32_t random = 1;
      auto const at        = [&](std::size_t i, std::array<std::int64_t, 3> const& stride, int from_point) {
        auto const n = static_cast<std::int64_t>(i);
        return static_cast<std::size_t>(from_point + n / extent[2] / extent[1] * stride[0] +
                                        n / extent[2] % extent[1] * stride[1] + n % extent[2]);
      };
      for (std::size_t i = 0; i < dense; ++i) {
        start(i)                           = T((random = random * 1664525u + 1013904223u) >> 8) / T(1 << 24);
        from(at(i, q.in_stride, in_shift)) = start(i);
      }
      Kokkos::deep_copy(u, from);
      for (Space const& each : {a, b}) Kokkos::deep_copy(each, start);
      bool const ghosts = first && which % 4 == 0 && compiled.stores_ghosts != nullptr && compiled.stores_ghosts();
      auto const end    = first ? Cuda::Temporal::End::first : Cuda::Temporal::End::last;
      auto const args   = Cuda::Temporal::plan_end(q, k, 40, end, ghosts).args;
      auto const coefficients = coefficients_for<T>(p, k.shape());
      ASSERT_EQ(compiled.prepare(k.shared_bytes(sizeof(T), true)), cudaSuccess);
      compiled.launch(coefficients.data(), args, u.data() + in_shift, v.data() + out_shift, exec.cuda_stream());
      Space const expected = single.iterate(p, a.data(), b.data(), k.depth) == a.data() ? a : b;
      exec.fence();
      auto const got     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), v);
      auto const want    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected);
      std::int64_t wrong = 0, written = 0;
      for (std::size_t i = 0; i < dense; ++i) {
        auto const n = static_cast<std::int64_t>(i);
        std::array<std::int64_t, 3> const point{{n / extent[2] / extent[1], n / extent[2] % extent[1], n % extent[2]}};
        std::int64_t outside = 0, axes = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          std::int64_t const away = std::max(p.begin[axis] - point[axis], point[axis] - p.end[axis] + 1);
          outside                 = std::max(outside, away);
          axes += away > 0 ? 1 : 0;
        }
        T& value             = got(at(i, q.out_stride, out_shift));
        bool const untouched = value == T(-777) && outside > 0 && !(ghosts && outside <= k.radius && axes == 1);
        // Beside ghost values, in what is stored of padded rows, points that no sweep reads may hold anything.
        bool const unread = ghosts && outside > k.radius;
        wrong += untouched || unread || (value == want(i) && (outside <= 0 || first)) ? 0 : 1;
        value = T(-777);
      }
      for (std::size_t i = 0; i < got.extent(0) && !first; ++i) written += got(i) == T(-777) ? 0 : 1;
      EXPECT_EQ(wrong, 0);
      EXPECT_EQ(written, 0);
    }
  }
}

TEST(TemporalSpace, FirstAndLastPassAnywhere) {
  end_passes<float>(ValueType::float32);
  end_passes<double>(ValueType::float64);
}

/// One pass of each kernel for bricks, bit for bit with single sweeps: few bricks and many, of any depth, rows that
/// begin anywhere or not, faces that leave the bits as they are.
template <class T>
void pass_of_bricks(ValueType type) {
  SingleSweeps const single;
  int const room = shared_bytes();
  ASSERT_GT(room, 0);
  using Axis = std::array<Face, 2>;
  Axis const halo{{Face::halo(), Face::halo()}}, periodic{{Face::periodic(), Face::periodic()}},
      value{{Face::value(0.5), Face::value(2.0)}};
  std::vector<std::array<Axis, 3>> const rules{{{halo, halo, halo}},      {{periodic, periodic, periodic}},
                                               {{value, value, value}},   {{value, periodic, halo}},
                                               {{halo, value, periodic}}, {{periodic, halo, value}}};
  auto const* kernel = Cuda::Temporal::kernels<Cuda::Temporal::BrickArgs, T>();
  for (Cuda::Temporal::BrickTuning const& k : Cuda::Temporal::brick_table(type)) {
    Cuda::Temporal::Kernel<Cuda::Temporal::BrickArgs> const& compiled = *kernel++;
    ASSERT_EQ(compiled.prepare(room), cudaSuccess);
    auto terms           = terms_of(k.shape);
    std::uint32_t random = 1;
    auto const next = [&] { return static_cast<double>((random = random * 1664525u + 1013904223u) >> 20) / 4096.0; };
    for (KokkosStencil::Term& t : terms) {
      t.coefficient = static_cast<float>((next() - 0.25) / static_cast<double>(terms.size()));
    }
    int passes = 0;
    for (std::size_t which = 0; which < 4 * rules.size(); ++which) {
      for (int depth : {1, 2, 3, which % 2 == 0 ? 4 : 6}) {
        if (depth > k.most_depth()) continue;
        std::int64_t const columns = which % 3 == 0 ? 64 : 41 + static_cast<std::int64_t>(which);
        std::array<std::int64_t, 3> const extent{{which % 5 == 0 ? 9 : 31, 37, columns}};
        Problem p = Model::grid_problem(terms, 3, extent, type, Accuracy::reproducible, depth);
        for (std::size_t a = 0; a < 3; ++a) {
          p.faces[a]       = rules[which % rules.size()][a];
          bool const ghost = p.faces[a][0].kind == BoundaryKind::halo;
          p.begin[a]       = ghost ? k.shape.radius : 0;
          p.end[a]         = extent[a] - (ghost ? k.shape.radius : 0);
          // A part of the View, from a point that no vector begins with.
          if (which >= 2 * rules.size() && a != which % 3) p.begin[a] += 2 + static_cast<int>(a) % 2;
          if (which >= 3 * rules.size()) p.end[a] -= a == which % 3 ? 0 : 1;
        }
        DeviceModel device        = *find_device(known_devices(), "H200");
        device.compute_capability = compute_capability();
        device.multiprocessors    = which % 2 == 0 ? 8 : 60;
        bool const aligned        = columns % (16 / size_of(type)) == 0;
        auto const plan           = Cuda::Temporal::plan_bricks(p, k, device, depth, aligned);
        SCOPED_TRACE(std::to_string(p.terms.size()) + " terms, depth " + std::to_string(depth) + ", rules " +
                     std::to_string(which) + ", bricks of " + std::to_string(plan.args.size[0]) + " x " +
                     std::to_string(plan.args.size[1]) + " x " + std::to_string(plan.args.size[2]));
        if (plan.seconds == 0.0) continue;
        ++passes;
        expect_right_pass<T>(single, compiled, plan.args, p, k.shape, next);
      }
    }
    EXPECT_GT(passes, 48);
  }
}

TEST(TemporalBricks, PassOfEachKernel) {
  pass_of_bricks<float>(ValueType::float32);
  pass_of_bricks<double>(ValueType::float64);
}

/// One pass of each kernel for tiles, bit for bit with single sweeps over a few tiles: any boundary and alignment, and
/// coefficients that no mirror keeps.
template <class T>
void pass_of_tiles(ValueType type, int rank, int radius) {
  SingleSweeps const single;
  int const room = shared_bytes();
  ASSERT_GT(room, 0);
  // Less shared memory, smaller tiles.
  DeviceModel small        = *find_device(known_devices(), "H200");
  small.multiprocessors    = 40;
  small.compute_capability = rank == 2 || room < 163 << 10 ? 86 : 80;
  using Axis               = std::array<Face, 2>;
  Axis const halo{{Face::halo(), Face::halo()}}, periodic{{Face::periodic(), Face::periodic()}},
      value{{Face::value(0.5), Face::value(2.0)}}, mirror{{Face::mirror(), Face::mirror()}},
      edge{{Face::edge(), Face::edge()}};
  std::vector<std::array<Axis, 3>> const rules{
      {{halo, halo, halo}},
      {{periodic, periodic, periodic}},
      {{value, value, value}},
      {{mirror, mirror, mirror}},
      {{edge, edge, edge}},
      {{Axis{{Face::edge(), Face::mirror()}}, Axis{{Face::mirror(), Face::value(-1.0)}}, periodic}},
      {{periodic, Axis{{Face::value(0.25), Face::edge()}}, Axis{{Face::edge(), Face::mirror()}}}},
      {{mirror, periodic, Axis{{Face::mirror(), Face::value(3.0)}}}}};
  auto const* kernel = Cuda::Temporal::kernels<Cuda::Temporal::TileArgs, KernelType<T>>();
  for (Cuda::Temporal::TileTuning const& k : Cuda::Temporal::tile_table(type)) {
    Cuda::Temporal::Kernel<Cuda::Temporal::TileArgs> const& compiled = *kernel++;
    if (k.radius != radius) continue;
    ASSERT_EQ(compiled.prepare(room), cudaSuccess);
    auto terms           = k.star ? Model::star(rank, k.radius) : Model::box(rank, k.radius);
    std::uint32_t random = 1;
    auto const next = [&] { return static_cast<double>((random = random * 1664525u + 1013904223u) >> 20) / 4096.0; };
    for (KokkosStencil::Term& t : terms)
      t.coefficient = static_cast<float>((next() - 0.25) / static_cast<double>(terms.size()));
    int const most = Cuda::Temporal::most_tile_depth(rank, k.radius);
    for (std::size_t which = 0; which < rules.size(); ++which) {
      // With whole vectors or not; in small tiles.
      for (int depth : which % 2 == 0 ? std::vector<int>{2, most} : std::vector<int>{1, most}) {
        std::int64_t const columns = 16 / size_of(type) * 40 + (which % 3 == 1 ? 0 : static_cast<std::int64_t>(which));
        std::array<std::int64_t, 3> const extent{
            {rank == 3 ? 13 : 67, rank == 3 ? 45 : columns, rank == 3 ? columns : 1}};
        Problem p = Model::grid_problem(terms, rank, extent, type, Accuracy::reproducible, depth);
        for (std::size_t a = rank == 3 ? 0 : 1; a < 3; ++a) {
          p.faces[a] = rules[which][a];
          p.begin[a] = which == 0 ? k.radius + static_cast<int>(a) : 0;
          p.end[a]   = p.extent[a] - (which == 0 ? k.radius : which == 4 ? static_cast<int>(a) : 0);
        }
        SCOPED_TRACE(std::to_string(rank) + (k.star ? "-D star" : "-D box") + ", radius " + std::to_string(k.radius) +
                     ", " + "depth " + std::to_string(depth) + ", rules " + std::to_string(which));
        bool const aligned = columns % (16 / size_of(type)) == 0;
        auto const args    = Cuda::Temporal::plan_tiles(p, k, small, depth, aligned).args;
        if (args.row_vectors == 0 && small.compute_capability == 86) continue;
        ASSERT_GT(args.row_vectors, 0);
        EXPECT_GT(args.tiles[1] * args.tiles[2], 1);
        expect_right_pass<T>(single, compiled, args, p, {k.star, rank, k.radius}, next);
      }
    }
  }
}

using Half = Kokkos::Experimental::half_t;

class TemporalTiles : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Radius, TemporalTiles, testing::Range(1, 5), testing::PrintToStringParamName());

TEST_P(TemporalTiles, FloatPlanes) { pass_of_tiles<float>(ValueType::float32, 2, GetParam()); }
TEST_P(TemporalTiles, DoublePlanes) { pass_of_tiles<double>(ValueType::float64, 2, GetParam()); }
TEST_P(TemporalTiles, HalfPlanes) { pass_of_tiles<Half>(ValueType::float16, 2, GetParam()); }
TEST_P(TemporalTiles, FloatVolumes) { pass_of_tiles<float>(ValueType::float32, 3, GetParam()); }
TEST_P(TemporalTiles, DoubleVolumes) { pass_of_tiles<double>(ValueType::float64, 3, GetParam()); }
TEST_P(TemporalTiles, HalfVolumes) { pass_of_tiles<Half>(ValueType::float16, 3, GetParam()); }

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
