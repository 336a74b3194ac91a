// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Error.hpp>
#include <impl/KokkosStencil_Terms.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>

namespace KokkosStencil {
namespace Impl {

namespace {

using Offset = std::array<int, 3>;
using Wide   = std::map<Offset, long double>;

Wide widen(std::vector<Term> const& terms) {
  Wide wide;
  for (Term const& t : terms) wide[t.offset] += t.coefficient;
  return wide;
}

constexpr int largest_offset = std::numeric_limits<int>::max();

Wide convolve(Wide const& a, Wide const& b) {
  Wide product;
  for (auto const& p : a) {
    for (auto const& q : b) {
      Offset sum;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        std::int64_t const wide = std::int64_t(p.first[axis]) + q.first[axis];
        if (std::abs(wide) > largest_offset) {
          throw Error("KokkosStencil::Stencil: a composition reaches " + std::to_string(std::abs(wide)) +
                      " points along axis " + std::to_string(axis) + "; stencils reach at most " +
                      std::to_string(largest_offset) + ". Apply the stencils one after the other.");
        }
        sum[axis] = static_cast<int>(wide);
      }
      product[sum] += p.second * q.second;
    }
  }
  return product;
}

std::vector<Term> narrow(Wide const& wide, bool single) {
  std::vector<Term> terms;
  terms.reserve(wide.size());
  for (auto const& w : wide) {
    double const c = single ? static_cast<double>(static_cast<float>(w.second)) : static_cast<double>(w.second);
    terms.push_back({w.first, c});
  }
  return terms;
}

/// Number of terms of a box, or 0 if there is no such number.
std::size_t box_size(int rank, int radius) {
  std::size_t const width = 2 * static_cast<std::size_t>(radius) + 1;
  std::size_t n           = 1;
  for (int a = 0; a < rank; ++a) {
    if (n > std::numeric_limits<std::size_t>::max() / width) return 0;
    n *= width;
  }
  return n;
}

std::string box_size_text(int rank, int radius) {
  std::size_t const n = box_size(rank, radius);
  return n > 0 ? std::to_string(n) : std::to_string(2 * std::int64_t(radius) + 1) + "^" + std::to_string(rank);
}

void check_radius(char const* what, int radius) {
  if (radius < 0) {
    throw Error(std::string("KokkosStencil::") + what + ": the radius is " + std::to_string(radius) +
                "; it must not be negative.");
  }
}

}  // namespace

void normalize(std::vector<Term>& terms) {
  for (Term const& t : terms) {
    for (int const offset : t.offset) {
      if (offset >= -largest_offset) continue;
      throw Error("KokkosStencil::Stencil: a term has the offset " + std::to_string(offset) +
                  "; stencils reach at most " + std::to_string(largest_offset) + " points.");
    }
  }
  std::stable_sort(terms.begin(), terms.end(), [](Term const& a, Term const& b) { return a.offset < b.offset; });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < terms.size();) {
    Term sum = terms[k++];
    for (; k < terms.size() && terms[k].offset == sum.offset; ++k) sum.coefficient += terms[k].coefficient;
    if (sum.coefficient != 0.0) terms[kept++] = sum;
  }
  terms.resize(kept);
}

std::vector<Term> compose(std::vector<Term> const& outer, std::vector<Term> const& inner, bool single) {
  return narrow(convolve(widen(outer), widen(inner)), single);
}

std::vector<Term> power(std::vector<Term> const& terms, int times, bool single) {
  if (times < 0) {
    throw Error("KokkosStencil::Stencil::fused: " + std::to_string(times) +
                " sweeps; the number must not be negative.");
  }
  Wide const base = widen(terms);
  Wide product    = {{Offset{{0, 0, 0}}, 1.0L}};
  for (int t = 0; t < times; ++t) product = convolve(product, base);
  return narrow(product, single);
}

std::vector<Term> star_terms(int rank, int radius, double const* coefficients, std::size_t count) {
  check_radius("star", radius);
  auto const r               = static_cast<std::size_t>(radius);
  std::size_t const distance = r + 1;
  std::size_t const each     = 2 * static_cast<std::size_t>(rank) * r + 1;
  if (count != distance && count != each) {
    throw Error("KokkosStencil::star: " + std::to_string(count) + " coefficients for radius " + std::to_string(radius) +
                " in " + std::to_string(rank) + "-D; give " + std::to_string(distance) + " (by distance) or " +
                std::to_string(each) + " (the centre, then for each axis downwards and upwards).");
  }
  std::vector<Term> terms = {{Offset{{0, 0, 0}}, coefficients[0]}};
  std::size_t next        = 1;
  for (int axis = 0; axis < rank; ++axis) {
    for (int sign = -1; sign <= 1; sign += 2) {
      for (std::size_t d = 1; d <= r; ++d) {
        Offset o                          = {{0, 0, 0}};
        o[static_cast<std::size_t>(axis)] = sign * static_cast<int>(d);
        terms.push_back({o, count == distance ? coefficients[d] : coefficients[next++]});
      }
    }
  }
  return terms;
}

std::vector<Term> box_terms(int rank, int radius, double const* weights, std::size_t count) {
  check_radius("box", radius);
  if (count == 0 || count != box_size(rank, radius)) {
    throw Error("KokkosStencil::box: " + std::to_string(count) + " weights for radius " + std::to_string(radius) +
                " in " + std::to_string(rank) + "-D; give " + box_size_text(rank, radius) + " (row-major).");
  }
  std::int64_t const width = 2 * std::int64_t(radius) + 1;
  std::vector<Term> terms;
  terms.reserve(count);
  for (std::size_t k = 0; k < count; ++k) {
    Offset o  = {{0, 0, 0}};
    auto rest = static_cast<std::int64_t>(k);
    for (int axis = rank - 1; axis >= 0; --axis) {
      o[static_cast<std::size_t>(axis)] = static_cast<int>(rest % width - radius);
      rest /= width;
    }
    terms.push_back({o, weights[k]});
  }
  return terms;
}

}  // namespace Impl
}  // namespace KokkosStencil
