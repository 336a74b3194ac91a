// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTemporal.hpp"

#include "Cascade.hpp"
#include "Schedule.hpp"
#include "Trial.hpp"
#include "Tuning.hpp"
#include "generic/CautiousRates.hpp"
#include "generic/HostSweep.hpp"
#include "generic/WithSpace.hpp"

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Views.hpp>
#include <model/Estimate.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace HostTemporal {

namespace {

using Generic::HostForm;
using Generic::RowSweep;

/// What make_schedule is told beside the problem.
struct Limits {
  std::int64_t cache_bytes;
  double most_share;
};

/// How passes of several sweeps are made, if at all: one of both has a depth of more than 1.
struct Way {
  CascadeShape cascade;
  Schedule chunks;
};
Way way_of(HostForm const& form, SpaceInfo const& space, Limits const& limits) {
  Problem const& p              = form.problem;
  Load const load               = load_of(p);
  std::int64_t const last_cache = Generic::last_cache_bytes();
  Way way;
  if (cascade_fits(p, form.group)) {
    way.cascade = make_cascade(p, load, space.concurrency, limits.cache_bytes, limits.most_share);
  }
  // Chunks only win where what they lean over is in a cache; from memory they lose more than is predicted.
  if (way.cascade.depth > 1 && load.held * p.points() > last_cache) return way;
  way.chunks = make_schedule(p, load, space.concurrency, limits.cache_bytes, limits.most_share, last_cache);
  if (way.cascade.depth > 1 && (way.chunks.depth == 1 || way.cascade.share <= way.chunks.share)) {
    way.chunks = Schedule();
  } else {
    way.cascade = CascadeShape();
  }
  return way;
}

/// A chunk, or what is missing around a meeting place, per work item.
template <class T>
struct Chunks {
  RowSweep<T> const* rows;
  Schedule const* schedule;
  T *first, *second;
  int sweeps;
  std::int64_t left;  ///< sweeps before ghost values are renewed
  bool seams;

  void operator()(std::int64_t k) const {
    auto const sweep = [&](int t, PointBox const& box) {
      bool const forth    = t % 2 == 1;
      PointBox const part = common(box, needed(schedule->shape, left - t));
      if (!part.empty()) rows->tile(forth ? first : second, forth ? second : first, part);
    };
    if (seams) {
      schedule->seam(k, sweeps, sweep);
    } else {
      schedule->chunk(k, sweeps, sweep);
    }
  }
};

/// What a thread keeps for the cascades that it computes.
template <class T>
T* cascade_buffer(std::size_t size) {
  thread_local std::vector<T> buffer;
  if (buffer.size() < size) {
    std::vector<T>().swap(buffer);
    buffer.resize(size);
  }
  return buffer.data();
}

/// Makes them, on each thread of an execution space; false if there is no memory for that.
template <class T, class Exec>
bool make_cascade_buffers(Exec const& space, std::string const& label, int threads, std::size_t size) {
  using Items = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<int>>;
  std::atomic<bool> made{true};
  std::atomic<bool>* const all = &made;
  Kokkos::parallel_for(label, Items(space, 0, threads), [=](int) {
    try {
      cascade_buffer<T>(size);
    } catch (std::bad_alloc const&) {
      *all = false;
    }
  });
  space.fence();
  return made;
}

template <class T>
struct CascadeTiles {
  Cascade<T> const* cascade;
  T const* in;
  T* out;
  int depth;

  void operator()(std::int64_t index) const {
    cascade->tile(in, out, depth, index, cascade_buffer<T>(cascade->buffer_size()));
  }
};

template <class Exec, class T>
class TemporalExecutable : public Executable {
 public:
  TemporalExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch, Limits const& limits)
      : TemporalExecutable(p, space, launch, limits, Generic::host_form(p)) {}

  void sweep(Launch const& launch, void const* in, void* out) const override { m_single.sweep(launch, in, out); }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    // As many passes, odd or even, as sweeps: which View holds the newest state must not depend on the clock.
    int const most            = std::max(m_way.cascade.depth, m_way.chunks.depth);
    std::int64_t const fewest = (steps + most - 1) / most;
    std::int64_t const passes = fewest + (steps - fewest) % 2;
    auto const mean           = static_cast<int>((steps + passes - 1) / passes);
    int const depth           = mean % 2 == 1 ? mean : mean + 1;
    if (depth <= 1) return m_single.pass(launch, in, out, steps);
    auto const several = [&] {
      return m_cascade != nullptr ? cascade_pass(depth, launch, in, out) : chunk_pass(depth, launch, in, out, steps);
    };
    if (!m_tries) return several();
    // Passes that are much shorter than others of this plan are not timed.
    int deepest = m_deepest.load(std::memory_order_relaxed);
    while (depth > deepest && !m_deepest.compare_exchange_weak(deepest, depth)) {
    }
    Trial::Next const next                   = m_trial.next(2 * depth >= std::max(depth, deepest) ? most : depth, most);
    bool const one                           = next == Trial::Next::single || next == Trial::Next::timed_single;
    auto const begin                         = std::chrono::steady_clock::now();
    std::int64_t const made                  = one ? m_single.pass(launch, in, out, steps) : several();
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    m_trial.done(next, made, took.count(), trial_share);
    return made;
  }

  bool overwrites_input() const override { return m_cascade == nullptr; }

  std::size_t bytes() const override {
    return m_rows.bytes() + m_single.bytes() + (m_cascade != nullptr ? m_cascade->bytes() : 0);
  }

 private:
  TemporalExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch, Limits const& limits,
                     HostForm const& form)
      : m_way(way_of(form, space, limits)),
        m_rows(form, Generic::row_stack(form.problem), false),
        m_single(p, space),
        m_threads(space.concurrency),
        m_tries(limits.most_share <= 1.0 && !Generic::ends_early<Exec>()) {
    if (m_way.cascade.depth == 1) return;
    Generic::Traffic const traffic = Generic::traffic_of(form.problem, space.concurrency, true);
    m_cascade = std::make_unique<Cascade<T>>(form, m_way.cascade, traffic.fetched, traffic.streamed);
    if (make_cascade_buffers<T>(*static_cast<Exec const*>(launch.instance), launch.label, m_threads,
                                m_cascade->buffer_size())) {
      return;
    }
    m_cascade.reset();
    m_way.cascade = CascadeShape();
  }

  std::int64_t chunk_pass(int depth, Launch const& launch, void const* in, void* out, std::int64_t steps) const {
    using Items       = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
    Exec const& space = *static_cast<Exec const*>(launch.instance);
    Schedule const& schedule = m_way.chunks;
    Chunks<T> chunks{&m_rows, &schedule, static_cast<T*>(const_cast<void*>(in)), static_cast<T*>(out), depth,
                     steps,   false};
    Kokkos::parallel_for(launch.label, Items(space, 0, schedule.chunks), chunks);
    chunks.seams = true;
    if (schedule.seams() > 0) Kokkos::parallel_for(launch.label, Items(space, 0, schedule.seams()), chunks);
    return depth;
  }

  std::int64_t cascade_pass(int depth, Launch const& launch, void const* in, void* out) const {
    Generic::for_items(launch.label, *static_cast<Exec const*>(launch.instance), m_cascade->tiles(), m_threads,
                       CascadeTiles<T>{m_cascade.get(), static_cast<T const*>(in), static_cast<T*>(out), depth});
    return depth;
  }

  Way m_way;
  RowSweep<T> m_rows;
  Generic::HostExecutable<Exec, T> m_single;
  std::unique_ptr<Cascade<T>> m_cascade;
  int m_threads;
  bool m_tries;  ///< the clock decides
  mutable Trial m_trial;
  mutable std::atomic<int> m_deepest{0};  ///< pass so far
};

class TemporalBackend : public Backend {
 public:
  TemporalBackend(std::string name, Limits const& limits) : m_name(std::move(name)), m_limits(limits) {}

  std::string name() const override { return m_name; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    if (!space.host) return Status::cannot("for host spaces only");
    if (p.value_type != ValueType::float64 && p.value_type != ValueType::float32) {
      return Status::cannot("float and double only");
    }
    if (p.in_stride != p.out_stride) return Status::cannot("the strides of the two Views differ");
    if (!Generic::with_space(space.type, [](auto) {})) {
      return Status::cannot("the library was built without kernels for the execution space " + space.name);
    }
    for (std::size_t a = 0; a < 3; ++a) {
      if (p.lower[a] < -farthest || p.upper[a] > farthest) return Status::cannot("the stencil reaches too far");
    }
    if (p.terms.size() > static_cast<std::size_t>(most_terms)) return Status::cannot("the stencil has too many terms");
    return Status::can();
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    Model::Kernel kernel;
    kernel.work  = Model::one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
    Estimate e   = Model::estimate(kernel, Generic::cautious_rates(space), static_cast<double>(p.points()),
                                   size_of(p.value_type), p.steps);
    int depth    = 1;
    double share = 1.0, fields = 1.0;  // read and written by a pass, over those by a sweep
    if (p.steps >= 3 && p.points() > 0) {
      Way const way = way_of(Generic::host_form(p), space, m_limits);
      depth         = std::max(way.cascade.depth, way.chunks.depth);
      share         = way.cascade.depth > 1 ? way.cascade.share : way.chunks.share;
      fields        = way.cascade.depth > 1 ? 1.0 : 2.0;
    }
    if (depth == 1) {
      e.seconds *= predicted_delegation;
      return {e};
    }
    e.depth = depth;
    e.operations *= depth;
    e.bytes *= fields;
    e.seconds *= share;
    return {e};
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    std::unique_ptr<Executable> made;
    Generic::with_space(space.type, [&](auto tag) {
      using Exec = typename decltype(tag)::type;
      if constexpr (Impl::is_host_space<Exec>()) {
        if (p.value_type == ValueType::float64) {
          made = std::make_unique<TemporalExecutable<Exec, double>>(p, space, launch, m_limits);
        } else {
          made = std::make_unique<TemporalExecutable<Exec, float>>(p, space, launch, m_limits);
        }
      }
    });
    return made;
  }

 private:
  /// What the schedules of rows hold.
  static constexpr int farthest = 256, most_terms = 512;

  std::string m_name;
  Limits m_limits;
};

}  // namespace

std::unique_ptr<Backend const> make_backend() {
  double const bytes = cache_share * static_cast<double>(Generic::second_cache_bytes());
  return make_backend("host_temporal", static_cast<std::int64_t>(bytes), largest_share);
}

std::unique_ptr<Backend const> make_backend(std::string const& name, std::int64_t cache_bytes, double most_share) {
  return std::make_unique<TemporalBackend const>(name, Limits{cache_bytes, most_share});
}

}  // namespace HostTemporal
}  // namespace KokkosStencil
