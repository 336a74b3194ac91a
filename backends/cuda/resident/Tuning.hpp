// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

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
  double exchange_seconds = 0.0;  ///< of an exchange
  double edges            = 1.0;  ///< factor on the time of sweeps where not both axes are periodic
};
constexpr KernelTuning resident(PatchTuning const& patch, double exchange, double edges) {
  return {patch, exchange, edges};
}

inline constexpr KernelTuning float_kernels[] = {
    resident(star_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(5.05e-6, 0.183e-6), 1.93e-6, 1.0),
    resident(star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.45e-6, 0.222e-6), 2.32e-6,
             1.04),
    resident(star_patches(1).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.27e-6, 0.352e-6), 2.36e-6, 1.1),
    resident(star_patches(1).with_columns(4).with_rows(8).with_warps(16).with_seconds(7.14e-6, 0.405e-6), 2.87e-6,
             1.19),
    resident(star_patches(1).with_columns(4).with_rows(11).with_warps(16).with_seconds(9.0e-6, 0.586e-6), 3.7e-6, 1.16),
    resident(star_patches(1).with_columns(8).with_rows(20).with_warps(8).with_seconds(20.0e-6, 0.93e-6), 5.7e-6, 1.32),
    resident(star_patches(2).with_columns(2).with_rows(6).with_warps(16).with_seconds(6.03e-6, 0.359e-6), 2.51e-6,
             1.05),
    resident(star_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.38e-6, 0.568e-6), 2.3e-6, 1.05),
    resident(star_patches(2).with_columns(4).with_rows(9).with_warps(16).with_seconds(7.08e-6, 0.769e-6), 2.85e-6,
             1.05),
    resident(star_patches(3).with_columns(4).with_rows(8).with_warps(16).with_seconds(7.01e-6, 1.05e-6), 2.82e-6, 1.05),
    resident(star_patches(4).with_columns(4).with_rows(8).with_warps(16).with_seconds(7.02e-6, 1.43e-6), 2.65e-6, 1.05),
    resident(box_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(5.28e-6, 0.242e-6), 2.18e-6, 1.05),
    resident(box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.75e-6, 0.334e-6), 2.55e-6, 1.05),
    resident(box_patches(1).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.32e-6, 0.545e-6), 2.36e-6, 1.05),
    resident(box_patches(1).with_columns(4).with_rows(10).with_warps(16).with_seconds(9.0e-6, 0.856e-6), 3.36e-6, 1.05),
    resident(box_patches(2).with_columns(4).with_rows(6).with_warps(16).with_seconds(6.21e-6, 1.49e-6), 2.51e-6, 1.05),
};
inline constexpr KernelTuning double_kernels[] = {
    resident(star_patches(1).with_columns(2).with_rows(4).with_warps(16).with_seconds(5.42e-6, 0.285e-6), 1.87e-6,
             1.04),
    resident(star_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.9e-6, 0.342e-6), 2.33e-6, 1.1),
    resident(star_patches(1).with_columns(4).with_rows(12).with_warps(8).with_seconds(11.0e-6, 0.534e-6), 4.43e-6, 1.2),
    resident(star_patches(1).with_columns(4).with_rows(15).with_warps(8).with_seconds(16.0e-6, 0.636e-6), 5.29e-6, 1.2),
    resident(star_patches(2).with_columns(2).with_rows(6).with_warps(16).with_seconds(6.1e-6, 0.653e-6), 2.25e-6, 1.05),
    resident(star_patches(2).with_columns(4).with_rows(12).with_warps(8).with_seconds(10e-6, 0.924e-6), 5.3e-6, 1.05),
    resident(star_patches(3).with_columns(4).with_rows(12).with_warps(8).with_seconds(12.0e-6, 1.37e-6), 4.25e-6, 1.05),
    resident(star_patches(4).with_columns(4).with_rows(12).with_warps(8).with_seconds(9.13e-6, 2.12e-6), 2.99e-6, 1.05),
    resident(box_patches(1).with_columns(2).with_rows(6).with_warps(16).with_seconds(5.81e-6, 0.537e-6), 2.52e-6, 1.05),
    resident(box_patches(1).with_columns(4).with_rows(14).with_warps(8).with_seconds(11.5e-6, 1.06e-6), 4.9e-6, 1.05),
    resident(box_patches(2).with_columns(4).with_rows(8).with_warps(8).with_seconds(7.96e-6, 1.89e-6), 3.02e-6, 1.05),
};
constexpr Table<KernelTuning> kernel_table(ValueType type) {
  return type == ValueType::float64   ? table(double_kernels)
         : type == ValueType::float32 ? table(float_kernels)
                                      : Table<KernelTuning>();
}

/// Shared memory of a block: rows that warps show to each other, an image of the patch, tables of where rows and
/// columns are read, masks of rows, and the blocks to wait for.
constexpr int shared_bytes(PatchTuning const& k, int value_bytes) {
  Temporal::PatchLayout const l = k.layout(value_bytes);
  return l.bytes + l.height * l.row_bytes + 4 * (l.width + l.height + k.warps + Temporal::warp_lanes);
}

/// Kernels that need more of it are for 9.0 and later only: for 8.0 the compiler has no registers for them either.
constexpr int shared_bytes_before_90 = 150 * 1024;

/// Blocks along an axis, at most, that exchange values with a block, itself included: two at either side.
constexpr int most_peers = 5;

/// Of a run in which blocks exchange at all: its turn, and a barrier of all blocks. Of each byte of a block's halo.
constexpr double turn_seconds = 2.45e-6, exchange_byte_seconds = 29e-12;
/// Another such factor where faces reflect: more rows and columns are read and swept there.
constexpr double mirrors = 1.1;
/// Factor on predictions: where patches of cuda_temporal are about as fast, these are taken.
constexpr double caution = 1.015;

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
