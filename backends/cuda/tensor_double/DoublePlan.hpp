// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "DoubleTable.hpp"

#include <KokkosStencil_Backend.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

/// The part of a range that the kernel computes, as it is told to it.
struct Work {
  DoubleArgs args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

/// How a problem maps to a kernel; everything that does not depend on the pointers.
class DoublePlan {
 public:
  /// Chooses a kernel; reason() says why none fits.
  DoublePlan(Problem const& problem, int sm_count, int shared_bytes);

  std::string const& reason() const { return m_reason; }
  explicit operator bool() const { return m_reason.empty(); }

  Kernel const& kernel() const { return m_kernel; }
  /// The band matrices: [kernel row][step][lane][2].
  std::vector<double> bands() const;

  Work work(void const* in, void* out) const;

 private:
  std::string choose(Problem const& problem);

  Problem m_problem;
  int m_sm_count, m_shared_bytes;
  Kernel m_kernel{};
  std::string m_reason;
};

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
