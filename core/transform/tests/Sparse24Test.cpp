// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.hpp"

#include <transform/Sparse24.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Transform {
namespace {

Matrix group_of(double a, double b, double c, double d) {
  Matrix m(1, 4);
  m(0, 0) = a, m(0, 1) = b, m(0, 2) = c, m(0, 3) = d;
  return m;
}

struct Stored {
  double first, second;
  unsigned bits;
};

Stored encode(Matrix const& m) {
  Selection const selection = select_24(m);
  Matrix const stored       = compress_24(m, selection);
  EXPECT_EQ(expand_24(stored, selection), m);
  return {stored(0, 0), stored(0, 1), selection.bits(0, 0)};
}

void expect(Stored const& s, double first, double second, unsigned bits) {
  EXPECT_EQ(s.first, first);
  EXPECT_EQ(s.second, second);
  EXPECT_EQ(s.bits, bits);
}

TEST(Sparse24, TheTwoGroupsOfThePaper) {
  expect(encode(group_of(5, 0, 7, 0)), 5, 7, 0b1000);
  expect(encode(group_of(0, 7, 0, 0)), 7, 0, 0b1001);
}

TEST(Sparse24, EveryGroupIsOrdered) {
  for (unsigned pattern = 0; pattern < 16; ++pattern) {
    Matrix const m = group_of(pattern & 1u, pattern >> 1 & 1u, pattern >> 2 & 1u, pattern >> 3 & 1u);
    if (fits_24(m)) {
      unsigned const bits = encode(m).bits;
      EXPECT_LT(bits & 3u, bits >> 2) << pattern;
    } else {
      EXPECT_THROW(select_24(m), Error) << pattern;
    }
  }
}

TEST(Sparse24, Placeholders) {
  expect(encode(group_of(0, 0, 0, 0)), 0, 0, 0b0100);
  expect(encode(group_of(3, 0, 0, 0)), 3, 0, 0b0100);
  expect(encode(group_of(0, 0, 3, 0)), 3, 0, 0b1110);
  expect(encode(group_of(0, 0, 0, 3)), 0, 3, 0b1110);
}

TEST(Sparse24, ASelectionThatDropsANonZeroIsAnError) {
  Selection const selection = select_24(group_of(1, 2, 0, 0));
  EXPECT_THROW(compress_24(group_of(1, 0, 2, 0), selection), Error);
  EXPECT_THROW(select_24(Matrix(1, 6)), Error);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
