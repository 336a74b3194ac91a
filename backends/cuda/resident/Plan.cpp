// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "resident/Plan.hpp"

#include "common/Alignment.hpp"
#include "common/KernelTime.hpp"
#include "common/Padding.hpp"
#include "direct/Plan.hpp"
#include "resident/VolumePlan.hpp"
#include "temporal/PatchPlan.hpp"
#include "temporal/Plan.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <algorithm>
#include <limits>
#include <set>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

namespace {

bool suits(KernelTuning const& k, Problem const& p) { return p.rank == 2 && shape_of(p) == k.shape; }

KernelTuning calibrated(KernelTuning k, ValueType type, DeviceModel const& device) {
  auto const name = [&](char const* what) {
    return std::string("cuda_resident/") + Model::type_name(type) + "/" + shape_name(k.shape) + "/" +
           std::to_string(k.columns_per_lane) + "x" + std::to_string(k.rows_per_warp) +
           (k.image || k.warps == 8 ? "" : "x" + std::to_string(k.warps)) + "/" + what;
  };
  k.block_seconds = Cuda::tuned(device, k.block_seconds, [&] { return name("block_seconds"); });
  k.sweep_seconds = Cuda::tuned(device, k.sweep_seconds, [&] { return name("sweep_seconds"); });

  k.exchange_seconds = Cuda::tuned(device, k.exchange_seconds, [&] { return name("exchange_seconds"); });
  k.edges            = Cuda::tuned(device, k.edges, [&] { return name("edges"); });
  return k;
}

/// Whether blocks can do without an image of their patch: rows of the halo are whole vectors, and few of the others do
/// not change.
bool plain_faces(KernelTuning const& k, Problem const& p) {
  for (std::size_t a = 1; a < 3; ++a) {
    for (Face const& f : p.faces[a]) {
      bool const wraps = f.kind == BoundaryKind::periodic && p.begin[a] == 0 && p.end[a] == p.extent[a] &&
                         (a == 1 || p.extent[a] % k.columns_per_lane == 0);
      if (!wraps && f.kind != BoundaryKind::halo && f.kind != BoundaryKind::value) return false;
    }
  }
  return true;
}

/// Depths that plans try: the time changes little between two of them.
constexpr int depths[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32};

/// Which patches along an axis exchange values: for each one, those whose values it reads and those that read its own.
/// It waits for both, so that nobody writes what another has yet to read.
std::vector<std::set<int>> peers_along(Temporal::PatchArgs const& g, std::size_t axis) {
  int const count = g.patches[axis];
  std::vector<std::set<int>> peers(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    int const first = g.first[axis] + g.halo[axis] + i * g.step[axis];
    int const own   = i == 0 ? g.begin[axis] : first;
    int const end   = i + 1 == count ? g.end[axis] : first + g.step[axis];
    peers[static_cast<std::size_t>(i)].insert(i);
    for (int at = own - g.halo[axis]; at < end + g.halo[axis]; ++at) {
      if (at == own) at = end;
      int side             = -1;
      std::int64_t const m = Impl::map_near_index(at, g.extent[axis], g.faces[axis], side);
      if (side >= 0 || m < g.begin[axis] || m >= g.end[axis]) continue;
      std::int64_t const past = m - g.first[axis] - g.halo[axis];
      int const other         = past < 0 ? 0 : static_cast<int>(std::min<std::int64_t>(count - 1, past / g.step[axis]));
      peers[static_cast<std::size_t>(i)].insert(other);
      peers[static_cast<std::size_t>(other)].insert(i);
    }
  }
  return peers;
}

}  // namespace

std::string unsupported_reason(Problem const& p, DeviceModel const& device) {
  return p.rank == 3 ? VolumePlan(p, device).unsupported_reason() : Plan(p, device).unsupported_reason();
}

namespace {

template <class Plan>
std::vector<Estimate> cost_by(Plan const& plan, Problem const& p, DeviceModel const& device) {
  // Single sweeps are handed on to cuda_direct.
  if (p.steps == 1 || p.points() == 0 || !plan.unsupported_reason().empty()) {
    Estimate e = Direct::cost_of_sweeps(p, device, p.steps);
    e.seconds *= Temporal::predicted_delegation;
    return {e};
  }
  Cuda::Kernel k       = one_sweep(p);
  k.least_seconds      = host_launch_seconds(device);
  k.depth              = static_cast<int>(std::min<std::int64_t>(p.steps, std::numeric_limits<int>::max()));
  k.work               = Model::time_blocked(static_cast<double>(p.terms.size()), size_of(p.value_type), k.depth);
  double const seconds = plan.seconds(p.steps);
  k.fraction           = std::min(1.0, roofline(k, p, device) * points_of(p) * k.depth / seconds);
  Estimate e           = finish(k, p, device);
  e.seconds            = seconds;
  e.device_seconds     = 0.0;
  return {e};
}

}  // namespace

std::vector<Estimate> cost(Problem const& p, DeviceModel const& device) {
  return p.rank == 3 ? cost_by(VolumePlan(p, device), p, device) : cost_by(Plan(p, device), p, device);
}

Plan::Plan(Problem const& p, DeviceModel const& device) {
  m_reason = no_cuda(p, device);
  if (!m_reason.empty()) return;
  m_reason         = "keeps no stencil of this shape and value type on the chip";
  auto const table = kernel_table(p.value_type);
  if (std::none_of(table.begin(), table.end(), [&](KernelTuning const& k) { return suits(k, p); })) return;
  m_reason = Temporal::extension_unsupported_reason(p);
  if (!m_reason.empty()) return;
  m_reason = "the strides of the two Views differ";
  if (p.in_stride != p.out_stride) return;
  m_reason = "no axis of the Views is contiguous";
  if (p.in_stride[2] != 1) return;
  m_reason = "the field does not fit on the chip";
  // What cannot fit, however it is cut: every point takes a register, or a place in shared memory.
  std::int64_t const most = std::int64_t(device.multiprocessors) * (480 * 1024 / size_of(p.value_type));
  if (p.points() > most || p.extent[1] > index_limit || p.extent[2] > index_limit) return;
  double least = std::numeric_limits<double>::max();
  Plan best    = *this;
  for (int kernel = 0; kernel < table.count; ++kernel) {
    if (!suits(table.rows[kernel], p)) continue;
    for (int const depth : depths) {
      // Deeper, there are no fewer patches.
      if (!cut(p, device, static_cast<std::size_t>(kernel), depth)) break;
      double const its = seconds(std::max<std::int64_t>(2, p.steps));
      if (its >= least) continue;
      least = its;
      best  = *this;
      best.m_reason.clear();
    }
  }
  *this = best;
}

Plan::Plan(Problem const& p, DeviceModel const& device, std::size_t kernel, int depth) {
  if (!cut(p, device, kernel, depth)) m_reason = "the field does not fit on the chip";
}

bool Plan::cut(Problem const& p, DeviceModel const& device, std::size_t kernel, int depth) {
  int const value_bytes             = size_of(p.value_type);
  KernelTuning const k              = calibrated(kernel_table(p.value_type).rows[kernel], p.value_type, device);
  Temporal::PatchLayout const shape = k.layout(value_bytes);
  m_kernel                          = kernel;
  int const room                    = shared_bytes_of(device.compute_capability);
  if (shared_bytes(k, value_bytes) > (device.compute_capability < 90 ? std::min(room, shared_bytes_before_90) : room)) {
    return false;
  }
  if (!k.image && !plain_faces(k, p)) return false;
  // Halos come from the patches beside, and from those beyond only where the last patch is thin.
  int const halo = depth * k.shape.radius;
  if (shape.height < 3 * halo || shape.width < 3 * Temporal::rounded_up(halo, k.columns_per_lane)) return false;
  bool const aligned     = aligned_rows(p);
  m_patches              = Temporal::plan_patches(p, k, depth, aligned);
  std::int64_t const all = std::int64_t(m_patches.patches[0]) * m_patches.patches[1];
  if (all > device.multiprocessors) return false;
  // A block alone, around which nothing changes, never exchanges.
  auto const still = [](Face const& f) { return f.kind == BoundaryKind::halo || f.kind == BoundaryKind::value; };
  if (all == 1 && still(p.faces[1][0]) && still(p.faces[1][1]) && still(p.faces[2][0]) && still(p.faces[2][1])) {
    m_patches.depth = std::numeric_limits<std::int32_t>::max();
  }
  double const slower =
      aligned ? 1.0 : Cuda::tuned(device, Temporal::patch_unaligned, "cuda_temporal/patches/unaligned");
  bool const wraps    = p.faces[1][0].kind == BoundaryKind::periodic && p.faces[2][0].kind == BoundaryKind::periodic;
  double const own    = static_cast<double>(m_patches.step[0]) * m_patches.step[1];
  double const points = static_cast<double>(shape.height) * shape.width;
  m_run_seconds       = slower * k.block_seconds;
  m_turn_seconds      = Cuda::tuned(device, turn_seconds, "cuda_resident/turn_seconds");
  bool const reflects = std::any_of(p.faces.begin(), p.faces.end(), [](auto const& axis) {
    return std::any_of(axis.begin(), axis.end(),
                       [](Face const& f) { return f.kind == BoundaryKind::mirror || f.kind == BoundaryKind::edge; });
  });
  m_sweep_seconds     = (wraps ? 1.0 : k.edges) * (reflects ? mirrors : 1.0) * k.sweep_seconds /
                    multiprocessor_speed(device, p.value_type);
  m_exchange_seconds =
      k.exchange_seconds + (points - own) * Temporal::sum_bytes(value_bytes) *
                               Cuda::tuned(device, exchange_byte_seconds, "cuda_resident/exchange_byte_seconds");
  return true;
}

double Plan::seconds(std::int64_t sweeps) const {
  double const exchanges = static_cast<double>((sweeps - 1) / m_patches.depth);
  return caution * (m_run_seconds + static_cast<double>(sweeps) * m_sweep_seconds + exchanges * m_exchange_seconds +
                    (exchanges > 0.0 ? m_turn_seconds : 0.0));
}

std::vector<std::int32_t> Plan::peers() const {
  std::vector<std::int32_t> all;
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::set<int> const& its : peers_along(m_patches, a)) {
      all.push_back(static_cast<std::int32_t>(its.size()));
      all.insert(all.end(), its.begin(), its.end());
      all.resize(all.size() + static_cast<std::size_t>(most_peers) - its.size(), 0);
    }
  }
  return all;
}

std::int64_t Plan::pitch() const {
  // Whole vectors of any kernel.
  return Temporal::rounded_up(m_patches.extent[1], 32);
}

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
