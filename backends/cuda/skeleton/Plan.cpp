// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "skeleton/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/PlanePlan.hpp"

#include <algorithm>
#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace Skeleton {

namespace {

/// The kernel for the problem's shape; their number if there is none.
std::size_t find_kernel(Problem const& p) {
  Cuda::Shape const s = Cuda::shape_of(p);
  auto const fits     = [&](KernelTuning const& k) { return s.star && s.rank == 2 && s.radius == k.radius; };
  return static_cast<std::size_t>(std::find_if(std::begin(kernels), std::end(kernels), fits) - std::begin(kernels));
}

}  // namespace

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return Plan(p, device).unsupported_reason();
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  KernelTuning const& t = kernels[std::min(find_kernel(p), std::size(kernels) - 1)];
  Cuda::Kernel k        = Cuda::one_sweep(p);
  auto const name       = [&] { return "cuda_skeleton/" + Cuda::shape_name(Cuda::shape_of(p)) + "/efficiency"; };
  use_efficiency(k, device, tuned(device, t.efficiency, name));
  Cuda::add_boundary(k, p, device, 2 * t.radius + 1, 1);
  return {Cuda::finish(k, p, device)};
}

Plan::Plan(Problem const& problem, DeviceModel const& device) {
  m_reason = choose(problem, device);
  if (!m_reason.empty()) return;
  m_problem = problem;
  if (work(nullptr, nullptr).blocks == 0) m_reason = "no point has its whole window inside";
}

std::string Plan::choose(Problem const& p, DeviceModel const& device) {
  if (std::string const no = Cuda::no_cuda(p, device); !no.empty()) return no;
  if (p.value_type != ValueType::float32) return std::string("sweeps float, not ") + to_string(p.value_type);
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) return "the fastest axis is not contiguous";
  m_kernel = find_kernel(p);
  return m_kernel < std::size(kernels) ? "" : "has no kernel for this shape";
}

Work Plan::work(void const* in, void* out) const {
  KernelTuning const& t = kernels[m_kernel];
  Work w;
  w.done = interior(m_problem);
  if (w.done.empty()) return w;
  Args& a = w.args;
  a.in    = static_cast<float const*>(in);
  a.out   = static_cast<float*>(out);
  a.in_y  = m_problem.in_stride[1];
  a.in_z  = m_problem.in_stride[0];
  a.out_y = m_problem.out_stride[1];
  a.out_z = m_problem.out_stride[0];
  std::copy(w.done.begin.begin(), w.done.begin.end(), a.begin);
  std::copy(w.done.end.begin(), w.done.end.end(), a.end);
  // The terms of a problem are in canonical order.
  for (std::size_t i = 0; i < m_problem.terms.size(); ++i) {
    a.coefficients[i] = static_cast<float>(m_problem.terms[i].coefficient);
  }
  std::int64_t const tiles_x = divide_up(a.end[2] - a.begin[2], t.columns);
  std::int64_t const tiles_y = divide_up(a.end[1] - a.begin[1], t.rows);
  std::int64_t const planes  = a.end[0] - a.begin[0];
  if (tiles_x > most_blocks / tiles_y / planes) return {};
  a.tiles_x = static_cast<std::uint32_t>(tiles_x);
  a.tiles_y = static_cast<std::uint32_t>(tiles_y);
  w.blocks  = static_cast<unsigned>(tiles_x * tiles_y * planes);
  return w;
}

}  // namespace Skeleton
}  // namespace Cuda
}  // namespace KokkosStencil
