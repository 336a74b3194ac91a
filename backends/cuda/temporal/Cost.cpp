// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/KernelTime.hpp"
#include "common/Passes.hpp"
#include "temporal/TileCut.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

// Many sweeps on CUDA cores, several levels of time in flight.

namespace KokkosStencil {
namespace CudaModel {

namespace {

/// The pipelines for a problem: the deepest that a block's shared memory has room for.
struct Found {
  Pipeline const* strips     = nullptr;
  SpacePipeline const* space = nullptr;
  bool line                  = false;
  bool tiles                 = false;  ///< where there are no others
  std::string not_extended;            ///< why one left out does not do
  int too_large = 0;                   ///< shared memory that one left out would need

  explicit operator bool() const { return strips != nullptr || space != nullptr || line || tiles; }
};

/// Whether a 3-D stencil is the star, the box, or its middle plane and the corners of its neighbours.
bool in_space(Problem const& p, Shape const& s) {
  int const radius = p.upper[0];
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.lower[a] != -radius || p.upper[a] != radius) return false;
  }
  return s.rank == 3 || std::all_of(p.terms.begin(), p.terms.end(), [](Impl::Term const& t) {
           return t.offset[0] == 0 || (t.offset[1] != 0 && t.offset[2] != 0);
         });
}

Found find(Problem const& p, DeviceModel const& device) {
  Found found;
  int const room     = shared_bytes_of(device.compute_capability);
  Shape const s      = shape_of(p);
  bool const bfloat  = p.value_type == ValueType::bfloat16;
  auto const take_if = [&](bool suits, int shared, auto const& k, auto const*& to) {
    if (!suits || to != nullptr) return;
    // Only now: for many terms it takes long.
    if (std::string const no = extension_refusal(p); !no.empty()) {
      found.not_extended = no;
    } else if (shared <= room) {
      to = &k;
    } else {
      found.too_large = shared;
    }
  };
  if (p.rank == 1) found.line = s.rank == 1 && s.radius >= 1 && s.radius <= 4;
  if (p.rank == 2 && s.rank == 2 && !bfloat) {
    std::size_t const type = type_index(p.value_type);
    for (Pipeline const& k : pipelines) {
      take_if(k.star == s.star && k.radius == s.radius && k.depth[type] > 0, k.shared[type], k, found.strips);
    }
  }
  if (p.rank == 3 && !bfloat && in_space(p, s)) {
    auto const consider = [&](SpacePipeline const& k) {
      take_if(k.radius == p.upper[0] && k.terms == p.terms.size(), k.shared, k, found.space);
    };
    if (p.value_type == ValueType::float16) consider(half_star);
    for (SpacePipeline const& k : space_pipelines) {
      if (p.value_type != ValueType::float16) consider(k);
    }
  }
  found.tiles = !found && p.rank > 1 && tile_shape(p).rank > 0;
  return found;
}

constexpr char const* canonical_bits =
    "fused sweeps keep the canonical bits for float and double without mirror and edge only";

/// Whether the stencil is its own mirror image along an axis.
bool symmetric(Problem const& p, std::size_t axis) {
  // Terms are in canonical order, by offset.
  return std::all_of(p.terms.begin(), p.terms.end(), [&](Impl::Term const& t) {
    auto offset    = t.offset;
    offset[axis]   = -offset[axis];
    auto const its = std::lower_bound(p.terms.begin(), p.terms.end(), offset,
                                      [](Impl::Term const& u, auto const& o) { return u.offset < o; });
    return its != p.terms.end() && its->offset == offset && its->coefficient == t.coefficient;
  });
}

bool all_periodic(Problem const& p) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > 1 && p.faces[a][0].kind != BoundaryKind::periodic) return false;
  }
  return true;
}

/// Seconds of one pass of a 3-D pipeline. Chunks of planes keep the multiprocessors busy to the end, but for 5 %.
double space_pass(SpacePipeline const& k, Problem const& p, DeviceModel const& device) {
  std::size_t const type = p.value_type == ValueType::float64 ? 1 : 0;
  double const piece     = 16.0 / size_of(p.value_type);
  double const reach     = k.depth * k.radius;
  double const own[2]    = {k.rows - 2.0 * reach,
                            static_cast<double>(k.row) / size_of(p.value_type) - 2.0 * piece * std::ceil(reach / piece)};
  double all = 1.0, inside = 1.0;
  for (std::size_t a = 0; a < 2; ++a) {
    double const tiles = std::ceil(static_cast<double>(p.end[a + 1] - p.begin[a + 1]) / own[a]);
    all *= tiles;
    inside *= p.faces[a + 1][0].kind == BoundaryKind::periodic ? tiles : std::max(0.0, tiles - 2.0);
  }
  auto const planes   = static_cast<double>(p.end[0] - p.begin[0]);
  double const chunks = std::min(planes, std::max(2.0, std::ceil(2.0 * device.multiprocessors / all)));
  double const mean   = (inside * k.plane[type] + (all - inside) * k.masked[type]) / all;
  double const steps =
      std::max(planes / chunks + k.warm, 1.05 * all * (planes + k.warm * chunks) / device.multiprocessors);
  double const h200 = fitted_on().rate(ComputeUnit::cores, p.value_type) / 132.0;
  return steps * mean * h200 * device.multiprocessors / device.rate(ComputeUnit::cores, p.value_type);
}

/// Single sweeps are cuda_direct's, by way of this backend.
Estimate by_way_of_direct(Problem const& p, DeviceModel const& device) {
  Estimate e = direct_sweeps(p, device, p.steps);
  e.seconds *= 1.01;
  return e;
}

/// As cuda_temporal plans its passes.
Estimate tile_passes(Kernel k, Problem const& p, DeviceModel const& device) {
  double const direct = direct_sweeps(p, device, 1).seconds;
  std::vector<std::pair<int, double>> passes;
  double best = direct;
  k.depth     = 0;
  for (int levels = 1; levels <= std::min<std::int64_t>(p.steps, most_tile_levels(p)); ++levels) {
    TileCut const cut = cut_tiles(p, levels, device);
    double seconds    = cut.pieces == 0 ? direct * levels : cut.seconds;
    if (levels == 1) seconds = std::min(seconds, direct);
    passes.emplace_back(levels, seconds);
    if (seconds / levels >= best) continue;
    best    = seconds / levels;
    k.depth = levels;
  }
  if (k.depth == 0) return by_way_of_direct(p, device);
  k.work     = Model::time_blocked(static_cast<double>(p.terms.size()), size_of(p.value_type), k.depth);
  k.fraction = std::min(1.0, roofline(k, p, device) * points_of(p) / (best * k.depth));
  Estimate e = finish(k, p, device);
  e.seconds  = Passes(passes, p.steps).seconds(p.steps);
  return e;
}

}  // namespace

std::string temporal_refusal(Problem const& p, DeviceModel const& device) {
  constexpr std::int64_t largest_extent = std::int64_t(1) << 30;
  if (std::string const no = no_cuda(p, device); !no.empty()) return no;
  Found const found = find(p, device);
  if (!found && found.too_large > 0) {
    return "the pipeline needs " + std::to_string(found.too_large) + " bytes of shared memory a block";
  }
  if (!found && !found.not_extended.empty()) return found.not_extended;
  if (!found) return "no pipeline for this shape and value type";
  if (p.in_stride != p.out_stride) return "the strides of the two Views differ";
  if (p.in_stride[2] != 1) return "no axis of the Views is contiguous";
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > largest_extent) return "an extent is larger than 2^30";
  }
  if (p.rank == 1 && p.accuracy == Accuracy::reproducible && size_of(p.value_type) == 2) return canonical_bits;
  return "";
}

std::string extension_refusal(Problem const& p) {
  bool mirrors = false;
  for (std::size_t a = 0; a < 3; ++a) {
    for (Face const& face : p.faces[a]) {
      bool const mirror = face.kind == BoundaryKind::mirror, edge = face.kind == BoundaryKind::edge;
      mirrors = mirrors || mirror || edge;
      if (edge && p.upper[a] > 1) return "edge boundaries are fused for radius 1 only";
      if ((mirror || edge) && !symmetric(p, a)) {
        return std::string(to_string(face.kind)) + " boundaries are fused for symmetric stencils only";
      }
    }
  }
  return p.accuracy == Accuracy::reproducible && (mirrors || size_of(p.value_type) == 2) ? canonical_bits : "";
}

std::vector<Estimate> temporal(Problem const& p, DeviceModel const& device) {
  Found const found = find(p, device);
  // One sweep is for tiles alone.
  if (!found || (p.steps == 1 && !found.tiles) || p.points() == 0) return {by_way_of_direct(p, device)};
  Pipeline const* const pipeline      = found.strips;
  SpacePipeline const* const in_space = found.space;
  bool const line                     = found.line;
  auto const terms                    = static_cast<double>(p.terms.size());
  Kernel k                            = one_sweep(p);
  k.least_seconds                     = host_launch;
  if (found.tiles) return {tile_passes(k, p, device)};
  if (in_space != nullptr) {
    int const deep       = in_space->depth;
    double const halo    = 2.0 * deep * in_space->radius,
                 columns = static_cast<double>(in_space->row) / size_of(p.value_type);
    double const overlap = columns / (columns - halo) * in_space->rows / (in_space->rows - halo);
    double const pass    = space_pass(*in_space, p, device);
    k.depth              = deep;
    k.work               = Model::time_blocked(terms, size_of(p.value_type), deep);
    k.work.operations *= overlap;
    k.work.bytes *= (overlap + 1.0) / 2.0;
    Model::Roofline const roof{device.rate(k.unit, k.operand), device.bandwidth};
    k.fraction = std::min(1.0, roof.seconds(k.work) * points_of(p) / pass);
    // What is left over of the steps is a shallower pass, which takes about as long, or a single sweep.
    std::int64_t const rest = p.steps % deep;
    Estimate e              = finish(k, p, device, p.steps - rest);
    if (rest == 1) e.seconds += direct_sweeps(p, device, 1).seconds;
    if (rest > 1) e.seconds += pass;
    return {e};
  }
  std::size_t const type  = type_index(p.value_type);
  DeviceModel const& h200 = fitted_on();
  Model::Roofline const measured_on{h200.rate(k.unit, k.operand), h200.bandwidth};
  if (line) {
    int const radius   = p.upper[2];
    double const rate  = line_rate[radius - 1][type] * device.rate(k.unit, k.operand) / h200.rate(k.unit, k.operand);
    double const piece = 16.0 / size_of(p.value_type), warps = 4.0 * device.multiprocessors;
    std::vector<std::pair<int, double>> passes{{1, direct_sweeps(p, device, 1).seconds}};
    Model::Roofline const roof = roofline_of(k, p, device);
    double const points        = points_of(p);
    double best                = std::numeric_limits<double>::max();
    for (int depth = 2; depth <= std::min<std::int64_t>(p.steps, std::min(64, line_width[type] / 4 / radius));
         ++depth) {
      // As cuda_temporal plans them. One warp alone leaves half of its scheduler idle.
      double const own    = line_width[type] - 2.0 * piece * std::ceil(depth * radius / piece);
      double const rounds = std::ceil(std::ceil(points / own) / warps);
      Kernel pass         = k;
      pass.depth          = depth;
      pass.work           = Model::time_blocked(terms, size_of(p.value_type), depth);
      pass.work.operations *= line_width[type] / own;
      double const work  = (rounds + 1.0) * warps * line_width[type] * depth / rate;
      double const copy  = points * pass.work.bytes / (0.9 * device.bandwidth);
      pass.fraction      = std::min(1.0, roof.seconds(pass.work) * points / std::max(work, copy));
      pass.extra_seconds = pipeline_pass;
      Estimate const e   = Model::estimate(pass, roof, device.launch_seconds, points, depth);
      passes.emplace_back(depth, e.seconds);
      if (e.seconds / depth >= best) continue;
      best = e.seconds / depth;
      k    = pass;
    }
    Estimate e = finish(k, p, device);
    e.seconds  = Passes(passes, p.steps).seconds(p.steps);
    return {e};
  }
  int const depth   = pipeline->depth[type];
  double const halo = depth * pipeline->radius, own = pipeline->width[type] - 2.0 * halo;
  double const overlap = pipeline->width[type] / own;
  k.depth              = depth;
  k.work               = Model::time_blocked(terms, size_of(p.value_type), depth);
  k.work.operations *= overlap;
  k.work.bytes *= (overlap + 1.0) / 2.0;
  k.fraction      = measured_on.seconds(k.work) * pipeline->rate[type] / depth;
  k.extra_seconds = pipeline_pass;
  // A strip is cut into chunks, so that all warps have one; each begins and ends with rows that others own.
  auto const columns  = static_cast<double>(p.end[2] - p.begin[2]);
  auto const rows     = static_cast<double>(p.end[1] - p.begin[1]);
  double const strips = std::ceil(columns / own), warps = pipeline_warps * device.multiprocessors;
  double const chunk = std::max(4.0, strips < warps ? rows * strips / warps : rows);
  k.redundancy       = (chunk + 2.0 * halo) / chunk * strips * own / columns *
                 (strips < warps ? 1.0 : Model::wave_redundancy(strips, warps));
  // Fewer warps than there is room for; each is faster then, but less so than the others are missed.
  double const tasks = strips * std::ceil(rows / chunk);
  if (tasks < warps) k.redundancy *= (warps / tasks + 2.0) / 3.0;
  if (!all_periodic(p)) k.redundancy *= framed;
  // What is left over of the steps.
  Estimate e        = finish(k, p, device, depth);
  double const pass = e.seconds, left = static_cast<double>(p.steps % depth);
  e.seconds *= static_cast<double>(p.steps / depth);
  if (left == 1.0) e.seconds += direct_sweeps(p, device, 1).seconds;
  if (left > 1.0) e.seconds += pass * shallow_pass[type] * (0.6 + 0.4 * left / depth);
  return {e};
}

}  // namespace CudaModel
}  // namespace KokkosStencil
