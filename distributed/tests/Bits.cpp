// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksTest.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <sstream>
#include <vector>

// Any decomposition gives the bits of one process.

namespace KokkosStencil {
namespace Test {
namespace {

/// A random problem; the same on every process.
template <int Rank>
struct Random {
  std::mt19937 engine;
  Stencil<double, Rank> stencil;
  std::array<int, std::size_t(Rank)> reach{};
  Boundary<Rank> rules;
  std::array<bool, 3> periodic{};
  Extents extent{{1, 1, 1}};
  std::array<int, std::size_t(Rank)> ranks{};
  std::array<std::vector<std::int64_t>, 3> blocks;
  int processes = 1, sweeps = 1, steps = 1;
  bool ranged = false;
  Extents begin{}, end{{1, 1, 1}};
  Extents more{};  ///< ghost layers than the sweeps need
  bool overlap = false;

  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }

  explicit Random(int seed) : engine(static_cast<unsigned>(seed)) {
    processes = pick(1, world_size());
    for (int a = 0, left = processes; a < Rank; ++a) {
      // A divisor of what is left; the last axis takes the rest.
      int p = left;
      if (a + 1 < Rank) {
        do p = pick(1, left);
        while (left % p != 0);
      }
      ranks[std::size_t(a)] = p;
      left /= p;
    }
    std::shuffle(ranks.begin(), ranks.end(), engine);
    sweeps           = pick(1, 8);
    steps            = pick(1, 2 * sweeps + 3);
    overlap          = pick(0, 1) == 1;
    int const radius = pick(1, Rank == 3 ? 2 : 3), count = pick(1, 9);
    std::vector<typename Stencil<double, Rank>::Term> terms;
    for (int k = 0; k < count; ++k) {
      typename Stencil<double, Rank>::Term t{};
      for (auto& o : t.offset) o = pick(-radius, pick(0, radius));
      t.coefficient = 0.1 * pick(-9, 9) + 0.05;
      terms.push_back(t);
    }
    stencil            = Stencil<double, Rank>(terms);
    Face const faces[] = {Face::halo(), Face::value(0.5), Face::mirror(), Face::edge(), Face::periodic()};
    ranged             = pick(0, 3) == 0;
    for (int axis = 0; axis < Rank; ++axis) {
      auto const a = std::size_t(axis);
      Face lower = faces[pick(0, 4)], upper = faces[pick(0, 3)];
      periodic[a] = lower.kind == BoundaryKind::periodic;
      if (periodic[a]) upper = lower;
      rules    = rules.lower(axis, lower).upper(axis, upper);
      reach[a] = std::max(-stencil.lower(axis), stencil.upper(axis));
      // Blocks as small as the ghost layers are deep, and larger ones.
      extent[a]          = 0;
      std::int64_t least = std::max(1, reach[a] * (ranks[a] > 1 ? sweeps : 2));
      if (ranks[a] > 1 && pick(0, 2) == 0) more[a] = pick(1, 5);
      least += more[a];
      for (int k = 0; k < ranks[a]; ++k) {
        blocks[a].push_back(least + pick(0, 1) * pick(0, Rank == 1 ? 60 : 9));
        extent[a] += blocks[a].back();
      }
      begin[a] = lower.kind == BoundaryKind::halo ? -stencil.lower(axis) : 0;
      end[a]   = extent[a] - (upper.kind == BoundaryKind::halo ? stencil.upper(axis) : 0);
      if (end[a] > begin[a] && ranged) {
        begin[a] += pick(0, static_cast<int>(end[a] - begin[a] - 1));
        end[a] -= pick(0, static_cast<int>(end[a] - begin[a] - 1));
      }
      if (end[a] < begin[a]) ranged = false;
    }
  }

  std::string text() const {
    std::ostringstream text;
    text << "processes " << processes << " sweeps " << sweeps << " steps " << steps << " ranged " << ranged
         << " overlap " << overlap;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      text << "; axis " << a << ": ranks " << ranks[a] << " blocks";
      for (auto n : blocks[a]) text << " " << n;
      text << " faces " << to_string(rules.face(int(a), 0).kind) << " " << to_string(rules.face(int(a), 1).kind)
           << " reach " << stencil.lower(int(a)) << " " << stencil.upper(int(a));
      if (ranged) text << " range " << begin[a] << " " << end[a];
      if (more[a] > 0) text << " more layers " << more[a];
    }
    return text.str();
  }

  LocalBlock<Rank> deepened(LocalBlock<Rank> block) const {
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      bool const below = block.first[a] > 0, above = block.extents[a] > block.first[a] + block.end[a] - block.begin[a];
      if (below) block.first[a] += more[a];
      block.extents[a] += (below ? more[a] : 0) + (above ? more[a] : 0);
    }
    return block;
  }

  template <class Index>
  std::array<Index, std::size_t(Rank)> cut(Extents const& n) const {
    std::array<Index, std::size_t(Rank)> result;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) result[a] = n[a];
    return result;
  }
};

template <class T, int Rank, class Layout>
void verify(Random<Rank> const& r, int seed) {
  using View = FieldOf<T, Rank, Layout>;
  StencilPolicy<Exec, Rank> const plain =
      r.ranged ? StencilPolicy<Exec, Rank>(Exec(), r.template cut<Index>(r.begin), r.template cut<Index>(r.end))
               : StencilPolicy<Exec, Rank>();
  auto const policy = plain.boundary(r.rules).accuracy(Accuracy::reproducible);
  auto const start  = [&](Extents const& i) { return noise(i, seed); };
  View u = make_field<View>(r.extent), tmp = make_field<View>(r.extent);
  fill(u, start);
  iterate("one process", policy, r.stencil, r.steps, u, tmp);
  auto const expected = host_copy(u);

  Some const some(r.processes);
  if (some.comm() == MPI_COMM_NULL) return;
  Decomposition<Rank> dec(some.comm(), r.template cut<Index>(r.extent));
  dec = dec.ranks(r.ranks).overlap(r.overlap).time_limit(60.0);
  for (int a = 0; a < Rank; ++a) {
    dec = dec.blocks(a, r.blocks[std::size_t(a)]);
    if (r.periodic[std::size_t(a)]) dec = dec.periodic(a);
  }
  auto const block = r.deepened(dec.local(r.stencil, HaloDepth::sweeps(r.sweeps)));
  View a = block.template make<View>("u"), b = block.template make<View>("tmp");
  fill_owned(block, a, start);
  fill(b, [](Extents const&) { return std::numeric_limits<double>::quiet_NaN(); });
  View const first = a;
  iterate("ranks", policy.on(dec), r.stencil, r.steps, a, b);
  EXPECT_EQ(wrong_points(block, host_copy(a), expected), 0) << "seed " << seed << ": " << r.text();

  // The same by a plan, in two runs, the second of one sweep.
  fill_owned(block, a, start);
  DistributedPlan<Exec, Rank, View, View> const plan("plan", policy.on(dec), r.stencil, a, b);
  plan.run(a, b, r.steps - 1);
  if (!r.ranged) {
    // Fixed halos are not written by a single sweep.
    Kokkos::deep_copy(b, a);
    plan.run(a, b);
    EXPECT_EQ(wrong_points(block, host_copy(b), expected), 0) << "plan, seed " << seed << ": " << r.text();
  }
}

/// KOKKOSSTENCIL_TEST_CASES: more of them, by hand.
int cases(int usual) {
  char const* const more = std::getenv("KOKKOSSTENCIL_TEST_CASES");
  return more != nullptr ? std::atoi(more) : usual;
}

template <int Rank>
void verify_random(int count) {
  for (int seed = 1; seed <= cases(count); ++seed) {
    Random<Rank> const r(seed);
    verify<double, Rank, Kokkos::LayoutRight>(r, seed);
    verify<float, Rank, Kokkos::LayoutLeft>(r, seed);
    // All stop together, or some would wait for others.
    int mine = testing::Test::HasFailure() ? 1 : 0, any = 0;
    MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (any != 0) return;
  }
}

TEST(Bits, Lines) { verify_random<1>(60); }
TEST(Bits, Planes) { verify_random<2>(60); }
TEST(Bits, Volumes) { verify_random<3>(40); }

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
