// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule.hpp"
#include "Tuning.hpp"
#include "generic/HostTiling.hpp"

#include <impl/KokkosStencil_FunctorPasses.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace KokkosStencil {
namespace Impl {

namespace {

using HostTemporal::Load;
using HostTemporal::Schedule;

std::atomic<std::int64_t> cache_of_tests{0};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The iteration as a problem whose axes are ordered, slowest first.
Problem problem_of(HostIteration const& what) {
  Problem p;
  for (std::size_t a = 0; a < 3; ++a) {
    if (what.order[a] < 0) continue;
    auto const user = static_cast<std::size_t>(what.order[a]);
    p.extent[a]     = what.geometry.extent[user];
    p.begin[a]      = what.where.range.begin[user];
    p.end[a]        = what.where.range.end[user];
    p.lower[a]      = -what.where.reach.before[user];
    p.upper[a]      = what.where.reach.behind[user];
    for (std::size_t side = 0; side < 2; ++side) p.faces[a][side] = what.geometry.faces[user][side];
  }
  return p;
}

/// `slower`: than a stencil that is data and reads the same points of a star.
Load load_of(HostIteration const& what, double slower) {
  Load load;
  for (std::size_t k = 0; k < what.fields.size(); ++k) {
    FieldInfo const& field = what.fields[k];
    int const bytes = static_cast<int>(field.view.value_size), views = k < what.states ? 2 : 1;
    int points              = 1;
    FieldReach const& reach = field.reach[0] < 0 ? what.where.reach : field.reach;
    for (std::size_t a = 0; a < 3; ++a) points += std::max(0, reach.before[a]) + std::max(0, reach.behind[a]);
    load.held += views * bytes;
    load.sweep += views * bytes;
    load.pass += (k < what.states ? 4.0 : 1.0) * bytes;
    load.seconds += slower * points / HostTemporal::cached_rate(bytes);
  }
  return load;
}

/// What was found out about functors, by the functor, the extents and the threads.
using Key = std::tuple<void const*, std::array<std::int64_t, 3>, int>;
struct Verdicts {
  std::mutex mutex;
  std::map<Key, bool> pays;
};
Verdicts& verdicts() {
  static Verdicts all;
  return all;
}

}  // namespace

struct HostPasses::State {
  Schedule schedule;
  std::array<int, 3> order{};
  Key key;
  bool several = false;  ///< passes of several sweeps
  /// Sweeps that are timed: first one that is not, then two by themselves, then a pass.
  int trial     = 0;
  double begin  = 0.0;
  double single = std::numeric_limits<double>::max();
};

namespace {

constexpr int trial_singles = 2, trial_end = trial_singles + 3;

}  // namespace

HostPasses::HostPasses(HostIteration const& what) : m_state(std::make_shared<State>()) {
  State& s = *m_state;
  s.order  = what.order;
  s.key    = Key{what.code, what.fields.front().view.extent, what.concurrency};
  s.trial  = trial_end;
  if (what.forced == "generic" || what.steps < 3) return;
  std::int64_t const of_tests = cache_of_tests;
  std::int64_t const cache =
      of_tests > 0
          ? of_tests
          : static_cast<std::int64_t>(HostTemporal::cache_share * static_cast<double>(Generic::second_cache_bytes()));
  Problem const problem = problem_of(what);
  bool const forced     = what.forced == "host_temporal";
  auto const schedule   = [&](double slower, double most) {
    return HostTemporal::make_schedule(problem, load_of(what, slower), what.concurrency, cache, most,
                                         Generic::last_cache_bytes());
  };
  s.schedule = schedule(1.0, forced ? std::numeric_limits<double>::infinity() : HostTemporal::largest_share);
  if (s.schedule.depth == 1) return;
  s.several = forced;
  if (forced) return;
  {
    std::lock_guard<std::mutex> const lock(verdicts().mutex);
    auto const found = verdicts().pays.find(s.key);
    if (found != verdicts().pays.end()) {
      s.several = found->second;
      return;
    }
  }
  // Too few sweeps to try: a functor is compiled for any processor and may do anything.
  if (what.steps > trial_singles + s.schedule.depth) {
    s.trial = 0;
  } else {
    s.several = schedule(HostTemporal::code_slower, HostTemporal::largest_share).depth > 1;
  }
}

int HostPasses::next(std::int64_t left) const {
  State const& s = *m_state;
  if (s.trial <= trial_singles) return 1;
  if (s.trial == trial_end && !s.several) return 1;
  auto const most = static_cast<int>(std::min<std::int64_t>(left, s.schedule.depth));
  return most % 2 == 1 ? most : most - 1;
}

bool HostPasses::timed() const { return m_state->trial > 0 && m_state->trial < trial_end; }

void HostPasses::begin() { m_state->begin = now(); }

void HostPasses::done(int sweeps) {
  State& s = *m_state;
  if (s.trial == trial_end) return;
  double const seconds = (now() - s.begin) / sweeps;
  if (s.trial > 0 && s.trial <= trial_singles) s.single = std::min(s.single, seconds);
  if (s.trial > trial_singles) {
    s.several = seconds < HostTemporal::trial_share * s.single;
    s.trial   = trial_end;
    std::lock_guard<std::mutex> const lock(verdicts().mutex);
    verdicts().pays[s.key] = s.several;
    return;
  }
  ++s.trial;
}

std::int64_t HostPasses::items(bool seams) const {
  return seams ? m_state->schedule.seams() : m_state->schedule.chunks;
}

void HostPasses::item(std::int64_t k, bool seams, int sweeps, void (*sweep)(void const*, int, PointBox const&),
                      void const* of) const {
  State const& s   = *m_state;
  auto const boxes = [&](int t, PointBox const& ordered) {
    PointBox box{{{0, 0, 0}}, {{1, 1, 1}}};
    for (std::size_t a = 0; a < 3; ++a) {
      if (s.order[a] < 0) continue;
      auto const user = static_cast<std::size_t>(s.order[a]);
      box.begin[user] = ordered.begin[a];
      box.end[user]   = ordered.end[a];
    }
    sweep(of, t, box);
  };
  if (seams) {
    s.schedule.seam(k, sweeps, boxes);
  } else {
    s.schedule.chunk(k, sweeps, boxes);
  }
}

void set_host_pass_cache(std::int64_t bytes) { cache_of_tests = bytes; }

}  // namespace Impl
}  // namespace KokkosStencil
