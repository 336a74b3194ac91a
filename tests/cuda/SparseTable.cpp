// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

// Arbitrary patterns on the table-driven kernel, which has to agree with the generic backend.

#ifndef KOKKOS_ENABLE_CUDA

TEST(SparseTable, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

#include "Contract.hpp"

namespace KokkosStencil {
namespace Test {
namespace {

using Half   = Kokkos::Experimental::half_t;
using Bfloat = Kokkos::Experimental::bhalf_t;
using Exec   = Kokkos::Cuda;

template <int Rank>
using Policy = StencilPolicy<Exec, Rank>;

/// Elements that differ.
template <class T>
struct Differences {
  Memory<T> a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& count) const {
    auto const x = static_cast<float>(a(i)), y = static_cast<float>(b(i));
    bool const same = x == y || (x != x && y != y);
    if (!same) ++count;
  }
};

/// The backend against the generic one on n[3 - Rank], ... points, for equality; what is not written stays as it was.
/// `offsets` of input and output from an aligned address.
template <class T, int Rank>
void compare(Policy<Rank> const& policy, Stencil<float, Rank> const& stencil, std::array<std::size_t, 3> const& n,
             std::array<std::size_t, 2> const& offsets, bool special) {
  Grid<Rank> const grid(n);
  Memory<T> const a("a", grid.size), b("b", grid.size), c("c", grid.size);
  Kokkos::RangePolicy<Exec> const all(0, grid.size);
  Kokkos::parallel_for("fill", all, Fill<T>{a, Values::integer, special});
  Kokkos::deep_copy(b, T(9.0f));
  Kokkos::deep_copy(c, T(9.0f));
  auto const in = grid.view(a, offsets[0]), out = grid.view(b, offsets[1]), expected = grid.view(c, offsets[1]);
  auto forced = policy;
  parallel_for("expected", forced.backend("generic"), stencil, in, expected);
  parallel_for("table", forced.backend("cuda_sparse_table"), stencil, in, out);
  EXPECT_EQ(last_backend(), "cuda_sparse_table");
  long wrong = 0;
  Kokkos::parallel_reduce("compare", all, Differences<T>{b, c}, wrong);
  EXPECT_EQ(wrong, 0) << (special ? "with infinities and NaN" : "with finite values");
}

/// The same for coefficients and values that are not exact, by the contract.
template <class T, int Rank>
void contract(Policy<Rank> const& policy, Stencil<float, Rank> const& stencil, std::array<std::size_t, 3> const& n,
              std::array<std::size_t, 2> const& offsets) {
  keeps_contract<T, Rank>("cuda_sparse_table", policy, stencil, n, offsets, Values::uniform, false);
}

/// Some of those points within a reach that are `among` the pattern, none of them needed, small integers or anything as
/// coefficients.
template <int Rank, class Among>
Stencil<float, Rank> pattern(std::array<int, 3> const& lower, std::array<int, 3> const& upper, unsigned percent,
                             bool integer, unsigned seed, Among among) {
  std::mt19937 engine(seed);
  std::vector<typename Stencil<float, Rank>::Term> terms;
  for (int z = lower[0]; z <= upper[0]; ++z) {
    for (int y = lower[1]; y <= upper[1]; ++y) {
      for (int x = lower[2]; x <= upper[2]; ++x) {
        bool const last = z == upper[0] && y == upper[1] && x == upper[2];
        if (!among(z, y, x) || (engine() % 100 >= percent && !(last && terms.empty()))) continue;
        typename Stencil<float, Rank>::Term t{};
        std::array<int, 3> const offset{{z, y, x}};
        for (int a = 0; a < Rank; ++a)
          t.offset[static_cast<std::size_t>(a)] = offset[static_cast<std::size_t>(a + 3 - Rank)];
        float const some = static_cast<float>(engine() % 1000) / 1000.0f + 0.1f;
        t.coefficient    = integer ? static_cast<float>(static_cast<int>(engine() % 2) * 2 - 1) : some / 4.0f;
        terms.push_back(t);
      }
    }
  }
  return Stencil<float, Rank>(terms);
}

struct Anywhere {
  bool operator()(int, int, int) const { return true; }
};

struct OnAxes {
  bool operator()(int z, int y, int x) const { return (z != 0) + (y != 0) + (x != 0) <= 1; }
};

template <int Rank>
Stencil<float, Rank> pattern(std::array<int, 3> const& lower, std::array<int, 3> const& upper, unsigned percent,
                             bool integer, unsigned seed) {
  return pattern<Rank>(lower, upper, percent, integer, seed, Anywhere());
}

struct SparseTable : testing::Test {
  void SetUp() override {
    for (std::string const& name : backend_names()) {
      if (name == "cuda_sparse_table") return;
    }
    GTEST_SKIP() << "built without the CUDA backends";
  }

  template <int Rank, class Among = Anywhere>
  void every_way(std::array<int, 3> const& lower, std::array<int, 3> const& upper, unsigned percent, unsigned seed,
                 std::array<std::size_t, 3> const& n, Policy<Rank> const& part_of, Among among = Among()) {
    SCOPED_TRACE("reach " + std::to_string(lower[0]) + " " + std::to_string(lower[1]) + " " + std::to_string(lower[2]) +
                 " to " + std::to_string(upper[0]) + " " + std::to_string(upper[1]) + " " + std::to_string(upper[2]) +
                 ", seed " + std::to_string(seed));
    auto const exact = pattern<Rank>(lower, upper, percent, true, seed, among);
    auto const real  = pattern<Rank>(lower, upper, percent, false, seed, among);
    compare<Half, Rank>(Policy<Rank>(), exact, n, {0, 0}, true);
    compare<Bfloat, Rank>(Policy<Rank>(), exact, n, {0, 0}, true);
    compare<Half, Rank>(part_of, exact, n, {3, 1}, true);
    compare<Half, Rank>(Policy<Rank>().boundary(Boundary<Rank>::periodic()), exact, n, {8, 4}, false);
    contract<Half, Rank>(Policy<Rank>().boundary(Boundary<Rank>::mirror()), real, n, {0, 0});
    contract<Bfloat, Rank>(part_of, real, n, {1, 6});
  }
};

TEST_F(SparseTable, PatternsInThreeDimensions) {
  Policy<3> const some(Exec(), {6, 7, 9}, {60, 71, 230});
  for (unsigned seed = 0; seed < 4; ++seed) {
    every_way<3>({-1, -1, -1}, {1, 1, 1}, 40, seed, {67, 83, 261}, some);
    every_way<3>({-2, -2, -2}, {2, 2, 2}, 100 - 20 * seed, seed, {67, 83, 261}, some);
    every_way<3>({0, -3, -8}, {3, 0, 2}, 20, seed, {67, 83, 261}, some);
    every_way<3>({-4, 0, 0}, {2, 5, 7}, 10, seed, {67, 83, 261}, some);
  }
  every_way<3>({-6, -6, -6}, {6, 6, 6}, 3, 9, {67, 83, 261}, some);
  // A plane's pattern, and one along the slowest axis only.
  every_way<3>({0, -3, -3}, {0, 3, 3}, 70, 10, {67, 83, 261}, some);
  every_way<3>({-8, 0, 0}, {8, 0, 0}, 100, 11, {67, 83, 261}, Policy<3>(Exec(), {8, 7, 9}, {59, 71, 230}));
}

TEST_F(SparseTable, FarReaches) {
  // Too far for tables and all planes in shared memory; of a star, far planes have a few rows only.
  Policy<3> const some(Exec(), {19, 17, 21}, {49, 61, 230});
  every_way<3>({-5, -5, -5}, {5, 5, 5}, 100, 1, {67, 83, 261}, some);
  every_way<3>({-7, -7, -7}, {7, 7, 7}, 100, 2, {67, 83, 261}, some);
  every_way<3>({-8, -8, -8}, {8, 8, 8}, 30, 3, {67, 83, 261}, some);
  for (int const r : {9, 12, 15, 16}) {
    every_way<3>({-r, -r, -r}, {r, r, r}, 100, 4, {67, 83, 261}, some, OnAxes());
  }
  // Wide planes that are not in the middle; several chunks of planes.
  auto const lopsided = [](int z, int y, int x) {
    return z >= 1 && z <= 4 ? x % 3 == 0 : (y == -2 || y == 0) && x < 2;
  };
  every_way<3>({-12, -14, -9}, {11, 13, 4}, 60, 5, {67, 83, 261}, some, lopsided);
  compare<Half, 3>(Policy<3>(), pattern<3>({-16, -16, -16}, {16, 16, 16}, 100, true, 6, OnAxes()), {331, 150, 200},
                   {0, 0}, true);
  every_way<2>({0, -30, -21}, {0, 31, 20}, 100, 7, {1, 311, 1203}, Policy<2>(Exec(), {40, 31}, {270, 1150}));
}

// The same so small that a race checker gets through it.
TEST_F(SparseTable, FarReachesOnSmallGrids) {
  for (bool const star : {false, true}) {
    int const r      = star ? 15 : 7;
    auto const exact = star ? pattern<3>({-r, -r, -r}, {r, r, r}, 100, true, 8, OnAxes())
                            : pattern<3>({-r, -r, -r}, {r, r, r}, 100, true, 8);
    compare<Half, 3>(Policy<3>(), exact, {41, 43, 136}, {0, 0}, true);
    compare<Bfloat, 3>(Policy<3>(), exact, {41, 43, 136}, {3, 1}, true);
  }
}

TEST_F(SparseTable, PatternsInPlanes) {
  Policy<2> const some(Exec(), {9, 11}, {300, 1180});
  for (unsigned seed = 0; seed < 4; ++seed) {
    every_way<2>({0, -1, -1}, {0, 1, 1}, 60, seed, {1, 311, 1203}, some);
    every_way<2>({0, -4, -4}, {0, 4, 4}, 100 - 20 * seed, seed, {1, 311, 1203}, some);
    every_way<2>({0, 0, -9}, {0, 7, 11}, 30, seed, {1, 311, 1203}, some);
  }
  every_way<2>({0, -7, -7}, {0, 7, 7}, 100, 5, {1, 311, 1203}, some);
  every_way<2>({0, -9, 0}, {0, 9, 0}, 100, 6, {1, 311, 1203}, some);
}

TEST_F(SparseTable, PatternsOnLines) {
  Policy<1> const some(Exec(), {1001}, {50123});
  for (unsigned seed = 0; seed < 3; ++seed) {
    every_way<1>({0, 0, -1}, {0, 0, 1}, 100, seed, {1, 1, 70001}, some);
    every_way<1>({0, 0, -20}, {0, 0, 3}, 40, seed, {1, 1, 70001}, some);
    every_way<1>({0, 0, 0}, {0, 0, 33}, 60, seed, {1, 1, 70001}, some);
  }
}

TEST_F(SparseTable, TallGrids) {
  // Several chunks of planes a multiprocessor, and blocks that reach past the ends.
  auto const box = pattern<3>({-2, -2, -2}, {2, 2, 2}, 100, true, 1);
  compare<Half, 3>(Policy<3>(), box, {331, 300, 400}, {0, 0}, true);
  contract<Half, 3>(Policy<3>(), pattern<3>({-2, -2, -2}, {2, 2, 2}, 100, false, 1), {331, 300, 400}, {0, 0});
  contract<Half, 2>(Policy<2>(), pattern<2>({0, -7, -7}, {0, 7, 7}, 100, false, 2), {1, 4001, 3000}, {0, 0});
}

TEST_F(SparseTable, CoefficientsOfManySizes) {
  // A Gaussian's corners are small; scaled, its second parts do not underflow.
  std::vector<float> weights;
  for (int y = -7; y <= 7; ++y) {
    for (int x = -7; x <= 7; ++x) weights.push_back(std::exp(-0.07f * static_cast<float>(y * y + x * x)) / 45.0f);
  }
  contract<Half, 2>(Policy<2>(), box<2>(7, weights), {1, 301, 1300}, {0, 0});
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
