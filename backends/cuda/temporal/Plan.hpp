// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TilePlan.hpp"
#include "common/Device.hpp"
#include "common/Padding.hpp"
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

/// The kernel for the first and the last pass between Views whose rows begin anywhere and padded copies; null if there
/// is none for the problem. The ends of rows have to be halo faces, whose columns lie one behind the other in memory,
/// and no face may read constants.
SpaceTuning const* find_end(Problem const& problem, DeviceModel const& device);
/// The predicted time of all sweeps that begin and end with it.
EndPasses ends(Problem const& problem, DeviceModel const& device);

/// Most kernels read the points beyond faces once a pass, from where the boundaries say, and sweep them like all
/// others. Says why that does not give the results of single sweeps with these boundaries and this accuracy; empty if
/// it does.
std::string extension_unsupported_reason(Problem const& problem);

/// The coefficients as kernels take them: of all terms of their shape, in canonical order, 0 where the stencil has
/// none.
std::vector<double> kernel_coefficients(Problem const& problem);

/// Kernels with the numbers of the device, where it was calibrated.
LineTuning tuned(LineTuning kernel, ValueType type, DeviceModel const& device);
StripTuning tuned(StripTuning kernel, ValueType type, DeviceModel const& device);
PatchTuning tuned(PatchTuning kernel, ValueType type, DeviceModel const& device);
BrickTuning tuned(BrickTuning kernel, ValueType type, DeviceModel const& device);
SpaceTuning tuned(SpaceTuning kernel, ValueType type, DeviceModel const& device);
TileTuning tuned(TileTuning kernel, Problem const& problem, DeviceModel const& device);

/// The kernels for a problem, in the order of Tuning.hpp.
struct Kernels {
  LineTuning const* line = nullptr;
  std::vector<StripTuning const*> strips;
  std::vector<PatchTuning const*> patches;
  std::vector<SpaceTuning const*> space;
  std::vector<BrickTuning const*> bricks;  ///< only beside `space`
  TileTuning const* tiles = nullptr;       ///< only where there are no others
  std::string unsupported_reason;          ///< if there is no kernel

  explicit operator bool() const {
    return line != nullptr || !strips.empty() || !patches.empty() || !space.empty() || tiles != nullptr;
  }
};

/// Finds those that a GPU can run.
Kernels find_kernels(Problem const& problem, DeviceModel const& device);

/// A pass over the field: some sweeps by one launch of a kernel. A single sweep without a kernel is left to
/// cuda_direct.
struct Pass {
  int depth      = 1;
  double seconds = 0.0;
  std::variant<std::monostate, LineTuning const*, StripTuning const*, PatchTuning const*, BrickTuning const*,
               SpaceTuning const*, TileTuning const*>
      kernel;
};

/// At how many of the two ends of a row (0 to 2) vectors of so many values are not read whole, because of the boundary
/// or because the row does not end with a whole vector.
int ends_apart(Problem const& problem, int vector_values);

/// The GPU that is there.
struct Gpu {
  Cuda::DeviceFacts facts;
  DeviceModel model;  ///< Cuda::launch_model
};

/// The passes there are for a problem on a GPU, and how a number of sweeps is cut into them.
class PassPlan {
 public:
  /// `single`: seconds of a sweep by cuda_direct; `cost`: factor on the seconds of all single sweeps.
  PassPlan(Problem const& problem, Kernels const& kernels, Gpu const& gpu, double single, double cost);

  /// The index of the pass to begin with when `steps` sweeps are left.
  std::size_t next(std::int64_t steps) const;

  /// A pass of each depth there is, the deepest first.
  std::vector<Pass> const& passes() const { return m_passes; }

 private:
  void add_fused(Problem const& problem, Kernels const& kernels, Gpu const& gpu);

  std::vector<Pass> m_passes;
  Cuda::Passes m_cut{{{1, 0.0}}};
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
