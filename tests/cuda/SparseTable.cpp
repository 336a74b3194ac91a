// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

// Arbitrary patterns on the table-driven kernel, which has to agree with the generic backend.

#ifndef KOKKOS_ENABLE_CUDA

TEST(SparseTable, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Half   = Kokkos::Experimental::half_t;
using Bfloat = Kokkos::Experimental::bhalf_t;
using Exec   = Kokkos::Cuda;

template <class T>
using Memory = Kokkos::View<T*, Kokkos::CudaSpace>;
template <class T, int Rank>
using Part = Kokkos::View<std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>,
                          Kokkos::LayoutStride, Kokkos::CudaSpace>;
template <int Rank>
using Policy = StencilPolicy<Exec, Rank>;

/// -1, 0 and 1, or anything up to 1; infinities and NaN here and there if `special`.
template <class T>
struct Fill {
  Memory<T> to;
  bool integer, special;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    unsigned long long z = i * 0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    float value =
        integer ? static_cast<float>(static_cast<int>(z % 3) - 1) : static_cast<float>(z % 2001) / 1000.0f - 1.0f;
    if (special && (z >> 20) % 9973 == 0) value = (z >> 40 & 1) != 0 ? NAN : INFINITY;
    to(i) = T(value);
  }
};

/// Elements that differ by more than `least` and `relative` of their size.
template <class T>
struct Differences {
  Memory<T> a, b;
  float least, relative;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& count) const {
    auto const x = static_cast<float>(a(i)), y = static_cast<float>(b(i));
    bool const same = x == y || (x != x && y != y) || fabsf(x - y) <= least + relative * fabsf(y);
    if (!same) ++count;
  }
};

template <class T, int Rank>
Part<T, Rank> part(Memory<T> const& memory, std::array<std::size_t, 3> const& n, std::size_t pitch,
                   std::size_t offset) {
  std::size_t const rows = Rank == 3 ? n[1] : 1;
  Kokkos::LayoutStride layout;
  if (Rank == 1) layout = Kokkos::LayoutStride(n[2], 1);
  if (Rank == 2) layout = Kokkos::LayoutStride(n[1], pitch, n[2], 1);
  if (Rank == 3) layout = Kokkos::LayoutStride(n[0], rows * pitch, n[1], pitch, n[2], 1);
  return Part<T, Rank>(memory.data() + offset, layout);
}

/// The backend against the generic one on n[3 - Rank], ... points; what is not written stays as it was. `offsets` of
/// input and output from an aligned address.
template <class T, int Rank>
void compare(Policy<Rank> const& policy, Stencil<float, Rank> const& stencil, std::array<std::size_t, 3> const& n,
             std::array<std::size_t, 2> const& offsets, bool integer, bool special) {
  std::size_t const pitch = (n[2] + 15) / 8 * 8, size = (Rank == 3 ? n[0] : 1) * (Rank > 1 ? n[1] : 1) * pitch + 16;
  Memory<T> const a("a", size), b("b", size), c("c", size);
  Kokkos::RangePolicy<Exec> const all(0, size);
  Kokkos::parallel_for("fill", all, Fill<T>{a, integer, special});
  Kokkos::deep_copy(b, T(9.0f));
  Kokkos::deep_copy(c, T(9.0f));
  auto const in = part<T, Rank>(a, n, pitch, offsets[0]), out = part<T, Rank>(b, n, pitch, offsets[1]),
             expected = part<T, Rank>(c, n, pitch, offsets[1]);
  auto forced         = policy;
  parallel_for("expected", forced.backend("generic"), stencil, in, expected);
  parallel_for("table", forced.backend("cuda_sparse_table"), stencil, in, out);
  EXPECT_EQ(last_backend(), "cuda_sparse_table");
  double sum = 0.0;
  for (auto const& t : *stencil.impl_terms()) sum += std::fabs(t.coefficient);
  // Both within the bound of exact sums, no value larger than 1, and each rounded once.
  auto const type      = std::is_same<T, Half>::value ? ValueType::float16 : ValueType::bfloat16;
  float const rounding = integer ? 0.0f : type == ValueType::float16 ? 1.0f / 1024 : 1.0f / 128;
  float const least    = integer ? 0.0f : static_cast<float>(3e-5 * sum);
  long wrong           = 0;
  Kokkos::parallel_reduce("compare", all, Differences<T>{b, c, least, rounding}, wrong);
  EXPECT_EQ(wrong, 0) << (special ? "with infinities and NaN" : "with finite values");
}

/// Some of the points within a reach, none of them needed, small integers or anything as coefficients.
template <int Rank>
Stencil<float, Rank> pattern(std::array<int, 3> const& lower, std::array<int, 3> const& upper, unsigned percent,
                             bool integer, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<typename Stencil<float, Rank>::Term> terms;
  for (int z = lower[0]; z <= upper[0]; ++z) {
    for (int y = lower[1]; y <= upper[1]; ++y) {
      for (int x = lower[2]; x <= upper[2]; ++x) {
        bool const last = z == upper[0] && y == upper[1] && x == upper[2];
        if (engine() % 100 >= percent && !(last && terms.empty())) continue;
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

struct SparseTable : testing::Test {
  void SetUp() override {
    for (std::string const& name : backend_names()) {
      if (name == "cuda_sparse_table") return;
    }
    GTEST_SKIP() << "built without the CUDA backends";
  }

  template <int Rank>
  void every_way(std::array<int, 3> const& lower, std::array<int, 3> const& upper, unsigned percent, unsigned seed,
                 std::array<std::size_t, 3> const& n, Policy<Rank> const& part_of) {
    SCOPED_TRACE("reach " + std::to_string(lower[0]) + " " + std::to_string(lower[1]) + " " + std::to_string(lower[2]) +
                 " to " + std::to_string(upper[0]) + " " + std::to_string(upper[1]) + " " + std::to_string(upper[2]) +
                 ", seed " + std::to_string(seed));
    auto const exact = pattern<Rank>(lower, upper, percent, true, seed);
    auto const real  = pattern<Rank>(lower, upper, percent, false, seed);
    compare<Half, Rank>(Policy<Rank>(), exact, n, {0, 0}, true, true);
    compare<Bfloat, Rank>(Policy<Rank>(), exact, n, {0, 0}, true, true);
    compare<Half, Rank>(part_of, exact, n, {3, 1}, true, true);
    compare<Half, Rank>(Policy<Rank>().boundary(Boundary<Rank>::periodic()), exact, n, {8, 4}, true, false);
    compare<Half, Rank>(Policy<Rank>().boundary(Boundary<Rank>::mirror()), real, n, {0, 0}, false, false);
    compare<Bfloat, Rank>(part_of, real, n, {1, 6}, false, false);
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
  compare<Half, 3>(Policy<3>(), box, {331, 300, 400}, {0, 0}, true, true);
  compare<Half, 3>(Policy<3>(), pattern<3>({-2, -2, -2}, {2, 2, 2}, 100, false, 1), {331, 300, 400}, {0, 0}, false,
                   false);
  compare<Half, 2>(Policy<2>(), pattern<2>({0, -7, -7}, {0, 7, 7}, 100, false, 2), {1, 4001, 3000}, {0, 0}, false,
                   false);
}

TEST_F(SparseTable, CoefficientsOfManySizes) {
  // A Gaussian's corners are small; scaled, its second parts do not underflow.
  std::vector<float> weights;
  for (int y = -7; y <= 7; ++y) {
    for (int x = -7; x <= 7; ++x) weights.push_back(std::exp(-0.07f * static_cast<float>(y * y + x * x)) / 45.0f);
  }
  compare<Half, 2>(Policy<2>(), box<2>(7, weights), {1, 301, 1300}, {0, 0}, false, false);
}

TEST_F(SparseTable, SaysWhatItCannotRun) {
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::CudaSpace> const f("f", 64, 64), g("g", 64, 64);
  auto const s = star<2>(1, std::vector<float>{1.0f, 1.0f});
  EXPECT_THROW(parallel_for("float", Policy<2>().backend("cuda_sparse_table"), s, f, g), std::exception);
  Kokkos::View<Half**, Kokkos::LayoutRight, Kokkos::CudaSpace> const h("h", 64, 67), k("k", 64, 67);
  EXPECT_THROW(parallel_for("pitch", Policy<2>().backend("cuda_sparse_table"), s, h, k), std::exception);
  Kokkos::View<Half**, Kokkos::LayoutRight, Kokkos::CudaSpace> const u("u", 64, 64), v("v", 64, 64);
  EXPECT_THROW(parallel_for("bits", Policy<2>().accuracy(Accuracy::reproducible).backend("cuda_sparse_table"), s, u, v),
               std::exception);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
