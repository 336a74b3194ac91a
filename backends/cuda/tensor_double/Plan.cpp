// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_double/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/PlanePlan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

namespace {

int rows_of(Problem const& p) { return p.upper[1] - p.lower[1] + 1; }

/// The first kernel with enough rows and columns; their number if there is none.
std::size_t find_kernel(Problem const& p) {
  int const reach = Cuda::reach_of(p, 2);
  auto const fits = [&](KernelTuning const& k) { return k.rows >= rows_of(p) && k.reach() >= reach; };
  return static_cast<std::size_t>(std::find_if(std::begin(kernels), std::end(kernels), fits) - std::begin(kernels));
}

/// Blocks that run at once, by their registers and their shared memory.
std::int64_t slots(KernelTuning const& k, DeviceModel const& device) {
  int const shared_bytes = Cuda::shared_bytes_of(device.compute_capability);
  int const room         = Cuda::blocks_by_shared_memory(shared_bytes, k.shared_bytes());
  return static_cast<std::int64_t>(device.multiprocessors) * std::min(k.blocks_per_sm, room);
}

}  // namespace

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return Plan(p, device).unsupported_reason();
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  KernelTuning const& t = kernels[std::min(find_kernel(p), std::size(kernels) - 1)];
  Cuda::Kernel k        = Cuda::one_sweep(p);
  k.unit                = ComputeUnit::tensor_cores;
  k.work.operations     = 16.0 * t.steps * t.rows;
  double const fraction = tuned(device, efficiency, "cuda_tensor_double/efficiency");
  use_efficiency(k, device, reads_anywhere(p) ? fraction * anywhere_efficiency : fraction);
  // Cuts planes as the plan does, except that points which BoundaryKernel computes are not taken off.
  std::int64_t const columns = p.end[2] - p.begin[2], rows = p.end[1] - p.begin[1];
  std::int64_t const across  = divide_up(columns, block_warps * plane_columns);
  std::int64_t const groups  = across * (p.end[0] - p.begin[0]);
  std::int64_t const at_once = slots(t, device);
  PlaneCut const cut         = cut_plane(rows, groups, at_once, t.start_rows());
  // Warps without a strip are idle. Many of them make the others faster, hence the limit.
  double const idle =
      std::min(most_idle, static_cast<double>(across * block_warps * plane_columns) / static_cast<double>(columns));
  k.redundancy = idle * static_cast<double>(cut.waves * cut.height * at_once) / static_cast<double>(rows * groups);
  Cuda::add_boundary(k, p, device, t.rows, 1);
  double const busy = Cuda::roofline(k, p, device) * Cuda::points_of(p) * k.redundancy / k.fraction;
  double const fill = tuned(device, fill_seconds, "cuda_tensor_double/fill_seconds") *
                      static_cast<double>(cut.waves * t.steps * t.rows * t.rows);
  k.extra_seconds += tuned(device, start_seconds, "cuda_tensor_double/start_seconds") +
                     std::max(unhidden_fill * fill, fill - hiding_time * busy);
  k.fraction /= tensor_caution;
  return {Cuda::finish(k, p, device)};
}

Plan::Plan(Problem const& problem, DeviceModel const& device) {
  m_reason = choose(problem, device);
  if (!m_reason.empty()) return;
  m_problem = problem;
  // Does the kernel get any points?
  if (work(nullptr, nullptr).blocks == 0) m_reason = "no point has its whole window inside";
}

std::string Plan::choose(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_unsupported_reason(p, device, ValueType::float64); !no.empty()) return no;
  if (device.double_tensor <= 0.0) return "the GPU has no matrix products in double";
  m_kernel = find_kernel(p);
  if (m_kernel == std::size(kernels)) {
    return "has no kernel for a reach of " + std::to_string(rows_of(p)) + " rows and " +
           std::to_string(Cuda::reach_of(p, 2)) + " columns";
  }
  m_slots = slots(tuning(), device);
  return m_slots > 0 ? "" : "needs more shared memory than a block may have";
}

std::vector<double> Plan::bands() const {
  // Entry (k, n) of a band is the weight of input k of the window for output n. Lane 4 n + q holds inputs 2 q and
  // 2 q + 1 of each step: any order serves, if the kernel's windows have the same.
  auto const steps = static_cast<std::size_t>(tuning().steps);
  std::vector<double> all(static_cast<std::size_t>(tuning().rows) * steps * 64, 0.0);
  for (Term const& t : m_problem.terms) {
    auto const row = static_cast<std::size_t>(t.offset[1] - m_problem.lower[1]);
    for (int n = 0; n < 8; ++n) {
      int const k     = n + t.offset[2] + tuning().reach();
      auto const step = static_cast<std::size_t>(k / 8), lane = static_cast<std::size_t>(4 * n + k % 8 / 2);
      all[((row * steps + step) * 32 + lane) * 2 + static_cast<std::size_t>(k % 2)] = t.coefficient;
    }
  }
  return all;
}

Work Plan::work(void const* in, void* out) const {
  Work w;
  w.done = plane_args<double>(m_problem, in, out, tuning().rows, w.args);
  if (w.done.empty()) return w;
  bool aligned = m_problem.out_stride[1] % 2 == 0 && m_problem.out_stride[0] % 2 == 0;
  aligned = aligned && (reinterpret_cast<std::uintptr_t>(out) / 8 + static_cast<std::uintptr_t>(w.args.x0)) % 2 == 0;
  w.args.aligned            = aligned;
  std::int64_t const groups = divide_up(w.args.strips, block_warps) * w.args.planes;
  // Sums rotate by whole turns, which costs a tile half of one.
  std::int64_t const blocks = groups * plane_tiles<double>(w.args, groups, m_slots, tuning().start_rows());
  if (blocks > most_blocks) return {{}, {m_problem.begin, m_problem.begin}, 0};
  w.blocks = static_cast<unsigned>(blocks);
  return w;
}

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
