// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatPlan.hpp"

#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "common/BoundaryKernel.hpp"
#include "common/PlanePlan.hpp"

#include <KokkosStencil_Backend.hpp>

// Float on sparse tensor cores: the interior as products of halves, what is left by the plain formula.

namespace KokkosStencil {
namespace CudaTensorFloat {

namespace {

using Cuda::TensorFloat::FloatPlan;

class TensorFloatExecutable : public Executable {
 public:
  TensorFloatExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_plan(p, Cuda::device_facts(space.device).sm_count), m_strips(p, space, launch) {
    FloatPlan::Operands const o = m_plan.operands();
    m_matrices.fill(m_device, o.matrices.data(), o.matrices.size() * sizeof(o.matrices[0]), launch.stream);
    m_metadata.fill(m_device, o.metadata.data(), o.metadata.size() * sizeof(o.metadata[0]), launch.stream);
    auto const terms = Cuda::plane_terms<float>(p);
    m_terms.fill(m_device, terms.data(), terms.size() * sizeof(terms[0]), launch.stream);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    Cuda::TensorFloat::Work work = m_plan.work(in, out);
    if (work.blocks > 0) {
      work.args.a        = static_cast<uint4 const*>(m_matrices.data());
      work.args.metadata = static_cast<std::uint32_t const*>(m_metadata.data());
      work.args.terms    = static_cast<Cuda::PlaneTerm<float> const*>(m_terms.data());
      m_plan.kernel().launch(work.args, work.blocks, static_cast<cudaStream_t>(launch.stream));
      Cuda::check_launch(launch.label);
    }
    m_strips.run(launch, in, out, work.done);
  }

 private:
  int m_device;
  FloatPlan m_plan;
  Cuda::BoundaryKernel m_strips;
  Cuda::DeviceBuffer m_matrices, m_metadata, m_terms;
};

class TensorFloatBackend : public Backend {
 public:
  std::string name() const override { return "cuda_tensor_float"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    Status const device = Cuda::supported(space);
    if (!device) return device;
    FloatPlan const plan(p, Cuda::device_facts(space.device).sm_count);
    return plan ? Status::can() : Status::cannot(plan.reason());
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::tensor_float(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<TensorFloatExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TensorFloatBackend const>(); }

}  // namespace CudaTensorFloat
}  // namespace KokkosStencil
