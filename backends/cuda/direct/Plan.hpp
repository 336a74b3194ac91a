// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "direct/ShapeTuning.hpp"

#include <model/SweepCost.hpp>

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// How cuda_direct does a sweep, and what that costs: plain C++, for the backend and for kokkosstencil_explain.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

enum class Algorithm {
  shape,  ///< a kernel made for the stencil's shape, points near faces after it
  taps,   ///< a list of terms, several points a thread, points near faces after it
  points  ///< a list of terms, a point a thread, points near faces in the same launch
};

struct SweepPlan {
  Algorithm algorithm       = Algorithm::taps;
  ShapeTuning const* kernel = nullptr;  ///< for Algorithm::shape
  Model::Kernel cost;
};

/// The kernels made for shapes, of a value type.
struct ShapeTunings {
  ShapeTuning const* first;
  std::size_t count;

  ShapeTuning const* begin() const { return first; }
  ShapeTuning const* end() const { return first + count; }
};
ShapeTunings shape_tunings(ValueType type);

/// The first kernel made for the stencil's shape, else for one that encloses it; null if there is none, or if rows
/// begin anywhere and it cannot read them.
ShapeTuning const* find_kernel(Problem const& problem);

/// Why cuda_direct cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The fastest way, or the one that the environment asks for (KOKKOSSTENCIL_CUDA_DIRECT=shape, taps or points, where
/// there is it).
SweepPlan plan_sweep(Problem const& problem, DeviceModel const& device);

/// `steps` sweeps, one after another.
Estimate cost_of_sweeps(Problem const& problem, DeviceModel const& device, std::int64_t steps);
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
