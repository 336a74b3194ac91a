// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksTest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

// Sweeps of code on several fields over ranks: any decomposition and depth give the bits of one process. Values are
// integers, so that sums are exact.

namespace KokkosStencil {
namespace Test {
namespace {

struct React2 {
  template <class N>
  KOKKOS_FUNCTION void operator()(N const& a, N const& b, N const& k, N const& rhs, double& next_a,
                                  double& next_b) const {
    next_a = a(0, 0) + 2.0 * a(-1, 0) - a(1, 1) + k(2, 0) * b(0, 0) - k(0, -2);
    next_b = 3.0 * b(0, 1) - b(-2, 0) + a(0, 0) + rhs(0, 0);
  }
};
/// It is told the number of the sweep.
struct React3 {
  template <class N>
  KOKKOS_FUNCTION void operator()(Step step, N const& a, N const& b, N const& k, N const& rhs, double& next_a,
                                  double& next_b) const {
    next_a = a(0, 0, 0) + 2.0 * a(-1, 0, 0) - a(1, 1, 0) + k(2, 0, 0) * b(0, 0, 0) - k(0, -2, 1);
    next_b = 3.0 * b(0, 1, 1) - b(-2, 0, 0) + a(0, 0, 0) + rhs(0, 0, 0) + static_cast<double>(step % 3);
  }
};
template <int Rank>
using React = std::conditional_t<Rank == 2, React2, React3>;

struct Sum2 {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u) const {
    return u(-1, 0) - 2.0 * u(0, 1) + u(1, 1);
  }
};
struct Sum3 {
  template <class N>
  KOKKOS_FUNCTION double operator()(N const& u) const {
    return u(-1, 0, 0) - 2.0 * u(0, 1, 0) + u(1, 1, -1);
  }
};

/// A random problem; the same on every process.
template <int Rank>
struct Case {
  std::mt19937 engine;
  int processes = 1, sweeps = 1, steps = 1;
  bool ranged = false;
  std::array<int, std::size_t(Rank)> ranks{};
  std::array<std::vector<std::int64_t>, std::size_t(Rank)> blocks;
  std::array<bool, std::size_t(Rank)> periodic{};
  Boundary<Rank> rules;
  Extents extent{{1, 1, 1}}, begin{}, end{{1, 1, 1}};

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }

  explicit Case(int seed, int reach) : engine(static_cast<unsigned>(seed)) {
    processes = pick(1, world_size());
    for (int a = 0, left = processes; a < Rank; ++a) {
      int p = left;
      if (a + 1 < Rank) {
        do p = pick(1, left);
        while (left % p != 0);
      }
      ranks[std::size_t(a)] = p;
      left /= p;
    }
    std::shuffle(ranks.begin(), ranks.end(), engine);
    sweeps             = pick(1, 4);
    steps              = pick(0, 6);
    ranged             = pick(0, 3) == 0;
    Face const faces[] = {Face::halo(), Face::value(2.0), Face::mirror(), Face::edge(), Face::periodic()};
    for (int axis = 0; axis < Rank; ++axis) {
      auto const a = std::size_t(axis);
      Face lower = faces[pick(0, 4)], upper = faces[pick(0, 3)];
      periodic[a] = lower.kind == BoundaryKind::periodic;
      if (periodic[a]) upper = lower;
      rules     = rules.lower(axis, lower).upper(axis, upper);
      extent[a] = 0;
      for (int k = 0; k < ranks[a]; ++k) {
        blocks[a].push_back(reach * (ranks[a] > 1 ? sweeps : 2) + pick(0, 1) * pick(0, 7));
        extent[a] += blocks[a].back();
      }
      begin[a] = lower.kind == BoundaryKind::halo ? reach : 0;
      end[a]   = extent[a] - (upper.kind == BoundaryKind::halo ? reach : 0);
      if (end[a] <= begin[a]) ranged = false;
    }
    for (std::size_t a = 0; a < std::size_t(Rank) && ranged; ++a) {
      begin[a] += pick(0, static_cast<int>(end[a] - begin[a] - 1));
      end[a] -= pick(0, static_cast<int>(end[a] - begin[a] - 1));
    }
  }

  std::string text() const {
    std::ostringstream all;
    all << "processes " << processes << " sweeps " << sweeps << " steps " << steps << " ranged " << ranged;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      all << "; axis " << a << ": blocks";
      for (auto const n : blocks[a]) all << " " << n;
      all << " faces " << to_string(rules.face(int(a), 0).kind) << " " << to_string(rules.face(int(a), 1).kind);
      if (ranged) all << " range " << begin[a] << " " << end[a];
    }
    return all.str();
  }
  std::array<Index, std::size_t(Rank)> cut(Extents const& n) const {
    std::array<Index, std::size_t(Rank)> result;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) result[a] = n[a];
    return result;
  }
  StencilPolicy<Exec, Rank> policy() const {
    return (ranged ? StencilPolicy<Exec, Rank>(Exec(), cut(begin), cut(end)) : StencilPolicy<Exec, Rank>())
        .boundary(rules);
  }
  Decomposition<Rank> decomposition(MPI_Comm comm) const {
    Decomposition<Rank> dec(comm, cut(extent));
    dec = dec.ranks(ranks).time_limit(60.0);
    for (int a = 0; a < Rank; ++a) {
      dec = dec.blocks(a, blocks[std::size_t(a)]);
      if (periodic[std::size_t(a)]) dec = dec.periodic(a);
    }
    return dec;
  }
  std::array<int, std::size_t(Rank)> reach(int r) const {
    std::array<int, std::size_t(Rank)> all;
    all.fill(r);
    return all;
  }
};

auto whole_numbers(int seed) {
  return [seed](Extents const& i) { return std::floor(8.0 * noise(i, seed)); };
}
double not_a_number(Extents const&) { return std::numeric_limits<double>::quiet_NaN(); }

template <int Rank, class Layout>
void verify(int seed) {
  using View = FieldOf<double, Rank, Layout>;
  Case<Rank> const r(seed, 2);
  auto const run = [&](auto const& policy, View& a, View& a2, View& b, View& b2, View const& k, View const& rhs) {
    iterate("react", policy, React<Rank>(), r.steps, state<1>(a, a2), state<2>(b, b2),
            constants(reach<2>(k), reach<0>(rhs)));
  };
  View a = make_field<View>(r.extent), b = make_field<View>(r.extent), k = make_field<View>(r.extent),
       rhs = make_field<View>(r.extent), a2 = make_field<View>(r.extent), b2 = make_field<View>(r.extent);
  fill(a, whole_numbers(seed));
  fill(b, whole_numbers(seed + 1));
  fill(k, whole_numbers(seed + 2));
  fill(rhs, whole_numbers(seed + 3));
  run(r.policy(), a, a2, b, b2, k, rhs);
  auto const want_a = host_copy(a), want_b = host_copy(b);

  Some const some(r.processes);
  if (some.comm() == MPI_COMM_NULL) return;
  auto const dec   = r.decomposition(some.comm());
  auto const block = dec.local(r.reach(2), HaloDepth::sweeps(r.sweeps));
  auto const make  = [&](int s) {
    View const view = block.template make<View>("field");
    if (s < 0) {
      fill(view, not_a_number);
    } else {
      fill_owned(block, view, whole_numbers(s));
    }
    return view;
  };
  View la = make(seed), lb = make(seed + 1), lk = make(seed + 2), lr = make(seed + 3), la2 = make(-1), lb2 = make(-1);
  run(r.policy().on(dec), la, la2, lb, lb2, lk, lr);
  EXPECT_EQ(wrong_points(block, host_copy(la), want_a), 0) << "first state, seed " << seed << ": " << r.text();
  EXPECT_EQ(wrong_points(block, host_copy(lb), want_b), 0) << "second state, seed " << seed << ": " << r.text();
}

/// One field, read up to the policy's radius.
template <int Rank>
void verify_one(int seed) {
  using View = FieldOf<double, Rank, Kokkos::LayoutRight>;
  using Sum  = std::conditional_t<Rank == 2, Sum2, Sum3>;
  Case<Rank> const r(seed, 1);
  View u = make_field<View>(r.extent), tmp = make_field<View>(r.extent);
  fill(u, whole_numbers(seed));
  iterate("sum", r.policy().radius(1), Sum(), r.steps, u, tmp);
  Some const some(r.processes);
  if (some.comm() == MPI_COMM_NULL) return;
  auto const dec   = r.decomposition(some.comm());
  auto const block = dec.local(r.reach(1), HaloDepth::sweeps(r.sweeps));
  View v = block.template make<View>("u"), other = block.template make<View>("tmp");
  fill_owned(block, v, whole_numbers(seed));
  fill(other, not_a_number);
  iterate("sum", r.policy().on(dec).radius(1), Sum(), r.steps, v, other);
  EXPECT_EQ(wrong_points(block, host_copy(v), host_copy(u)), 0) << "seed " << seed << ": " << r.text();
}

template <class F>
void for_seeds(F const& f) {
  for (int seed = 1; seed <= 40; ++seed) {
    f(seed);
    // All stop together, or some would wait for others.
    int mine = testing::Test::HasFailure() ? 1 : 0, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any != 0) return;
  }
}

TEST(States, Planes) {
  for_seeds([](int seed) { verify<2, Kokkos::LayoutRight>(seed); });
}
TEST(States, PlanesLayoutLeft) {
  for_seeds([](int seed) { verify<2, Kokkos::LayoutLeft>(seed); });
}
TEST(States, Volumes) {
  for_seeds([](int seed) { verify<3, Kokkos::LayoutRight>(seed); });
}
TEST(States, OneField) {
  for_seeds([](int seed) {
    verify_one<2>(seed);
    verify_one<3>(seed);
  });
}

TEST(States, OtherCallsAreAnError) {
  if (world_size() < 2) GTEST_SKIP();
  Decomposition<2> const dec(MPI_COMM_WORLD, {64, 8});
  auto const block = dec.local(std::array<int, 2>{{1, 1}}, HaloDepth::sweeps(2));
  using View       = FieldOf<double, 2, Kokkos::LayoutRight>;
  View u = block.make<View>("u"), tmp = block.make<View>("tmp");
  std::string const text = error_of(
      [&] { iterate("sum", StencilPolicy<Exec, 2>().radius(1).on(dec), Sum2(), world_rank() == 0 ? 3 : 4, u, tmp); });
  EXPECT_NE(text.find("different calls"), std::string::npos) << text;
  EXPECT_NE(text.find("steps 4"), std::string::npos) << text;
}

TEST(States, TooFewLayersAreAnErrorEverywhere) {
  if (world_size() < 2) GTEST_SKIP();
  Decomposition<2> const dec(MPI_COMM_WORLD, {64, 8});
  auto const block = dec.local(std::array<int, 2>{{1, 1}}, HaloDepth::sweeps(1));
  using View       = FieldOf<double, 2, Kokkos::LayoutRight>;
  View u = block.make<View>("u"), tmp = block.make<View>("tmp");
  std::string const text =
      error_of([&] { iterate("sum", StencilPolicy<Exec, 2>().radius(2).on(dec), Sum2(), 2, u, tmp); });
  EXPECT_NE(text.find("reads 2 points away"), std::string::npos) << text;
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
