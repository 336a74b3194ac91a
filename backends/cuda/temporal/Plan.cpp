// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "temporal/Plan.hpp"

#include "BrickPlan.hpp"
#include "LinePlan.hpp"
#include "PatchPlan.hpp"
#include "SpacePlan.hpp"
#include "StripPlan.hpp"
#include "common/KernelTime.hpp"
#include "common/Padding.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace {

constexpr char const* canonical_bits =
    "fused sweeps keep the canonical bits for float and double without mirror and edge only";

/// Whether the stencil is its own mirror image along an axis.
bool symmetric(Problem const& p, std::size_t axis) {
  // Terms are in canonical order, by offset.
  return std::all_of(p.terms.begin(), p.terms.end(), [&](Term const& t) {
    auto offset    = t.offset;
    offset[axis]   = -offset[axis];
    auto const its = std::lower_bound(p.terms.begin(), p.terms.end(), offset,
                                      [](Term const& u, auto const& o) { return u.offset < o; });
    return its != p.terms.end() && its->offset == offset && its->coefficient == t.coefficient;
  });
}

/// Whether a kernel made for `kernel` serves the stencil that `shape` encloses. Where ghost values are used up kernels
/// rely on the stencil's reach.
bool serves(Shape const& kernel, Shape const& shape, Problem const& p) {
  if (kernel.star != shape.star || kernel.rank != shape.rank || kernel.radius != shape.radius) return false;
  if (kernel.terms != Terms::some) return kernel.terms == shape.terms;
  return shape.terms != Terms::all && p.used_up == Problem().used_up;
}

bool suits(SpaceTuning const& k, Problem const& p, Shape const& shape) {
  if (p.rank != 3) return false;
  if (k.stencil == SpaceStencil::star || k.stencil == SpaceStencil::box) return serves(k.shape(), shape, p);
  bool const reaches = std::all_of(p.lower.begin(), p.lower.end(), [](int r) { return r == -1; }) &&
                       std::all_of(p.upper.begin(), p.upper.end(), [](int r) { return r == 1; });
  return reaches && p.terms.size() == static_cast<std::size_t>(k.term_count()) &&
         std::all_of(p.terms.begin(), p.terms.end(),
                     [&](Term const& t) { return has_term(k.stencil, t.offset[0], t.offset[1], t.offset[2]); });
}

}  // namespace

LineTuning tuned(LineTuning k, ValueType type, DeviceModel const& device) {
  k.rate = Cuda::tuned(device, k.rate, [&] {
    return std::string("cuda_temporal/") + Model::type_name(type) + "/lines/r" + std::to_string(k.radius) +
           (k.terms == Terms::all    ? ""
            : k.terms == Terms::some ? "-pattern"
                                     : "-no-centre") +
           "/rate";
  });
  return k;
}

StripTuning tuned(StripTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    return std::string("cuda_temporal/") + Model::type_name(type) + "/strips/" + Cuda::shape_name(k.shape) +
           "/sweeps:" + std::to_string(k.depth) + "/" + what;
  };
  k.rate             = Cuda::tuned(device, k.rate, [&] { return name("rate"); });
  k.general_row_cost = Cuda::tuned(device, k.general_row_cost, [&] { return name("general_row_cost"); });
  return k;
}

PatchTuning tuned(PatchTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    return std::string("cuda_temporal/") + Model::type_name(type) + "/patches/" + Cuda::shape_name(k.shape) + "/" +
           std::to_string(k.columns_per_lane) + "x" + std::to_string(k.rows_per_warp) + "/" + what;
  };
  k.block_seconds = Cuda::tuned(device, k.block_seconds, [&] { return name("block_seconds"); });
  k.sweep_seconds = Cuda::tuned(device, k.sweep_seconds, [&] { return name("sweep_seconds"); });
  return k;
}

BrickTuning tuned(BrickTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    return std::string("cuda_temporal/") + Model::type_name(type) + "/bricks/" + Cuda::shape_name(k.shape) + "/" + what;
  };
  k.plane_seconds = Cuda::tuned(device, k.plane_seconds, [&] { return name("plane_seconds"); });
  k.warp_seconds  = Cuda::tuned(device, k.warp_seconds, [&] { return name("warp_seconds"); });
  k.sweep_seconds = Cuda::tuned(device, k.sweep_seconds, [&] { return name("sweep_seconds"); });
  return k;
}

SpaceTuning tuned(SpaceTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    bool const part         = k.stencil == SpaceStencil::box17 || k.stencil == SpaceStencil::box19;
    std::string const shape = part ? "box" + std::to_string(k.term_count()) + "-3d1r" : Cuda::shape_name(k.shape());
    return std::string("cuda_temporal/") + Model::type_name(type) + "/space/" + shape +
           "/sweeps:" + std::to_string(k.depth) + "/" + std::to_string(k.rows) + "x" + std::to_string(k.lanes) + "/" +
           what;
  };
  k.plane_seconds        = Cuda::tuned(device, k.plane_seconds, [&] { return name("plane_seconds"); });
  k.frame_seconds        = Cuda::tuned(device, k.frame_seconds, [&] { return name("frame_seconds"); });
  k.whole_vector_seconds = Cuda::tuned(device, k.whole_vector_seconds, [&] { return name("whole_vector_seconds"); });
  return k;
}

TileTuning tuned(TileTuning k, Problem const& p, DeviceModel const& device) {
  double& seconds = p.rank == 2 ? k.plane_seconds : k.volume_seconds;
  seconds         = Cuda::tuned(device, seconds, [&] {
    return std::string("cuda_temporal/") + Model::type_name(p.value_type) + "/tiles/" +
           Cuda::shape_name({k.star, p.rank, k.radius}) + "/seconds";
  });
  return k;
}

std::string extension_unsupported_reason(Problem const& p) {
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

Kernels find_kernels(Problem const& p, DeviceModel const& device) {
  int const shared_bytes = Cuda::shared_bytes_of(device.compute_capability);
  Kernels found;
  Shape const shape = Cuda::enclosing_shape(p);
  std::string not_extended;
  bool asked     = false;
  int least_room = 0;
  auto const add = [&](auto const& k, auto& to) {
    // Asked only if a kernel has the shape, since it takes long for many terms.
    if (!asked) not_extended = extension_unsupported_reason(p);
    asked            = true;
    int const needed = k.shared_bytes(size_of(p.value_type));
    if (!not_extended.empty()) return;
    if (needed <= shared_bytes) {
      to.push_back(&k);
    } else {
      least_room = least_room == 0 ? needed : std::min(least_room, needed);
    }
  };
  for (LineTuning const& k : line_table(p.value_type)) {
    // Without the centre the kernel that misses nothing else comes first.
    if (p.rank == 1 && found.line == nullptr && serves(k.shape(), shape, p)) found.line = &k;
  }
  for (StripTuning const& k : strip_table(p.value_type)) {
    if (p.rank == 2 && serves(k.shape, shape, p)) add(k, found.strips);
  }
  for (PatchTuning const& k : patch_table(p.value_type)) {
    if (p.rank == 2 && serves(k.shape, shape, p)) add(k, found.patches);
  }
  for (SpaceTuning const& k : space_table(p.value_type)) {
    if (suits(k, p, shape) && device.compute_capability >= k.least_compute_capability) add(k, found.space);
  }
  for (BrickTuning const& k : brick_table(p.value_type)) {
    if (p.rank == 3 && serves(k.shape, shape, p)) add(k, found.bricks);
  }
  // Where these do not fit, tiles do planes and volumes of any size; the two are not mixed.
  if (found.strips.empty()) found.patches.clear();
  if (found.space.empty()) found.bricks.clear();
  if (found) return found;
  for (TileTuning const& k : tile_table(p.value_type)) {
    if (p.rank > 1 && shape == Shape{k.star, p.rank, k.radius}) found.tiles = &k;
  }
  if (found) return found;
  found.unsupported_reason =
      least_room > 0          ? "the pipeline needs " + std::to_string(least_room) + " bytes of shared memory a block"
      : !not_extended.empty() ? not_extended
                              : "no pipeline for this shape and value type";
  return found;
}

SpaceTuning const* find_end(Problem const& p, DeviceModel const& device) {
  if (p.rank != 3 || p.in_stride[2] != 1 || p.out_stride[2] != 1) return nullptr;
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > index_limit) return nullptr;
    for (std::size_t side = 0; side < 2; ++side) {
      BoundaryKind const kind = p.faces[a][side].kind;
      if (kind == BoundaryKind::value || (a == 2 && kind != BoundaryKind::halo)) return nullptr;
      if (p.used_up[a][side] || p.early[a][side] > 0) return nullptr;
      // Points within the radius of the range that change in no sweep would have to be stored by two tiles.
      std::int64_t const beyond = side == 0 ? p.begin[a] : p.extent[a] - p.end[a];
      if (kind != BoundaryKind::halo && beyond > 0 && beyond < p.upper[a]) return nullptr;
    }
  }
  int const shared_bytes = Cuda::shared_bytes_of(device.compute_capability);
  for (SpaceTuning const* const k : find_kernels(p, device).space) {
    if (k->stencil == SpaceStencil::star && k->radius > 1 &&
        device.compute_capability < anywhere_long_star_capability) {
      continue;
    }
    if (k->anywhere && k->shared_bytes(size_of(p.value_type), true) <= shared_bytes) return k;
  }
  return nullptr;
}

std::vector<double> kernel_coefficients(Problem const& p) {
  Shape const shape = Cuda::enclosing_shape(p);
  // Of boxes in 3-D kernels for some terms take these only.
  if (shape.terms != Terms::all && (shape.star || shape.rank < 3)) return Cuda::coefficients_of(p, shape);
  std::vector<double> all;
  for (Term const& t : p.terms) all.push_back(t.coefficient);
  return all;
}

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  if (std::string const no = Cuda::no_cuda(p, device); !no.empty()) return no;
  if (Kernels const kernels = find_kernels(p, device); !kernels) return kernels.unsupported_reason;
  if (p.in_stride != p.out_stride) return "the strides of the two Views differ";
  if (p.in_stride[2] != 1) return "no axis of the Views is contiguous";
  for (std::size_t a = 0; a < 3; ++a) {
    if (p.extent[a] > index_limit) return "an extent is larger than 2^30";
  }
  if (p.rank == 1 && p.accuracy == Accuracy::reproducible && size_of(p.value_type) == 2) return canonical_bits;
  return "";
}

int ends_apart(Problem const& p, int vector_values) {
  int ends         = 0;
  bool const whole = p.extent[2] % vector_values == 0;
  for (std::size_t side = 0; side < 2; ++side) {
    BoundaryKind const kind = p.faces[2][side].kind;
    bool const apart = kind == BoundaryKind::halo ? side == 1 && !whole : kind != BoundaryKind::periodic || !whole;
    ends += apart ? 1 : 0;
  }
  return ends;
}

PassPlan::PassPlan(Problem const& p, Kernels const& kernels, Gpu const& gpu, double single, double cost) {
  // Bricks count with a caution beside tiles, which are predicted too long. Single sweeps are not.
  double caution = 1.0;
  for (BrickTuning const* const k : kernels.bricks) caution = std::max(caution, k->caution);
  Pass pass;
  pass.seconds = single * caution;
  m_passes.push_back(pass);
  if (p.points() > 0) add_fused(p, kernels, gpu);
  for (Pass& one : m_passes) one.seconds *= one.depth == 1 ? cost : 1.0;
  // Of the passes of one depth only the fastest is kept.
  std::stable_sort(m_passes.begin(), m_passes.end(), [](Pass const& a, Pass const& b) {
    return a.depth > b.depth || (a.depth == b.depth && a.seconds < b.seconds);
  });
  m_passes.erase(
      std::unique(m_passes.begin(), m_passes.end(), [](Pass const& a, Pass const& b) { return a.depth == b.depth; }),
      m_passes.end());
  std::vector<std::pair<int, double>> costs;
  for (Pass const& one : m_passes) costs.emplace_back(one.depth, one.seconds);
  m_cut = Cuda::Passes(costs);
}

std::size_t PassPlan::next(std::int64_t steps) const {
  int const depth = m_cut.next(steps);
  auto const its  = std::find_if(m_passes.begin(), m_passes.end(), [&](Pass const& p) { return p.depth == depth; });
  return static_cast<std::size_t>(its - m_passes.begin());
}

void PassPlan::add_fused(Problem const& p, Kernels const& kernels, Gpu const& gpu) {
  std::int64_t const multiprocessors = gpu.facts.sm_count;
  bool const aligned                 = Cuda::aligned_rows(p);
  if (LineTuning const* const k = kernels.line; k != nullptr) {
    for (int depth = 2; depth <= k->most_depth(); ++depth) {
      LineArgs const args = plan_line(p, *k, depth, aligned);
      m_passes.push_back({depth, line_seconds(p, tuned(*k, p.value_type, gpu.model), args, gpu.model), k});
    }
  }
  for (StripTuning const* const k : kernels.strips) {
    for (int depth = 2; depth <= k->depth; ++depth) {
      StripPlan const plan = plan_strips(p, *k, multiprocessors, depth, aligned);
      m_passes.push_back({depth, strips_seconds(plan, p, tuned(*k, p.value_type, gpu.model), gpu.model), k});
    }
  }
  for (PatchTuning const* const k : kernels.patches) {
    PatchTuning const its = tuned(*k, p.value_type, gpu.model);
    for (int depth = 2; depth <= k->most_depth(); ++depth) {
      PatchArgs const args = plan_patches(p, its, depth, aligned);
      if (suits_patches(args, gpu.model))
        m_passes.push_back({depth, patches_seconds(args, its, p.value_type, gpu.model), k});
    }
  }
  for (BrickTuning const* const k : kernels.bricks) {
    BrickTuning const its = tuned(*k, p.value_type, gpu.model);
    for (int depth = 2; depth <= k->most_depth(); ++depth) {
      BrickPlan const plan = plan_bricks(p, its, gpu.model, depth, aligned);
      if (plan.seconds > 0.0) m_passes.push_back({depth, plan.seconds, k});
    }
  }
  for (SpaceTuning const* const k : kernels.space) {
    double const seconds =
        plan_space(p, tuned(*k, p.value_type, gpu.model), multiprocessors, aligned, Effort::rough).seconds;
    m_passes.push_back({k->depth,
                        pass_seconds + seconds / Cuda::multiprocessor_speed(gpu.model, p.value_type) +
                            slower_memory_seconds(p, *k, gpu.model),
                        k});
  }
  if (TileTuning const* const k = kernels.tiles; k != nullptr) {
    for (int depth = 1; depth <= most_tile_depth(p.rank, k->radius); ++depth) {
      TilePlan const plan = plan_tiles(p, tuned(*k, p, gpu.model), gpu.model, depth, aligned);
      if (plan.args.row_vectors > 0) m_passes.push_back({depth, plan.seconds, k});
    }
  }
}

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
