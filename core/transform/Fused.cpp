// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Fused.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace KokkosStencil {
namespace Transform {
namespace {

double largest_of(std::vector<FusedTerm> const& terms) {
  double largest = 0.0;
  for (FusedTerm const& t : terms) largest = std::max(largest, std::fabs(t.coefficient));
  return largest;
}

/// The exponent that the largest coefficient gets. bfloat has the exponents of the data, which leave no room.
int top_exponent(double largest, Element element) {
  return element == Element::half ? 14 : std::min(std::ilogb(largest) - 1, 14);
}

/// The largest error of rounding, as a multiple of a magnitude.
double roundoff(Element element) { return std::ldexp(1.0, -significant_bits(element)); }

/// What the errors of tiny coefficients may add up to: times the largest element it is the smallest one.
double negligible(Element element) { return element == Element::half ? std::ldexp(1.0, -40) : 0.0; }

/// sum += c * from, which do not overlap.
void add(double c, double const* __restrict from, std::size_t count, double* __restrict sum) {
  for (std::size_t x = 0; x < count; ++x) sum[x] += c * from[x];
}

}  // namespace

Fusion::Fusion(std::vector<Term> const& terms) : m_terms(terms) {
  for (std::size_t d = 0; d < 3 && !terms.empty(); ++d) {
    m_one.low[d] = m_one.high[d] = terms.front().offset[d];
    for (Term const& t : terms) {
      m_one.low[d]  = std::min(m_one.low[d], t.offset[d]);
      m_one.high[d] = std::max(m_one.high[d], t.offset[d]);
    }
  }
  auto const positive = [](Term const& t) { return t.coefficient > 0.0; };
  auto const negative = [](Term const& t) { return t.coefficient < 0.0; };
  m_cancels = std::any_of(terms.begin(), terms.end(), positive) && std::any_of(terms.begin(), terms.end(), negative);
}

void Fusion::next() {
  Box to;
  for (std::size_t d = 0; d < 3; ++d) {
    to.low[d]  = m_box.low[d] + m_one.low[d];
    to.high[d] = m_box.high[d] + m_one.high[d];
  }
  convolve(m_coefficients, to, false);
  if (m_cancels) convolve(m_magnitudes, to, true);
  m_box = to;
  ++m_depth;
}

void Fusion::convolve(std::vector<double>& values, Box const& to, bool magnitudes) {
  std::size_t const planes = m_box.size(0), rows = m_box.size(1), width = m_box.size(2);
  // Not assign(), which would allocate each time.
  m_sum.resize(to.size(0) * to.size(1) * to.size(2));
  std::fill(m_sum.begin(), m_sum.end(), 0.0);
  for (Term const& t : m_terms) {
    auto const by   = [&](std::size_t d) { return static_cast<std::size_t>(t.offset[d] - m_one.low[d]); };
    double const c  = magnitudes ? std::fabs(t.coefficient) : t.coefficient;
    double* to_rows = &m_sum[(by(0) * to.size(1) + by(1)) * to.size(2) + by(2)];
    for (std::size_t z = 0; z < planes; ++z, to_rows += to.size(1) * to.size(2)) {
      for (std::size_t y = 0; y < rows; ++y) add(c, &values[(z * rows + y) * width], width, to_rows + y * to.size(2));
    }
  }
  values.swap(m_sum);
}

std::vector<FusedTerm> Fusion::terms() const {
  std::vector<FusedTerm> all;
  all.reserve(m_coefficients.size());
  std::size_t at = 0;
  for (int z = m_box.low[0]; z <= m_box.high[0]; ++z) {
    for (int y = m_box.low[1]; y <= m_box.high[1]; ++y) {
      for (int x = m_box.low[2]; x <= m_box.high[2]; ++x, ++at) {
        double const c = m_coefficients[at], magnitude = m_cancels ? m_magnitudes[at] : std::fabs(c);
        if (magnitude > 0.0) all.push_back({{{z, y, x}}, c, magnitude});
      }
    }
  }
  return all;
}

std::vector<std::vector<FusedTerm>> fused_terms(std::vector<Term> const& terms, int deepest) {
  Fusion fusion(terms);
  std::vector<std::vector<FusedTerm>> all;
  while (fusion.depth() < deepest) {
    fusion.next();
    all.push_back(fusion.terms());
  }
  return all;
}

bool rounds(std::vector<FusedTerm> const& terms, Element element) {
  double const largest = largest_of(terms);
  if (!(largest > 0.0) || !std::isfinite(largest)) return false;
  // Below the smallest normal element errors are absolute: half of the smallest one.
  int const shift       = std::ilogb(largest) - top_exponent(largest, element);
  int const normal      = element == Element::half ? -14 : -126;
  double const absolute = std::ldexp(1.0, normal - significant_bits(element) + shift);
  double const tiny = std::ldexp(1.0, normal + shift), relative = roundoff(element);
  double missed = 0.0;
  for (FusedTerm const& t : terms) {
    double const c = std::fabs(t.coefficient);
    if (c != 0.0 && c < tiny && absolute > relative * t.magnitude) missed += std::min(absolute, c);
  }
  return missed <= negligible(element);
}

bool rounds_surely(std::vector<Term> const& terms, int steps) {
  double least = std::numeric_limits<double>::max(), sum = 0.0;
  bool plus = false, minus = false;
  for (Term const& t : terms) {
    double const c = std::fabs(t.coefficient);
    if (c == 0.0) continue;
    (t.coefficient > 0.0 ? plus : minus) = true;
    least                                = std::min(least, c);
    sum += c;
  }
  // Without cancellation no coefficient is below the least one to the power of steps, and none above the sum to it.
  if (plus == minus) return false;
  return std::pow(least / sum, steps) >= 0x1p-28 && std::pow(least, steps) >= 0x1p-120 &&
         std::pow(sum, steps) <= 0x1p120;
}

RoundedTerms round_terms(std::vector<FusedTerm> const& terms, Element element) {
  double const largest = largest_of(terms);
  double sum = 0.0, magnitudes = 0.0;
  for (FusedTerm const& t : terms) {
    sum += t.coefficient;
    magnitudes += t.magnitude;
  }
  double const tiny    = negligible(element) / static_cast<double>(terms.size());
  auto const candidate = [&](double factor, bool keep_sum) {
    double const scale = std::ldexp(factor, top_exponent(largest, element) - std::ilogb(largest * factor));
    RoundedTerms rounded;
    rounded.terms.reserve(terms.size());
    double stored = 0.0;
    for (FusedTerm const& t : terms) {
      double const c = static_cast<double>(from_bits(to_bits(t.coefficient * scale, element), element));
      rounded.terms.push_back({t.offset, c});
      stored += c;
    }
    rounded.unscale = static_cast<double>(static_cast<float>(keep_sum ? sum / stored : 1.0 / scale));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      double const missed = std::fabs(rounded.terms[i].coefficient * rounded.unscale - terms[i].coefficient);
      if (missed > tiny) rounded.error = std::max(rounded.error, missed / terms[i].magnitude);
    }
    return rounded;
  };
  // A power of two, unless another factor keeps the sum within the bound.
  RoundedTerms best = candidate(1.0, false);
  if (std::fabs(sum) < magnitudes / 64.0) return best;
  double least = roundoff(element);
  for (int k = 8; k < 16 && best.error > 0.0; ++k) {
    RoundedTerms other = candidate(k / 8.0, true);
    if (other.error > least) continue;
    least = other.error;
    best  = std::move(other);
  }
  return best;
}

}  // namespace Transform
}  // namespace KokkosStencil
