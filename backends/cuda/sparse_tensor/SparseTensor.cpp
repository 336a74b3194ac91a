// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorPlan.hpp"

#include "Check.hpp"
#include "CudaModel.hpp"
#include "Device.hpp"
#include "FaceStrips.hpp"

#include <KokkosStencil_Backend.hpp>

#include <algorithm>

// Sparse tensor cores: the interior by mma.sp, what is left by the plain formula.

namespace KokkosStencil {
namespace CudaSparseTensor {

namespace {

using Cuda::Tensor::TensorPlan;

class SparseTensorExecutable : public Executable {
 public:
  SparseTensorExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
      : m_device(space.device), m_plan(p, Cuda::device_facts(space.device).sm_count), m_strips(p, space, launch) {
    auto const matrices = m_plan.matrices();
    auto const terms    = m_plan.terms();
    m_matrices.fill(m_device, matrices.data(), matrices.size() * sizeof(matrices[0]), launch.stream);
    m_metadata.fill(m_device, m_plan.pack().metadata.data(), sizeof(m_plan.pack().metadata), launch.stream);
    m_terms.fill(m_device, terms.data(), terms.size() * sizeof(terms[0]), launch.stream);
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    Cuda::Tensor::Work work = m_plan.work(in, out);
    if (work.blocks > 0) {
      work.args.a        = static_cast<uint4 const*>(m_matrices.data());
      work.args.metadata = static_cast<std::uint32_t const*>(m_metadata.data());
      work.args.terms    = static_cast<Cuda::Tensor::PlainTerm const*>(m_terms.data());
      m_plan.kernel().launch(m_plan.kernel(), work.args, work.blocks, static_cast<cudaStream_t>(launch.stream));
      Cuda::check_launch(launch.label);
    }
    m_strips.run(launch, in, out, work.done);
  }

 private:
  int m_device;
  TensorPlan m_plan;
  Cuda::FaceStrips m_strips;
  Cuda::DeviceBuffer m_matrices, m_metadata, m_terms;
};

class SparseTensorBackend : public Backend {
 public:
  std::string name() const override { return "cuda_sparse_tensor"; }

  Verdict can_run(Problem const& p, SpaceInfo const& space) const override {
    Verdict const device = Cuda::supported(space);
    if (!device) return device;
    TensorPlan const plan(p, Cuda::device_facts(space.device).sm_count);
    return plan ? Verdict::can() : Verdict::cannot(plan.reason());
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    return CudaModel::sparse_tensor(p, Cuda::device_model(space.device));
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<SparseTensorExecutable>(p, space, launch);
  }
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<SparseTensorBackend const>(); }

}  // namespace CudaSparseTensor
}  // namespace KokkosStencil
