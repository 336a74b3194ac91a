// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#ifdef KOKKOSSTENCIL_WITH_CUDA
#include <cuda/temporal/Temporal.hpp>
#endif

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

// Many sweeps by cuda_temporal: each of its kernels at its depth, below and past it, also where single sweeps would be
// faster.

#ifndef KOKKOSSTENCIL_WITH_CUDA

TEST(Temporal, OnAGpu) { GTEST_SKIP() << "no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

/// cuda_temporal to which single sweeps seem long; not there for other tests.
class Deep : public Backend {
 public:
  static bool& there() {
    static bool yes = false;
    return yes;
  }
  std::string name() const override { return "test_deep"; }
  Verdict can_run(Problem const& p, SpaceInfo const& space) const override {
    return there() ? m_backend->can_run(p, space) : Verdict::cannot("for one test");
  }
  double predict(Problem const& p, SpaceInfo const& space) const override { return m_backend->predict(p, space); }
  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return m_backend->prepare(p, space, launch);
  }

 private:
  std::unique_ptr<Backend const> m_backend = CudaTemporal::make_backend(1e3);
};

int g_launches = 0;

void count_launch(char const* name, std::uint32_t, std::uint64_t*) { g_launches += std::string(name) == "iterate"; }

class Temporal : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    static bool const registered = (register_backend(std::make_unique<Deep const>()), true);
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
    // Nothing grows, whatever the number of steps.
    double sum = 0.0;
    for (Term const& t : s.terms) sum += std::abs(t.coefficient);
    for (Term& t : s.terms) t.coefficient = round(t.coefficient / sum);
    SCOPED_TRACE(runner().name() + ": " + s.text() + ", " + std::to_string(steps) + " steps");
    Field const start       = filled(s.rank, s.extent, Data::random, 1, runner().rounding());
    Expected const expected = reference(s, start, steps, tolerance(s, runner().value_type()), runner().rounding());
    for (std::string const& backend : {std::string("cuda_temporal"), std::string("test_deep")}) {
      SCOPED_TRACE(backend);
      g_launches      = 0;
      Outcome const o = runner().iterate(s, start, steps, backend);
      EXPECT_EQ(o.backend, backend);
      EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
      EXPECT_TRUE(within_contract(o.newest, expected, &start));
      if (m_counts && backend == "test_deep") {
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
        verify(s.face(0, 1, face.kind == BoundaryKind::periodic ? face : Face::mirror()), 5);
      }
    }
    verify(call({{4100, 1, 1}}, star_offsets(1, radius)).face(Face::edge()).range({{3, 0, 0}}, {{4001, 1, 1}}), 40);
  }
}

TEST_P(Temporal, Planes) {
  if (runner().rank() != 2 || runner().value_type() == ValueType::bfloat16) GTEST_SKIP() << "planes, not bhalf_t";
  for (int radius = 1; radius <= 4; ++radius) {
    for (bool star : {true, false}) {
      if (!star && radius > 2) continue;
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

TEST_P(Temporal, ShapesItDeclines) {
  if (runner().rank() != 2) GTEST_SKIP() << "planes only";
  for (Candidate const& c : runner().candidates(call({{70, 304, 1}}, box_offsets(2, 3)))) {
    if (c.backend == "cuda_temporal") {
      EXPECT_FALSE(c.runnable);
    }
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
