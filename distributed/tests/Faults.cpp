// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RanksTest.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

// Errors are errors on every process, and none waits forever.

namespace KokkosStencil {
namespace Test {
namespace {

using View = FieldOf<double, 2, Kokkos::LayoutRight>;

/// Memory of the library for ghost layers has run out when it is asked for so many times.
class NoMemory {
 public:
  explicit NoMemory(int times) {
    left = times;
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, char const* label, void const*, std::uint64_t) {
          if (std::strcmp(label, "KokkosStencil ghost layers") == 0 && --left == 0) throw std::bad_alloc();
        });
  }
  ~NoMemory() { Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr); }
  NoMemory(NoMemory const&)            = delete;
  NoMemory& operator=(NoMemory const&) = delete;

 private:
  static inline int left = 0;
};

class Faults : public testing::Test {
 protected:
  void SetUp() override {
    if (world_size() < 2) GTEST_SKIP() << "needs two processes";
  }
  void expect_error(std::string const& text, std::string const& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "rank " << world_rank() << ": " << text;
  }

  Stencil<double, 2> const m_heat = star<2>(1, {0.5, 0.125});
  Decomposition<2> const m_dec =
      Decomposition<2>(MPI_COMM_WORLD, {12 * world_size(), 20}).ranks({{world_size(), 1}}).time_limit(20.0);
  LocalBlock<2> const m_block          = m_dec.local(m_heat, HaloDepth::sweeps(3));
  StencilPolicy<Exec, 2> const m_plain = StencilPolicy<Exec, 2>().boundary(Boundary<2>::edge());
  View m_u = m_block.make<View>("u"), m_v = m_block.make<View>("v");
  int const m_last = world_size() - 1;
};

TEST_F(Faults, OtherSteps) {
  bool const odd         = world_rank() == m_last;
  std::string const text = error_of([&] { iterate("heat", m_plain.on(m_dec), m_heat, odd ? 12 : 10, m_u, m_v); });
  expect_error(text,
               "\"heat\": the processes make different calls: \"iterate, steps 10\" on rank 0, \"iterate, steps "
               "12\" on rank " +
                   std::to_string(m_last));
  // The same processes go on.
  iterate("heat", m_plain.on(m_dec), m_heat, 4, m_u, m_v);
}

TEST_F(Faults, OtherLabelStencilExtentsCall) {
  bool const odd = world_rank() == m_last;
  expect_error(error_of([&] { iterate(odd ? "hot" : "heat", m_plain.on(m_dec), m_heat, 4, m_u, m_v); }),
               "\"call heat\" on rank 0, \"call hot\" on rank " + std::to_string(m_last));
  auto const other = star<2>(1, {0.5, odd ? 0.25 : 0.125});
  expect_error(error_of([&] { iterate("heat", m_plain.on(m_dec), other, 4, m_u, m_v); }), "stencil of 5 terms");
  auto const rules = odd ? Boundary<2>::value(3.0) : Boundary<2>::edge();
  expect_error(error_of([&] { iterate("heat", m_plain.boundary(rules).on(m_dec), m_heat, 4, m_u, m_v); }),
               "faces value 3");
  expect_error(error_of([&] {
                 if (odd) {
                   exchange("heat", m_dec, fields(m_u));
                 } else {
                   iterate("heat", m_plain.on(m_dec), m_heat, 4, m_u, m_v);
                 }
               }),
               "\"call exchange heat\" on rank " + std::to_string(m_last));
}

TEST_F(Faults, AnErrorOfOneIsOneOfAll) {
  bool const odd = world_rank() == m_last;
  View bad("bad", m_block.extents[0] + (odd ? 1 : 0), 21), worse("worse", m_block.extents[0] + (odd ? 1 : 0), 21);
  View u = odd ? bad : m_u, v = odd ? worse : m_v;
  std::string const text = error_of([&] { iterate("heat", m_plain.on(m_dec), m_heat, 4, u, v); });
  expect_error(text,
               "rank " + std::to_string(m_last) + " has a View of 21 points along axis 1, where its block has 20");
  if (!odd) expect_error(text, "an error on rank " + std::to_string(m_last));
  View same = m_u;
  expect_error(error_of([&] { iterate("heat", m_plain.on(m_dec), m_heat, 4, m_u, odd ? same : m_v); }), "overlap");
  expect_error(error_of([&] { iterate("heat", m_plain.on(m_dec), m_heat, -1, m_u, m_v); }), "-1 steps");
}

TEST_F(Faults, GhostLayersThatDoNotFit) {
  auto const wide = star<2>(2, {0.5, 0.1, 0.025});
  // Too few for one sweep.
  auto const thin = m_dec.local(m_heat, HaloDepth::sweeps(1));
  View u = thin.make<View>("u"), v = thin.make<View>("v");
  expect_error(error_of([&] { iterate("wide", m_plain.on(m_dec), wide, 4, u, v); }), "is shared 1 layers deep");
  // More than a neighbour owns.
  expect_error(error_of([&] { m_dec.local(m_heat, HaloDepth::sweeps(13)); }),
               "13 sweeps between exchanges need 13 ghost layers along axis 0, and its smallest block has 12");
  std::int64_t const sides = world_rank() == 0 || world_rank() == m_last ? 1 : 2;
  View a("a", 12 + 13 * sides, 20), b("b", 12 + 13 * sides, 20);
  expect_error(error_of([&] { iterate("deep", m_plain.on(m_dec), m_heat, 4, a, b); }), "smallest block");
  // Unequal depths.
  bool const odd = world_rank() == m_last;
  View c("c", 12 + (odd ? 3 : 2) * sides, 20), d("d", 12 + (odd ? 3 : 2) * sides, 20);
  expect_error(error_of([&] { iterate("uneven", m_plain.on(m_dec), m_heat, 4, c, d); }), "ghost layers 2 0 0");
}

TEST_F(Faults, RulesThatDoNotFit) {
  auto const rules = Boundary<2>::edge().axis(0, Face::periodic());
  expect_error(error_of([&] { iterate("ring", m_plain.boundary(rules).on(m_dec), m_heat, 4, m_u, m_v); }),
               "Use Decomposition::periodic(0)");
  expect_error(error_of([&] {
                 iterate("shared", m_plain.boundary(Boundary<2>(Face::shared(3))).on(m_dec), m_heat, 4, m_u, m_v);
               }),
               "the faces of a field over ranks are those of the whole field");
  expect_error(error_of([&] { m_dec.periodic(2); }), "no such axis: 2");
  expect_error(error_of([&] { m_dec.ranks({{-1, 1}}); }), "Decomposition::ranks with -1 along axis 0");
  expect_error(error_of([&] { m_dec.blocks(1, {7, 12}); }), "add up to 19");
  expect_error(error_of([&] { Decomposition<2>(MPI_COMM_NULL, {4, 4}); }), "communicator");
}

TEST_F(Faults, EnginesThatCannotRun) {
  expect_error(error_of([&] { m_dec.engine("pigeon"); }),
               "the engine \"pigeon\" does not exist; there are peer, nccl and mpi");
  if (!Impl::is_host_space<Exec>()) return;
  for (char const* const name : {"peer", "nccl"}) {
    std::string const wanted = std::string("the engine ") + name + " was asked for, and the fields are in host memory";
    expect_error(error_of([&] { exchange("device", m_dec.engine(name), fields(m_u)); }), wanted);
    expect_error(error_of([&] { iterate("device", m_plain.on(m_dec.engine(name)), m_heat, 4, m_u, m_v); }), wanted);
  }
  iterate("host", m_plain.on(m_dec.engine("mpi")), m_heat, 4, m_u, m_v);
}

TEST_F(Faults, MemoryThatRanOutIsAskedForAgain) {
  if (!Impl::is_host_space<Exec>()) GTEST_SKIP() << "engines have memory of their own";
  // Columns are packed.
  auto const dec   = Decomposition<2>(MPI_COMM_WORLD, {20, 12 * world_size()}).ranks({{1, world_size()}});
  auto const block = dec.local(m_heat, HaloDepth::sweeps(1));
  View u           = block.make<View>("u");
  Kokkos::deep_copy(u, world_rank());
  for (int const times : {1, 2}) {
    NoMemory const none(times);
    EXPECT_ANY_THROW(exchange("columns", dec, fields(u)));
  }
  exchange("columns", dec, fields(u));
  auto const host = host_copy(u);
  EXPECT_EQ(host(7, 0), std::max(0, world_rank() - 1));
  EXPECT_EQ(host(7, host.extent(1) - 1), std::min(m_last, world_rank() + 1));
}

TEST_F(Faults, MemoryThatRanOutForOneIsAnErrorOfAll) {
  if (!Impl::is_host_space<Exec>()) GTEST_SKIP() << "engines have memory of their own";
  auto const start  = [](Extents const& i) { return noise(i, 11); };
  auto const policy = m_plain.accuracy(Accuracy::reproducible);
  Extents const extent{{20, 12 * world_size(), 1}};
  View u = make_field<View>(extent), v = make_field<View>(extent);
  fill(u, start);
  iterate("one", policy, m_heat, 7, u, v);
  auto const want = host_copy(u);
  // With overlap there is more memory than that of messages.
  for (bool const overlap : {false, true}) {
    int failed = 0;
    for (bool wrong = true; wrong; failed += wrong) {
      auto const dec = Decomposition<2>(MPI_COMM_WORLD, {extent[0], extent[1]})
                           .ranks({{1, world_size()}})
                           .overlap(overlap)
                           .time_limit(20.0);
      auto const block = dec.local(m_heat, HaloDepth::sweeps(2));
      View a = block.make<View>("a"), b = block.make<View>("b");
      fill_owned(block, a, start);
      std::string text;
      {
        NoMemory const none(world_rank() == m_last ? 1 + failed : 0);
        text = error_of([&] { iterate("short", policy.on(dec), m_heat, 7, a, b); });
      }
      wrong = text != "no error";
      if (wrong) {
        expect_error(text, "bad_alloc");
        if (world_rank() != m_last) expect_error(text, "an error on rank " + std::to_string(m_last));
        iterate("short", policy.on(dec), m_heat, 7, a, b);
      }
      EXPECT_EQ(wrong_points(block, host_copy(a), want), 0);
    }
    EXPECT_EQ(failed, overlap ? 4 : 2);
  }
}

TEST_F(Faults, NobodyWaitsForever) {
  auto const dec   = m_dec.time_limit(0.5);
  auto const start = std::chrono::steady_clock::now();
  exchange("all are there", dec, fields(m_u));
  if (world_rank() != m_last) {
    std::string const text = error_of([&] { exchange("alone", dec, fields(m_u)); });
    expect_error(text, "\"alone\": MPI_Iallreduce on rank " + std::to_string(world_rank()) + " has waited 0.5 seconds");
    expect_error(text, "Decomposition::time_limit");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 20.0);
  EXPECT_GT(taken.count(), 0.4);
  if (world_rank() != m_last) {
    expect_error(error_of([&] { exchange("again", dec, fields(m_u)); }), "has given up");
  }
}

TEST_F(Faults, NumbersThatPredictNothing) {
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (double const wrong : {-1e-6, nan, infinity}) {
    expect_error(error_of([&] { m_dec.network({wrong, 5e9, 1e-9}); }), "Decomposition::network with latency");
    expect_error(error_of([&] { m_dec.network({5e-6, wrong, 1e-9}); }), "Decomposition::network with bandwidth");
    expect_error(error_of([&] { m_dec.network({5e-6, 5e9, wrong}); }), "Decomposition::network with point_seconds");
  }
  expect_error(error_of([&] {
                 m_dec.network({5e-6, 0.0, 1e-9});
               }),
               "bandwidth 0; take a finite number of more than 0.");
  EXPECT_EQ(m_dec.network({0.0, 5e9, 1e-9}).impl_ranks()->settings().network.latency, 0.0);
  expect_error(error_of([&] { m_dec.local({{-1, 5}}); }), "the reach -1 along axis 0");
}

TEST_F(Faults, TimeLimitsAreTimes) {
  for (double const wrong : {0.0, -3.0, -std::numeric_limits<double>::infinity()}) {
    expect_error(error_of([&] { m_dec.time_limit(wrong); }), "take more than 0 seconds");
  }
  expect_error(error_of([&] { m_dec.time_limit(-3.0); }), "KokkosStencil: Decomposition::time_limit(-3)");
  expect_error(error_of([&] { m_dec.time_limit(std::numeric_limits<double>::quiet_NaN()); }), "time_limit(nan)");
  for (double const large : {std::numeric_limits<double>::infinity(), 1e300, 2e10}) {
    auto const dec = m_dec.time_limit(large);
    EXPECT_EQ(dec.impl_ranks()->settings().time_limit, 1e9);
    exchange("long", dec, fields(m_u));
  }
  EXPECT_EQ(m_dec.time_limit(0.25).impl_ranks()->settings().time_limit, 0.25);
}

TEST_F(Faults, ErrorsOfMpiNameRankAndNeighbour) {
  Some const two(2);
  if (two.comm() == MPI_COMM_NULL) return;
  auto const dec    = Decomposition<1>(two.comm(), {8});
  auto const& ranks = *dec.impl_ranks();
  ranks.agree("duplicate the communicator", "");
  char data[64] = {};
  std::vector<MPI_Request> requests;
  std::vector<int> peers;
  // More than is expected.
  std::size_t const bytes = world_rank() == 0 ? 64 : 16;
  ranks.post("message", world_rank() == 0, 1 - world_rank(), 5, data, bytes, requests, peers);
  if (world_rank() == 0) {
    ranks.wait("message", "MPI_Isend", requests, peers);
  } else {
    std::string const text = error_of([&] { ranks.wait("message", "MPI_Irecv", requests, peers); });
    expect_error(text, "\"message\": MPI_Irecv failed on rank 1, neighbour 0: ");
    expect_error(text, "essage truncated");
  }
  expect_error(error_of([&] { ranks.post("nobody", true, 7, 5, data, 4, requests, peers); }),
               "MPI_Isend failed on rank " + std::to_string(world_rank()) + ", neighbour 7");
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
