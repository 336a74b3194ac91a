// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Half.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace KokkosStencil {
namespace Transform {
namespace {

class HalfTest : public testing::TestWithParam<Element> {};

INSTANTIATE_TEST_SUITE_P(Elements, HalfTest, testing::Values(Element::half, Element::bfloat),
                         [](auto const& kind) { return kind.param == Element::half ? "half" : "bfloat"; });

std::uint32_t infinity_bits(Element e) { return e == Element::half ? 0x7c00u : 0x7f80u; }

TEST_P(HalfTest, EveryPatternComesBack) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    float const value = from_bits(static_cast<std::uint16_t>(bits), GetParam());
    bool const nan    = (bits & 0x7fffu) > infinity_bits(GetParam());
    ASSERT_EQ(std::isnan(value), nan) << bits;
    if (!nan) {
      ASSERT_EQ(to_bits(static_cast<double>(value), GetParam()), bits);
    }
  }
}

TEST_P(HalfTest, RoundsToNearestTiesToEven) {
  Element const e = GetParam();
  for (std::uint32_t bits = 0; bits + 1 < infinity_bits(e); ++bits) {
    double const low    = static_cast<double>(from_bits(static_cast<std::uint16_t>(bits), e));
    double const high   = static_cast<double>(from_bits(static_cast<std::uint16_t>(bits + 1), e));
    double const middle = low + (high - low) / 2;
    ASSERT_EQ(to_bits(middle, e), bits % 2 == 0 ? bits : bits + 1) << bits;
    ASSERT_EQ(to_bits(std::nextafter(middle, low), e), bits) << bits;
    ASSERT_EQ(to_bits(std::nextafter(middle, high), e), bits + 1) << bits;
    ASSERT_EQ(to_bits(-std::nextafter(middle, high), e), (bits + 1) | 0x8000u) << bits;
  }
}

TEST_P(HalfTest, OverflowsToInfinityOnlyPastTheLastTie) {
  Element const e    = GetParam();
  auto const largest = static_cast<std::uint16_t>(infinity_bits(e) - 1);
  double const value = static_cast<double>(from_bits(largest, e));
  double const step  = value - static_cast<double>(from_bits(static_cast<std::uint16_t>(largest - 1), e));
  EXPECT_EQ(to_bits(value + 0.49 * step, e), largest);
  EXPECT_EQ(to_bits(value + 0.5 * step, e), infinity_bits(e));
  EXPECT_EQ(to_bits(-std::numeric_limits<double>::max(), e), infinity_bits(e) | 0x8000u);
  EXPECT_EQ(to_bits(std::numeric_limits<double>::infinity(), e), infinity_bits(e));
}

TEST_P(HalfTest, KeepsSpecialValues) {
  Element const e = GetParam();
  EXPECT_EQ(to_bits(0.0, e), 0u);
  EXPECT_EQ(to_bits(-0.0, e), 0x8000u);
  EXPECT_EQ(to_bits(std::numeric_limits<double>::denorm_min(), e), 0u);
  EXPECT_TRUE(std::isnan(from_bits(to_bits(std::numeric_limits<double>::quiet_NaN(), e), e)));
}

TEST_P(HalfTest, RoundsOnceFromDouble) {
  // Rounded to float first, the tail is lost and the tie goes down.
  Element const e  = GetParam();
  double const tie = 1.0 + std::ldexp(1.0, -significant_bits(e));
  EXPECT_EQ(from_bits(to_bits(tie, e), e), 1.0f);
  EXPECT_GT(from_bits(to_bits(tie + std::ldexp(1.0, -40), e), e), 1.0f);
}

TEST_P(HalfTest, SplitAddsUp) {
  Element const e = GetParam();
  for (double value : {1.0 / 3.0, -0.1, 1234.567, 1.0 / 49.0, 5.0}) {
    Split const s   = split(value, e);
    double const hi = static_cast<double>(from_bits(s.hi, e));
    double const lo = static_cast<double>(from_bits(s.lo, e));
    EXPECT_EQ(hi + lo + s.rest, value);
    EXPECT_LE(std::fabs(value - hi), std::ldexp(std::fabs(value), -significant_bits(e)));
    if (e == Element::bfloat) {
      EXPECT_LE(std::fabs(s.rest), std::ldexp(std::fabs(value), -16));
    }
    EXPECT_EQ(s.single(), value == 5.0);
  }
}

TEST(Half, KnownPatterns) {
  EXPECT_EQ(to_bits(1.0, Element::half), 0x3c00u);
  EXPECT_EQ(to_bits(-2.0, Element::half), 0xc000u);
  EXPECT_EQ(to_bits(65504.0, Element::half), 0x7bffu);
  EXPECT_EQ(to_bits(std::ldexp(1.0, -24), Element::half), 1u);
  EXPECT_EQ(to_bits(1.0 / 3.0, Element::half), 0x3555u);
  EXPECT_EQ(to_bits(1.0, Element::bfloat), 0x3f80u);
  EXPECT_EQ(to_bits(1.0 / 3.0, Element::bfloat), 0x3eabu);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
