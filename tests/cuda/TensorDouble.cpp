// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

// Double on tensor cores: grids that suit its kernels.

#ifndef KOKKOS_ENABLE_CUDA

TEST(TensorDouble, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Exec   = Kokkos::Cuda;
using Plane  = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using Part   = Kokkos::View<double**, Kokkos::LayoutStride, Kokkos::CudaSpace>;
using Policy = StencilPolicy<Exec, 2>;
using Range2 = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<int>>;

/// Integers, with infinities and NaN here and there if `special`; else random.
struct Fill {
  Plane to;
  bool integer, special;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    unsigned long long z = (static_cast<unsigned long long>(i) * to.extent(1) + static_cast<unsigned long long>(j)) *
                           0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    z *= 0x94D049BB133111EBull;
    z ^= z >> 32;
    double v = integer ? static_cast<double>(static_cast<int>(z % 3) - 1)
                       : static_cast<double>(z & 0xffffffffu) / 2147483648.0 - 1.0;
    if (special && (z >> 20) % 9973 == 0) v = (z >> 40 & 1) != 0 ? NAN : INFINITY;
    to(i, j) = v;
  }
};

/// Outputs that differ by more than `least`.
struct Differences {
  Plane a, b;
  double least;
  KOKKOS_FUNCTION void operator()(int i, int j, long& count) const {
    double const x = a(i, j), y = b(i, j);
    bool const same = x == y || (x != x && y != y) || fabs(x - y) <= least;
    if (!same) ++count;
  }
};

struct TensorDouble : testing::Test {
  void SetUp() override {
    for (std::string const& name : backend_names()) {
      if (name == "cuda_tensor_double") return;
    }
    GTEST_SKIP() << "built without the CUDA backends";
  }

  /// A stencil of rows by columns, 0 in the corners.
  static Stencil<double, 2> stencil(int up, int down, int left, int right, bool integer) {
    std::vector<Stencil<double, 2>::Term> terms;
    int n = 0;
    for (int dy = -up; dy <= down; ++dy) {
      for (int dx = -left; dx <= right; ++dx) {
        ++n;
        if (dy == -up && dx == -left && up + left > 2) continue;
        terms.push_back({{dy, dx}, integer ? static_cast<double>(n * 7 % 5 - 2) : std::sin(1.0 * n) / 16.0});
      }
    }
    return Stencil<double, 2>(terms);
  }

  static void compare(Policy const& policy, Stencil<double, 2> const& s, Plane const& source, int pitch, int offset,
                      bool integer, bool special, int shift = 0) {
    auto const ny = source.extent(0), nx = source.extent(1);
    std::size_t const step = (ny + 1) * static_cast<std::size_t>(pitch);
    Kokkos::View<double*, Kokkos::CudaSpace> const memory("memory", 3 * step + 8);
    // The output may lie otherwise than the input, by `shift` elements.
    auto const at = [&](std::size_t k) {
      return Part(memory.data() + k * step + offset + (k > 0 ? shift : 0),
                  Kokkos::LayoutStride(ny, static_cast<std::size_t>(pitch), nx, std::size_t(1)));
    };
    Part const in = at(0), out = at(1), expected = at(2);
    Range2 const all({0, 0}, {static_cast<int>(ny), static_cast<int>(nx)});
    Kokkos::parallel_for("fill", all, Fill{source, integer, special});
    Kokkos::deep_copy(in, source);
    Kokkos::deep_copy(out, 9.0);
    Kokkos::deep_copy(expected, 9.0);
    parallel_for("expected", Policy(policy).backend("generic"), s, in, expected);
    parallel_for("double", Policy(policy).backend("cuda_tensor_double"), s, in, out);
    EXPECT_EQ(last_backend(), "cuda_tensor_double");
    Plane const a("a", ny, nx), b("b", ny, nx);
    Kokkos::deep_copy(a, out);
    Kokkos::deep_copy(b, expected);
    double sum = 0.0;
    for (auto const& t : *s.impl_terms()) sum += std::fabs(t.coefficient);
    // Both keep the bound; no value is larger than 1.
    double const least = integer ? 0.0 : 2.0 * sum * error_bound(s, ValueType::float64);
    long differences   = 0;
    Kokkos::parallel_reduce("compare", all, Differences{a, b, least}, differences);
    EXPECT_EQ(differences, 0);
  }
};

TEST_F(TensorDouble, EveryReachOnEveryGrid) {
  struct Grid {
    int ny, nx;
  };
  struct Reach {
    int up, down, left, right;
  };
  for (Grid const grid : {Grid{301, 261}, Grid{67, 1001}, Grid{40, 37}, Grid{20, 21}, Grid{2100, 129}}) {
    for (Reach const r : {Reach{1, 1, 1, 1}, Reach{3, 3, 3, 3}, Reach{3, 2, 8, 8}, Reach{4, 4, 4, 4}, Reach{0, 7, 8, 1},
                          Reach{5, 5, 5, 5}, Reach{6, 6, 6, 6}, Reach{7, 7, 7, 7}}) {
      for (int const offset : {0, 1, 2}) {
        SCOPED_TRACE(std::to_string(grid.ny) + " x " + std::to_string(grid.nx) + ", offset " + std::to_string(offset) +
                     ", reach " + std::to_string(r.up) + " " + std::to_string(r.right));
        Plane const source("source", static_cast<std::size_t>(grid.ny), static_cast<std::size_t>(grid.nx));
        int const pitch  = (grid.nx + 5) / 2 * 2;
        auto const exact = stencil(r.up, r.down, r.left, r.right, true);
        auto const real  = stencil(r.up, r.down, r.left, r.right, false);
        compare(Policy().boundary(Boundary<2>::periodic()), exact, source, pitch, offset, true, false);
        compare(Policy().boundary(Boundary<2>::mirror()), real, source, pitch, offset, false, false);
        compare(Policy().boundary(Boundary<2>::periodic()), exact, source, pitch, offset, true, false, 1);
        if (grid.ny < 40) continue;
        compare(Policy(), exact, source, pitch, offset, true, true);
        compare(Policy(Exec(), {9, 11}, {grid.ny - 8, grid.nx - 10}), exact, source, pitch, offset, true, true);
      }
    }
  }
}

TEST_F(TensorDouble, PlanesOfASpace) {
  using Space = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  Space const in("in", 5, 61, 140), out("out", 5, 61, 140), expected("expected", 5, 61, 140);
  auto const flat = [](Space const& v) { return Plane(v.data(), 5 * 61, 140); };
  std::vector<Stencil<double, 3>::Term> terms;
  for (auto const& t : stencil(5, 4, 6, 7, true).terms()) {
    terms.push_back({{0, t.offset[0], t.offset[1]}, t.coefficient});
  }
  Stencil<double, 3> const s(terms);
  Range2 const all({0, 0}, {5 * 61, 140});
  StencilPolicy<Exec, 3> const everywhere, part(Exec(), {1, 6, 9}, {4, 55, 131});
  for (auto const& policy : {everywhere, part}) {
    Kokkos::parallel_for("fill", all, Fill{flat(in), true, true});
    Kokkos::deep_copy(out, 9.0);
    Kokkos::deep_copy(expected, 9.0);
    auto forced = policy;
    parallel_for("expected", forced.backend("generic"), s, in, expected);
    parallel_for("double", forced.backend("cuda_tensor_double"), s, in, out);
    EXPECT_EQ(last_backend(), "cuda_tensor_double");
    long differences = 0;
    Kokkos::parallel_reduce("compare", all, Differences{flat(out), flat(expected), 0.0}, differences);
    EXPECT_EQ(differences, 0);
  }
}

TEST_F(TensorDouble, TheSameBitsFromRunToRun) {
  Plane const in("in", 900, 1100), a("a", 900, 1100), b("b", 900, 1100);
  Range2 const all({0, 0}, {900, 1100});
  Kokkos::parallel_for("fill", all, Fill{in, false, false});
  auto const s = stencil(7, 7, 7, 7, false);
  parallel_for("first", Policy().backend("cuda_tensor_double"), s, in, a);
  parallel_for("second", Policy().backend("cuda_tensor_double"), s, in, b);
  long differences = 0;
  Kokkos::parallel_reduce("compare", all, Differences{a, b, 0.0}, differences);
  EXPECT_EQ(differences, 0);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
