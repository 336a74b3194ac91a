// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#ifdef KOKKOSSTENCIL_WITH_CUDA

#include <cuda/common/UpdateNorm.hpp>
#include <model/GridProblem.hpp>

#include <KokkosStencil_Registry.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

// Sweeps that find their change on their way: against the same sweep without, and the change between both states.

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;

struct Grid {
  char const* name;
  int rank;
  std::vector<KokkosStencil::Term> terms;
  std::array<std::int64_t, 3> extent;
};

std::vector<Grid> grids() {
  return {{"line of radius 1", 1, Model::star(1, 1), {{33554449, 1, 1}}},
          {"line of radius 4", 1, Model::star(1, 4), {{3000017, 1, 1}}},
          {"star of radius 1", 2, Model::star(2, 1), {{1213, 2064, 1}}},
          {"star of radius 2", 2, Model::star(2, 2), {{1213, 2064, 1}}},
          {"box of radius 1", 2, Model::box(2, 1), {{1213, 2064, 1}}},
          {"star of radius 1", 3, Model::star(3, 1), {{75, 133, 264}}}};
}

template <class T>
struct MeasuredSweep : testing::Test {
  using Flat                 = Kokkos::View<T*, Kokkos::CudaSpace>;
  using Host                 = Kokkos::View<T*, Kokkos::HostSpace>;
  static constexpr auto type = Impl::ValueTypeOf<T>::value;

  static Problem problem(Grid const& g, BoundaryKind faces) {
    Problem p = Model::grid_problem(g.terms, g.rank, g.extent, type, Accuracy::native, 1);
    if (faces == BoundaryKind::halo) return p;
    for (std::size_t a = static_cast<std::size_t>(3 - g.rank); a < 3; ++a) {
      p.faces[a][0].kind = p.faces[a][1].kind = faces;
      p.begin[a]                              = 0;
      p.end[a]                                = p.extent[a];
    }
    return p;
  }

  static Host values(Problem const& p) {
    Host const v("values", static_cast<std::size_t>(p.extent[0] * p.extent[1] * p.extent[2]));
    unsigned random = 11;
    for (std::size_t i = 0; i < v.extent(0); ++i) {
      random = 1664525u * random + 1013904223u;
      v(i)   = static_cast<T>(static_cast<float>(random >> 20) / 2048.0f - 1.0f);
    }
    return v;
  }

  static void verify(Problem const& p, Host const& before, Norm norm) {
    SCOPED_TRACE(norm == Norm::max ? "max" : "l2");
    Exec const exec;
    std::string const label = "measured";
    Launch const launch{label, &exec, exec.cuda_stream()};
    SpaceInfo const space = Impl::SpaceTraits<Exec>::info(exec);
    Flat const u("u", before.extent(0)), v("v", before.extent(0)), w("w", before.extent(0));
    for (Flat const& state : {u, v, w}) Kokkos::deep_copy(state, before);
    auto const ready = Impl::find_backend(label, "cuda_direct")->prepare(p, space, launch);
    Cuda::UpdateNorm reducer(p, space.device);
    ASSERT_TRUE(ready->sweep_with_norm(launch, u.data(), v.data(), norm, reducer));
    double const found = reducer.of_sweep(launch, norm, [] {});
    ready->sweep(launch, u.data(), w.data());
    double const between = reducer.between(launch, w.data(), u.data(), true, norm, [] {});
    exec.fence();
    Host const measured("measured", before.extent(0)), plain("plain", before.extent(0));
    Kokkos::deep_copy(measured, v);
    Kokkos::deep_copy(plain, w);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < before.extent(0); ++i) {
      wrong += std::memcmp(&measured(i), &plain(i), sizeof(T)) == 0 ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u);
    if (std::isnan(between)) {
      EXPECT_TRUE(std::isnan(found));
      return;
    }
    EXPECT_GT(between, 0.0);
    // Sums in any order differ from each other by a factor of at most gamma_n each (Higham, 3.1).
    double const rounding =
        norm == Norm::max ? 0.0
                          : between * static_cast<double>(p.points() + 4) * std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(found, between, rounding);
  }
};

using Types = testing::Types<double, float, Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
TYPED_TEST_SUITE(MeasuredSweep, Types, );

TYPED_TEST(MeasuredSweep, IsTheSweepAndItsChange) {
  for (Grid const& g : grids()) {
    for (BoundaryKind const faces : {BoundaryKind::halo, BoundaryKind::periodic, BoundaryKind::mirror}) {
      SCOPED_TRACE(std::string(g.name) + ", rank " + std::to_string(g.rank) + ", " + to_string(faces));
      Problem p         = this->problem(g, faces);
      auto const before = this->values(p);
      // The largest change is in the last column that counts, or outside the range.
      before(before.extent(0) - 2) = static_cast<TypeParam>(50.0f);
      for (Norm const norm : {Norm::max, Norm::rms}) this->verify(p, before, norm);
      for (std::size_t a = static_cast<std::size_t>(3 - g.rank); a < 3; ++a) {
        p.begin[a] += 5;
        p.end[a] -= 7;
      }
      for (Norm const norm : {Norm::max, Norm::rms}) this->verify(p, before, norm);
    }
  }
}

TYPED_TEST(MeasuredSweep, KeepsNaN) {
  for (Grid const& g : grids()) {
    SCOPED_TRACE(std::string(g.name) + ", rank " + std::to_string(g.rank));
    Problem const p              = this->problem(g, BoundaryKind::halo);
    auto const before            = this->values(p);
    before(before.extent(0) / 2) = static_cast<TypeParam>(std::numeric_limits<float>::quiet_NaN());
    for (Norm const norm : {Norm::max, Norm::rms}) this->verify(p, before, norm);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#else

TEST(MeasuredSweep, OnAGpu) { GTEST_SKIP() << "built without CUDA"; }

#endif
