// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DoublePlan.hpp"

#include "common/PlanePlan.hpp"

#include <algorithm>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace TensorDouble {

namespace {

std::vector<Kernel> const& kernels() {
  static std::vector<Kernel> const all = dense_kernels();
  return all;
}

}  // namespace

DoublePlan::DoublePlan(Problem const& problem, int sm_count, int shared_bytes)
    : m_sm_count(sm_count), m_shared_bytes(shared_bytes) {
  m_reason = choose(problem);
  if (!m_reason.empty()) return;
  m_problem = problem;
  // Does anything remain inside?
  if (work(nullptr, nullptr).blocks == 0) m_reason = "no point has its whole window inside";
}

std::string DoublePlan::choose(Problem const& p) {
  if (p.value_type != ValueType::float64) return std::string("multiplies double, not ") + to_string(p.value_type);
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  if (std::string const no = plane_refusal(p); !no.empty()) return no;
  int const ny = p.upper[1] - p.lower[1] + 1, reach = std::max(-p.lower[2], p.upper[2]);
  auto const& all = kernels();
  auto const fits =
      std::find_if(all.begin(), all.end(), [=](Kernel const& k) { return k.rows >= ny && k.reach >= reach; });
  if (fits == all.end()) {
    return "has no kernel for a reach of " + std::to_string(ny) + " rows and " + std::to_string(reach) + " columns";
  }
  if (fits->shared_bytes > m_shared_bytes) return "needs more shared memory than a block may have";
  m_kernel = *fits;
  return "";
}

std::vector<double> DoublePlan::bands() const {
  // Entry (k, n) of a band is the weight of input k of the window for output n. Lane 4 n + q holds inputs 2 q and
  // 2 q + 1 of each step: any order serves, if the kernel's windows have the same.
  auto const steps = static_cast<std::size_t>(m_kernel.steps);
  std::vector<double> all(static_cast<std::size_t>(m_kernel.rows) * steps * 64, 0.0);
  for (Impl::Term const& t : m_problem.terms) {
    auto const row = static_cast<std::size_t>(t.offset[1] - m_problem.lower[1]);
    for (int n = 0; n < 8; ++n) {
      int const k     = n + t.offset[2] + m_kernel.lead;
      auto const step = static_cast<std::size_t>(k / 8), lane = static_cast<std::size_t>(4 * n + k % 8 / 2);
      all[((row * steps + step) * 32 + lane) * 2 + static_cast<std::size_t>(k % 2)] = t.coefficient;
    }
  }
  return all;
}

Work DoublePlan::work(void const* in, void* out) const {
  Work w;
  w.done = plane_args<double>(m_problem, in, out, m_kernel.rows, w.args);
  if (w.done.empty()) return w;
  bool aligned = m_problem.out_stride[1] % 2 == 0 && m_problem.out_stride[0] % 2 == 0;
  aligned = aligned && (reinterpret_cast<std::uintptr_t>(out) / 8 + static_cast<std::uintptr_t>(w.args.x0)) % 2 == 0;
  w.args.aligned = aligned;
  std::int64_t const groups =
      static_cast<std::int64_t>((w.args.strips + block_warps - 1) / block_warps) * w.args.planes;
  // The system takes 1 KB of every block.
  int const room           = (m_shared_bytes + 1024) / (m_kernel.shared_bytes + 1024);
  std::int64_t const slots = static_cast<std::int64_t>(m_sm_count) * std::min(m_kernel.blocks_per_sm, room);
  // Padding to whole turns costs half of one.
  std::int64_t const blocks = groups * plane_tiles<double>(w.args, groups, slots, m_kernel.rows * 3 / 2 + 3);
  if (blocks > most_blocks) return {{}, {m_problem.begin, m_problem.begin}, 0};
  w.blocks = static_cast<unsigned>(blocks);
  return w;
}

}  // namespace TensorDouble
}  // namespace Cuda
}  // namespace KokkosStencil
