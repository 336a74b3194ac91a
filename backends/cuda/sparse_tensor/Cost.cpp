// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/Passes.hpp"
#include "common/PlaneCut.hpp"
#include "sparse_table/TableLayout.hpp"

#include <transform/Fused.hpp>
#include <transform/Pack.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

// Tensor cores: half and bhalf on sparse and dense ones, float and double.

namespace KokkosStencil {
namespace CudaModel {

std::string tensor_refusal(Problem const& p, bool sparse) {
  if (p.value_type != ValueType::float16 && p.value_type != ValueType::bfloat16) {
    return std::string("multiplies half_t and bhalf_t, not ") + to_string(p.value_type);
  }
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  if (p.terms.empty() || p.points() == 0) return "nothing to multiply";
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) {
    return "the fastest axis is not contiguous (stride " + std::to_string(p.in_stride[2]) + " and " +
           std::to_string(p.out_stride[2]) + ")";
  }
  for (std::size_t a = 0; a < 2; ++a) {
    if (p.extent[a] > 1 && (p.in_stride[a] % 8 != 0 || p.out_stride[a] % 4 != 0)) {
      return "rows are not 16-byte aligned: a pitch of " + std::to_string(p.in_stride[a]) +
             " elements is not a multiple of 8; pad the rows of the View";
    }
  }
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  bool const line = is_line(p);
  if (line && (ny > 1 || nz > 1)) return "reaches across axes of one point";
  if (!line && (p.lower[2] < -8 || p.upper[2] > 7)) {
    return "reaches farther along the contiguous axis than one window: from -8 to 7";
  }
  bool const flat   = nz == 1 && ny <= 15,
             around = p.lower[0] >= -1 && p.upper[0] <= 1 && p.lower[1] >= -1 && p.upper[1] <= 1;
  if (!flat && !around) {
    return "has no kernel for a reach of " + std::to_string(nz) + " planes by " + std::to_string(ny) + " rows";
  }
  if (!sparse && (p.value_type != ValueType::float16 || nz > 1 || ny == 1)) return "is there for planes of half_t";
  auto const element = p.value_type == ValueType::float16 ? Transform::Element::half : Transform::Element::bfloat;
  if (!sparse) return Transform::exact_in(p.terms, element) ? "" : "is there for coefficients that are elements";
  if (!Transform::exact_in(p.terms, element) && !Transform::holds_split(p.terms, element)) {
    return std::string("a coefficient is too large or too small to be split into two ") + to_string(p.value_type);
  }
  return "";
}

std::string sparse_refusal(Problem const& p, DeviceModel const& device) {
  std::string const no = no_cuda(p, device);
  return no.empty() ? tensor_refusal(p, true) : no;
}

std::string sparse_table_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (std::string const no = table_refusal(p); !no.empty()) return no;
  bool const fits =
      static_cast<bool>(choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability)));
  return fits ? "" : table_too_far;
}

std::string dense_refusal(Problem const& p, DeviceModel const& device) {
  std::string const no = no_cuda(p, device);
  return no.empty() ? tensor_refusal(p, false) : no;
}

/// Of the kernels that stream down planes.
std::string plane_refusal(Problem const& p, DeviceModel const& device, ValueType type) {
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  if (p.value_type != type) return std::string("multiplies ") + to_string(type) + ", not " + to_string(p.value_type);
  if (p.accuracy == Accuracy::reproducible) {
    return "does not keep the canonical order that Accuracy::reproducible asks for";
  }
  bool aligned = p.in_stride[2] == 1 && p.out_stride[2] == 1;
  for (std::size_t a = 0; a < 2; ++a) {
    aligned = aligned && (p.extent[a] <= 1 || p.in_stride[a] % (16 / size_of(type)) == 0);
  }
  if (!aligned) return "rows are not contiguous or not 16-byte aligned";
  if ((p.extent[0] == 1 && p.extent[1] == 1) || p.upper[0] > 0 || p.lower[0] < 0) return "has no kernel for this reach";
  return p.upper[1] - p.lower[1] > 14 || p.lower[2] < -8 ? "reaches too far" : "";
}

std::string float_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float32); !no.empty()) return no;
  if (p.accuracy == Accuracy::native && p.terms.size() < 16) return "has too few terms for split values";
  return p.upper[2] > 7 ? "reaches too far" : "";
}

std::string double_refusal(Problem const& p, DeviceModel const& device) {
  if (std::string const no = plane_refusal(p, device, ValueType::float64); !no.empty()) return no;
  if (device.double_tensor <= 0.0) return "the GPU has no matrix products in double";
  return p.upper[2] > 8 ? "reaches too far" : "";
}

/// Kernel rows of the instance for a stencil: `least`, ... 13, 15.
int plane_rows(Problem const& p, int least) { return std::max(least, (p.upper[1] - p.lower[1] + 1) / 2 * 2 + 1); }

int reach_of(Problem const& p, std::size_t axis) { return std::max(-p.lower[axis], p.upper[axis]); }

std::vector<int> sparse_depths(Problem const& p) {
  std::vector<int> depths{1};
  int const ry = reach_of(p, 1), rx = reach_of(p, 2);
  bool const line = is_line(p);
  if (p.steps <= 1 || p.extent[0] != 1 || reach_of(p, 0) > 0 || rx == 0 || p.in_stride != p.out_stride ||
      p.accuracy == Accuracy::reproducible || std::max(rx, ry) > 3 || (line ? ry > 0 : ry == 0) ||
      p.extent[1] >= (1 << 30) || p.extent[2] >= (1 << 30)) {
    return depths;
  }
  // A plane's composed stencil has 9 to 15 rows; a line's takes up to five windows.
  int const deepest = line ? 39 / rx : 7 / std::max(rx, ry);
  if (deepest < 2) return depths;
  auto const element = p.value_type == ValueType::float16 ? Transform::Element::half : Transform::Element::bfloat;
  Transform::Fusion fusion(p.terms);
  auto const rounds = [&](int depth) {
    if (Transform::rounds_surely(p.terms, depth)) return true;
    while (fusion.depth() < depth) fusion.next();
    return Transform::rounds(fusion.terms(), element);
  };
  for (int depth = 2; depth <= deepest; ++depth) {
    bool const power = (depth & (depth - 1)) == 0;
    if (line ? !power && depth != p.steps : depth * ry < 4) continue;
    // What is left away from faces and from the ends of the range.
    bool wide = true;
    for (std::size_t a = 1; a < 3; ++a) {
      bool const wraps = p.faces[a][0].kind == BoundaryKind::periodic && p.begin[a] == 0 && p.end[a] == p.extent[a];
      std::int64_t const reach = depth * reach_of(p, a), inner = wraps ? 0 : reach - reach_of(p, a);
      std::int64_t const least = a == 1 ? 2 * reach + 1 : line ? 3 * 1024 : 16;
      wide = wide && std::min(p.end[a] - inner, p.extent[a] - reach) - std::max(p.begin[a] + inner, reach) >= least;
    }
    if (wide && rounds(depth)) depths.push_back(depth);
  }
  return depths;
}

namespace {

/// Points that a kernel of so many rows and planes cannot do, and the launch that does them: tensor kernels may read
/// more rows than the stencil does. Lines always leave some.
void add_strips(Kernel& k, Problem const& p, DeviceModel const& device, int rows, int planes) {
  std::array<int, 3> lower = p.lower, upper = p.upper;
  if (planes > 1) {
    lower[0] = lower[1] = -1;
    upper[0] = upper[1] = 1;
  } else {
    upper[1] = lower[1] + rows - 1;
  }
  double const extra = std::max(strip_seconds(p, device, lower, upper), is_line(p) ? next_launch : 0.0);
  k.extra_seconds += extra;
  k.least_seconds = extra > 0.0 ? 2.0 * host_launch : host_launch;
}

/// One pass of `depth` sweeps.
Kernel sparse_kernel(Problem const& p, DeviceModel const& device, int depth) {
  bool const line = is_line(p);
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1;
  // A row of the stencil is a band matrix of 16 x 32 for 128 outputs: 64 FLOP a point, 2 K / 64 of them useful. Slabs
  // take two such products a plane; grids too small for them take tiles.
  bool const slab = nz > 1 && reach_of(p, 2) <= 1 && points_of(p) > 4e6;
  int rows        = 0;
  if (depth > 1) {
    rows = line ? (2 * depth * reach_of(p, 2) + 16) / 16 : 2 * depth * reach_of(p, 1) + 1;
  } else if (line) {
    rows = (p.upper[2] - p.lower[2] + 16) / 16;
  } else if (slab) {
    rows = 6;
  } else {
    rows = rows_of(p);
  }
  Kernel k          = one_sweep(p);
  k.unit            = ComputeUnit::sparse_tensor_cores;
  k.operand         = p.value_type;
  k.work.operations = 64.0 * rows;
  k.depth           = depth;
  bool const wide   = device.compute_capability == 90 && nz == 1 && !line && points_of(p) > wide_least_points;
  if (depth > 1) {
    k.fraction      = line ? fused_lines[std::min(rows, 5) - 1] : wide ? fused_wide : fused_planes;
    k.extra_seconds = step_strips_seconds + (line ? line_wave_seconds : 0.0);
    k.least_seconds = 2.0 * host_launch;
    return k;
  }
  Shape const s = shape_of(p);
  k.fraction    = s.rank > 0 ? look_up(std::begin(sparse_fractions), std::end(sparse_fractions), s, p.value_type) : 0.0;
  if (slab) k.fraction = slab_fraction;
  if (k.fraction == 0.0)
    k.fraction = nz > 1    ? 0.67
                 : line    ? rows > 1 ? fused_lines[std::min(rows, 5) - 1] : 0.84
                 : ny == 1 ? 0.97
                 : ny <= 5 ? 0.92
                 : ny <= 7 ? 0.8
                 : ny <= 9 ? 0.74
                           : 0.72;
  auto const element = p.value_type == ValueType::bfloat16 ? Transform::Element::bfloat : Transform::Element::half;
  bool const exact   = Transform::exact_in(p.terms, element);
  if (wide && exact && ny >= 9) {
    // Of 15 rows in any case.
    k.work.operations = 64.0 * 15;
    k.fraction        = wide_fraction;
  }
  if (!exact) {
    // Two products a row.
    k.work.operations *= 2.0;
    k.fraction *= line      ? rows > 1 ? 0.76 : 0.95
                  : slab    ? 0.83
                  : nz > 1  ? rows > 5 ? 0.93 : 0.97
                  : ny == 1 ? 1.0
                  : ny <= 3 ? 0.87
                  : ny <= 5 ? 0.75
                  : ny == 9 ? 0.93
                            : 0.68;
  }
  k.extra_seconds = line ? 1.5e-6 : slab ? slab_fill : ny > 7 ? 2.0e-6 : 0.0;
  add_strips(k, p, device, ny / 2 * 2 + 1, nz);
  return k;
}

}  // namespace

std::vector<std::pair<int, double>> sparse_passes(Problem const& p, DeviceModel const& device,
                                                  std::vector<int> const& depths) {
  std::vector<std::pair<int, double>> passes;
  for (int const depth : depths) {
    passes.emplace_back(depth, finish(sparse_kernel(p, device, depth), p, device, depth).seconds);
  }
  return passes;
}

std::vector<Estimate> sparse_tensor(Problem const& p, DeviceModel const& device) {
  std::vector<Estimate> ways;
  std::vector<std::pair<int, double>> passes;
  for (int const depth : sparse_depths(p)) {
    Kernel const k = sparse_kernel(p, device, depth);
    Estimate e     = finish(k, p, device);
    passes.emplace_back(depth, finish(k, p, device, depth).seconds);
    if (depth > 1) e.seconds = Passes(passes, p.steps).seconds(p.steps);
    ways.push_back(e);
  }
  return ways;
}

std::vector<Estimate> sparse_table(Problem const& p, DeviceModel const& device) {
  // Clocks were counted on this one. Tables are copied before anything else.
  constexpr double h200_clock = 1.755e9, table_seconds = 1.1e-6;
  DeviceModel const& h200 = fitted_on();
  double const clock = h200_clock * device.float_rate / device.multiprocessors * h200.multiprocessors / h200.float_rate;
  Kernel k           = one_sweep(p);
  k.unit             = ComputeUnit::sparse_tensor_cores;
  k.operand          = p.value_type;
  bool const line    = is_line(p);
  k.extra_seconds    = std::max(strip_seconds(p, device), line ? next_launch : 0.0);
  k.least_seconds    = (k.extra_seconds > 0.0 ? 2.0 : 1.0) * host_launch + table_seconds;
  k.extra_seconds += table_seconds;
  TableLayout const layout = choose_table(p, device.multiprocessors, shared_bytes_of(device.compute_capability));
  if (!layout) return {finish(k, p, device)};
  TableCut const cut = cut_table(layout, p, device.multiprocessors);
  // Some of the memory's time is not hidden: the first planes of a chunk.
  double const seconds =
      cut.filled * cut.marches * layout.clocks / clock + 0.05 * points_of(p) * k.work.bytes / device.bandwidth;
  k.work.operations     = 64.0 * layout.steps * layout.parts;
  double const roofline = Model::Roofline{device.rate(k.unit, k.operand), device.bandwidth}.seconds(k.work);
  k.fraction            = std::min(0.9, roofline * points_of(p) / seconds);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor(Problem const& p, DeviceModel const& device) {
  constexpr int kernel_rows[] = {3, 5, 7, 15};
  std::size_t kernel          = 0;
  while (kernel < 3 && kernel_rows[kernel] < p.upper[1] - p.lower[1] + 1) ++kernel;
  Kernel k          = one_sweep(p);
  k.unit            = ComputeUnit::tensor_cores;
  k.operand         = p.value_type;
  k.work.operations = 64.0 * kernel_rows[kernel];
  k.fraction        = dense_fractions[kernel];
  k.extra_seconds   = kernel_rows[kernel] > 7 ? 2.5e-6 : 0.0;
  add_strips(k, p, device, kernel_rows[kernel], 1);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor_float(Problem const& p, DeviceModel const& device) {
  // Kernels exist for 5, 7, ... 15 rows of the stencil (split: not 13, which would spill). Fractions of the roofline
  // with split values, that is with three products a row.
  constexpr double split_fractions[] = {0.70, 0.60, 0.48, 0.51, 0.56, 0.56};
  bool const split                   = p.accuracy != Accuracy::relaxed;
  int const odd_rows                 = plane_rows(p, 5);
  int const ny                       = split && odd_rows == 13 ? 15 : odd_rows;
  auto const at                      = static_cast<std::size_t>(std::min(ny - 5, 10) / 2);
  Kernel k                           = one_sweep(p);
  k.unit                             = ComputeUnit::sparse_tensor_cores;
  k.operand                          = ValueType::float16;
  k.work.operations                  = 64.0 * (split ? 3 : 1) * ny;
  k.fraction                         = split ? split_fractions[at] : 0.84;
  k.extra_seconds                    = 0.2e-6 + 0.3e-6 * ny + 0.033e-6 * ny * ny;
  add_strips(k, p, device, ny, 1);
  return {finish(k, p, device)};
}

std::vector<Estimate> tensor_double(Problem const& p, DeviceModel const& device) {
  // Bands of 8 outputs by 16 or 24 inputs, in two or three steps.
  int const ny      = plane_rows(p, 7);
  int const steps   = std::max(-p.lower[2], p.upper[2]) > 4 ? 3 : 2;
  Kernel k          = one_sweep(p);
  k.unit            = ComputeUnit::tensor_cores;
  k.work.operations = 16.0 * steps * ny;
  k.fraction        = double_fraction;
  // As DoublePlan cuts planes: strips of 128 columns for each of a block's four warps.
  auto const columns       = static_cast<double>(p.end[2] - p.begin[2]);
  auto const groups        = static_cast<std::int64_t>(std::ceil(columns / 512.0)) * (p.end[0] - p.begin[0]);
  std::int64_t const rows  = p.end[1] - p.begin[1];
  std::int64_t const slots = (ny == 7 || (ny == 9 && steps == 2) ? 3 : 2) * device.multiprocessors;
  PlaneCut const cut       = cut_plane(rows, groups, slots, ny * 3 / 2 + 3);
  // Warps without a strip; the others are faster if there are many.
  double const idle = std::min(1.5, std::ceil(columns / 512.0) * 512.0 / columns);
  k.redundancy      = idle * static_cast<double>(cut.waves * cut.height * slots) / static_cast<double>(rows * groups);
  // Strips are done beside it.
  add_strips(k, p, device, ny, 1);
  double const busy = roofline(k, p, device) * points_of(p) * k.redundancy / k.fraction;
  double const fill = double_fill * static_cast<double>(cut.waves * steps * ny * ny);
  // The longer of the two, and a little of the other.
  k.extra_seconds = std::max(k.extra_seconds, double_start + std::max(0.05 * fill, fill - 0.95 * busy));
  return {finish(k, p, device)};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
