// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <model/Roofline.hpp>

#include <KokkosStencil_Backend.hpp>

#include <array>

// From the roofline to a time: what the paper leaves out (its section 3.2.1 says so of halos) and kernels pay.

namespace KokkosStencil {
namespace Model {

/// What one pass of a kernel over the points costs.
struct Kernel {
  ComputeUnit unit  = ComputeUnit::cores;
  ValueType operand = ValueType::float32;  ///< selects the rate of the unit
  int depth         = 1;                   ///< sweeps in the pass
  Work work;                               ///< of one point and pass, redundancy included
  /// Part of the roofline reached by large problems: the efficiency of loads, stores and instruction streams.
  double fraction      = 1.0;
  double redundancy    = 1.0;  ///< factor on the time: what tiles do in vain, multiprocessors idle in the last wave
  double extra_seconds = 0.0;  ///< a pass: further launches, points near faces
  double least_seconds = 0.0;  ///< a pass: what the host takes to launch it, while the one before runs
};

/// Time for whole waves of tiles over that of the tiles: at least 1.
double wave_redundancy(double tiles, double resident);

/// Input that tiles read beside their own points, as a factor: product of (tile + 2 halo) / tile, unused axes 0.
double halo_redundancy(std::array<double, 3> const& tile, std::array<double, 3> const& halo);

/// Points computed by `depth` sweeps inside a tile whose halo shrinks by `radius` a sweep, as a factor: the mean over
/// the sweeps of the product of (tile + 2 radius (depth - k)) / tile, k = 1 to depth. Axes with tile 0 are unused.
double overlap_redundancy(std::array<double, 3> const& tile, std::array<double, 3> const& radius, int depth);

/// Bandwidth for two fields of so many bytes in all: that of the last cache as far as it holds them.
double bandwidth(DeviceModel const& device, double bytes);

/// Time of `steps` sweeps over `points` points.
Estimate estimate(Kernel const& kernel, DeviceModel const& device, double points, int value_bytes, std::int64_t steps);
/// The same by the kernel's roofline on the device, for two fields of that size.
Estimate estimate(Kernel const& kernel, Roofline const& roof, double launch_seconds, double points, std::int64_t steps);

}  // namespace Model
}  // namespace KokkosStencil
