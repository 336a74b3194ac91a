// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TilePlan.hpp"
#include "common/Device.hpp"
#include "common/Passes.hpp"
#include "temporal/Tuning.hpp"

#include <KokkosStencil_Backend.hpp>
#include <KokkosStencil_Device.hpp>

#include <string>
#include <variant>
#include <vector>

// What cuda_temporal can run, what that costs, and how many sweeps are cut into passes: plain C++, for GPUs that are
// there and for others.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// Why cuda_temporal cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The predicted time.
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

/// Why sweeps of the field beyond its faces, read once from where the boundaries say, would not do for sweeps with
/// these boundaries and this accuracy; empty if they do.
std::string extension_unsupported_reason(Problem const& problem);

/// Kernels with what the device brings of its own.
LineTuning tuned(LineTuning kernel, ValueType type, DeviceModel const& device);
StripTuning tuned(StripTuning kernel, ValueType type, DeviceModel const& device);
SpaceTuning tuned(SpaceTuning kernel, ValueType type, DeviceModel const& device);
TileTuning tuned(TileTuning kernel, Problem const& problem, DeviceModel const& device);

/// The kernels for a problem, of several the first ones first.
struct Kernels {
  LineTuning const* line = nullptr;
  std::vector<StripTuning const*> strips;
  std::vector<SpaceTuning const*> space;
  TileTuning const* tiles = nullptr;  ///< where there are no others
  std::string unsupported_reason;     ///< if there is none

  explicit operator bool() const { return line != nullptr || !strips.empty() || !space.empty() || tiles != nullptr; }
};

/// Those that a GPU can run.
Kernels find_kernels(Problem const& problem, DeviceModel const& device);

/// A pass over the field: some sweeps by one launch of a kernel. A single sweep without one is cuda_direct's.
struct Pass {
  int depth      = 1;
  double seconds = 0.0;
  std::variant<std::monostate, LineTuning const*, StripTuning const*, SpaceTuning const*, TileTuning const*> kernel;
};

/// Ends of a row beyond which no whole vector of so many values is read, because of the boundary or where the row ends.
int ends_apart(Problem const& problem, int vector_values);

/// The GPU that is there.
struct Gpu {
  Cuda::DeviceFacts facts;
  DeviceModel model;  ///< Cuda::launch_model
};

/// The passes there are for a problem on a GPU, and how a number of sweeps is cut into them.
class PassPlan {
 public:
  /// Single: seconds of a sweep by cuda_direct; cost: what those of single sweeps are multiplied by.
  PassPlan(Problem const& problem, Kernels const& kernels, Gpu const& gpu, double single, double cost);

  /// The number of the pass on which `steps` sweeps begin.
  std::size_t next(std::int64_t steps) const;

  /// One of each depth, the deepest first.
  std::vector<Pass> const& passes() const { return m_passes; }

 private:
  void add_fused(Problem const& problem, Kernels const& kernels, Gpu const& gpu);

  std::vector<Pass> m_passes;
  Cuda::Passes m_cut{{{1, 0.0}}};
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
