// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostTemporal.hpp"

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
#include <chrono>
#include <memory>
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

Schedule schedule_of(Problem const& rows, SpaceInfo const& space, Limits const& limits) {
  return make_schedule(rows, load_of(rows), space.concurrency, limits.cache_bytes, limits.most_share,
                       Generic::last_cache_bytes());
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

template <class Exec, class T>
class TemporalExecutable : public Executable {
 public:
  TemporalExecutable(Problem const& p, SpaceInfo const& space, Limits const& limits)
      : m_form(Generic::host_form(p)),
        m_schedule(schedule_of(m_form.problem, space, limits)),
        m_rows(m_form, Generic::row_stack(m_form.problem), false),
        m_single(p, space),
        m_tries(limits.most_share <= 1.0 && !Generic::ends_early<Exec>()) {}

  void sweep(Launch const& launch, void const* in, void* out) const override { m_single.sweep(launch, in, out); }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    // After an odd number of sweeps the newest state is in `out`.
    auto const most = static_cast<int>(std::min<std::int64_t>(steps, m_schedule.depth));
    int const depth = most % 2 == 1 ? most : most - 1;
    if (depth == 1) return m_single.pass(launch, in, out, steps);
    if (!m_tries) return pass_of(depth, launch, in, out, steps);
    Trial::Next const next  = m_trial.next(steps, m_schedule.depth);
    bool const one          = next == Trial::Next::single || next == Trial::Next::timed_single;
    auto const begin        = std::chrono::steady_clock::now();
    std::int64_t const made = one ? m_single.pass(launch, in, out, steps) : pass_of(depth, launch, in, out, steps);
    std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
    m_trial.done(next, made, took.count(), trial_share);
    return made;
  }

  bool overwrites_input() const override { return true; }

  std::size_t bytes() const override { return m_rows.bytes() + m_single.bytes(); }

 private:
  std::int64_t pass_of(int depth, Launch const& launch, void const* in, void* out, std::int64_t steps) const {
    using Items       = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>;
    Exec const& space = *static_cast<Exec const*>(launch.instance);
    Chunks<T> chunks{&m_rows, &m_schedule, static_cast<T*>(const_cast<void*>(in)), static_cast<T*>(out), depth,
                     steps,   false};
    Kokkos::parallel_for(launch.label, Items(space, 0, m_schedule.chunks), chunks);
    chunks.seams = true;
    if (m_schedule.seams() > 0) Kokkos::parallel_for(launch.label, Items(space, 0, m_schedule.seams()), chunks);
    return depth;
  }

  HostForm m_form;
  Schedule m_schedule;
  RowSweep<T> m_rows;
  Generic::HostExecutable<Exec, T> m_single;
  bool m_tries;  ///< the clock decides
  mutable Trial m_trial;
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
    kernel.work = Model::one_sweep(static_cast<double>(p.terms.size()), size_of(p.value_type));
    Estimate e  = Model::estimate(kernel, Generic::cautious_rates(space), static_cast<double>(p.points()),
                                  size_of(p.value_type), p.steps);
    Schedule const schedule =
        p.steps < 3 || p.points() == 0 ? Schedule() : schedule_of(Generic::host_form(p).problem, space, m_limits);
    if (schedule.depth == 1) {
      e.seconds *= predicted_delegation;
      return {e};
    }
    e.depth = schedule.depth;
    e.operations *= schedule.depth;
    e.bytes *= 2.0;
    e.seconds *= schedule.share;
    return {e};
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const&) const override {
    std::unique_ptr<Executable> made;
    Generic::with_space(space.type, [&](auto tag) {
      using Exec = typename decltype(tag)::type;
      if constexpr (Impl::is_host_space<Exec>()) {
        if (p.value_type == ValueType::float64) {
          made = std::make_unique<TemporalExecutable<Exec, double>>(p, space, m_limits);
        } else {
          made = std::make_unique<TemporalExecutable<Exec, float>>(p, space, m_limits);
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
