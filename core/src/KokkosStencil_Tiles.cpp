// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_PassRates.hpp"

#include <KokkosStencil_Device.hpp>
#include <impl/KokkosStencil_TileTasks.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace KokkosStencil {
namespace Impl {

namespace {

constexpr auto over   = [](std::int64_t n, std::int64_t by) { return (n + by - 1) / by; };
constexpr auto narrow = [](std::int64_t n) { return static_cast<std::int32_t>(n); };

/// What a vector of a tile costs at a level, in nanoseconds of a multiprocessor: a sum of what each field adds.
constexpr double vector_cost = 0.25, state_cost = 0.37, constant_cost = 0.3;
/// The part of a copy's bandwidth that a sweep and a pass reach.
constexpr double sweep_efficiency = 0.72, pass_efficiency = 0.75;
/// What both take beside that and a launch, in seconds: until all are busy, and while the last ones end.
constexpr double sweep_ends = 6.5e-6, pass_ends = 8.5e-6;
/// What a pass takes longer where vectors are not aligned, by the size of values.
constexpr double unaligned(int value_size) { return value_size == 4 ? 1.6 : 1.25; }
/// The part of a copy's bandwidth that copies of rows reach, and what memory for them takes: a call, and a byte.
constexpr double copy_efficiency = 0.8, memory_call = 40e-6, memory_byte = 1.8e-12;
constexpr std::int64_t line_bytes = 128;

std::atomic<bool> always_padded{false};

struct Cut {
  TileTasks tasks;
  double seconds = std::numeric_limits<double>::max();
};

Cut cut(TileKernelInfo const& kernel, TileProblem const& problem, double bytes, PassRates const& rates) {
  Cut best;
  TileTasks tasks;
  PointBox const& range    = problem.where.range;
  auto const fast          = static_cast<std::size_t>(problem.axis[0]);
  std::int64_t const phase = vector_phase(kernel.width, 3, fast, problem.views);
  tasks.aligned            = phase >= 0;
  for (int k = 0; k < 3; ++k) {
    auto const a   = static_cast<std::size_t>(problem.axis[k]);
    tasks.begin[k] = narrow(range.begin[a]);
    tasks.stop[k]  = narrow(range.end[a]);
  }
  for (int k = 0; k < 3; ++k) {
    auto const a = static_cast<std::size_t>(problem.axis[k]);
    for (int side = 0; side < 2; ++side) {
      BoundaryKind const kind = problem.geometry->faces[a][side].kind;
      if (kind != BoundaryKind::mirror && kind != BoundaryKind::edge) continue;
      if (k < 2) tasks.follows = true;
      if (k == 2) tasks.reflecting[side] = side == 0 ? 0 : narrow(problem.geometry->extent[a] - 1);
    }
  }
  std::int32_t const W = kernel.width, T = kernel.depth;
  tasks.first[0]          = tasks.begin[0] - (phase < 0 ? 0 : narrow(((tasks.begin[0] - phase) % W + W) % W));
  tasks.first[1]          = tasks.begin[1];
  std::int32_t const halo = narrow(over(T * kernel.reach[0], W)), lead = T * kernel.reach[1];
  std::int64_t const warm    = (T - 1) * (2 * kernel.reach[2] + 1) + 1;
  std::int64_t const vectors = over(tasks.stop[0] - tasks.first[0], W);
  std::int64_t const rows = tasks.stop[1] - tasks.begin[1], planes = tasks.stop[2] - tasks.begin[2];
  std::int64_t const slots = std::int64_t(kernel.resident) * kernel.multiprocessors;
  double const plane       = kernel.threads * kernel.rows * T * 1e-9 *
                       (vector_cost + state_cost * kernel.states + constant_cost * kernel.constants) * kernel.resident;
  // The table of columns and rows has no room for more.
  std::int64_t const most = std::min<std::int64_t>(std::min(kernel.threads, 48), vectors + 2 * halo);
  for (std::int64_t across = 1; across <= vectors; ++across) {
    // As wide as so many tiles need.
    std::int64_t const own = over(vectors, across), lanes = own + 2 * halo;
    if (lanes > most) continue;
    std::int64_t teams = kernel.threads / lanes;
    std::int64_t owned = teams * kernel.rows - 2 * lead;
    if (lanes < 8 && vectors > 8) break;
    if (owned <= 0) continue;
    std::int64_t const down  = over(rows, owned);
    owned                    = over(rows, down);
    teams                    = over(owned + 2 * lead, kernel.rows);
    auto const all           = static_cast<double>(across * down * planes);
    std::int64_t const share = over(across * down * planes, slots);
    // A block that begins another tile has some planes more to do.
    double const begins = 1.0 + static_cast<double>(share) / static_cast<double>(planes);
    double const busy   = static_cast<double>(lanes * teams) / kernel.threads;
    // Fewer rows of a tile cost less, though not in proportion. Narrow tiles have more lines of memory for halos, and
    // those that end within 256 bytes were slower than what they compute explains.
    double const narrowness = (1.0 + 3.0 / static_cast<double>(lanes)) * (own % 16 == 0 ? 1.0 : 1.05);
    double const compute    = (static_cast<double>(share) + begins * warm) * plane * (0.2 + 0.8 * busy) * narrowness *
                           (tasks.aligned ? 1.0 : unaligned(kernel.value_size));
    double const blocks = std::ceil(all / static_cast<double>(share));
    double const read   = static_cast<double>(across * lanes * W) * static_cast<double>(down * teams * kernel.rows) *
                        (all + blocks * begins * warm) /
                        (static_cast<double>(vectors * W) * static_cast<double>(rows) * all);
    // Halos are mostly found in the last-level cache.
    double const memory  = bytes * (0.7 + 0.3 * read) / (pass_efficiency * rates.bandwidth);
    double const seconds = std::max(compute, memory) + 0.2 * std::min(compute, memory) + rates.launch + pass_ends;
    if (seconds < best.seconds) {
      best.seconds   = seconds;
      tasks.lanes    = narrow(lanes);
      tasks.teams    = narrow(teams);
      tasks.tiles[0] = narrow(across);
      tasks.tiles[1] = narrow(down);
      tasks.owned[0] = narrow(own * W);
      tasks.owned[1] = narrow(owned);
      tasks.share    = narrow(share);
      best.tasks     = tasks;
    }
  }
  return best;
}

/// How rows of copies lie, and the problem on them.
PaddedRows pad(TileKernelInfo const& kernel, TileProblem const& problem, FieldGeometry& geometry, TileProblem& padded,
               std::int32_t& shift) {
  PaddedRows rows;
  auto const fast      = static_cast<std::size_t>(problem.axis[0]);
  auto const row       = static_cast<std::size_t>(problem.axis[1]);
  auto const plane     = static_cast<std::size_t>(problem.axis[2]);
  std::int64_t const W = kernel.width, line = line_bytes / kernel.value_size;
  std::int64_t& extent  = geometry.extent[fast];
  Face const* faces     = geometry.faces[fast];
  std::int64_t const at = problem.where.range.begin[fast];
  if (faces[0].kind == BoundaryKind::halo && faces[1].kind == BoundaryKind::halo) {
    shift  = narrow(over(at, W) * W - at);
    extent = over(shift + extent, W) * W;
    // The range begins with a line.
    rows.lead = over(at + shift, line) * line - (at + shift);
  }
  padded.where.range.begin[fast] += shift;
  padded.where.range.end[fast] += shift;
  rows.columns = extent;
  rows.pitch   = over(rows.lead + extent, line) * line;
  for (ViewInfo& v : padded.views) {
    v.data          = reinterpret_cast<void*>(line_bytes + rows.lead * kernel.value_size);
    v.extent[fast]  = extent;
    v.stride[row]   = rows.pitch;
    v.stride[plane] = rows.pitch * v.extent[row];
  }
  rows.bytes = (2 * kernel.states + kernel.constants) * rows.pitch * geometry.extent[row] * geometry.extent[plane] *
               kernel.value_size;
  return rows;
}

}  // namespace

std::string tiles_unsupported(TileKernelInfo const& kernel, TileProblem const& problem) {
  auto const& extent = problem.geometry->extent;
  for (ViewInfo const& v : problem.views) {
    auto const stride = [&](int k) { return v.stride[static_cast<std::size_t>(problem.axis[k])]; };
    if (stride(0) != 1) return "the contiguous axes of the Views differ";
    if (reinterpret_cast<std::uintptr_t>(v.data) % static_cast<std::uintptr_t>(kernel.value_size) != 0) {
      return "values lie at odd addresses";
    }
    double const most = 1 << 30;
    if (static_cast<double>(extent[problem.axis[1]]) * static_cast<double>(std::abs(stride(1))) > most ||
        static_cast<double>(extent[problem.axis[0]]) > most || static_cast<double>(extent[problem.axis[2]]) > most ||
        static_cast<double>(std::abs(stride(2))) > most) {
      return "the Views are too long";
    }
  }
  for (int k = 0; k < 3; ++k) {
    if (extent[problem.axis[k]] < 2 * kernel.depth * kernel.reach[k]) return "an extent is less than two passes reach";
  }
  return "";
}

std::string schedule_text(TileSchedule const& schedule, int depth) {
  std::ostringstream text;
  text.precision(3);
  text << "predicted are " << 1e6 * schedule.pass_seconds << " us for a pass of " << depth << " sweeps and "
       << 1e6 * schedule.sweep_seconds << " us for one sweep";
  if (schedule.padded.columns > 0) {
    text << "; passes run on copies of the fields with padded rows, "
         << 1e-6 * static_cast<double>(schedule.padded.bytes) << " MB and " << 1e6 * schedule.padded.seconds
         << " us for copying, since rows begin anywhere";
  }
  return text.str();
}

TileSchedule tile_schedule(TileKernelInfo const& kernel, TileProblem const& problem, std::int64_t steps, bool forced,
                           DeviceModel const* device) {
  double const bytes =
      static_cast<double>(problem.where.range.size()) * kernel.value_size * (2 * kernel.states + kernel.constants);
  PassRates const rates = pass_rates(kernel.multiprocessors, bytes, device);
  TileSchedule schedule;
  Cut const best         = cut(kernel, problem, bytes, rates);
  schedule.tasks         = best.tasks;
  schedule.pass_seconds  = best.seconds;
  schedule.sweep_seconds = bytes / (sweep_efficiency * rates.bandwidth) + rates.launch + sweep_ends;
  if (best.tasks.owned[0] > 0 && (forced || best.seconds < kernel.depth * schedule.sweep_seconds)) {
    schedule.passes = steps / kernel.depth;
  }
  schedule.fills = best.tasks.count() >= static_cast<std::uint32_t>(kernel.multiprocessors * kernel.resident) / 2;
  return schedule;
}

TileSchedule padded_tile_schedule(TileKernelInfo const& kernel, TileProblem const& problem, std::int64_t steps,
                                  TileSchedule const& plain, DeviceModel const* device) {
  TileSchedule schedule;
  std::int64_t const passes = steps / kernel.depth;
  if (passes == 0 || (plain.tasks.aligned && !always_padded)) return schedule;
  FieldGeometry geometry = *problem.geometry;
  TileProblem padded     = problem;
  padded.geometry        = &geometry;
  std::int32_t shift     = 0;
  PaddedRows rows        = pad(kernel, problem, geometry, padded, shift);
  if (!tiles_unsupported(kernel, padded).empty()) return schedule;
  schedule               = tile_schedule(kernel, padded, steps, true, device);
  schedule.sweep_seconds = plain.sweep_seconds;
  schedule.tasks.shift   = shift;
  int const copies       = 2 * kernel.states + kernel.constants;
  auto const bytes       = static_cast<double>(rows.bytes);
  PassRates const rates  = pass_rates(kernel.multiprocessors, bytes, device);
  rows.seconds           = 2.0 * bytes / (copy_efficiency * rates.bandwidth) + copies * rates.launch + memory_call +
                 memory_byte * std::max(0.0, bytes - static_cast<double>(kept_copies));
  schedule.padded        = rows;
  double const otherwise = std::min(plain.pass_seconds, kernel.depth * plain.sweep_seconds);
  // Memory is not taken for less than a twentieth.
  if (!always_padded && static_cast<double>(passes) * (0.95 * otherwise - schedule.pass_seconds) < rows.seconds)
    schedule = {};
  return schedule;
}

void set_padded_tiles(bool always) { always_padded = always; }

}  // namespace Impl
}  // namespace KokkosStencil
