// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/Executable.hpp"

#include "common/Check.hpp"
#include "common/KernelTime.hpp"
#include "common/TensorPlan.hpp"

#include <algorithm>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

void launch(Plan const& plan, bool bfloat, Work const& work, void* stream) {
  KernelTuning const& kernel = plan.kernel();
  auto const index           = static_cast<std::size_t>(&kernel - kernels);
#ifndef KOKKOSSTENCIL_CUDA_WITHOUT_WGMMA
  if (kernel.algorithm == Algorithm::wgmma) return launch_wgmma(index, bfloat, work.args, work.blocks, stream);
#endif
  (bfloat ? launch_bfloat : launch_half)(index, work.args, work.blocks, stream);
}

Operands::Operands(Plan const& plan, std::vector<PlainTerm> const& terms, int device, Launch const& launch) {
  Plan::Operands const operands = plan.operands();
  auto const fill               = [&](DeviceBuffer& buffer, auto const& from) {
    buffer.fill(device, from.data(), from.size() * sizeof(from[0]), launch.stream);
  };
  fill(m_matrices, operands.matrices);
  fill(m_metadata, operands.metadata);
  fill(m_terms, terms);
}

void Operands::give(Args& args) const {
  args.matrices = m_matrices.data();
  args.metadata = static_cast<std::uint32_t const*>(m_metadata.data());
  args.terms    = static_cast<PlainTerm const*>(m_terms.data());
}

Pass::Pass(Problem const& p, int depth, std::vector<Transform::FusedTerm> const& fused, SpaceInfo const& space,
           Launch const& launch)
    : m_depth(depth),
      m_reach{Cuda::reach_of(p, 1), Cuda::reach_of(p, 2)},
      m_bfloat(p.value_type == ValueType::bfloat16),
      m_rounded(Transform::round_terms(fused, element_of(p.value_type))),
      m_plan(composed_problem(p, depth, m_rounded.terms), launch_model(space.device), true) {
  if (!*this) return;
  std::vector<PlainTerm> plain;
  for (Term const& t : p.terms) {
    plain.push_back({t.offset[1] * patch_pitch(depth, m_reach[1]) + t.offset[2], static_cast<float>(t.coefficient)});
  }
  m_operands = std::make_unique<Operands>(m_plan, plain, space.device, launch);
  m_boundary = std::make_unique<FusedBoundary>(p, space, depth, m_reach, m_plan.kernel().leaves_registers());
  m_terms    = static_cast<std::int32_t>(p.terms.size());
}

Pass::operator bool() const {
  return static_cast<bool>(m_plan) && (m_reach[0] > 0 || m_depth * m_reach[1] <= line_reach);
}

bool Pass::run(Launch const& launch, void const* in, void* out) const {
  Work work = m_plan.work(in, out);
  if (work.blocks == 0) return false;
  ToolsRegion const region(launch);
  work.args.unscale    = static_cast<float>(m_rounded.unscale);
  work.args.sweeps     = m_depth;
  work.args.reach_y    = m_reach[0];
  work.args.reach_x    = m_reach[1];
  work.args.term_count = m_terms;
  m_operands->give(work.args);
  SparseTensor::launch(m_plan, m_bfloat, work, launch.stream);
  check_launch(launch.label);
  m_boundary->run(launch, in, out, work.done);
  return true;
}

SparseTensorExecutable::SparseTensorExecutable(Problem const& p, SpaceInfo const& space, Launch const& launch)
    : InteriorExecutable(p, space, launch),
      m_device(space.device),
      m_bfloat(p.value_type == ValueType::bfloat16),
      m_plan(p, launch_model(space.device)),
      m_operands(m_plan, m_plan.terms(), space.device, launch) {
  if (p.depth == 1) return;
  std::vector<int> wanted = depths(p);
  int const deepest       = p.depth > 0 ? p.depth : wanted.back();
  while (wanted.back() > deepest) wanted.pop_back();
  auto const fused = Transform::fused_terms(p.terms, wanted.back());
  std::vector<int> there{1};
  for (int const depth : wanted) {
    if (depth == 1) continue;
    auto pass = std::make_unique<Pass>(p, depth, fused[static_cast<std::size_t>(depth - 1)], space, launch);
    if (!*pass) continue;
    m_passes.push_back(std::move(pass));
    there.push_back(depth);
  }
  m_order = Cuda::Passes(pass_seconds(p, device_model(space.device), there));
}

std::int64_t SparseTensorExecutable::pass(Launch const& launch, void const* in, void* out, std::int64_t steps) const {
  int const depth  = m_order.next(steps);
  auto const named = [&](auto const& p) { return p->depth() == depth; };
  auto const fused = std::find_if(m_passes.begin(), m_passes.end(), named);
  if (fused == m_passes.end()) return Executable::pass(launch, in, out, 1);
  CurrentDevice const current(m_device);
  return (*fused)->run(launch, in, out) ? depth : Executable::pass(launch, in, out, 1);
}

PointBox SparseTensorExecutable::launch_interior(void const* in, void* out, cudaStream_t stream) const {
  Work work = m_plan.work(in, out);
  if (work.blocks == 0) return work.done;
  m_operands.give(work.args);
  launch(m_plan, m_bfloat, work, stream);
  return work.done;
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
