// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_tensor/FusedBoundary.hpp"
#include "sparse_tensor/Plan.hpp"

#include "common/Device.hpp"
#include "common/InteriorExecutable.hpp"
#include "common/Passes.hpp"

#include <transform/Fused.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Launches the kernel of a plan on a cudaStream_t.
void launch(Plan const& plan, bool bfloat, Work const& work, void* stream);

/// The operands of a plan in device memory.
class Operands {
 public:
  Operands(Plan const& plan, std::vector<PlainTerm> const& terms, int device, Launch const& launch);

  /// Fills in where they are, in the arguments of a launch.
  void give(Args& args) const;

 private:
  DeviceBuffer m_matrices, m_metadata, m_terms;
};

/// Several sweeps as one: a plan for the composed stencil, and FusedBoundary for the points near faces.
class Pass {
 public:
  Pass(Problem const& problem, int depth, std::vector<Transform::FusedTerm> const& fused, SpaceInfo const& space,
       Launch const& launch);

  /// Whether there is a kernel for it.
  explicit operator bool() const;
  int depth() const { return m_depth; }

  /// Returns false, and does nothing, if the kernel cannot run with these pointers.
  bool run(Launch const& launch, void const* in, void* out) const;

 private:
  int m_depth;
  int m_reach[2];
  std::int32_t m_terms = 0;
  bool m_bfloat;
  Transform::RoundedTerms m_rounded;
  Plan m_plan;
  std::unique_ptr<Operands> m_operands;
  std::unique_ptr<FusedBoundary> m_boundary;
};

/// A sweep: the interior by a kernel of the table, the rest by the plain formula. Several sweeps: passes of composed
/// stencils, then the sweeps that are left over, one by one.
class SparseTensorExecutable : public InteriorExecutable {
 public:
  SparseTensorExecutable(Problem const& problem, SpaceInfo const& space, Launch const& launch);

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override;

 private:
  PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override;

  int m_device;
  bool m_bfloat;
  Plan m_plan;
  Operands m_operands;
  std::vector<std::unique_ptr<Pass>> m_passes;
  Cuda::Passes m_order{{{1, 1.0}}};
};

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
