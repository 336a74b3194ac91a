// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "FusedBoundaryKernel.hpp"

#include <KokkosStencil_Backend.hpp>

#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Computes the points that a kernel for several sweeps as one leaves: those near faces and near the ends of the range.
/// Sweep by sweep in shared memory, with every boundary rule. For planes and lines.
class FusedBoundary {
 public:
  /// `reach` of one sweep along y and x, at most fused_reach. `beside_wgmma`: the kernel ahead
  /// is one that leaves registers.
  FusedBoundary(Problem const& problem, SpaceInfo const& space, int sweeps, int const (&reach)[2], bool beside_wgmma);

  /// Enqueues the points of the problem's range that are not in `done`, which lies inside it, in at most one kernel. It
  /// may begin before the kernel ahead of it has ended.
  void run(Launch const& launch, void const* in, void* out, PointBox const& done) const;

 private:
  /// Whether the kernel for bands does these boxes.
  bool are_bands(std::vector<PointBox> const& boxes) const;
  void add_band(FusedBoundaryArgs& args, PointBox const& box) const;
  void add_tiles(FusedBoundaryArgs& args, PointBox const& box) const;
  template <class T>
  void launch(FusedBoundaryArgs const& args, bool bands, Launch const& launch, void const* in, void* out) const;

  FusedBoundaryArgs m_args{};
  int m_reach;  ///< the larger one
  int m_multiprocessors;
  bool m_overlap;
  bool m_bands;  ///< whether boxes may be bands
  PointBox m_range;
  ValueType m_type;
};

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
