// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// Grids large enough for the kernels of the sparse tensor cores that stream: the suite's grids are too small for them.

#ifndef KOKKOS_ENABLE_CUDA

TEST(SparseTensor, LargeGrids) { GTEST_SKIP() << "this Kokkos has no CUDA"; }

#else

namespace KokkosStencil {
namespace Test {
namespace {

using Half = Kokkos::Experimental::half_t;
using Exec = Kokkos::Cuda;

template <int Rank>
using Data = std::conditional_t<Rank == 1, Half*, std::conditional_t<Rank == 2, Half**, Half***>>;
template <int Rank>
using View = Kokkos::View<Data<Rank>, Kokkos::LayoutRight, Kokkos::CudaSpace>;
using Flat = Kokkos::View<Half*, Kokkos::CudaSpace>;

/// -1, 0 and 1 in no order, and infinities and NaN here and there if asked for.
struct Fill {
  Flat to;
  bool special;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    unsigned long long z = i * 0x9E3779B97F4A7C15ull;
    z ^= z >> 31;
    z *= 0xBF58476D1CE4E5B9ull;
    z ^= z >> 29;
    float value = static_cast<float>(static_cast<int>(z % 3) - 1);
    if (special && (z >> 20) % 99991 == 0) value = (z >> 40 & 1) != 0 ? NAN : INFINITY;
    to(i) = Half(value);
  }
};

struct Differences {
  Flat a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& count) const {
    auto const x = static_cast<float>(a(i)), y = static_cast<float>(b(i));
    bool const equal = x == y || (x != x && y != y);
    if (!equal) ++count;
  }
};

template <class V>
struct FillBhalf {
  V to;
  KOKKOS_FUNCTION void operator()(int y, int x) const {
    to(y, x) = typename V::non_const_value_type(static_cast<float>((y * 31 + x * 17 + y / 3 * x) % 5 - 2));
  }
};

template <class V>
struct DifferencesBhalf {
  V a, b;
  KOKKOS_FUNCTION void operator()(int y, int x, long& count) const {
    if (static_cast<float>(a(y, x)) != static_cast<float>(b(y, x))) ++count;
  }
};

template <int Rank>
Flat flat(View<Rank> const& view) {
  return Flat(view.data(), view.span());
}

/// Coefficients that are small integers: every result is exact.
template <int Rank>
Stencil<float, Rank> box_of_integers(int radius) {
  std::size_t count = 1;
  for (int a = 0; a < Rank; ++a) count *= static_cast<std::size_t>(2 * radius + 1);
  std::vector<float> weights(count);
  for (std::size_t i = 0; i < count; ++i) weights[i] = static_cast<float>(static_cast<int>(i * 7 % 5) - 2);
  weights[count / 2] = 1.0f;
  return box<Rank>(radius, weights);
}

/// The backend against the generic one, for equality; what is not written stays as it was.
template <int Rank>
void compare(StencilPolicy<Exec, Rank> const& policy, Stencil<float, Rank> const& stencil, View<Rank> const& in,
             View<Rank> const& out, View<Rank> const& expected) {
  for (bool const special : {false, true}) {
    Kokkos::RangePolicy<Exec> const all(0, in.span());
    Kokkos::parallel_for("fill", all, Fill{flat<Rank>(in), special});
    Kokkos::deep_copy(out, Half(9.0f));
    Kokkos::deep_copy(expected, Half(9.0f));
    auto forced = policy;
    parallel_for("expected", forced.backend("generic"), stencil, in, expected);
    parallel_for("tensor", forced.backend("cuda_sparse_tensor"), stencil, in, out);
    EXPECT_EQ(last_backend(), "cuda_sparse_tensor");
    long wrong = 0;
    Kokkos::parallel_reduce("compare", all, Differences{flat<Rank>(out), flat<Rank>(expected)}, wrong);
    EXPECT_EQ(wrong, 0) << (special ? "with infinities and NaN" : "with finite values");
  }
}

/// Many sweeps, against the generic backend's, for equality: three terms and small integers keep all results exact.
template <int Rank>
void compare_many(StencilPolicy<Exec, Rank> const& policy, Stencil<float, Rank> const& stencil, int steps,
                  View<Rank> const& in, View<Rank> const& other, View<Rank> const& expected) {
  for (bool const special : {false, true}) {
    Kokkos::RangePolicy<Exec> const all(0, in.span());
    View<Rank> u = in, v = other, w = expected, x("x", in.layout());
    Kokkos::parallel_for("fill", all, Fill{flat<Rank>(u), special});
    Kokkos::deep_copy(w, u);
    auto forced = policy;
    iterate("expected", forced.backend("generic"), stencil, steps, w, x);
    iterate("sparse", forced.backend("cuda_sparse_tensor"), stencil, steps, u, v);
    EXPECT_EQ(last_backend(), "cuda_sparse_tensor");
    long wrong = 0;
    Kokkos::parallel_reduce("compare", all, Differences{flat<Rank>(u), flat<Rank>(w)}, wrong);
    EXPECT_EQ(wrong, 0) << steps << (special ? " steps with infinities and NaN" : " steps with finite values");
  }
}

struct SparseTensor : testing::Test {
  void SetUp() override {
    for (std::string const& name : backend_names()) {
      if (name == "cuda_sparse_tensor") return;
    }
    GTEST_SKIP() << "built without the CUDA backends";
  }
};

TEST_F(SparseTensor, TallPlanes) {
  View<2> const in("in", 3001, 1000), out("out", 3001, 1000), expected("expected", 3001, 1000);
  for (int radius = 3; radius <= 7; ++radius) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(radius), in, out, expected);
    compare<2>(StencilPolicy<Exec, 2>(Exec(), {20, 33}, {2900, 931}), box_of_integers<2>(radius), in, out, expected);
    compare<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic()), box_of_integers<2>(radius), in, out,
               expected);
  }
}

TEST_F(SparseTensor, LowTilesAfterTallOnes) {
  View<2> const in("in", 4211, 16400), out("out", 4211, 16400), expected("expected", 4211, 16400);
  for (int radius : {5, 7}) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(radius), in, out, expected);
  }
}

TEST_F(SparseTensor, SeveralSweepsAsOne) {
  View<2> const in("in", 3001, 1000), other("other", 3001, 1000), expected("expected", 3001, 1000);
  Stencil<float, 2> const stencil({{{-1, 0}, 1.0f}, {{0, 1}, -1.0f}, {{1, -1}, 1.0f}});
  auto const periodic = StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic());
  for (int const steps : {4, 5, 6, 7}) {
    auto const candidates = Plan("several", periodic, stencil, in, other).candidates(steps);
    EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [&](Candidate const& c) {
      return c.backend == "cuda_sparse_tensor" && c.estimate.depth == steps;
    })) << steps;
    compare_many<2>(StencilPolicy<Exec, 2>(), stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>(Exec(), {20, 33}, {2900, 931}), stencil, steps, in, other, expected);
    compare_many<2>(periodic, stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::edge()), stencil, steps, in, other, expected);
  }
}

TEST_F(SparseTensor, SeveralOneSidedSweepsOfALine) {
  // Averages of few values: exact for as many steps.
  View<1> const in("in", 1 << 20), other("other", 1 << 20), expected("expected", 1 << 20);
  Stencil<float, 1> const right({{{0}, 0.5f}, {{1}, 0.5f}}), left({{{-1}, 0.5f}, {{0}, 0.5f}}),
      far({{{0}, 0.25f}, {{1}, 0.25f}, {{2}, 0.25f}, {{3}, 0.25f}});
  for (auto const& policy : {StencilPolicy<Exec, 1>(), StencilPolicy<Exec, 1>().boundary(Boundary<1>::periodic())}) {
    for (int const steps : {2, 8, 9, 10}) {
      compare_many<1>(policy, right, steps, in, other, expected);
      compare_many<1>(policy, left, steps, in, other, expected);
    }
    compare_many<1>(policy, far, 4, in, other, expected);
  }
}

// Planes that fill the card: for the kernel by wgmma, where the GPU has that.
TEST_F(SparseTensor, WidePlanes) {
  constexpr int ny = 6213, nx = 6136;
  View<2> const in("in", ny, nx), out("out", ny, nx), expected("expected", ny, nx);
  for (int radius = 4; radius <= 7; ++radius) {
    SCOPED_TRACE("radius " + std::to_string(radius));
    compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(radius), in, out, expected);
    compare<2>(StencilPolicy<Exec, 2>(Exec(), {20, 33}, {6190, 6099}), box_of_integers<2>(radius), in, out, expected);
    compare<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic()), box_of_integers<2>(radius), in, out,
               expected);
  }
  // Neither rows that begin at 16 bytes, nor stencils that reach as far on all sides.
  View<2> const from(in.data() + 4, ny - 1, nx), to(out.data() + 12, ny - 1, nx),
      reference(expected.data(), ny - 1, nx);
  compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(7), from, to, reference);
  Stencil<float, 2> const aside({{{-2, 7}, 1.0f}, {{0, -8}, 2.0f}, {{5, 1}, -1.0f}, {{9, -3}, 3.0f}});
  compare<2>(StencilPolicy<Exec, 2>(), aside, in, out, expected);
}

// By wgmma where the GPU has that.
TEST_F(SparseTensor, RowsThatBeginAnywhere) {
  for (int const nx : {2501, 3003}) {
    View<2> const in("in", 3001, nx), out("out", 3001, nx), expected("expected", 3001, nx);
    for (int radius = 1; radius <= 7; ++radius) {
      SCOPED_TRACE("radius " + std::to_string(radius) + ", pitch " + std::to_string(nx));
      compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(radius), in, out, expected);
      compare<2>(StencilPolicy<Exec, 2>(Exec(), {20, 33}, {2900, nx - 20}), box_of_integers<2>(radius), in, out,
                 expected);
      compare<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::mirror()), box_of_integers<2>(radius), in, out,
                 expected);
    }
    // Input and output begin differently.
    View<2> const from(in.data() + 3, 3000, nx), to(out.data() + 14, 3000, nx), reference(expected.data(), 3000, nx);
    for (int const radius : {2, 4, 7}) {
      compare<2>(StencilPolicy<Exec, 2>(), box_of_integers<2>(radius), from, to, reference);
    }
    Stencil<float, 2> const aside({{{-2, 7}, 1.0f}, {{0, -6}, 2.0f}, {{5, 1}, -1.0f}, {{9, -3}, 3.0f}});
    compare<2>(StencilPolicy<Exec, 2>(), aside, in, out, expected);
  }
}

TEST_F(SparseTensor, SeveralSweepsOfRowsThatBeginAnywhere) {
  View<2> const in("in", 3001, 2501), other("other", 3001, 2501), expected("expected", 3001, 2501);
  Stencil<float, 2> const stencil({{{-1, 0}, 1.0f}, {{0, 1}, -1.0f}, {{1, -1}, 1.0f}});
  for (int const steps : {4, 5, 7}) {
    compare_many<2>(StencilPolicy<Exec, 2>(), stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic()), stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::edge()), stencil, steps, in, other, expected);
  }
}

TEST_F(SparseTensor, WidePlanesInSpace) {
  View<3> const in("in", 2, 3109, 6136), out("out", 2, 3109, 6136), expected("expected", 2, 3109, 6136);
  std::vector<Stencil<float, 3>::Term> terms;
  for (int dy = -7; dy <= 7; ++dy) {
    for (int dx = -7; dx <= 7; dx += 2) terms.push_back({{0, dy, dx}, static_cast<float>((3 * dy + dx) % 3)});
  }
  compare<3>(StencilPolicy<Exec, 3>(), Stencil<float, 3>(terms), in, out, expected);
}

TEST_F(SparseTensor, SeveralSweepsOfWidePlanesAsOne) {
  View<2> const in("in", 6213, 6136), other("other", 6213, 6136), expected("expected", 6213, 6136);
  Stencil<float, 2> const stencil({{{-1, 0}, 1.0f}, {{0, 1}, -1.0f}, {{1, -1}, 1.0f}});
  for (int const steps : {4, 7}) {
    compare_many<2>(StencilPolicy<Exec, 2>(), stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::periodic()), stencil, steps, in, other, expected);
    compare_many<2>(StencilPolicy<Exec, 2>().boundary(Boundary<2>::edge()), stencil, steps, in, other, expected);
  }
}

/// Terms that are 1 or -1, in no order.
Stencil<float, 2> stencil_of_signs(bool box, bool centre) {
  std::vector<Stencil<float, 2>::Term> terms;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) {
      bool const wanted = (x == 0 && y == 0) ? centre : box || x == 0 || y == 0;
      if (wanted) terms.push_back({{y, x}, (y + 2 * x) % 3 == 0 || x + y == 1 ? -1.0f : 1.0f});
    }
  }
  return Stencil<float, 2>(terms);
}

// By wgmma where the GPU has that, with the points near faces beside it where rows are aligned. Rows of many lengths,
// which leave columns to them.
TEST_F(SparseTensor, FacesOfSeveralSweepsAsOne) {
  View<2> const a("a", 7000, 6160), b("b", 7000, 6160), c("c", 7000, 6160);
  Face const halo = Face::halo(), periodic = Face::periodic();
  struct Case {
    int ny, nx, steps;
    bool box, centre;
    Face y, x;
    bool part;
  };
  // So many steps that all values are integers that Half has.
  for (Case const& k : {Case{6213, 6136, 5, false, true, halo, halo, false},
                        {7000, 6144, 4, true, true, halo, halo, false},
                        {6100, 6152, 4, true, true, periodic, periodic, false},
                        {6213, 6144, 5, false, false, halo, periodic, false},
                        {6213, 6120, 5, false, false, periodic, halo, false},
                        {6500, 6136, 4, true, false, halo, halo, true},
                        {5001, 6001, 4, true, true, halo, halo, false},
                        {5003, 5999, 4, false, true, periodic, periodic, false},
                        {5003, 5998, 4, true, true, halo, halo, true}}) {
    SCOPED_TRACE(std::to_string(k.ny) + " x " + std::to_string(k.nx) + ", " + std::to_string(k.steps) + " steps");
    View<2> const in(a.data(), k.ny, k.nx), other(b.data(), k.ny, k.nx), expected(c.data(), k.ny, k.nx);
    StencilPolicy<Exec, 2> policy;
    if (k.part) policy = StencilPolicy<Exec, 2>(Exec(), {3, 5}, {k.ny - 1, k.nx - 30});
    policy.boundary(Boundary<2>().axis(0, k.y).axis(1, k.x));
    compare_many<2>(policy, stencil_of_signs(k.box, k.centre), k.steps, in, other, expected);
  }
}

// A pass takes its places while the one before ends. Beside passes that are launched alone: the same bits.
TEST_F(SparseTensor, PassesInARow) {
  constexpr int passes = 5, depth = 7;
  View<2> const a("a", 6213, 6136), b("b", 6213, 6136), c("c", 6213, 6136), d("d", 6213, 6136);
  Stencil<float, 2> const cross({{{-1, 0}, 0.25f}, {{0, -1}, 0.1f}, {{0, 0}, 0.2f}, {{0, 1}, 0.25f}, {{1, 0}, 0.2f}});
  Kokkos::RangePolicy<Exec> const all(0, a.span());
  for (Boundary<2> const& faces : {Boundary<2>::halo(), Boundary<2>::periodic(), Boundary<2>::edge()}) {
    auto const policy = StencilPolicy<Exec, 2>().boundary(faces).backend("cuda_sparse_tensor");
    for (bool const special : {false, true}) {
      View<2> u = a, v = b, w = c, x = d;
      Kokkos::parallel_for("fill", all, Fill{flat<2>(u), special});
      Kokkos::deep_copy(w, u);
      iterate("in a row", policy, cross, passes * depth, u, v);
      for (int const steps : {passes * depth, depth}) {
        auto const candidates = Plan("depth", policy, cross, u, v).candidates(steps);
        ASSERT_TRUE(std::any_of(candidates.begin(), candidates.end(), [](Candidate const& k) {
          return k.chosen && k.estimate.depth == depth;
        })) << "not by passes of so many sweeps, so not comparable";
      }
      for (int pass = 0; pass < passes; ++pass) {
        iterate("alone", policy, cross, depth, w, x);
        Kokkos::fence();
      }
      long wrong = 0;
      Kokkos::parallel_reduce("compare", all, Differences{flat<2>(u), flat<2>(w)}, wrong);
      EXPECT_EQ(wrong, 0) << (special ? "with infinities and NaN" : "with finite values");
    }
  }
}

TEST_F(SparseTensor, WidePlanesOfBhalf) {
  using Bhalf     = Kokkos::Experimental::bhalf_t;
  using BhalfView = Kokkos::View<Bhalf**, Kokkos::LayoutRight, Kokkos::CudaSpace>;
  BhalfView const in("in", 6213, 6136), out("out", 6213, 6136), expected("expected", 6213, 6136);
  auto const all = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>({0, 0}, {6213, 6136});
  Kokkos::parallel_for("fill", all, FillBhalf<BhalfView>{in});
  // Sums of few small integers, exact in eight bits.
  std::vector<Stencil<float, 2>::Term> terms;
  for (int d = -7; d <= 7; ++d) terms.push_back({{d, d * 3 % 8}, static_cast<float>(d % 3)});
  Stencil<float, 2> const stencil(terms);
  StencilPolicy<Exec, 2> policy;
  parallel_for("expected", StencilPolicy<Exec, 2>(policy).backend("generic"), stencil, in, expected);
  parallel_for("tensor", StencilPolicy<Exec, 2>(policy).backend("cuda_sparse_tensor"), stencil, in, out);
  EXPECT_EQ(last_backend(), "cuda_sparse_tensor");
  long wrong = 0;
  Kokkos::parallel_reduce("compare", all, DifferencesBhalf<BhalfView>{out, expected}, wrong);
  EXPECT_EQ(wrong, 0);
}

TEST_F(SparseTensor, SlabsOfPlanes) {
  View<3> const in("in", 203, 181, 264), out("out", 203, 181, 264), expected("expected", 203, 181, 264);
  // Integers of twelve bits are the sum of two halves.
  std::vector<float> weights(27);
  for (std::size_t i = 0; i < 27; ++i) weights[i] = static_cast<float>(i % 5) - 2.0f;
  weights[3] = weights[13] = 2049.0f;
  weights[22]              = -2051.0f;
  for (auto const& stencil : {star<3>(1, std::vector<float>{2.0f, -1.0f}), box_of_integers<3>(1), box<3>(1, weights)}) {
    compare<3>(StencilPolicy<Exec, 3>(), stencil, in, out, expected);
    compare<3>(StencilPolicy<Exec, 3>(Exec(), {3, 2, 19}, {200, 179, 250}), stencil, in, out, expected);
    compare<3>(StencilPolicy<Exec, 3>().boundary(Boundary<3>::periodic()), stencil, in, out, expected);
  }
  // Rows that do not begin at 16 bytes, neither here nor there.
  View<3> const from(in.data() + 4, 202, 181, 264), to(out.data() + 12, 202, 181, 264),
      reference(expected.data(), 202, 181, 264);
  compare<3>(StencilPolicy<Exec, 3>(), box_of_integers<3>(1), from, to, reference);
  compare<3>(StencilPolicy<Exec, 3>().boundary(Boundary<3>::edge()), box_of_integers<3>(1), from, to, reference);
  // Wider along the contiguous axis, so for tiles.
  Stencil<float, 3> const wide({{{-1, 0, 0}, 1.0f}, {{0, -1, -3}, 2.0f}, {{0, 0, 2}, -1.0f}, {{1, 1, 1}, 1.0f}});
  compare<3>(StencilPolicy<Exec, 3>(), wide, in, out, expected);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil

#endif
