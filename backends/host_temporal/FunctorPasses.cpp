// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Schedule.hpp"
#include "Trial.hpp"
#include "Tuning.hpp"
#include "generic/HostTiling.hpp"

#include <impl/KokkosStencil_FunctorPasses.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace KokkosStencil {
namespace Impl {

namespace {

using HostTemporal::Load;
using HostTemporal::Schedule;
using HostTemporal::Trial;

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

/// As of stencils that are data and read the same points of a star.
Load load_of(HostIteration const& what) {
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
    load.seconds += points / HostTemporal::cached_rate(bytes);
  }
  return load;
}

/// Trials by the functor, the extents and the threads: calls of few sweeps go on with that of the calls before.
using Key = std::tuple<void const*, std::array<std::int64_t, 3>, int>;
std::shared_ptr<Trial> trial_of(Key const& key) {
  static std::mutex mutex;
  static std::map<Key, std::shared_ptr<Trial>> all;
  std::lock_guard<std::mutex> const lock(mutex);
  std::shared_ptr<Trial>& trial = all[key];
  if (trial == nullptr) trial = std::make_shared<Trial>();
  return trial;
}

}  // namespace

struct HostPasses::State {
  Schedule schedule;
  std::array<int, 3> order{};
  std::shared_ptr<Trial> trial;  ///< null: nothing is tried
  bool several     = false;      ///< then, passes of several sweeps
  int depth        = 1;          ///< of the deepest pass of this iteration, an odd number
  Trial::Next what = Trial::Next::single;
  double begin     = 0.0;
};

namespace {

int odd(std::int64_t sweeps) { return static_cast<int>(sweeps % 2 == 1 ? sweeps : sweeps - 1); }

}  // namespace

HostPasses::HostPasses(HostIteration const& what) : m_state(std::make_shared<State>()) {
  State& s = *m_state;
  s.order  = what.order;
  if (what.forced == "generic" || what.steps < 3) return;
  std::int64_t const of_tests = cache_of_tests;
  std::int64_t const cache =
      of_tests > 0
          ? of_tests
          : static_cast<std::int64_t>(HostTemporal::cache_share * static_cast<double>(Generic::second_cache_bytes()));
  Problem const problem = problem_of(what);
  bool const forced     = what.forced == "host_temporal";
  double const most     = forced ? std::numeric_limits<double>::infinity() : HostTemporal::largest_share;
  s.schedule =
      HostTemporal::make_schedule(problem, load_of(what), what.concurrency, cache, most, Generic::last_cache_bytes());
  if (s.schedule.depth == 1) return;
  s.depth   = odd(std::min<std::int64_t>(what.steps, s.schedule.depth));
  s.several = forced;
  // A functor is compiled for any processor and may do anything: the clock decides.
  if (!forced) s.trial = trial_of(Key{what.code, what.fields.front().view.extent, what.concurrency});
}

int HostPasses::next(std::int64_t left) {
  State& s = *m_state;
  s.what   = s.several ? Trial::Next::pass : Trial::Next::single;
  if (s.trial != nullptr) s.what = s.trial->next(left, s.depth);
  if (s.what == Trial::Next::single || s.what == Trial::Next::timed_single) return 1;
  return odd(std::min<std::int64_t>(left, s.depth));
}

bool HostPasses::timed() const {
  return m_state->what == Trial::Next::timed_single || m_state->what == Trial::Next::timed_pass;
}

void HostPasses::begin() { m_state->begin = now(); }

void HostPasses::done(int sweeps) {
  State& s = *m_state;
  if (s.trial == nullptr) return;
  s.trial->done(s.what, sweeps, timed() ? now() - s.begin : 0.0, HostTemporal::trial_share);
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
