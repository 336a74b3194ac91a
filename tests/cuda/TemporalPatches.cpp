// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#ifndef KOKKOSSTENCIL_WITH_CUDA

TEST(TemporalPatches, OnAGpu) { GTEST_SKIP() << "no CUDA"; }

#else

#include "Passes.hpp"

#include <cuda/temporal/PatchPlan.hpp>
#include <model/GridProblem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Test {
namespace {

/// One pass of each kernel for patches, bit for bit with single sweeps: one patch and many, any depth, rows that begin
/// anywhere or not, faces of each kind that leaves the bits as they are, ranges that end within the View.
template <class T>
void pass_of_patches(ValueType type) {
  SingleSweeps const single;
  int const room = shared_bytes();
  ASSERT_GT(room, 0);
  using Axis = std::array<Face, 2>;
  Axis const halo{{Face::halo(), Face::halo()}}, periodic{{Face::periodic(), Face::periodic()}},
      value{{Face::value(0.5), Face::value(2.0)}};
  std::vector<std::array<Axis, 2>> const rules{{{halo, halo}},      {{periodic, periodic}}, {{value, value}},
                                               {{value, periodic}}, {{halo, value}},        {{periodic, halo}}};
  std::vector<std::array<std::int64_t, 2>> const extents{{{300, 512}}, {{201, 333}}, {{40, 61}}};
  int kernels        = 0;
  auto const* kernel = Cuda::Temporal::kernels<Cuda::Temporal::PatchArgs, KernelType<T>>();
  for (Cuda::Temporal::PatchTuning const& k : Cuda::Temporal::patch_table(type)) {
    Cuda::Temporal::Kernel<Cuda::Temporal::PatchArgs> const& compiled = *kernel++;
    if (k.shared_bytes(size_of(type)) > room) continue;
    ++kernels;
    ASSERT_EQ(compiled.prepare(room), cudaSuccess);
    auto terms           = terms_of(k.shape);
    std::uint32_t random = 1;
    auto const next = [&] { return static_cast<double>((random = random * 1664525u + 1013904223u) >> 20) / 4096.0; };
    for (KokkosStencil::Term& t : terms) {
      t.coefficient = static_cast<float>((next() - 0.25) / static_cast<double>(terms.size()));
    }
    for (std::size_t which = 0; which < rules.size() * extents.size(); ++which) {
      std::size_t const rule = which % rules.size();
      auto const& extent     = extents[(which + which / rules.size()) % extents.size()];
      // Patches of half_t keep the sums of all sweeps, which are more accurate than what single sweeps store.
      for (int const depth : sizeof(T) < 4 ? std::vector<int>{1} : std::vector<int>{1, 2, k.most_depth()}) {
        Problem p = Model::grid_problem(terms, 2, {{extent[0], extent[1], 1}}, type, Accuracy::reproducible, depth);
        for (std::size_t a = 1; a < 3; ++a) {
          p.faces[a]       = rules[rule][a - 1];
          bool const ghost = p.faces[a][0].kind == BoundaryKind::halo;
          // Every third time a part of the View, from a point that no vector begins with.
          int const within = which % 3 == 2 ? 3 + static_cast<int>(a) : 0;
          p.begin[a]       = (ghost ? k.shape.radius : 0) + within;
          p.end[a]         = p.extent[a] - (ghost ? k.shape.radius : 0) - within / 2;
        }
        bool const aligned = extent[1] % (16 / size_of(type)) == 0;
        auto const args    = Cuda::Temporal::plan_patches(p, k, depth, aligned);
        SCOPED_TRACE(std::to_string(terms.size()) + " terms, " + std::to_string(k.columns_per_lane) + " x " +
                     std::to_string(k.rows_per_warp) + ", depth " + std::to_string(depth) + ", rules " +
                     std::to_string(rule) + ", " + std::to_string(extent[0]) + " x " + std::to_string(extent[1]));
        expect_right_pass<T>(single, compiled, args, p, k.shape, next);
      }
    }
  }
  EXPECT_GT(kernels, 0);
}

TEST(TemporalPatches, PassOfEachKernel) {
  pass_of_patches<float>(ValueType::float32);
  pass_of_patches<double>(ValueType::float64);
  pass_of_patches<Kokkos::Experimental::half_t>(ValueType::float16);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
