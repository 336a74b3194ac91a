// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "FloatTable.hpp"

#include <KokkosStencil_Backend.hpp>

#include <string>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

/// The part of a range that the kernel computes, as it is told to it.
struct Work {
  FloatArgs args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

/// How a problem maps to a kernel; everything that does not depend on the pointers.
class FloatPlan {
 public:
  /// Chooses a kernel; reason() says why none fits.
  FloatPlan(Problem const& problem, int sm_count);

  std::string const& reason() const { return m_reason; }
  explicit operator bool() const { return m_reason.empty(); }

  Kernel const& kernel() const { return m_kernel; }

  /// As FloatArgs wants them.
  struct Operands {
    std::vector<std::uint32_t> matrices, metadata;
  };
  Operands operands() const;

  Work work(void const* in, void* out) const;

 private:
  std::string choose(Problem const& problem);

  Problem m_problem;
  int m_sm_count;
  Kernel m_kernel{};
  int m_scale_log2 = 0;
  float m_least    = 0.0f;
  std::string m_reason;
};

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
