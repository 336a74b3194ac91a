// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Call.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>

namespace KokkosStencil {
namespace Test {

namespace {

char const* text_of(Layout layout) {
  switch (layout) {
    case Layout::right: return "right";
    case Layout::left: return "left";
    case Layout::padded: return "padded";
    case Layout::padded_more: return "padded_more";
    case Layout::padded_left: return "padded_left";
    case Layout::strided: return "strided";
    case Layout::middle: return "middle";
  }
  return "?";
}

}  // namespace

Call& Call::face(Face const& f) {
  for (auto& axis : faces) axis = {f, f};
  return *this;
}

Call& Call::face(int axis, int side, Face const& f) {
  faces[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] = f;
  return *this;
}

Call& Call::range(Extents const& first, Extents const& last) {
  whole = false;
  begin = first;
  end   = last;
  return *this;
}

std::array<int, 3> Call::lower() const {
  std::array<int, 3> r{{0, 0, 0}};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) r[a] = std::min(r[a], t.offset[a]);
  }
  return r;
}

std::array<int, 3> Call::upper() const {
  std::array<int, 3> r{{0, 0, 0}};
  for (Term const& t : terms) {
    for (std::size_t a = 0; a < 3; ++a) r[a] = std::max(r[a], t.offset[a]);
  }
  return r;
}

std::string Call::text() const {
  std::ostringstream text;
  text << "extents " << index_text(rank, extent) << ", " << terms.size() << " terms, layouts " << text_of(in) << " to "
       << text_of(out) << ", " << to_string(accuracy) << ", faces";
  for (int a = 0; a < rank; ++a) {
    for (auto const& f : faces[static_cast<std::size_t>(a)]) {
      text << " " << to_string(f.kind);
      if (f.kind == BoundaryKind::value) text << "(" << f.constant << ")";
    }
  }
  if (!whole) text << ", range " << index_text(rank, begin) << " to " << index_text(rank, end);
  if (shift != 0) text << ", shift " << shift;
  if (via == Via::plan) text << ", plan";
  return text.str();
}

std::vector<Term> star_offsets(int rank, int radius) {
  std::vector<Term> terms = {{{{0, 0, 0}}, 1.0}};
  for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
    for (int d = 1; d <= radius; ++d) {
      for (int sign : {-1, 1}) {
        Term t{{{0, 0, 0}}, 1.0};
        t.offset[a] = sign * d;
        terms.push_back(t);
      }
    }
  }
  return terms;
}

std::vector<Term> box_offsets(int rank, int radius) {
  std::vector<Term> terms;
  int const r1 = rank > 1 ? radius : 0, r2 = rank > 2 ? radius : 0;
  for (int i = -radius; i <= radius; ++i) {
    for (int j = -r1; j <= r1; ++j) {
      for (int k = -r2; k <= r2; ++k) terms.push_back({{{i, j, k}}, 1.0});
    }
  }
  return terms;
}

std::vector<Term> box17_offsets() {
  std::vector<Term> terms;
  for (Term const& t : box_offsets(3, 1)) {
    if (t.offset[0] == 0 || (t.offset[1] != 0 && t.offset[2] != 0)) terms.push_back(t);
  }
  return terms;
}

std::vector<Term> scattered_offsets(int rank, int reach, int count, unsigned seed) {
  std::mt19937 generator(seed);
  std::set<std::array<int, 3>> offsets;
  while (offsets.size() < static_cast<std::size_t>(count)) {
    std::array<int, 3> o{{0, 0, 0}};
    for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
      o[a] = static_cast<int>(generator() % static_cast<unsigned>(2 * reach + 1)) - reach;
    }
    offsets.insert(o);
  }
  std::vector<Term> terms;
  for (auto const& o : offsets) terms.push_back({o, 1.0});
  // The library must not depend on the order in which terms are given.
  for (std::size_t k = terms.size(); k > 1; --k) std::swap(terms[k - 1], terms[generator() % k]);
  return terms;
}

void set_coefficients(std::vector<Term>& terms, Data data, unsigned seed, Rounding const& round) {
  std::mt19937 generator(seed + 977);
  for (Term& t : terms) {
    if (data == Data::integer) {
      int const c   = static_cast<int>(generator() % 8) - 4;
      t.coefficient = c < 0 ? c : c + 1;
      continue;
    }
    double c = 0.05 + 0.95 * static_cast<double>(generator()) / 4294967295.0;
    // Sums of data up to 1e4 stay below the largest half.
    if (data == Data::wide) c /= static_cast<double>(terms.size());
    t.coefficient = round(generator() % 2 == 0 ? c : -c);
  }
}

void make_bounded(std::vector<Term>& terms, Rounding const& round) {
  double sum = 0.0;
  for (Term const& t : terms) sum += std::abs(t.coefficient);
  for (Term& t : terms) t.coefficient = round(t.coefficient / sum);
}

void make_symmetric(std::vector<Term>& terms) {
  for (Term& t : terms) {
    auto const twin = std::find_if(terms.begin(), terms.end(), [&](Term const& u) {
      for (std::size_t a = 0; a < 3; ++a) {
        if (std::abs(t.offset[a]) != std::abs(u.offset[a])) return false;
      }
      return true;
    });
    t.coefficient   = twin->coefficient;
  }
}

Extents odd_extents(int rank, int radius) {
  std::int64_t const r = 2 * radius;
  if (rank == 1) return {{r + 61, 1, 1}};
  if (rank == 2) return {{r + 9, r + 37, 1}};
  return {{r + 3, r + 6, r + 19}};
}

std::vector<Face> all_faces() {
  return {Face::halo(), Face::value(2.5), Face::periodic(), Face::mirror(), Face::edge()};
}

std::vector<FacePair> face_pairs(int axis) {
  std::vector<FacePair> pairs;
  for (Face lower : all_faces()) {
    for (Face upper : all_faces()) {
      if ((lower.kind == BoundaryKind::periodic) != (upper.kind == BoundaryKind::periodic)) continue;
      if (lower.kind == BoundaryKind::value) lower = Face::value(2 * axis + 1);
      if (upper.kind == BoundaryKind::value) upper = Face::value(-2 * axis - 2);
      pairs.push_back({{lower, upper}});
    }
  }
  return pairs;
}

}  // namespace Test
}  // namespace KokkosStencil
