// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_Period.hpp"

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

/// Of the norms of all blocks, each over so many points.
double norm_of_all(std::string const& label, Ranks const& ranks, Norm norm, double mine, std::int64_t points) {
  double const own[2] = {points > 0 ? mine : 0.0, static_cast<double>(points)};
  std::vector<double> all(2 * static_cast<std::size_t>(ranks.processes()));
  ranks.all_gather(label, own, all.data(), sizeof own);
  double most = 0.0;
  for (std::size_t k = 0; k < all.size(); k += 2) {
    if (std::isnan(all[k])) return all[k];
    most = std::max(most, all[k]);
  }
  if (norm == Norm::max || most == 0.0 || std::isinf(most)) return most;
  double sum = 0.0, count = 0.0;
  for (std::size_t k = 0; k < all.size(); k += 2) {
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

/// One period of the largest block, with ghost layers for so many sweeps on both sides of every cut axis.
Period predict_period(Ranks const& ranks, std::vector<Term> const& terms, ValueType type, int value_size,
                      SpaceInfo const& space, int sweeps) {
  std::string const label = "KokkosStencil::HaloDepth::automatic";
  Cuts const& cuts        = ranks.cuts();
  std::array<int, 3> lower{}, upper{};
  reach_of(terms, lower, upper);
  PolicyInfo policy;
  policy.rank  = cuts.rank;
  policy.whole = false;
  Extents3 own{{1, 1, 1}}, extent{{1, 1, 1}}, layers{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(cuts.rank); ++a) {
    for (std::size_t k = 0; k + 1 < cuts.begins[a].size(); ++k) {
      own[a] = std::max(own[a], cuts.begins[a][k + 1] - cuts.begins[a][k]);
    }
    layers[a]      = cuts.ranks[a] > 1 ? std::int64_t(sweeps) * std::max(-lower[a], upper[a]) : 0;
    extent[a]      = own[a] + 2 * layers[a];
    bool const cut = layers[a] > 0;
    // Too small for inner points: whatever it takes, it is little.
    if (extent[a] <= std::int64_t(upper[a]) - lower[a]) return {};
    policy.begin[a] = cut ? layers[a] : -lower[a];
    policy.end[a]   = extent[a] - (cut ? layers[a] : upper[a]);
    if (cut) policy.faces[a][0] = policy.faces[a][1] = Face::shared(static_cast<int>(layers[a]));
  }
  Period times;
  auto const predict = [&](PolicyInfo const& p, Extents3 const& n, std::int64_t steps) {
    return predict_sweeps(label, p, terms, packed_view(cuts.rank, n, type, value_size), space, steps);
  };
  Prediction const block = predict(policy, extent, sweeps);
  times.block            = block.seconds;
  int const last         = std::min(sweeps, block.depth);
  for (std::size_t a = 0; a < 3; ++a) {
    if (layers[a] == 0) continue;
    std::int64_t const margin = layers[a] / sweeps * last;
    Extents3 band             = extent;
    band[a]                   = layers[a] + 2 * margin;
    PolicyInfo small          = policy;
    small.faces[a][0] = small.faces[a][1] = Face::shared(static_cast<int>(margin));
    small.begin[a]                        = margin;
    small.end[a]                          = margin + layers[a];
    times.bands += 2.0 * predict(small, band, last).seconds;
    double face = 2.0 * static_cast<double>(layers[a]) * value_size;
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
  NetworkInfo const network = device_network(forced.empty() ? "peer" : forced);
  return choose_period(most, ranks.settings().overlap, network,
                       [&](int k) { return predict_period(ranks, terms, type, value_size, space, k); })
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
  std::unique_ptr<PlanState> early;  ///< of the sweeps before those of the bands; leaves ghost layers that feed them
  std::int64_t sweeps = 1;           ///< that one exchange feeds
  std::int64_t last   = 1;           ///< of them, the ones that bands make
  bool exchanges      = false;
  Extents3 layers{};
  PointBox range{};
  std::int64_t points = 0;                        ///< of the range in this block
  std::function<void(Launch const&)> make_later;  ///< the bands, once the engine is known

  std::string exchange_engine() const {
    std::string const name = exchange->engine();
    return name.substr(0, name.find(','));
  }
  void make_bands(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& local_info, SpaceInfo const& space,
                  Launch const& launch);
  void run_bands(Launch const& launch, ViewInfo const& field) const;
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
  // On hosts MPI gets on while somebody waits for it only, so that nothing is gained.
  if (ranks->settings().overlap == 0 || (ranks->settings().overlap < 0 && space.host) || points == 0) return;
  if (ranks->settings().overlap < 0) {
    Period const t =
        predict_period(*ranks, *terms, field.value_type, field.value_size, space, static_cast<int>(sweeps));
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
      // One pass only reads the field. Others need a copy of it.
      ViewInfo in = part_of(field, made.origin, part);
      made.plan   = std::make_unique<PlanState>(mine, own, terms, in, out, space, launch, last);
      if (last > 1 && in.stride == out.stride && depth_of(*made.plan, last) == last) continue;
      made.memory[0] = packer->allocate(bytes);
      in             = made.view;
      in.data        = made.memory[0];
      made.plan      = std::make_unique<PlanState>(mine, own, terms, in, out, space, launch, last);
    }
  }
  if (last == sweeps || bands.empty()) return;
  early = std::make_unique<PlanState>(label + " (early)", first, terms, field, other, space, launch, any_steps);
}

void RanksPlan::Parts::make_passes(ViewInfo const& field, ViewInfo const& other, PolicyInfo const& info,
                                   SpaceInfo const& space, Launch const& launch) {
  constexpr std::int64_t most = 16;
  std::int64_t const depth = depth_of(*local, sweeps), count = sweeps / depth;
  if (depth < 2 || sweeps % depth != 0 || count < 2 || count > most || points == 0) return;
  for (std::int64_t left = sweeps; left > 0; left -= depth) {
    PolicyInfo pass = info;
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t side = 0; side < 2; ++side) {
        if (!ranks->shared(a, side) || layers[a] == 0) continue;
        std::int64_t const deep = layers[a] / sweeps * left;
        pass.faces[a][side]     = Face::shared(static_cast<int>(deep));
        pass.changing[a][side]  = std::min(info.changing[a][side], deep);
      }
    }
    passes.push_back(std::make_unique<PlanState>(label, pass, terms, field, other, space, launch, depth));
    if (depth_of(*passes.back(), depth) == depth) continue;
    passes.clear();
    return;
  }
}

void RanksPlan::Parts::run_bands(Launch const& launch, ViewInfo const& field) const {
  for (Band const& b : bands) {
    bool const copied   = b.memory[0] != nullptr;
    ViewInfo const part = part_of(field, b.origin, b.view.extent);
    ViewInfo in = copied ? b.view : part, out = b.view;
    if (copied) in.data = b.memory[0];
    out.data = b.memory[1];
    if (copied) packer->pack(launch, part, b.memory[0]);
    b.newest = b.plan->iterate(launch, in, out, last, !copied) ? out.data : in.data;
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
    p.make_bands(in, out, info, space, now);
    if (p.bands.empty()) p.make_passes(in, out, info, space, now);
  };
  if (!p.exchanges || sweeps == 0 || sweeps == std::numeric_limits<std::int64_t>::max()) p.make_later = nullptr;
}

RanksPlan::~RanksPlan() = default;

Exchange& RanksPlan::exchange() const { return *m_parts->exchange; }

void RanksPlan::prepare(Launch const& launch) const {
  Parts& p = *m_parts;
  p.exchange->prepare();
  if (p.make_later) p.make_later(launch);
  p.make_later = nullptr;
  if (!p.bands.empty()) p.exchange->prepare(true);
}

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
  Parts const& p  = *m_parts;
  ViewInfo newest = a, other = b;
  if (steps > 0) p.exchange->run(launch, {newest});
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
      p.exchange->start(launch, [&](Exchange::Direction const& d, std::size_t) {
        std::size_t axis = 0;
        while (d[axis] == 0) ++axis;
        for (Band const& band : p.bands) {
          if (band.axis != axis || band.side != (d[axis] < 0 ? 0u : 1u)) continue;
          ViewInfo view = band.view;
          view.data     = band.newest;
          return Exchange::Source{view, band.origin};
        }
        fail(launch.label, "there is no band for a direction that has a neighbour.");
      });
    }
    if (now == p.sweeps && !p.passes.empty()) {
      for (auto const& pass : p.passes) {
        if (pass->iterate(launch, newest, other, p.sweeps / std::int64_t(p.passes.size()), agree)) {
          std::swap(newest, other);
        }
        agree = true;
      }
    } else if (p.local->iterate(launch, newest, other, inside, agree)) {
      std::swap(newest, other);
    }
    agree = true;  // what is outside the range stays as it is
    if (ahead) {
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
  bool agree = false;
  while (true) {
    std::int64_t const now = std::min(until.check_every, until.max_steps - result.steps);
    if (now > 1 && iterate(launch, newest, other, now - 1, agree)) std::swap(newest, other);
    agree = agree || now > 1;
    // The last sweep before a check goes by itself: its change is looked at.
    p.exchange->run(launch, {newest});
    bool swapped    = false;
    auto const mine = p.local->iterate_until(launch, newest, other, {0.0, 1, 1, until.norm}, swapped, agree);
    agree           = true;
    if (swapped) std::swap(newest, other);
    result.steps += now;
    result.update_norm = norm_of_all(launch.label, *p.ranks, until.norm, mine.update_norm, p.points);
    result.converged   = result.update_norm <= until.tolerance;
    if (result.converged || result.steps == until.max_steps || std::isnan(result.update_norm)) break;
  }
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
         << (p.bands.empty() ? ", then swept\n" : ", while the rest is swept\n");
  } else {
    text << "  nothing is exchanged\n";
  }
  std::istringstream notes(ranks.engine_notes());
  for (std::string line; std::getline(notes, line);) text << "  " << line << "\n";
  return text.str() + p.local->explain();
}

std::shared_ptr<RanksPlan const> agreed_plan(std::string const& label, std::string const& what,
                                             std::function<void()> const& check, RanksPolicy const& policy,
                                             TermList const& terms, ViewInfo const& in, ViewInfo const& out,
                                             SpaceInfo const& space, Launch const& launch) {
  Ranks const& ranks = *policy.ranks;
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
  bool const ask = plan != nullptr && plan->exchange().needs_connection();
  if (ranks.agree(label, common.str() + '\n' + what, failure, ask)) {
    ranks.connect(label, space, plan->exchange().receive_bytes());
  }
  plan->prepare(launch);
  return plan;
}

void exchange_fields(std::string const& label, std::shared_ptr<Ranks const> const& ranks,
                     std::vector<ViewInfo> const& fields, SpaceInfo const& space, Launch const& launch) {
  std::ostringstream common, own;
  common << "call exchange " << label << "\nfields " << fields.size();
  own << space.name << ' ' << space.device << ' ' << ranks->settings().device_pointers;
  std::string failure;
  std::shared_ptr<Exchange> exchange;
  try {
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
  bool const ask = exchange != nullptr && exchange->needs_connection();
  if (ranks->agree(label, common.str(), failure, ask)) ranks->connect(label, space, exchange->receive_bytes());
  exchange->prepare();
  exchange->run(launch, fields);
}

}  // namespace Impl
}  // namespace KokkosStencil
