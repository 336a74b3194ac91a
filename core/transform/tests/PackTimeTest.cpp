// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"

#include <transform/Pack.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace KokkosStencil {
namespace Transform {
namespace {

/// Microseconds of the fastest of several preparations.
double time_of(Samples::Terms const& terms, PackOptions const& options) {
  using Clock = std::chrono::steady_clock;
  double best = 1e30;
  for (int repeat = 0; repeat < 50; ++repeat) {
    auto const start = Clock::now();
    Pack const pack  = pack_sparse(terms, options);
    best             = std::min(best, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    EXPECT_FALSE(pack.a.empty());
  }
  return best;
}

void report(char const* name, Samples::Terms const& terms) {
  PackOptions split;
  split.coefficients = Coefficients::split;
  std::printf("%-10s %5zu terms: %8.2f us, split %8.2f us\n", name, terms.size(), time_of(terms, {}),
              time_of(terms, split));
}

TEST(PackTime, Report) {
  pack_sparse(Samples::box(1, 1));  // the tables, made once a process
  report("star-2d1r", Samples::star(2, 1));
  report("box-2d1r", Samples::box(2, 1));
  report("box-2d3r", Samples::box(2, 3));
  report("box-2d7r", Samples::box(2, 7));
  report("box-3d3r", Samples::box(3, 3));
  report("box-3d7r", Samples::box(3, 7));
}

TEST(PackTime, GrowsLinearly) {
  // 64 times the terms and chunks; a factor of 4 covers a busy machine.
  double const small = time_of(Samples::make_terms(
                                   0, 3, 7, [](int, int, int) { return true; }, Samples::SmallIntegers(1)),
                               {});
  double const large = time_of(Samples::make_terms(
                                   0, 223, 7, [](int, int, int) { return true; }, Samples::SmallIntegers(1)),
                               {});
  EXPECT_LT(large, 64 * 4 * small);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
