// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StepStrips.hpp"
#include "TensorPlan.hpp"

#include "common/Check.hpp"
#include "common/CudaModel.hpp"
#include "common/Device.hpp"
#include "common/BoundaryKernel.hpp"
#include "common/Passes.hpp"

#include <KokkosStencil_Backend.hpp>
#include <transform/Fused.hpp>

#include <algorithm>
#include <utility>

// Tensor cores: the interior by mma.sp or its dense twin, what is left by the plain formula. Several sweeps go in one
// pass as a composed stencil (mma.sp only), and what is left of that sweep by sweep.

namespace KokkosStencil {
namespace CudaSparseTensor {

namespace {

using Cuda::Tensor::PlainTerm;
using Cuda::Tensor::TensorPlan;
using Cuda::Tensor::Work;

template <class T>
void fill(Cuda::DeviceBuffer& buffer, std::vector<T> const& from, int device, Launch const& launch) {
  buffer.fill(device, from.data(), from.size() * sizeof(T), launch.stream);
}

/// A plan with its operands in device memory.
class Operands {
 public:
  Operands(TensorPlan const& plan, std::vector<PlainTerm> const& terms, int device, Launch const& launch) {
    Cuda::Tensor::Operand const operand = plan.operand();
    fill(m_matrices, operand.a, device, launch);
    fill(m_terms, terms, device, launch);
    m_metadata.fill(device, operand.metadata.data(), sizeof operand.metadata, launch.stream);
  }

  void run(Launch const& launch, TensorPlan const& plan, Work& work) const {
    if (work.blocks == 0) return;
    work.args.a        = static_cast<uint4 const*>(m_matrices.data());
    work.args.metadata = static_cast<std::uint32_t const*>(m_metadata.data());
    work.args.terms    = static_cast<PlainTerm const*>(m_terms.data());
    plan.kernel().launch(plan.kernel(), work.args, work.blocks, static_cast<cudaStream_t>(launch.stream));
    Cuda::check_launch(launch.label);
  }

 private:
  Cuda::DeviceBuffer m_matrices, m_metadata, m_terms;
};

/// Several sweeps as one.
class Pass {
 public:
  Pass(Problem const& p, int depth, std::vector<Transform::FusedTerm> const& fused, SpaceInfo const& space,
       Launch const& launch)
      : m_depth(depth),
        m_reach{CudaModel::reach_of(p, 1), CudaModel::reach_of(p, 2)},
        m_rounded(Transform::round_terms(
            fused, p.value_type == ValueType::float16 ? Transform::Element::half : Transform::Element::bfloat)),
        m_plan(composed(p), Cuda::device_facts(space.device), true, true) {
    if (!*this) return;
    std::vector<PlainTerm> plain;
    for (Impl::Term const& t : p.terms) {
      plain.push_back({t.offset[1] * Cuda::Tensor::patch_pitch(depth, m_reach[1]) + t.offset[2],
                       static_cast<float>(t.coefficient)});
    }
    m_operands = std::make_unique<Operands>(m_plan, plain, space.device, launch);
    m_strips   = std::make_unique<Cuda::Tensor::StepStrips>(p, space, depth, m_reach);
    m_terms    = static_cast<std::int32_t>(p.terms.size());
  }

  int depth() const { return m_depth; }
  explicit operator bool() const {
    return static_cast<bool>(m_plan) && (m_reach[0] > 0 || m_depth * m_reach[1] <= Cuda::Tensor::line_reach);
  }

  /// False, and nothing done, if the pointers do not suit.
  bool run(Launch const& launch, void const* in, void* out) const {
    Work work = m_plan.work(in, out);
    if (work.blocks == 0) return false;
    ToolsRegion const region(launch);
    work.args.unscale    = static_cast<float>(m_rounded.unscale);
    work.args.sweeps     = m_depth;
    work.args.reach_y    = m_reach[0];
    work.args.reach_x    = m_reach[1];
    work.args.term_count = m_terms;
    m_operands->run(launch, m_plan, work);
    m_strips->run(launch, in, out, work.done);
    return true;
  }

 private:
  /// The stencil of all sweeps, on the points whose neighbours change in all sweeps but the last.
  Problem composed(Problem p) const {
    p.terms = m_rounded.terms;
    for (std::size_t a = 1; a < 3; ++a) {
      int const reach = m_reach[a - 1];
      if (p.faces[a][0].kind != BoundaryKind::periodic || p.begin[a] != 0 || p.end[a] != p.extent[a]) {
        p.begin[a] += (m_depth - 1) * reach;
        p.end[a] -= (m_depth - 1) * reach;
      }
      p.lower[a] = -m_depth * reach;
      p.upper[a] = m_depth * reach;
    }
    return p;
  }

  int m_depth;
  int m_reach[2];
  std::int32_t m_terms = 0;
  Transform::RoundedTerms m_rounded;
  TensorPlan m_plan;
  std::unique_ptr<Operands> m_operands;
  std::unique_ptr<Cuda::Tensor::StepStrips> m_strips;
};

class TensorExecutable : public Executable {
 public:
  TensorExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch, bool sparse)
      : m_device(space.device),
        m_plan(p, Cuda::device_facts(space.device), sparse),
        m_operands(m_plan, m_plan.terms(), space.device, launch),
        m_strips(p, space, launch) {
    if (p.depth == 1 || !sparse) return;
    std::vector<int> depths = CudaModel::sparse_depths(p);
    int const deepest       = p.depth > 0 ? p.depth : depths.back();
    while (depths.back() > deepest) depths.pop_back();
    auto const fused = Transform::fused_terms(p.terms, depths.back());
    std::vector<int> there{1};
    for (int const depth : depths) {
      if (depth == 1) continue;
      auto pass = std::make_unique<Pass>(p, depth, fused[static_cast<std::size_t>(depth - 1)], space, launch);
      if (!*pass) continue;
      m_passes.push_back(std::move(pass));
      there.push_back(depth);
    }
    m_order = CudaModel::Passes(CudaModel::sparse_passes(p, Cuda::device_model(space.device), there));
  }

  bool launches_raw() const override { return true; }

  void sweep(Launch const& launch, void const* in, void* out) const override {
    Cuda::CurrentDevice const current(m_device);
    Work work = m_plan.work(in, out);
    m_operands.run(launch, m_plan, work);
    m_strips.run(launch, in, out, work.done);
  }

  std::int64_t pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const override {
    int const depth  = m_order.next(steps);
    auto const named = [&](auto const& p) { return p->depth() == depth; };
    auto const fused = std::find_if(m_passes.begin(), m_passes.end(), named);
    if (fused == m_passes.end()) return Executable::pass(launch, in, out, 1);
    Cuda::CurrentDevice const current(m_device);
    return (*fused)->run(launch, in, out) ? depth : Executable::pass(launch, in, out, 1);
  }

 private:
  int m_device;
  TensorPlan m_plan;
  Operands m_operands;
  Cuda::BoundaryKernel m_strips;
  std::vector<std::unique_ptr<Pass>> m_passes;
  CudaModel::Passes m_order{{{1, 1.0}}};
};

class TensorBackend : public Backend {
 public:
  explicit TensorBackend(bool sparse) : m_sparse(sparse) {}

  std::string name() const override { return m_sparse ? "cuda_sparse_tensor" : "cuda_tensor"; }

  Status can_run(Problem const& p, SpaceInfo const& space) const override {
    Status const device = Cuda::supported(space);
    if (!device) return device;
    TensorPlan const plan(p, Cuda::device_facts(space.device), m_sparse);
    return plan ? Status::can() : Status::cannot(plan.reason());
  }

  double predict(Problem const& p, SpaceInfo const& space) const override {
    return estimates(p, space).front().seconds;
  }

  std::vector<Estimate> estimates(Problem const& p, SpaceInfo const& space) const override {
    DeviceModel const& device = Cuda::device_model(space.device);
    return m_sparse ? CudaModel::sparse_tensor(p, device) : CudaModel::tensor(p, device);
  }

  std::unique_ptr<Executable> prepare(Problem const& p, SpaceInfo const& space, Launch const& launch) const override {
    return std::make_unique<TensorExecutable>(p, space, launch, m_sparse);
  }

 private:
  bool m_sparse;
};

}  // namespace

std::unique_ptr<Backend const> make_backend() { return std::make_unique<TensorBackend const>(true); }

}  // namespace CudaSparseTensor

namespace CudaTensor {

std::unique_ptr<Backend const> make_backend() { return std::make_unique<CudaSparseTensor::TensorBackend const>(false); }

}  // namespace CudaTensor
}  // namespace KokkosStencil
