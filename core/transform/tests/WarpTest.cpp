// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"
#include "WarpModel.hpp"

#include <transform/Pack.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {
using Model::Field;

struct Reach {
  int z = 0, y = 0, x = 0;
};

Reach reach_of(Samples::Terms const& terms) {
  Reach r;
  for (auto const& t : terms) {
    r.z = std::max(r.z, std::abs(t.offset[0]));
    r.y = std::max(r.y, std::abs(t.offset[1]));
    r.x = std::max(r.x, std::abs(t.offset[2]));
  }
  return r;
}

/// Integers from -4 to 4, so that every sum is exact in float.
Field integer_field(int nz, int ny, int nx, Element element, unsigned seed) {
  Field field(nz, ny, nx, (nx + 7) / 8 * 8);
  std::mt19937 engine(seed);
  for (auto& bits : field.storage) bits = to_bits(static_cast<int>(engine() % 9u) - 4, element);
  return field;
}

double reference(Samples::Terms const& terms, Field const& in, Element element, int z, int y, int x) {
  double sum = 0.0;
  for (auto const& t : terms) {
    std::uint16_t const bits = in(z + t.offset[0], y + t.offset[1], x + t.offset[2]);
    sum += t.coefficient * static_cast<double>(from_bits(bits, element));
  }
  return sum;
}

struct Setting {
  PackOptions options{};
  bool sparse  = true;
  int selector = 0;
};

/// One warp of the kernel against the plain sum: the accumulators exactly, the stored elements as the
/// exact sums rounded once.
void check(Samples::Terms const& terms, Setting const& setting = {}) {
  Element const element = setting.options.element;
  Pack const pack       = setting.sparse ? pack_sparse(terms, setting.options) : pack_dense(terms, setting.options);
  Reach const r         = reach_of(terms);
  int const x0          = (r.x + 24) / 8 * 8;
  Field const in        = integer_field(2 * r.z + 1, 2 * r.y + 1, 2 * x0 + 128, element, 7);
  auto const warp       = Model::run_warp(pack, in, r.z, r.y, x0, setting.selector);
  for (int i = 0; i < 128; ++i) {
    double const expected = reference(terms, in, element, r.z, r.y, x0 + i);
    ASSERT_EQ(static_cast<double>(warp.sums[static_cast<std::size_t>(i)]), expected) << "output " << i;
    ASSERT_EQ(warp.bits[static_cast<std::size_t>(i)], to_bits(expected, element)) << "output " << i;
  }
}

struct Kind {
  bool sparse;
  Element element;
};

class WarpTest : public testing::TestWithParam<Kind> {
 protected:
  Setting setting() const {
    Setting s;
    s.sparse          = GetParam().sparse;
    s.options.element = GetParam().element;
    return s;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, WarpTest,
                         testing::Values(Kind{true, Element::half}, Kind{true, Element::bfloat},
                                         Kind{false, Element::half}, Kind{false, Element::bfloat}),
                         [](auto const& kind) {
                           return std::string(kind.param.sparse ? "sparse_" : "dense_") +
                                  (kind.param.element == Element::half ? "half" : "bfloat");
                         });

TEST_P(WarpTest, BoxesAndStarsOfRadius0To7) {
  for (int radius = 0; radius <= 7; ++radius) {
    for (int rank = 1; rank <= 3; ++rank) {
      SCOPED_TRACE("radius " + std::to_string(radius) + ", rank " + std::to_string(rank));
      check(Samples::star(rank, radius), setting());
      if (rank < 3 || radius <= 3) check(Samples::box(rank, radius), setting());
    }
  }
}

TEST_P(WarpTest, ArbitraryRows) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    check(Samples::scattered(static_cast<int>(seed % 3), 2, 7, 3 + 2 * seed, seed), setting());
  }
}

TEST_P(WarpTest, EverySingleOffset) {
  for (int dx = -40; dx <= 40; ++dx) {
    SCOPED_TRACE(dx);
    check({{{{0, 0, dx}}, 3.0}}, setting());
  }
}

TEST_P(WarpTest, RowsOfAnyWidth) {
  for (int radius : {8, 9, 15, 16, 17, 23, 40}) {
    SCOPED_TRACE(radius);
    check(Samples::box(1, radius), setting());
    check(Samples::scattered(0, 1, radius, 30, static_cast<unsigned>(radius)), setting());
  }
}

TEST_P(WarpTest, BothSelectorsPickTheSharedMetadata) {
  Setting s  = setting();
  s.selector = 1;
  check(Samples::box(2, 7), s);
}

TEST_P(WarpTest, SplitCoefficientsAddUp) {
  // Integers with more bits than an element has, few enough that the sums stay exact in float.
  Setting const s  = setting();
  int const bits   = GetParam().element == Element::half ? 15 : 14;
  auto const large = [engine = std::mt19937(11), most = 1u << bits]() mutable { return 1.0 + engine() % most; };
  Samples::Terms const wide = Samples::make_terms(
      0, 2, 2, [](int, int, int) { return true; }, large);
  ASSERT_EQ(pack_sparse(wide, s.options).splits, 2);
  ASSERT_EQ(pack_sparse(wide, s.options).coefficient_error, 0.0);
  check(wide, s);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
