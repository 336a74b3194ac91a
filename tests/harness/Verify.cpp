// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace KokkosStencil {
namespace Test {

namespace {

struct Mismatch {
  long double badness;
  std::string text;
};

testing::AssertionResult verdict(std::vector<Mismatch> wrong, std::size_t points) {
  if (wrong.empty()) return testing::AssertionSuccess();
  constexpr std::size_t shown = 5;
  auto const middle           = wrong.begin() + static_cast<std::ptrdiff_t>(std::min(shown, wrong.size()));
  std::partial_sort(wrong.begin(), middle, wrong.end(),
                    [](Mismatch const& p, Mismatch const& q) { return p.badness > q.badness; });
  testing::AssertionResult failure = testing::AssertionFailure();
  failure << wrong.size() << " of " << points << " points are wrong; the worst:";
  for (auto m = wrong.begin(); m != middle; ++m) failure << "\n  " << m->text;
  return failure;
}

bool equal_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

testing::AssertionResult within_contract(Field const& got, Expected const& expected, Field const* untouched) {
  std::vector<Mismatch> wrong;
  got.each([&](Extents const& i) {
    std::size_t const p = got.at(i);
    double const value  = got.values[p];
    std::ostringstream text;
    text.precision(17);
    text << index_text(got.rank, i) << ": got " << value << ", ";
    if (expected.written[p]) {
      long double const error = std::abs(value - expected.values[p]);
      if (error <= expected.errors[p]) return;
      text << "exact " << static_cast<double>(expected.values[p]) << ", error " << static_cast<double>(error)
           << ", allowed " << static_cast<double>(expected.errors[p]);
      wrong.push_back({std::isnan(error) ? HUGE_VALL : error - expected.errors[p], text.str()});
    } else if (untouched == nullptr ? !std::isnan(value) : !equal_bits(value, (*untouched)(i))) {
      text << "but the point is outside the range";
      wrong.push_back({HUGE_VALL, text.str()});
    }
  });
  return verdict(std::move(wrong), got.values.size());
}

namespace {

template <class Equal>
testing::AssertionResult compared(Field const& got, Field const& expected, Equal const& equal) {
  if (got.extent != expected.extent) return testing::AssertionFailure() << "the extents differ";
  std::vector<Mismatch> wrong;
  got.each([&](Extents const& i) {
    double const a = got(i), b = expected(i);
    if (equal(a, b) || (std::isnan(a) && std::isnan(b))) return;
    std::ostringstream text;
    text.precision(17);
    text << index_text(got.rank, i) << ": got " << a << ", expected " << b;
    wrong.push_back({std::isnan(a - b) ? HUGE_VALL : std::abs(a - b), text.str()});
  });
  return verdict(std::move(wrong), got.values.size());
}

}  // namespace

testing::AssertionResult same_bits(Field const& got, Field const& expected) {
  return compared(got, expected, equal_bits);
}

testing::AssertionResult same_values(Field const& got, Field const& expected) {
  return compared(got, expected, [](double a, double b) { return a == b; });
}

testing::AssertionResult BackendChoice::ran(std::string const& backend) const {
  if (std::find(expected.begin(), expected.end(), backend) != expected.end()) return testing::AssertionSuccess();
  testing::AssertionResult failure = testing::AssertionFailure() << "\"" << backend << "\" ran instead of";
  for (std::string const& name : expected) failure << " " << name;
  return failure;
}

std::vector<BackendChoice> sweep_choices(Runner const& runner, Call const& call) {
  auto const candidates = runner.candidates(call);
  std::vector<BackendChoice> choices(1);
  for (Candidate const& c : candidates) {
    if (c.chosen) choices[0].expected.push_back(c.backend);
  }
  EXPECT_EQ(choices[0].expected.size(), 1u) << "exactly one backend must be chosen";
  for (Candidate const& c : candidates) {
    // A backend has a candidate for each of its depths.
    if (c.runnable && choices.back().force != c.backend) choices.push_back({c.backend, {c.backend}});
  }
  if (choices.size() == 2) choices.pop_back();
  return choices;
}

std::vector<BackendChoice> iteration_choices(Runner const& runner, Call const& call) {
  auto choices = sweep_choices(runner, call);
  if (choices.size() > 1) choices[0].expected.clear();
  for (std::size_t k = 1; k < choices.size(); ++k) choices[0].expected.push_back(choices[k].force);
  return choices;
}

namespace {

/// Integer results are exact but for the final rounding to the value type.
Field rounded_values(Expected const& expected, Field const& elsewhere, Rounding const& round) {
  Field field = elsewhere;
  for (std::size_t p = 0; p < field.values.size(); ++p) {
    if (expected.written[p]) field.values[p] = round(static_cast<double>(expected.values[p]));
  }
  return field;
}

void forget_unread(Field& input, Expected const& expected) {
  for (std::size_t p = 0; p < input.values.size(); ++p) {
    if (!expected.read[p]) input.values[p] = not_a_number();
  }
}

}  // namespace

void verify_sweep(Runner const& runner, Call call, Data data, unsigned seed) {
  set_coefficients(call.terms, data, seed, runner.coefficient_rounding(call));
  SCOPED_TRACE(runner.name() + ": " + call.text());
  Field input             = filled(call.rank, call.extent, data, seed, runner.rounding());
  Expected const expected = reference(call, input, 1, tolerance(call, runner.value_type()), runner.rounding());
  forget_unread(input, expected);
  for (BackendChoice const& choice : sweep_choices(runner, call)) {
    SCOPED_TRACE(choice.force.empty() ? "chosen backend" : "forced backend " + choice.force);
    Outcome const o = runner.sweep(call, input, choice.force);
    EXPECT_TRUE(choice.ran(o.backend));
    EXPECT_TRUE(choice.ran(o.noted));
    EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
    if (data == Data::integer) {
      Field const nothing(call.rank, call.extent, not_a_number());
      EXPECT_TRUE(same_values(o.newest, rounded_values(expected, nothing, runner.rounding())));
    } else {
      EXPECT_TRUE(within_contract(o.newest, expected, nullptr));
    }
  }
}

void verify_iterate(Runner const& runner, Call call, std::int64_t steps, Data data, unsigned seed) {
  set_coefficients(call.terms, data, seed, runner.coefficient_rounding(call));
  if (call.symmetric) make_symmetric(call.terms);
  if (call.bounded) make_bounded(call.terms, runner.coefficient_rounding(call));
  SCOPED_TRACE(runner.name() + ": " + call.text() + ", " + std::to_string(steps) + " steps");
  Field const start       = filled(call.rank, call.extent, data, seed, runner.rounding());
  Expected const expected = reference(call, start, steps, tolerance(call, runner.value_type()), runner.rounding());
  for (BackendChoice const& choice : iteration_choices(runner, call)) {
    SCOPED_TRACE(choice.force.empty() ? "chosen backend" : "forced backend " + choice.force);
    Outcome const o = runner.iterate(call, start, steps, choice.force);
    if (steps > 0) {
      EXPECT_TRUE(choice.ran(o.backend));
      EXPECT_TRUE(choice.ran(o.noted));
    }
    EXPECT_TRUE(o.guards_intact) << "something was written outside the Views";
    EXPECT_TRUE(o.handles_kept) << "u and tmp must name the Views that were given";
    EXPECT_TRUE(within_contract(o.newest, expected, &start));
  }
}

Call OnEveryRunner::call(Extents const& extent, std::vector<Term> const& terms) const {
  Call s;
  s.rank = runner().rank();
  for (std::size_t a = 0; a < static_cast<std::size_t>(s.rank); ++a) s.extent[a] = extent[a];
  s.terms = terms;
  return s;
}

Call OnEveryRunner::call(std::vector<Term> const& terms) const {
  Call s;
  s.terms          = terms;
  auto const lower = s.lower(), upper = s.upper();
  int radius = 0;
  for (std::size_t a = 0; a < 3; ++a) radius = std::max({radius, -lower[a], upper[a]});
  return call(odd_extents(runner().rank(), radius), terms);
}

std::string runner_name(testing::TestParamInfo<std::size_t> const& info) { return runners()[info.param]->name(); }

}  // namespace Test
}  // namespace KokkosStencil
