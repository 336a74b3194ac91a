// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/TapTiles.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "direct/Tuning.hpp"

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
  double terms, memory_seconds, clock, latency;
  std::array<double, 2> taps;  ///< of a thread of one row, of tap_rows
  std::int64_t nx, ny, nz;
  int multiprocessors;
};

/// Blocks that a multiprocessor holds.
int resident_blocks(int registers) {
  constexpr int of_multiprocessor = 1 << 16, threads_of_multiprocessor = 2048;
  return std::min(threads_of_multiprocessor, of_multiprocessor / registers) / tap_threads;
}

void cut(TapTiles& t, Sweep const& s) {
  t.across_x = divide_up(s.nx, t.width());
  t.across_y = divide_up(s.ny, static_cast<std::int64_t>(tap_threads >> t.threads_x_log2) * t.rows);
  t.count    = t.across_x * t.across_y * s.nz;
}

double seconds_of(TapTiles const& t, Sweep const& s) {
  bool const several = t.rows > 1, in_space = several && s.nz > 1;
  double const taps      = s.taps[several ? 1 : 0];
  int const rows_of_warp = std::max(1, 32 >> t.threads_x_log2);
  double const one_value = s.costs.value + tap_row_of_warp * (rows_of_warp - 1) + (in_space ? tap_value_in_space : 0.0);
  double const one_warp  = taps * (s.costs.tap + t.columns * one_value) +
                          t.columns * t.rows * (s.costs.multiply_add * s.terms + s.costs.point);
  double const latency = taps * (s.latency + (in_space ? tap_latency_in_space : 0.0));
  // Warps whose rows are all behind the range end at once; a multiprocessor has four schedulers.
  std::int64_t const warps_y = divide_up(divide_up(s.ny, t.rows), rows_of_warp), abreast = (1 << t.threads_x_log2) / 32;
  double const warps = static_cast<double>(t.across_x * s.nz * warps_y * std::max<std::int64_t>(1, abreast));
  double const block = one_warp * warps / static_cast<double>(t.count) / 4.0;
  int const resident = resident_blocks(s.costs.registers[several ? 1 : 0][t.columns - 1]);
  double const each  = static_cast<double>(t.count) / s.multiprocessors;
  double cycles      = 0.0;
  if (each <= resident) {
    cycles = std::hypot(latency, std::ceil(each) * block);
  } else {
    cycles = std::hypot(latency * each / resident, (each + tap_last_wave * resident) * block);
  }
  // Where both take alike, each waits for the other now and then.
  return std::pow(std::pow(cycles / s.clock, 8.0) + std::pow(s.memory_seconds, 8.0), 0.125);
}

}  // namespace

TapTiles tap_tiles(Problem const& p, PointBox const& box, DeviceModel const& device) {
  Sweep s{};
  s.costs = costs_on(device, p.value_type);
  if (p.value_type == ValueType::float64 && Model::used_rank(p) == 3) s.costs.multiply_add *= tap_doubles_in_space;
  s.terms            = static_cast<double>(p.terms.size());
  s.nx               = box.end[2] - box.begin[2];
  s.ny               = box.end[1] - box.begin[1];
  s.nz               = box.end[0] - box.begin[0];
  s.multiprocessors  = device.multiprocessors;
  s.clock            = Model::issue_rate(device) / (2.0 * device.multiprocessors);
  s.latency          = tuned(device, tap_latency, "cuda_direct/tap_latency");
  double const bytes = (p.updates ? 3.0 : 2.0) * static_cast<double>(box.size()) * size_of(p.value_type);
  s.memory_seconds   = bytes / (tap_bandwidth * Model::bandwidth(device, bytes));
  s.taps             = {{s.terms, loads_a_point(p, tap_rows) * tap_rows}};

  bool const lines = s.ny < tap_rows;
  TapTiles best{};
  best.seconds = std::numeric_limits<double>::infinity();
  for (int const rows : {1, tap_rows}) {
    for (int log2 = lines ? 8 : 5; log2 >= (lines ? 8 : 3); --log2) {
      for (int columns = most_tap_columns; columns > 0; --columns) {
        if (lines && rows > 1) continue;
        TapTiles t{rows, columns, log2, 0, 0, 0, 0.0};
        cut(t, s);
        t.seconds = seconds_of(t, s);
        if (t.seconds < best.seconds) best = t;
      }
    }
  }
  return best;
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
