// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Covering.hpp"

#include "common/Alignment.hpp"
#include "direct/Tuning.hpp"

#include <model/SweepCost.hpp>

#include <algorithm>
#include <cmath>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

/// Columns from the beginning of the line of memory in which [begin, end) begins, in an array that begins at
/// `element` of a line.
std::int64_t columns_from_line(std::int64_t begin, std::int64_t end, std::int64_t element, int value_bytes) {
  return end - begin + modulo(element + begin, 128 / value_bytes);
}

/// Planes a block, near those that are fastest on large grids, with which blocks fill all waves but little of the last.
std::int64_t planes_of_full_waves(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * k.blocks, usual = k.stream_length;
  std::int64_t best = usual;
  double most       = 0.0;
  for (std::int64_t n = std::max<std::int64_t>(least_stream, usual * 7 / 10); n <= usual * 3 / 2; ++n) {
    std::int64_t const blocks = tiles * divide_up(count, n), waves = divide_up(blocks, slots);
    double const full  = static_cast<double>(blocks) / static_cast<double>(waves * slots),
                 far   = std::abs(std::log(static_cast<double>(n) / static_cast<double>(usual)));
    double const merit = full - length_slope * far;
    if (merit <= most) continue;
    most = merit;
    best = n;
  }
  return best;
}

/// Steps that multiprocessors take one after another, if blocks of so many rows or planes go over `count` of them. Many
/// waves need not be whole.
double steps_of_waves(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, std::int64_t length,
                      int multiprocessors) {
  double const waves = static_cast<double>(tiles * divide_up(count, length)) / (multiprocessors * k.blocks);
  double const whole = waves < free_waves ? std::ceil(waves) : waves + 0.5;
  return whole * static_cast<double>(length + 2 * k.shape.radius);
}

}  // namespace

double cost_of(ColumnCosts const& costs, int lanes) {
  return lanes == 32 ? 1.0 : costs.narrow[lanes == short_row_lanes[0] ? 0 : 1];
}

double covered_columns(ShapeTuning const& k, ColumnCosts const& costs, Across across, std::int64_t columns,
                       int value_bytes) {
  auto const by = [&](int lanes, std::int64_t n) {
    std::int64_t const width = (lanes == 32 ? k : k.with_lanes(lanes)).width(value_bytes);
    return cost_of(costs, lanes) * static_cast<double>(divide_up(n, width) * width);
  };
  if (across.tail == 0) return by(across.lanes, columns);
  std::int64_t const rest = columns % k.width(value_bytes);
  return by(across.lanes, columns - rest) + by(across.tail, rest) +
         (value_bytes == 2 ? tail_half_columns : tail_columns);
}

Across across_rows(ShapeTuning const& k, std::int64_t columns, std::int64_t rows, int value_bytes, bool whole_vectors,
                   std::int64_t cache_bytes) {
  // Where half_t ends with a whole vector wide tiles lose less.
  std::int64_t const rest = columns % k.width(value_bytes);
  if (rest > 0 && columns >= tail_least_columns && rows >= tail_least_rows && !(value_bytes == 2 && whole_vectors)) {
    constexpr int lanes = short_row_lanes[1];
    if (rest <= k.tail_tiles(value_bytes) * k.with_lanes(lanes).width(value_bytes)) return {32, lanes};
  }
  double const both       = 2.0 * static_cast<double>(columns) * static_cast<double>(rows) * value_bytes;
  bool const in_cache     = both <= cached_part * static_cast<double>(cache_bytes);
  ColumnCosts const costs = k.column_costs(value_bytes, whole_vectors, in_cache);
  Across best{32, 0};
  double least = costs.idle * covered_columns(k, costs, best, columns, value_bytes) +
                 (1.0 - costs.idle) * static_cast<double>(columns);
  for (int const lanes : short_row_lanes) {
    if (!k.has_lanes(lanes, value_bytes)) continue;
    double const cost = covered_columns(k, costs, {lanes, 0}, columns, value_bytes);
    if (cost >= least) continue;
    best  = {lanes, 0};
    least = cost;
  }
  return best;
}

Across across_of(ShapeTuning const& k, std::int64_t begin, std::int64_t end, std::int64_t rows, std::int64_t element,
                 int value_bytes, std::int64_t cache_bytes) {
  std::int64_t const vector = 16 / value_bytes;
  return across_rows(k, columns_from_line(begin, end, element, value_bytes), rows, value_bytes,
                     begin % vector == 0 && end % vector == 0, cache_bytes);
}

Across across_of(ShapeTuning const& k, Problem const& p, DeviceModel const& device) {
  int const bytes         = size_of(p.value_type);
  std::int64_t const rows = (p.end[0] - p.begin[0]) * (p.end[1] - p.begin[1]);
  return across_of(k, p.begin[2], p.end[2], rows, p.in_phase / bytes, bytes, device.l2_bytes);
}

std::int64_t columns_of_tiles(Problem const& p) {
  int const bytes = size_of(p.value_type);
  return columns_from_line(p.begin[2], p.end[2], p.in_phase / bytes, bytes);
}

TilesInPhase tiles_in_phase(std::int64_t columns, int value_bytes) {
  std::int64_t const vector = 16 / value_bytes, tile = 32 * vector;
  std::int64_t const narrow = divide_up(columns % tile, narrow_lanes * vector);
  return narrow * narrow_counts < 32 ? TilesInPhase{columns / tile, narrow} : TilesInPhase{columns / tile + 1, 0};
}

ShapeTuning on_device(ShapeTuning const& kernel, DeviceModel const& device) {
  auto const ratio = [](DeviceModel const& d) { return d.bandwidth / Model::issue_rate(d); };
  bool const slow  = ratio(device) < slow_memory * ratio(Model::reference_device());
  return slow ? kernel.for_slow_memory() : kernel;
}

std::int64_t wave_length(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors) {
  std::int64_t const slots = static_cast<std::int64_t>(multiprocessors) * k.blocks;
  return divide_up(count, std::max<std::int64_t>(1, slots / tiles));
}

std::int64_t stream_length(ShapeTuning const& k, std::int64_t count, std::int64_t tiles, int multiprocessors,
                           int value_bytes) {
  std::int64_t const wave  = wave_length(k, count, tiles, multiprocessors);
  std::int64_t const least = std::max(least_stream, k.shape.radius);
  std::int64_t usual       = k.stream_length > 0 ? k.stream_length : wave;
  if (k.is_short) {
    double const part  = static_cast<double>(tiles * divide_up(count, wave)) / (multiprocessors * k.blocks);
    int const lengths  = k.has_bands(value_bytes) ? one_wave_lengths : one_wave_lengths_without_bands;
    bool const at_once = wave <= lengths * usual && part >= one_wave_part && part <= 1.0;
    usual              = at_once ? std::max(least, wave) : planes_of_full_waves(k, count, tiles, multiprocessors);
  }
  std::int64_t const most = std::min(usual, std::max(least, wave));
  std::int64_t best       = divide_up(count, divide_up(count, most));
  // In space, shorter ones where waves of blocks are filled better.
  if (k.shape.rank < 3 || k.is_short) return best;
  double fewest = fewer_steps * steps_of_waves(k, count, tiles, best, multiprocessors);
  for (int waves = 1; waves <= free_waves; ++waves) {
    // As many blocks a tile as fill them. Every launch asks, so no others are tried.
    std::int64_t const blocks = std::max<std::int64_t>(1, waves * std::int64_t(multiprocessors) * k.blocks / tiles);
    std::int64_t const length = divide_up(count, blocks);
    if (length < shortest_stream) break;
    double const steps = steps_of_waves(k, count, tiles, length, multiprocessors);
    if (length >= most || steps >= fewest) continue;
    best   = length;
    fewest = steps;
  }
  return best;
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
