// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/Passes.hpp"

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

// Half and bhalf on sparse and dense tensor cores.

namespace KokkosStencil {
namespace CudaModel {

std::string tensor_refusal(Problem const& p, bool sparse) {
  if (std::string const no = distant_refusal(p); !no.empty()) return no;
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

std::string dense_refusal(Problem const& p, DeviceModel const& device) {
  std::string const no = no_cuda(p, device);
  return no.empty() ? tensor_refusal(p, false) : no;
}

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

}  // namespace CudaModel
}  // namespace KokkosStencil
