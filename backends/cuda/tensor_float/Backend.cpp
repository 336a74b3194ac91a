// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_float/Plan.hpp"

#include "common/FamilyBackend.hpp"
#include "common/InteriorExecutable.hpp"
#include "common/PlanePlan.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

namespace {

class FloatExecutable : public InteriorExecutable {
 public:
  FloatExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : InteriorExecutable(p, space, launch), m_plan(p, launch_model(space.device)) {
    Plan::Operands const operands = m_plan.operands();
    upload(m_matrices, operands.matrices, launch);
    upload(m_metadata, operands.metadata, launch);
    upload(m_terms, plane_terms<float>(p), launch);
  }

 private:
  PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override {
    Work work = m_plan.work(in, out);
    if (work.blocks == 0) return work.done;
    work.args.matrices = m_matrices.data();
    work.args.metadata = static_cast<std::uint32_t const*>(m_metadata.data());
    work.args.terms    = static_cast<PlaneTerm<float> const*>(m_terms.data());
    launch(m_plan.kernel(), m_plan.anywhere(), work.args, work.blocks, stream);
    return work.done;
  }

  Plan m_plan;
  DeviceBuffer m_matrices, m_metadata, m_terms;
};

class FloatBackend : public FamilyBackend {
 public:
  FloatBackend() : FamilyBackend("cuda_tensor_float", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<FloatExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<FloatBackend const>(); }

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
