// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Reference.hpp"
#include "Runner.hpp"

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Test {

/// Whether the written points are within the bounds of the reference and the others still equal
/// `untouched` (null: are NaN). Lists the worst points otherwise.
testing::AssertionResult within_contract(Field const& got, Expected const& expected, Field const* untouched);

/// Whether every value has the same bits; NaN equals NaN.
testing::AssertionResult same_bits(Field const& got, Field const& expected);
/// The same, but zeros of either sign are equal: the sign of an exact zero is not part of the contract.
testing::AssertionResult same_values(Field const& got, Field const& expected);

/// A backend to run a call on, and the ones that may be found to have run.
struct BackendChoice {
  std::string force;                  ///< name to force, or "" for the library's own choice
  std::vector<std::string> expected;  ///< one name, unless the choice depends on the number of steps

  testing::AssertionResult ran(std::string const& backend) const;
};

/// How to run a sweep on every backend that can: the library's own choice first, then each by name. With
/// one candidate the former is all there is to test.
std::vector<BackendChoice> sweep_choices(Runner const& runner, Call const& call);
/// The same for iterations, whose number of steps may make another backend the fastest.
std::vector<BackendChoice> iteration_choices(Runner const& runner, Call const& call);

/// Fills in coefficients and values, runs the call on every backend that can, and checks the output,
/// the points that must not change and the backend that ran. Values the stencil does not reach are NaN.
/// Integer data must come out exactly, other data within the accuracy contract.
void verify_sweep(Runner const& runner, Call call, Data data, unsigned seed = 1);

/// The same for `steps` sweeps.
void verify_iterate(Runner const& runner, Call call, std::int64_t steps, Data data, unsigned seed = 1);

/// Tests that run on every runner. `all` names the suite's instances.
class OnEveryRunner : public testing::TestWithParam<std::size_t> {
 protected:
  Runner const& runner() const { return *runners()[GetParam()]; }
  /// A call of the runner's rank.
  Call call(Extents const& extent, std::vector<Term> const& terms) const;
  /// A call with the usual odd extents.
  Call call(std::vector<Term> const& terms) const;
};

std::string runner_name(testing::TestParamInfo<std::size_t> const& info);

}  // namespace Test
}  // namespace KokkosStencil

#define KOKKOSSTENCIL_ON_EVERY_RUNNER(suite)                                                                  \
  INSTANTIATE_TEST_SUITE_P(All, suite, testing::Range(std::size_t(0), KokkosStencil::Test::runners().size()), \
                           KokkosStencil::Test::runner_name)
