// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_RanksParts.hpp"

#include "KokkosStencil_LocalPolicy.hpp"
#include "KokkosStencil_PredictedPeriod.hpp"

#include <algorithm>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

/// Sweeps that a plan makes in one pass over memory, when it makes so many.
int depth_of(PlanState const& plan, std::int64_t steps) {
  for (Candidate const& c : plan.candidates(steps)) {
    if (c.chosen) return std::max(1, c.estimate.depth);
  }
  return 1;
}

/// A part of a View.
ViewInfo part_of(ViewInfo const& view, Extents3 const& origin, Extents3 const& extent) {
  ViewInfo part   = view;
  std::int64_t at = 0;
  for (std::size_t a = 0; a < 3; ++a) at += origin[a] * view.stride[a] * view.value_size;
  part.data   = static_cast<char*>(view.data) + at;
  part.extent = extent;
  return part;
}

}  // namespace

void RanksPlan::Parts::make_bands(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& info,
                                  SpaceInfo const& space, Launch const& launch) {
  // Of a call that failed.
  bands.clear();
  packer.reset();
  early.reset();
  // On hosts MPI gets on while somebody waits for it only, so that nothing is gained.
  if (ranks->settings().overlap == 0 || (ranks->settings().overlap < 0 && space.host) || points == 0) return;
  if (ranks->settings().overlap < 0) {
    Period const t = predict_period(*ranks, *terms, field.value_type, field.value_size, space, exchange_engine(),
                                    static_cast<int>(sweeps));
    RanksSettings const& s    = ranks->settings();
    NetworkInfo const network = s.network_given ? s.network : device_network(exchange_engine());
    double const exchanged    = exchange_seconds(network, static_cast<double>(exchange->bytes()));
    if (plain_seconds(t, exchanged) <= overlapped_seconds(t, exchanged)) return;
  }
  // The last pass over memory is enough: bands are thin then.
  last             = std::min<std::int64_t>(sweeps, depth_of(*local, sweeps));
  PolicyInfo first = info;
  for (std::size_t a = 0; a < static_cast<std::size_t>(field.rank); ++a) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (!ranks->shared(a, side) || layers[a] == 0) continue;
      std::int64_t const deep = layers[a], extent = field.extent[a], margin = deep / sweeps * last;
      // Where the range does not take in all of it, or where it is most of the block, nothing is to be gained.
      std::int64_t const begin = info.begin[a], end = info.end[a];
      bool const fits =
          side == 0 ? begin == deep && 3 * deep <= end : end == extent - deep && extent - 3 * deep >= begin;
      if (!fits || info.changing[a][side] < deep || (ranks->settings().overlap < 0 && 6 * deep > extent)) {
        bands.clear();
        return;
      }
      first.faces[a][side]    = Face::shared(static_cast<int>(deep - margin));
      first.changing[a][side] = deep - margin;
      (side == 0 ? first.begin : first.end)[a] += side == 0 ? -margin : margin;
      Band band;
      band.axis           = a;
      band.side           = side;
      Extents3 part       = field.extent;
      part[a]             = deep + 2 * margin;
      band.origin[a]      = (side == 0 ? deep : extent - 2 * deep) - margin;
      band.view           = field;
      band.view.extent    = part;
      std::int64_t stride = 1;
      auto const order    = axes_by_stride(field);
      for (std::size_t k = 3; k-- > 0;) {
        if (order[k] < 0) continue;
        band.view.stride[static_cast<std::size_t>(order[k])] = stride;
        stride *= part[static_cast<std::size_t>(order[k])];
      }
      PolicyInfo own          = info;
      own.faces[a][0]         = Face::shared(static_cast<int>(margin));
      own.faces[a][1]         = Face::shared(static_cast<int>(margin));
      own.changing[a]         = {{-1, -1}};
      own.begin[a]            = margin;
      own.end[a]              = margin + deep;
      std::size_t const bytes = static_cast<std::size_t>(stride * field.value_size);
      std::string const mine  = label + " (band)";
      bands.push_back(std::move(band));
      Band& made = bands.back();
      if (packer == nullptr) packer = std::make_unique<Packer>(label, space);
      made.memory[1] = packer->allocate(bytes);
      ViewInfo out   = made.view;
      out.data       = made.memory[1];
      // One pass on a device only reads the field. Others need a copy of it.
      ViewInfo in = part_of(field, made.origin, part);
      made.plan   = std::make_unique<PlanState>(mine, own, terms, in, out, space, launch, last);
      if (!space.host && last > 1 && in.stride == out.stride && depth_of(*made.plan, last) == last) continue;
      made.memory[0] = packer->allocate(bytes);
      in             = made.view;
      in.data        = made.memory[0];
      made.plan      = std::make_unique<PlanState>(mine, own, terms, in, out, space, launch, last);
    }
  }
  if (last == sweeps || bands.empty()) return;
  early = std::make_unique<PlanState>(label + " (early)", first, terms, field, other, space, launch, any_steps);
}

std::array<std::array<std::int64_t, 2>, 3> RanksPlan::Parts::early_layers(ViewInfo const& field, PolicyInfo const& info,
                                                                          SpaceInfo const& space, Launch const& launch,
                                                                          std::int64_t depth) {
  auto all = PolicyInfo().early;
  if (space.host || ranks->settings().overlap == 0 || exchange_engine() != "peer") return all;
  exchange->prepare(true);
  if (!exchange->copies(launch, field)) return all;
  auto chosen      = all;
  double costs     = 0.0;
  auto const& list = local->candidates(sweeps);
  auto const pass  = std::find_if(list.begin(), list.end(), [](Candidate const& c) { return c.chosen; });
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (!ranks->shared(a, side) || layers[a] == 0) continue;
      std::int64_t const deep = layers[a], size = info.end[a] - info.begin[a];
      // Where the range does not take in all of it, or where it is most of the block, nothing is to be gained.
      bool const fits = side == 0 ? info.begin[a] == deep : info.end[a] == field.extent[a] - deep;
      if (!fits || info.changing[a][side] < deep || 3 * deep > size) return all;
      chosen[a][side] = deep;
      costs += early_seconds(pass->predicted * static_cast<double>(depth) / static_cast<double>(sweeps), 1,
                             deep / sweeps * depth, size);
    }
  }
  double const gained =
      exchange_seconds(device_network("peer"), static_cast<double>(exchange->bytes())) - early_overhead;
  return ranks->settings().overlap == 1 || costs < gained ? chosen : all;
}

void RanksPlan::Parts::make_passes(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& info,
                                   SpaceInfo const& space, Launch const& launch) {
  constexpr std::int64_t most = 16;
  passes.clear();  // of a call that failed
  leaves                   = false;
  std::int64_t const depth = depth_of(*local, sweeps), count = sweeps / depth;
  if (depth < 2 || sweeps % depth != 0 || count > most || points == 0) return;
  auto const first_to_leave = early_layers(field, info, space, launch, depth);
  if (count < 2 && first_to_leave == PolicyInfo().early) return;
  std::array<int, 3> lower{}, upper{};
  reach_of(*terms, lower, upper);
  for (std::int64_t left = sweeps; left > 0; left -= depth) {
    // The ghost points that later passes need are in the range of this one: backends may leave out others.
    PolicyInfo pass = info;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t side = 0; side < 2; ++side) {
        if (!ranks->shared(a, side) || layers[a] == 0) continue;
        std::int64_t const reach = side == 0 ? -lower[a] : upper[a];
        std::int64_t const deep  = layers[a] / sweeps * depth;
        std::int64_t const later = std::min(info.changing[a][side], (left - depth) * reach);
        pass.faces[a][side]      = Face::shared(static_cast<int>(deep));
        pass.changing[a][side]   = std::min(info.changing[a][side] - later, deep);
        (side == 0 ? pass.begin : pass.end)[a] += side == 0 ? -later : later;
      }
    }
    if (left == depth) pass.early = first_to_leave;
    passes.push_back(std::make_unique<PlanState>(label, pass, terms, field, other, space, launch, depth));
    if (depth_of(*passes.back(), depth) == depth) continue;
    passes.clear();
    return;
  }
  leaves = passes.back()->early(field, other, depth).counter != nullptr;
}

void RanksPlan::Parts::run_bands(Launch const& launch, ViewInfo const& field) const {
  for (Band const& b : bands) {
    bool const copied   = b.memory[0] != nullptr;
    ViewInfo const part = part_of(field, b.origin, b.view.extent);
    ViewInfo in = copied ? b.view : part, out = b.view;
    if (copied) in.data = b.memory[0];
    out.data = b.memory[1];
    if (copied) packer->pack(launch, part, b.memory[0]);
    // Points outside the range leave as well.
    b.newest = b.plan->iterate(launch, in, out, last) ? out.data : in.data;
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
