// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Backend.hpp>

#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// Copies what lies outside the range of an iteration from one of its Views to the other: one launch. Sectors of memory
/// are written as a whole, with points of the range as well, which the first sweep overwrites.
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
