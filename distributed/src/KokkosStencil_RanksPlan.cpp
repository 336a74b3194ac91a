// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_LocalPolicy.hpp"
#include "KokkosStencil_RanksParts.hpp"

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Ranks.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <utility>

namespace KokkosStencil {
namespace Impl {

namespace {

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

}  // namespace

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

}  // namespace Impl
}  // namespace KokkosStencil
