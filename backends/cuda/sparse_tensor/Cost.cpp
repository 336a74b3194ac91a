// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "sparse_tensor/Plan.hpp"
#include "sparse_tensor/ShearedLayout.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/Passes.hpp"
#include "common/TensorPlan.hpp"

#include <transform/Fused.hpp>
#include <transform/Pack.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

// What the kernels of Tuning.hpp cost. A row of the stencil is a product with a band matrix of 16 x 32, which is 64
// operations for each output.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

namespace {

/// Slabs take two products a plane (Transform::FoldPack).
constexpr int slab_products = 6;

constexpr int kernel_rows_most = plane_wgmma().rows;
static_assert((2 * line_reach + Transform::window_offsets) / Transform::window_offsets <= line_windows, "");
static_assert(std::size(line_efficiency) == line_windows, "");

/// Windows of a line that reaches over so many points.
int windows_of(int width) { return (width - 1 + Transform::window_offsets) / Transform::window_offsets; }

double line_part(int windows, DeviceModel const& device) {
  int const known = std::min(windows, line_windows);
  return tuned(device, line_efficiency[known - 1],
               [&] { return "cuda_sparse_tensor/lines/windows:" + std::to_string(known); });
}

/// The efficiency that the table has for the stencil's shape, else what `otherwise` returns.
template <class Otherwise>
double shape_efficiency(Problem const& p, DeviceModel const& device, Otherwise const& otherwise) {
  Cuda::Shape const s = Cuda::shape_of(p);
  for (ShapeEfficiency const& e : shape_efficiencies) {
    if (e.star == s.star && e.rank == s.rank && e.radius == s.radius) {
      return tuned(device, e.efficiency, [&] { return "cuda_sparse_tensor/" + Cuda::shape_name(s); });
    }
  }
  return otherwise();
}

/// A kernel with the numbers of the device, where it was calibrated.
KernelTuning with_tuned(KernelTuning k, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    constexpr char const* algorithms[] = {"tiles", "stream", "ring", "slab", "wgmma", "sheared"};
    return std::string("cuda_sparse_tensor/") + algorithms[static_cast<int>(k.algorithm)] + "/" +
           (k.loads > 1 ? std::to_string(k.loads) + (k.cross ? "+" : "x") : "") + std::to_string(k.rows) +
           (k.shifts() ? "/wide" : "") + (k.splits > 1 ? "/two-parts" : "") +
           (k.several && !k.single ? "/several" : "") + (k.anywhere ? "/anywhere/" : "/") + what;
  };
  k.efficiency    = Cuda::tuned(device, k.efficiency, [&] { return name("efficiency"); });
  k.split_speed   = k.splits == 1 ? k.split_speed : Cuda::tuned(device, k.split_speed, [&] { return name("speed"); });
  k.start_seconds = Cuda::tuned(device, k.start_seconds, [&] { return name("start_seconds"); });
  return k;
}

/// Completes `k` for single sweeps.
Cuda::Kernel one_sweep(Cuda::Kernel k, Problem const& p, DeviceModel const& device) {
  bool const line = Cuda::is_line(p), exact = Transform::exact_in(p.terms, element_of(p.value_type));
  int const ny = p.upper[1] - p.lower[1] + 1, nz = p.upper[0] - p.lower[0] + 1, splits = exact ? 1 : 2;
  if (line) {
    int const windows = windows_of(p.upper[2] - p.lower[2] + 1);
    k.work.operations = band_operations * windows * splits;
    double fraction   = shape_efficiency(p, device, [&] {
      return windows > 1 ? line_part(windows, device)
                           : tuned(device, line_single_efficiency, "cuda_sparse_tensor/line_single_efficiency");
    });
    if (!exact && windows > 1) fraction *= tuned(device, line_split_speed, "cuda_sparse_tensor/line_split_speed");
    if (!exact && windows == 1) {
      fraction *= tuned(device, line_single_split_speed, "cuda_sparse_tensor/line_single_split_speed");
    }
    use_efficiency(k, device, fraction);
    k.extra_seconds = tuned(device, line_start_seconds, "cuda_sparse_tensor/line_start_seconds");
    Cuda::add_boundary(k, p, device, 1, 1);
    // Some points are left of any line.
    k.extra_seconds = std::max(k.extra_seconds, tuned(device, line_ends_least, "cuda_sparse_tensor/line_ends_least"));
    return k;
  }
  Request request;
  request.splits   = splits;
  request.rows     = ny;
  request.anywhere = reads_anywhere(p);
  if (nz > 1) {
    request.loads = request.rows = 3;
    request.cross =
        std::all_of(p.terms.begin(), p.terms.end(), [](Term const& t) { return t.offset[0] == 0 || t.offset[1] == 0; });
  }
  KernelTuning const* const found = choose_kernel(request, p, device);
  // Where no kernel fits, nobody uses the result.
  KernelTuning const t = with_tuned(found != nullptr ? *found : kernels[0], device);
  bool const slab = t.algorithm == Algorithm::slab, wgmma = t.algorithm == Algorithm::wgmma;
  k.work.operations    = band_operations * splits * (slab ? slab_products : wgmma ? t.rows : Cuda::rows_of(p));
  k.extra_seconds      = t.start_seconds;
  auto const of_kernel = [&] { return t.efficiency; };
  use_efficiency(k, device,
                 t.split_speed * (slab || wgmma || t.anywhere ? of_kernel() : shape_efficiency(p, device, of_kernel)));
  // Warps compute whole strips of columns.
  std::int64_t const columns = p.end[2] - p.begin[2], strip = wgmma ? wgmma_columns : warp_outputs;
  k.redundancy      = static_cast<double>(divide_up(columns, strip) * strip) / static_cast<double>(columns);
  double const late = tuned(device, boundary_late_seconds, "cuda_sparse_tensor/boundary_late_seconds");
  if (t.algorithm == Algorithm::sheared) {
    // What it computes beside the points of its box is not stored: what lies between rows, the rest of its strips and
    // of its last rows.
    PointBox const box         = interior(p);
    ShearedLayout const layout = sheared_layout(p);
    auto const size            = [&](std::size_t a) { return std::max<std::int64_t>(1, box.end[a] - box.begin[a]); };
    std::int64_t const rows    = divide_up(layout.rows(p, box, sheared_planes), t.block_rows()) * t.block_rows();
    double const all           = static_cast<double>(layout.strips() * warp_outputs) * static_cast<double>(rows);
    k.redundancy               = 1.0 + sheared_in_vain * (all / static_cast<double>(size(1) * size(2)) - 1.0);
    double const boundary      = Cuda::boundary_seconds(p, device);
    k.extra_seconds += boundary;
    k.least_seconds = (boundary > 0.0 ? 2.0 : 1.0) * Cuda::host_launch_seconds(device);
    return k;
  }
  if (wgmma && t.anywhere) {
    // It leaves nothing but points near faces to the boundary kernel.
    double const boundary = Cuda::boundary_seconds(p, device);
    k.redundancy          = wgmma_redundancy(t, p, device);
    k.extra_seconds += boundary;
    k.least_seconds = (boundary > 0.0 ? 2.0 : 1.0) * Cuda::host_launch_seconds(device);
    return k;
  }
  // Where rows begin anywhere, the first and the last row of the View are left to the boundary kernel.
  double const before = k.extra_seconds;
  Cuda::add_boundary(k, p, device, t.rows, nz, t.anywhere ? 1 : 0);
  if (nz == 1 && k.extra_seconds > before) k.extra_seconds += late;
  if (slab) k.least_seconds += tuned(device, slab_host_seconds, "cuda_sparse_tensor/slab_host_seconds");
  return k;
}

/// What a sweep of a pass takes beside faces with other rules than halo and periodic: tiles along them follow the
/// sweeps one after another.
double reflected_seconds(Problem const& p, DeviceModel const& device) {
  double points = 0.0;
  for (std::size_t a = 1; a < 3; ++a) {
    for (Face const& f : p.faces[a]) {
      bool const plain = f.kind == BoundaryKind::halo || f.kind == BoundaryKind::periodic;
      if (!plain) points += static_cast<double>(p.extent[3 - a]);
    }
  }
  if (points == 0.0) return 0.0;
  return tuned(device, reflected_start_seconds, "cuda_sparse_tensor/reflected_start_seconds") +
         tuned(device, reflected_point_seconds, "cuda_sparse_tensor/reflected_point_seconds") * points;
}

/// The kernel for several sweeps of a plane as one, null if there is none.
KernelTuning const* kernel_of_several(Problem const& p, DeviceModel const& device, int depth) {
  Problem const composed = composed_problem(p, depth, {});
  Request request;
  request.rows     = 2 * depth * Cuda::reach_of(p, 1) + 1;
  request.several  = true;
  request.anywhere = reads_anywhere(composed);
  return choose_kernel(request, composed, device);
}

/// Whether points near faces of a pass run beside its kernel (FusedBandKernel.cu) where all faces are halo or periodic.
bool boundary_beside(KernelTuning const& k, Problem const& p) {
  return k.leaves_registers() && Cuda::reach_of(p, 1) == 1 && Cuda::reach_of(p, 2) == 1;
}

/// One pass of `depth` sweeps.
Cuda::Kernel one_pass(Problem const& p, DeviceModel const& device, int depth) {
  Cuda::Kernel k = Cuda::one_sweep(p);
  k.unit         = ComputeUnit::sparse_tensor_cores;
  k.operand      = p.value_type;
  k.depth        = depth;
  if (depth == 1) return one_sweep(k, p, device);
  if (Cuda::is_line(p)) {
    int const windows = windows_of(depth * (p.upper[2] - p.lower[2]) + 1);
    k.work.operations = band_operations * windows;
    use_efficiency(k, device, line_part(windows, device));
    // The boundary kernel makes the sweeps one after another, in part beside the other kernel.
    double const inner = Cuda::finish(k, p, device, depth).seconds - device.launch_seconds;
    double const ends  = tuned(device, line_ends_seconds, "cuda_sparse_tensor/line_ends_seconds") +
                        depth * tuned(device, line_ends_sweep_seconds, "cuda_sparse_tensor/line_ends_sweep_seconds");
    double const late = (1.0 - line_ends_beside) * std::min(inner, ends);
    k.extra_seconds =
        tuned(device, line_wave_seconds, "cuda_sparse_tensor/line_wave_seconds") + std::max(ends - inner, 0.0) + late;
    k.least_seconds = 2.0 * Cuda::host_launch_seconds(device);
    return k;
  }
  KernelTuning const* const found = kernel_of_several(p, device, depth);
  bool const wgmma                = found != nullptr && found->algorithm == Algorithm::wgmma;
  double const reflected          = reflected_seconds(p, device);
  k.work.operations               = band_operations * (wgmma ? found->rows : 2 * depth * Cuda::reach_of(p, 1) + 1);
  k.least_seconds                 = 2.0 * Cuda::host_launch_seconds(device);
  k.extra_seconds                 = depth * reflected;
  if (!wgmma) {
    k.extra_seconds += tuned(device, fused_boundary_seconds, "cuda_sparse_tensor/fused_boundary_seconds");
    double const rows = kernel_rows_most / (2.0 * depth * Cuda::reach_of(p, 1) + 1.0);
    use_efficiency(
        k, device,
        tuned(device, fused_efficiency, "cuda_sparse_tensor/fused_efficiency") * std::pow(rows, fused_rows_power));
    return k;
  }
  if (reflected > 0.0 || !boundary_beside(*found, p)) {
    k.extra_seconds += tuned(device, fused_boundary_after_wgmma, "cuda_sparse_tensor/fused_boundary_after_wgmma");
  }
  if (found->anywhere) k.redundancy = wgmma_redundancy(*found, composed_problem(p, depth, {}), device);
  KernelTuning const t = with_tuned(*found, device);
  use_efficiency(k, device, t.efficiency);
  k.extra_seconds += t.start_seconds;
  return k;
}

}  // namespace

std::vector<int> depths(Problem const& p) {
  std::vector<int> depths{1};
  int const ry = Cuda::reach_of(p, 1), rx = Cuda::reach_of(p, 2);
  bool const line = Cuda::is_line(p);
  if (p.steps <= 1 || (line && reads_anywhere(p)) || p.extent[0] != 1 || Cuda::reach_of(p, 0) > 0 || rx == 0 ||
      p.in_stride != p.out_stride || p.accuracy == Accuracy::reproducible || std::max(rx, ry) > fused_reach ||
      (line ? ry > 0 : ry == 0) || p.extent[1] >= index_limit || p.extent[2] >= index_limit) {
    return depths;
  }
  int const deepest = line ? line_reach / rx : (kernel_rows_most - 1) / 2 / std::max(rx, ry);
  if (deepest < 2) return depths;
  Transform::Fusion fusion(p.terms);
  auto const rounds = [&](int depth) {
    if (Transform::rounds_surely(p.terms, depth)) return true;
    while (fusion.depth() < depth) fusion.next();
    return Transform::rounds(fusion.terms(), element_of(p.value_type));
  };
  for (int depth = 2; depth <= deepest; ++depth) {
    bool const power = (depth & (depth - 1)) == 0;
    if (line ? !power && depth != p.steps : 2 * depth * ry + 1 < fused_least_rows) continue;
    // Whether enough points lie away from faces and from the ends of the range.
    bool large = true;
    for (std::size_t a = 1; a < 3; ++a) {
      bool const wraps = p.faces[a][0].kind == BoundaryKind::periodic && p.begin[a] == 0 && p.end[a] == p.extent[a];
      int const one    = Cuda::reach_of(p, a);
      std::int64_t const reach = depth * one, inner = wraps ? 0 : reach - one;
      std::int64_t const least = a == 1 ? 2 * reach + 1 : line ? fused_least_line : fused_least_columns;
      large = large && std::min(p.end[a] - inner, p.extent[a] - reach) - std::max(p.begin[a] + inner, reach) >= least;
    }
    if (large && rounds(depth)) depths.push_back(depth);
  }
  return depths;
}

std::vector<std::pair<int, double>> pass_seconds(Problem const& p, DeviceModel const& device,
                                                 std::vector<int> const& depths) {
  std::vector<std::pair<int, double>> passes;
  for (int const depth : depths) {
    passes.emplace_back(depth, Cuda::finish(one_pass(p, device, depth), p, device, depth).seconds);
  }
  return passes;
}

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  std::vector<Estimate> estimates;
  std::vector<std::pair<int, double>> passes;
  bool const anywhere = reads_anywhere(p);
  for (int const depth : depths(p)) {
    // Not every device has a kernel for rows that begin anywhere, or not for grids as small as these.
    if (depth > 1 && anywhere && kernel_of_several(p, device, depth) == nullptr) continue;
    Cuda::Kernel k = one_pass(p, device, depth);
    if (!Cuda::is_line(p)) k.fraction /= tensor_caution;
    Estimate e = Cuda::finish(k, p, device);
    passes.emplace_back(depth, Cuda::finish(k, p, device, depth).seconds);
    if (depth > 1) {
      e.seconds        = Cuda::Passes(passes, p.steps).seconds(p.steps);
      e.device_seconds = 0.0;
    }
    estimates.push_back(e);
  }
  return estimates;
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
