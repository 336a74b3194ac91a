// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What launches and points near faces cost beside any family's kernels, measured on an NVIDIA H200. What kernels cost
// is in the Tuning.hpp of each family.

namespace KokkosStencil {
namespace Cuda {

/// What a host takes for a launch: a virtual machine beside an H200.
constexpr double host_launch = 4.3e-6;
/// A second launch behind the first one, from its end to that of this one, without the work.
constexpr double next_launch = 1.5e-6;
/// Of a thread near a face, for four terms: expected, from 0.3 us for each when they came one at a time.
constexpr double boundary_latency = 0.35e-6;
/// Many points near faces: of one and a term, and of a row's end, where a warp touches as many sectors as it has
/// threads.
constexpr double boundary_term = 3.15e-12, boundary_row_end = 100e-12;

}  // namespace Cuda
}  // namespace KokkosStencil
