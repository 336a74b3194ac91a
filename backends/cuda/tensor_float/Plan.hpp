// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "tensor_float/Kernel.hpp"
#include "tensor_float/Tuning.hpp"
#include "common/PlanePlan.hpp"
#include "common/Work.hpp"

#include <KokkosStencil_Backend.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Float on sparse tensor cores: which problems the kernels run, how, and how long it takes.

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

/// Why cuda_tensor_float cannot run a problem; empty if it can.
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

  struct Operands {
    std::vector<std::uint32_t> matrices, metadata;
  };
  /// The operands, in the form that Args describes.
  Operands operands() const;

  /// The launch for these pointers, without the operands.
  Work work(void const* in, void* out) const;

 private:
  std::string choose(Problem const& problem, DeviceModel const& device);
  KernelTuning const& tuning() const { return kernels[m_kernel]; }

  Problem m_problem;
  int m_multiprocessors;
  std::size_t m_kernel = 0;
  int m_scale_log2     = 0;
  float m_least        = 0.0f;
  std::string m_reason;
};

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
