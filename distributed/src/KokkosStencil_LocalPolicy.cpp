// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosStencil_LocalPolicy.hpp"

#include <KokkosStencil_Error.hpp>

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace Impl {

void reach_of(std::vector<Term> const& terms, std::array<int, 3>& lower, std::array<int, 3>& upper) {
  lower = upper = {{0, 0, 0}};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) {
      lower[a] = std::min(lower[a], t.offset[a]);
      upper[a] = std::max(upper[a], t.offset[a]);
    }
  }
}

ViewInfo whole_view(Ranks const& ranks) {
  ViewInfo info;
  info.rank   = ranks.cuts().rank;
  info.extent = ranks.cuts().extent;
  return info;
}

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

bool whole_axis(Ranks const& ranks, PointBox const& range, std::size_t a) {
  return range.begin[a] == 0 && range.end[a] == ranks.cuts().extent[a];
}

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
