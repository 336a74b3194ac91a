// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_PassRates.hpp"

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_PatchTasks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <limits>
#include <mutex>
#include <sstream>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

/// In seconds, on an H100. What a block takes before it loads, to load four points a thread, and each sweep for its
/// barrier; and for another one where values follow faces.
constexpr double start_cost = 1.0e-6, load_cost = 1.0e-6, sweep_cost = 0.3e-6, reflect_cost = 0.9e-6;
constexpr int loaded_together = 4;
/// What a point costs a multiprocessor in a sweep: four bytes of each state and of each constant, and how many times
/// as much it is with one axis, two and three.
constexpr double point_cost = 0.06e-9, state_cost = 0.1e-9, constant_cost = 0.02e-9;
constexpr double rank_cost[] = {1.7, 1.0, 2.7};
/// What threads take to compute their points once, at least.
constexpr double round_cost = 0.14e-6;
/// What a single sweep takes besides moving its bytes and being launched; of volumes on an H200.
constexpr double single_cost[] = {2.5e-6, 2.5e-6, 1.2e-6};
/// The part of a copy's bandwidth that a sweep reaches.
constexpr double sweep_efficiency = 0.9;
/// Passes by more blocks than these are not looked for: other ways are faster there.
constexpr int most_waves = 8;
/// A half-word counts points.
constexpr std::int64_t most_slots = 65520;

constexpr auto over = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };

std::int32_t narrow(std::int64_t n) { return static_cast<std::int32_t>(n); }

std::int64_t slots_that_fit(PatchKernelInfo const& kernel) {
  int const bytes = 2 * kernel.state_bytes + kernel.constant_bytes;
  return std::min(most_slots, std::int64_t(kernel.shared_bytes) / bytes / 16 * 16);
}

/// The pass with so many patches along each axis; no slots if they do not fit.
PatchTasks tasks_of(PatchKernelInfo const& kernel, PatchProblem const& problem, int sweeps,
                    std::array<std::int64_t, 3> const& tiles) {
  PatchTasks t;
  t.sweeps            = sweeps;
  std::int64_t points = 1;
  for (std::size_t k = 0; k < std::size_t(kernel.rank); ++k) {
    auto const a      = static_cast<std::size_t>(problem.axis[k]);
    auto const& box   = problem.where.range;
    auto const own    = over(box.end[a] - box.begin[a], tiles[k]);
    t.tiles[k]        = narrow(tiles[k]);
    t.reach[k]        = std::max(problem.states[a], 0);
    t.halo[k]         = std::max(sweeps * t.reach[k], (sweeps - 1) * t.reach[k] + std::max(problem.constants[a], 0));
    t.size[k]         = narrow(std::min<std::int64_t>(own + 2 * t.halo[k], most_slots + 1));
    t.begin[k]        = narrow(box.begin[a]);
    t.stop[k]         = narrow(box.end[a]);
    t.extent[k]       = narrow(problem.geometry->extent[a]);
    auto const& faces = problem.geometry->faces[a];
    t.periodic[k]     = faces[0].kind == BoundaryKind::periodic;
    for (std::size_t side = 0; side < 2; ++side) t.kind[k][side] = static_cast<std::uint8_t>(faces[side].kind);
    // Past such a face the View is there once more, not twice.
    if (t.periodic[k] && t.halo[k] >= t.extent[k]) return t;
    t.reflects = t.reflects || (t.reach[k] > 0 && (reflected(faces[0].kind) || reflected(faces[1].kind)));
    points *= t.size[k];
    if (points > most_slots) return t;
  }
  std::int64_t const slots = over(points, 16) * 16;
  if (slots <= slots_that_fit(kernel)) t.slots = narrow(slots);
  return t;
}

double pass_seconds(PatchKernelInfo const& kernel, PatchTasks const& t, double launch) {
  double const point = (point_cost + state_cost * kernel.state_bytes / 4 + constant_cost * kernel.constant_bytes / 4) *
                       rank_cost[kernel.rank - 1];
  std::int64_t const points = std::int64_t(t.size[0]) * t.size[1] * t.size[2];
  double block = start_cost + load_cost * static_cast<double>(over(points, kernel.threads * loaded_together));
  for (int s = 1; s <= t.sweeps; ++s) {
    std::int64_t items = 1;
    for (int k = 0; k < kernel.rank; ++k) {
      std::int64_t const own = over(t.stop[k] - t.begin[k], t.tiles[k]);
      // A patch that is as long as the range ends there.
      std::int64_t const n = t.tiles[k] == 1 && !t.periodic[k] ? own : own + 2 * (t.sweeps - s) * t.reach[k];
      items *= k == 1 ? over(n, kernel.rows) : n;
    }
    double const rounds = static_cast<double>(over(items, kernel.threads));
    block += sweep_cost + rounds * std::max(round_cost, kernel.threads * kernel.rows * point);
    if (t.reflects) block += reflect_cost;
  }
  return launch + block * static_cast<double>(over(t.count(), kernel.multiprocessors));
}

/// Numbers of patches along an axis that are tried: all small ones, then steps of a sixth.
std::int64_t after(std::int64_t tiles) { return tiles < 12 ? tiles + 1 : tiles + tiles / 6; }

}  // namespace

std::string patches_unsupported(PatchKernelInfo const& kernel, PatchProblem const& problem) {
  for (std::size_t k = 0; k < std::size_t(kernel.rank); ++k) {
    auto const a      = static_cast<std::size_t>(problem.axis[k]);
    auto const& faces = problem.geometry->faces[a];
    auto const& box   = problem.where.range;
    auto const extent = problem.geometry->extent[a];
    bool const lower = faces[0].kind == BoundaryKind::periodic, upper = faces[1].kind == BoundaryKind::periodic;
    // Distances are added to these.
    if (extent > std::numeric_limits<std::int32_t>::max() / 2) return "the Views are too long";
    if (lower != upper) return "an axis is periodic at one face only";
    if (lower && (box.begin[a] != 0 || box.end[a] != extent)) return "the range leaves out a part of a periodic axis";
    if (k == 1 && box.end[a] - box.begin[a] < kernel.rows) return "there are fewer rows than a thread computes";
  }
  return "";
}

namespace {

PatchSchedule find_schedule(PatchKernelInfo const& kernel, PatchProblem const& problem, std::int64_t steps, bool forced,
                            DeviceModel const* device) {
  PatchSchedule best;
  auto const points     = static_cast<double>(problem.where.range.size());
  double const bytes    = points * (2.0 * kernel.state_bytes + kernel.constant_bytes);
  PassRates const rates = pass_rates(kernel.multiprocessors, bytes, device);
  best.sweep_seconds    = bytes / (sweep_efficiency * rates.bandwidth) + single_cost[kernel.rank - 1] + rates.launch;
  std::int64_t const most_blocks = std::int64_t(kernel.multiprocessors) * most_waves;
  if (!forced && points > static_cast<double>(most_blocks * slots_that_fit(kernel))) return best;

  std::array<std::int64_t, 3> most{{1, 1, 1}};
  for (std::size_t k = 0; k < std::size_t(kernel.rank); ++k) {
    auto const a    = static_cast<std::size_t>(problem.axis[k]);
    auto const size = problem.where.range.end[a] - problem.where.range.begin[a];
    most[k]         = std::max<std::int64_t>(1, k == 1 ? size / kernel.rows : over(size, k == 0 ? 8 : 1));
  }
  double fastest      = std::numeric_limits<double>::max();
  std::int64_t before = 0;
  int const deepest   = kernel.rank == 1 ? 64 : kernel.rank == 2 ? 20 : 8;
  for (std::int64_t passes = over(steps, deepest); passes <= steps; passes += over(passes, 4)) {
    std::int64_t const sweeps = over(steps, passes);
    if (sweeps == before) continue;
    before = sweeps;
    std::array<std::int64_t, 3> n{{1, 1, 1}};
    for (n[2] = 1; n[2] <= most[2]; n[2] = after(n[2])) {
      for (n[1] = 1; n[1] <= most[1]; n[1] = after(n[1])) {
        for (n[0] = 1; n[0] <= most[0]; n[0] = after(n[0])) {
          if (n[0] * n[1] * n[2] > most_blocks && !forced) break;
          PatchTasks const t = tasks_of(kernel, problem, static_cast<int>(sweeps), n);
          if (t.slots == 0) continue;
          double const pass = pass_seconds(kernel, t, rates.launch), all = pass * static_cast<double>(passes);
          if (all < fastest) {
            fastest           = all;
            best.tasks        = t;
            best.pass_seconds = pass;
          }
          // Patches need not be cut further than multiprocessors can take them.
          if (t.count() > static_cast<std::uint32_t>(4 * kernel.multiprocessors)) break;
        }
      }
    }
  }
  if (best.tasks.slots == 0) return best;
  best.pays  = forced || (best.tasks.sweeps > 1 && fastest < best.sweep_seconds * static_cast<double>(steps));
  best.fills = true;
  return best;
}

/// All that a schedule depends on.
using Key = std::array<std::int64_t, 48>;

Key key_of(PatchKernelInfo const& kernel, PatchProblem const& problem, std::int64_t steps, bool forced,
           DeviceModel const* device) {
  Key key{};
  std::size_t n   = 0;
  auto const add  = [&](std::int64_t value) { key[n++] = value; };
  auto const bits = [&](double value) {
    std::int64_t b = 0;
    std::memcpy(&b, &value, sizeof b);
    add(b);
  };
  for (int v : {kernel.rank, kernel.rows, kernel.threads, kernel.state_bytes, kernel.constant_bytes,
                kernel.multiprocessors, kernel.shared_bytes, forced ? 1 : 0, device == nullptr ? 0 : 1}) {
    add(v);
  }
  add(steps);
  for (std::size_t a = 0; a < 3; ++a) {
    add(problem.axis[a]);
    add(problem.where.range.begin[a]);
    add(problem.where.range.end[a]);
    add(problem.states[a]);
    add(problem.constants[a]);
    add(problem.geometry->extent[a]);
    for (Face const& face : problem.geometry->faces[a]) add(static_cast<std::int64_t>(face.kind));
  }
  if (device != nullptr) {
    for (double v : {device->bandwidth, device->l2_bandwidth, device->launch_seconds}) bits(v);
    add(device->l2_bytes);
  }
  return key;
}

}  // namespace

PatchSchedule patch_schedule(PatchKernelInfo const& kernel, PatchProblem const& problem, std::int64_t steps,
                             bool forced, DeviceModel const* device) {
  // The search takes longer than the sweeps of a small field, which an application makes again and again.
  static std::mutex mutex;
  static std::deque<std::pair<Key, PatchSchedule>> newest;
  Key const key = key_of(kernel, problem, steps, forced, device);
  std::lock_guard<std::mutex> const lock(mutex);
  for (auto const& known : newest) {
    if (known.first == key) return known.second;
  }
  constexpr std::size_t most_kept = 32;
  if (newest.size() == most_kept) newest.pop_back();
  newest.emplace_front(key, find_schedule(kernel, problem, steps, forced, device));
  return newest.front().second;
}

std::string schedule_text(PatchSchedule const& schedule, int depth) {
  std::ostringstream text;
  text.precision(3);
  if (schedule.tasks.slots == 0) {
    text << "predicted are " << 1e6 * schedule.sweep_seconds << " us for one sweep";
  } else {
    text << "predicted are " << 1e6 * schedule.pass_seconds << " us for a pass of " << depth << " sweeps by "
         << schedule.tasks.count() << " blocks and " << 1e6 * schedule.sweep_seconds << " us for one sweep";
  }
  return text.str();
}

}  // namespace Impl
}  // namespace KokkosStencil
