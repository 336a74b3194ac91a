// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TensorTable.hpp"

#include "common/Device.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/Fragments.hpp>

#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

/// The part of a range that the kernel computes, as it is told to it.
struct Work {
  TensorArgs args{};
  PointBox done{};
  unsigned blocks = 0;  ///< 0: nothing
};

/// The matrices in the order of the kernel, [part][piece][step][lane][4], and their metadata.
struct Operand {
  std::vector<std::uint32_t> a;
  Transform::LaneWords metadata;
};

/// How a problem maps to a kernel; everything that does not depend on the pointers.
class TensorPlan {
 public:
  /// Chooses a kernel; reason() says why none fits. `sparse`: whatever is fastest, else the dense twin of mma.sp.
  /// `several`: the stencil stands for several sweeps, which a kernel has to know of to mend non-finite results.
  TensorPlan(Problem const& problem, DeviceFacts const& device, bool sparse = true, bool several = false);

  std::string const& reason() const { return m_reason; }
  explicit operator bool() const { return m_kernel != nullptr; }

  Kernel const& kernel() const { return *m_kernel; }
  Operand operand() const;
  std::vector<PlainTerm> terms() const;

  /// The work for one pair of pointers; nothing if they do not share an alignment.
  Work work(void const* in, void* out) const;

 private:
  void choose();
  Kernel const* find(int loads, int rows, bool cross) const;
  Kernel const* find_wide(int rows) const;
  Work line(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  Work plane(Work work, std::int64_t in_phase, std::int64_t out_phase) const;
  bool cut(Work& work, std::int64_t rows) const;
  bool cut_wide(Work& work, std::int64_t rows) const;

  Problem m_problem;
  DeviceFacts m_device;
  bool m_sparse, m_several;
  std::string m_reason;
  int m_parts            = 1;  ///< matrices of a row: 2 with hi and lo
  Kernel const* m_kernel = nullptr;
  std::vector<int> m_shifts;  ///< of the loads of a 1-D kernel
};

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
