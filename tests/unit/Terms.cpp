// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/ErrorText.hpp"
#include "../harness/Reference.hpp"

#include <KokkosStencil_Stencil.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace KokkosStencil {
namespace Test {
namespace {

using Terms2 = std::vector<Stencil<double, 2>::Term>;

std::map<std::array<int, 2>, double> by_offset(Stencil<double, 2> const& s) {
  std::map<std::array<int, 2>, double> all;
  for (auto const& t : s.terms()) all[t.offset] = t.coefficient;
  return all;
}

TEST(Terms, AreSortedMergedAndFreeOfZeros) {
  Stencil<double, 2> const s{{{1, 0}, 2.0}, {{-1, 3}, 1.0}, {{1, 0}, 0.5},
                             {{9, 9}, 0.0}, {{0, 4}, 3.0},  {{0, 4}, -3.0}};
  ASSERT_EQ(s.size(), 2u);
  EXPECT_EQ(s.term(0).offset, (std::array<int, 2>{{-1, 3}}));
  EXPECT_EQ(s.term(0).coefficient, 1.0);
  EXPECT_EQ(s.term(1).offset, (std::array<int, 2>{{1, 0}}));
  EXPECT_EQ(s.term(1).coefficient, 2.5);
  // Dropped terms are not part of the reach.
  EXPECT_EQ(s.lower(0), -1);
  EXPECT_EQ(s.upper(0), 1);
  EXPECT_EQ(s.lower(1), 0);
  EXPECT_EQ(s.upper(1), 3);
  EXPECT_EQ(s.radius(), 3);
}

TEST(Terms, OrderDoesNotMatter) {
  Terms2 terms = {{{0, 1}, 1.0}, {{2, -1}, 2.0}, {{-3, 0}, 3.0}};
  Stencil<double, 2> const s(terms);
  std::swap(terms[0], terms[2]);
  EXPECT_EQ(s, (Stencil<double, 2>(terms)));
  terms[1].coefficient = 2.5;
  EXPECT_NE(s, (Stencil<double, 2>(terms)));
}

TEST(Terms, NoTerms) {
  Stencil<float, 3> const none;
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(none.radius(), 0);
  EXPECT_TRUE(none.terms().empty());
  EXPECT_EQ(none, (Stencil<float, 3>{}));
  EXPECT_EQ(none.fused(3), none);
  EXPECT_EQ(none.fused(0).size(), 1u) << "no sweep at all is the identity";
}

TEST(Terms, NonFiniteCoefficientsSurviveForTheErrorMessage) {
  Stencil<double, 1> const s{{{0}, not_a_number()}};
  EXPECT_EQ(s.size(), 1u);
}

TEST(Terms, StarByDistance) {
  auto const s   = star<2>(2, {5.0, 3.0, 1.0});
  auto const all = by_offset(s);
  EXPECT_EQ(all.size(), 9u);
  EXPECT_EQ(all.at({{0, 0}}), 5.0);
  for (int sign : {-1, 1}) {
    EXPECT_EQ(all.at({{sign, 0}}), 3.0);
    EXPECT_EQ(all.at({{0, sign}}), 3.0);
    EXPECT_EQ(all.at({{2 * sign, 0}}), 1.0);
    EXPECT_EQ(all.at({{0, 2 * sign}}), 1.0);
  }
}

TEST(Terms, StarPerDirection) {
  auto const all = by_offset(star<2>(2, {9.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}));
  EXPECT_EQ(all.size(), 9u);
  EXPECT_EQ(all.at({{0, 0}}), 9.0);
  EXPECT_EQ(all.at({{-1, 0}}), 1.0);
  EXPECT_EQ(all.at({{-2, 0}}), 2.0);
  EXPECT_EQ(all.at({{1, 0}}), 3.0);
  EXPECT_EQ(all.at({{2, 0}}), 4.0);
  EXPECT_EQ(all.at({{0, -1}}), 5.0);
  EXPECT_EQ(all.at({{0, -2}}), 6.0);
  EXPECT_EQ(all.at({{0, 1}}), 7.0);
  EXPECT_EQ(all.at({{0, 2}}), 8.0);
}

TEST(Terms, BoxIsRowMajor) {
  std::vector<double> weights(9);
  for (std::size_t k = 0; k < 9; ++k) weights[k] = static_cast<double>(k + 1);
  auto const all = by_offset(box<2>(1, weights));
  EXPECT_EQ(all.size(), 9u);
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) EXPECT_EQ(all.at({{i, j}}), 3 * (i + 1) + j + 2);
  }
  EXPECT_EQ(box<3>(0, {2.0f}).size(), 1u);
}

TEST(Terms, WrongCountsAreErrors) {
  EXPECT_ERROR(star<2>(2, {1.0, 2.0}), "star: 2 coefficients for radius 2 in 2-D", "give 3", "or 9");
  EXPECT_ERROR(star<3>(1, {1.0f}), "star: 1 coefficients for radius 1 in 3-D", "give 2", "or 7");
  EXPECT_ERROR(star<1>(-1, {1.0}), "star", "radius is -1", "must not be negative");
  EXPECT_ERROR(box<2>(1, {1.0, 2.0}), "box: 2 weights for radius 1 in 2-D", "give 9");
  EXPECT_ERROR(box<2>(-3, {1.0}), "box", "radius is -3", "must not be negative");
  EXPECT_ERROR(star<2>(1, std::vector<double>{}), "star: 0 coefficients");
  EXPECT_ERROR(box<1>(1, std::vector<float>{}), "box: 0 weights");
  EXPECT_ERROR((Stencil<double, 1>{{{0}, 1.0}}.fused(-2)), "fused: -2 sweeps", "must not be negative");
}

TEST(Terms, OffsetsThatIntegersDoNotHold) {
  constexpr int most = std::numeric_limits<int>::max();
  Stencil<double, 1> const far{{{-most}, 1.0}, {{most}, 1.0}};
  EXPECT_EQ(far.lower(0), -most);
  EXPECT_EQ(far.upper(0), most);
  EXPECT_EQ(far.radius(), most);
  // There is no radius of 2^31.
  using Line = Stencil<double, 1>;
  EXPECT_ERROR((Line{{{-most - 1}, 1.0}}), "offset -2147483648", "at most 2147483647");
  EXPECT_ERROR((Stencil<float, 3>{{{0, -most - 1, 0}, 1.0f}}), "offset -2147483648", "at most 2147483647");
  Stencil<double, 2> const up{{{0, 2000000000}, 1.0}}, down{{{0, -2000000000}, 1.0}};
  EXPECT_ERROR(up.compose(up), "composition reaches 4000000000", "axis 1", "at most 2147483647", "one after the other");
  EXPECT_ERROR(down.fused(2), "composition reaches 4000000000", "axis 1");
  EXPECT_EQ(up.compose(down), (Stencil<double, 2>{{{0, 0}, 1.0}}));
  EXPECT_EQ(far.fused(1), far);
}

TEST(Terms, CountsThatIntegersDoNotHold) {
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_ERROR(box<1>(most, {1.0}), "1 weights", "give 4294967295 ");
  EXPECT_ERROR(box<2>(most, {1.0}), "1 weights", "give 18446744065119617025 ");
  EXPECT_ERROR(box<3>(most, {1.0}), "1 weights", "give 4294967295^3 ");
  EXPECT_ERROR(box<3>(most, std::vector<float>{}), "0 weights", "give 4294967295^3 ");
  EXPECT_ERROR(star<3>(most, {1.0}), "1 coefficients", "give 2147483648 ", "or 12884901883 ");
}

/// Coefficients of a composition, the direct way: every pair of terms.
std::map<std::array<int, 2>, double> convolved(Stencil<double, 2> const& a, Stencil<double, 2> const& b) {
  std::map<std::array<int, 2>, long double> sums;
  for (auto const& p : a.terms()) {
    for (auto const& q : b.terms()) {
      sums[{{p.offset[0] + q.offset[0], p.offset[1] + q.offset[1]}}] +=
          static_cast<long double>(p.coefficient) * q.coefficient;
    }
  }
  std::map<std::array<int, 2>, double> rounded;
  for (auto const& s : sums) {
    if (static_cast<double>(s.second) != 0.0) rounded[s.first] = static_cast<double>(s.second);
  }
  return rounded;
}

Stencil<double, 2> random_stencil(unsigned seed) {
  auto terms = scattered_offsets(2, 2, 6, seed);
  set_coefficients(terms, Data::integer, seed, {});
  Terms2 flat;
  for (Term const& t : terms) flat.push_back({{{t.offset[0], t.offset[1]}}, t.coefficient});
  return Stencil<double, 2>(flat);
}

TEST(Terms, ComposeIsAConvolution) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    auto const a = random_stencil(seed), b = random_stencil(seed + 100);
    // Integers: exact, and the same in both orders.
    EXPECT_EQ(by_offset(a.compose(b)), convolved(a, b));
    EXPECT_EQ(a.compose(b), b.compose(a));
  }
}

TEST(Terms, FusedIsRepeatedComposition) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    auto const s = random_stencil(seed);
    EXPECT_EQ(by_offset(s.fused(0)), (std::map<std::array<int, 2>, double>{{{{0, 0}}, 1.0}}));
    EXPECT_EQ(s.fused(1), s);
    EXPECT_EQ(s.fused(2), s.compose(s));
    EXPECT_EQ(s.fused(4), s.compose(s.compose(s.compose(s))));
  }
}

TEST(Terms, CancelledTermsAreDropped) {
  // (1 + x)(1 - x) = 1 - x^2: the middle term must vanish.
  Stencil<double, 1> const sum{{{0}, 1.0}, {{1}, 1.0}}, difference{{{0}, 1.0}, {{1}, -1.0}};
  auto const product = sum.compose(difference);
  EXPECT_EQ(product, (Stencil<double, 1>{{{0}, 1.0}, {{2}, -1.0}}));
}

TEST(Terms, FusedEqualsRepeatedSweepsAwayFromTheFaces) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    auto const s = random_stencil(seed);
    Call once, thrice;
    once.rank = thrice.rank = 2;
    once.extent = thrice.extent = {{23, 25, 1}};
    for (auto const& t : s.terms()) once.terms.push_back({{{t.offset[0], t.offset[1], 0}}, t.coefficient});
    for (auto const& t : s.fused(3).terms()) thrice.terms.push_back({{{t.offset[0], t.offset[1], 0}}, t.coefficient});
    once.face(Face::periodic());
    thrice.face(Face::periodic());
    auto const identity = [](double x) { return x; };
    Field const start   = filled(2, once.extent, Data::integer, seed, identity);
    auto const slow     = reference(once, start, 3, {0.0, 0.0}, identity);
    auto const fast     = reference(thrice, start, 1, {0.0, 0.0}, identity);
    EXPECT_EQ(slow.values, fast.values);
  }
}

TEST(Terms, FloatCoefficientsAreRoundedOnce) {
  // 1/3 in float, squared: extended precision and one rounding, not two.
  float const third = 1.0f / 3.0f;
  Stencil<float, 1> const s{{{0}, third}, {{1}, third}};
  auto const squared = s.fused(2);
  auto const exact   = static_cast<long double>(third) * third;
  ASSERT_EQ(squared.size(), 3u);
  EXPECT_EQ(squared.term(0).coefficient, static_cast<float>(exact));
  EXPECT_EQ(squared.term(1).coefficient, static_cast<float>(2 * exact));
  EXPECT_EQ(squared.term(2).coefficient, static_cast<float>(exact));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
