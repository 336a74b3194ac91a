// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "tensor_double/Kernel.hpp"
#include "tensor_double/Tuning.hpp"
#include "common/PlanePlan.hpp"
#include "common/Work.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <string>
#include <vector>

// Double on dense tensor cores: which problems the kernels run, how, and how long it takes.

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

/// Why cuda_tensor_double cannot run a problem; empty if it can.
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
  bool anywhere() const { return reads_anywhere(m_problem); }

  /// The band matrices, in the form that Args describes.
  std::vector<double> bands() const;

  /// The launch for these pointers, without the operands.
  Work work(void const* in, void* out) const;

 private:
  std::string choose(Problem const& problem, DeviceModel const& device);
  KernelTuning const& tuning() const { return kernels[m_kernel]; }

  Problem m_problem;
  std::size_t m_kernel = 0;
  std::int64_t m_slots = 0;  ///< blocks that run at once
  std::string m_reason;
};

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
