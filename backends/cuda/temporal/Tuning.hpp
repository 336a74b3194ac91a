// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "temporal/Layout.hpp"

#include <cstdint>

// The numbers of cuda_temporal. Each stands here only: Instances_*.cu compile the kernels of the tables, plans choose
// among them, and predictions are made of them. Rates and times are of an NVIDIA H200, fitted by scripts/calibrate.py
// to full and small of commit c849387 (perf_tests/results/nvidia-h200) and 1000 random problems at 6373eb3.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// The kernels for a value type.
template <class Row>
struct Table {
  Row const* rows = nullptr;
  int count       = 0;

  constexpr Row const* begin() const { return rows; }
  constexpr Row const* end() const { return rows + count; }
};
template <class Row, int Count>
constexpr Table<Row> table(Row const (&rows)[Count]) {
  return {rows, Count};
}

/// A single sweep by way of this backend takes so many times as long as by cuda_direct itself. In predictions.
constexpr double predicted_delegation = 1.01;

// ---- Lines: a warp holds a segment in registers and takes all sweeps of a pass (LineKernel.cuh). ----

struct LineTuning {
  int radius          = 0;
  int values_per_lane = 0;
  double rate         = 0.0;  ///< points and sweeps a second, with those that segments have in common

  constexpr LineTuning& with_values_per_lane(int n) { return values_per_lane = n, *this; }
  constexpr LineTuning& with_rate(double points) { return rate = points, *this; }

  /// Points of a segment.
  constexpr int width() const { return warp_lanes * values_per_lane; }
  /// Sweeps of a pass, at most: segments keep at least half of their points to themselves.
  constexpr int most_depth() const { return width() / 4 / radius < 64 ? width() / 4 / radius : 64; }
  /// Points at either end of a segment that belong to the neighbours, in whole vectors.
  constexpr int halo(int depth, int value_bytes) const {
    return rounded_up(depth * radius, vector_bytes / value_bytes);
  }
};

constexpr LineTuning line(int radius) { return {radius}; }

/// For half_t and bhalf_t.
inline constexpr LineTuning half_lines[] = {
    line(1).with_values_per_lane(32).with_rate(9600e9),
    line(2).with_values_per_lane(32).with_rate(5800e9),
    line(3).with_values_per_lane(32).with_rate(4200e9),
    line(4).with_values_per_lane(32).with_rate(3200e9),
};
inline constexpr LineTuning float_lines[] = {
    line(1).with_values_per_lane(32).with_rate(9500e9),
    line(2).with_values_per_lane(32).with_rate(5700e9),
    line(3).with_values_per_lane(32).with_rate(4100e9),
    line(4).with_values_per_lane(32).with_rate(3150e9),
};
inline constexpr LineTuning double_lines[] = {
    line(1).with_values_per_lane(16).with_rate(4700e9),
    line(2).with_values_per_lane(16).with_rate(2650e9),
    line(3).with_values_per_lane(16).with_rate(1880e9),
    line(4).with_values_per_lane(16).with_rate(1600e9),
};
constexpr Table<LineTuning> line_table(ValueType type) {
  return type == ValueType::float64   ? table(double_lines)
         : type == ValueType::float32 ? table(float_lines)
                                      : table(half_lines);
}

/// Warps of a block; blocks that a multiprocessor is to hold.
constexpr int line_warps = 4, line_blocks = 4;
/// Of a multiprocessor. One warp alone leaves half of its scheduler idle.
constexpr int schedulers = 4;
/// Passes read and write with this part of a copy's bandwidth.
constexpr double line_bandwidth = 1.1;
/// Of a pass beside its work, and what a warp takes for a sweep where each has only one; by type: half, float, double.
constexpr double line_pass_seconds[] = {12.1e-6, 12.3e-6, 6.68e-6}, line_sweep_seconds[] = {0.28e-6, 0.25e-6, 0.157e-6};
/// Segments that do not begin with vectors take so many times as long.
constexpr double line_unaligned = 1.0;

// ---- Strips: a warp streams down a strip of columns, the sweeps of a pass in flight (StripKernel.cuh). ----

/// Warps of a block, which do not work together; a multiprocessor holds one block.
constexpr int strip_warps = 8;

struct StripTuning {
  Shape shape;
  int depth                    = 0;      ///< sweeps of a pass
  int columns_per_lane         = 0;      ///< on the fast path
  int general_columns_per_lane = 0;      ///< on the path for any boundary: fewer leave registers for masks
  int shared_sums              = 0;      ///< rows of sums that have no registers, on the fast path
  int general_shared_sums      = 0;      ///< ... on the general path
  bool no_anywhere             = false;  ///< a kernel for rows that begin anywhere would spill, for 8.0 or 9.0
  int coefficient_copies       = 1;      ///< of one for all sweeps the compiler keeps every coefficient in a register
  double rate                  = 0.0;    ///< points and sweeps a second, with strips of any length
  double general_row_cost      = 0.0;    ///< the time of a row on the general path, in rows on the fast one

  constexpr StripTuning& with_depth(int n) { return depth = n, *this; }
  constexpr StripTuning& with_columns(int fast, int general) {
    return columns_per_lane = fast, general_columns_per_lane = general, *this;
  }
  constexpr StripTuning& with_shared_sums(int fast, int general) {
    return shared_sums = fast, general_shared_sums = general, *this;
  }
  constexpr StripTuning& without_anywhere() { return no_anywhere = true, *this; }
  constexpr StripTuning& with_coefficient_copies(int n) { return coefficient_copies = n, *this; }
  constexpr StripTuning& with_rate(double points) { return rate = points, *this; }
  constexpr StripTuning& with_general_row_cost(double rows) { return general_row_cost = rows, *this; }

  constexpr StripLayout layout(int value_bytes) const {
    return strip_layout(value_bytes, shape.radius, columns_per_lane, depth, shared_sums);
  }
  constexpr StripLayout general_layout(int value_bytes) const {
    return strip_layout(value_bytes, shape.radius, general_columns_per_lane, depth, general_shared_sums);
  }
  constexpr int warp_bytes(int value_bytes) const {
    int const fast = layout(value_bytes).bytes, general = general_layout(value_bytes).bytes;
    return fast > general ? fast : general;
  }
  constexpr int shared_bytes(int value_bytes) const { return strip_warps * warp_bytes(value_bytes); }
  /// Whether there is a second kernel, for rows that begin anywhere.
  constexpr bool anywhere(int value_bytes) const { return value_bytes >= 4 && !no_anywhere; }
};

constexpr StripTuning star_strips(int radius) { return {Shape{true, 2, radius}}; }
constexpr StripTuning box_strips(int radius) { return {Shape{false, 2, radius}}; }

// Of a shape the deepest first: predictions take the first that a block's shared memory has room for.
inline constexpr StripTuning half_strips[] = {
    star_strips(1).with_depth(8).with_columns(8, 8).with_rate(3840e9).with_general_row_cost(2.75),
    star_strips(2).with_depth(4).with_columns(8, 8).with_rate(2330e9).with_general_row_cost(2.6),
    star_strips(3).with_depth(4).with_columns(8, 8).with_shared_sums(0, 4).with_rate(1600e9).with_general_row_cost(
        2.35),
    star_strips(4).with_depth(3).with_columns(8, 8).with_shared_sums(0, 4).with_rate(1200e9).with_general_row_cost(2.2),
    box_strips(1).with_depth(8).with_columns(8, 8).with_rate(2510e9).with_general_row_cost(2.0),
    box_strips(2).with_depth(4).with_columns(8, 8).with_rate(1140e9).with_general_row_cost(1.9),
    box_strips(3).with_depth(3).with_columns(8, 8).with_rate(520e9).with_general_row_cost(1.9),
    box_strips(4).with_depth(2).with_columns(8, 8).with_rate(327e9).with_general_row_cost(1.5),
};
inline constexpr StripTuning float_strips[] = {
    star_strips(1).with_depth(12).with_columns(8, 4).with_rate(3980e9).with_general_row_cost(1.2),
    star_strips(2).with_depth(6).with_columns(8, 4).with_rate(2090e9).with_general_row_cost(1.2),
    star_strips(3).with_depth(4).with_columns(8, 4).with_rate(1365e9).with_general_row_cost(1.2),
    star_strips(4).with_depth(3).with_columns(8, 4).with_rate(1015e9).with_general_row_cost(1.15),
    box_strips(1).with_depth(12).with_columns(8, 4).with_coefficient_copies(12).with_rate(2620e9).with_general_row_cost(
        1.0),
    box_strips(2).with_depth(4).with_columns(8, 8).with_rate(1110e9).with_general_row_cost(1.75),
    box_strips(3).with_depth(3).with_columns(8, 8).with_rate(545e9).with_general_row_cost(1.9),
    box_strips(4).with_depth(2).with_columns(8, 4).with_rate(325e9).with_general_row_cost(1.5),
};
inline constexpr StripTuning double_strips[] = {
    star_strips(1)
        .with_depth(12)
        .with_columns(4, 4)
        .with_shared_sums(4, 5)
        .without_anywhere()
        .with_rate(1780e9)
        .with_general_row_cost(2.5),
    star_strips(1).with_depth(8).with_columns(4, 4).with_rate(1400e9).with_general_row_cost(2.15),
    star_strips(2).with_depth(6).with_columns(4, 4).with_shared_sums(4, 4).with_rate(885e9).with_general_row_cost(2.3),
    star_strips(2).with_depth(4).with_columns(4, 4).with_rate(680e9).with_general_row_cost(2.3),
    star_strips(3).with_depth(4).with_columns(4, 4).with_shared_sums(2, 6).with_rate(620e9).with_general_row_cost(2.15),
    star_strips(4)
        .with_depth(3)
        .with_columns(4, 4)
        .with_shared_sums(1, 1)
        .without_anywhere()
        .with_rate(480e9)
        .with_general_row_cost(2.05),
    box_strips(1).with_depth(8).with_columns(4, 4).with_rate(1470e9).with_general_row_cost(2.15),
    box_strips(2).with_depth(4).with_columns(4, 4).with_rate(509e9).with_general_row_cost(1.95),
    box_strips(3).with_depth(2).with_columns(4, 4).with_rate(258e9).with_general_row_cost(1.75),
    box_strips(4)
        .with_depth(2)
        .with_columns(4, 4)
        .with_shared_sums(1, 2)
        .with_coefficient_copies(2)
        .with_rate(162e9)
        .with_general_row_cost(1.5),
};
constexpr Table<StripTuning> strip_table(ValueType type) {
  return type == ValueType::float64   ? table(double_strips)
         : type == ValueType::float32 ? table(float_strips)
         : type == ValueType::float16 ? table(half_strips)
                                      : Table<StripTuning>();
}

/// A warp by itself takes this part of the time of a row, were all multiprocessors full; half, float, double.
constexpr double strip_alone[] = {1.05, 1.08, 0.932};
/// Rows of a task, at least.
constexpr std::int64_t least_strip_rows = 4;
/// A pass over fewer sweeps than the kernel takes has branches between them: it takes `shallow` times 0.6 and 0.4 of
/// the share of the sweeps, of a full pass.
constexpr double shallow = 1.15, shallow_base = 0.6, shallow_share = 0.4;
/// Rows that do not begin with vectors take so many times as long, with a kernel for them and without.
constexpr double anywhere_cost = 1.06, unaligned = 1.5;
/// A pass of strips or in a volume beside its work, when passes are compared.
constexpr double pass_seconds = 5.32e-6;

// ---- Volumes: a block streams through the planes of a tile, the sweeps of a pass in flight (SpaceTile.cuh). ----

struct SpaceTuning {
  SpaceStencil stencil = SpaceStencil::star;
  int radius           = 0;
  int depth            = 0;  ///< sweeps of a pass
  int warps            = 8;
  int rows             = 0;           ///< of a group of lanes
  int lanes            = warp_lanes;  ///< of a group, which hold a row: a warp or half of one
  /// Results begin and end with sectors of memory. If not, two tiles write parts of one, which costs what arithmetic
  /// does not bind more than the column of tiles that it saves.
  bool whole_sectors   = true;
  double plane_seconds = 0.0;  ///< of a plane of a tile, where all points change
  double frame_seconds = 0.0;  ///< ... where some do not
  /// ... where some do not, by a second kernel that stores vectors whole; 0: there is none.
  double whole_vector_seconds  = 0.0;
  int least_compute_capability = 80;  ///< before that registers spill

  constexpr SpaceTuning& with_depth(int n) { return depth = n, *this; }
  constexpr SpaceTuning& with_warps(int n) { return warps = n, *this; }
  constexpr SpaceTuning& with_rows(int n) { return rows = n, *this; }
  constexpr SpaceTuning& with_lanes(int n) { return lanes = n, *this; }
  constexpr SpaceTuning& with_whole_sectors(bool yes) { return whole_sectors = yes, *this; }
  constexpr SpaceTuning& with_plane_seconds(double inside, double frame) {
    return plane_seconds = inside, frame_seconds = frame, *this;
  }
  constexpr SpaceTuning& with_whole_vector_seconds(double frame) { return whole_vector_seconds = frame, *this; }
  constexpr SpaceTuning& with_least_compute_capability(int n) { return least_compute_capability = n, *this; }

  constexpr int terms() const {
    return stencil == SpaceStencil::star ? 6 * radius + 1 : stencil == SpaceStencil::box ? 27 : 17;
  }
  constexpr SpaceLayout layout(int value_bytes) const {
    return space_layout(stencil, radius, value_bytes, warps, rows, lanes, depth);
  }
  constexpr int shared_bytes(int value_bytes) const { return layout(value_bytes).bytes; }
};

constexpr SpaceTuning star_space(int radius) { return {SpaceStencil::star, radius}; }
constexpr SpaceTuning box_space() { return {SpaceStencil::box, 1}; }
constexpr SpaceTuning box17_space() { return {SpaceStencil::box17, 1}; }

// Plans take what suits the range best, predictions the first of a stencil.
inline constexpr SpaceTuning half_spaces[] = {
    star_space(1).with_depth(2).with_rows(4).with_lanes(16).with_plane_seconds(1.14e-6, 1.6e-6),
};
inline constexpr SpaceTuning float_spaces[] = {
    star_space(1).with_depth(4).with_rows(5).with_plane_seconds(1.19e-6, 1.47e-6),
    star_space(1)
        .with_depth(4)
        .with_rows(5)
        .with_lanes(16)
        .with_plane_seconds(1.23e-6, 1.58e-6)
        .with_whole_vector_seconds(1.42e-6),
    star_space(1).with_depth(3).with_rows(6).with_plane_seconds(1.4e-6, 1.75e-6),
    star_space(1).with_depth(2).with_rows(8).with_plane_seconds(2.1e-6, 2.3e-6),
    star_space(2).with_depth(2).with_rows(5).with_plane_seconds(1.16e-6, 1.42e-6),
    star_space(2).with_depth(2).with_rows(6).with_plane_seconds(1.36e-6, 1.73e-6),
    box_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.71e-6, 3.2e-6),
    box_space().with_depth(2).with_warps(12).with_rows(6).with_lanes(16).with_whole_sectors(false).with_plane_seconds(
        2.98e-6, 3.45e-6),
    box17_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.1e-6, 2.7e-6),
};
inline constexpr SpaceTuning double_spaces[] = {
    star_space(1).with_depth(4).with_rows(5).with_plane_seconds(1.18e-6, 1.44e-6).with_whole_vector_seconds(1.3e-6),
    star_space(1).with_depth(3).with_rows(6).with_plane_seconds(1.25e-6, 1.75e-6),
    star_space(1).with_depth(2).with_rows(8).with_plane_seconds(2.1e-6, 2.5e-6),
    star_space(2).with_depth(2).with_rows(5).with_plane_seconds(1.25e-6, 1.8e-6),
    star_space(2).with_depth(2).with_rows(6).with_plane_seconds(1.39e-6, 2.5e-6).with_least_compute_capability(90),
    box_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.79e-6, 3.12e-6),
    box17_space().with_depth(2).with_warps(8).with_rows(8).with_plane_seconds(2.25e-6, 2.65e-6),
};
constexpr Table<SpaceTuning> space_table(ValueType type) {
  return type == ValueType::float64   ? table(double_spaces)
         : type == ValueType::float32 ? table(float_spaces)
         : type == ValueType::float16 ? table(half_spaces)
                                      : Table<SpaceTuning>();
}

/// A plane of the frame where vectors are read value by value takes so many times as long.
constexpr double value_by_value = 2.0;
/// Chunks of planes that tiles are cut into, at most, where there are few.
constexpr int most_chunks = 32;
/// What chunks of planes leave idle at the end of a pass. In predictions.
constexpr double predicted_idle = 1.05;
/// As value_by_value, in predictions; half, float, double.
constexpr double predicted_apart[] = {4.68, 2.38, 1.78};

// ---- Tiles in shared memory: for any boundary and GPU (TileKernel.cuh). ----

struct TileTuning {
  bool star  = false;
  int radius = 0;
  /// Seconds of a multiprocessor for a sweep of four rows of 32 vectors, while it has sixteen warps, in planes and in
  /// volumes. By 1026 passes of all shapes, of which they explain 97 % within 25 %.
  double plane_seconds  = 0.0;
  double volume_seconds = 0.0;

  constexpr TileTuning& with_plane_seconds(double s) { return plane_seconds = s, *this; }
  constexpr TileTuning& with_volume_seconds(double s) { return volume_seconds = s, *this; }
};

constexpr TileTuning star_tiles(int radius) { return {true, radius}; }
constexpr TileTuning box_tiles(int radius) { return {false, radius}; }

inline constexpr TileTuning half_tiles[] = {
    star_tiles(1).with_plane_seconds(0.0986e-6).with_volume_seconds(0.221e-6),
    star_tiles(2).with_plane_seconds(0.136e-6).with_volume_seconds(0.332e-6),
    star_tiles(3).with_plane_seconds(0.177e-6).with_volume_seconds(0.25e-6),
    star_tiles(4).with_plane_seconds(0.203e-6).with_volume_seconds(0.438e-6),
    box_tiles(1).with_plane_seconds(0.127e-6).with_volume_seconds(0.502e-6),
    box_tiles(2).with_plane_seconds(0.244e-6).with_volume_seconds(1.23e-6),
    box_tiles(3).with_plane_seconds(0.419e-6).with_volume_seconds(2.73e-6),
    box_tiles(4).with_plane_seconds(0.684e-6).with_volume_seconds(5.94e-6),
};
inline constexpr TileTuning float_tiles[] = {
    star_tiles(1).with_plane_seconds(0.0672e-6).with_volume_seconds(0.146e-6),
    star_tiles(2).with_plane_seconds(0.0849e-6).with_volume_seconds(0.224e-6),
    star_tiles(3).with_plane_seconds(0.101e-6).with_volume_seconds(0.281e-6),
    star_tiles(4).with_plane_seconds(0.121e-6).with_volume_seconds(0.257e-6),
    box_tiles(1).with_plane_seconds(0.0814e-6).with_volume_seconds(0.244e-6),
    box_tiles(2).with_plane_seconds(0.143e-6).with_volume_seconds(0.784e-6),
    box_tiles(3).with_plane_seconds(0.239e-6).with_volume_seconds(1.49e-6),
    box_tiles(4).with_plane_seconds(0.354e-6).with_volume_seconds(2.62e-6),
};
inline constexpr TileTuning double_tiles[] = {
    star_tiles(1).with_plane_seconds(0.0658e-6).with_volume_seconds(0.136e-6),
    star_tiles(2).with_plane_seconds(0.0868e-6).with_volume_seconds(0.212e-6),
    star_tiles(3).with_plane_seconds(0.101e-6).with_volume_seconds(0.266e-6),
    star_tiles(4).with_plane_seconds(0.118e-6).with_volume_seconds(0.302e-6),
    box_tiles(1).with_plane_seconds(0.0814e-6).with_volume_seconds(0.239e-6),
    box_tiles(2).with_plane_seconds(0.14e-6).with_volume_seconds(0.826e-6),
    box_tiles(3).with_plane_seconds(0.233e-6).with_volume_seconds(1.55e-6),
    box_tiles(4).with_plane_seconds(0.346e-6).with_volume_seconds(2.85e-6),
};
constexpr Table<TileTuning> tile_table(ValueType type) {
  return type == ValueType::float64   ? table(double_tiles)
         : type == ValueType::float32 ? table(float_tiles)
         : type == ValueType::float16 ? table(half_tiles)
                                      : Table<TileTuning>();
}

/// Sweeps of a pass, at most.
constexpr int most_tile_depth(int rank, int radius) {
  if (rank == 2) return 8 / radius < 2 ? 2 : 8 / radius;
  return radius == 1 ? 3 : 2;
}
/// Rows that a thread does at a time: a tile has a multiple of them for each part of a warp that does a row.
constexpr int tile_rows = 4;
/// Threads of all blocks of a multiprocessor. What is tried: one block or two, vectors of a tile's row.
constexpr int tile_threads       = 512;
constexpr int tile_blocks[]      = {2, 1};
constexpr int tile_row_vectors[] = {32, 16, 8};

/// What a pass takes beside its steps.
struct TileTimes {
  double alone         = 7.32;     ///< a warp alone takes so many times as long
  double narrow        = 1.08;     ///< rows of eight vectors, too
  double wait_seconds  = 0.62e-6;  ///< a block, in a sweep of a plane
  double fetch_seconds = 1.09e-6;  ///< a block, for a plane before its first result
  double block_seconds = 2.9e-6;   ///< a block, to begin
  double pass_seconds  = 1.7e-6;
  double bandwidth     = 0.64;      ///< of a copy's, with which passes read and write
  double apart_seconds = 0.341e-6;  ///< a block, for each value of a vector that is not read whole, in each plane
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
