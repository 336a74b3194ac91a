// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// The numbers that all families share: limits, and what launches and points near faces cost beside any kernel, measured
// on an NVIDIA H200. What kernels cost is in the Tuning.hpp of each family.

namespace KokkosStencil {
namespace Cuda {

/// The least compute capability that kernels are compiled for, and the least one with programmatic dependent launch.
constexpr int least_compute_capability = 80, dependent_launch_capability = 90;
/// Bytes of shared memory that the system reserves for every block.
constexpr int system_shared_bytes = 1024;
/// Kernels count extents and tiles in 32 bits: there are at most so many, and distances are below twice that.
constexpr std::int64_t index_limit = std::int64_t(1) << 30;

/// Seconds that the host takes for a launch, measured on virtual machines with an H200 (3.6 to 4.3).
constexpr double host_launch = 3.8e-6;
/// Seconds that a second launch behind the first one adds to the work of its kernel.
constexpr double next_launch = 0.105e-6;
/// Lanes that share a point near a face have so many terms at a time: seconds of such a round, and where faces are
/// periodic, and what each point adds.
constexpr int boundary_round_terms = 32;
constexpr double boundary_round = 1.2e-6, boundary_periodic_round = 2.0e-6, boundary_shared_seconds = 190e-12;
constexpr std::int64_t boundary_rounds(std::int64_t terms) {
  return (terms + boundary_round_terms - 1) / boundary_round_terms;
}
/// Seconds that a thread with a point of its own takes for a term, and where faces are periodic.
constexpr double boundary_latency = 0.234e-6, boundary_periodic_latency = 0.38e-6;
/// The most points that lanes share: until a thread a point is as fast. From so many on warps compute parts of rows.
constexpr std::int64_t boundary_shared_points(std::int64_t terms) {
  double const round_alone =
      boundary_latency * static_cast<double>(terms) / static_cast<double>(boundary_rounds(terms));
  return round_alone > boundary_round
             ? static_cast<std::int64_t>((round_alone - boundary_round) / boundary_shared_seconds)
             : 0;
}
constexpr std::int64_t boundary_many_points = 40'000;
/// Seconds of a point for a term, and of the end of a row more, where each thread of a warp touches another sector.
constexpr double boundary_term = 1.2e-12, boundary_row_end = 60e-12;
/// Seconds of a point in a part of a row, for a term and for what it takes beside, in terms; at an end, for a term and
/// for a row of the stencil, in terms; there along the edges of a volume, for a term, with periodic faces, too; and the
/// factor of double (docs/experiments/2026-11-28-half-past-mirrors.md).
constexpr double boundary_row_term = 0.21e-12, boundary_row_fixed = 60.0, boundary_end_term = 0.55e-12,
                 boundary_end_row = 6.5, boundary_edge_term = 5e-12, boundary_periodic_edge_term = 8.2e-12,
                 boundary_double = 1.3;

/// The least seconds of a point for a term at the ends of rows whose pitch is a multiple of 128 bytes, and of 64: the
/// lanes of a warp, each in another row, read from the same banks then (docs/experiments/2026-11-28-whole-waves.md).
constexpr double boundary_same_banks = 2.0e-12, boundary_two_banks = 1.5e-12;
/// Seconds of a point at the end of a row that a tile computes, for a term, and of a value that is brought for it.
constexpr double boundary_tile_term = 0.36e-12, boundary_tile_value = 5e-12;
/// Where a thread computes it in a kernel of points: seconds more for a term, but past periodic faces; and of a point
/// at the end of a row, if they are many.
constexpr double boundary_points_latency = 0.06e-6, boundary_many_ends = 2.3e-12;

/// Planes that are cut into tiles (PlanePlan.hpp): at the end multiprocessors are idle for this part of a tile's time.
constexpr double plane_tail = 0.06;

/// Copies between rows that begin anywhere and rows that begin at lines of memory (Padding.hpp): their bandwidth over
/// that of a plain copy. All plans together may hold this part of the device's memory in padded copies, and a plan this
/// part of what is free.
constexpr double row_copy_efficiency = 0.9, padding_memory = 0.125;
/// Seconds that such a copy takes beside its bytes: sweeps wait for what it writes, as it does behind them.
constexpr double padding_start = 2.2e-6;
/// Factor on the predicted work of tensor cores, but on lines and by tables: of kernels predicted alike the one is
/// faster, as a rule, whose time is predicted best. Theirs have errors of 0.15 to 0.2.
constexpr double tensor_caution = 1.03;

/// What the host takes for the copies before and behind the sweeps, in launches.
constexpr double padding_launches = 1.75;

}  // namespace Cuda
}  // namespace KokkosStencil
