// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace KokkosStencil {
namespace Test {

AxisGhosts::AxisGhosts(std::int64_t extent, std::array<Face, 2> const& faces, std::int64_t below, std::int64_t above)
    : m_below(std::max(below, above)) {
  std::int64_t const n = extent;
  std::int64_t const w = m_below;
  m_sources.resize(static_cast<std::size_t>(n + 2 * w));
  auto const cell = [&](std::int64_t i) -> Source& { return m_sources[static_cast<std::size_t>(i + w)]; };
  for (std::int64_t i = 0; i < n; ++i) cell(i) = {Source::inside, i, 0.0};
  if (n == 0) return;
  // Layer by layer, so that each ghost cell copies one that is known already.
  for (std::int64_t k = 1; k <= w; ++k) {
    std::int64_t const cells[2]   = {-k, n - 1 + k};
    std::int64_t const mirrors[2] = {k - 1, n - k};
    std::int64_t const repeats[2] = {n - k, k - 1};
    std::int64_t const nearest[2] = {0, n - 1};
    for (std::size_t side = 0; side < 2; ++side) {
      Source& ghost = cell(cells[side]);
      switch (faces[side].kind) {
        case BoundaryKind::halo:
        case BoundaryKind::shared: ghost.kind = Source::forbidden; break;
        case BoundaryKind::value: ghost = {Source::constant, 0, faces[side].constant}; break;
        case BoundaryKind::periodic: ghost = cell(repeats[side]); break;
        case BoundaryKind::mirror: ghost = cell(mirrors[side]); break;
        case BoundaryKind::edge: ghost = cell(nearest[side]); break;
      }
    }
  }
}

namespace {

std::array<Face, 2> rounded(std::array<Face, 2> faces, Rounding const& round) {
  for (Face& f : faces) f.constant = round(f.constant);
  return faces;
}

}  // namespace

Ghosts::Ghosts(Call const& s, std::array<int, 3> const& lower, std::array<int, 3> const& upper, Rounding const& round)
    : m_extent(s.extent),
      m_axis{AxisGhosts(s.extent[0], rounded(s.faces[0], round), -lower[0], upper[0]),
             AxisGhosts(s.extent[1], rounded(s.faces[1], round), -lower[1], upper[1]),
             AxisGhosts(s.extent[2], rounded(s.faces[2], round), -lower[2], upper[2])} {}

std::int64_t Ghosts::find(Extents const& point, std::array<int, 3> const& offset, double& constant) const {
  std::int64_t at = 0;
  bool fixed      = false;
  for (std::size_t a = 0; a < 3; ++a) {
    Source const& source = m_axis[a][point[a] + offset[a]];
    if (source.kind == Source::forbidden) {
      throw std::logic_error("the reference reads outside the View at " + index_text(3, point));
    }
    // Past several faces with constants the lowest axis wins.
    if (source.kind == Source::constant && !fixed) {
      fixed    = true;
      constant = source.value;
    }
    at = at * m_extent[a] + source.index;
  }
  return fixed ? -1 : at;
}

double Ghosts::read(Field const& field, Extents const& point, std::array<int, 3> const& offset) const {
  double constant       = 0.0;
  std::int64_t const at = find(point, offset, constant);
  return at < 0 ? constant : field.values[static_cast<std::size_t>(at)];
}

bool Range::contains(Extents const& i) const {
  for (std::size_t a = 0; a < 3; ++a) {
    if (i[a] < begin[a] || i[a] >= end[a]) return false;
  }
  return true;
}

Range written_range(Call const& s) {
  Range r{{{0, 0, 0}}, {{1, 1, 1}}};
  auto const lower = s.lower(), upper = s.upper();
  for (std::size_t a = 0; a < static_cast<std::size_t>(s.rank); ++a) {
    r.begin[a] = s.whole ? (s.faces[a][0].kind == BoundaryKind::halo ? -lower[a] : 0) : s.begin[a];
    r.end[a]   = s.whole ? s.extent[a] - (s.faces[a][1].kind == BoundaryKind::halo ? upper[a] : 0) : s.end[a];
  }
  for (std::size_t a = 0; a < 3; ++a) {
    if (r.begin[a] >= r.end[a] || s.extent[a] == 0) return {{{0, 0, 0}}, {{0, 0, 0}}};
  }
  return r;
}

bool mirror_meets_halo(Call const& call) {
  auto const lower = call.lower(), upper = call.upper();
  for (std::size_t a = 0; a < static_cast<std::size_t>(call.rank); ++a) {
    BoundaryKind const below = call.faces[a][0].kind, above = call.faces[a][1].kind;
    if (below == BoundaryKind::mirror && above == BoundaryKind::halo && -lower[a] > call.extent[a]) return true;
    if (below == BoundaryKind::halo && above == BoundaryKind::mirror && upper[a] > call.extent[a]) return true;
  }
  return false;
}

Expected reference(Call const& call, Field const& input, std::int64_t steps, Tolerance const& tolerance,
                   Rounding const& round) {
  Expected e;
  e.shape        = Field(input.rank, {{0, 1, 1}});
  e.shape.extent = input.extent;
  e.values.assign(input.values.begin(), input.values.end());
  e.errors.assign(e.values.size(), 0.0L);
  e.written.assign(e.values.size(), 0);
  e.read.assign(e.values.size(), 0);
  Range const range = written_range(call);
  Ghosts const ghosts(call, round);
  for (std::int64_t step = 0; step < steps; ++step) {
    auto next_values = e.values;
    auto next_errors = e.errors;
    Field::each_in(range.begin, range.end, [&](Extents const& i) {
      long double y = 0.0L, s = 0.0L, inherited = 0.0L;
      for (Term const& t : call.terms) {
        double constant       = 0.0;
        std::int64_t const at = ghosts.find(i, t.offset, constant);
        long double x = constant, dx = 0.0L;
        if (at >= 0) {
          auto const p = static_cast<std::size_t>(at);
          x            = e.values[p];
          dx           = e.errors[p];
          if (step == 0) e.read[p] = 1;
        }
        long double const size = std::abs(static_cast<long double>(t.coefficient));
        y += static_cast<long double>(t.coefficient) * x;
        s += size * (std::abs(x) + dx);
        inherited += size * dx;
      }
      std::size_t const p = e.shape.at(i);
      next_values[p]      = y;
      next_errors[p]      = inherited + tolerance.relative * s + tolerance.absolute;
      e.written[p]        = 1;
    });
    e.values = std::move(next_values);
    e.errors = std::move(next_errors);
  }
  return e;
}

Field canonical(Call const& call, Field const& input, Extents const& strides, bool in_double, Rounding const& round) {
  // Axes by stride, slowest first, and then terms by offset in that order of axes.
  std::vector<std::size_t> axes;
  for (int a = 0; a < call.rank; ++a) axes.push_back(static_cast<std::size_t>(a));
  auto const slowness = [&](std::size_t a) {
    return call.extent[a] == 1 ? std::numeric_limits<std::int64_t>::max() : strides[a];
  };
  std::stable_sort(axes.begin(), axes.end(), [&](std::size_t p, std::size_t q) { return slowness(p) > slowness(q); });
  std::vector<Term> terms = call.terms;
  std::sort(terms.begin(), terms.end(), [&](Term const& p, Term const& q) {
    for (std::size_t a : axes) {
      if (p.offset[a] != q.offset[a]) return p.offset[a] < q.offset[a];
    }
    return false;
  });
  Field output      = input;
  Range const range = written_range(call);
  Ghosts const ghosts(call, round);
  Field::each_in(range.begin, range.end, [&](Extents const& i) {
    if (in_double) {
      double sum = -0.0;
      for (Term const& t : terms) sum = std::fma(t.coefficient, ghosts.read(input, i, t.offset), sum);
      output(i) = sum;
    } else {
      float sum = -0.0f;
      for (Term const& t : terms) {
        sum = std::fma(static_cast<float>(t.coefficient), static_cast<float>(ghosts.read(input, i, t.offset)), sum);
      }
      output(i) = round(static_cast<double>(sum));
    }
  });
  return output;
}

}  // namespace Test
}  // namespace KokkosStencil
