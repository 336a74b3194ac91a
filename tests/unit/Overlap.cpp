// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../harness/Field.hpp"

#include <impl/KokkosStencil_Dispatch.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace KokkosStencil {
namespace Test {
namespace {

Impl::ViewInfo random_lattice(std::mt19937& generator, double* parent) {
  Impl::ViewInfo v;
  v.rank = 1 + static_cast<int>(generator() % 3);
  v.data = parent + generator() % 12;
  for (int axis = 0; axis < v.rank; ++axis) {
    auto const a = static_cast<std::size_t>(axis);
    v.extent[a]  = static_cast<std::int64_t>(generator() % 5);
    v.stride[a]  = static_cast<std::int64_t>(generator() % 9);
  }
  for (auto a = static_cast<std::size_t>(v.rank); a < 3; ++a) v.stride[a] = 0;
  return v;
}

std::set<double const*> points(Impl::ViewInfo const& v) {
  std::set<double const*> all;
  Field::each_in({{0, 0, 0}}, v.extent, [&](Extents const& i) {
    all.insert(static_cast<double*>(v.data) + i[0] * v.stride[0] + i[1] * v.stride[1] + i[2] * v.stride[2]);
  });
  return all;
}

TEST(Overlap, AgreesWithBruteForceOnSmallLattices) {
  std::mt19937 generator(17);
  std::vector<double> parent(200);
  int both = 0, overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    auto const a = random_lattice(generator, parent.data()), b = random_lattice(generator, parent.data());
    auto const in_a = points(a), in_b = points(b);
    bool shared = false;
    for (double const* p : in_a) shared = shared || in_b.count(p) > 0;
    EXPECT_EQ(Impl::overlap(a, b), shared) << "trial " << trial;
    EXPECT_EQ(Impl::overlap(b, a), shared) << "trial " << trial;
    overlapping += shared;
    ++both;
  }
  // The generator must give both answers often.
  EXPECT_GT(overlapping, both / 20);
  EXPECT_LT(overlapping, both - both / 20);
}

TEST(Overlap, OfAViewWithItselfAgreesWithBruteForce) {
  std::mt19937 generator(23);
  std::vector<double> parent(200);
  int all = 0, overlapping = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    auto const v      = random_lattice(generator, parent.data());
    auto const count  = static_cast<std::size_t>(v.extent[0] * v.extent[1] * v.extent[2]);
    bool const shared = points(v).size() < count;
    EXPECT_EQ(Impl::overlaps_itself(v), shared) << "trial " << trial;
    overlapping += shared;
    ++all;
  }
  EXPECT_GT(overlapping, all / 20);
  EXPECT_LT(overlapping, all - all / 20);
}

TEST(Overlap, OfALargeViewWithItselfIsDecidedAtOnce) {
  Impl::ViewInfo v;
  v.rank   = 3;
  v.extent = {{100000, 100000, 1000}};
  v.stride = {{std::int64_t(1) << 40, std::int64_t(1) << 20, 1}};
  EXPECT_FALSE(Impl::overlaps_itself(v));
  v.stride[1] = 999;
  EXPECT_TRUE(Impl::overlaps_itself(v));
  v.stride = {{0, std::int64_t(1) << 20, 1}};
  EXPECT_TRUE(Impl::overlaps_itself(v));
}

TEST(Overlap, DifferentSizesAreOnTheSafeSide) {
  std::vector<double> parent(32);
  Impl::ViewInfo wide, narrow;
  wide.data         = parent.data();
  wide.extent       = {{8, 1, 1}};
  wide.stride       = {{2, 0, 0}};
  narrow            = wide;
  narrow.value_size = 4;
  EXPECT_TRUE(Impl::overlap(wide, narrow));
  narrow.data = parent.data() + 16;
  EXPECT_FALSE(Impl::overlap(wide, narrow));
}

TEST(Overlap, LargeStridesAreDecidedAtOnce) {
  // Offsets beyond 32 bits; only addresses are computed.
  double* const base = nullptr;
  Impl::ViewInfo even;
  even.rank          = 3;
  even.data          = base;
  even.extent        = {{1000, 1000, 1000}};
  even.stride        = {{std::int64_t(1) << 34, 1 << 20, 2}};
  Impl::ViewInfo odd = even;
  odd.data           = reinterpret_cast<void*>(std::intptr_t(sizeof(double)));
  EXPECT_FALSE(Impl::overlap(even, odd));
  odd.data = reinterpret_cast<void*>(std::intptr_t(sizeof(double)) << 20);
  EXPECT_TRUE(Impl::overlap(even, odd));
}

}  // namespace
}  // namespace Test
}  // namespace KokkosStencil
