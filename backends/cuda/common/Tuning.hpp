// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// The numbers that all families share: limits, and what launches and points near faces cost beside any kernel, measured
// on an NVIDIA H200. What kernels cost is in the Tuning.hpp of each family.

namespace KokkosStencil {
namespace Cuda {

/// The least that any kernel here is compiled for; from where a kernel may begin before the one ahead of it has ended.
constexpr int least_compute_capability = 80, dependent_launch_capability = 90;
/// Shared memory that the system takes of every block.
constexpr int system_shared_bytes = 1024;
/// Kernels count extents and tiles in 32 bits: there are at most so many, and distances are below twice that.
constexpr std::int64_t index_limit = std::int64_t(1) << 30;

/// What a host takes for a launch: a virtual machine beside an H200.
constexpr double host_launch = 4.3e-6;
/// A second launch: from the end of the first one to its own end, but for its work.
constexpr double next_launch = 0.105e-6;
/// Of a thread near a face, for a term, and where faces are periodic.
constexpr double boundary_latency = 0.234e-6, boundary_periodic_latency = 0.38e-6;
/// Many points near faces: of one and a term, and of a row's end, where a warp touches as many sectors as it has
/// threads.
constexpr double boundary_term = 3.15e-12, boundary_row_end = 100e-12;

/// Planes cut into tiles (PlanePlan.hpp): in the end multiprocessors wait for this part of the time of a tile.
constexpr double plane_tail = 0.06;

}  // namespace Cuda
}  // namespace KokkosStencil
