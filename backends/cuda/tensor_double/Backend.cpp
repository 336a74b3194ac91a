// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_double/Plan.hpp"

#include "common/FamilyBackend.hpp"
#include "common/InteriorExecutable.hpp"
#include "common/PlanePlan.hpp"

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

namespace {

class DoubleExecutable : public InteriorExecutable {
 public:
  DoubleExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : InteriorExecutable(p, space, launch), m_plan(p, launch_model(space.device)) {
    upload(m_bands, m_plan.bands(), launch);
    upload(m_terms, plane_terms<double>(p), launch);
  }

 private:
  PointBox launch_interior(void const* in, void* out, cudaStream_t stream) const override {
    Work work = m_plan.work(in, out);
    if (work.blocks == 0) return work.done;
    work.args.bands = m_bands.data();
    work.args.terms = static_cast<PlaneTerm<double> const*>(m_terms.data());
    launch(m_plan.kernel(), m_plan.anywhere(), work.args, work.blocks, stream);
    return work.done;
  }

  Plan m_plan;
  DeviceBuffer m_bands, m_terms;
};

class DoubleBackend : public FamilyBackend {
 public:
  DoubleBackend() : FamilyBackend("cuda_tensor_double", unsupported_reason, cost) {}

  std::unique_ptr<Executable> make(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<DoubleExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<DoubleBackend const>(); }

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
