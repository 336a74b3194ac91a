// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Fused.hpp>
#include <transform/Pack.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

using Terms = std::vector<Term>;

Terms box(double centre, double edge, double corner) {
  Terms terms;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x)
      terms.push_back({{{0, y, x}}, y == 0 && x == 0 ? centre : y * x == 0 ? edge : corner});
  }
  return terms;
}

double bound(Element element) { return std::ldexp(1.0, -significant_bits(element)); }

TEST(Fused, IsThePower) {
  Terms const terms = {{{{0, -1, 0}}, 0.5}, {{{0, 0, -1}}, -2.0}, {{{0, 0, 0}}, 0.25}, {{{0, 0, 2}}, 3.0}};
  auto const all    = fused_terms(terms, 5);
  ASSERT_EQ(all.size(), 5u);
  for (int depth = 1; depth <= 5; ++depth) {
    auto const& fused = all[static_cast<std::size_t>(depth - 1)];
    // Only terms that cancel may be missing in the one and zero in the other.
    Terms const power = Impl::power(terms, depth, false);
    std::size_t k     = 0;
    for (FusedTerm const& t : fused) {
      EXPECT_GE(t.magnitude, std::fabs(t.coefficient));
      if (k < power.size() && power[k].offset == t.offset) {
        EXPECT_NEAR(t.coefficient, power[k++].coefficient, 1e-12);
      } else {
        EXPECT_NEAR(t.coefficient, 0.0, 1e-12);
      }
    }
    EXPECT_EQ(k, power.size());
  }
}

TEST(Fused, RoundsWithinOneRounding) {
  std::vector<Terms> const stencils = {box(1.0 / 9, 1.0 / 9, 1.0 / 9), box(0.4, 0.1, 0.05), box(0.9, 0.02, 0.005),
                                       box(-3.3, 0.7, 0.31), box(0.25, 0.125, 0.0625)};
  for (Element const element : {Element::half, Element::bfloat}) {
    for (Terms const& terms : stencils) {
      auto const all = fused_terms(terms, 7);
      for (auto const& fused : all) {
        if (!rounds(fused, element)) continue;
        RoundedTerms const rounded = round_terms(fused, element);
        EXPECT_LE(rounded.error, bound(element));
        EXPECT_TRUE(exact_in(rounded.terms, element));
        ASSERT_EQ(rounded.terms.size(), fused.size());
        double sum = 0.0, stored = 0.0, magnitudes = 0.0;
        for (std::size_t i = 0; i < fused.size(); ++i) {
          double const c = rounded.terms[i].coefficient * rounded.unscale;
          EXPECT_LE(std::fabs(c - fused[i].coefficient),
                    bound(element) * fused[i].magnitude + std::ldexp(1.0, -40) / 225);
          sum += fused[i].coefficient;
          stored += c;
          magnitudes += fused[i].magnitude;
        }
        if (std::fabs(sum) > magnitudes / 64) {
          EXPECT_NEAR(stored, sum, 1e-7 * magnitudes) << "the mean of a field drifts";
        }
      }
    }
  }
}

TEST(Fused, SevenStepsOfABoxFitHalf) {
  EXPECT_TRUE(rounds(fused_terms(box(1.0 / 9, 1.0 / 9, 1.0 / 9), 7)[6], Element::half));
  EXPECT_TRUE(rounds(fused_terms(box(0.4, 0.1, 0.05), 7)[6], Element::half));
  // Corners of 0.01^7 would lose their digits.
  EXPECT_FALSE(rounds(fused_terms(box(0.92, 0.01, 0.01), 7)[6], Element::half));
  EXPECT_TRUE(rounds(fused_terms(box(0.92, 0.01, 0.01), 4)[3], Element::half));
  EXPECT_TRUE(rounds(fused_terms(box(0.92, 0.01, 0.01), 7)[6], Element::bfloat));
  EXPECT_FALSE(rounds(fused_terms({}, 2)[1], Element::half));
}

TEST(Fused, ExactStaysExact) {
  auto const fused = fused_terms(box(0.25, 0.125, 0.0625), 2)[1];
  auto const r     = round_terms(fused, Element::half);
  EXPECT_EQ(r.error, 0.0);
  for (std::size_t i = 0; i < fused.size(); ++i) EXPECT_EQ(r.terms[i].coefficient * r.unscale, fused[i].coefficient);
}

TEST(Fused, TakesMicroseconds) {
  Terms const terms = box(0.4, 0.1, 0.05);
  double check = 1.0, round = 1.0;
  for (int k = 0; k < 20; ++k) {
    auto const t0  = std::chrono::steady_clock::now();
    auto const all = fused_terms(terms, 7);
    bool fits      = true;
    for (auto const& f : all) fits = rounds(f, Element::half) && fits;
    auto const t1      = std::chrono::steady_clock::now();
    auto const rounded = round_terms(all[6], Element::half);
    auto const t2      = std::chrono::steady_clock::now();
    EXPECT_TRUE(fits);
    EXPECT_EQ(rounded.terms.size(), 225u);
    check = std::min(check, std::chrono::duration<double>(t1 - t0).count());
    round = std::min(round, std::chrono::duration<double>(t2 - t1).count());
  }
  std::printf("seven depths of a box: %.1f us, rounding the deepest: %.1f us\n", 1e6 * check, 1e6 * round);
}

TEST(Fused, WhatRoundsSurelyDoes) {
  auto const line = [](double a, double b, double c) {
    return std::vector<Term>{{{{0, 0, -1}}, a}, {{{0, 0, 0}}, b}, {{{0, 0, 1}}, c}};
  };
  int sure = 0;
  for (double const a : {1.0, -1.0, 0.3, 1e-3, 1e-6, 1e-20}) {
    for (double const b : {1.0, 0.4, 1e-2, 1e3, 1e20}) {
      for (double const c : {1.0, 0.0, -0.3, 1e-4}) {
        auto const terms = line(a, b, c);
        auto const fused = fused_terms(terms, 12);
        for (int steps = 1; steps <= 12; ++steps) {
          if (!rounds_surely(terms, steps)) continue;
          ++sure;
          for (Element const element : {Element::half, Element::bfloat}) {
            EXPECT_TRUE(rounds(fused[static_cast<std::size_t>(steps - 1)], element)) << a << " " << b << " " << c;
          }
        }
      }
    }
  }
  EXPECT_GT(sure, 50);
  EXPECT_FALSE(rounds_surely(line(0.5, -1.0, 0.5), 2)) << "terms cancel";
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
