// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace KokkosStencil {
namespace Test {
namespace {

double power_of_two(int e) { return std::ldexp(1.0, e); }

TEST(AccuracyBound, FollowsFromTheContract) {
  auto const s = star<2>(1, {1.0, 0.25});
  // Five terms exact in float: twice gamma_5 and one rounding.
  auto const gamma = [](double n, double u) { return n * u / (1.0 - n * u); };
  auto const bound = [](double chain, double store) { return chain + store * (1.0 + chain); };
  struct {
    ValueType type;
    double chain, store;
  } const cases[] = {{ValueType::float64, power_of_two(-53), power_of_two(-53)},
                     {ValueType::float32, power_of_two(-24), power_of_two(-24)},
                     {ValueType::float16, power_of_two(-24), power_of_two(-11)},
                     {ValueType::bfloat16, power_of_two(-24), power_of_two(-8)}};
  for (auto const& c : cases) {
    EXPECT_DOUBLE_EQ(error_bound(s, c.type), bound(2.0 * gamma(5, c.chain), c.store)) << to_string(c.type);
    EXPECT_DOUBLE_EQ(error_bound(s, c.type, Accuracy::reproducible), bound(gamma(5, c.chain), c.store))
        << to_string(c.type);
  }
}

TEST(AccuracyBound, CoefficientsThatMustBeRoundedCostOneOperation) {
  auto const exact = star<2>(1, {1.0, 0.25}), rounded = star<2>(1, {1.0, 0.1});
  EXPECT_GT(error_bound(rounded, ValueType::float32), error_bound(exact, ValueType::float32));
  EXPECT_EQ(error_bound(rounded, ValueType::float64), error_bound(exact, ValueType::float64));
  auto const single = star<2>(1, {1.0f, 0.1f});
  EXPECT_EQ(error_bound(single, ValueType::float32), error_bound(exact, ValueType::float32));
}

TEST(AccuracyBound, LevelsAreOrdered) {
  auto const s = box<2>(1, std::vector<float>(9, 0.1f));
  for (ValueType type : {ValueType::float64, ValueType::float32, ValueType::float16, ValueType::bfloat16}) {
    double const reproducible = error_bound(s, type, Accuracy::reproducible);
    double const native       = error_bound(s, type, Accuracy::native);
    double const relaxed      = error_bound(s, type, Accuracy::relaxed);
    EXPECT_LT(reproducible, native);
    EXPECT_LE(native, relaxed);
    // Only float has something to relax.
    EXPECT_EQ(native < relaxed, type == ValueType::float32);
    EXPECT_GE(reproducible, std::ldexp(1.0, -significant_bits(type)));
  }
  EXPECT_LT(error_bound(s, ValueType::float32, Accuracy::relaxed), 0.01);
}

TEST(AccuracyBound, NoTermsOnlyRound) {
  EXPECT_EQ(error_bound(Stencil<double, 1>(), ValueType::float64), std::ldexp(1.0, -53));
}

TEST(ValueTypes, AreDescribed) {
  EXPECT_STREQ(to_string(ValueType::float64), "double");
  EXPECT_STREQ(to_string(ValueType::bfloat16), "bhalf");
  EXPECT_EQ(size_of(ValueType::float64), 8);
  EXPECT_EQ(size_of(ValueType::float32), 4);
  EXPECT_EQ(size_of(ValueType::float16), 2);
  EXPECT_EQ(size_of(ValueType::bfloat16), 2);
  EXPECT_EQ(largest(ValueType::float16), 65504.0);
  EXPECT_EQ(largest(ValueType::bfloat16), 255.0 * std::ldexp(1.0, 120));
}

TEST(Version, OfHeadersAndLibrary) {
  EXPECT_EQ(KOKKOSSTENCIL_VERSION / 10000, std::atoi(KOKKOSSTENCIL_VERSION_STRING));
  EXPECT_EQ(version(), KOKKOSSTENCIL_VERSION);
  EXPECT_STREQ(version_string(), KOKKOSSTENCIL_VERSION_STRING);
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
