// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tensor_float/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/PlanePlan.hpp"
#include "common/TensorPlan.hpp"

#include <transform/FloatPack.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace TensorFloat {

namespace {

int rows_of(Problem const& p) { return p.upper[1] - p.lower[1] + 1; }

/// The first kernel with enough rows; their number if there is none.
std::size_t find_kernel(Problem const& p) {
  bool const split = p.accuracy != Accuracy::relaxed;
  auto const fits  = [&](KernelTuning const& k) { return k.split == split && k.rows >= rows_of(p); };
  return static_cast<std::size_t>(std::find_if(std::begin(kernels), std::end(kernels), fits) - std::begin(kernels));
}

}  // namespace

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return Plan(p, device).unsupported_reason();
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  KernelTuning const& t = kernels[std::min(find_kernel(p), std::size(kernels) - 1)];
  Cuda::Kernel k        = Cuda::one_sweep(p);
  k.unit                = ComputeUnit::sparse_tensor_cores;
  k.operand             = ValueType::float16;
  k.work.operations     = band_operations * t.products() * t.rows;
  double const fraction = tuned(device, t.efficiency, [&] {
    return "cuda_tensor_float/" + std::to_string(t.rows) + (t.split ? "/split" : "/rounded") + "/efficiency";
  });
  bool const anywhere   = reads_anywhere(p);
  // On padded copies rows of halos end with columns that complete a vector.
  std::int64_t const beyond = p.extent[2] - p.end[2] - Cuda::reach_of(p, 2);
  bool const has_zeros      = columns_left(p) == 0 && beyond > 0 && beyond < 16 / size_of(p.value_type);
  use_efficiency(k, device, fraction * (anywhere ? anywhere_efficiency : has_zeros ? zeros_efficiency : 1.0));
  k.extra_seconds = start_seconds(t.rows) * (has_zeros ? zeros_start : 1.0);
  // Warps compute whole strips of columns.
  std::int64_t const columns = p.end[2] - p.begin[2];
  k.redundancy = static_cast<double>(divide_up(columns, plane_columns) * plane_columns) / static_cast<double>(columns);
  if (anywhere) {
    // On small planes a block waits for its single elements.
    double const busy = Model::roofline_seconds(k, p, device) * points_of(p) * k.redundancy / k.fraction;
    double const work = k.extra_seconds + busy;
    k.extra_seconds += std::hypot(work, anywhere_wait) - work;
  }
  Cuda::add_boundary(k, p, device, t.rows, 1);
  k.fraction /= tensor_caution;
  return {Cuda::finish(k, p, device)};
}

Plan::Plan(Problem const& problem, DeviceModel const& device) : m_multiprocessors(device.multiprocessors) {
  m_reason = choose(problem, device);
  if (!m_reason.empty()) return;
  m_problem = problem;
  // Does the kernel get any points?
  if (work(nullptr, nullptr).blocks == 0) m_reason = "no point has its whole window inside";
}

std::string Plan::choose(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_unsupported_reason(p, device, ValueType::float32); !no.empty()) return no;
  if (p.accuracy == Accuracy::native && p.terms.size() < fewest_split_terms) {
    return "has " + std::to_string(p.terms.size()) + " terms, too few for split values to be as accurate as float";
  }
  if (std::string no = window_unsupported_reason(p); !no.empty()) return no;
  m_kernel = find_kernel(p);
  if (m_kernel == std::size(kernels)) return "has no kernel for a reach of " + std::to_string(rows_of(p)) + " rows";
  if (reads_anywhere(p) && !tuning().anywhere()) {
    return "rows are not 16-byte aligned: a pitch of " + std::to_string(p.in_stride[1]) +
           " elements is not a multiple of 4; pad the rows of the View";
  }
  // The errors of the split coefficients have to keep the accuracy contract, or to be negligible beside those of the
  // split inputs. They are negligible where the splits of all coefficients are normal halves.
  bool const split    = tuning().split;
  m_scale_log2        = Transform::float_scale_log2(p.terms);
  double const normal = std::ldexp(1.0, -14 - m_scale_log2);
  bool const all      = std::all_of(p.terms.begin(), p.terms.end(), [normal](Term const& t) {
    return t.coefficient == 0.0 || std::fabs(t.coefficient) >= normal;
  });
  if (!all && Transform::float_coefficient_error(p.terms, split ? 2 : 1) > std::ldexp(1.0, split ? -22 : -11)) {
    return "a coefficient is too small beside the largest to be split into halves";
  }
  double sum = 0.0;
  for (Term const& t : p.terms) sum += std::fabs(t.coefficient);
  // Where the largest input is about 2^14, inputs lose at most 2^-25 in one half and 2^-47 in three.
  m_least = static_cast<float>(std::ldexp(sum, m_scale_log2 + (split ? -23 : -14)));
  return "";
}

Plan::Operands Plan::operands() const {
  Transform::FloatPack const pack = Transform::pack_float(m_problem.terms, tuning().coefficient_splits());
  constexpr std::size_t words     = Transform::warp_lanes * 4;
  auto const rows                 = static_cast<std::size_t>(tuning().rows);
  Operands o;
  o.matrices.assign(static_cast<std::size_t>(pack.splits) * rows * words, 0u);
  for (int split = 0; split < pack.splits; ++split) {
    for (std::size_t k = 0; k < pack.chunks.size(); ++k) {
      auto const row  = static_cast<std::size_t>(pack.chunks[k].dy - m_problem.lower[1]);
      auto const from = pack.a.begin() + static_cast<std::ptrdiff_t>(pack.index(split, static_cast<int>(k), 0));
      auto const to   = static_cast<std::ptrdiff_t>((static_cast<std::size_t>(split) * rows + row) * words);
      std::copy(from, from + static_cast<std::ptrdiff_t>(words), o.matrices.begin() + to);
    }
  }
  o.metadata.assign(pack.metadata.begin(), pack.metadata.end());
  return o;
}

Work Plan::work(void const* in, void* out) const {
  Work w;
  w.done = plane_args<float>(m_problem, in, out, tuning().rows, w.args);
  if (w.done.empty()) return w;
  w.args.scale_log2         = m_scale_log2;
  w.args.least              = m_least;
  std::int64_t const strips = static_cast<std::int64_t>(w.args.strips) * w.args.planes;
  std::int64_t const slots  = static_cast<std::int64_t>(m_multiprocessors) * tuning().blocks_per_sm;
  std::int64_t const blocks = strips * plane_tiles<float>(w.args, strips, slots, tuning().start_rows());
  if (blocks > most_blocks) return {{}, {m_problem.begin, m_problem.begin}, 0};
  w.blocks = static_cast<unsigned>(blocks);
  return w;
}

}  // namespace TensorFloat
}  // namespace Cuda
}  // namespace KokkosStencil
