// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <string>

// Many sweeps by cuda_temporal: each of its kernels at its depth and past it, in fewer launches than there are sweeps.

namespace KokkosStencil {
namespace Test {
namespace {

int g_launches = 0;

void count_launch(char const* name, std::uint32_t, std::uint64_t*) { g_launches += std::string(name) == "iterate"; }

class Temporal : public OnEveryRunner {
 protected:
  void SetUp() override {
    if (runner().space() != "Cuda") GTEST_SKIP() << "CUDA only";
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_launch);
    g_launches = 0;
    Kokkos::parallel_for("iterate", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, 1), Nothing());
    m_counts = g_launches > 0;
  }
  void TearDown() override { Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr); }

  /// Fused: fewer launches than sweeps are due.
  void verify(Call s, std::int64_t steps, bool fused = true) {
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
    g_launches              = 0;
    Outcome const o         = runner().iterate(s, start, steps, "cuda_temporal");
    EXPECT_EQ(o.backend, "cuda_temporal");
    EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
    EXPECT_TRUE(within_contract(o.newest, expected, &start));
    if (m_counts && fused) {
      EXPECT_LT(g_launches, steps) << "single sweeps only";
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
      auto const offsets = star ? star_offsets(2, radius) : box_offsets(2, radius);
      Call s             = call({{70, 304, 1}}, offsets);
      s.symmetric        = true;
      // On so few points single sweeps may be faster where the ghost values of the View are read.
      verify(s, 12, false);
      for (Face const& face : {Face::periodic(), Face::value(0.75), Face::mirror()}) verify(Call(s).face(face), 12);
      s.symmetric = false;
      verify(s.face(0, 0, Face::value(-0.5)).face(1, 1, Face::value(2.0)), 17, false);
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
