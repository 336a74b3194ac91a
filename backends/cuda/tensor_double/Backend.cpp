// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoublePlan.hpp"

#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "common/BoundaryKernel.hpp"
#include "common/PlanePlan.hpp"

#include <KokkosStencil_Backend.hpp>

// Double on dense tensor cores: the interior by products of matrices, what is left by the plain formula.

namespace KokkosStencil {
namespace CudaTensorDouble {

namespace {

using Cuda::TensorDouble::DoublePlan;

DoublePlan plan_for(Problem const& p, int device) {
  Cuda::DeviceFacts const& facts = Cuda::device_facts(device);
  return DoublePlan(p, facts.sm_count, facts.shared_bytes_per_block);
}

class TensorDoubleExecutable : public Executable {
 public:
  TensorDoubleExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_plan(plan_for(p, space.device)), m_strips(p, space, launch) {
    auto const bands = m_plan.bands();
    m_bands.fill(m_device, bands.data(), bands.size() * sizeof(bands[0]), launch.stream);
    auto const terms = Cuda::plane_terms<double>(p);
    m_terms.fill(m_device, terms.data(), terms.size() * sizeof(terms[0]), launch.stream);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    Cuda::TensorDouble::Work work = m_plan.work(in, out);
    if (work.blocks > 0) {
      work.args.b     = static_cast<double2 const*>(m_bands.data());
      work.args.terms = static_cast<Cuda::PlaneTerm<double> const*>(m_terms.data());
      m_plan.kernel().launch(work.args, work.blocks, static_cast<cudaStream_t>(launch.stream));
      Cuda::check_launch(launch.label);
    }
    m_strips.run(launch, in, out, work.done);
  }

 private:
  int m_device;
  DoublePlan m_plan;
  Cuda::BoundaryKernel m_strips;
  Cuda::DeviceBuffer m_bands, m_terms;
};

class TensorDoubleBackend : public Backend {
 public:
  std::string name() const override { return "cuda_tensor_double"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    Status const device = Cuda::supported(space);
    if (!device) return device;
    if (Cuda::device_model(space.device).double_tensor <= 0.0) {
      return Status::cannot("the GPU has no matrix products in double");
    }
    DoublePlan const plan = plan_for(p, space.device);
    return plan ? Status::can() : Status::cannot(plan.reason());
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::tensor_double(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<TensorDoubleExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TensorDoubleBackend const>(); }

}  // namespace CudaTensorDouble
}  // namespace KokkosStencil
