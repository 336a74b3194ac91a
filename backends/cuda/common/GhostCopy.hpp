// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// Copies the points outside the range of an iteration from one of its Views to the other, in one launch. Whole sectors
/// of memory are written, hence some points of the range, too: the first sweep overwrites those.
class GhostCopy {
 public:
  GhostCopy(Problem const& problem, int device);

  void copy(Launch const& launch, void const* from, void* to, bool to_second) const;

 private:
  Problem m_problem;
  int m_device;
  std::vector<PointBox> m_boxes;
};

}  // namespace Cuda
}  // namespace KokkosStencil
