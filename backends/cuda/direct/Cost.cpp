// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

// Single sweeps on CUDA cores.

namespace KokkosStencil {
namespace CudaModel {

namespace {

double part_fraction(Shape const& s, Problem const& p, DeviceModel const& device) {
  for (Part const& k : parts) {
    if (k.alone && !is_line(p)) continue;
    if (k.star != s.star || k.rank != s.rank || k.radius != s.radius) continue;
    double const fraction = by_type(p.value_type, k.half, k.single, k.full);
    if (size_of(p.value_type) != 2 || fraction == 0.0) return fraction;
    Kernel const one     = one_sweep(p);
    double const memory  = one.work.bytes / device.bandwidth;
    double const terms   = part_half_term * static_cast<double>(p.terms.size()) * h200_float_rate / device.float_rate;
    double const seconds = memory / fraction + terms;
    return std::max(memory, one.work.operations / device.float_rate) / seconds;
  }
  return 0.0;
}

}  // namespace

Shape enclosing_shape(Problem const& p) {
  bool const star = on_axes(p), line = is_line(p);
  for (Part const& k : parts) {
    bool fits = (line || !k.alone) && p.terms.size() >= k.least_terms && (star || !k.star) &&
                by_type(p.value_type, k.half, k.single, k.full) > 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      int const r = static_cast<int>(a) >= 3 - k.rank ? k.radius : 0;
      fits        = fits && p.lower[a] >= -r && p.upper[a] <= r && p.extent[a] > 2 * r;
    }
    if (fits) return {k.star, k.rank, k.radius};
  }
  return {};
}

namespace {

/// The kernel for the shape; fraction 0: none.
Kernel shape_kernel(Problem const& p, DeviceModel const& device) {
  Kernel k                  = one_sweep(p);
  Shape s                   = shape_of(p);
  bool part                 = false;
  std::int64_t const vector = 16 / size_of(p.value_type);
  bool aligned              = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  for (std::size_t a = 0; a < 2; ++a) aligned = aligned && (p.extent[a] <= 1 || p.in_stride[a] % vector == 0);
  k.fraction = 0.0;
  if (!aligned) return k;
  if (s.rank > 0) k.fraction = look_up(std::begin(direct_fractions), std::end(direct_fractions), s, p.value_type);
  if (k.fraction == 0.0) {
    s = enclosing_shape(p);
    if (s.rank == 0) return k;
    k.fraction = part_fraction(s, p, device);
    part       = true;
  }
  // What is left over of a line that is folded into rows takes a launch, too.
  k.extra_seconds = s.rank == 1 && p.points() == p.end[2] - p.begin[2] ? next_launch : 0.0;
  // Whole rows of vectors on a torus.
  bool const across = !is_line(p) && p.faces[2][0].kind == BoundaryKind::periodic && p.extent[2] % vector == 0;
  k.extra_seconds   = std::max(k.extra_seconds, strip_seconds(p, device, s, across));
  k.least_seconds   = k.extra_seconds > 0.0 ? 2.0 * host_launch : host_launch;
  use_march(k, s, part, p, device);
  return k;
}

Kernel taps_kernel(Problem const& p, DeviceModel const& device, double strips) {
  Kernel k        = one_sweep(p);
  k.extra_seconds = strips;
  k.least_seconds = k.extra_seconds > 0.0 ? 2.0 * host_launch : host_launch;
  int const rows  = p.end[1] - p.begin[1] >= 4 && p.points() >= (std::int64_t(1) << 20) ? 4 : 1;
  use_term_list(k, p, device, by_type(p.value_type, taps_half, taps_single, taps_full), rows);
  return k;
}

Kernel points_kernel(Problem const& p, DeviceModel const& device, double strips) {
  Kernel k = one_sweep(p);
  // Offset and coefficient of a term are arguments; what is beyond half a kilobyte of them comes slowly.
  double const argument_bytes = static_cast<double>(p.terms.size()) * (p.value_type == ValueType::float64 ? 12.0 : 8.0);
  double const slower         = std::max(1.0, argument_bytes / fast_arguments);
  double const issue = use_points(k, p, device, by_type(p.value_type, points_half, points_single, points_full), slower);
  auto const batches = std::ceil(static_cast<double>(p.terms.size()) / 8.0);
  k.extra_seconds    = std::max(0.0, slower * points_latency * batches - 0.8 * issue * points_of(p));
  // Points near faces are beside the others, but slower.
  k.extra_seconds = std::max(k.extra_seconds, strips - 0.5 * next_launch);
  k.least_seconds = host_launch + (p.terms.size() > 32 || strips > 0.0 ? long_arguments : 0.0);
  return k;
}

/// The fastest kernel of cuda_direct for a sweep, or the one that the environment asks for.
std::pair<Way, Kernel> direct_kernel(Problem const& p, DeviceModel const& device) {
  double const strips      = strip_seconds(p, device);  // beside either list of terms
  char const* const wanted = std::getenv("KOKKOSSTENCIL_CUDA_DIRECT");
  auto const skip          = [&](char const* way) {
    if (wanted == nullptr) return false;
    std::string const name = wanted;
    return name != way && (name == "taps" || name == "points" || name == "shape");
  };
  std::pair<Way, Kernel> best{Way::taps, taps_kernel(p, device, strips)};
  double least         = skip("taps") ? 1e30 : finish(best.second, p, device, 1).seconds;
  auto const candidate = [&](Way way, Kernel const& k) {
    double const seconds = finish(k, p, device, 1).seconds;
    if (seconds >= least) return;
    least = seconds;
    best  = {way, k};
  };
  if (p.terms.size() <= most_point_terms && !skip("points")) candidate(Way::points, points_kernel(p, device, strips));
  Kernel const shape = skip("shape") ? Kernel{} : shape_kernel(p, device);
  if (!skip("shape") && shape.fraction > 0.0) candidate(Way::shape, shape);
  return best;
}

}  // namespace

Way direct_way(Problem const& p, DeviceModel const& device) { return direct_kernel(p, device).first; }

Estimate direct_sweeps(Problem const& p, DeviceModel const& device, std::int64_t steps) {
  return finish(direct_kernel(p, device).second, p, device, steps);
}

std::vector<Estimate> direct(Problem const& p, DeviceModel const& device) {
  return {direct_sweeps(p, device, p.steps)};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
