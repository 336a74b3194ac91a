// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Oracle.hpp"

#include "../harness/Tolerance.hpp"

#include <KokkosStencil_Accuracy.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace KokkosStencil {
namespace Fuzz {

namespace {

constexpr long double unknown = std::numeric_limits<long double>::infinity();

bool is_canonical(Case const& c) { return c.call.accuracy == Accuracy::reproducible && !c.is_functor(); }

}  // namespace

bool State::accepts(std::size_t point, double got) const {
  long double const wanted = value[point];
  if (std::isinf(error[point])) return true;
  if (std::isnan(wanted)) return std::isnan(got);
  if (std::isinf(wanted)) return static_cast<long double>(got) == wanted;
  if (bits && std::signbit(got) != std::signbit(wanted)) return false;
  return std::abs(got - wanted) <= error[point];
}

struct Oracle::Sum {
  long double value = 0.0L;   ///< as the plain formula gives it
  long double size  = 0.0L;   ///< of its finite terms
  long double error = 0.0L;   ///< inherited
  bool nan          = false;  ///< a term is NaN
};

Oracle::Oracle(Case const& c, Engine const& engine)
    : m_case(c),
      m_engine(engine),
      m_tolerance(Test::tolerance(c.call, engine.value_type())),
      m_ghosts(c.call, c.lower, c.upper, engine.rounding()),
      m_largest(largest(engine.value_type())) {
  m_shape.rank   = c.call.rank;
  m_shape.extent = c.call.extent;
  for (Term const& t : c.call.terms) {
    std::int64_t const distance = (t.offset[0] * c.call.extent[1] + t.offset[1]) * c.call.extent[2] + t.offset[2];
    m_taps.push_back({t.offset, distance, t.coefficient, std::abs(static_cast<long double>(t.coefficient))});
  }
}

State Oracle::start(Field const& field) const {
  State s;
  s.value.assign(field.values.begin(), field.values.end());
  s.error.assign(s.value.size(), 0.0L);
  return s;
}

/// read(tap, value, error) gives what the tap reads.
template <class Read>
Oracle::Sum Oracle::sum_of(Read const& read) const {
  Sum sum;
  for (Tap const& tap : m_taps) {
    long double x = 0.0L, error = 0.0L;
    read(tap, x, error);
    sum.value += tap.coefficient * x;
    sum.error += tap.size * error;
    sum.nan = sum.nan || std::isnan(x);
    if (std::isfinite(x)) sum.size += tap.size * (std::abs(x) + error);
  }
  return sum;
}

void Oracle::put(Sum const& sum, bool twice, long double& value, long double& error) const {
  long double const factor = twice ? 2.0L : 1.0L;
  value                    = factor * sum.value;
  error                    = 0.0L;
  if (sum.nan) return;
  if (factor * sum.size > m_largest || std::isnan(sum.error) || std::isinf(sum.error)) {
    error = unknown;
  } else if (std::isfinite(sum.value)) {
    if (m_case.exact) {
      value = m_engine.round(static_cast<double>(value));
    } else {
      error = factor * (sum.error + m_tolerance.relative * sum.size) + factor * m_tolerance.absolute;
    }
  }
}

State Oracle::next(State const& state, std::vector<char>* read) const {
  if (is_canonical(m_case) && read == nullptr) return next_canonical(state);
  State after          = state;
  Extents const& n     = m_case.call.extent;
  Range const& range   = m_case.range;
  auto const inside_of = [&](std::size_t a, std::int64_t i) {
    return i + m_case.lower[a] >= 0 && i + m_case.upper[a] < n[a];
  };
  for (std::int64_t i = range.begin[0]; i < range.end[0]; ++i) {
    for (std::int64_t j = range.begin[1]; j < range.end[1]; ++j) {
      bool const row_inside = inside_of(0, i) && inside_of(1, j);
      for (std::int64_t k = range.begin[2]; k < range.end[2]; ++k) {
        Extents const point{{i, j, k}};
        std::size_t const p = m_shape.at(point);
        Sum sum;
        if (row_inside && inside_of(2, k)) {
          sum = sum_of([&](Tap const& tap, long double& x, long double& error) {
            auto const at = static_cast<std::size_t>(static_cast<std::int64_t>(p) + tap.distance);
            x             = state.value[at];
            error         = state.error[at];
            if (read != nullptr) (*read)[at] = 1;
          });
        } else {
          sum = sum_of([&](Tap const& tap, long double& x, long double& error) {
            double constant       = 0.0;
            std::int64_t const at = m_ghosts.find(point, tap.offset, constant);
            x                     = constant;
            if (at < 0) return;
            x     = state.value[static_cast<std::size_t>(at)];
            error = state.error[static_cast<std::size_t>(at)];
            if (read != nullptr) (*read)[static_cast<std::size_t>(at)] = 1;
          });
        }
        put(sum, m_case.alternating && (i + j + k) % 2 != 0, after.value[p], after.error[p]);
      }
    }
  }
  return is_canonical(m_case) ? next_canonical(state) : after;
}

/// Accuracy::reproducible promises bits.
State Oracle::next_canonical(State const& state) const {
  Field before(m_shape.rank, m_shape.extent);
  std::transform(state.value.begin(), state.value.end(), before.values.begin(),
                 [](long double x) { return static_cast<double>(x); });
  Field const after = Test::canonical(m_case.call, before, m_case.out.stride,
                                      m_engine.value_type() == ValueType::float64, m_engine.rounding());
  State bits        = start(after);
  bits.bits         = true;
  return bits;
}

State Oracle::updated(State const& sums, Field const& before) const {
  State all          = start(before);
  all.bits           = sums.bits;
  double const alpha = m_case.update.alpha, beta = m_case.update.beta;
  bool const wide        = m_engine.value_type() == ValueType::float64;
  long double const step = std::ldexp(1.0L, 1 - significant_bits(m_engine.value_type()));
  Field::each_in(m_case.range.begin, m_case.range.end, [&](Extents const& i) {
    std::size_t const p = m_shape.at(i);
    if (sums.bits) {
      double const s = static_cast<double>(sums.value[p]), v = before(i);
      if (beta == 0.0) {
        all.value[p] = m_engine.round(alpha * s);
      } else if (wide) {
        all.value[p] = std::fma(alpha, s, beta * v);
      } else {
        float const product = static_cast<float>(beta) * static_cast<float>(v);
        all.value[p]        = std::fma(static_cast<float>(alpha), static_cast<float>(s), product);
      }
      return;
    }
    long double const s = alpha * sums.value[p], b = beta != 0.0 ? beta * static_cast<long double>(before(i)) : 0.0L;
    all.value[p] = s + b;
    all.error[p] = std::abs(alpha) * sums.error[p] + 4 * step * (std::abs(s) + std::abs(b));
    // The sum itself is not rounded to the value type, whose largest value it may pass.
    bool const large = std::isinf(s) || std::abs(s) + std::abs(b) > m_largest / 8;
    if (large || std::isnan(all.error[p])) all.error[p] = std::isnan(s) ? 0.0L : unknown;
    if (std::isfinite(all.error[p])) all.error[p] += 4 * m_tolerance.absolute;
  });
  return all;
}

Change Oracle::change(State const& before, State const& after, Norm norm) const {
  Change change;
  long double squares = 0.0L, error_squares = 0.0L;
  std::int64_t points = 0;
  bool nan            = false;
  Field::each_in(m_case.range.begin, m_case.range.end, [&](Extents const& i) {
    std::size_t const p     = m_shape.at(i);
    long double const by    = std::abs(after.value[p] - before.value[p]);
    long double const error = after.error[p] + before.error[p];
    nan                     = nan || std::isnan(by);
    change.value            = std::max(change.value, by);
    change.error            = std::max(change.error, error);
    squares += by * by;
    error_squares += error * error;
    ++points;
  });
  if (points == 0) return change;
  // A difference beyond the largest double is infinity, even if the root of the mean square is not.
  bool const overflows          = change.value + change.error >= std::numeric_limits<double>::max();
  constexpr long double epsilon = std::numeric_limits<double>::epsilon();
  if (norm == Norm::rms) {
    auto const n = static_cast<long double>(points);
    change.value = std::sqrt(squares / n);
    // Sums in any order differ by a factor of at most gamma_n each (Higham, 3.1).
    // Among the smallest doubles, which lie equally far apart, the result itself is off by half a step.
    long double const rounding = change.value * (n + 4) * epsilon + std::numeric_limits<double>::denorm_min();
    change.error               = std::isinf(change.error) ? unknown : std::sqrt(error_squares / n) + rounding;
  } else {
    change.error += change.value * epsilon;
  }
  if (overflows) change.error = unknown;
  if (nan) change.value = std::numeric_limits<long double>::quiet_NaN();
  return change;
}

}  // namespace Fuzz
}  // namespace KokkosStencil
