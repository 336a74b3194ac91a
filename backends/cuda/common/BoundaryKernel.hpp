// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "common/Device.hpp"
#include "common/BoundaryPoints.hpp"

#include <KokkosStencil_Backend.hpp>

namespace KokkosStencil {
namespace Cuda {

/// What a fast kernel leaves: points near faces, in columns it cannot reach, or all of them. The plain
/// formula with every boundary rule, in canonical order.
class BoundaryKernel {
 public:
  BoundaryKernel(Problem const& problem, SpaceInfo const& space, Launch const& launch);

  /// Points of the problem's range that are not in `done`, which must lie inside it, or be empty; if it is not, the
  /// kernel that does it must have been launched just before. Enqueues at most one kernel.
  void run(Launch const& launch, void const* in, void* out, PointBox const& done) const;

  /// What the boundary points are beside `done`, for a kernel that does them in blocks of its own of so many threads.
  BoundaryArgs arguments(PointBox const& done, int threads) const;

  /// Terms in device memory, as BoundaryTerm, for kernels that read a list.
  void const* terms() const { return m_terms.data(); }

 private:
  DeviceBuffer m_terms;
  BoundaryArgs m_args{};
  PointBox m_range;
  ValueType m_type;
  bool m_overlap;
};

}  // namespace Cuda
}  // namespace KokkosStencil
