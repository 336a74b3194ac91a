// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// What the CUDA backends say when they decline, as an error where they are forced and in the list of candidates.

#ifndef KOKKOS_ENABLE_CUDA

TEST(Refusals, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Exec   = Kokkos::Cuda;
using Half   = Kokkos::Experimental::half_t;
using Bfloat = Kokkos::Experimental::bhalf_t;

template <class T, int Rank>
class Asked {
  using C    = std::conditional_t<std::is_same<T, double>::value, double, float>;
  using View = Kokkos::View<std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>,
                            Kokkos::LayoutStride, Kokkos::CudaSpace>;

 public:
  using Policy = StencilPolicy<Exec, Rank>;

  /// n points along every axis; rows so many elements apart, and points within them.
  explicit Asked(std::size_t n, std::size_t in_pitch = 0, std::size_t out_pitch = 0, std::size_t along = 1)
      : m_memory("memory", 2 * size(n, std::max({n, in_pitch, out_pitch}) * along)) {
    std::size_t const half = m_memory.extent(0) / 2;
    m_u                    = view(m_memory.data(), n, in_pitch == 0 ? n * along : in_pitch, along);
    m_v                    = view(m_memory.data() + half, n, out_pitch == 0 ? n * along : out_pitch, along);
  }

  void says(std::string const& backend, Stencil<C, Rank> const& stencil, std::string const& text,
            Policy const& policy = Policy()) const {
    SCOPED_TRACE(backend + ": " + text);
    EXPECT_ERROR(parallel_for("asked", Policy(policy).backend(backend), stencil, m_u, m_v), "\"asked\"",
                 "\"" + backend + "\"", "cannot run", text, "Force another, or none");
    Plan<Exec, Rank, View, View> const plan("asked", policy, stencil, m_u, m_v);
    auto const all = plan.candidates();
    auto const own = std::find_if(all.begin(), all.end(), [&](Candidate const& c) { return c.backend == backend; });
    ASSERT_NE(own, all.end());
    EXPECT_FALSE(own->runnable);
    EXPECT_NE(own->reason.find(text), std::string::npos) << own->reason;
    EXPECT_NE(plan.backend(), backend);
  }

 private:
  static std::size_t size(std::size_t n, std::size_t pitch) { return (Rank == 3 ? n * n : Rank == 2 ? n : 1) * pitch; }
  static View view(T* data, std::size_t n, std::size_t pitch, std::size_t along) {
    Kokkos::LayoutStride layout;
    if (Rank == 1) layout = Kokkos::LayoutStride(n, along);
    if (Rank == 2) layout = Kokkos::LayoutStride(n, pitch, n, along);
    if (Rank == 3) layout = Kokkos::LayoutStride(n, n * pitch, n, pitch, n, along);
    return View(data, layout);
  }

  Kokkos::View<T*, Kokkos::CudaSpace> m_memory;
  View m_u, m_v;
};

template <class C>
Stencil<C, 2> filled_box(int radius, C first = C(1)) {
  std::vector<C> weights(static_cast<std::size_t>((2 * radius + 1) * (2 * radius + 1)), C(1));
  weights[0] = first;
  return box<2>(radius, weights);
}

struct Refusals : testing::Test {
  void SetUp() override {
    auto const names = backend_names();
    if (std::find(names.begin(), names.end(), "cuda_direct") == names.end()) {
      GTEST_SKIP() << "built without the CUDA backends";
    }
  }
};

Stencil<float, 2> five_points() { return star<2>(1, {1.0f, 0.25f}); }

/// The middle plane and the corners of its neighbours.
Stencil<float, 3> seventeen_points(bool symmetric) {
  std::vector<Stencil<float, 3>::Term> terms;
  for (int z = -1; z <= 1; ++z) {
    for (int y = -1; y <= 1; ++y) {
      for (int x = -1; x <= 1; ++x) {
        if (z != 0 && (y == 0 || x == 0)) continue;
        terms.push_back({{z, y, x}, symmetric || z <= 0 ? 0.0625f : 0.03125f});
      }
    }
  }
  return Stencil<float, 3>(terms);
}

char const* const canonical = "does not keep the canonical order that Accuracy::reproducible asks for";

StencilPolicy<Exec, 2> reproducible() { return StencilPolicy<Exec, 2>().accuracy(Accuracy::reproducible); }

TEST_F(Refusals, SparseTensor) {
  char const* const name = "cuda_sparse_tensor";
  Asked<float, 2>(64).says(name, five_points(), "multiplies half_t and bhalf_t, not float");
  Asked<Half, 2> const plane(64);
  plane.says(name, five_points(), canonical, reproducible());
  plane.says(name, {{{0, 0}, 1.0f}, {{0, 9}, 1.0f}}, "reaches farther along the contiguous axis than one window");
  plane.says(name, {{{-9, 0}, 1.0f}, {{9, 0}, 1.0f}}, "has no kernel for a reach of 1 planes by 19 rows");
  plane.says(name, {{{0, 0}, 1.0f}, {{0, 1}, 1.0e-7f}}, "too large or too small to be split into two half");
  Asked<Half, 2>(64, 0, 0, 2).says(name, five_points(), "the fastest axis is not contiguous");
  Asked<Half, 1>(512).says(name, star<1>(1, {1.0f, 0.5f}), "the interior has fewer than 8 rows");
  Asked<Half, 2>(8).says(name, filled_box<float>(3), "has no kernel for a grid of so few rows");
  Asked<Half, 3>(32).says(name, star<3>(2, {1.0f, 0.5f, 0.25f}), "has no kernel for a reach of 5 planes by 5 rows");
}

TEST_F(Refusals, SparseTable) {
  char const* const name = "cuda_sparse_table";
  Asked<float, 2>(64).says(name, five_points(), "multiplies half_t and bhalf_t, not float");
  Asked<Half, 2> const plane(64);
  plane.says(name, five_points(), canonical, reproducible());
  Asked<Half, 2>(64, 0, 0, 2).says(name, five_points(), "the fastest axis is not contiguous");
  Asked<Half, 3>(200).says(name, {{{-90, -90, 0}, 1.0f}, {{90, 90, 0}, 1.0f}},
                           "reaches too far for a block's shared memory");
}

TEST_F(Refusals, TensorFloat) {
  char const* const name = "cuda_tensor_float";
  Asked<Half, 2>(100).says(name, filled_box<float>(4), "multiplies float, not half");
  Asked<float, 2> const plane(100);
  auto const relaxed = StencilPolicy<Exec, 2>().accuracy(Accuracy::relaxed);
  plane.says(name, filled_box<float>(4), canonical, reproducible());
  plane.says(name, five_points(), "has 5 terms, too few for split values to be as accurate as float");
  plane.says(name, filled_box<float>(8), "reaches farther along the contiguous axis than one window");
  plane.says(name, {{{-9, 0}, 1.0f}, {{9, 0}, 1.0f}}, "has no kernel for a reach of 19 rows", relaxed);
  plane.says(name, filled_box<float>(4, 1e-16f),
             "a coefficient is too small beside the largest to be split into halves");
  plane.says(name, filled_box<float>(4, 1e-16f), "too small beside the largest", relaxed);
  Asked<float, 2>(8).says(name, filled_box<float>(4), "no point has its whole window inside",
                          StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic()));
  Asked<float, 1>(1000).says(name, star<1>(8, std::vector<float>(17, 1.0f)), "has no kernel for lines");
  Asked<float, 3>(32).says(name, box<3>(1, std::vector<float>(27, 1.0f)), "has no kernel for a reach of 3 planes");
}

TEST_F(Refusals, TensorDouble) {
  char const* const name = "cuda_tensor_double";
  Asked<float, 2>(64).says(name, filled_box<float>(3), "multiplies double, not float");
  Asked<double, 2> const plane(64);
  plane.says(name, filled_box<double>(3), canonical, reproducible());
  plane.says(name, filled_box<double>(8), "has no kernel for a reach of 17 rows and 8 columns");
  Asked<double, 1>(1000).says(name, star<1>(2, {1.0, 1.0, 1.0}), "has no kernel for lines");
}

TEST_F(Refusals, Temporal) {
  char const* const name = "cuda_temporal";
  Asked<float, 2> const plane(64);
  plane.says(name, filled_box<float>(5), "no pipeline for this shape and value type");
  Asked<Bfloat, 2>(64).says(name, five_points(), "no pipeline for this shape and value type");
  // There is no other kernel for 17 points.
  Asked<float, 3> const volume(16);
  volume.says(name, seventeen_points(false), "mirror boundaries are fused for symmetric stencils only",
              StencilPolicy<Exec, 3>().boundary(Boundary<3>::mirror()));
  volume.says(name, seventeen_points(true),
              "fused sweeps keep the canonical bits for float and double without mirror and edge only",
              StencilPolicy<Exec, 3>().accuracy(Accuracy::reproducible).boundary(Boundary<3>::mirror()));
  Asked<Half, 1>(1000).says(name, star<1>(1, {0.5f, 0.25f}), "fused sweeps keep the canonical bits",
                            StencilPolicy<Exec, 1>().accuracy(Accuracy::reproducible));
  Asked<float, 2>(64, 68, 72).says(name, five_points(), "the strides of the two Views differ");
  Asked<float, 2>(64, 0, 0, 2).says(name, five_points(), "no axis of the Views is contiguous");
}

TEST_F(Refusals, Resident) {
  char const* const name = "cuda_resident";
  Asked<float, 2> const plane(64);
  plane.says(name, filled_box<float>(5), "keeps no stencil of this shape and value type on the chip");
  Asked<Half, 2>(64).says(name, five_points(), "keeps no stencil of this shape and value type on the chip");
  plane.says(name, {{{0, 0}, 1.0f}, {{-1, 0}, 1.0f}, {{1, 0}, 2.0f}, {{0, -1}, 1.0f}, {{0, 1}, 1.0f}},
             "mirror boundaries are fused for symmetric stencils only",
             StencilPolicy<Exec, 2>().boundary(Boundary<2>::mirror()));
  Asked<float, 2>(64, 68, 72).says(name, five_points(), "the strides of the two Views differ");
  Asked<float, 2>(64, 0, 0, 2).says(name, five_points(), "no axis of the Views is contiguous");
  Asked<float, 2>(5000).says(name, five_points(), "the field does not fit on the chip");
  auto const seven_points = star<3>(1, {0.25f, 0.125f});
  Asked<float, 3>(300).says(name, seven_points, "the field does not fit on the chip");
  Asked<float, 3>(61).says(name, seven_points, "rows that end at a mirror, an edge or a periodic face are no whole",
                           StencilPolicy<Exec, 3>().boundary(Boundary<3>::periodic()));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
