// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Float on tensor cores: the contract on data of every range, and grids that suit its kernels.

#ifndef KOKKOS_ENABLE_CUDA

TEST(TensorFloat, OnAGpu) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Exec = Kokkos::Cuda;
template <class T>
using Plane  = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using Policy = StencilPolicy<Exec, 2>;

enum class Kind {
  integers,  ///< -1, 0 and 1
  specials,  ///< the same with infinities and NaN here and there
  uniform,
  wide,      ///< magnitudes from 1e-4 to 1e4 side by side
  decays,    ///< by 1e-10 from the first row to the last
  vanishes,  ///< by 1e-36
  grows,     ///< by 1e20, from zero rows
  steps,     ///< from 1 to 1e-9 in the middle of a row
  spikes,    ///< a few values among zeros
  tiny       ///< 1e-30
};

char const* name_of(Kind kind) {
  constexpr char const* names[] = {"integers", "specials", "uniform", "wide",   "decays",
                                   "vanishes", "grows",    "steps",   "spikes", "tiny"};
  return names[static_cast<int>(kind)];
}

struct Fill {
  Plane<float> to;
  Kind kind;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    unsigned long long z = (static_cast<unsigned long long>(i) * to.extent(1) + static_cast<unsigned long long>(j)) *
                           0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    z *= 0x94D049BB133111EBull;
    z ^= z >> 32;
    double const u = static_cast<double>(z & 0xffffffu) / 8388608.0 - 1.0;
    double const w = static_cast<double>(z >> 24 & 0xffffffu) / 16777216.0;
    double const y = static_cast<double>(i) / static_cast<double>(to.extent(0));
    double v       = u;
    switch (kind) {
      case Kind::integers: v = static_cast<double>(static_cast<int>(z % 3) - 1); break;
      case Kind::specials:
        v = static_cast<double>(static_cast<int>(z % 3) - 1);
        if ((z >> 20) % 9973 == 0) v = (z >> 40 & 1) != 0 ? NAN : INFINITY;
        break;
      case Kind::uniform: break;
      case Kind::wide: v = (u < 0 ? -1.0 : 1.0) * pow(10.0, 8.0 * w - 4.0); break;
      case Kind::decays: v = (1.5 + 0.5 * u) * pow(10.0, -10.0 * y); break;
      case Kind::vanishes: v = u * pow(10.0, -36.0 * y); break;
      case Kind::grows: v = y < 0.3 ? 0.0 : u * pow(10.0, 20.0 * y); break;
      case Kind::steps: v = 2 * static_cast<std::size_t>(j) < to.extent(1) ? u : 1e-9 * u; break;
      case Kind::spikes: v = (z >> 50) % 977 == 0 ? u : 0.0; break;
      case Kind::tiny: v = 1e-30 * u; break;
    }
    to(i, j) = static_cast<float>(v);
  }
};

struct Widen {
  Plane<float> from;
  Plane<double> to;
  bool magnitude;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    double const v = static_cast<double>(from(i, j));
    to(i, j)       = magnitude ? fabs(v) : v;
  }
};

/// Largest error over S; below `least` S counts as that.
struct Error {
  Plane<float> got;
  Plane<double> exact, magnitude;
  double least;
  KOKKOS_FUNCTION void operator()(int i, int j, double& worst) const {
    double const s = magnitude(i, j) > least ? magnitude(i, j) : least;
    double const e = fabs(static_cast<double>(got(i, j)) - exact(i, j)) / s;
    if (!(e <= worst)) worst = e <= 1e300 ? e : 1e300;
  }
};

/// Points whose error is more than `bound` times S and a little more, where numbers are no longer normal.
struct Beyond {
  Plane<float> got;
  Plane<double> exact, magnitude;
  double bound, more;
  KOKKOS_FUNCTION void operator()(int i, int j, long& count) const {
    double const e = fabs(static_cast<double>(got(i, j)) - exact(i, j));
    if (!(e <= bound * magnitude(i, j) + more)) ++count;
  }
};

struct Times {
  Plane<float> of;
  float by;
  KOKKOS_FUNCTION void operator()(int i, int j) const { of(i, j) *= by; }
};

struct Differences {
  Plane<float> a, b;
  KOKKOS_FUNCTION void operator()(int i, int j, long& count) const {
    float const x = a(i, j), y = b(i, j);
    if (!(x == y || (x != x && y != y))) ++count;
  }
};

using Range2 = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<int>>;

template <class V>
Range2 all_of(V const& view) {
  return Range2({0, 0}, {static_cast<int>(view.extent(0)), static_cast<int>(view.extent(1))});
}

std::vector<double> random_weights(int radius, unsigned seed) {
  std::mt19937 engine(seed);
  std::vector<double> weights(static_cast<std::size_t>((2 * radius + 1) * (2 * radius + 1)));
  for (double& w : weights) {
    w = static_cast<double>(static_cast<float>(static_cast<int>(engine() % 2000001u) - 1000000) * 1e-7f);
  }
  return weights;
}

template <class T>
Stencil<T, 2> box_of(int radius, std::vector<double> const& weights) {
  return box<2>(radius, std::vector<T>(weights.begin(), weights.end()));
}

/// Integers, so that every result is exact; every other row and column is left out for an odd radius.
Stencil<float, 2> integer_box(int radius) {
  std::vector<float> weights;
  for (int i = 0; i < (2 * radius + 1) * (2 * radius + 1); ++i) {
    weights.push_back(radius % 2 == 1 && i % 2 == 1 ? 0.0f : static_cast<float>(i * 7 % 5 - 2));
  }
  weights[weights.size() / 2] = 1.0f;
  return box<2>(radius, weights);
}

struct TensorFloat : testing::Test {
  void SetUp() override {
    for (std::string const& name : backend_names()) {
      if (name == "cuda_tensor_float") return;
    }
    GTEST_SKIP() << "built without the CUDA backends";
  }

  static void run(Policy policy, Stencil<float, 2> const& stencil, Plane<float> const& in, Plane<float> const& out,
                  char const* backend) {
    parallel_for("tensor float", policy.backend(backend), stencil, in, out);
    EXPECT_EQ(last_backend(), backend);
  }
};

TEST_F(TensorFloat, KeepsTheContractOnDataOfAnyRange) {
  int const ny = 1201, nx = 1036;
  Plane<float> const in("in", ny, nx), out("out", ny, nx), plain("plain", ny, nx);
  Plane<double> const wide_in("wide in", ny, nx), exact("exact", ny, nx), magnitude("magnitude", ny, nx);
  for (int const radius : {2, 3, 4, 5, 6, 7}) {
    auto const weights = random_weights(radius, 3);
    auto magnitudes    = weights;
    for (double& w : magnitudes) w = std::fabs(w);
    auto const stencil = box_of<float>(radius, weights);
    for (Kind const kind : {Kind::uniform, Kind::wide, Kind::decays, Kind::vanishes, Kind::grows, Kind::steps,
                            Kind::spikes, Kind::tiny}) {
      Kokkos::parallel_for("fill", all_of(in), Fill{in, kind});
      auto const policy = Policy().boundary(Boundary<2>::periodic());
      Kokkos::parallel_for("widen", all_of(in), Widen{in, wide_in, true});
      parallel_for("S", policy.backend("generic"), box_of<double>(radius, magnitudes), wide_in, magnitude);
      Kokkos::parallel_for("widen", all_of(in), Widen{in, wide_in, false});
      parallel_for("exact", policy.backend("generic"), box_of<double>(radius, weights), wide_in, exact);
      auto const error = [&](Plane<float> const& got) {
        double worst = 0.0;
        // Where S is near the smallest normal float, rounding is no longer relative.
        Kokkos::parallel_reduce("error", all_of(in), Error{got, exact, magnitude, 1e-36}, Kokkos::Max<double>(worst));
        return worst;
      };
      run(policy, stencil, in, plain, "generic");
      double const allowed = 2.0 * error(plain) + std::ldexp(1.0, -24);
      for (Accuracy const accuracy : {Accuracy::native, Accuracy::relaxed}) {
        SCOPED_TRACE(std::string("radius ") + std::to_string(radius) + ", " + name_of(kind) + ", " +
                     to_string(accuracy));
        Kokkos::deep_copy(out, NAN);
        run(Policy(policy).accuracy(accuracy), stencil, in, out, "cuda_tensor_float");
        double const worst = error(out);
        EXPECT_LE(worst, error_bound(stencil, ValueType::float32, accuracy));
        if (accuracy == Accuracy::native) {
          EXPECT_LE(worst, allowed);
        }
        Kokkos::deep_copy(plain, NAN);
        run(Policy(policy).accuracy(accuracy), stencil, in, plain, "cuda_tensor_float");
        long differences = 0;
        Kokkos::parallel_reduce("again", all_of(in), Differences{out, plain}, differences);
        EXPECT_EQ(differences, 0) << "from run to run";
      }
    }
  }
}

TEST_F(TensorFloat, SmallCoefficientsOnSmallData) {
  int const ny = 120, nx = 260;
  Plane<float> const in("in", ny, nx), out("out", ny, nx);
  Plane<double> const wide_in("wide in", ny, nx), exact("exact", ny, nx), magnitude("magnitude", ny, nx);
  auto weights = random_weights(3, 5);
  for (double& w : weights) w = std::ldexp(w, -12);
  auto magnitudes = weights;
  for (double& w : magnitudes) w = std::fabs(w);
  auto const stencil = box_of<float>(3, weights);
  auto const policy  = Policy().boundary(Boundary<2>::periodic());
  for (int const log2 : {-90, -105, -110, -116, -126, -140}) {
    Kokkos::parallel_for("fill", all_of(in), Fill{in, Kind::uniform});
    Kokkos::parallel_for("shrink", all_of(in), Times{in, static_cast<float>(std::ldexp(1.0, log2))});
    Kokkos::parallel_for("widen", all_of(in), Widen{in, wide_in, true});
    parallel_for("S", policy.backend("generic"), box_of<double>(3, magnitudes), wide_in, magnitude);
    Kokkos::parallel_for("widen", all_of(in), Widen{in, wide_in, false});
    parallel_for("exact", policy.backend("generic"), box_of<double>(3, weights), wide_in, exact);
    for (Accuracy const accuracy : {Accuracy::native, Accuracy::relaxed}) {
      SCOPED_TRACE("2^" + std::to_string(log2) + ", " + to_string(accuracy));
      Kokkos::deep_copy(out, NAN);
      run(Policy(policy).accuracy(accuracy), stencil, in, out, "cuda_tensor_float");
      long beyond        = 0;
      double const bound = error_bound(stencil, ValueType::float32, accuracy), more = std::ldexp(50.0, -149);
      Kokkos::parallel_reduce("beyond", all_of(in), Beyond{out, exact, magnitude, bound, more}, beyond);
      EXPECT_EQ(beyond, 0);
    }
  }
}

TEST_F(TensorFloat, IntegersAreExactOnEveryGrid) {
  struct Grid {
    int ny, nx;
  };
  for (Grid const grid : {Grid{301, 264}, Grid{67, 1000}, Grid{40, 36}, Grid{20, 20}, Grid{2100, 132}}) {
    // A row of slack for offsets of the first element that are no multiple of 16 bytes.
    int const pitch = grid.nx + 4;
    Kokkos::View<float*, Kokkos::CudaSpace> const memory("memory", static_cast<std::size_t>(3 * (grid.ny + 1) * pitch));
    for (int const offset : {0, 1, 6}) {
      auto const at = [&](int k) {
        float* const first = memory.data() + static_cast<std::ptrdiff_t>(k) * (grid.ny + 1) * pitch + offset;
        return Kokkos::View<float**, Kokkos::LayoutStride, Kokkos::CudaSpace>(
            first, Kokkos::LayoutStride(static_cast<std::size_t>(grid.ny), static_cast<std::size_t>(pitch),
                                        static_cast<std::size_t>(grid.nx - 3), 1));
      };
      auto const in = at(0), out = at(1), expected = at(2);
      Plane<float> const source("source", grid.ny, grid.nx - 3);
      for (int const radius : {1, 2, 3, 4, 5, 6, 7}) {
        for (Kind const kind : {Kind::integers, Kind::specials}) {
          Kokkos::parallel_for("fill", all_of(source), Fill{source, kind});
          Kokkos::deep_copy(in, source);
          std::vector<Policy> policies{Policy(), Policy().boundary(Boundary<2>::periodic()),
                                       Policy().boundary(Boundary<2>::mirror())};
          if (grid.ny > 40) policies.push_back(Policy(Exec(), {9, 11}, {grid.ny - 8, grid.nx - 14}));
          for (Policy const& policy : policies) {
            for (Accuracy const accuracy : {Accuracy::native, Accuracy::relaxed}) {
              if (accuracy == Accuracy::native && integer_box(radius).size() < 16) continue;
              if (&policy == &policies[0] && grid.ny <= 2 * radius) continue;
              SCOPED_TRACE(std::to_string(grid.ny) + " x " + std::to_string(grid.nx - 3) + ", offset " +
                           std::to_string(offset) + ", radius " + std::to_string(radius) + ", " + name_of(kind) + ", " +
                           to_string(accuracy));
              Kokkos::deep_copy(out, 9.0f);
              Kokkos::deep_copy(expected, 9.0f);
              parallel_for("expected", Policy(policy).backend("generic"), integer_box(radius), in, expected);
              parallel_for("float", Policy(policy).accuracy(accuracy).backend("cuda_tensor_float"), integer_box(radius),
                           in, out);
              Plane<float> const a("a", grid.ny, grid.nx - 3), b("b", grid.ny, grid.nx - 3);
              Kokkos::deep_copy(a, out);
              Kokkos::deep_copy(b, expected);
              long differences = 0;
              Kokkos::parallel_reduce("compare", all_of(a), Differences{a, b}, differences);
              EXPECT_EQ(differences, 0);
            }
          }
        }
      }
    }
  }
}

TEST_F(TensorFloat, PlanesOfASpace) {
  using Space = Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  Space const in("in", 7, 83, 148), out("out", 7, 83, 148), expected("expected", 7, 83, 148);
  std::vector<Stencil<float, 3>::Term> terms;
  for (int dy = -2; dy <= 3; ++dy) {
    for (int dx = -5; dx <= 7; ++dx) terms.push_back({{0, dy, dx}, static_cast<float>((5 * dy + dx) % 4 + 1)});
  }
  Stencil<float, 3> const stencil(terms);
  Plane<float> const flat(in.data(), 7 * 83, 148), a(out.data(), 7 * 83, 148), b(expected.data(), 7 * 83, 148);
  Kokkos::parallel_for("fill", all_of(flat), Fill{flat, Kind::specials});
  auto const policy = StencilPolicy<Exec, 3>().boundary(Boundary<3>::edge());
  for (Accuracy const accuracy : {Accuracy::native, Accuracy::relaxed}) {
    Kokkos::deep_copy(out, 9.0f);
    parallel_for("expected", StencilPolicy<Exec, 3>(policy).backend("generic"), stencil, in, expected);
    parallel_for("float", StencilPolicy<Exec, 3>(policy).accuracy(accuracy).backend("cuda_tensor_float"), stencil, in,
                 out);
    long differences = 0;
    Kokkos::parallel_reduce("compare", all_of(a), Differences{a, b}, differences);
    EXPECT_EQ(differences, 0) << to_string(accuracy);
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
