// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/Passes.hpp"
#include "direct/Plan.hpp"
#include "temporal/Plan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

// The costs that the dispatcher compares: formulas of the numbers in the tables. Plans, which are made once the choice
// has fallen, search for the best cut instead.

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

using Model::Kernel;

bool all_periodic(Problem const& p) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > 1 && p.faces[a][0].kind != BoundaryKind::periodic) return false;
  }
  return true;
}

Kernel pass_of(Problem const& p, DeviceModel const& device, int depth) {
  Kernel k        = Cuda::one_sweep(p);
  k.least_seconds = Cuda::host_launch_seconds(device);
  k.depth         = depth;
  k.work          = Model::time_blocked(static_cast<double>(p.terms.size()), size_of(p.value_type), depth);
  return k;
}

/// The same for a kernel whose tiles or strips compute `overlap` times as many points as they have results.
Kernel overlapping_pass_of(Problem const& p, DeviceModel const& device, int depth, double overlap) {
  Kernel k = pass_of(p, device, depth);
  k.work.operations *= overlap;
  k.work.bytes *= (overlap + 1.0) / 2.0;
  return k;
}

double single_sweep_seconds(Problem const& p, DeviceModel const& device) {
  return Cuda::Direct::cost_of_sweeps(p, device, 1).seconds;
}

/// Single sweeps, which this backend hands over to cuda_direct.
Estimate by_way_of_direct(Problem const& p, DeviceModel const& device) {
  Estimate e = Cuda::Direct::cost_of_sweeps(p, device, p.steps);
  e.seconds *= predicted_delegation;
  return e;
}

Estimate lines(LineTuning const& tuning, Problem const& p, DeviceModel const& device) {
  DeviceModel const& measured = Model::reference_device();
  Kernel k                    = pass_of(p, device, 1);
  double const rate           = tuning.rate * device.rate(k.unit, k.operand) / measured.rate(k.unit, k.operand);
  double const width = tuning.width(), warps = schedulers * device.multiprocessors;
  std::vector<std::pair<int, double>> passes{{1, single_sweep_seconds(p, device)}};
  Model::Roofline const roof = Model::roofline_of(k, p, device);
  double const points        = Cuda::points_of(p);
  double best                = std::numeric_limits<double>::max();
  for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, tuning.most_depth()); ++depth) {
    double const interior = width - 2.0 * tuning.halo(depth, size_of(p.value_type));
    double const rounds   = std::ceil(std::ceil(points / interior) / warps);
    Kernel pass           = pass_of(p, device, depth);
    pass.work.operations *= width / interior;
    double const work = (rounds + 1.0) * warps * width * depth / rate;
    double const copy = points * pass.work.bytes /
                        (Cuda::tuned(device, line_bandwidth, "cuda_temporal/line_bandwidth") * device.bandwidth);
    pass.fraction      = std::min(1.0, roof.seconds(pass.work) * points / std::max(work, copy));
    pass.extra_seconds = Cuda::tuned(device, predicted_pass_seconds, "cuda_temporal/predicted_pass_seconds");
    Estimate const e   = Model::estimate(pass, roof, device.launch_seconds, points, depth);
    passes.emplace_back(depth, e.seconds);
    if (e.seconds / depth >= best) continue;
    best = e.seconds / depth;
    k    = pass;
  }
  Estimate e = Cuda::finish(k, p, device);
  e.seconds  = Cuda::Passes(passes, p.steps).seconds(p.steps);
  return e;
}

Estimate strips(StripTuning const& tuning, Problem const& p, DeviceModel const& device) {
  StripLayout const layout = tuning.layout(size_of(p.value_type));
  int const depth          = tuning.depth;
  double const width = layout.width, reach = layout.reach, interior = width - 2.0 * reach;
  Kernel k                    = overlapping_pass_of(p, device, depth, width / interior);
  DeviceModel const& measured = Model::reference_device();
  Model::Roofline const measured_on{measured.rate(k.unit, k.operand), measured.bandwidth};
  k.fraction      = measured_on.seconds(k.work) * tuning.rate / depth;
  k.extra_seconds = Cuda::tuned(device, predicted_pass_seconds, "cuda_temporal/predicted_pass_seconds");
  // Strips are cut into chunks of rows, so that all warps have one. A chunk begins and ends with rows of its
  // neighbours.
  auto const columns = static_cast<double>(p.end[2] - p.begin[2]);
  auto const rows    = static_cast<double>(p.end[1] - p.begin[1]);
  double const count = std::ceil(columns / interior), warps = strip_warps * device.multiprocessors;
  double const chunk = std::max<double>(least_strip_rows, count < warps ? rows * count / warps : rows);
  k.redundancy       = (chunk + 2.0 * reach) / chunk * count * interior / columns *
                 (count < warps ? 1.0 : Model::wave_redundancy(count, warps));
  // With fewer warps than there is room for each is faster, but that does not make up for those that are missing.
  double const tasks = count * std::ceil(rows / chunk);
  if (tasks < warps) k.redundancy *= (warps / tasks + 2.0) / 3.0;
  if (!all_periodic(p)) k.redundancy *= Cuda::tuned(device, predicted_faces, "cuda_temporal/predicted_faces");
  Estimate e = Cuda::finish(k, p, device, depth);
  // The steps that are left over take a pass of fewer sweeps, or a single sweep.
  double const pass = e.seconds, left = static_cast<double>(p.steps % depth);
  e.seconds *= static_cast<double>(p.steps / depth);
  if (left == 1.0) e.seconds += single_sweep_seconds(p, device);
  if (left > 1.0) {
    double const slower = Cuda::tuned(device, predicted_shallow(p.value_type), [&] {
      return std::string("cuda_temporal/predicted_shallow/") + Model::type_name(p.value_type);
    });
    e.seconds += pass * slower * (shallow_base + shallow_share * left / depth);
  }
  return e;
}

/// Seconds of a pass. Chunks of planes keep the multiprocessors busy nearly to the end.
double space_seconds(SpaceTuning const& tuning, Problem const& p, DeviceModel const& device) {
  SpaceLayout const layout = tuning.layout(size_of(p.value_type));
  double all = 1.0, inside = 1.0;
  for (std::size_t a = 0; a < 2; ++a) {
    double const tiles = std::ceil(static_cast<double>(p.end[a + 1] - p.begin[a + 1]) / layout.interior[a]);
    all *= tiles;
    inside *= p.faces[a + 1][0].kind == BoundaryKind::periodic ? tiles : std::max(0.0, tiles - 2.0);
  }
  auto const planes     = static_cast<double>(p.end[0] - p.begin[0]);
  double const chunks   = std::min(planes, std::max(2.0, std::ceil(2.0 * device.multiprocessors / all)));
  double const mean     = (inside * tuning.plane_seconds + (all - inside) * tuning.frame_seconds) / all;
  double const steps    = std::max(planes / chunks + layout.prologue,
                                   Cuda::tuned(device, predicted_idle, "cuda_temporal/predicted_idle") * all *
                                       (planes + layout.prologue * chunks) / device.multiprocessors);
  double const measured = Model::reference_device().rate(ComputeUnit::cores, p.value_type) / measured_multiprocessors;
  return steps * mean * measured * device.multiprocessors / device.rate(ComputeUnit::cores, p.value_type);
}

Estimate space(SpaceTuning const& tuning, Problem const& p, DeviceModel const& device) {
  SpaceLayout const layout = tuning.layout(size_of(p.value_type));
  double const width = layout.width, height = layout.height, halo = 2.0 * layout.reach;
  double const overlap = width / (width - halo) * height / (height - halo);
  double const pass    = space_seconds(tuning, p, device);
  Kernel k             = overlapping_pass_of(p, device, tuning.depth, overlap);
  Model::Roofline const roof{device.rate(k.unit, k.operand), device.bandwidth};
  k.fraction = std::min(1.0, roof.seconds(k.work) * Cuda::points_of(p) / pass);
  // The steps that are left over take a pass of fewer sweeps, which lasts about as long, or a single sweep.
  std::int64_t const rest = p.steps % tuning.depth;
  Estimate e              = Cuda::finish(k, p, device, p.steps - rest);
  if (rest == 1) e.seconds += single_sweep_seconds(p, device);
  if (rest > 1) e.seconds += pass;
  return e;
}

/// By the plan itself.
Estimate tiles(TileTuning const& tuning, Problem const& p, DeviceModel const& device) {
  double const direct = single_sweep_seconds(p, device);
  std::vector<std::pair<int, double>> passes;
  double best    = direct;
  int best_depth = 0;
  for (int depth = 1; depth <= std::min<std::int64_t>(p.steps, most_tile_depth(p.rank, tuning.radius)); ++depth) {
    TilePlan const plan = plan_tiles(p, tuning, device, depth, true);
    double seconds      = plan.args.row_vectors == 0 ? direct * depth : plan.seconds;
    if (depth == 1) seconds = std::min(seconds, direct);
    passes.emplace_back(depth, seconds);
    if (seconds / depth >= best) continue;
    best       = seconds / depth;
    best_depth = depth;
  }
  if (best_depth == 0) return by_way_of_direct(p, device);
  Kernel k   = pass_of(p, device, best_depth);
  k.fraction = std::min(1.0, Cuda::roofline(k, p, device) * Cuda::points_of(p) / (best * best_depth));
  Estimate e = Cuda::finish(k, p, device);
  e.seconds  = Cuda::Passes(passes, p.steps).seconds(p.steps);
  return e;
}

}  // namespace

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  Kernels const found = find_kernels(p, device);
  // Only tiles are used for single sweeps.
  if (!found || (p.steps == 1 && found.tiles == nullptr) || p.points() == 0) return {by_way_of_direct(p, device)};
  if (found.line != nullptr) return {lines(tuned(*found.line, p.value_type, device), p, device)};
  if (!found.strips.empty()) return {strips(tuned(*found.strips.front(), p.value_type, device), p, device)};
  if (!found.space.empty()) return {space(tuned(*found.space.front(), p.value_type, device), p, device)};
  return {tiles(tuned(*found.tiles, p, device), p, device)};
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
