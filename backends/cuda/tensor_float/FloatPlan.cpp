// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FloatPlan.hpp"

#include "common/PlanePlan.hpp"

#include <transform/FloatPack.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

namespace {

/// With fewer terms the errors of split values do not average out: up to 8 units of the last place each, where so many
/// fused multiply-adds lose more than that.
constexpr std::size_t fewest_terms = 16;

std::vector<Kernel> const& kernels(bool split) {
  static std::vector<Kernel> const all[2] = {rounded_kernels(), split_kernels()};
  return all[split ? 1 : 0];
}

}  // namespace

FloatPlan::FloatPlan(Problem const& problem, int sm_count) : m_sm_count(sm_count) {
  m_reason = choose(problem);
  if (!m_reason.empty()) return;
  m_problem = problem;
  // Does anything remain inside?
  if (work(nullptr, nullptr).blocks == 0) m_reason = "no point has its whole window inside";
}

std::string FloatPlan::choose(Problem const& p) {
  if (p.value_type != ValueType::float32) return std::string("multiplies float, not ") + to_string(p.value_type);
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  bool const split = p.accuracy == Accuracy::native;
  if (std::string const no = plane_refusal(p); !no.empty()) return no;
  if (split && p.terms.size() < fewest_terms) {
    return "has " + std::to_string(p.terms.size()) + " terms, too few for split values to be as accurate as float";
  }
  int const ny = p.upper[1] - p.lower[1] + 1;
  if (p.lower[2] < -8 || p.upper[2] > 7) {
    return "reaches farther along the contiguous axis than one window: from -8 to 7";
  }
  auto const& there = kernels(split);
  auto const fits   = std::find_if(there.begin(), there.end(), [ny](Kernel const& k) { return k.rows >= ny; });
  if (fits == there.end()) return "has no kernel for a reach of " + std::to_string(ny) + " rows";
  m_kernel = *fits;
  // What the parts miss has to be within the promise, or to vanish beside what the inputs' parts miss. So it is where
  // all are normal halves.
  m_scale_log2        = Transform::float_scale_log2(p.terms);
  double const normal = std::ldexp(1.0, -14 - m_scale_log2);
  bool const all      = std::all_of(p.terms.begin(), p.terms.end(), [normal](Impl::Term const& t) {
    return t.coefficient == 0.0 || std::fabs(t.coefficient) >= normal;
  });
  if (!all && Transform::float_coefficient_error(p.terms, split ? 2 : 1) > std::ldexp(1.0, split ? -22 : -11)) {
    return "a coefficient is too small beside the largest to be half in parts";
  }
  double sum = 0.0;
  for (Impl::Term const& t : p.terms) sum += std::fabs(t.coefficient);
  // Inputs lose at most 2^-25 in one part and 2^-47 in three, where the largest is about 2^14.
  m_least = static_cast<float>(std::ldexp(sum, m_scale_log2 + (split ? -23 : -14)));
  return "";
}

FloatPlan::Operands FloatPlan::operands() const {
  Transform::FloatPack const pack = Transform::pack_float(m_problem.terms, m_kernel.split ? 3 : 1);
  constexpr std::size_t words     = Transform::warp_lanes * 4;
  auto const rows                 = static_cast<std::size_t>(m_kernel.rows);
  Operands o;
  o.matrices.assign(static_cast<std::size_t>(pack.parts) * rows * words, 0u);
  for (int part = 0; part < pack.parts; ++part) {
    for (std::size_t k = 0; k < pack.pieces.size(); ++k) {
      auto const row  = static_cast<std::size_t>(pack.pieces[k].dy - m_problem.lower[1]);
      auto const from = pack.a.begin() + static_cast<std::ptrdiff_t>(pack.index(part, static_cast<int>(k), 0));
      std::copy(
          from, from + static_cast<std::ptrdiff_t>(words),
          o.matrices.begin() + static_cast<std::ptrdiff_t>((static_cast<std::size_t>(part) * rows + row) * words));
    }
  }
  o.metadata.assign(pack.metadata.begin(), pack.metadata.end());
  return o;
}

Work FloatPlan::work(void const* in, void* out) const {
  Work w;
  w.done = plane_args<float>(m_problem, in, out, m_kernel.rows, w.args);
  if (w.done.empty()) return w;
  w.args.scale_log2         = m_scale_log2;
  w.args.least              = m_least;
  std::int64_t const strip  = static_cast<std::int64_t>(w.args.strips) * w.args.planes;
  std::int64_t const slots  = static_cast<std::int64_t>(m_sm_count) * m_kernel.blocks_per_sm;
  std::int64_t const blocks = strip * plane_tiles<float>(w.args, strip, slots, m_kernel.rows + 3);
  if (blocks > most_blocks) return {{}, {m_problem.begin, m_problem.begin}, 0};
  w.blocks = static_cast<unsigned>(blocks);
  return w;
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
