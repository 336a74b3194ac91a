// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Kernel.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace perf {

namespace {

/// Small integers over a power of two, with the sum exactly 1.
void give_coefficients(std::vector<Term>& terms) {
  int const count = static_cast<int>(terms.size());
  int whole       = 1;
  while (whole < 8 * count) whole *= 2;
  std::vector<int> weights(terms.size());
  int sum = 0;
  for (int k = 0; k < count; ++k) {
    weights[static_cast<std::size_t>(k)] = whole / count - 3 + (5 * k + k / 7) % 6;
    sum += weights[static_cast<std::size_t>(k)];
  }
  for (std::size_t k = 0; sum != whole; k = (k + 1) % weights.size()) {
    int const change = sum < whole ? 1 : -1;
    weights[k] += change;
    sum += change;
  }
  for (std::size_t k = 0; k < terms.size(); ++k) terms[k].coefficient = static_cast<double>(weights[k]) / whole;
}

std::string shape_name(char const* family, int rank, int radius) {
  return std::string(family) + "-" + std::to_string(rank) + "d" + std::to_string(radius) + "r";
}

}  // namespace

int Kernel::lower(int axis) const {
  int r = 0;
  for (Term const& t : terms) r = std::min(r, t.offset[static_cast<std::size_t>(axis)]);
  return r;
}

int Kernel::upper(int axis) const {
  int r = 0;
  for (Term const& t : terms) r = std::max(r, t.offset[static_cast<std::size_t>(axis)]);
  return r;
}

int Kernel::radius() const {
  int r = 0;
  for (int a = 0; a < rank; ++a) r = std::max({r, -lower(a), upper(a)});
  return r;
}

Kernel star(int rank, int radius) {
  Kernel k;
  k.name   = shape_name("star", rank, radius);
  k.family = Family::star;
  k.rank   = rank;
  k.terms.push_back({{{0, 0, 0}}, 0.0});
  for (std::size_t a = 0; a < static_cast<std::size_t>(rank); ++a) {
    for (int d = -radius; d <= radius; ++d) {
      if (d == 0) continue;
      Term t{{{0, 0, 0}}, 0.0};
      t.offset[a] = d;
      k.terms.push_back(t);
    }
  }
  give_coefficients(k.terms);
  return k;
}

Kernel box(int rank, int radius) {
  Kernel k;
  k.name       = shape_name("box", rank, radius);
  k.family     = Family::box;
  k.rank       = rank;
  int const rj = rank > 1 ? radius : 0;
  int const rk = rank > 2 ? radius : 0;
  for (int i = -radius; i <= radius; ++i) {
    for (int j = -rj; j <= rj; ++j) {
      for (int l = -rk; l <= rk; ++l) k.terms.push_back({{{i, j, l}}, 0.0});
    }
  }
  give_coefficients(k.terms);
  return k;
}

namespace {

/// The nine points of the middle plane and the corners of its neighbours.
Kernel box17() {
  Kernel k = box(3, 1);
  k.name   = "box17-3d1r";
  k.family = Family::other;
  std::vector<Term> terms;
  for (Term const& t : k.terms) {
    if (t.offset[0] == 0 || (t.offset[1] != 0 && t.offset[2] != 0)) terms.push_back(t);
  }
  k.terms = terms;
  give_coefficients(k.terms);
  return k;
}

/// A star or box without some of its terms.
template <class Has>
Kernel without(Kernel k, char const* family, int radius, Has const& has) {
  k.name   = shape_name(family, k.rank, radius);
  k.family = Family::other;
  std::vector<Term> terms;
  for (Term const& t : k.terms) {
    if (has(t)) terms.push_back(t);
  }
  k.terms = terms;
  give_coefficients(k.terms);
  return k;
}
bool off_centre(Term const& t) { return t.offset != std::array<int, 3>(); }
bool no_corner(Term const& t) { return t.offset[0] * t.offset[1] * t.offset[2] == 0; }
bool upwind_of(Term const& t) { return t.offset[0] + t.offset[1] + t.offset[2] <= 0; }

}  // namespace

char const* name_of(Coefficients kind) {
  return kind == Coefficients::distinct ? "distinct" : kind == Coefficients::symmetric ? "symmetric" : "two-parts";
}

char const* name_of(Faces faces) {
  switch (faces) {
    case Faces::halo: return "halo";
    case Faces::periodic: return "periodic";
    case Faces::mirror: return "mirror";
    case Faces::edge: return "edge";
    case Faces::constant: return "constant";
  }
  return "unknown";
}

void give_coefficients(Kernel& kernel, Coefficients kind) {
  if (kind == Coefficients::distinct) return give_coefficients(kernel.terms);
  auto const count = static_cast<int>(kernel.terms.size());
  int whole        = 1;
  while (whole < 8 * count) whole *= 2;
  double sum       = 0.0;
  auto const other = [](Term const& t) {
    return (5 * std::abs(t.offset[0]) + 7 * std::abs(t.offset[1]) + 11 * std::abs(t.offset[2])) % 6;
  };
  for (Term const& t : kernel.terms) sum += 1.0 + 0.01 * other(t);
  // A few units over a power of two; or with a sum a little below one. No sum is above one: the states of many runs
  // would grow to infinity, which costs kernels on tensor cores a hundred times as long.
  for (Term& t : kernel.terms) {
    t.coefficient = kind == Coefficients::symmetric
                        ? static_cast<double>(whole / count - 5 + other(t)) / whole
                        : static_cast<double>(static_cast<float>((1.0 + 0.01 * other(t)) / (1.0005 * sum)));
  }
}

Kernel shape(std::string const& name) {
  if (name == "box17-3d1r") return box17();
  if (name == "box19-3d1r") return without(box(3, 1), "box19", 1, no_corner);
  std::size_t const dash = name.find('-');
  std::size_t const d    = name.find('d', dash == std::string::npos ? 0 : dash);
  if (dash != std::string::npos && d == dash + 2 && name.back() == 'r') {
    int const rank           = std::atoi(name.c_str() + dash + 1);
    int const radius         = std::atoi(name.c_str() + d + 1);
    std::string const family = name.substr(0, dash);
    if (rank >= 1 && rank <= 3 && radius >= 1) {
      if (family == "star") return star(rank, radius);
      if (family == "box") return box(rank, radius);
      if (family == "jacobi") return without(star(rank, radius), "jacobi", radius, off_centre);
      if (family == "ring") return without(box(rank, radius), "ring", radius, off_centre);
      if (family == "upwind") return without(star(rank, radius), "upwind", radius, upwind_of);
    }
  }
  throw std::invalid_argument("no such shape: " + name + " (expected, for example, star-2d1r or box-3d2r)");
}

char const* name_of(Type type) {
  switch (type) {
    case Type::half: return "half";
    case Type::bhalf: return "bhalf";
    case Type::single: return "float";
    case Type::full: return "double";
  }
  return "unknown";
}

int bytes_of(Type type) { return type == Type::full ? 8 : type == Type::single ? 4 : 2; }

std::int64_t Case::points() const {
  if (faces != Faces::halo) return elements();
  std::int64_t n = 1;
  for (int a = 0; a < kernel.rank; ++a) {
    n *= std::max<std::int64_t>(0, extents[static_cast<std::size_t>(a)] + kernel.lower(a) - kernel.upper(a));
  }
  return n;
}

Extents Case::strides() const {
  Extents strides{{0, 0, 0}};
  auto const last = static_cast<std::size_t>(kernel.rank - 1);
  strides[last]   = 1;
  std::int64_t n  = pitch > 0 ? pitch : extents[last];
  for (std::size_t a = last; a-- > 0; n *= extents[a]) strides[a] = n;
  return strides;
}

std::int64_t Case::allocated() const {
  auto const last = static_cast<std::size_t>(kernel.rank - 1);
  return elements() / extents[last] * (kernel.rank > 1 ? strides()[last - 1] : extents[last]);
}

std::string Case::name(std::string const& candidate) const {
  std::string text = kernel.name + "/" + name_of(type) + "/" + candidate + "/";
  for (int a = 0; a < kernel.rank; ++a) {
    text += (a > 0 ? "x" : "") + std::to_string(extents[static_cast<std::size_t>(a)]);
  }
  text += "/steps:" + std::to_string(steps);
  if (relaxed) text += "/accuracy:relaxed";
  if (faces != Faces::halo) text += std::string("/faces:") + name_of(faces);
  if (pitch > 0) text += "/pitch:" + std::to_string(pitch);
  if (columns[0] + columns[1] > 0) text += "/columns:" + std::to_string(columns[0]) + "-" + std::to_string(columns[1]);
  if (coefficients != Coefficients::distinct) text += std::string("/coefficients:") + name_of(coefficients);
  if (check > 0) text += "/check:" + std::to_string(check);
  return text;
}

}  // namespace perf
