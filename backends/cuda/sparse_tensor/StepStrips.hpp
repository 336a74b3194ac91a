// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "StepStripsKernel.hpp"

#include <KokkosStencil_Backend.hpp>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

/// What a kernel of several sweeps as one leaves: points near faces and near the ends of the range, sweep by sweep in
/// shared memory, with every boundary rule. For planes and lines.
class StepStrips {
 public:
  /// `reach` of one sweep along y and x, at most max_step_reach.
  StepStrips(Problem const& problem, SpaceInfo const& space, int sweeps, int const (&reach)[2]);

  /// Points of the problem's range that are not in `done`, which lies inside it; enqueues at most one kernel, which may
  /// run while the kernel before it ends.
  void run(Launch const& launch, void const* in, void* out, PointBox const& done) const;

 private:
  template <class T>
  void launch(StepArgs const& args, Launch const& launch, void const* in, void* out) const;

  StepArgs m_args{};
  int m_reach;  ///< the larger one
  int m_multiprocessors;
  bool m_overlap;
  PointBox m_range;
  ValueType m_type;
};

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
