// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.hpp"

#include "Functors.hpp"

#include <KokkosStencil_Accuracy.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace KokkosStencil {
namespace Fuzz {

namespace {

constexpr std::size_t most_terms = 400;
/// Values between and around those of a View, at each end.
constexpr std::int64_t guard = 64;

using Offset = std::array<int, 3>;

/// As the library is given them: to the type of the coefficients.
double as_coefficient(Engine const& engine, Case const& c, double x) {
  bool const wide = engine.value_type() == ValueType::float64 || c.call.double_coefficients;
  return wide ? x : static_cast<double>(static_cast<float>(x));
}

/// Equal offsets added up, zeros left out, in the order given.
std::vector<Term> merged(std::vector<Term> const& given) {
  std::map<Offset, double> sums;
  for (Term const& t : given) {
    auto const found = sums.find(t.offset);
    if (found == sums.end()) {
      sums.emplace(t.offset, t.coefficient);
    } else {
      found->second += t.coefficient;
    }
  }
  std::vector<Term> terms;
  for (auto const& sum : sums) {
    if (sum.second != 0.0) terms.push_back({sum.first, sum.second});
  }
  return terms;
}

}  // namespace

Case Generator::next() {
  Case c;
  c.call.rank = m_engine.rank();
  m_large     = m_random.one_in(m_engine.captures() ? 25 : 60);
  m_tiled     = m_random.one_in(m_engine.captures() ? 2 : 5);
  m_wide      = m_random.one_in(8);
  choose_way(c);
  constexpr Accuracy levels[] = {Accuracy::native, Accuracy::native, Accuracy::relaxed, Accuracy::reproducible};
  if (!c.is_functor()) c.call.accuracy = levels[m_random.small(0, m_tiled && m_random.one_in(2) ? 2 : 3)];
  choose_reach();
  choose_offsets(c);
  choose_coefficients(c);
  c.call.terms = merged(c.given);
  c.lower      = c.call.lower();
  c.upper      = c.call.upper();
  if (c.is_functor()) {
    for (std::size_t a = 0; a < rank(); ++a) {
      c.upper[a] = std::max(c.upper[a], -c.lower[a]) + (m_random.one_in(4) ? m_random.small(1, 3) : 0);
      c.lower[a] = -c.upper[a];
    }
  }
  choose_extents(c);
  choose_faces(c);
  choose_range(c);
  choose_layouts(c);
  choose_steps(c);
  choose_data(c);
  choose_wrong(c);
  return c;
}

void Generator::choose_way(Case& c) {
  c.way = m_random.pick(
      {Way::sweep, Way::sweep, Way::sweep, Way::steps, Way::steps, Way::until, Way::plan_sweep, Way::plan_steps});
  if (m_engine.captures() && m_random.one_in(4)) c.way = m_random.pick({Way::graph_sweep, Way::graph_steps});
  if (m_engine.has_functors() && m_random.one_in(8)) {
    c.way = m_random.pick({Way::functor_sweep, Way::functor_steps, Way::functor_fields});
  }
  if (m_random.one_in(8)) {
    c.way    = m_random.pick({Way::update_sweep, Way::update_plan});
    c.update = {m_random.pick({1.0, -1.0, 0.75, -2.5}), m_random.pick({0.0, 1.0, -1.0, 0.375})};
    // That would be a plain sweep.
    if (c.update.alpha == 1.0 && c.update.beta == 0.0) c.update.beta = 1.0;
  }
  c.own_stream  = m_engine.captures() && m_random.one_in(2);
  c.ask_refused = m_random.one_in(4);
  c.unforced    = m_random.one_in(3);
}

void Generator::choose_reach() {
  // How far at most.
  int const far  = m_random.one_in(12)  ? m_random.small(9, 40)
                   : m_random.one_in(3) ? m_random.small(3, 8)
                                        : m_random.small(0, 2);
  int const kind = m_random.small(0, 7);
  if (m_tiled) {
    int const r = m_random.one_in(2) ? 1 : m_random.small(1, std::array<int, 3>{{8, 7, 4}}[rank() - 1]);
    for (std::size_t a = 0; a < rank(); ++a) m_low[a] = -r, m_high[a] = r;
    return;
  }
  for (std::size_t a = 0; a < rank(); ++a) {
    int const r = kind <= 2 ? far : m_random.small(0, far);
    m_low[a]    = -r;
    m_high[a]   = kind <= 4 ? r : m_random.small(0, far);
    if (kind == 6) m_low[a] = 0;
    if (kind == 7 && m_random.one_in(2)) m_high[a] = 0;
    // The centre need not be within the window.
    if (kind >= 5 && m_random.one_in(6)) {
      int const shift = m_random.small(-far - 2, far + 2);
      m_low[a] += shift;
      m_high[a] += shift;
    }
  }
}

void Generator::choose_offsets(Case& c) {
  std::set<Offset> offsets;
  auto const size        = [&](std::size_t a) { return static_cast<std::size_t>(m_high[a] - m_low[a] + 1); };
  std::size_t const box  = size(0) * size(1) * size(2);
  std::size_t const most = c.is_functor() ? functor_terms : most_terms;
  // A star through the centre of the window, a box, a box with holes, a few scattered points, a plane or a line.
  int const kind = m_tiled && !m_random.one_in(6) ? m_random.small(1, 4) : m_random.small(0, 9);
  if (kind <= 2 || (m_tiled && box > most)) {
    Offset centre{};
    for (std::size_t a = 0; a < 3; ++a) centre[a] = std::min(std::max(0, m_low[a]), m_high[a]);
    offsets.insert(centre);
    for (std::size_t a = 0; a < 3; ++a) {
      for (int d = m_low[a]; d <= m_high[a]; ++d) {
        Offset o = centre;
        o[a]     = d;
        offsets.insert(o);
      }
    }
  } else if (kind <= 6 && box <= most) {
    int const keep       = kind <= 4 ? 1 : m_random.small(2, 5);
    bool const flat      = !m_tiled && m_random.one_in(8);
    std::size_t const in = static_cast<std::size_t>(m_random.between(0, 2));
    for (int i = m_low[0]; i <= m_high[0]; ++i) {
      for (int j = m_low[1]; j <= m_high[1]; ++j) {
        for (int k = m_low[2]; k <= m_high[2]; ++k) {
          Offset const o{{i, j, k}};
          if (flat && o[in] != m_low[in]) continue;
          if (keep == 1 || m_random.one_in(keep)) offsets.insert(o);
        }
      }
    }
  } else {
    int const count = m_random.one_in(3) ? m_random.small(1, 3) : m_random.small(1, 40);
    for (int n = 0; n < count; ++n) {
      Offset o{};
      for (std::size_t a = 0; a < 3; ++a) o[a] = m_random.small(m_low[a], m_high[a]);
      offsets.insert(o);
    }
  }
  // Stars without their centre, boxes without their corners.
  if (offsets.size() > 1 && m_random.one_in(6)) {
    auto const at_end = [&](Offset const& o, std::size_t a) {
      return a >= rank() || ((o[a] == m_low[a] || o[a] == m_high[a]) && m_low[a] < m_high[a]);
    };
    std::set<Offset> kept;
    for (Offset const& o : offsets) {
      bool const corner = at_end(o, 0) && at_end(o, 1) && at_end(o, 2);
      if (kind <= 2 ? o != Offset{} : !corner) kept.insert(o);
    }
    offsets = kept;
  }
  if (m_random.one_in(100)) offsets.clear();
  for (Offset const& o : offsets) c.given.push_back({o, 1.0});
  for (std::size_t k = c.given.size(); k > 1; --k) {
    std::swap(c.given[k - 1], c.given[static_cast<std::size_t>(m_random.between(0, static_cast<int>(k) - 1))]);
  }
  if (c.given.size() > most) c.given.resize(most);
}

void Generator::choose_coefficients(Case& c) {
  int const kind             = m_random.small(0, 8);
  m_whole                    = kind <= 4;
  m_fraction                 = kind == 3 || kind == 4 ? 4 : 0;
  c.call.double_coefficients = m_engine.value_type() != ValueType::float64 && m_random.one_in(4);
  double const unit          = std::ldexp(1.0, -m_fraction);
  bool const equal           = m_random.one_in(8);
  for (Term& t : c.given) {
    if (m_whole) {
      int const n   = m_random.small(1, m_fraction > 0 ? 8 : 4);
      t.coefficient = unit * (m_random.one_in(2) ? n : -n);
      if (kind == 4) t.coefficient = std::abs(t.coefficient);
    } else {
      double const size = kind == 8 ? std::pow(10.0, 6.0 * m_random.uniform() - 4.0) : 0.05 + 0.95 * m_random.uniform();
      t.coefficient     = m_random.one_in(3) ? -size : size;
    }
    if (equal) t.coefficient = c.given.front().coefficient;
  }
  if (m_random.one_in(3)) Test::make_symmetric(c.given);
  if (!m_whole && m_random.one_in(2)) {
    // Averages: many sweeps of these do not grow.
    double sum = 0.0;
    for (Term const& t : c.given) sum += std::abs(t.coefficient);
    for (Term& t : c.given) t.coefficient /= sum;
  }
  for (Term& t : c.given) t.coefficient = as_coefficient(m_engine, c, t.coefficient);
  // Terms that are there twice, some of which cancel, and coefficients of zero, which do not count.
  if (m_random.one_in(5) && !c.given.empty() && c.given.size() < 100 && !c.is_functor()) {
    for (int n = m_random.small(1, 3); n > 0; --n) {
      Term t        = m_random.pick(c.given);
      int const how = m_random.small(0, 3);
      if (how == 1) t.coefficient = -t.coefficient;
      if (how == 2) t.coefficient = 0.0;
      if (how == 3) {
        for (std::size_t a = 0; a < rank(); ++a) t.offset[a] += m_random.small(-50, 50);
        t.coefficient = 0.0;
      }
      c.given.insert(c.given.begin() + m_random.between(0, static_cast<std::int64_t>(c.given.size())), t);
    }
  }
}

std::int64_t Generator::extent_near_reach(std::size_t axis) {
  std::int64_t const below = std::max(0, -m_low[axis]), above = std::max(0, m_high[axis]);
  std::int64_t const r = std::max(below, above);
  switch (m_random.small(0, 7)) {
    case 0: return m_random.one_in(8) ? 0 : 1;
    case 1: return m_random.between(1, 3);
    case 2: return r + m_random.between(-1, 1);
    case 3: return below + above + m_random.between(-1, 2);
    case 4: return 2 * r + m_random.between(-1, 2);
    case 5: return m_random.between(1, 20);
    case 6: return 2 * m_random.between(1, 30) + 1;
    default: return m_random.between(1, 3 * r + 1);
  }
}

void Generator::choose_extents(Case& c) {
  auto const round         = [&] { return 16 * m_random.between(1, 16) + m_random.between(-1, 1); };
  std::int64_t most_points = m_large ? 1000000 : m_random.one_in(6) ? 60000 : 6000;
  Extents& n               = c.call.extent;
  for (std::size_t a = 0; a < rank(); ++a) {
    n[a] = extent_near_reach(a);
    if (m_random.one_in(6)) n[a] = round();
    if (m_random.one_in(8)) n[a] = m_random.between(20, 300);
    if (m_large)
      n[a] = rank() == 1   ? m_random.between(100000, 1000000)
             : rank() == 2 ? m_random.between(200, 1500)
                           : m_random.between(30, 160);
    if (m_tiled && !m_large) {
      std::int64_t const most = std::array<std::int64_t, 3>{{20000, 300, 70}}[rank() - 1];
      n[a]                    = 2 * m_high[a] + m_random.between(most / 16, most);
    }
    if ((m_tiled || m_large) && m_random.one_in(2)) n[a] = n[a] / 16 * 16;
    n[a] = std::max<std::int64_t>(0, n[a]);
  }
  if (m_tiled) most_points = std::max<std::int64_t>(most_points, 90000);
  if (rank() == 1 && !m_tiled && m_random.one_in(4)) n[0] = m_random.between(100, 20000);
  // What the reference has to do bounds it as well.
  auto const terms        = static_cast<std::int64_t>(c.call.terms.size()) + 1;
  std::int64_t const work = m_large ? 30000000 : m_tiled ? 4000000 : 1500000;
  most_points             = std::min(most_points, work / terms + 1);
  while (n[0] * n[1] * n[2] > most_points) {
    auto const longest = std::max_element(n.begin(), n.end());
    *longest           = *longest * 3 / 4;
  }
}

double Generator::constant() {
  if (!m_wide) return m_random.pick({0.0, 1.0, -3.0, 2.0, 5.0});
  double const most = largest(m_engine.value_type());
  return m_random.pick({2.5, -0.1, most, -most / 4, 1e-3 * most, std::sqrt(most), 1 / std::sqrt(most),
                        std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()});
}

void Generator::choose_faces(Case& c) {
  auto const any = [&] {
    Face const all[] = {Face::halo(), Face::periodic(), Face::mirror(), Face::edge(), Face::value(constant())};
    return all[m_random.small(0, 4)];
  };
  int const kind  = m_random.small(0, 4);
  Face const same = kind == 0 ? Face::halo() : any();
  for (std::size_t a = 0; a < rank(); ++a) {
    auto& faces = c.call.faces[a];
    faces       = {{same, same}};
    if (kind >= 2) faces[0] = faces[1] = any();
    if (kind >= 3) {
      faces[1] = any();
      if (faces[0].kind == BoundaryKind::periodic) faces[1] = faces[0];
      if (faces[1].kind == BoundaryKind::periodic) faces[0] = faces[1];
    }
    // A mirror must not run into the ghost values of the other side.
    int const reach = std::max(-c.lower[a], c.upper[a]);
    for (std::size_t side = 0; side < 2; ++side) {
      if (faces[side].kind == BoundaryKind::mirror && faces[1 - side].kind == BoundaryKind::halo &&
          reach > c.call.extent[a]) {
        faces[side] = Face::edge();
      }
    }
  }
}

void Generator::choose_range(Case& c) {
  Call& s = c.call;
  Range allowed{{{0, 0, 0}}, {{1, 1, 1}}};
  bool some = true;
  for (std::size_t a = 0; a < rank(); ++a) {
    allowed.begin[a] = s.faces[a][0].kind == BoundaryKind::halo ? -c.lower[a] : 0;
    allowed.end[a]   = s.extent[a] - (s.faces[a][1].kind == BoundaryKind::halo ? c.upper[a] : 0);
    some             = some && allowed.begin[a] < allowed.end[a];
  }
  c.range = some ? allowed : Range{{{0, 0, 0}}, {{0, 0, 0}}};
  if (!some || m_random.one_in(2) || (m_tiled && !m_random.one_in(3))) return;
  s.whole = false;
  s.begin = allowed.begin;
  s.end   = allowed.end;
  // All points, a box, one point, a layer along a face, none.
  int const kind         = m_random.small(0, 9);
  std::size_t const axis = static_cast<std::size_t>(m_random.between(0, s.rank - 1));
  for (std::size_t a = 0; a < rank(); ++a) {
    std::int64_t const first = allowed.begin[a], last = allowed.end[a];
    if (kind >= 1 && kind <= 5) {
      s.begin[a] = m_random.between(first, last - 1);
      s.end[a]   = m_random.between(s.begin[a] + 1, last);
    } else if (kind == 6) {
      s.begin[a] = m_random.pick({first, last - 1, m_random.between(first, last - 1)});
      s.end[a]   = s.begin[a] + 1;
    } else if (kind >= 7 && a == axis) {
      std::int64_t const layers = std::min<std::int64_t>(last - first, kind == 9 ? 0 : m_random.between(1, 3));
      bool const below          = m_random.one_in(2);
      s.begin[a]                = below ? first : last - layers;
      s.end[a]                  = s.begin[a] + layers;
    }
  }
  c.range = {s.begin, s.end};
  for (std::size_t a = 0; a < rank(); ++a) {
    if (s.begin[a] >= s.end[a]) c.range = Range{{{0, 0, 0}}, {{0, 0, 0}}};
  }
}

Placement Generator::place(Case const& c, Form& form, bool permuted) {
  Placement p;
  p.rank   = c.call.rank;
  p.extent = c.call.extent;
  p.stride = {{0, 0, 0}};
  std::vector<std::size_t> order(rank());  // fastest first
  std::iota(order.rbegin(), order.rend(), std::size_t(0));
  form = m_random.pick(
      {Form::right, Form::right, Form::left, Form::part_right, Form::part_left, Form::stride, Form::stride});
  bool const left = form == Form::left || form == Form::part_left || (form == Form::stride && m_random.one_in(4));
  if (left) std::reverse(order.begin(), order.end());
  if (form == Form::stride && permuted && !m_tiled) std::swap(order.front(), order[m_random.next() % rank()]);
  bool const compact     = form == Form::right || form == Form::left;
  std::int64_t const pad = m_random.pick({0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 33});
  bool const aligned     = m_tiled ? !m_random.one_in(4) : m_random.one_in(3);
  std::int64_t stride    = form == Form::stride && !m_tiled && m_random.one_in(4) ? m_random.between(2, 5) : 1;
  for (std::size_t k = 0; k < order.size(); ++k) {
    p.stride[order[k]] = stride;
    stride *= std::max<std::int64_t>(1, p.extent[order[k]]);
    if (compact) continue;
    std::int64_t const unit = p.stride[order[k]];
    if (form == Form::stride && k == 0) {
      stride += aligned ? (16 - stride % 16) % 16 : pad;
    } else {
      // A subview: the pitch is a multiple of what is within it.
      std::int64_t const more = k == 0 ? pad : m_random.between(0, 2);
      stride += unit * (aligned && k == 0 ? (16 - stride / unit % 16) % 16 : more);
    }
  }
  return p;
}

void Generator::choose_layouts(Case& c) {
  bool const permuted = m_random.one_in(3);
  c.in                = place(c, c.in_form, permuted);
  c.out               = c.in;
  c.out_form          = c.in_form;
  if (m_random.one_in(m_tiled ? 8 : 3)) c.out = place(c, c.out_form, permuted && m_random.one_in(2));
  c.fence_behind   = !m_random.one_in(4);
  bool const phase = m_random.one_in(m_tiled ? 8 : 2), same = m_random.one_in(2);
  auto const bound = [&](Placement& p) {
    std::int64_t last = 0;
    for (std::size_t a = 0; a < 3; ++a) last += std::max<std::int64_t>(0, p.extent[a] - 1) * p.stride[a];
    std::int64_t before = c.fence_behind ? guard : 0, behind = c.fence_behind ? 0 : guard;
    // Data that need not touch the fence can have any alignment.
    auto const sixteen = static_cast<std::int64_t>(16 / m_engine.value_size());
    if (m_tiled && c.fence_behind) behind = (sixteen - (before + last + 1) % sixteen) % sixteen;
    if (phase) (c.fence_behind ? behind : before) += m_random.between(0, 31);
    p.offset = before;
    p.size   = before + last + 1 + behind;
  };
  bound(c.in);
  if (same && c.in.stride == c.out.stride) {
    c.out = c.in;
  } else {
    bound(c.out);
  }
}

void Generator::choose_steps(Case& c) {
  std::int64_t const points = c.call.extent[0] * c.call.extent[1] * c.call.extent[2];
  std::int64_t const sweep  = points * (static_cast<std::int64_t>(c.call.terms.size()) + 2) + 1;
  std::int64_t const most   = std::max<std::int64_t>(1, (m_large ? 60000000 : m_tiled ? 8000000 : 3000000) / sweep);
  std::int64_t const wanted = m_random.one_in(12)   ? m_random.between(20, 60)
                              : m_random.one_in(15) ? 0
                                                    : m_random.between(1, 12);
  c.steps                   = static_cast<int>(std::min(wanted, most));
  if (!c.is_iteration()) c.steps = 1;
  bool const by_plan = c.way == Way::plan_steps || c.way == Way::graph_steps;
  if (by_plan && c.steps > 1 && m_random.one_in(2)) c.first_steps = m_random.small(1, c.steps - 1);
  // Every state is kept.
  if (c.way == Way::until && points > 100000) c.steps = std::min(c.steps, 4);
  c.until.max_steps   = c.steps;
  c.until.check_every = m_random.between(1, 6);
  c.until.norm        = m_random.pick({Norm::max, Norm::rms});
  c.stop              = m_random.pick({Stop::at_zero, Stop::at_once, Stop::between, Stop::between});
}

void Generator::choose_data(Case& c) {
  c.data = m_random.pick({Data::integer, Data::integer, Data::random, Data::random, Data::wide});
  if (m_whole && m_random.one_in(2)) c.data = Data::integer;
  c.data_seed = static_cast<unsigned>(m_random.next() >> 33);
  if (m_wide && c.data == Data::random && m_random.one_in(2)) {
    int const most = m_engine.value_type() == ValueType::float64   ? 1020
                     : m_engine.value_type() == ValueType::float16 ? 14
                                                                   : 124;
    c.data_scale   = m_random.pick({-most - 8, -most / 2, most / 2, most});
  }
  c.exact = !c.updates() && is_exact(c);
  // Of sums that are not rounded to 16 bits the reference has no bits.
  if (c.updates() && m_engine.value_size() == 2 && c.call.accuracy == Accuracy::reproducible) {
    c.call.accuracy = Accuracy::native;
  }
  std::int64_t const points = c.call.extent[0] * c.call.extent[1] * c.call.extent[2];
  if (points > 0 && m_random.one_in(6)) {
    double const infinity = std::numeric_limits<double>::infinity();
    for (int n = m_random.small(1, 3); n > 0; --n) {
      Extents where{{0, 0, 0}};
      for (std::size_t a = 0; a < rank(); ++a) {
        std::int64_t const last = c.call.extent[a] - 1;
        where[a]                = m_random.pick({std::int64_t(0), last, m_random.between(0, last)});
      }
      c.planted.push_back({where, m_random.pick({Test::not_a_number(), infinity, -infinity})});
    }
  }
  // The change is measured against the start.
  c.forget_unread = c.way != Way::until && !m_random.one_in(4);
}

/// Whether every product and sum is a multiple of one unit that the types hold, so that nothing rounds but the last
/// conversion to the value type.
bool Generator::is_exact(Case const& c) const {
  if (!m_whole || c.data != Data::integer) return false;
  // Short products may round.
  if (c.call.accuracy == Accuracy::relaxed && m_engine.value_type() == ValueType::float32) return false;
  double most = 8.0;
  for (std::size_t a = 0; a < rank(); ++a) {
    for (Face const& f : c.call.faces[a]) {
      if (f.kind != BoundaryKind::value || !std::isfinite(f.constant)) continue;
      if (f.constant != std::floor(f.constant)) return false;
      most = std::max(most, std::abs(f.constant));
    }
  }
  double norm = 0.0;
  for (Term const& t : c.call.terms) norm += std::abs(t.coefficient);
  // In units that shrink by the fraction in each step; what is outside the range keeps its size.
  double const growth  = std::ldexp(std::max(c.alternating ? 2.0 * norm : norm, 1.0), m_fraction);
  ValueType const type = m_engine.value_type();
  bool const single    = c.steps <= 1 && c.way != Way::until;
  // A single sweep is summed in float at least; states are kept in the value type.
  double const bits = single && type != ValueType::float64 ? 24 : significant_bits(type);
  for (int step = 0; step < c.steps; ++step) most *= growth;
  return most <= std::ldexp(1.0, static_cast<int>(bits));
}

void Generator::choose_wrong(Case& c) {
  if (c.range.begin[0] >= c.range.end[0] || !m_random.one_in(25)) return;
  std::size_t const axis = static_cast<std::size_t>(m_random.between(0, c.call.rank - 1));
  c.wrong                = m_random.pick({Wrong::overlap, Wrong::range, Wrong::periodic});
  switch (c.wrong) {
    case Wrong::overlap:
      // Some point of the input is the first of the output.
      for (std::size_t a = 0; a < rank(); ++a)
        c.wrong_offset += m_random.between(0, c.in.extent[a] - 1) * c.in.stride[a];
      // A functor that reads only its own point may write in place.
      if (c.wrong_offset == 0 && c.is_functor() && c.upper == decltype(c.upper){}) c.wrong = Wrong::nothing;
      break;
    case Wrong::range: {
      auto const& faces = c.call.faces[axis];
      c.call.whole      = false;
      c.call.begin      = c.range.begin;
      c.call.end        = c.range.end;
      if (m_random.one_in(2)) {
        c.call.begin[axis] = (faces[0].kind == BoundaryKind::halo ? -c.lower[axis] : 0) - m_random.between(1, 3);
      } else {
        c.call.end[axis] =
            c.call.extent[axis] - (faces[1].kind == BoundaryKind::halo ? c.upper[axis] : 0) + m_random.between(1, 3);
      }
      break;
    }
    case Wrong::periodic:
      c.call.faces[axis][0] = Face::periodic();
      c.call.faces[axis][1] = Face::edge();
      break;
    case Wrong::nothing: break;
  }
}

}  // namespace Fuzz
}  // namespace KokkosStencil
