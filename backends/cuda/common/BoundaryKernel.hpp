// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "common/BoundaryPoints.hpp"

#include <KokkosStencil_Backend.hpp>

namespace KokkosStencil {
namespace Cuda {

/// Computes the points that a family's kernel leaves: those near faces, or in columns that are not aligned, or all. By
/// the plain formula with every boundary rule, in canonical order.
class BoundaryKernel {
 public:
  BoundaryKernel(Problem const& problem, SpaceInfo const& space, Launch const& launch);

  /// Enqueues the points of the problem's range that are not in `done`, in at most one kernel. `done` lies inside the
  /// range, or is empty; if it is not, the kernel that computes it must be the one launched just before.
  void run(Launch const& launch, void const* in, void* out, PointBox const& done, Update const& update = {}) const;

  /// The arguments for the same points, for a kernel that computes them itself, in blocks of so many threads: a thread
  /// a point.
  BoundaryArgs arguments(PointBox const& done, int threads) const { return arguments(done, threads, false); }

  /// Terms in device memory, as BoundaryTerm, for kernels that read a list.
  void const* terms() const { return m_terms.data(); }

 private:
  /// `choose`: where few points are left lanes share them, where many are warps compute parts of rows.
  BoundaryLaunchArgs arguments(PointBox const& done, int threads, bool choose) const;

  DeviceBuffer m_terms;
  BoundaryArgs m_args{};
  PointBox m_range;
  ValueType m_type;
  bool m_overlap;
};

}  // namespace Cuda
}  // namespace KokkosStencil
