// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// The numbers of cuda_direct's lists of terms: any pattern, any strides.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Several points a thread, each value that is loaded serves several rows. Columns are a row of threads apart.
constexpr int tap_threads = 256, most_tap_columns = 4, tap_rows = 4;
/// What a thread does, in cycles that a scheduler gives its warp; and the registers that it has, by its columns.
struct TapCosts {
  double tap;                          ///< for each value of a column: its offset, its coefficients, the loop
  double value;                        ///< and for the value in each column
  double multiply_add;                 ///< for each term and output
  double point;                        ///< for each output
  int registers[2][most_tap_columns];  ///< of threads with one row, with tap_rows
};
/// Fitted to 765 problems (three types, planes and volumes, boxes and stars, 30 thousand to 20 million points) with 20
/// kinds of tiles each, on an NVIDIA H100: docs/experiments/2026-11-28-lists-of-terms.md.
inline constexpr TapCosts tap_costs[] = {{12.5, 2.6, 0.86, 53.0, {{32, 32, 40, 48}, {40, 48, 56, 72}}},
                                         {12.8, 2.6, 0.91, 60.0, {{32, 32, 40, 48}, {32, 40, 56, 64}}},
                                         {14.7, 2.85, 2.86, 92.0, {{32, 40, 48, 64}, {40, 56, 72, 80}}}};
/// What a value takes more for each further row that its warp reads, and in volumes where threads have several rows.
constexpr double tap_row_of_warp = 1.64, tap_value_in_space = 1.73;
/// Factor on multiply_add of doubles in volumes (30 random boxes of radius 3 and 4, an NVIDIA H200).
constexpr double tap_doubles_in_space = 0.87;
/// Cycles from a tap to the next where nothing else is to do, and what volumes add to them likewise.
constexpr double tap_latency = 102.0, tap_latency_in_space = 26.0;
/// The part of a wave of blocks that the last one takes longer.
constexpr double tap_last_wave = 0.17;
/// Of the copy's bandwidth, at most.
constexpr double tap_bandwidth = 0.85;
/// What each of the first two further planes that a point in space reads adds to the bytes of a sweep, and each of all
/// where they come from memory again.
constexpr double tap_plane = 0.09, tap_plane_again = 0.35;
/// So many terms at most come with the arguments of a launch; each thread loads all of its values.
constexpr std::size_t most_few_terms = 48;
/// What such a thread does, in cycles that a scheduler gives its warp if it has most_tap_columns.
struct FewTermsCosts {
  double start, term[2];  ///< of a term in planes, in volumes
  double bandwidth[2];    ///< of the copy's, at most, in planes, in volumes
  double between_caches;  ///< bandwidth of what volumes bring from the second-level cache, as a part of the copy's
  int registers[3];       ///< with one, two, four columns
};
/// Fitted to 498 sweeps of random problems and of the catalogue with 1, 2 and 4 columns, on an NVIDIA H200: 0.05 to
/// 0.12 root mean square of the logarithm of the time (docs/experiments/2026-11-29-never-slower.md).
inline constexpr FewTermsCosts few_terms_costs[] = {{444.0, {44.6, 56.6}, {0.93, 0.66}, 1.07, {32, 32, 56}},
                                                    {429.0, {43.5, 52.3}, {0.87, 0.75}, 1.87, {26, 32, 56}},
                                                    {196.0, {135.0, 117.0}, {0.90, 0.81}, 1.83, {30, 40, 80}}};
/// Of a term, that which does not depend on the columns, and of the start, as a part of it; what a term takes more
/// beside the point's own column.
constexpr double few_terms_each = 8.1, few_terms_start_each = 0.28, few_terms_beside = 3.4;
/// Cycles until the first values are there, and from a term to the next where nothing else is to do.
constexpr double few_terms_start = 900.0, few_terms_latency = 330.0;
/// What each further plane that a point in space reads adds to the bytes of a sweep where it comes from memory again.
constexpr double few_terms_plane_again = 0.4;
/// What single columns of four bytes and less take longer where terms read so many further planes, from 11 cases of
/// radius 6 and 7; why is not known.
constexpr int few_terms_many_planes              = 12;
constexpr double few_terms_column_of_many_planes = 1.6;
/// The part of `bandwidth` that terms in a single row of a plane reach; and the part of the time of tiles with more
/// columns that tiles with fewer have to take.
constexpr double few_terms_one_row = 0.95, few_terms_narrower = 0.98;
/// What the first loads wait for.
constexpr double few_terms_first_load = 0.8e-6;

/// The part that lists take longer in volumes larger than the cache with so few terms, and with more, up to twice as
/// many, less, where their rows have at most few_taps_columns (docs/experiments/2026-11-28-narrow-volumes.md).
constexpr double few_taps_beyond_cache = 0.25, few_taps = 16.0;
constexpr std::int64_t few_taps_columns = 160;
/// What the first loads of such threads wait for.
constexpr double first_load = 1.3e-6;
/// The part of the time in which they wait that the boundary kernel makes use of.
constexpr double boundary_beside_list = 0.8;

/// A point a thread, its terms with the arguments of the launch, of which there are few or many.
constexpr int point_threads = 256, few_point_terms = 32, most_point_terms = 256;
/// Terms whose loads are in flight together, and the seconds that they take.
constexpr int point_loads      = 8;
constexpr double point_latency = 0.18e-6;
/// What such a launch takes less than others: 2.2 us on the device with few terms and points (seeds 89 to 92).
constexpr double short_launch = 0.6e-6;
/// The arguments of more terms than so many come slowly: the work grows by this power of their number beyond. All of
/// them, four kilobytes, take the host longer.
constexpr double fast_arguments = 66.0, slow_arguments = 0.7, long_arguments = 0.3e-6;

/// Picoseconds a point, by the axes that a grid has.
struct PointList {
  std::array<double, 3> base_picoseconds, load_picoseconds;

  constexpr PointList base(double line, double plane, double space) {
    base_picoseconds = {{line, plane, space}};
    return *this;
  }
  constexpr PointList load(double line, double plane, double space) {
    load_picoseconds = {{line, plane, space}};
    return *this;
  }
};
inline constexpr PointList point_lists[] = {PointList().base(4.59, 4.57, 4.99).load(0.307, 0.316, 0.328),
                                            PointList().base(4.88, 4.95, 4.69).load(0.261, 0.298, 0.321),
                                            PointList().base(5.23, 5.16, 5.3).load(0.293, 0.331, 0.318)};

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
