// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/TapTiles.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "direct/ListTuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

/// The list's costs, as the device brings them.
TapCosts costs_on(DeviceModel const& device, ValueType type) {
  TapCosts costs    = tap_costs[Model::type_index(type)];
  auto const number = [&](double& value, char const* part) {
    value =
        tuned(device, value, [&] { return std::string("cuda_direct/") + Model::type_name(type) + "/taps/" + part; });
  };
  number(costs.tap, "tap");
  number(costs.value, "value");
  number(costs.multiply_add, "multiply_add");
  number(costs.point, "point");
  return costs;
}

/// What is the same for all tiles of a problem.
struct Sweep {
  TapCosts costs;
  std::size_t type;
  int value_bytes;
  double terms, terms_beside;  ///< all, those whose values are not in the point's own column
  double planes_beside;        ///< planes beside its own that a point in space reads
  double planes_again;         ///< the part of them that comes from memory again, not from the last cache
  double bytes, bandwidth, clock, latency;
  std::array<double, 2> taps;  ///< of a thread of one row, of tap_rows
  std::int64_t nx, ny, nz;
  int multiprocessors;
  bool in_arguments;  ///< whether launch_few_terms may take the terms
  bool one_row;       ///< whether all terms lie in the point's row of a plane
};

/// Blocks that a multiprocessor holds.
int resident_blocks(int registers) {
  constexpr int of_multiprocessor = 1 << 16, threads_of_multiprocessor = 2048;
  return std::min(threads_of_multiprocessor, of_multiprocessor / registers) / tap_threads;
}

/// Finds which planes a point in space reads, and whether together they are more than half of the last cache.
void find_planes(Problem const& p, DeviceModel const& device, Sweep& s) {
  if (s.nz < 2) return;
  // Terms in canonical order, plane by plane.
  int others = 0;
  for (std::size_t i = 1; i < p.terms.size(); ++i) others += p.terms[i].offset[0] != p.terms[i - 1].offset[0];
  double const bytes  = (p.upper[0] - p.lower[0] + 1) * static_cast<double>(s.nx * s.ny) * size_of(p.value_type);
  double const beyond = device.l2_bytes > 0 ? 2.0 * bytes / static_cast<double>(device.l2_bytes) - 1.0 : 0.0;
  s.planes_beside     = others;
  s.planes_again      = std::clamp(beyond, 0.0, 1.0);
}

void cut(TapTiles& t, Sweep const& s) {
  t.across_x = divide_up(s.nx, t.width());
  t.across_y = divide_up(s.ny, static_cast<std::int64_t>(tap_threads >> t.threads_x_log2) * t.rows);
  t.count    = t.across_x * t.across_y * s.nz;
}

/// What threads of some kind of tile cost.
struct ThreadCost {
  double one_warp;  ///< cycles of a scheduler
  double latency;   ///< cycles, were nothing else to do
  double memory;    ///< seconds of the sweep
  int resident;     ///< blocks that a multiprocessor holds
};

double root_of_squares(double a, double b) { return std::sqrt(a * a + b * b); }

/// (a^8 + b^8)^(1/8). Deciding takes many of these, and std::pow is slow.
double eighth_norm(double a, double b) {
  double const largest = std::max(a, b);
  if (!(largest > 0.0)) return 0.0;
  double part = std::min(a, b) / largest;
  for (int i = 0; i < 3; ++i) part *= part;
  return largest * std::sqrt(std::sqrt(std::sqrt(1.0 + part)));
}

ThreadCost of_list(TapTiles const& t, Sweep const& s) {
  bool const several = t.rows > 1, in_space = several && s.nz > 1;
  double const taps      = s.taps[several ? 1 : 0];
  int const rows_of_warp = std::max(1, 32 >> t.threads_x_log2);
  double const one_value = s.costs.value + tap_row_of_warp * (rows_of_warp - 1) + (in_space ? tap_value_in_space : 0.0);
  double const one_warp  = taps * (s.costs.tap + t.columns * one_value) +
                          t.columns * t.rows * (s.costs.multiply_add * s.terms + s.costs.point);
  double const latency = taps * (s.latency + (in_space ? tap_latency_in_space : 0.0));
  int const resident   = resident_blocks(s.costs.registers[several ? 1 : 0][t.columns - 1]);
  double const more = tap_plane * std::min(s.planes_beside, 2.0) + tap_plane_again * s.planes_again * s.planes_beside;
  return {one_warp, latency, s.bytes * (1.0 + more) / (tap_bandwidth * s.bandwidth), resident};
}

ThreadCost of_few_terms(TapTiles const& t, Sweep const& s) {
  FewTermsCosts const& c = few_terms_costs[s.type];
  bool const in_space    = s.nz > 1;
  double const part      = static_cast<double>(t.columns) / most_tap_columns;
  double const one_term  = few_terms_each + (c.term[in_space] - few_terms_each) * part;
  double const one_warp  = c.start * (few_terms_start_each + (1.0 - few_terms_start_each) * part) + s.terms * one_term +
                          s.terms_beside * few_terms_beside * part;
  double const latency = few_terms_start + s.terms * few_terms_latency;
  double memory        = s.bytes / (c.bandwidth[in_space] * s.bandwidth * (s.one_row ? few_terms_one_row : 1.0));
  if (in_space) {
    // Tiles past the ends of rows take the place of values that planes to come would read. Those of other planes come
    // from the second-level cache, each for itself.
    double const covered = static_cast<double>(t.across_x * t.width()) / static_cast<double>(s.nx);
    double const values  = s.bytes / 2.0 * covered * (s.planes_beside + 2.0);
    memory *= covered * (1.0 + few_terms_plane_again * s.planes_again * s.planes_beside);
    memory = eighth_norm(memory, values / (c.between_caches * s.bandwidth));
  }
  bool const is_slow  = t.columns == 1 && s.planes_beside >= few_terms_many_planes && s.value_bytes <= 4;
  double const slower = is_slow ? few_terms_column_of_many_planes : 1.0;
  return {slower * one_warp, slower * latency, slower * memory, resident_blocks(c.registers[t.columns / 2])};
}

void set_seconds(TapTiles& t, Sweep const& s) {
  ThreadCost const cost  = t.in_arguments ? of_few_terms(t, s) : of_list(t, s);
  int const rows_of_warp = std::max(1, 32 >> t.threads_x_log2);
  // Warps whose rows are all behind the range end at once; a multiprocessor has four schedulers.
  std::int64_t const warps_y = divide_up(divide_up(s.ny, t.rows), rows_of_warp), abreast = (1 << t.threads_x_log2) / 32;
  double const warps = static_cast<double>(t.across_x * s.nz * warps_y * std::max<std::int64_t>(1, abreast));
  double const block = cost.one_warp * warps / static_cast<double>(t.count) / 4.0;
  double const each  = static_cast<double>(t.count) / s.multiprocessors;
  double cycles      = 0.0;
  if (each <= cost.resident) {
    cycles = root_of_squares(cost.latency, std::ceil(each) * block);
  } else {
    cycles = root_of_squares(cost.latency * each / cost.resident, (each + tap_last_wave * cost.resident) * block);
  }
  // Where both take alike, each waits for the other now and then.
  t.seconds = eighth_norm(cycles / s.clock, cost.memory);
  t.idle    = std::max(0.0, t.seconds - std::max(each * block / s.clock, cost.memory));
}

}  // namespace

TapTiles tap_tiles(Problem const& p, PointBox const& box, DeviceModel const& device) {
  Sweep s{};
  s.costs = costs_on(device, p.value_type);
  if (p.value_type == ValueType::float64 && Model::used_rank(p) == 3) s.costs.multiply_add *= tap_doubles_in_space;
  s.terms           = static_cast<double>(p.terms.size());
  s.nx              = box.end[2] - box.begin[2];
  s.ny              = box.end[1] - box.begin[1];
  s.nz              = box.end[0] - box.begin[0];
  s.multiprocessors = device.multiprocessors;
  s.clock           = Model::issue_rate(device) / (2.0 * device.multiprocessors);
  s.latency         = tuned(device, tap_latency, "cuda_direct/tap_latency");
  s.type            = Model::type_index(p.value_type);
  s.value_bytes     = size_of(p.value_type);
  s.bytes           = (p.updates ? 3.0 : 2.0) * static_cast<double>(box.size()) * size_of(p.value_type);
  s.bandwidth       = Model::bandwidth(device, s.bytes);
  s.terms_beside    = static_cast<double>(
      std::count_if(p.terms.begin(), p.terms.end(), [](Term const& t) { return t.offset[2] != 0; }));
  find_planes(p, device, s);
  s.one_row = s.nz == 1 && p.lower[1] == 0 && p.upper[1] == 0;
  s.taps    = {{s.terms, loads_a_point(p, tap_rows) * tap_rows}};

  bool const lines = s.ny < tap_rows;
  // Distances within a tile are counted in 32 bits.
  std::int64_t const tile_bytes = p.in_stride[1] * size_of(p.value_type) * (tap_threads / 32 * tap_rows);
  s.in_arguments                = !lines && !p.updates && p.in_stride[2] == 1 && p.out_stride[2] == 1 &&
                   p.terms.size() <= most_few_terms && tile_bytes <= std::numeric_limits<std::int32_t>::max();
  TapTiles best{};
  best.seconds = std::numeric_limits<double>::infinity();
  for (int const rows : {1, tap_rows}) {
    for (int log2 = lines ? 8 : 5; log2 >= (lines ? 8 : 3); --log2) {
      for (int columns = most_tap_columns; columns > 0; --columns) {
        if (lines && rows > 1) continue;
        TapTiles t{rows, columns, log2, 0, 0, 0, false, 0.0, 0.0};
        cut(t, s);
        t.in_arguments = s.in_arguments && rows == tap_rows && columns != 3 && log2 == 5 && t.width() <= s.nx;
        set_seconds(t, s);
        // Predictions of few terms err by more than tiles of fewer columns gain.
        double const clearly = t.in_arguments && best.in_arguments ? few_terms_narrower : 1.0;
        if (t.seconds < clearly * best.seconds) best = t;
      }
    }
  }
  return best;
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
