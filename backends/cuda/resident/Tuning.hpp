// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/VolumeLayout.hpp"
#include "temporal/Tuning.hpp"

// The numbers of cuda_resident. Each stands here only: Instances_*.cu compile the kernels of the tables, Plan.cpp
// chooses among them and predicts their time. Times are of an NVIDIA H200.

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

using Temporal::box_patches;
using Temporal::PatchTuning;
using Temporal::star_patches;
using Temporal::Table;
using Temporal::table;

/// A block holds a patch, as those of cuda_temporal. Its seconds are those of a run beside its sweeps, the launch
/// included, and of a sweep.
struct KernelTuning : PatchTuning {
  double exchange_seconds = 0.0;   ///< of an exchange
  double edges            = 1.0;   ///< factor on the time of sweeps where not both axes are periodic
  int held_rows           = 0;     ///< of a warp's: in shared memory, not in registers
  bool image              = true;  ///< shared memory has room for an image of the patch

  /// Whether runs can find the change of their last sweep: there is a place for the state before.
  constexpr bool finds_change() const { return image && held_rows <= 2 * shape.radius; }
};
constexpr KernelTuning resident(PatchTuning const& patch, double exchange, double edges, int held_rows = 0,
                                bool image = true) {
  return {patch, exchange, edges, held_rows, image};
}

inline constexpr KernelTuning float_kernels[] = {
    resident(star_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(4.7e-6, 0.188e-6), 1.93e-6, 1.01),
    resident(star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.07e-6, 0.222e-6), 2.13e-6,
             1.11),
    resident(star_patches(1).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.11e-6, 0.365e-6), 2.33e-6,
             1.02),
    resident(star_patches(1).with_columns(4).with_rows(8).with_warps(16).with_seconds(6.97e-6, 0.45e-6), 2.67e-6, 1.03),
    resident(star_patches(1).with_columns(4).with_rows(11).with_warps(16).with_seconds(8.28e-6, 0.576e-6), 3.2e-6,
             1.06),
    resident(star_patches(1).with_columns(8).with_rows(20).with_warps(8).with_seconds(18.5e-6, 0.889e-6), 4.49e-6,
             1.02),
    resident(star_patches(1).with_columns(8).with_rows(22).with_warps(8).with_seconds(19.7e-6, 1.015e-6), 4.37e-6, 1.03,
             2),
    resident(star_patches(1).with_columns(8).with_rows(24).with_warps(8).with_seconds(21.4e-6, 1.21e-6), 4.89e-6, 1.04,
             6),
    resident(star_patches(1).with_columns(8).with_rows(35).with_warps(8).with_seconds(34.9e-6, 1.823e-6), 7.5e-6, 1.09,
             15, false),
    resident(star_patches(1).with_columns(8).with_rows(40).with_warps(8).with_seconds(41.3e-6, 2.303e-6), 8.33e-6, 1.06,
             22, false),
    resident(star_patches(2).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.02e-6, 0.389e-6), 2.1e-6, 1.00),
    resident(star_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(6e-6, 0.596e-6), 2.27e-6, 1.09),
    resident(star_patches(2).with_columns(4).with_rows(9).with_warps(16).with_seconds(7.52e-6, 0.858e-6), 3.34e-6,
             1.10),
    resident(star_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(6.93e-6, 1.1e-6), 2.52e-6, 1.08),
    resident(star_patches(4).with_columns(4).with_rows(8).with_warps(16).with_seconds(6.78e-6, 1.45e-6), 2.47e-6, 1.06),
    resident(box_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(4.58e-6, 0.267e-6), 1.96e-6, 0.97),
    resident(box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(4.99e-6, 0.349e-6), 2.16e-6, 1.01),
    resident(box_patches(1).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.06e-6, 0.562e-6), 2.34e-6, 1.02),
    resident(box_patches(1).with_columns(4).with_rows(10).with_warps(16).with_seconds(7.34e-6, 0.835e-6), 2.84e-6,
             1.07),
    resident(box_patches(1).with_columns(8).with_rows(22).with_warps(8).with_seconds(20.3e-6, 1.791e-6), 4.81e-6, 1.1,
             6),
    resident(box_patches(1).with_columns(8).with_rows(24).with_warps(8).with_seconds(22.8e-6, 1.952e-6), 5.37e-6, 1.14,
             10),
    resident(box_patches(1).with_columns(8).with_rows(11).with_warps(16).with_seconds(19.7e-6, 1.966e-6), 3.86e-6, 1.01,
             2, false),
    resident(box_patches(1).with_columns(8).with_rows(24).with_warps(12).with_seconds(38.4e-6, 3.03e-6), 6.41e-6, 1.05,
             14, false),
    resident(box_patches(1).with_columns(8).with_rows(26).with_warps(12).with_seconds(38.8e-6, 3.37e-6), 6.51e-6, 1.05,
             14, false),
    resident(box_patches(1).with_columns(8).with_rows(40).with_warps(8).with_seconds(33e-6, 4.85e-6), 8.3e-6, 1.06, 22,
             false),
    resident(box_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.21e-6, 1.49e-6), 2.32e-6, 1.01),
    resident(box_patches(3).with_columns(4).with_rows(4).with_warps(16).with_seconds(5.5e-6, 1.9e-6), 2.3e-6, 1.02),
    resident(box_patches(3).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.2e-6, 2.65e-6), 2.4e-6, 1.02),
    resident(box_patches(4).with_columns(4).with_rows(4).with_warps(16).with_seconds(5.5e-6, 3.12e-6), 2.3e-6, 1.02),
    resident(box_patches(4).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.2e-6, 4.54e-6), 2.4e-6, 1.02),
};
inline constexpr KernelTuning double_kernels[] = {
    resident(star_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(4.98e-6, 0.317e-6), 2.75e-6,
             1.03),
    resident(star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.76e-6, 0.35e-6), 2.85e-6, 1.15),
    resident(star_patches(1).with_columns(4).with_rows(12).with_warps(8).with_seconds(11.6e-6, 0.4436e-6), 4.62e-6,
             1.08),
    resident(star_patches(1).with_columns(4).with_rows(15).with_warps(8).with_seconds(13.8e-6, 0.559e-6), 4.29e-6,
             1.07),
    resident(star_patches(2).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.69e-6, 0.698e-6), 2.78e-6,
             1.01),
    resident(star_patches(2).with_columns(4).with_rows(12).with_warps(8).with_seconds(11.6e-6, 0.868e-6), 5.05e-6,
             1.12),
    resident(star_patches(3).with_columns(4).with_rows(12).with_warps(8).with_seconds(11.1e-6, 1.46e-6), 4.47e-6, 1.06,
             2),
    resident(star_patches(4).with_columns(4).with_rows(12).with_warps(8).with_seconds(11.2e-6, 2e-6), 4.64e-6, 1.03, 4),
    resident(box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.83e-6, 0.539e-6), 2.84e-6, 1.13),
    resident(box_patches(1).with_columns(4).with_rows(14).with_warps(8).with_seconds(13.3e-6, 1.063e-6), 4.5e-6, 1.16,
             4),
    resident(box_patches(2).with_columns(4).with_rows(8).with_warps(8).with_seconds(8.97e-6, 1.79e-6), 3.69e-6, 1.03,
             2),
    resident(box_patches(3).with_columns(4).with_rows(6).with_warps(8).with_seconds(8.5e-6, 2.38e-6), 3.7e-6, 1.03),
    resident(box_patches(4).with_columns(4).with_rows(6).with_warps(8).with_seconds(8.5e-6, 3.88e-6), 3.7e-6, 1.03),
};
constexpr Table<KernelTuning> kernel_table(ValueType type) {
  return type == ValueType::float64   ? table(double_kernels)
         : type == ValueType::float32 ? table(float_kernels)
                                      : Table<KernelTuning>();
}

/// A warp of a block holds a bundle of whole rows of a volume.
struct VolumeTuning {
  Shape shape;
  int columns_per_lane = 0;
  int rows[2]          = {};  ///< of a bundle, along z and y
  int warps            = 0;
  double run_seconds   = 0.0;  ///< of a run beside its sweeps, the launch included
  double sweep_seconds = 0.0;
  double edges         = 1.0;  ///< factor on the time of sweeps where rows are not periodic

  constexpr VolumeTuning& with_columns(int n) { return columns_per_lane = n, *this; }
  constexpr VolumeTuning& with_rows(int along_z, int along_y) { return rows[0] = along_z, rows[1] = along_y, *this; }
  constexpr VolumeTuning& with_warps(int n) { return warps = n, *this; }
  constexpr VolumeTuning& with_seconds(double run, double sweep) {
    return run_seconds = run, sweep_seconds = sweep, *this;
  }
  constexpr VolumeTuning& with_edges(double factor) { return edges = factor, *this; }

  constexpr VolumeLayout layout(int value_bytes) const {
    return {shape.star, columns_per_lane * value_bytes / 4, {rows[0], rows[1]}, warps};
  }
  /// Whether runs can find the change of their last sweep: for large bundles of boxes there are no registers for it.
  constexpr bool finds_change() const { return shape.star || rows[0] * rows[1] * columns_per_lane < 64; }
};
constexpr VolumeTuning star_volumes() { return {Shape{true, 3, 1}}; }
constexpr VolumeTuning box_volumes() { return {Shape{false, 3, 1}}; }

inline constexpr VolumeTuning float_volumes[] = {
    star_volumes().with_columns(2).with_rows(2, 1).with_warps(16).with_seconds(4.1e-6, 0.685e-6).with_edges(1.0),
    star_volumes().with_columns(3).with_rows(3, 2).with_warps(12).with_seconds(5.4e-6, 0.923e-6).with_edges(0.96),
    star_volumes().with_columns(4).with_rows(4, 4).with_warps(8).with_seconds(6.35e-6, 1.43e-6).with_edges(1.1),
    star_volumes().with_columns(5).with_rows(5, 5).with_warps(8).with_seconds(13.6e-6, 3.36e-6).with_edges(1.0),
    box_volumes().with_columns(2).with_rows(2, 2).with_warps(8).with_seconds(3.45e-6, 1.84e-6).with_edges(1.01),
    box_volumes().with_columns(3).with_rows(3, 3).with_warps(8).with_seconds(4.85e-6, 2.41e-6).with_edges(1.01),
    box_volumes().with_columns(4).with_rows(4, 4).with_warps(8).with_seconds(3.9e-6, 4.29e-6).with_edges(1.14),
};
inline constexpr VolumeTuning double_volumes[] = {
    star_volumes().with_columns(2).with_rows(2, 2).with_warps(8).with_seconds(4.1e-6, 0.837e-6).with_edges(1.03),
    star_volumes().with_columns(3).with_rows(3, 3).with_warps(8).with_seconds(8.05e-6, 1.25e-6).with_edges(1.07),
    star_volumes().with_columns(4).with_rows(4, 3).with_warps(8).with_seconds(6.4e-6, 2.39e-6).with_edges(1.0),
};
constexpr Table<VolumeTuning> volume_table(ValueType type) {
  return type == ValueType::float64   ? table(double_volumes)
         : type == ValueType::float32 ? table(float_volumes)
                                      : Table<VolumeTuning>();
}

/// Before, there are no kernels for volumes.
constexpr int least_volume_capability = 90;
/// Of a sweep, for each line that a block receives.
constexpr double volume_line_seconds = 8e-9;
/// Factor on the time of a run beside its sweeps where rows do not begin with vectors.
constexpr double volume_unaligned = 1.5;
/// Factor on predictions.
constexpr double volume_caution = 1.03;

/// Shared memory of a block: rows that warps show to each other, an image of the patch, or the rows that live there and
/// those that do not change; tables of where rows and columns are read, masks of rows, the block's own rows and
/// columns, and the blocks to wait for.
constexpr int shared_bytes(KernelTuning const& k, int value_bytes) {
  Temporal::PatchLayout const l = k.layout(value_bytes);
  int const rows                = k.image ? l.height : k.warps * k.held_rows + 2 * k.shape.radius;
  return l.bytes + rows * l.row_bytes + 4 * (l.width + l.height + 4 + Temporal::warp_lanes) +
         k.warps * (k.rows_per_warp > 32 ? 8 : 4);
}

/// Kernels that need more of it are for 9.0 and later only: for 8.0 the compiler has no registers for them either.
constexpr int shared_bytes_before_90 = 150 * 1024;

/// Blocks along an axis, at most, that exchange values with a block, itself included: two at either side.
constexpr int most_peers = 5;

/// Of a run in which blocks exchange at all: its turn. Of each byte of a block's halo.
constexpr double turn_seconds = 0.5e-6, exchange_byte_seconds = 29e-12;
/// Another such factor where faces reflect: more rows and columns are read and swept there.
constexpr double mirrors = 1.1;
/// Factor on predictions: where patches of cuda_temporal are about as fast, these are taken.
constexpr double caution = 1.015;

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
