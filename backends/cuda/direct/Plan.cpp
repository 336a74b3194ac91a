// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "direct/Plan.hpp"

#include "common/KernelTime.hpp"
#include "direct/Cost.hpp"
#include "direct/Eligibility.hpp"
#include "direct/ListTuning.hpp"
#include "direct/Tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <string>

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

namespace {

/// The kernel asked for by the environment, or empty.
std::string wanted_algorithm() {
  char const* const value = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
  return value != nullptr ? value : "";
}

/// Whether a kernel serves stencils inside its shape and grids of that size, and this one faster than a list.
bool serves_pattern(ShapeTuning const& k, Problem const& p) {
  if (!k.masked || p.terms.size() < k.least_terms || (k.shape.star && !Cuda::on_axes(p))) return false;
  for (int a = 0; a < 3; ++a) {
    auto const axis = static_cast<std::size_t>(a);
    int const r     = k.reach(a);
    if (p.lower[axis] < -r || p.upper[axis] > r || p.extent[axis] <= 2 * r) return false;
  }
  return true;
}

/// Whether a point's inputs are within 32 bits of it, and all in few enough terms.
bool points_fit(Problem const& p) {
  if (p.terms.size() > most_point_terms) return false;
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  double reach          = 0.0;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > Cuda::index_limit) return false;
    reach += static_cast<double>(std::max(-p.lower[a], p.upper[a])) * std::abs(static_cast<double>(p.in_stride[a]));
  }
  return reach < most;
}

}  // namespace

ShapeTunings shape_tunings(ValueType type) {
  switch (type) {
    case ValueType::float64: return {double_kernels, std::size(double_kernels)};
    case ValueType::float32: return {float_kernels, std::size(float_kernels)};
    default: return {half_kernels, std::size(half_kernels)};
  }
}

ShapeTuning const* find_kernel(Problem const& p) {
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) return nullptr;
  bool const anywhere = reads_anywhere(p);
  Shape const shape   = Cuda::shape_of(p);
  for (ShapeTuning const& k : shape_tunings(p.value_type)) {
    if (k.only_row && !is_line(p)) continue;
    if (anywhere && (p.updates || !k.anywhere())) continue;
    if (p.updates && !k.has_update(size_of(p.value_type))) continue;
    if (k.masked ? serves_pattern(k, p) : shape.rank > 0 && k.shape == shape) return &k;
  }
  return nullptr;
}

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  std::string const wanted = wanted_algorithm();
  if (!wanted.empty() && wanted != "shape" && wanted != "taps" && wanted != "points") {
    return "\"" + wanted + "\" (KOKKOSSTENCIL_CUDA_DIRECT) is no kernel of cuda_direct; there are shape, taps, points";
  }
  return Cuda::no_cuda(p, device);
}

SweepPlan plan_sweep(Problem const& p, DeviceModel const& device) {
  std::string const wanted = wanted_algorithm();
  double const boundary    = Cuda::boundary_seconds(p, device);
  SweepPlan best{Algorithm::taps, nullptr, taps_cost(p, device, boundary)};
  double least         = Model::estimate(best.cost, p, device, 1).seconds;
  auto const candidate = [&](SweepPlan const& plan, char const* name) {
    double const seconds = Model::estimate(plan.cost, p, device, 1).seconds;
    if (wanted != name && (!wanted.empty() || seconds >= least)) return;
    least = seconds;
    best  = plan;
  };
  if (points_fit(p))
    candidate({Algorithm::points, nullptr, points_cost(p, device, Cuda::boundary_points_seconds(p, device))}, "points");
  if (auto const* const k = find_kernel(p)) candidate({Algorithm::shape, k, shape_cost(*k, p, device)}, "shape");
  return best;
}

Estimate cost_of_sweeps(Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return Model::estimate(plan_sweep(p, device).cost, p, device, steps);
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) { return {cost_of_sweeps(p, device, p.steps)}; }

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
