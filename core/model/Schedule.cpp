// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <vector>

namespace KokkosStencil {
namespace Model {

namespace {

constexpr int directions = 27;

struct Event {
  double time;
  int gpu;
  bool arrival;         ///< of a message; else the GPU posts its messages
  std::int64_t period;  ///< that the message belongs to

  /// The earliest comes first; the rest only makes the order certain.
  bool operator<(Event const& o) const {
    if (time != o.time) return time > o.time;
    if (arrival != o.arrival) return arrival < o.arrival;
    return gpu > o.gpu;
  }
};

struct Gpu {
  std::array<int, directions> neighbour;
  int neighbours      = 0;
  std::int64_t period = 0;
  double ready        = 0.0;     ///< its sweeps of this period are done, as far as they need no ghosts
  int arrived[2]      = {0, 0};  ///< messages, of this period and of the next one
  double last[2]      = {0.0, 0.0};
  bool posted         = false;
  double unpack       = 0.0;
  double link         = 0.0;  ///< its link within the node is free
  double waiting      = 0.0;
};

class Simulation {
 public:
  Simulation(Schedule const& s, Links const& l) : m_s(s), m_l(l) {
    auto const& n   = s.ranks;
    int const count = n[0] * n[1] * n[2];
    m_gpus.resize(static_cast<std::size_t>(count));
    m_network.assign(static_cast<std::size_t>((count + l.node - 1) / l.node), 0.0);
    for (int g = 0; g < count; ++g) {
      std::array<int, 3> const place{{g / (n[1] * n[2]), g / n[2] % n[1], g % n[2]}};
      for (int d = 0; d < directions; ++d) {
        gpu(g).neighbour[static_cast<std::size_t>(d)] = s.bytes[static_cast<std::size_t>(d)] > 0.0 ? at(place, d) : -1;
        if (gpu(g).neighbour[static_cast<std::size_t>(d)] >= 0) ++gpu(g).neighbours;
      }
    }
  }

  Simulated run() {
    for (int g = 0; g < static_cast<int>(m_gpus.size()); ++g) begin(g, 0.0);
    while (!m_events.empty()) {
      Event const e = m_events.top();
      m_events.pop();
      if (e.arrival) {
        auto const k = static_cast<std::size_t>(e.period % 2);
        ++gpu(e.gpu).arrived[k];
        gpu(e.gpu).last[k] = std::max(gpu(e.gpu).last[k], e.time);
      } else {
        post(e.gpu, e.time);
      }
      finish(e.gpu);
    }
    Simulated result;
    for (Gpu const& g : m_gpus) {
      result.seconds = std::max(result.seconds, g.ready);
      result.waiting += g.waiting / static_cast<double>(m_gpus.size());
    }
    return result;
  }

 private:
  Gpu& gpu(int g) { return m_gpus[static_cast<std::size_t>(g)]; }

  /// The neighbour in a direction, -1 if there is none.
  int at(std::array<int, 3> place, int direction) const {
    int const step[3] = {direction / 9 - 1, direction / 3 % 3 - 1, direction % 3 - 1};
    if (direction == directions / 2) return -1;
    for (std::size_t a = 0; a < 3; ++a) {
      int const n = m_s.ranks[a];
      if (step[a] != 0 && n == 1) return -1;
      place[a] += step[a];
      if (m_s.periodic[a]) place[a] = (place[a] + n) % n;
      if (place[a] < 0 || place[a] >= n) return -1;
    }
    return (place[0] * m_s.ranks[1] + place[1]) * m_s.ranks[2] + place[2];
  }

  /// By how much a period takes longer, between 0 and the jitter.
  double late(int g) const {
    std::uint64_t h =
        (static_cast<std::uint64_t>(g) << 32 | static_cast<std::uint64_t>(m_gpus[std::size_t(g)].period)) +
        m_s.seed * 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
    h ^= h >> 31;
    return m_s.jitter * static_cast<double>(h >> 11) * 0x1p-53;
  }

  /// A period whose ghost points are there.
  void begin(int g, double time) {
    double const longer = 1.0 + late(g);
    double const band   = m_s.band * longer;
    gpu(g).posted       = false;
    gpu(g).ready        = time + band + m_s.sweeps * longer;
    // Nothing is sent after the last period.
    if (gpu(g).period + 1 == m_s.periods) return;
    m_events.push({m_s.band > 0.0 ? time + band : gpu(g).ready, g, false, gpu(g).period});
  }

  void post(int g, double time) {
    Gpu& me       = gpu(g);
    double packed = 0.0;
    for (int d = 0; d < directions; ++d) {
      auto const k = static_cast<std::size_t>(d);
      if (me.neighbour[k] < 0) continue;
      packed += m_s.bytes[k];
    }
    double const start = time + 0.5 * m_l.overhead + packed / m_l.copy_bandwidth;
    for (int d = 0; d < directions; ++d) {
      auto const k = static_cast<std::size_t>(d);
      int const to = me.neighbour[k];
      if (to < 0) continue;
      bool const near        = to / m_l.node == g / m_l.node;
      double& link           = near ? me.link : m_network[static_cast<std::size_t>(g / m_l.node)];
      double const bandwidth = near ? m_l.near_bandwidth : m_l.far_bandwidth;
      link                   = std::max(link, start) + m_s.bytes[k] / bandwidth;
      m_events.push({link + (near ? m_l.near_latency : m_l.far_latency), to, true, me.period});
    }
    me.posted = true;
    me.unpack = me.neighbours > 0 ? 0.5 * m_l.overhead + packed / m_l.copy_bandwidth : 0.0;
  }

  /// Goes on to the next period once all is there.
  void finish(int g) {
    Gpu& me      = gpu(g);
    auto const k = static_cast<std::size_t>(me.period % 2);
    if (!me.posted || me.arrived[k] < me.neighbours) return;
    double const there = std::max(me.ready, me.last[k]);
    me.waiting += there - me.ready;
    me.arrived[k] = 0;
    me.last[k]    = 0.0;
    ++me.period;
    begin(g, there + me.unpack);
  }

  Schedule const& m_s;
  Links const& m_l;
  std::vector<Gpu> m_gpus;
  std::vector<double> m_network;  ///< of a node is free
  std::priority_queue<Event> m_events;
};

}  // namespace

Simulated simulate(Schedule const& schedule, Links const& links) { return Simulation(schedule, links).run(); }

}  // namespace Model
}  // namespace KokkosStencil
