// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_PassRates.hpp"

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_StripTasks.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>

namespace KokkosStencil {
namespace Impl {

namespace {

constexpr auto over = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };

/// What a row of a strip costs with any boundary, compared with one that needs no masks.
constexpr double general_cost = 4.0, general_cost_with_constants = 3.0;
/// What a point costs at a level, in nanoseconds of a multiprocessor that has all the warps it can have: two sums.
constexpr double point_cost = 0.029, state_cost = 0.035, constant_cost = 0.034;
/// How much faster a warp is that has a scheduler for itself. Codes with coefficients often divide, and wait for that.
constexpr double alone = 1.9, alone_with_constants = 1.1;
/// Warps are not dealt out to schedulers evenly: what the longest task takes in vain.
constexpr double uneven = 0.1;
/// What a row costs where values are kept, compared with a plain one.
constexpr double masked_cost = 1.25;
/// The part of a copy's bandwidth that a sweep and a pass reach.
constexpr double sweep_efficiency = 0.9, pass_efficiency = 0.8;

double bytes_of(StripKernelInfo const& kernel, StripProblem const& problem) {
  return static_cast<double>(problem.where.range.size()) * kernel.value_size * (2 * kernel.states + kernel.constants);
}

/// Warps take tasks one after the other, each as soon as it has done the one before, and share schedulers. Counted in
/// what a task takes where all warps are busy.
class Warps {
 public:
  explicit Warps(StripKernelInfo const& kernel)
      : m_count(std::int64_t(kernel.resident) * kernel.multiprocessors),
        m_free(m_count),
        m_schedulers(4 * kernel.multiprocessors),
        m_alone(kernel.constants > 0 ? alone_with_constants : alone) {}

  /// `tasks` that take so long each.
  void take(std::int64_t tasks, double time) {
    if (tasks > 0) m_longest = std::max(m_longest, time);
    while (tasks > 0) {
      if (m_free == 0 || m_used == m_groups.size()) finish_next();
      std::int64_t const taken = std::min(tasks, m_free);
      m_groups[m_used++]       = {m_done + time, taken};
      m_free -= taken;
      tasks -= taken;
    }
  }
  double end() {
    while (m_used > 0) finish_next();
    return m_now + uneven * m_longest;
  }

 private:
  /// Warps that end together, when each has done so much.
  struct Group {
    double end;
    std::int64_t warps;
  };
  void finish_next() {
    auto const first = std::min_element(m_groups.begin(), m_groups.begin() + m_used,
                                        [](Group const& a, Group const& b) { return a.end < b.end; });
    // The slowest ones share a scheduler with more of them than others do.
    auto const most   = static_cast<double>(over(m_count, m_schedulers));
    auto const shared = static_cast<double>(over(m_count - m_free, m_schedulers));
    m_now += (first->end - m_done) / std::min(m_alone, most / shared);
    m_done = first->end;
    m_free += first->warps;
    *first = m_groups[--m_used];
  }

  std::array<Group, 8> m_groups{};
  std::size_t m_used = 0;
  std::int64_t m_count, m_free, m_schedulers;
  double m_alone, m_longest = 0.0, m_now = 0.0, m_done = 0.0;
};

void add(StripTasks& tasks, StripRegion const& region) {
  if (region.strips <= 0 || region.first >= region.last) return;
  auto const count = static_cast<std::uint32_t>(region.strips * over(region.last - region.first, region.height));
  tasks.end[tasks.regions]      = tasks.count() + count;
  tasks.region[tasks.regions++] = region;
}

}  // namespace

std::string strips_unsupported(StripKernelInfo const& kernel, StripProblem const& problem) {
  auto const fast = static_cast<std::size_t>(problem.fast), slow = 1 - fast;
  for (ViewInfo const& v : problem.views) {
    if (v.stride[fast] != 1) return "the contiguous axes of the Views differ";
    auto const address = reinterpret_cast<std::uintptr_t>(v.data);
    if (address % static_cast<std::uintptr_t>(kernel.value_size) != 0) return "values lie at odd addresses";
  }
  // Distances are added to these.
  std::int64_t const most = std::numeric_limits<std::int32_t>::max() / 2;
  auto const& extent      = problem.geometry->extent;
  if (extent[0] > most || extent[1] > most) return "the Views are too long";
  if (extent[slow] < 2 * kernel.depth * kernel.reach) return "there are fewer rows than two passes reach";
  if (extent[fast] < kernel.columns) return "rows are shorter than a strip";
  return "";
}

StripPass strip_pass(StripKernelInfo const& kernel, StripProblem const& problem, int sweeps,
                     DeviceModel const* device) {
  auto const fast = static_cast<std::size_t>(problem.fast), slow = 1 - fast;
  StripPass pass;
  StripTasks tasks;
  PointBox const& range = problem.where.range;
  auto const narrow     = [](auto n) { return static_cast<std::int32_t>(n); };
  std::int32_t const y0 = narrow(range.begin[slow]), y1 = narrow(range.end[slow]);
  std::int32_t const x0 = narrow(range.begin[fast]), x1 = narrow(range.end[fast]);
  std::int64_t const phase = vector_phase(kernel.width, 2, fast, problem.views);
  // Vectors of strips begin at multiples of their width, wherever these lie in memory.
  std::int64_t const lowest = std::max<std::int64_t>(phase, 0);
  tasks.aligned             = phase >= 0;
  tasks.depth               = sweeps;
  tasks.begin[0] = y0, tasks.begin[1] = x0;
  tasks.stop[0] = y1, tasks.stop[1] = x1;
  tasks.column             = x0 - narrow(((x0 - lowest) % kernel.width + kernel.width) % kernel.width);
  std::int32_t const owned = kernel.columns - 2 * kernel.halo;
  std::int32_t const lead = kernel.depth * kernel.reach, general_lead = sweeps * kernel.reach;
  auto const strips  = narrow(over(x1 - tasks.column, owned));
  auto const begins  = [&](std::int32_t strip) { return tasks.column + strip * owned - kernel.halo; };
  auto const crosses = [&](std::int32_t strip) { return begins(strip) < x0 || begins(strip) + kernel.columns > x1; };
  // Strips [left, right) and rows [top, bottom) for which all that is needed lies in whole vectors of the Views: no
  // rule of a face is asked.
  std::int64_t const wide = problem.geometry->extent[fast] - lowest;
  std::int64_t const end  = lowest + (tasks.aligned ? wide / kernel.width * kernel.width : wide);
  // Kernels with constants have no such way.
  bool const masks         = kernel.constants == 0;
  bool const begins_inside = masks && x0 - kernel.across >= lowest;
  bool const ends_inside   = masks && x1 + kernel.across <= end;
  std::int32_t left = 0, right = strips;
  while (!begins_inside && left < strips && begins(left) < x0) ++left;
  while (!ends_inside && right > left && begins(right - 1) + kernel.columns > x1) --right;
  std::int32_t top    = masks && y0 - kernel.reach >= 0 ? y0 : y0 + general_lead;
  std::int32_t bottom = masks && y1 + kernel.reach <= problem.geometry->extent[slow] ? y1 : y1 - general_lead;
  if (top >= bottom || (!masks && sweeps != kernel.depth)) left = right = strips;
  // Those of them for which it lies in the range as well.
  std::int32_t first = left, last = right;
  while (first < last && (crosses(first) || sweeps != kernel.depth)) ++first;
  while (last > first && crosses(last - 1)) --last;

  // How many rows a task has decides how evenly the work is dealt out, and how much of it is done twice. Counted in
  // plain rows.
  auto const cut = [&](std::int32_t h, std::int32_t general_h) {
    StripTasks t              = tasks;
    std::int32_t const kept_h = std::max(lead, narrow(std::ceil((h + 2 * lead) / masked_cost)) - 2 * lead);
    if (left < right) {
      std::int32_t const from = top == y0 ? std::min(y0 + kept_h, bottom) : top;
      std::int32_t const to   = std::max(from, bottom == y1 ? y1 - kept_h : bottom);
      add(t, {first, last - first, from, to, h, StripKind::plain});
      add(t, {left, first - left, top, bottom, kept_h, StripKind::masked});
      add(t, {last, right - last, top, bottom, kept_h, StripKind::masked});
      add(t, {first, last - first, top, from, kept_h, StripKind::masked});
      add(t, {first, last - first, to, bottom, kept_h, StripKind::masked});
    }
    add(t, {0, left, y0, y1, general_h, StripKind::general});
    add(t, {right, strips - right, y0, y1, general_h, StripKind::general});
    if (left < right) {
      add(t, {left, right - left, y0, top, general_lead, StripKind::general});
      add(t, {left, right - left, bottom, y1, general_lead, StripKind::general});
    }
    return t;
  };
  double const ruled  = kernel.constants > 0 ? general_cost_with_constants : general_cost;
  double units        = std::numeric_limits<double>::max();
  auto const consider = [&](std::int32_t h, std::int32_t general_h) {
    StripTasks const t = cut(h, general_h);
    Warps queue(kernel);
    for (int r = 0; r < t.regions; ++r) {
      StripRegion const& region = t.region[r];
      bool const general        = region.kind == StripKind::general;
      double const cost         = general ? ruled : region.kind == StripKind::masked ? masked_cost : 1.0;
      queue.take(t.end[r] - (r > 0 ? t.end[r - 1] : 0), cost * (region.height + 2 * (general ? general_lead : lead)));
    }
    double const total = queue.end();
    if (total < units) {
      units      = total;
      pass.tasks = t;
    }
  };
  std::int64_t const warps = std::int64_t(kernel.resident) * kernel.multiprocessors;
  std::int32_t const rows = left < right ? bottom - top : y1 - y0, most = left < right ? right - left : strips;
  // Masked tasks at the ends have fewer rows.
  double const fewer  = first < last ? ((top == y0 ? 1 : 0) + (bottom == y1 ? 1 : 0)) * (1.0 - 1.0 / masked_cost) : 0.0;
  std::int32_t before = 0;
  for (std::int32_t cuts = 1; cuts <= 4096; ++cuts) {
    auto const h = std::min(rows, narrow(std::ceil((rows + 2 * lead * fewer) / (cuts - fewer))));
    if (h == before) continue;
    before = h;
    if (left == right || right - left == strips) {
      consider(h, h);
    } else {
      // As long as the others, or shorter to fill what these leave.
      for (int part : {1, 2, 4}) {
        consider(h, std::max(general_lead, narrow(std::int64_t((h + 2 * lead) / (ruled * part))) - 2 * general_lead));
      }
    }
    if (h <= lead || cuts * std::int64_t(most) > 8 * warps) break;
  }
  double const row = kernel.columns * (point_cost + state_cost * kernel.states + constant_cost * kernel.constants) *
                     (kernel.value_size == 8 ? 2.0 : 1.0) * 1e-9;
  double const compute  = units * sweeps * row * kernel.resident;
  double const bytes    = bytes_of(kernel, problem);
  PassRates const rates = pass_rates(kernel.multiprocessors, bytes, device);
  double const memory   = bytes * kernel.columns / owned / (pass_efficiency * rates.bandwidth);
  pass.seconds          = std::max(compute, memory) + rates.launch;
  return pass;
}

std::string schedule_text(StripSchedule const& schedule, int depth) {
  std::ostringstream text;
  text.precision(3);
  text << "predicted are " << 1e6 * schedule.pass_seconds << " us for a pass of " << depth << " sweeps and "
       << 1e6 * schedule.sweep_seconds << " us for one sweep";
  return text.str();
}

StripSchedule strip_schedule(StripKernelInfo const& kernel, StripProblem const& problem, std::int64_t steps,
                             bool forced, DeviceModel const* device) {
  double const bytes    = bytes_of(kernel, problem);
  PassRates const rates = pass_rates(kernel.multiprocessors, bytes, device);
  double const sweep    = bytes / (sweep_efficiency * rates.bandwidth) + rates.launch;
  StripSchedule schedule;
  StripPass const full   = strip_pass(kernel, problem, kernel.depth, device);
  schedule.pass_seconds  = full.seconds;
  schedule.sweep_seconds = sweep;
  if (steps >= kernel.depth) {
    if (forced || full.seconds < kernel.depth * sweep) {
      schedule.passes = steps / kernel.depth;
      schedule.full   = full.tasks;
      schedule.fills  = full.tasks.count() >= static_cast<std::uint32_t>(kernel.multiprocessors * kernel.resident) / 2;
    }
  }
  std::int64_t const rest = steps < kernel.depth ? steps : schedule.passes > 0 ? steps % kernel.depth : 0;
  if (rest > (forced ? 0 : 1)) {
    StripPass const last = strip_pass(kernel, problem, static_cast<int>(rest), device);
    if (forced || last.seconds < static_cast<double>(rest) * sweep) {
      schedule.rest = static_cast<int>(rest);
      schedule.last = last.tasks;
    }
  }
  return schedule;
}

}  // namespace Impl
}  // namespace KokkosStencil
