// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksTest.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

// What applications do with a Decomposition, and what they may do wrong.

namespace KokkosStencil {
namespace Test {
namespace {

using View2 = FieldOf<double, 2, Kokkos::LayoutRight>;
using View3 = FieldOf<float, 3, Kokkos::LayoutRight>;

double place(Extents const& i) { return static_cast<double>(i[0] * 10000 + i[1] * 100 + i[2]); }

/// Whether ghost layers hold what their owners have; points past walls have none.
template <int Rank, class View>
std::int64_t stale(Extents const& extent, std::array<bool, 3> const& ring, LocalBlock<Rank> const& block,
                   View const& view, double times) {
  auto const host = host_copy(view);
  Extents n{{1, 1, 1}}, i{};
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) n[a] = static_cast<std::int64_t>(view.extent(a));
  std::int64_t wrong = 0;
  for (i[0] = 0; i[0] < n[0]; ++i[0]) {
    for (i[1] = 0; i[1] < n[1]; ++i[1]) {
      for (i[2] = 0; i[2] < n[2]; ++i[2]) {
        Extents all = i;
        for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
          all[a] = i[a] - block.first[a] + block.begin[a];
          if (ring[a]) all[a] = (all[a] + extent[a]) % extent[a];
        }
        using T = typename View::non_const_value_type;
        if (point(host, i) != static_cast<T>(times * place(all))) ++wrong;
      }
    }
  }
  return wrong;
}

template <class View>
struct Place {
  View view;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t row, std::int64_t column,
                                  std::int64_t depth) const {
    view(i, j, k) = static_cast<int>(3 * (row * 10000 + column * 100 + depth));
  }
};

TEST(Uses, ExchangeOfSeveralFields) {
  Extents const extent{{23, 19, 17}};
  auto const dec = Decomposition<3>(MPI_COMM_WORLD, {23, 19, 17}).periodic(1);
  // Other depths, other types, other layouts.
  auto const one = dec.local({{1, 1, 1}}, HaloDepth::sweeps(1));
  auto const two = dec.local({{1, 1, 1}}, HaloDepth::sweeps(2));
  auto const a   = one.make<FieldOf<double, 3, Kokkos::LayoutRight>>("a");
  auto const b   = two.make<FieldOf<float, 3, Kokkos::LayoutLeft>>("b");
  auto const c   = two.make<FieldOf<int, 3, Kokkos::LayoutRight>>("c");
  fill_owned(one, a, place);
  fill_owned(two, b, [](Extents const& i) { return 2 * place(i); });
  fill(c, [](Extents const&) { return -1; });
  for_each_owned("place", Exec(), dec, c, Place<FieldOf<int, 3, Kokkos::LayoutRight>>{c});
  for (int round = 0; round < 2; ++round) {
    exchange("fields", dec, fields(a, b, c));
    EXPECT_EQ(stale(extent, {{false, true, false}}, one, a, 1.0), 0);
    EXPECT_EQ(stale(extent, {{false, true, false}}, two, b, 2.0), 0);
    EXPECT_EQ(stale(extent, {{false, true, false}}, two, c, 3.0), 0);
  }
}

template <class T>
struct Pair {
  using part = T;
  T first, second;
};
template <class View>
struct FillPairs {
  View view;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t row, std::int64_t column) const {
    using T    = typename View::value_type::part;
    view(i, j) = {static_cast<T>(row * 100 + column), static_cast<T>(-column)};
  }
};
template <class View>
struct WrongPairs {
  View view;
  std::int64_t column;  ///< of the field, where the View begins
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const {
    using T = typename View::value_type::part;
    for (std::int64_t j = 0; j < std::int64_t(view.extent(1)); ++j) {
      std::int64_t const all = column + j;
      if (view(i, j).first != static_cast<T>(i * 100 + all) || view(i, j).second != static_cast<T>(-all)) ++wrong;
    }
  }
};

/// Fields in the application's memory, so many bytes past a multiple of 16, with columns so many values apart.
template <class T>
void verify_places(std::size_t shift, std::size_t apart) {
  using View       = Kokkos::View<Pair<T>**, Kokkos::LayoutStride, Exec::memory_space, Kokkos::MemoryUnmanaged>;
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {9, 12 * world_size()}).ranks({1, world_size()});
  auto const block = dec.local({{1, 1}}, HaloDepth::sweeps(3));
  auto const rows = static_cast<std::size_t>(block.extents[0]), columns = static_cast<std::size_t>(block.extents[1]);
  Kokkos::View<char*, Exec::memory_space> const memory("memory", rows * columns * apart * sizeof(Pair<T>) + 32);
  std::size_t const past = reinterpret_cast<std::uintptr_t>(memory.data()) % 16;
  View const view(reinterpret_cast<Pair<T>*>(memory.data() + (16 - past) + shift),
                  Kokkos::LayoutStride(rows, columns * apart, columns, apart));
  for_each_owned("fill", Exec(), dec, view, FillPairs<View>{view});
  exchange("pairs", dec, fields(view));
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("compare", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, block.extents[0]),
                          WrongPairs<View>{view, block.begin[1] - block.first[1]}, wrong);
  EXPECT_EQ(wrong, 0) << sizeof(T) << " bytes, " << shift << " past a multiple of 16, " << apart << " apart";
}

TEST(Uses, FieldsThatBeginAnywhere) {
  for (std::size_t const apart : {1, 2, 3}) {
    for (std::size_t const shift : {0, 8}) verify_places<double>(shift, apart);
    for (std::size_t const shift : {0, 4, 8, 12}) verify_places<float>(shift, apart);
    for (std::size_t const shift : {2, 6}) verify_places<std::int16_t>(shift, apart);
  }
}

TEST(Uses, SlabsTravelInPlace) {
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {8 * world_size() + 3, 30}).ranks({{world_size(), 1}});
  auto const block = dec.local({{1, 1}}, HaloDepth::sweeps(4));
  auto const u     = block.make<View2>("u");
  fill_owned(block, u, place);
  exchange("slabs", dec, fields(u));
  EXPECT_EQ(stale({{8 * world_size() + 3, 30, 1}}, {{false, false, false}}, block, u, 1.0), 0);
}

/// Slabs that are swept in several passes between exchanges, and with overlap.
template <class View, class C>
void verify_passes(Stencil<C, int(View::rank)> const& heat, Extents const& extent, std::vector<int> const& depths,
                   Face const& side = Face::edge(), int steps = 50) {
  constexpr int rank = int(View::rank);
  std::array<Index, std::size_t(rank)> all;
  std::array<int, std::size_t(rank)> slabs{};
  for (std::size_t a = 0; a < std::size_t(rank); ++a) {
    all[a]   = extent[a];
    slabs[a] = a == 0 ? world_size() : 1;
  }
  auto const start = [](Extents const& i) { return noise(i, 3); };
  for (int const kind : {0, 1, 2, 3}) {
    bool const ring = kind % 2 == 1, overlap = kind / 2 == 1;
    auto const rules  = Boundary<rank>(side).axis(0, ring ? Face::periodic() : Face::value(0.25));
    auto const policy = StencilPolicy<Exec, rank>().boundary(rules).accuracy(Accuracy::reproducible);
    View u = make_field<View>(extent), tmp = make_field<View>(extent);
    fill(u, start);
    iterate("one", policy, heat, steps, u, tmp);
    auto const want = host_copy(u);
    for (int const sweeps : depths) {
      auto const cut   = Decomposition<rank>(MPI_COMM_WORLD, all).ranks(slabs).overlap(overlap);
      auto const dec   = ring ? cut.periodic(0) : cut;
      auto const block = dec.local(heat, HaloDepth::sweeps(sweeps));
      View a = block.template make<View>("a"), b = block.template make<View>("b");
      fill_owned(block, a, start);
      fill(b, [](Extents const&) { return std::numeric_limits<float>::quiet_NaN(); });
      iterate("ranks", policy.on(dec), heat, steps, a, b);
      EXPECT_EQ(wrong_points(block, host_copy(a), want), 0)
          << sweeps << " sweeps, ring " << ring << ", overlap " << overlap;
    }
  }
}

TEST(Uses, PassesBetweenExchanges) {
  verify_passes<View2>(star<2>(1, {0.5, 0.125}), {{150 * world_size() + 7, 64, 1}},
                       {1, 3, 6, 8, 12, 14, 21, 24, 30, 35});
  verify_passes<View3>(star<3>(1, {0.4f, 0.1f}), {{60 * world_size() + 1, 24, 32}}, {1, 4, 8, 12});
  verify_passes<FieldOf<float, 2, Kokkos::LayoutRight>>(box<2>(2, std::vector<float>(25, 0.04f)),
                                                        {{120 * world_size(), 72, 1}}, {2, 4, 8});
}

// As large as the kernels for planes and volumes that fill a GPU want them.
TEST(Uses, PassesOfLargeBlocks) {
  if (Impl::is_host_space<Exec>()) GTEST_SKIP();
  using Plane  = FieldOf<float, 2, Kokkos::LayoutRight>;
  using Volume = FieldOf<float, 3, Kokkos::LayoutRight>;
  verify_passes<Plane>(star<2>(1, {0.5f, 0.125f}), {{1900 * world_size() + 7, 5001, 1}}, {12, 24}, Face::halo(), 61);
  verify_passes<Plane>(box<2>(1, std::vector<float>(9, 0.11f)), {{1900 * world_size(), 4096, 1}}, {24},
                       Face::value(0.5), 50);
  verify_passes<Volume>(star<3>(1, {0.4f, 0.1f}), {{130 * world_size() + 1, 200, 264}}, {4, 8, 12}, Face::halo(), 50);
  verify_passes<Volume>(box<3>(1, std::vector<float>(27, 0.037f)), {{130 * world_size(), 200, 256}}, {4, 8},
                        Face::mirror(), 22);
  verify_passes<FieldOf<double, 3, Kokkos::LayoutRight>>(
      star<3>(2, {0.4, 0.05, 0.05}), {{130 * world_size() + 1, 160, 256}}, {8}, Face::value(0.0), 26);
}

#ifdef KOKKOS_ENABLE_CUDA
TEST(Uses, GraphsHoldExchanges) {
  Extents const extent{{130 * world_size() + 3, 200, 1}};
  auto const start    = [](Extents const& i) { return noise(i, 5); };
  auto const policy   = StencilPolicy<Exec, 2>().boundary(Boundary<2>::value(0.5)).accuracy(Accuracy::reproducible);
  auto const heat     = star<2>(1, {0.5, 0.125});
  constexpr int steps = 26, runs = 3;
  View2 u = make_field<View2>(extent), tmp = make_field<View2>(extent);
  fill(u, start);
  iterate("one", policy, heat, 2 * runs * steps, u, tmp);

  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    Exec const space(stream);
    auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {extent[0], extent[1]}).ranks({world_size(), 1});
    auto const block = dec.local(heat, HaloDepth::sweeps(8));
    View2 a = block.make<View2>("a"), b = block.make<View2>("b");
    auto const on = StencilPolicy<Exec, 2>(space).boundary(Boundary<2>::value(0.5)).accuracy(Accuracy::reproducible);
    DistributedPlan<Exec, 2, View2, View2> const plan("graph", on.on(dec), heat, a, b);
    if (plan.engine() == "mpi") GTEST_SKIP() << "the host takes part in exchanges";
    fill_owned(block, a, start);
    Kokkos::fence();
    View2 const first    = a;
    cudaGraph_t graph    = nullptr;
    cudaGraphExec_t made = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    // Twice, so that the newest state is where it was.
    for (int k = 0; k < 2; ++k) plan.run(a, b, steps);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    ASSERT_EQ(a.data(), first.data());
    ASSERT_EQ(cudaGraphInstantiate(&made, graph, 0), cudaSuccess);
    for (int k = 0; k < runs; ++k) ASSERT_EQ(cudaGraphLaunch(made, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(wrong_points(block, host_copy(a), host_copy(u)), 0);
    // And without a graph again.
    fill_owned(block, a, start);
    for (int k = 0; k < 2 * runs; ++k) plan.run(a, b, steps);
    space.fence();
    EXPECT_EQ(wrong_points(block, host_copy(a), host_copy(u)), 0);
    cudaGraphExecDestroy(made);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
}
#endif

TEST(Uses, GatherAndScatter) {
  auto const dec   = Decomposition<3>(MPI_COMM_WORLD, {13, 11, 9});
  auto const block = dec.local({{1, 1, 1}}, HaloDepth::sweeps(1));
  auto const u     = block.make<View3>("u");
  fill_owned(block, u, place);
  for (int root = 0; root < world_size(); ++root) {
    auto const whole = gather(dec, u, root);
    if (world_rank() != root) {
      EXPECT_EQ(whole.size(), 0u);
      continue;
    }
    ASSERT_EQ(whole.size(), 13u * 11u * 9u);
    EXPECT_EQ(wrong_points(block, host_copy(u), whole), 0);
    EXPECT_EQ(whole(12, 10, 8), float(place({{12, 10, 8}})));
  }
  auto const whole = gather(dec, u, 0);
  Kokkos::deep_copy(u, 0.0f);
  scatter(dec, whole, u, 0);
  auto const again = gather(dec, u, 0);
  for (std::size_t k = 0; k < whole.size(); ++k) ASSERT_EQ(whole.data()[k], again.data()[k]);
  EXPECT_NE(error_of([&] { gather(dec, u, world_size()); }).find("there is no rank"), std::string::npos);
  View3 const small("small", 3, 3, 3);
  EXPECT_NE(error_of([&] { scatter(dec, host_copy(small), u, 0); }).find("13 points along axis 0"), std::string::npos);
}

TEST(Uses, NormsAreOfTheWholeField) {
  auto const heat   = star<2>(1, {0.5, 0.125});
  auto const policy = StencilPolicy<Exec, 2>().boundary(Boundary<2>::value(0.0)).accuracy(Accuracy::reproducible);
  auto const dec    = Decomposition<2>(MPI_COMM_WORLD, {37, 29});
  auto const block  = dec.local(heat, HaloDepth::sweeps(3));
  for (Norm const norm : {Norm::max, Norm::rms}) {
    for (std::int64_t every : {1, 4, 7}) {
      StoppingCriterion const until{0.01, 60, every, norm};
      View2 u("u", 37, 29), tmp("tmp", 37, 29);
      fill(u, [](Extents const& i) { return noise(i, 5); });
      auto const one  = iterate_until("one", policy, heat, until, u, tmp);
      auto const want = host_copy(u);
      View2 a = block.make<View2>("a"), b = block.make<View2>("b");
      fill_owned(block, a, [](Extents const& i) { return noise(i, 5); });
      auto const all = iterate_until("ranks", policy.on(dec), heat, until, a, b);
      EXPECT_EQ(all.steps, one.steps);
      EXPECT_EQ(all.converged, one.converged);
      if (norm == Norm::max) {
        EXPECT_EQ(all.update_norm, one.update_norm);
      } else {
        // Sums of 1073 squares in another order.
        EXPECT_NEAR(all.update_norm, one.update_norm, one.update_norm * 1073 * std::numeric_limits<double>::epsilon());
      }
      EXPECT_EQ(wrong_points(block, host_copy(a), want), 0);
    }
  }
  // A NaN of one block stops all.
  View2 a = block.make<View2>("a"), b = block.make<View2>("b");
  fill_owned(block, a, [](Extents const& i) {
    return i[0] == 36 && i[1] == 28 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  });
  auto const r = iterate_until("nan", policy.on(dec), heat, {0.0, 50, 2}, a, b);
  EXPECT_TRUE(std::isnan(r.update_norm));
  EXPECT_EQ(r.steps, 2);
}

TEST(Uses, OneSweep) {
  auto const heat   = star<2>(2, {0.4, 0.1, 0.05});
  auto const policy = StencilPolicy<Exec, 2>().boundary(Boundary<2>::mirror()).accuracy(Accuracy::reproducible);
  View2 u("u", 33, 21), v("v", 33, 21);
  fill(u, [](Extents const& i) { return noise(i, 9); });
  parallel_for("one", policy, heat, u, v);
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {33, 21});
  auto const block = dec.local(heat, HaloDepth::sweeps(1));
  View2 const a = block.make<View2>("a"), b = block.make<View2>("b");
  fill_owned(block, a, [](Extents const& i) { return noise(i, 9); });
  Kokkos::View<double const**, Kokkos::LayoutRight, Exec::memory_space> const input = a;
  parallel_for("ranks", policy.on(dec), heat, input, b);
  EXPECT_EQ(wrong_points(block, host_copy(b), host_copy(v)), 0);
}

/// Integers, so that every compiler's sums are the same.
template <class View>
struct Rule {
  KOKKOS_FUNCTION double operator()(Neighborhood<View> const& n, Neighborhood<View> const& k) const {
    return 2 * n(0, 0) - n(1, 0) + n(-1, 1) + k(0, 0);
  }
};
template <class View>
struct Sum {
  KOKKOS_FUNCTION double operator()(Neighborhood<View> const& n) const {
    double const sum = n(0, 0) + n(1, 0) + n(-1, 1) - n(0, -1);
    return sum > 100 ? sum - 100 : sum;
  }
};

TEST(Uses, StencilsThatAreCode) {
  auto const policy = StencilPolicy<Exec, 2>().boundary(Boundary<2>::edge().axis(1, Face::periodic())).radius(1);
  auto const start  = [](Extents const& i) { return static_cast<double>((i[0] * 7 + i[1] * 5) % 23); };
  View2 u("u", 33, 21), k("k", 33, 21), v("v", 33, 21);
  fill(u, start);
  fill(k, place);
  parallel_for("one", policy, Rule<View2>(), fields(u, reach<0>(k)), v);
  auto const once = host_copy(v);
  iterate("one", policy, Sum<View2>(), 5, u, v);
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {33, 21}).periodic(1);
  auto const block = dec.local({{1, 1}}, HaloDepth::sweeps(1));
  View2 a = block.make<View2>("a"), c = block.make<View2>("c"), b = block.make<View2>("b");
  fill_owned(block, a, start);
  fill_owned(block, c, place);
  parallel_for("ranks", policy.on(dec), Rule<View2>(), fields(a, reach<0>(c)), b);
  EXPECT_EQ(wrong_points(block, host_copy(b), once), 0);
  iterate("ranks", policy.on(dec), Sum<View2>(), 5, a, b);
  EXPECT_EQ(wrong_points(block, host_copy(a), host_copy(u)), 0);
}

TEST(Uses, PlansExplain) {
  auto const heat  = star<2>(1, {0.5, 0.125});
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {40 * world_size(), 30}).ranks({{world_size(), 1}});
  auto const block = dec.local(heat, HaloDepth::sweeps(5));
  View2 a = block.make<View2>("a"), b = block.make<View2>("b");
  DistributedPlan<Exec, 2, View2, View2> const plan("explained", StencilPolicy<Exec, 2>().on(dec), heat, a, b);
  std::string const text = plan.explain();
  std::string const wanted =
      world_size() == 1 ? "nothing is exchanged" : "ghost layers 5 x 0, exchanged every 5 sweeps; ";
  EXPECT_NE(text.find(wanted), std::string::npos) << text;
  EXPECT_NE(text.find("generic"), std::string::npos) << text;
}

TEST(Uses, NothingOutlivesADecomposition) {
  std::weak_ptr<Impl::Ranks const> ranks;
  {
    auto const heat  = star<2>(1, {0.5, 0.125});
    auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {40, 30});
    auto const block = dec.local(heat, HaloDepth::sweeps(2));
    View2 a = block.make<View2>("a"), b = block.make<View2>("b");
    iterate("heat", StencilPolicy<Exec, 2>().on(dec), heat, 3, a, b);
    exchange("a", dec, fields(a));
    ranks = dec.impl_ranks();
    EXPECT_FALSE(ranks.expired());
  }
  EXPECT_TRUE(ranks.expired());
}

TEST(Choice, LittleSurface) {
  using Three = std::array<int, 3>;
  // Slabs need no packing; where blocks have far less surface they win.
  EXPECT_EQ(Impl::choose_ranks(2, {{1000, 1000, 1}}, {{0, 0, 1}}, 2, 0), (Three{{2, 1, 1}}));
  EXPECT_EQ(Impl::choose_ranks(2, {{1000, 1000, 1}}, {{0, 0, 1}}, 4, 0), (Three{{4, 1, 1}}));
  // Rows stay whole as long as they can.
  EXPECT_EQ(Impl::choose_ranks(3, {{512, 512, 512}}, {{0, 0, 0}}, 64, 0), (Three{{8, 4, 2}}));
  EXPECT_EQ(Impl::choose_ranks(3, {{512, 512, 512}}, {{0, 0, 0}}, 4096, 0), (Three{{32, 16, 8}}));
  EXPECT_EQ(Impl::choose_ranks(3, {{512, 512, 512}}, {{0, 0, 0}}, 32, 2), (Three{{1, 4, 8}}));
  EXPECT_EQ(Impl::choose_ranks(2, {{10, 100000, 1}}, {{0, 0, 1}}, 4, 0), (Three{{1, 4, 1}}));
  EXPECT_EQ(Impl::choose_ranks(3, {{64, 64, 64}}, {{0, 3, 0}}, 6, 0), (Three{{2, 3, 1}}));
  // Too few points along an axis.
  EXPECT_EQ(Impl::choose_ranks(2, {{3, 100, 1}}, {{0, 0, 1}}, 4, 0), (Three{{1, 4, 1}}));
  EXPECT_NE(error_of([] {
              Impl::choose_ranks(1, {{3, 1, 1}}, {{0, 1, 1}}, 4, 0);
            }).find("4 processes cannot share 3"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              Impl::choose_ranks(2, {{30, 30, 1}}, {{3, 0, 1}}, 4, 0);
            }).find("as ranks 3 x any"),
            std::string::npos);
}

TEST(Choice, LayersThatKeepRowsWholeVectors) {
  auto const layers_of = [](std::int64_t columns, int sweeps, std::int64_t row_values) {
    auto const dec = Decomposition<2>(MPI_COMM_WORLD, {8, columns}).ranks({1, world_size()});
    auto const l   = Impl::wanted_layers(*dec.impl_ranks(), {{1, 1, 0}}, sweeps, row_values);
    return std::make_pair(l[1], Impl::sweeps_of(*dec.impl_ranks(), {{1, 1, 0}}, l));
  };
  EXPECT_EQ(Impl::values_of_vector(2), 8);
  EXPECT_EQ(Impl::values_of_vector(8), 2);
  EXPECT_EQ(Impl::values_of_vector(24), 1);
  int const n = world_size();
  if (n < 2) {
    EXPECT_EQ(layers_of(64, 5, 8), std::make_pair(std::int64_t(0), 0));
    return;
  }
  EXPECT_EQ(layers_of(64 * n, 5, 8), std::make_pair(std::int64_t(8), 8));
  EXPECT_EQ(layers_of(64 * n, 5, 1), std::make_pair(std::int64_t(5), 5));
  EXPECT_EQ(layers_of(64 * n, 8, 8), std::make_pair(std::int64_t(8), 8));
  // Rows that are no whole vectors anyway, and blocks that are too small for more.
  EXPECT_EQ(layers_of(63 * n, 5, 8), std::make_pair(std::int64_t(5), 5));
  EXPECT_EQ(layers_of(8 * n, 5, 16), std::make_pair(std::int64_t(5), 5));
}

TEST(Choice, DeepWhereExchangesAreSlow) {
  Impl::Cuts cuts;
  cuts.rank   = 2;
  cuts.extent = {{4000, 4000, 1}};
  cuts.ranks  = {{2, 1, 1}};
  cuts.begins = {{{0, 2000, 4000}, {0, 4000}, {0, 1}}};
  Impl::NetworkInfo network;
  network.latency = 1e-9;
  int const fast  = Impl::choose_sweeps(cuts, {{1, 1, 0}}, network, 8);
  network.latency = 1e-1;
  int const slow  = Impl::choose_sweeps(cuts, {{1, 1, 0}}, network, 8);
  EXPECT_LT(fast, slow);
  EXPECT_EQ(slow, 15);
  // As deep as passes of planes and of volumes are, with times that are usual.
  EXPECT_EQ(Impl::choose_sweeps(cuts, {{1, 1, 0}}, Impl::NetworkInfo(), 8), 13);
  Impl::Cuts volume;
  volume.rank   = 3;
  volume.extent = {{512, 256, 256}};
  volume.ranks  = {{2, 1, 1}};
  volume.begins = {{{0, 256, 512}, {0, 256}, {0, 256}}};
  EXPECT_EQ(Impl::choose_sweeps(volume, {{1, 1, 1}}, Impl::NetworkInfo(), 8), 9);
  // No deeper than the smallest block.
  cuts.begins[0] = {0, 6, 4000};
  EXPECT_EQ(Impl::choose_sweeps(cuts, {{1, 1, 0}}, network, 8), 5);
  EXPECT_EQ(Impl::choose_sweeps(cuts, {{2, 1, 0}}, network, 8), 3);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
