// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Tuning.hpp"
#include "temporal/Layout.hpp"

#include <cstdint>

// The numbers of cuda_temporal. Each stands here only: Instances_*.cu compile the kernels of the tables, plans choose
// among them, and predictions are made of them. Rates and times are of an NVIDIA H200, fitted by scripts/calibrate.py
// to full and small of commit c849387 (perf_tests/results/nvidia-h200) and 1000 random problems at 6373eb3. Those of
// shapes without some terms follow from their speed beside that of whole ones on an H100 (suite patterns).

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

/// Factor in predictions on the time of single sweeps, which this backend hands on to cuda_direct. It lets the
/// dispatcher prefer cuda_direct itself.
constexpr double predicted_delegation = 1.01;

// ---- Lines: a warp holds a segment in registers and takes all sweeps of a pass (LineKernel.cuh). ----

struct LineTuning {
  int radius          = 0;
  Terms terms         = Terms::all;
  int values_per_lane = 0;
  double rate         = 0.0;  ///< points times sweeps a second, where points that two segments share count twice

  constexpr LineTuning& with_values_per_lane(int n) { return values_per_lane = n, *this; }
  constexpr LineTuning& with_rate(double points) { return rate = points, *this; }

  constexpr Shape shape() const { return {true, 1, radius, terms}; }
  /// The number of points of a segment.
  constexpr int width() const { return warp_lanes * values_per_lane; }
  /// The most sweeps of a pass: at least half of the points of a segment have to be results.
  constexpr int most_depth() const { return width() / 4 / radius < 64 ? width() / 4 / radius : 64; }
  /// Points at either end of a segment that are results of its neighbours, rounded up to whole vectors.
  constexpr int halo(int depth, int value_bytes) const {
    return rounded_up(depth * radius, vector_bytes / value_bytes);
  }
};

constexpr LineTuning line(int radius, Terms terms = Terms::all) { return {radius, terms}; }

/// For half_t and bhalf_t.
inline constexpr LineTuning half_lines[] = {
    line(1).with_values_per_lane(32).with_rate(9600e9),
    line(2).with_values_per_lane(32).with_rate(5800e9),
    line(3).with_values_per_lane(32).with_rate(4200e9),
    line(4).with_values_per_lane(32).with_rate(3200e9),
    line(1, Terms::but_centre).with_values_per_lane(32).with_rate(11000e9),
    line(1, Terms::some).with_values_per_lane(32).with_rate(5200e9),
    line(2, Terms::some).with_values_per_lane(32).with_rate(3750e9),
};
inline constexpr LineTuning float_lines[] = {
    line(1).with_values_per_lane(32).with_rate(9500e9),
    line(2).with_values_per_lane(32).with_rate(5700e9),
    line(3).with_values_per_lane(32).with_rate(4100e9),
    line(4).with_values_per_lane(32).with_rate(3150e9),
    line(1, Terms::but_centre).with_values_per_lane(32).with_rate(11000e9),
    line(1, Terms::some).with_values_per_lane(32).with_rate(5000e9),
    line(2, Terms::some).with_values_per_lane(32).with_rate(3520e9),
};
inline constexpr LineTuning double_lines[] = {
    line(1).with_values_per_lane(16).with_rate(4700e9),
    line(2).with_values_per_lane(16).with_rate(2650e9),
    line(3).with_values_per_lane(16).with_rate(1880e9),
    line(4).with_values_per_lane(16).with_rate(1600e9),
    line(1, Terms::but_centre).with_values_per_lane(16).with_rate(5500e9),
    line(1, Terms::some).with_values_per_lane(16).with_rate(2180e9),
    line(2, Terms::some).with_values_per_lane(16).with_rate(1225e9),
};
constexpr Table<LineTuning> line_table(ValueType type) {
  return type == ValueType::float64   ? table(double_lines)
         : type == ValueType::float32 ? table(float_lines)
                                      : table(half_lines);
}

/// Warps of a block, and blocks that a multiprocessor holds at once.
constexpr int line_warps = 4, line_blocks = 4;
/// Warp schedulers of a multiprocessor. Predictions count rounds of one warp a scheduler, which keeps it half busy.
constexpr int schedulers = 4;
/// The bandwidth that passes reach, over that of a copy.
constexpr double line_bandwidth = 1.1;
/// By type (half, float, double): seconds of a pass in addition to its work; and seconds of a sweep of one segment by a
/// warp that has a scheduler for itself.
constexpr double line_pass_seconds[] = {12.1e-6, 12.3e-6, 6.68e-6}, line_sweep_seconds[] = {0.28e-6, 0.25e-6, 0.157e-6};
/// Of a pass over a line whose ends are joined, where no segment follows the rules of faces; of a sweep and a point of
/// the radius by a warp alone.
constexpr double line_wrapped_pass_seconds = 3.8e-6, line_wrapped_sweep_seconds = 0.03e-6;
/// By type: factor on the work where output and input begin at different places in 16 bytes, so that results are stored
/// value by value.
constexpr double line_unaligned[] = {1.5, 1.3, 1.2};

// ---- Strips: a warp streams down a strip of columns with all sweeps of a pass in flight (StripKernel.cuh). ----

/// Warps of a block, which do not work together; a multiprocessor holds one block.
constexpr int strip_warps = 8;

struct StripTuning {
  Shape shape;
  int depth                    = 0;      ///< sweeps of a pass
  int columns_per_lane         = 0;      ///< on the fast path
  int general_columns_per_lane = 0;      ///< on the path for any boundary: fewer leave registers for masks
  int shared_sums              = 0;      ///< rows of sums in shared memory, for want of registers, on the fast path
  int general_shared_sums      = 0;      ///< the same on the general path
  bool no_anywhere             = false;  ///< no kernel for rows that begin anywhere: it would spill on 8.0 or 9.0
  bool passes_apart            = false;  ///< a pass begins when the one before has ended
  int coefficient_copies       = 1;      ///< with one for all sweeps the compiler keeps all of it in registers
  double rate                  = 0.0;    ///< points times sweeps a second, of strips without end
  double general_row_cost      = 0.0;    ///< time of a row on the general path over that on the fast path

  constexpr StripTuning& with_depth(int n) { return depth = n, *this; }
  constexpr StripTuning& with_columns(int fast, int general) {
    return columns_per_lane = fast, general_columns_per_lane = general, *this;
  }
  constexpr StripTuning& with_shared_sums(int fast, int general) {
    return shared_sums = fast, general_shared_sums = general, *this;
  }
  constexpr StripTuning& without_anywhere() { return no_anywhere = true, *this; }
  /// Blocks of the next pass take their places as those of this one end, so that neighbouring multiprocessors run the
  /// fast and the general path. Where both are long this was measured to cost more than the gap between two passes.
  constexpr StripTuning& with_passes_apart() { return passes_apart = true, *this; }
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

/// Whether passes may compute some rows first (Executable::early). Elsewhere registers would spill. In float, where
/// that costs 4 % of the time, a kernel apart does it, for rows that begin at vectors.
constexpr bool strip_has_early(Shape shape, int value_bytes) {
  return shape.radius == 1 && shape.terms == Terms::all && (value_bytes == 8 || (value_bytes == 4 && shape.star));
}
constexpr bool strip_early_apart(int value_bytes) { return value_bytes == 4; }

constexpr StripTuning star_strips(int radius, Terms terms = Terms::all) { return {Shape{true, 2, radius, terms}}; }
constexpr StripTuning box_strips(int radius, Terms terms = Terms::all) { return {Shape{false, 2, radius, terms}}; }

// Of the kernels for a shape the deepest stands first. Plans and predictions weigh all that fit in shared memory.
inline constexpr StripTuning half_strips[] = {
    star_strips(1).with_depth(8).with_columns(8, 8).with_rate(4270e9).with_general_row_cost(2.75),
    star_strips(2).with_depth(4).with_columns(8, 8).with_rate(2490e9).with_general_row_cost(2.6),
    star_strips(3).with_depth(4).with_columns(8, 8).with_shared_sums(0, 4).with_rate(1640e9).with_general_row_cost(
        2.35),
    star_strips(4).with_depth(3).with_columns(8, 8).with_shared_sums(0, 4).with_rate(1280e9).with_general_row_cost(2.2),
    box_strips(1).with_depth(8).with_columns(8, 8).with_rate(2890e9).with_general_row_cost(2.0),
    box_strips(2).with_depth(4).with_columns(8, 8).with_rate(1095e9).with_general_row_cost(1.9),
    box_strips(3).with_depth(3).with_columns(8, 8).with_rate(505e9).with_general_row_cost(1.9),
    box_strips(4).with_depth(2).with_columns(8, 8).with_shared_sums(0, 4).with_rate(327e9).with_general_row_cost(1.5),
    star_strips(1, Terms::but_centre).with_depth(8).with_columns(8, 8).with_rate(5110e9).with_general_row_cost(2.75),
    star_strips(1, Terms::some).with_depth(8).with_columns(8, 8).with_rate(2800e9).with_general_row_cost(2.0),
    star_strips(2, Terms::some).with_depth(4).with_columns(8, 8).with_rate(1600e9).with_general_row_cost(2.0),
    box_strips(1, Terms::some).with_depth(6).with_columns(8, 8).with_rate(1820e9).with_general_row_cost(1.9),
    box_strips(2, Terms::some).with_depth(3).with_columns(8, 8).with_rate(709e9).with_general_row_cost(1.9),
};
inline constexpr StripTuning float_strips[] = {
    star_strips(1).with_depth(12).with_columns(8, 4).with_rate(4040e9).with_general_row_cost(1.2),
    star_strips(2).with_depth(6).with_columns(8, 4).with_rate(2220e9).with_general_row_cost(1.2),
    star_strips(3).with_depth(4).with_columns(8, 4).with_rate(1560e9).with_general_row_cost(1.2),
    star_strips(4).with_depth(3).with_columns(8, 4).with_rate(1200e9).with_general_row_cost(1.15),
    box_strips(1).with_depth(12).with_columns(8, 4).with_coefficient_copies(12).with_rate(2640e9).with_general_row_cost(
        1.0),
    box_strips(2).with_depth(4).with_columns(8, 8).with_rate(1052e9).with_general_row_cost(1.75),
    box_strips(3).with_depth(3).with_columns(8, 8).with_passes_apart().with_rate(548e9).with_general_row_cost(1.9),
    box_strips(4).with_depth(2).with_columns(8, 4).with_rate(320e9).with_general_row_cost(1.5),
    star_strips(1, Terms::but_centre).with_depth(12).with_columns(8, 4).with_rate(4600e9).with_general_row_cost(1.2),
    star_strips(1, Terms::some).with_depth(8).with_columns(8, 4).with_rate(2560e9).with_general_row_cost(1.2),
    star_strips(2, Terms::some).with_depth(4).with_columns(8, 4).with_rate(1390e9).with_general_row_cost(1.2),
    box_strips(1, Terms::some)
        .with_depth(8)
        .with_columns(8, 4)
        .with_coefficient_copies(8)
        .with_rate(1730e9)
        .with_general_row_cost(1.0),
    box_strips(2, Terms::some).with_depth(3).with_columns(8, 8).with_rate(581e9).with_general_row_cost(1.75),
};
inline constexpr StripTuning double_strips[] = {
    star_strips(1)
        .with_depth(12)
        .with_columns(4, 4)
        .with_shared_sums(4, 6)
        .without_anywhere()
        .with_rate(1965e9)
        .with_general_row_cost(2.5),
    star_strips(1).with_depth(8).with_columns(4, 4).with_rate(1790e9).with_general_row_cost(2.15),
    star_strips(2).with_depth(6).with_columns(4, 4).with_shared_sums(4, 4).with_rate(975e9).with_general_row_cost(2.3),
    star_strips(2).with_depth(4).with_columns(4, 4).with_rate(970e9).with_general_row_cost(2.3),
    star_strips(3).with_depth(4).with_columns(4, 4).with_shared_sums(2, 6).with_rate(652e9).with_general_row_cost(2.15),
    star_strips(4)
        .with_depth(3)
        .with_columns(4, 4)
        .with_shared_sums(1, 3)
        .without_anywhere()
        .with_rate(475e9)
        .with_general_row_cost(2.05),
    box_strips(1).with_depth(8).with_columns(4, 4).with_rate(1400e9).with_general_row_cost(2.15),
    box_strips(2).with_depth(4).with_columns(4, 4).with_rate(533e9).with_general_row_cost(1.95),
    box_strips(3).with_depth(2).with_columns(4, 4).with_rate(266e9).with_general_row_cost(1.75),
    box_strips(4)
        .with_depth(2)
        .with_columns(4, 4)
        .with_shared_sums(1, 2)
        .with_coefficient_copies(2)
        .with_rate(164e9)
        .with_general_row_cost(1.5),
    star_strips(1, Terms::but_centre)
        .with_depth(12)
        .with_columns(4, 4)
        .with_shared_sums(6, 7)
        .without_anywhere()
        .with_rate(2010e9)
        .with_general_row_cost(2.5),
    star_strips(1, Terms::but_centre).with_depth(8).with_columns(4, 4).with_rate(1835e9).with_general_row_cost(2.15),
    star_strips(1, Terms::some).with_depth(8).with_columns(4, 4).with_rate(1010e9).with_general_row_cost(2.15),
    star_strips(2, Terms::some).with_depth(4).with_columns(4, 4).with_rate(593e9).with_general_row_cost(2.3),
    box_strips(1, Terms::some).with_depth(6).with_columns(4, 4).with_rate(615e9).with_general_row_cost(2.15),
    box_strips(2, Terms::some).with_depth(3).with_columns(4, 4).with_rate(224e9).with_general_row_cost(1.95),
};
constexpr Table<StripTuning> strip_table(ValueType type) {
  return type == ValueType::float64   ? table(double_strips)
         : type == ValueType::float32 ? table(float_strips)
         : type == ValueType::float16 ? table(half_strips)
                                      : Table<StripTuning>();
}

/// By type (half, float, double): the time that a row takes a warp that is alone on its multiprocessor, over the time
/// where all multiprocessors are full.
constexpr double strip_alone[] = {1.05, 1.08, 0.932};
/// The fewest rows of a task.
constexpr std::int64_t least_strip_rows = 4;
/// A pass of fewer sweeps than the kernel's depth has branches between the sweeps. The time of a row over that of a
/// full pass is base + share * sweeps / depth, on the fast path (by type: half, float, double) and on the general one.
constexpr double shallow[] = {1.15, 1.02, 0.93}, shallow_base = 0.08, shallow_share = 0.97;
constexpr double general_shallow_base = 0.69, general_shallow_share = 0.46;
/// The part of a copy's bandwidth that passes of few sweeps reach.
constexpr double shallow_bandwidth = 0.85;
/// Factors on the time of rows that do not begin at 16-byte vectors: with a kernel made for them, and without.
constexpr double anywhere_cost = 1.06, unaligned = 1.5;
/// Seconds of a row of the general path more, where lanes wait for vectors of values of two bytes that are not read
/// whole: past mirrors, or where a row wraps around within a vector.
constexpr double strip_apart_seconds = 0.45e-6;
/// Seconds of a pass over strips or a volume in addition to its work.
constexpr double pass_seconds = 5.32e-6;
/// How long a pass waits for memory, in copies of both fields, by type: half, float, double. From the times of two GPUs
/// with the same multiprocessors and other memories, an H200 and an H100.
constexpr double star_strip_waits[] = {0.0, 0.6, 0.5}, box_strip_waits[] = {0.0, 0.2, 0.9},
                 star_space_waits[] = {0.9, 1.5, 1.17}, box_space_waits[] = {0.5, 0.5, 0.5};

// ---- Patches: a block holds a part of a small plane in registers for all sweeps of a pass (PatchKernel.cuh). ----

struct PatchTuning {
  Shape shape;
  int columns_per_lane = 0;
  int rows_per_warp    = 0;
  int warps            = 0;
  double block_seconds = 0.0;  ///< of a block beside its sweeps: it reads and writes its patch
  double sweep_seconds = 0.0;  ///< ... a sweep

  constexpr PatchTuning& with_columns(int n) { return columns_per_lane = n, *this; }
  constexpr PatchTuning& with_rows(int n) { return rows_per_warp = n, *this; }
  constexpr PatchTuning& with_warps(int n) { return warps = n, *this; }
  constexpr PatchTuning& with_seconds(double block, double sweep) {
    return block_seconds = block, sweep_seconds = sweep, *this;
  }

  constexpr PatchLayout layout(int value_bytes) const {
    return patch_layout(value_bytes, shape.radius, columns_per_lane, rows_per_warp, warps);
  }
  constexpr int shared_bytes(int value_bytes) const { return layout(value_bytes).bytes; }
  /// Sweeps of a pass, at most: patches keep at least half of their rows and columns to themselves.
  constexpr int most_depth() const {
    PatchLayout const l = layout(4);
    return (l.width < l.height ? l.width : l.height) / 4 / shape.radius;
  }
};

constexpr PatchTuning star_patches(int radius, Terms terms = Terms::all) { return {Shape{true, 2, radius, terms}}; }
constexpr PatchTuning box_patches(int radius, Terms terms = Terms::all) { return {Shape{false, 2, radius, terms}}; }

inline constexpr PatchTuning half_patches[] = {
    star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.79e-6, 0.246e-6),
    star_patches(1).with_columns(4).with_rows(11).with_warps(16).with_seconds(3.81e-6, 0.655e-6),
    star_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(2.52e-6, 0.725e-6),
    star_patches(2).with_columns(4).with_rows(9).with_warps(16).with_seconds(3.37e-6, 0.961e-6),
    star_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(3.3e-6, 1.24e-6),
    star_patches(4).with_columns(4).with_rows(8).with_warps(16).with_seconds(3.28e-6, 1.76e-6),
    box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.8e-6, 0.363e-6),
    box_patches(1).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.63e-6, 0.952e-6),
    box_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(2.65e-6, 1.51e-6),
    box_patches(2).with_columns(4).with_rows(12).with_warps(8).with_seconds(3.2e-6, 1.48e-6),
    box_patches(3).with_columns(4).with_rows(4).with_warps(16).with_seconds(1.8e-6, 2.0e-6),
    box_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(3.38e-6, 3.5e-6),
    box_patches(4).with_columns(4).with_rows(4).with_warps(16).with_seconds(1.78e-6, 3.23e-6),
    box_patches(4).with_columns(4).with_rows(6).with_warps(16).with_seconds(2.47e-6, 4.7e-6),
    star_patches(1, Terms::but_centre).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.79e-6, 0.23e-6),
    star_patches(1, Terms::but_centre).with_columns(4).with_rows(11).with_warps(16).with_seconds(3.81e-6, 0.59e-6),
    star_patches(1, Terms::some).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.81e-6, 0.83e-6),
    box_patches(1, Terms::some).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.63e-6, 1.66e-6),
};
inline constexpr PatchTuning float_patches[] = {
    star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.69e-6, 0.233e-6),
    star_patches(1).with_columns(4).with_rows(11).with_warps(16).with_seconds(4.12e-6, 0.636e-6),
    star_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(2.51e-6, 0.658e-6),
    star_patches(2).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.96e-6, 0.962e-6),
    star_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(3.29e-6, 1.15e-6),
    star_patches(4).with_columns(4).with_rows(8).with_warps(16).with_seconds(3.34e-6, 1.44e-6),
    box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.72e-6, 0.338e-6),
    box_patches(1).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.88e-6, 0.931e-6),
    box_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(2.59e-6, 1.48e-6),
    box_patches(2).with_columns(4).with_rows(12).with_warps(8).with_seconds(2.96e-6, 1.47e-6),
    box_patches(3).with_columns(4).with_rows(4).with_warps(16).with_seconds(2.42e-6, 1.91e-6),
    box_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(4.58e-6, 3.35e-6),
    box_patches(4).with_columns(4).with_rows(4).with_warps(16).with_seconds(2.46e-6, 3.12e-6),
    box_patches(4).with_columns(4).with_rows(6).with_warps(16).with_seconds(3.53e-6, 4.54e-6),
    star_patches(1, Terms::but_centre).with_columns(2).with_rows(6).with_warps(16).with_seconds(1.69e-6, 0.22e-6),
    star_patches(1, Terms::but_centre).with_columns(4).with_rows(11).with_warps(16).with_seconds(4.12e-6, 0.57e-6),
    star_patches(1, Terms::some).with_columns(4).with_rows(10).with_warps(16).with_seconds(4.12e-6, 0.83e-6),
    box_patches(1, Terms::some).with_columns(4).with_rows(10).with_warps(16).with_seconds(3.88e-6, 1.58e-6),
};
inline constexpr PatchTuning double_patches[] = {
    star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(2.54e-6, 0.395e-6),
    star_patches(1).with_columns(2).with_rows(11).with_warps(16).with_seconds(3.98e-6, 0.606e-6),
    star_patches(1).with_columns(4).with_rows(12).with_warps(8).with_seconds(6.66e-6, 0.486e-6),
    star_patches(2).with_columns(2).with_rows(6).with_warps(16).with_seconds(2.41e-6, 0.717e-6),
    star_patches(2).with_columns(4).with_rows(10).with_warps(8).with_seconds(5.08e-6, 0.756e-6),
    star_patches(3).with_columns(4).with_rows(10).with_warps(8).with_seconds(4.37e-6, 1.18e-6),
    star_patches(4).with_columns(4).with_rows(12).with_warps(8).with_seconds(4.85e-6, 1.81e-6),
    box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(2.53e-6, 0.589e-6),
    box_patches(1).with_columns(2).with_rows(11).with_warps(16).with_seconds(4.04e-6, 0.96e-6),
    box_patches(1).with_columns(4).with_rows(12).with_warps(8).with_seconds(6.88e-6, 0.885e-6),
    box_patches(2).with_columns(4).with_rows(8).with_warps(8).with_seconds(4.05e-6, 1.65e-6),
    box_patches(3).with_columns(4).with_rows(6).with_warps(8).with_seconds(4.8e-6, 2.25e-6),
    box_patches(4).with_columns(4).with_rows(6).with_warps(8).with_seconds(5.02e-6, 3.88e-6),
    box_patches(4).with_columns(4).with_rows(8).with_warps(8).with_seconds(6.1e-6, 5.29e-6),
    star_patches(1, Terms::but_centre).with_columns(2).with_rows(6).with_warps(16).with_seconds(2.54e-6, 0.37e-6),
    star_patches(1, Terms::but_centre).with_columns(2).with_rows(11).with_warps(16).with_seconds(3.98e-6, 0.56e-6),
    star_patches(1, Terms::but_centre).with_columns(4).with_rows(12).with_warps(8).with_seconds(6.66e-6, 0.44e-6),
    star_patches(1, Terms::some).with_columns(2).with_rows(10).with_warps(16).with_seconds(3.98e-6, 0.9e-6),
    box_patches(1, Terms::some).with_columns(2).with_rows(10).with_warps(16).with_seconds(4.04e-6, 1.8e-6),
};
constexpr Table<PatchTuning> patch_table(ValueType type) {
  return type == ValueType::float64   ? table(double_patches)
         : type == ValueType::float32 ? table(float_patches)
         : type == ValueType::float16 ? table(half_patches)
                                      : Table<PatchTuning>();
}

/// Blocks that a multiprocessor takes one after the other, at most: beyond that strips are faster.
constexpr int most_patch_rounds = 4;
/// Of a pass beside its blocks. Patches whose rows do not begin with vectors are read and written so many times as
/// long.
constexpr double patch_pass_seconds = 2.0e-6, patch_unaligned = 1.2;
/// What the second block of a multiprocessor adds, and each one after it, over the first: to read and write, a sweep.
constexpr double next_patch_block = 1.0, next_patch_sweep = 0.95;

// ---- Small volumes: a block keeps a brick in shared memory for all sweeps of a pass (BrickKernel.cuh). ----

/// Threads of a block; a multiprocessor holds one block.
constexpr int brick_threads = 512;

struct BrickTuning {
  Shape shape;
  int rows_per_thread  = 0;
  double plane_seconds = 0.0;  ///< of a plane by teams of few warps, which wait for their own results
  double warp_seconds  = 0.0;  ///< of a plane by a warp among many
  double sweep_seconds = 0.0;  ///< of a sweep beside its planes
  /// Factor on the time of a pass: the other passes over small volumes are predicted to last up to a third longer than
  /// they do, so bricks have to be clearly faster to be chosen.
  double caution = 1.1;

  constexpr BrickTuning& with_rows(int n) { return rows_per_thread = n, *this; }
  constexpr BrickTuning& with_seconds(double plane, double warp, double sweep) {
    return plane_seconds = plane, warp_seconds = warp, sweep_seconds = sweep, *this;
  }
  constexpr BrickTuning& with_caution(double factor) { return caution = factor, *this; }

  /// Sweeps of a pass, at most.
  constexpr int most_depth() const { return 8 / shape.radius; }
  /// Shared memory of the smallest bricks that are of use.
  constexpr int shared_bytes(int) const { return 48 * 1024; }
};

constexpr BrickTuning star_bricks(int radius, Terms terms = Terms::all) { return {Shape{true, 3, radius, terms}}; }
constexpr BrickTuning box_bricks(int radius) { return {Shape{false, 3, radius}}; }

inline constexpr BrickTuning half_bricks[] = {
    star_bricks(1).with_rows(2).with_seconds(0.248e-6, 0.0299e-6, 0.379e-6).with_caution(1.3),
    star_bricks(1, Terms::some).with_rows(2).with_seconds(0.248e-6, 0.034e-6, 0.379e-6).with_caution(1.3),
};
inline constexpr BrickTuning float_bricks[] = {
    star_bricks(1).with_rows(2).with_seconds(0.199e-6, 0.0183e-6, 0.494e-6).with_caution(1.3),
    star_bricks(2).with_rows(2).with_seconds(0.331e-6, 0.0304e-6, 0.877e-6),
    box_bricks(1).with_rows(2).with_seconds(0.182e-6, 0.0455e-6, 0.606e-6).with_caution(1.18),
    star_bricks(1, Terms::but_centre).with_rows(2).with_seconds(0.199e-6, 0.0175e-6, 0.494e-6).with_caution(1.3),
    star_bricks(1, Terms::some).with_rows(2).with_seconds(0.199e-6, 0.021e-6, 0.494e-6).with_caution(1.3),
};
inline constexpr BrickTuning double_bricks[] = {
    star_bricks(1).with_rows(2).with_seconds(0.21e-6, 0.0195e-6, 0.357e-6).with_caution(1.15),
    star_bricks(2).with_rows(2).with_seconds(0.107e-6, 0.0305e-6, 0.733e-6).with_caution(1.3),
    box_bricks(1).with_rows(2).with_seconds(0.093e-6, 0.0401e-6, 0.642e-6).with_caution(1.15),
    star_bricks(1, Terms::but_centre).with_rows(2).with_seconds(0.21e-6, 0.0187e-6, 0.357e-6).with_caution(1.15),
    star_bricks(1, Terms::some).with_rows(2).with_seconds(0.21e-6, 0.036e-6, 0.357e-6).with_caution(1.15),
};
constexpr Table<BrickTuning> brick_table(ValueType type) {
  return type == ValueType::float64   ? table(double_bricks)
         : type == ValueType::float32 ? table(float_bricks)
         : type == ValueType::float16 ? table(half_bricks)
                                      : Table<BrickTuning>();
}

/// Blocks that a multiprocessor takes one after the other, at most, and the bricks along an axis that plans try.
constexpr int most_brick_rounds = 2, most_bricks = 24;
/// Lanes of a row of a brick, as the power of two: at least, at most.
constexpr int least_brick_lanes_log = 3, most_brick_lanes_log = 5;
/// Of a pass beside its blocks; of a block until it has its brick, and stored it, beside what each value takes.
constexpr double brick_pass_seconds = 2.11e-6, brick_block_seconds = 0.33e-6, brick_byte_seconds = 28.4e-12;
/// Factor on the time to read and write a brick whose rows do not begin with vectors.
constexpr double brick_unaligned = 1.5;

// ---- Volumes: a block streams through the planes of a tile with all sweeps of a pass in flight (SpaceTile.cuh). ----

struct SpaceTuning {
  SpaceStencil stencil = SpaceStencil::star;
  int radius           = 0;
  Terms terms          = Terms::all;
  int depth            = 0;  ///< sweeps of a pass
  int warps            = 8;
  int rows             = 0;           ///< rows that a group of lanes holds
  int lanes            = warp_lanes;  ///< lanes of a group, which together hold a row: a warp or half of one
  /// Whether the results of a tile begin and end at 32-byte sectors of memory. If not, two tiles store parts of one
  /// sector, which costs more than the column of tiles that it may save, unless arithmetic is the bottleneck.
  bool whole_sectors   = true;
  double plane_seconds = 0.0;  ///< of a plane of a tile whose points all change
  double frame_seconds = 0.0;  ///< of a plane of a tile at the frame, where some points do not change
  /// The same by a second kernel that stores whole vectors only; 0: there is none.
  double whole_vector_seconds  = 0.0;
  int least_compute_capability = Cuda::least_compute_capability;  ///< on older GPUs registers would spill
  /// Whether there are kernels for rows of the input and for rows of the output that begin anywhere (find_end).
  bool anywhere = false;

  constexpr SpaceTuning& with_depth(int n) { return depth = n, *this; }
  constexpr SpaceTuning& with_anywhere() { return anywhere = true, *this; }
  constexpr SpaceTuning& with_warps(int n) { return warps = n, *this; }
  constexpr SpaceTuning& with_rows(int n) { return rows = n, *this; }
  constexpr SpaceTuning& with_lanes(int n) { return lanes = n, *this; }
  constexpr SpaceTuning& with_whole_sectors(bool yes) { return whole_sectors = yes, *this; }
  constexpr SpaceTuning& with_plane_seconds(double inside, double frame) {
    return plane_seconds = inside, frame_seconds = frame, *this;
  }
  constexpr SpaceTuning& with_whole_vector_seconds(double frame) { return whole_vector_seconds = frame, *this; }
  constexpr SpaceTuning& with_least_compute_capability(int n) { return least_compute_capability = n, *this; }

  constexpr Shape shape() const { return {stencil == SpaceStencil::star, 3, radius, terms}; }
  /// Of all there may be.
  constexpr int term_count() const {
    return stencil == SpaceStencil::star    ? 6 * radius + 1
           : stencil == SpaceStencil::box   ? 27
           : stencil == SpaceStencil::box17 ? 17
                                            : 19;
  }
  constexpr SpaceLayout layout(int value_bytes, bool in_anywhere = false) const {
    return space_layout(stencil, radius, value_bytes, warps, rows, lanes, depth, in_anywhere);
  }
  constexpr int shared_bytes(int value_bytes, bool in_anywhere = false) const {
    return layout(value_bytes, in_anywhere).bytes;
  }
};

constexpr SpaceTuning star_space(int radius, Terms terms = Terms::all) { return {SpaceStencil::star, radius, terms}; }
constexpr SpaceTuning box_space() { return {SpaceStencil::box, 1}; }
constexpr SpaceTuning box17_space() { return {SpaceStencil::box17, 1}; }
constexpr SpaceTuning box19_space() { return {SpaceStencil::box19, 1}; }

// Plans and predictions weigh all kernels for a stencil that fit in shared memory.
inline constexpr SpaceTuning half_spaces[] = {
    star_space(1).with_depth(2).with_rows(4).with_lanes(16).with_plane_seconds(1.12e-6, 1.57e-6),
    star_space(1, Terms::but_centre).with_depth(2).with_rows(4).with_lanes(16).with_plane_seconds(1.08e-6, 1.52e-6),
};
inline constexpr SpaceTuning float_spaces[] = {
    star_space(1).with_depth(4).with_rows(5).with_plane_seconds(1.15e-6, 1.43e-6).with_anywhere(),
    star_space(1)
        .with_depth(4)
        .with_rows(5)
        .with_lanes(16)
        .with_plane_seconds(1.24e-6, 1.59e-6)
        .with_whole_vector_seconds(1.43e-6),
    star_space(1).with_depth(3).with_rows(6).with_plane_seconds(1.4e-6, 1.75e-6),
    star_space(1).with_depth(2).with_rows(8).with_plane_seconds(2.1e-6, 2.3e-6),
    star_space(2).with_depth(2).with_rows(5).with_plane_seconds(1.16e-6, 1.42e-6),
    star_space(2).with_depth(2).with_rows(6).with_plane_seconds(1.3e-6, 1.65e-6).with_anywhere(),
    box_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.57e-6, 3.04e-6).with_anywhere(),
    box_space().with_depth(2).with_warps(12).with_rows(6).with_lanes(16).with_whole_sectors(false).with_plane_seconds(
        2.92e-6, 3.38e-6),
    box17_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.02e-6, 2.59e-6),
    box19_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.16e-6, 2.69e-6),
    star_space(1, Terms::but_centre).with_depth(4).with_rows(5).with_plane_seconds(1.14e-6, 1.42e-6).with_anywhere(),
    star_space(1, Terms::but_centre)
        .with_depth(4)
        .with_rows(5)
        .with_lanes(16)
        .with_plane_seconds(1.23e-6, 1.58e-6)
        .with_whole_vector_seconds(1.42e-6),
    star_space(1, Terms::but_centre).with_depth(2).with_rows(8).with_plane_seconds(2.0e-6, 2.2e-6),
    star_space(1, Terms::some).with_depth(3).with_rows(5).with_plane_seconds(1.12e-6, 1.4e-6),
};
inline constexpr SpaceTuning double_spaces[] = {
    star_space(1)
        .with_depth(4)
        .with_rows(5)
        .with_plane_seconds(1.18e-6, 1.44e-6)
        .with_whole_vector_seconds(1.3e-6)
        .with_anywhere(),
    star_space(1).with_depth(3).with_rows(6).with_plane_seconds(1.25e-6, 1.75e-6),
    star_space(1).with_depth(2).with_rows(8).with_plane_seconds(2.1e-6, 2.5e-6),
    star_space(2).with_depth(2).with_rows(5).with_plane_seconds(1.25e-6, 1.8e-6).with_anywhere(),
    star_space(2).with_depth(2).with_rows(6).with_plane_seconds(1.39e-6, 2.5e-6).with_least_compute_capability(90),
    box_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.65e-6, 2.97e-6),
    box17_space().with_depth(2).with_warps(8).with_rows(8).with_plane_seconds(2.12e-6, 2.5e-6),
    box19_space().with_depth(2).with_warps(16).with_rows(4).with_plane_seconds(2.52e-6, 2.85e-6),
    star_space(1, Terms::but_centre)
        .with_depth(4)
        .with_rows(5)
        .with_plane_seconds(1.17e-6, 1.43e-6)
        .with_whole_vector_seconds(1.29e-6)
        .with_anywhere(),
    star_space(1, Terms::but_centre).with_depth(2).with_rows(8).with_plane_seconds(2.0e-6, 2.4e-6),
    star_space(1, Terms::some).with_depth(3).with_rows(5).with_plane_seconds(1.08e-6, 1.5e-6),
};
constexpr Table<SpaceTuning> space_table(ValueType type) {
  return type == ValueType::float64   ? table(double_spaces)
         : type == ValueType::float32 ? table(float_spaces)
         : type == ValueType::float16 ? table(half_spaces)
                                      : Table<SpaceTuning>();
}

/// Factor on frame_seconds where vectors are read value by value.
constexpr double value_by_value = 2.0;
/// Factors on the seconds of a plane where rows of the input, or of the output, begin anywhere.
constexpr double anywhere_in = 1.18, anywhere_out = 1.12;
/// The least compute capability of these kernels for stars of radius 2.
constexpr int anywhere_long_star_capability = 90;
/// Factor on frame_seconds where vectors are stored whole, if no whole_vector_seconds were measured.
constexpr double whole_frame = 0.9;
/// The most chunks of planes that a tile is cut into, where there are few tiles.
constexpr int most_chunks = 32;
/// Factor in predictions for multiprocessors that are idle at the end of a pass, while the last chunks run.
constexpr double predicted_idle = 1.05;
/// What predictions take in place of value_by_value, by type: half, float, double.
constexpr double predicted_apart[] = {2.2, 2.38, 1.78};
/// The same where they are copied on the way of whole vectors (copies_values).
constexpr double predicted_copied[] = {0.0, 1.4, 1.3};

// ---- Tiles in shared memory: for any boundary and GPU (TileKernel.cuh). ----

struct TileTuning {
  bool star  = false;
  int radius = 0;
  /// Seconds that a multiprocessor with sixteen warps takes for a sweep of four rows of 32 vectors, in 2-D and in 3-D.
  /// Fitted to 1026 passes of all shapes, of which 97 % are predicted within 25 %.
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
    star_tiles(3).with_plane_seconds(0.177e-6).with_volume_seconds(0.45e-6),
    star_tiles(4).with_plane_seconds(0.203e-6).with_volume_seconds(0.58e-6),
    box_tiles(1).with_plane_seconds(0.127e-6).with_volume_seconds(0.502e-6),
    box_tiles(2).with_plane_seconds(0.244e-6).with_volume_seconds(1.07e-6),
    box_tiles(3).with_plane_seconds(0.419e-6).with_volume_seconds(2.24e-6),
    box_tiles(4).with_plane_seconds(0.684e-6).with_volume_seconds(4.67e-6),
};
inline constexpr TileTuning float_tiles[] = {
    star_tiles(1).with_plane_seconds(0.0672e-6).with_volume_seconds(0.146e-6),
    star_tiles(2).with_plane_seconds(0.0849e-6).with_volume_seconds(0.224e-6),
    star_tiles(3).with_plane_seconds(0.101e-6).with_volume_seconds(0.38e-6),
    star_tiles(4).with_plane_seconds(0.121e-6).with_volume_seconds(0.40e-6),
    box_tiles(1).with_plane_seconds(0.0814e-6).with_volume_seconds(0.244e-6),
    box_tiles(2).with_plane_seconds(0.143e-6).with_volume_seconds(0.69e-6),
    box_tiles(3).with_plane_seconds(0.239e-6).with_volume_seconds(1.3e-6),
    box_tiles(4).with_plane_seconds(0.354e-6).with_volume_seconds(2.49e-6),
};
inline constexpr TileTuning double_tiles[] = {
    star_tiles(1).with_plane_seconds(0.0658e-6).with_volume_seconds(0.136e-6),
    star_tiles(2).with_plane_seconds(0.0868e-6).with_volume_seconds(0.212e-6),
    star_tiles(3).with_plane_seconds(0.101e-6).with_volume_seconds(0.33e-6),
    star_tiles(4).with_plane_seconds(0.118e-6).with_volume_seconds(0.302e-6),
    box_tiles(1).with_plane_seconds(0.0814e-6).with_volume_seconds(0.239e-6),
    box_tiles(2).with_plane_seconds(0.14e-6).with_volume_seconds(0.727e-6),
    box_tiles(3).with_plane_seconds(0.233e-6).with_volume_seconds(1.36e-6),
    box_tiles(4).with_plane_seconds(0.346e-6).with_volume_seconds(2.72e-6),
};
constexpr Table<TileTuning> tile_table(ValueType type) {
  return type == ValueType::float64   ? table(double_tiles)
         : type == ValueType::float32 ? table(float_tiles)
         : type == ValueType::float16 ? table(half_tiles)
                                      : Table<TileTuning>();
}

/// The most sweeps of a pass.
constexpr int most_tile_depth(int rank, int radius) {
  if (rank == 2) return 8 / radius < 2 ? 2 : 8 / radius;
  return radius == 1 ? 3 : 2;
}
/// Rows that a thread computes at a time. Where a row takes only part of a warp, the other parts take the next rows;
/// the rows of a tile are a multiple of what a warp takes.
constexpr int tile_rows = 4;
/// Threads of all blocks of a multiprocessor. Plans try each of these numbers of blocks, and of vectors in a tile's
/// row.
constexpr int tile_threads       = 512;
constexpr int tile_blocks[]      = {2, 1};
constexpr int tile_row_vectors[] = {32, 16, 8};

/// What a pass takes in addition to the steps that TileTuning times.
struct TileTimes {
  double alone         = 7.32;     ///< factor on a step for a warp that waits for its own results
  double narrow        = 1.08;     ///< factor on a step where rows have eight vectors
  double wait_seconds  = 0.62e-6;  ///< that a block waits in a sweep of a plane
  double fetch_seconds = 1.09e-6;  ///< that a block waits for each plane before its first result
  double block_seconds = 2.9e-6;   ///< until a block begins to work
  double pass_seconds  = 1.7e-6;
  double bandwidth     = 0.64;    ///< that passes reach, over that of a copy
  double apart_seconds = 1.6e-6;  ///< of a block, for each vector of a thread that is not read whole, in each plane
  /// In space the schedulers of a multiprocessor wait for the one whose warps have the most rows: what counts of that,
  /// where a block has the multiprocessor for itself and where another one works meanwhile.
  double uneven_alone = 0.75, uneven_beside = 0.5;
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
