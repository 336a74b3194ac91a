// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Verify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

// iterate_until against states whose bits are known: Accuracy::reproducible.

namespace KokkosStencil {
namespace Test {
namespace {

class UntilConverged : public OnEveryRunner {
 protected:
  /// A damped average: the change shrinks by about a half each step.
  Call damped(Face const& face) const {
    Call s     = call({{13, 11, 9}}, star_offsets(runner().rank(), 1)).face(face);
    s.accuracy = Accuracy::reproducible;
    for (Term& t : s.terms) t.coefficient = runner().coefficient_rounding(s)(0.5 / static_cast<double>(s.terms.size()));
    return s;
  }
  Field start(Call const& s) const { return filled(s.rank, s.extent, Data::random, 6, runner().rounding()); }

  std::vector<Field> states(Call const& s, std::int64_t steps) const {
    std::vector<Field> all = {start(s)};
    Extents const strides  = place(s.out, s.rank, s.extent, 0).stride;
    bool const in_double   = runner().value_type() == ValueType::float64;
    for (std::int64_t k = 0; k < steps; ++k) {
      all.push_back(canonical(s, all.back(), strides, in_double, runner().rounding()));
    }
    return all;
  }
  static double change(Call const& s, Field const& a, Field const& b, Norm norm) {
    Range const range = written_range(s);
    long double most = 0.0L, sum = 0.0L;
    std::int64_t points = 0;
    Field::each_in(range.begin, range.end, [&](Extents const& i) {
      long double const d = std::abs(static_cast<long double>(a(i)) - b(i));
      most                = std::max(most, d);
      sum += d * d;
      ++points;
    });
    return static_cast<double>(norm == Norm::max ? most : std::sqrt(sum / static_cast<long double>(points)));
  }
  /// Sums in any order differ from each other by a factor of at most gamma_n each (Higham, 3.1).
  static double allowed(Call const& s, Norm norm, double exact) {
    if (norm == Norm::max) return 0.0;
    auto const points = static_cast<double>(s.extent[0] * s.extent[1] * s.extent[2]);
    return exact * (points + 4.0) * std::numeric_limits<double>::epsilon();
  }

  void check(Call const& s, std::int64_t check_every, Norm norm, std::int64_t converges_at) const {
    std::int64_t const total = converges_at + 2 * check_every;
    auto const all           = states(s, total);
    auto const update_norm   = [&](std::int64_t k) {
      auto const n = static_cast<std::size_t>(k);
      return change(s, all[n], all[n - 1], norm);
    };
    // Between two changes that are checked, so that rounding cannot move the step.
    double const before = update_norm(converges_at - check_every), after = update_norm(converges_at);
    ASSERT_LT(after, before);
    double const tolerance = 0.5 * (before + after);
    for (BackendChoice const& choice : iteration_choices(runner(), s)) {
      Outcome const o = runner().iterate_until(s, all[0], {tolerance, 1000, check_every, norm}, choice.force);
      EXPECT_TRUE(choice.ran(o.backend));
      EXPECT_TRUE(o.until.converged);
      EXPECT_EQ(o.until.steps, converges_at);
      EXPECT_NEAR(o.until.update_norm, after, allowed(s, norm, after));
      EXPECT_TRUE(o.handles_kept);
      EXPECT_TRUE(o.guards_intact);
      EXPECT_TRUE(same_bits(o.newest, all[static_cast<std::size_t>(converges_at)]));
    }
  }
};
KOKKOSSTENCIL_ON_EVERY_RUNNER(UntilConverged);

TEST_P(UntilConverged, StopsAtTheRightStep) {
  for (Norm norm : {Norm::max, Norm::rms}) {
    for (Face const& face : all_faces()) {
      SCOPED_TRACE(to_string(face.kind));
      check(damped(face), 1, norm, 4);
      check(damped(face), 1, norm, 3);
      check(damped(face), 2, norm, 4);
      check(damped(face), 3, norm, 6);
    }
  }
}

TEST_P(UntilConverged, OnEveryLayout) {
  std::pair<Layout, Layout> const pairs[] = {
      {Layout::left, Layout::left}, {Layout::padded, Layout::padded_more}, {Layout::strided, Layout::padded}};
  for (auto const& layouts : pairs) {
    Call s = damped(Face::mirror());
    s.in   = layouts.first;
    s.out  = layouts.second;
    check(s, 1, Norm::max, 3);
    check(s, 3, Norm::rms, 6);
  }
}

TEST_P(UntilConverged, SquaresThatAreNoDoubles) {
  if (runner().value_type() != ValueType::float64) GTEST_SKIP() << "squares of shorter types are doubles";
  Call s = damped(Face::periodic());
  for (double const factor : {0x1p-700, 0x1p-1010, 0x1p+700, 0x1p+1015}) {
    SCOPED_TRACE(factor);
    Field u = start(s);
    for (double& value : u.values) value *= factor;
    Extents const strides = place(s.out, s.rank, s.extent, 0).stride;
    Field const v         = canonical(s, u, strides, true, runner().rounding());
    double const expected = change(s, v, u, Norm::rms);
    ASSERT_GT(expected, 0.0);
    for (BackendChoice const& choice : iteration_choices(runner(), s)) {
      Outcome const o = runner().iterate_until(s, u, {0.0, 1, 1, Norm::rms}, choice.force);
      EXPECT_TRUE(choice.ran(o.backend));
      EXPECT_FALSE(o.until.converged);
      EXPECT_NEAR(o.until.update_norm, expected, allowed(s, Norm::rms, expected) + 0x1p-1073);
    }
  }
}

TEST_P(UntilConverged, DifferencesBeyondTheLargestDoubleAreInfinity) {
  if (runner().value_type() != ValueType::float64) GTEST_SKIP() << "differences of shorter types are doubles";
  Call s  = call({{13, 11, 9}}, {{{{0, 0, 0}}, -1.0}}).face(Face::periodic());
  Field u = filled(s.rank, s.extent, Data::random, 6, runner().rounding());
  for (double& value : u.values) value = 1.5e308;
  for (Norm const norm : {Norm::max, Norm::rms}) {
    for (BackendChoice const& choice : iteration_choices(runner(), s)) {
      Outcome const o = runner().iterate_until(s, u, {1e300, 2, 1, norm}, choice.force);
      EXPECT_TRUE(choice.ran(o.backend));
      EXPECT_FALSE(o.until.converged);
      EXPECT_EQ(o.until.steps, 2);
      EXPECT_EQ(o.until.update_norm, std::numeric_limits<double>::infinity());
    }
  }
}

TEST_P(UntilConverged, NothingChanges) {
  // All values alike and weights that add up to one: a state that stays.
  Call s          = call({{13, 11, 9}}, {{{{0, 0, 0}}, 1.0}}).face(Face::periodic());
  Field const u   = filled(s.rank, s.extent, Data::random, 6, runner().rounding());
  Outcome const o = runner().iterate_until(s, u, {0.0, 10, 1, Norm::rms}, "");
  EXPECT_TRUE(o.until.converged);
  EXPECT_EQ(o.until.steps, 1);
  EXPECT_EQ(o.until.update_norm, 0.0);
}

TEST_P(UntilConverged, GivesUpAfterMaxSteps) {
  Call const s   = damped(Face::halo());
  auto const all = states(s, 7);
  for (std::int64_t check_every : {1, 2, 3, 7, 100}) {
    // The last check comes after max_steps, whether check_every divides it or not.
    Outcome const o = runner().iterate_until(s, all[0], {0.0, 7, check_every, Norm::max}, "");
    EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
    EXPECT_EQ(o.until.steps, 7);
    EXPECT_FALSE(o.until.converged);
    EXPECT_EQ(o.until.update_norm, change(s, all[7], all[6], Norm::max));
    EXPECT_TRUE(same_bits(o.newest, all[7]));
  }
}

TEST_P(UntilConverged, NoSteps) {
  Call const s    = damped(Face::halo());
  Field const u   = start(s);
  Outcome const o = runner().iterate_until(s, u, {0.0, 0, 1, Norm::max}, "");
  EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
  EXPECT_EQ(o.until.steps, 0);
  EXPECT_FALSE(o.swapped);
  EXPECT_TRUE(same_bits(o.newest, u));
}

TEST_P(UntilConverged, ZeroToleranceIsMetExactly) {
  // One sweep of a shift along equal values changes nothing.
  Call s          = call({{{{1, 0, 0}}, 1.0}}).face(Face::periodic());
  s.accuracy      = Accuracy::reproducible;
  Outcome const o = runner().iterate_until(s, Field(s.rank, s.extent, 3.0), {0.0, 50, 1, Norm::max}, "");
  EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
  EXPECT_EQ(o.until.steps, 1);
  EXPECT_TRUE(o.until.converged);
  EXPECT_EQ(o.until.update_norm, 0.0);
}

TEST_P(UntilConverged, NaNStops) {
  for (Norm norm : {Norm::max, Norm::rms}) {
    for (std::int64_t check_every : {1, 4}) {
      Call const s    = damped(Face::periodic());
      Field u         = start(s);
      u({{3, 0, 0}})  = not_a_number();
      Outcome const o = runner().iterate_until(s, u, {1e-30, 1000, check_every, norm}, "");
      EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
      EXPECT_EQ(o.until.steps, check_every);
      EXPECT_TRUE(std::isnan(o.until.update_norm));
      EXPECT_FALSE(o.until.converged);
    }
  }
}

TEST_P(UntilConverged, InfinityIsNotNaN) {
  Call s = call({{13, 11, 9}}, {{{{0, 0, 0}}, 1.0}});
  // x -> x + x of a large value overflows to infinity: the change is infinite, not NaN.
  s.terms[0].coefficient = 4.0;
  Field u(s.rank, s.extent, 1.0);
  double most = 1.0;
  while (!std::isinf(runner().round(4.0 * most))) most *= 2.0;
  u({{1, 0, 0}}) = most;
  for (Norm norm : {Norm::max, Norm::rms}) {
    Outcome const o = runner().iterate_until(s, u, {0.0, 1, 1, norm}, "");
    EXPECT_TRUE(iteration_choices(runner(), s)[0].ran(o.backend));
    EXPECT_TRUE(std::isinf(o.until.update_norm));
  }
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
