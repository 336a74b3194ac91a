// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "skeleton/Kernel.hpp"

#include "common/Work.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Which problems the kernels run, how, and how long it takes. Plain C++: kokkosstencil_explain asks as well.

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

/// Why cuda_skeleton cannot run a problem; empty if it can.
std::string unsupported_reason(Problem const& problem, DeviceModel const& device);

/// The predicted time.
std::vector<Estimate> cost(Problem const& problem, DeviceModel const& device);

using Work = Cuda::Work<Args>;

/// How a problem maps to a kernel; everything that does not depend on the pointers.
class Plan {
 public:
  /// Chooses a kernel; unsupported_reason() says why none fits.
  Plan(Problem const& problem, DeviceModel const& device);

  std::string const& unsupported_reason() const { return m_reason; }

  /// Index into the table of Tuning.hpp.
  std::size_t kernel() const { return m_kernel; }

  /// The launch for these pointers.
  Work work(void const* in, void* out) const;

 private:
  std::string choose(Problem const& problem, DeviceModel const& device);

  Problem m_problem;
  std::size_t m_kernel = 0;
  std::string m_reason;
};

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
