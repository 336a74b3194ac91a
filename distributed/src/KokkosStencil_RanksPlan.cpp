// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_OnDevice.hpp"
#include "KokkosStencil_Period.hpp"
#include "KokkosStencil_Transport.hpp"

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Ranks.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

void reach_of(std::vector<Term> const& terms, std::array<int, 3>& lower, std::array<int, 3>& upper) {
  lower = upper = {{0, 0, 0}};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], t.offset[a]);
      upper[a] = std::max(upper[a], t.offset[a]);
    }
  }
}

/// The whole field, as far as ranges and faces are concerned.
ViewInfo whole_view(Ranks const& ranks) {
  ViewInfo info;
  info.rank   = ranks.cuts().rank;
  info.extent = ranks.cuts().extent;
  return info;
}

/// The faces of the whole field, periodic where its axis is.
PolicyInfo whole_policy(std::string const& label, RanksPolicy const& policy) {
  PolicyInfo info = policy.whole;
  for (std::size_t a = 0; a < static_cast<std::size_t>(policy.ranks->cuts().rank); ++a) {
    for (std::size_t side = 0; side < 2; ++side) {
      Face& face           = info.faces[a][side];
      bool const ring      = policy.ranks->cuts().periodic[a];
      bool const undecided = face.kind == BoundaryKind::halo;
      if (ring && undecided) face = Face::periodic();
      if (face.kind == BoundaryKind::shared) {
        fail(label,
             "the faces of a field over ranks are those of the whole field: shared is what the Decomposition "
             "makes of cuts. Take halo, value, periodic, mirror or edge.");
      }
      if (ring == (face.kind == BoundaryKind::periodic)) continue;
      fail(label, "axis " + std::to_string(a) + (ring ? " is periodic in the Decomposition and " : " is ") +
                      to_string(face.kind) + " by the boundary rules" +
                      (ring ? std::string() : ", and not periodic in the Decomposition") +
                      ". Use Decomposition::periodic(" + std::to_string(a) + ") for axes with the rule periodic.");
    }
  }
  return info;
}

/// Of the norms of all blocks, each over so many points. `any`: whether it is true of this process, then whether of one
/// of them.
double norm_of_all(std::string const& label, Ranks const& ranks, Norm norm, double mine, std::int64_t points,
                   bool& any) {
  constexpr std::size_t each = 3;
  double const own[each]     = {points > 0 ? mine : 0.0, static_cast<double>(points), any ? 1.0 : 0.0};
  std::vector<double> all(each * static_cast<std::size_t>(ranks.processes()));
  ranks.all_gather(label, own, all.data(), sizeof own);
  double most = 0.0;
  for (std::size_t k = 0; k < all.size(); k += each) {
    if (std::isnan(all[k])) return all[k];
    most = std::max(most, all[k]);
    any  = any || all[k + 2] > 0.0;
  }
  if (norm == Norm::max || most == 0.0 || std::isinf(most)) return most;
  double sum = 0.0, count = 0.0;
  for (std::size_t k = 0; k < all.size(); k += each) {
    sum += all[k] / most * (all[k] / most) * all[k + 1];
    count += all[k + 1];
  }
  return most * std::sqrt(sum / count);
}

bool whole_axis(Ranks const& ranks, PointBox const& range, std::size_t a) {
  return range.begin[a] == 0 && range.end[a] == ranks.cuts().extent[a];
}

}  // namespace

PolicyInfo local_policy(std::string const& label, RanksPolicy const& policy, ViewInfo const& view,
                        std::array<int, 3> const& lower, std::array<int, 3> const& upper) {
  Ranks const& ranks    = *policy.ranks;
  PolicyInfo info       = whole_policy(label, policy);
  PointBox const range  = resolve_range(label, info, whole_view(ranks), lower, upper);
  PointBox const own    = ranks.owned(ranks.me());
  Extents3 const layers = layers_of(label, ranks, view), first = first_of(ranks, layers);
  PointBox const mine = common(range, own);
  info.whole          = false;
  for (std::size_t a = 0; a < static_cast<std::size_t>(ranks.cuts().rank); ++a) {
    // Points of the range near a face that a neighbour owns.
    bool const ring             = ranks.cuts().periodic[a] && whole_axis(ranks, range, a);
    std::int64_t const apart[2] = {own.begin[a] - range.begin[a], range.end[a] - own.end[a]};
    for (std::size_t side = 0; side < 2; ++side) {
      if (!ranks.shared(a, side)) continue;
      info.faces[a][side]    = Face::shared(static_cast<int>(layers[a]));
      info.changing[a][side] = ring ? layers[a] : std::clamp<std::int64_t>(apart[side], 0, layers[a]);
    }
    info.begin[a] = mine.begin[a] - own.begin[a] + first[a];
    info.end[a]   = mine.end[a] - own.begin[a] + first[a];
  }
  if (mine.empty()) {
    info.begin = first;
    info.end   = first;
  }
  return info;
}

namespace {

/// A contiguous View.
ViewInfo packed_view(int rank, Extents3 const& extent, ValueType type, int value_size) {
  ViewInfo view;
  view.rank           = rank;
  view.value_type     = type;
  view.value_size     = value_size;
  view.extent         = extent;
  std::int64_t stride = 1;
  for (std::size_t a = static_cast<std::size_t>(rank); a-- > 0;) {
    view.stride[a] = stride;
    stride *= extent[a];
  }
  return view;
}

/// One period of the largest block, with its neighbours along every cut axis.
Period predict_period(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                      SpaceInfo const& space, std::string const& engine, int sweeps) {
  std::string const label = "KokkosStencil::HaloDepth::automatic";
  Cuts const& cuts        = ranks.cuts();
  std::array<int, 3> lower{}, upper{}, far{}, sides{};
  reach_of(terms, lower, upper);
  Extents3 own{{1, 1, 1}};
  bool slabs = true;
  for (std::size_t a = 0; a < static_cast<std::size_t>(cuts.rank); ++a) {
    for (std::size_t k = 0; k + 1 < cuts.begins[a].size(); ++k) {
      own[a] = std::max(own[a], cuts.begins[a][k + 1] - cuts.begins[a][k]);
    }
    far[a]   = std::max(-lower[a], upper[a]);
    sides[a] = cuts.ranks[a] == 1 || far[a] == 0 ? 0 : cuts.periodic[a] ? 2 : std::min(2, cuts.ranks[a] - 1);
    slabs    = slabs && (sides[a] == 0 || static_cast<int>(a) == cuts.slowest);
    // Too small for inner points: whatever it takes, it is little.
    if (sides[a] == 0 && own[a] <= std::int64_t(upper[a]) - lower[a]) return {};
  }
  /// Seconds of `steps` sweeps of a part of the block, from where ghost layers feed so many of them.
  auto const predict = [&](Extents3 const& part, std::array<int, 3> const& shared, int fed, std::int64_t steps) {
    PolicyInfo policy;
    policy.rank  = cuts.rank;
    policy.whole = false;
    Extents3 extent{{1, 1, 1}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(cuts.rank); ++a) {
      std::int64_t layers = std::int64_t(fed) * far[a];
      if (cuts.rank > 1 && a == cuts.fastest() && shared[a] > 0)
        layers = layers_of_rows(layers, part[a], values_of_vector(std::size_t(value_size)));
      extent[a]       = part[a] + shared[a] * layers;
      policy.begin[a] = shared[a] > 1 ? layers : -lower[a];
      policy.end[a]   = extent[a] - (shared[a] > 0 ? layers : upper[a]);
      if (shared[a] > 1) policy.faces[a][0] = Face::shared(static_cast<int>(layers));
      if (shared[a] > 0) policy.faces[a][1] = Face::shared(static_cast<int>(layers));
    }
    return predict_sweeps(label, policy, terms, packed_view(cuts.rank, extent, type, value_size), space, steps);
  };
  // Ghost layers are swept as deep as the passes to come need them: on average those of a pass in the middle.
  int const last         = std::min(sweeps, predict(own, sides, sweeps, sweeps).depth);
  Prediction const block = predict(own, sides, (sweeps + last) / 2, sweeps);
  Period times;
  times.block = block.seconds;
  times.last  = block.seconds * last / sweeps;
  times.early = slabs && engine == "peer" && cuts.rank > 1 && block.backend == "cuda_temporal" && last > 1;
  for (std::size_t a = 0; a < 3; ++a) {
    if (sides[a] == 0) continue;
    std::int64_t const layers = std::int64_t(sweeps) * far[a];
    Extents3 band             = own;
    band[a]                   = layers;
    auto both                 = sides;
    both[a]                   = 2;
    times.bands += times.early ? early_seconds(times.last, sides[a], std::int64_t(last) * far[a], own[a])
                               : sides[a] * predict(band, both, last, last).seconds;
    double face = static_cast<double>(sides[a]) * static_cast<double>(layers) * value_size;
    for (std::size_t b = 0; b < 3; ++b) face *= b == a ? 1.0 : static_cast<double>(own[b]);
    times.bytes += face;
  }
  return times;
}

}  // namespace

int choose_device_sweeps(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                         SpaceInfo const& space) {
  std::array<int, 3> lower{}, upper{};
  reach_of(terms, lower, upper);
  std::int64_t most = 96;
  bool exchanges    = false;
  for (std::size_t a = 0; a < 3; ++a) {
    int const far = std::max(-lower[a], upper[a]);
    if (!ranks.cut(a) || far == 0) continue;
    exchanges = true;
    most      = std::min(most, ranks.thinnest(a) / far);
  }
  if (!exchanges) return 1;
  std::string const forced  = forced_engine(ranks.settings().engine);
  std::string const engine  = forced.empty() ? "peer" : forced;
  NetworkInfo const network = device_network(engine);
  return choose_period(most, ranks.settings().overlap, network,
                       [&](int k) { return predict_period(ranks, terms, type, value_size, space, engine, k); })
      .sweeps;
}

/// The layers next to cut faces. Their last sweeps before an exchange are made first, in scratch memory, so that they
/// can leave before the rest is swept.
struct Band {
  std::size_t axis, side;
  Extents3 origin{{0, 0, 0}};            ///< in the field
  ViewInfo view;                         ///< of either scratch field; data differs
  char* memory[2] = {nullptr, nullptr};  ///< the first one only if points are copied there before
  std::unique_ptr<PlanState> plan;
  mutable void* newest = nullptr;
};

struct RanksPlan::Parts {
  std::string label;
  Ranks const* ranks = nullptr;
  TermList terms;
  std::unique_ptr<PlanState> local;
  std::unique_ptr<Exchange> exchange;
  std::unique_ptr<Packer> packer;  // of bands
  std::vector<Band> bands;
  /// One for each pass of a period, if that is several: ghost layers are swept as deep as the passes to come need them.
  std::vector<std::unique_ptr<PlanState>> passes;
  /// Whether the last of them computes the layers that leave first, and counts them.
  bool leaves           = false;
  std::uint32_t counted = 0;         ///< by now
  std::unique_ptr<PlanState> early;  ///< of the sweeps before those of the bands; leaves ghost layers that feed them
  std::int64_t sweeps = 1;           ///< that one exchange feeds
  std::int64_t last   = 1;           ///< of them, the ones that bands make
  bool exchanges      = false;
  Extents3 layers{};
  PointBox range{};
  std::int64_t points = 0;                        ///< of the range in this block
  std::function<void(Launch const&)> make_later;  ///< the bands, once the engine is known
  bool prepared = false;

  std::string exchange_engine() const {
    std::string const name = exchange->engine();
    return name.substr(0, name.find(','));
  }
  std::int64_t sweeps_of_pass() const { return sweeps / static_cast<std::int64_t>(passes.size()); }
  void make_bands(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& local_info, SpaceInfo const& space,
                  Launch const& launch);
  void run_bands(Launch const& launch, ViewInfo const& field) const;
  /// Layers that the last pass is to compute first, for an engine that sends them without a kernel; none if that does
  /// not pay.
  std::array<std::array<std::int64_t, 2>, 3> early_layers(ViewInfo const& field, PolicyInfo const& info,
                                                          SpaceInfo const& space, Launch const& launch,
                                                          std::int64_t depth);
  void make_passes(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& info, SpaceInfo const& space,
                   Launch const& launch);
};

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

RanksPlan::RanksPlan(std::string const& label, RanksPolicy const& policy, TermList terms, ViewInfo const& in,
                     ViewInfo const& out, SpaceInfo const& space, Launch const& launch)
    : m_parts(std::make_unique<Parts>()) {
  Parts& p = *m_parts;
  p.label  = label;
  p.ranks  = policy.ranks.get();
  p.terms  = terms;
  check_pair(label, in, out);
  std::array<int, 3> lower{}, upper{};
  reach_of(*terms, lower, upper);
  Ranks const& ranks    = *p.ranks;
  PolicyInfo const info = local_policy(label, policy, in, lower, upper);
  p.range               = resolve_range(label, whole_policy(label, policy), whole_view(ranks), lower, upper);
  p.points              = common(p.range, ranks.owned(ranks.me())).size();
  p.layers              = layers_of(label, ranks, in);
  p.local               = std::make_unique<PlanState>(label, info, terms, in, out, space, launch, any_steps);
  std::int64_t sweeps   = std::numeric_limits<std::int64_t>::max();
  for (std::size_t a = 0; a < 3; ++a) {
    if (!ranks.cut(a)) continue;
    p.exchanges            = true;
    std::int64_t const far = std::max(-lower[a], upper[a]);
    if (far > 0) sweeps = std::min(sweeps, p.layers[a] / far);
    // Points that a neighbour's range ends before, round about: a box is not enough for several sweeps.
    if (ranks.cuts().periodic[a] && !whole_axis(ranks, p.range, a)) sweeps = std::min<std::int64_t>(sweeps, 1);
  }
  p.sweeps     = sweeps;
  p.exchange   = std::make_unique<Exchange>(label, *p.ranks, std::vector<ViewInfo>{in}, space);
  p.make_later = [&p, in, out, info, space](Launch const& now) {
    p.make_passes(in, out, info, space, now);
    // Kernels of other engines, and of those bands, need multiprocessors.
    if (!p.leaves && p.exchange_engine() != "peer") p.make_bands(in, out, info, space, now);
    if (!p.bands.empty()) p.passes.clear();
  };
  if (!p.exchanges || sweeps == 0 || sweeps == std::numeric_limits<std::int64_t>::max()) p.make_later = nullptr;
}

RanksPlan::~RanksPlan() = default;

Exchange& RanksPlan::exchange() const { return *m_parts->exchange; }

void RanksPlan::prepare(Launch const& launch) const {
  Parts& p = *m_parts;
  if (p.prepared) return;
  p.exchange->prepare();
  if (p.make_later) p.make_later(launch);
  if (!p.bands.empty()) p.exchange->prepare(true);
  p.make_later = nullptr;
  p.prepared   = true;
}

bool RanksPlan::prepared() const { return m_parts->prepared; }

void RanksPlan::check(std::string const& label, ViewInfo const& in, ViewInfo const& out) const {
  m_parts->local->check(label, in, out);
}

void RanksPlan::sweep(Launch const& launch, ViewInfo const& in, ViewInfo const& out) const {
  Parts const& p = *m_parts;
  p.exchange->run(launch, {in});
  p.local->sweep(launch, in, out);
}

bool RanksPlan::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps,
                        bool agree) const {
  return iterate(launch, a, b, steps, agree, Begun::nothing);
}

bool RanksPlan::iterate(Launch const& launch, ViewInfo const& a, ViewInfo const& b, std::int64_t steps, bool agree,
                        Begun begun) const {
  Parts& p        = *m_parts;
  ViewInfo newest = a, other = b;
  if (steps > 0 && begun == Begun::nothing) p.exchange->run(launch, {newest});
  while (steps > 0) {
    std::int64_t const now = std::min(steps, p.sweeps);
    steps -= now;
    bool const ahead    = steps > 0 && !p.bands.empty();
    std::int64_t inside = now;
    if (ahead) {
      if (now > p.last) {
        if (p.early->iterate(launch, newest, other, now - p.last, agree)) std::swap(newest, other);
        agree = true;
      }
      inside = p.last;
      p.run_bands(launch, newest);
      p.exchange->start(
          launch,
          [&](Exchange::Direction const& d, std::size_t) {
            std::size_t axis = 0;
            while (d[axis] == 0) ++axis;
            for (Band const& band : p.bands) {
              if (band.axis != axis || band.side != (d[axis] < 0 ? 0u : 1u)) continue;
              ViewInfo view = band.view;
              view.data     = band.newest;
              return Exchange::Source{view, band.origin};
            }
            fail(launch.label, "there is no band for a direction that has a neighbour.");
          },
          nullptr, true);
    }
    bool sent = false;
    if (now == p.sweeps && !p.passes.empty()) {
      Executable::EarlyCount count;
      for (std::size_t k = begun == Begun::pass ? 1 : 0; k < p.passes.size(); ++k) {
        PlanState const& pass = *p.passes[k];
        if (k + 1 == p.passes.size() && p.leaves) count = pass.early(newest, other, p.sweeps_of_pass());
        if (pass.iterate(launch, newest, other, p.sweeps_of_pass(), agree)) std::swap(newest, other);
        agree = true;
      }
      begun = Begun::nothing;
      p.counted += count.added;
      sent = steps > 0 && count.counter != nullptr && p.exchange->copies(launch, newest);
      if (sent) p.exchange->start_when(launch, count.counter, p.counted, newest);
    } else if (p.local->iterate(launch, newest, other, inside, agree)) {
      std::swap(newest, other);
    }
    agree = true;  // what is outside the range stays as it is
    if (ahead || sent) {
      p.exchange->finish(launch, {newest});
    } else if (steps > 0) {
      p.exchange->run(launch, {newest});
    }
  }
  return newest.data == b.data;
}

UntilResult RanksPlan::iterate_until(Launch const& launch, ViewInfo const& a, ViewInfo const& b,
                                     StoppingCriterion const& until, bool& in_b) const {
  Parts const& p = *m_parts;
  UntilResult result;
  in_b = false;
  if (p.range.empty() || until.max_steps == 0) return result;
  ViewInfo newest = a, other = b;
  bool const sweeps = p.points > 0;  // else the state stays where it is
  bool agree = false, together = false;
  auto begun         = Begun::nothing;
  auto const reducer = p.local->norm_reducer();
  while (true) {
    std::int64_t const now = std::min(until.check_every, until.max_steps - result.steps);
    if (now > 1 && iterate(launch, newest, other, now - 1, agree, begun)) std::swap(newest, other);
    agree = agree || now > 1;
    begun = Begun::nothing;
    result.steps += now;
    bool const last         = result.steps == until.max_steps;
    std::int64_t const next = std::min(until.check_every, until.max_steps - result.steps) - 1;
    // The last sweep before a check goes by itself: its change is looked at.
    p.exchange->run(launch, {newest});
    double mine     = 0.0;
    bool goes_ahead = false;
    if (agree) {
      // A device goes on with the next period, where that leaves the newest state as it is, while the host waits. That
      // begins with an exchange, which all processes make or none, so that they agree on it in the check before.
      bool const exchanges = together && !last && next >= p.sweeps;
      auto const exchange  = [&] {
        if (!exchanges || begun != Begun::nothing) return;
        p.exchange->run(launch, {sweeps ? other : newest});
        begun = Begun::exchange;
      };
      auto const ahead = [&] {
        goes_ahead = p.passes.size() >= 2 && !p.passes.front()->overwrites_input(p.sweeps_of_pass());
        exchange();
        if (!goes_ahead || begun != Begun::exchange) return;
        p.passes.front()->iterate(launch, other, newest, p.sweeps_of_pass(), true);
        begun = Begun::pass;
      };
      mine = p.local->sweep_with_norm(launch, newest, other, until.norm, *reducer, ahead);
      exchange();
      if (sweeps) std::swap(newest, other);
    } else {
      bool swapped = false;
      mine         = p.local->iterate_until(launch, newest, other, {0.0, 1, 1, until.norm}, swapped).update_norm;
      agree        = true;
      if (swapped) std::swap(newest, other);
    }
    result.update_norm = norm_of_all(launch.label, *p.ranks, until.norm, mine, p.points, goes_ahead);
    together           = goes_ahead;
    result.converged   = result.update_norm <= until.tolerance;
    if (result.converged || last || std::isnan(result.update_norm)) break;
    if (begun == Begun::pass) std::swap(newest, other);
  }
  // A pass in vain must not write after the return.
  if (begun != Begun::nothing) p.local->fence(launch);
  in_b = newest.data == b.data;
  return result;
}

std::string RanksPlan::engine() const { return m_parts->exchange_engine(); }

std::string const& RanksPlan::backend(std::int64_t steps) const { return m_parts->local->backend(steps); }

std::string RanksPlan::explain() const {
  Parts const& p     = *m_parts;
  Ranks const& ranks = *p.ranks;
  auto const box     = [&](auto const& n) {
    std::ostringstream text;
    for (int a = 0; a < ranks.cuts().rank; ++a) text << (a ? " x " : "") << n[static_cast<std::size_t>(a)];
    return text.str();
  };
  PointBox const own = ranks.owned(ranks.me());
  Extents3 size{};
  for (std::size_t a = 0; a < 3; ++a) size[a] = own.end[a] - own.begin[a];
  std::ostringstream text;
  text << "\"" << p.label << "\": " << box(ranks.cuts().extent) << " points over " << box(ranks.cuts().ranks)
       << " ranks, rank " << ranks.me() << " has " << box(size) << "\n";
  if (p.exchanges && p.sweeps < std::numeric_limits<std::int64_t>::max()) {
    text << "  ghost layers " << box(p.layers) << ", exchanged every " << p.sweeps << " sweeps; " << p.exchange->bytes()
         << " bytes to " << p.exchange->messages() << " neighbours by " << p.exchange->engine()
         << (p.bands.empty() && !p.leaves ? ", then swept\n" : ", while the rest is swept\n");
  } else {
    text << "  nothing is exchanged\n";
  }
  std::istringstream notes(ranks.engine_notes());
  for (std::string line; std::getline(notes, line);) text << "  " << line << "\n";
  return text.str() + p.local->explain();
}

namespace {

std::uint64_t asks_of(Exchange const& exchange, bool prepared) {
  return (exchange.needs_connection() ? Ranks::ask_connection : 0) | (prepared ? 0 : Ranks::ask_preparation);
}

/// Throws Error unless the engine is on the device of the space.
void check_device(std::string const& label, Ranks const& ranks, SpaceInfo const& space) {
  auto const& engine = ranks.stream_engine();
  if (engine == nullptr || space.host || engine->device() == space.device) return;
  fail(label, "the engine " + engine->name() + " of this Decomposition is on device " +
                  std::to_string(engine->device()) + ", and the fields are on device " + std::to_string(space.device) +
                  ". Take another Decomposition for them.");
}

/// What processes do with something new that they have agreed on. Where it is new to none of them, nothing.
void prepare_together(std::string const& label, Ranks const& ranks, std::uint64_t asked, SpaceInfo const& space,
                      Exchange const& exchange, std::function<void()> const& prepare) {
  if ((asked & Ranks::ask_connection) != 0) ranks.connect(label, space, exchange.receive_bytes());
  if ((asked & Ranks::ask_preparation) == 0) return;
  std::string failure;
  try {
    prepare();
  } catch (std::exception const& e) {
    failure = e.what();
  }
  // Who cannot go on must not leave the others waiting.
  ranks.agree(label, "prepare", failure);
}

}  // namespace

std::shared_ptr<RanksPlan const> agreed_plan(std::string const& label, std::string const& what,
                                             std::function<void()> const& check, RanksPolicy const& policy,
                                             TermList const& terms, ViewInfo const& in, ViewInfo const& out,
                                             SpaceInfo const& space, Launch const& launch) {
  Ranks const& ranks = *policy.ranks;
  OnDevice const current(space.device);
  std::ostringstream common, own;
  common << std::setprecision(17);
  auto const row = [](std::ostream& text, auto const& values) {
    for (auto const& v : values) text << ' ' << v;
  };
  common << "call " << label << "\nextents";
  row(common, ranks.cuts().extent);
  common << "\nranks";
  row(common, ranks.cuts().ranks);
  for (auto const& begins : ranks.cuts().begins) row(common << "\nblocks begin at", begins);
  row(common << "\nperiodic", ranks.cuts().periodic);
  common << "\nvalue type " << to_string(in.value_type) << "\naccuracy " << to_string(policy.whole.accuracy);
  if (policy.whole.whole) {
    common << "\nwhole range";
  } else {
    row(common << "\nrange from", policy.whole.begin);
    row(common << "\nrange to", policy.whole.end);
  }
  for (auto const& faces : policy.whole.faces) {
    common << "\nfaces";
    for (Face const& f : faces) common << ' ' << to_string(f.kind) << ' ' << f.constant;
  }
  common << "\nstencil of " << terms->size() << " terms:";
  for (Term const& t : *terms) {
    row(common << " (", t.offset);
    common << ") " << t.coefficient;
  }
  std::string failure;
  std::shared_ptr<RanksPlan const> plan;
  try {
    check();
    check_device(label, ranks, space);
    common << "\nengine " << forced_engine(ranks.settings().engine);
    row(common << "\nghost layers", layers_of(label, ranks, in));
    own << '\n'
        << policy.whole.backend << ' ' << static_cast<int>(policy.whole.tuning) << policy.whole.tuning_file << ' '
        << space.name << ' ' << space.device << ' ' << launch.stream << ' ' << ranks.settings().overlap
        << ranks.settings().device_pointers;
    for (ViewInfo const* view : {&in, &out}) {
      row(own << '\n', view->extent);
      row(own, view->stride);
      own << ' ' << reinterpret_cast<std::uintptr_t>(view->data) % 16;
    }
    std::string const key = common.str() + own.str();
    plan                  = std::static_pointer_cast<RanksPlan const>(ranks.recall(key));
    if (plan != nullptr) {
      check_pair(label, in, out);
    } else {
      auto made = std::make_shared<RanksPlan>(label, policy, terms, in, out, space, launch);
      ranks.keep(key, made);
      plan = std::move(made);
    }
  } catch (std::exception const& e) {
    failure = e.what();
  }
  auto const asked = ranks.agree(label, common.str() + '\n' + what, failure,
                                 plan != nullptr ? asks_of(plan->exchange(), plan->prepared()) : 0);
  prepare_together(label, ranks, asked, space, plan->exchange(), [&] { plan->prepare(launch); });
  return plan;
}

std::shared_ptr<Exchange> agreed_exchange(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                                          std::vector<ViewInfo> const& fields, SpaceInfo const& space,
                                          Launch const& launch) {
  OnDevice const current(space.device);
  std::ostringstream common, own;
  common << "call exchange " << label << "\nfields " << fields.size();
  // Its memory is used in the order of a stream.
  own << '\n' << space.name << ' ' << space.device << ' ' << launch.stream << ' ' << ranks->settings().device_pointers;
  std::string failure;
  std::shared_ptr<Exchange> exchange;
  try {
    check_device(label, *ranks, space);
    common << "\nengine " << forced_engine(ranks->settings().engine);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      common << "\nfield " << f << ": " << fields[f].value_size << " bytes a value, ghost layers";
      for (auto const n : layers_of(label, *ranks, fields[f])) common << ' ' << n;
      for (auto const n : fields[f].extent) own << ' ' << n;
    }
    std::string const key = common.str() + own.str();
    exchange              = std::static_pointer_cast<Exchange>(ranks->recall(key));
    if (exchange == nullptr) {
      exchange = std::make_shared<Exchange>(label, *ranks, fields, space);
      ranks->keep(key, exchange);
    }
  } catch (std::exception const& e) {
    failure = e.what();
  }
  auto const asked =
      ranks->agree(label, common.str(), failure, exchange != nullptr ? asks_of(*exchange, exchange->prepared()) : 0);
  prepare_together(label, *ranks, asked, space, *exchange, [&] { exchange->prepare(); });
  return exchange;
}

void exchange_fields(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                     std::vector<ViewInfo> const& fields, SpaceInfo const& space, Launch const& launch) {
  agreed_exchange(label, ranks, fields, space, launch)->run(launch, fields);
}

PointBox FunctorPeriod::range(std::int64_t left) const {
  PointBox box{local.begin, local.end};
  for (std::size_t a = static_cast<std::size_t>(local.rank); a < 3; ++a) box.end[a] = 1;
  if (box.empty()) return box;
  for (std::size_t a = 0; a < static_cast<std::size_t>(local.rank); ++a) {
    for (std::size_t side = 0; side < 2; ++side) {
      if (local.faces[a][side].kind != BoundaryKind::shared) continue;
      std::int64_t const more = std::min(left * reach[a], local.changing[a][side]);
      (side == 0 ? box.begin : box.end)[a] += side == 0 ? -more : more;
    }
  }
  return box;
}

FunctorPeriod functor_period(std::string const& label, RanksPolicy const& policy, std::array<int, 3> const& radius,
                             std::vector<FieldInfo> const& states, std::vector<FieldInfo> const& constants) {
  FunctorPeriod period;
  std::array<int, 3> far{}, lower{};
  for (std::size_t a = 0; a < 3; ++a) {
    auto const reach_of = [&](FieldInfo const& f) { return std::max(0, f.reach[a] >= 0 ? f.reach[a] : radius[a]); };
    for (FieldInfo const& f : states) period.reach[a] = std::max(period.reach[a], reach_of(f));
    far[a] = period.reach[a];
    for (FieldInfo const& f : constants) {
      far[a]           = std::max(far[a], reach_of(f));
      period.around[1] = period.around[1] || reach_of(f) > 0;
    }
    lower[a]         = -far[a];
    period.around[0] = period.around[0] || period.reach[a] > 0;
  }
  Ranks const& ranks   = *policy.ranks;
  ViewInfo const& view = states.front().view;
  period.local         = local_policy(label, policy, view, lower, far);
  PointBox const range = resolve_range(label, whole_policy(label, policy), whole_view(ranks), lower, far);
  auto const layers    = layers_of(label, ranks, view);
  period.sweeps        = std::numeric_limits<std::int64_t>::max();
  for (std::size_t a = 0; a < 3; ++a) {
    if (!ranks.cut(a)) continue;
    if (layers[a] < far[a]) {
      fail(label, "rank " + std::to_string(ranks.me()) + " has " + std::to_string(layers[a]) +
                      " ghost layers along axis " + std::to_string(a) + ", and the functor reads " +
                      std::to_string(far[a]) + " points away. Take Decomposition::local of that reach.");
    }
    if (period.reach[a] > 0) period.sweeps = std::min(period.sweeps, (layers[a] - far[a]) / period.reach[a] + 1);
    if (ranks.cuts().periodic[a] && !whole_axis(ranks, range, a)) period.sweeps = 1;
  }
  return period;
}

}  // namespace Impl
}  // namespace KokkosStencil
