// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <host_temporal/Schedule.hpp>
#include <host_temporal/Trial.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

// Schedules of several sweeps in cache: every point once a sweep, from values of the sweep before.

namespace KokkosStencil {
namespace Test {
namespace {

using HostTemporal::Schedule;

/// The number of the newest sweep of each point of two fields that take turns.
class Fields {
 public:
  explicit Fields(Schedule const& s) : m_schedule(s) {
    for (std::size_t a = 0; a < 3; ++a) m_size[a] = s.range.end[a] - s.range.begin[a];
    for (auto& field : m_sweep) field.assign(static_cast<std::size_t>(m_size[0] * m_size[1] * m_size[2]), -1);
    std::fill(m_sweep[0].begin(), m_sweep[0].end(), 0);
  }

  void compute(int t, PointBox const& box) {
    auto& to         = m_sweep[static_cast<std::size_t>(t % 2)];
    auto const& from = m_sweep[static_cast<std::size_t>((t - 1) % 2)];
    std::array<std::int64_t, 3> i{};
    for (i[0] = box.begin[0]; i[0] < box.end[0]; ++i[0]) {
      for (i[1] = box.begin[1]; i[1] < box.end[1]; ++i[1]) {
        for (i[2] = box.begin[2]; i[2] < box.end[2]; ++i[2]) {
          // Along the axes and at the corners, where a schedule that leans the wrong way would miss something.
          for (std::size_t a = 0; a < 3; ++a) {
            for (std::int64_t d = -m_schedule.reach[a]; d <= m_schedule.reach[a]; ++d) {
              auto j = i;
              j[a] += d;
              read(from, j, t - 1);
            }
          }
          for (unsigned corner = 0; corner < 8; ++corner) {
            auto j = i;
            for (std::size_t a = 0; a < 3; ++a)
              j[a] += (corner >> a & 1u) != 0 ? m_schedule.reach[a] : -m_schedule.reach[a];
            read(from, j, t - 1);
          }
          if (to[at(i)] != t - 2 && !(t == 1 && to[at(i)] == -1)) ++m_wrong;
          to[at(i)] = t;
        }
      }
    }
  }

  /// Values of another sweep that were read or lost, and points that were not computed.
  std::int64_t wrong(int sweeps) const {
    auto const& newest = m_sweep[static_cast<std::size_t>(sweeps % 2)];
    return m_wrong + std::count_if(newest.begin(), newest.end(), [&](int t) { return t != sweeps; });
  }

 private:
  void read(std::vector<int> const& from, std::array<std::int64_t, 3> j, int sweep) {
    for (std::size_t a = 0; a < 3; ++a) {
      bool const below = j[a] < m_schedule.range.begin[a], above = j[a] >= m_schedule.range.end[a];
      if (!below && !above) continue;
      if (a != m_schedule.slow || !m_schedule.ring) return;
      j[a] += below ? m_size[a] : -m_size[a];
    }
    if (from[at(j)] != sweep) ++m_wrong;
  }

  std::size_t at(std::array<std::int64_t, 3> const& i) const {
    auto const& b = m_schedule.range.begin;
    return static_cast<std::size_t>(((i[0] - b[0]) * m_size[1] + i[1] - b[1]) * m_size[2] + i[2] - b[2]);
  }

  Schedule const& m_schedule;
  std::array<std::int64_t, 3> m_size{};
  std::vector<int> m_sweep[2];
  std::int64_t m_wrong = 0;
};

TEST(HostSchedule, EveryPointOnceASweepFromTheSweepBefore) {
  std::mt19937 random(1);
  auto const between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int k = 0; k < 400; ++k) {
    Schedule s;
    s.slow    = static_cast<std::size_t>(between(0, 2));
    s.depth   = 2 * between(1, 4) + 1;
    s.chunks  = between(1, 4);
    s.slab    = between(1, 9);
    s.ring    = between(0, 1) == 1;
    s.blocked = s.slow < 2 && between(0, 1) == 1;
    s.block   = between(3, 8);
    for (std::size_t a = 0; a < 3; ++a) {
      s.reach[a]       = a < s.slow ? 0 : between(0, 3);
      s.range.begin[a] = a < s.slow ? 0 : between(0, 3);
      s.range.end[a]   = s.range.begin[a] + (a < s.slow ? 1 : between(1, 12));
    }
    s.range.end[s.slow] =
        s.range.begin[s.slow] + s.chunks * std::max<std::int64_t>(1, 2 * s.depth * s.reach[s.slow]) + between(0, 9);
    SCOPED_TRACE("case " + std::to_string(k));
    for (int const sweeps : {s.depth, 3}) {
      Fields fields(s);
      auto const f = [&](int t, PointBox const& box) { fields.compute(t, box); };
      // Chunks at the same time: here in any order.
      for (std::int64_t c = s.chunks; c-- > 0;) s.chunk(c, sweeps, f);
      for (std::int64_t c = s.seams(); c-- > 0;) s.seam(c, sweeps, f);
      ASSERT_EQ(fields.wrong(sweeps), 0);
    }
  }
}

TEST(HostSchedule, FitsTheCacheAndEveryThread) {
  for (int const threads : {1, 2, 16}) {
    for (bool const periodic : {false, true}) {
      Problem p;
      p.value_type = ValueType::float64;
      p.rank       = 3;
      p.extent     = {{256, 300, 280}};
      p.end        = p.extent;
      p.in_stride = p.out_stride = {{300 * 280, 280, 1}};
      p.lower                    = {{-1, -1, -1}};
      p.upper                    = {{1, 1, 1}};
      p.terms.resize(7);
      if (periodic) p.faces[0] = {{Face::periodic(), Face::periodic()}};
      std::int64_t const cache = 1 << 20;
      Schedule const s         = HostTemporal::make_schedule(p, HostTemporal::load_of(p), threads, cache, 0.85);
      EXPECT_GT(s.depth, 1);
      EXPECT_EQ(s.depth % 2, 1);
      EXPECT_LT(s.share, 1.0);
      EXPECT_EQ(s.chunks, threads);
      EXPECT_EQ(s.seams(), periodic ? threads : threads - 1);
      EXPECT_LE(2 * 8 * 280 * (s.slab + s.depth) * (s.block + s.depth), cache);
      // A field that is in the caches already stays there.
      p.extent = p.end = {{16, 16, 16}};
      EXPECT_EQ(HostTemporal::make_schedule(p, HostTemporal::load_of(p), threads, cache, 0.85).depth, 1);
    }
  }
}

TEST(HostSchedule, DeclinesWhereChunksMeetTooOften) {
  Problem p;
  p.value_type = ValueType::float32;
  p.rank       = 3;
  p.extent = p.end = {{256, 256, 256}};
  p.lower          = {{-2, -2, -2}};
  p.upper          = {{2, 2, 2}};
  p.terms.resize(13);
  auto const depth = [&](int threads) {
    return HostTemporal::make_schedule(p, HostTemporal::load_of(p), threads, 1 << 20, 0.85).depth;
  };
  EXPECT_GT(depth(1), 1);
  EXPECT_GT(depth(2), 1);
  // Chunks of 16 planes, of which a pass of three sweeps reads 12 a second time.
  EXPECT_EQ(depth(16), 1);
}

TEST(HostSchedule, LargerSlabsWhereTheirNeighboursComeFromMemory) {
  Problem p;
  p.value_type = ValueType::float32;
  p.rank       = 3;
  p.extent = p.end = {{704, 704, 704}};
  p.lower          = {{-1, -1, -1}};
  p.upper          = {{1, 1, 1}};
  p.terms.resize(7);
  auto const schedule = [&](std::int64_t last_cache) {
    return HostTemporal::make_schedule(p, HostTemporal::load_of(p), 14, 1468006, 0.85, last_cache);
  };
  Schedule const held = schedule(std::int64_t(1) << 40), large = schedule(std::int64_t(300) << 20);
  EXPECT_GT(held.depth, 1);
  EXPECT_GT(large.depth, 1);
  EXPECT_GT(large.slab, held.slab);
  EXPECT_GE(large.slab, large.depth);
}

using HostTemporal::Trial;

/// Sweeps until all that was to be timed is, where each takes so long; what comes then.
Trial::Next after(Trial& trial, double single, double pass, int depth) {
  for (int k = 0; k < 5; ++k) {
    Trial::Next const next = trial.next(100, depth);
    bool const one         = next == Trial::Next::single || next == Trial::Next::timed_single;
    EXPECT_EQ(one, k < 3);
    trial.done(next, one ? 1 : depth, one ? single : pass * depth, 0.95);
  }
  return trial.next(100, depth);
}

TEST(HostTrial, TheClockDecides) {
  Trial faster, slower, same;
  EXPECT_EQ(after(faster, 2.0, 1.0, 5), Trial::Next::pass);
  EXPECT_EQ(after(slower, 1.0, 2.0, 5), Trial::Next::single);
  EXPECT_EQ(after(same, 1.0, 1.0, 5), Trial::Next::single);
}

TEST(HostTrial, ShortPassesDoNotCount) {
  Trial trial;
  for (int k = 0; k < 3; ++k) trial.done(trial.next(100, 9), 1, 1.0, 0.95);
  EXPECT_EQ(trial.next(7, 9), Trial::Next::pass);
  trial.done(Trial::Next::pass, 7, 100.0, 0.95);
  EXPECT_EQ(trial.next(9, 9), Trial::Next::timed_pass);
}

TEST(HostTrial, TriesAgainLater) {
  Trial trial;
  EXPECT_EQ(after(trial, 1.0, 2.0, 9), Trial::Next::single);
  int sweeps = 0;
  while (trial.next(100, 9) == Trial::Next::single && sweeps < 10000) {
    trial.done(Trial::Next::single, 1, 1.0, 0.95);
    ++sweeps;
  }
  EXPECT_EQ(trial.next(100, 9), Trial::Next::timed_single);
  EXPECT_GT(sweeps, 100);
  EXPECT_LT(sweeps, 1000);
}

TEST(HostTrial, SeveralThreadsMayUseOne) {
  Trial trial;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&trial] {
      for (int k = 0; k < 200; ++k) {
        Trial::Next const next = trial.next(100, 9);
        bool const one         = next == Trial::Next::single || next == Trial::Next::timed_single;
        trial.done(next, one ? 1 : 9, one ? 1.0 : 4.5, 0.95);
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(trial.next(100, 9), Trial::Next::pass);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
