// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"
#include "Stencils.hpp"

#include <transform/FoldPack.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Three rows of three planes, with what lies left and right of 128 outputs.
struct Rows {
  double value[3][3][132];
  double operator()(int dz, int dy, int x) const { return value[dz + 1][dy + 1][x + 2]; }
};

Fragment<4> load_b(Rows const& rows, int dz, int product, Element element) {
  Fragment<4> b{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    int const first = 16 * (lane / 4), q = lane % 4;
    for (int i = 0; i < 8; ++i) {
      int const j = i / 2, e = i % 2;
      double v = 1.0;  // the last register of lanes beside the block
      if (product == 0) v = rows(dz, q / 2 - 1, first + 8 * (q % 2) + i);
      if (product == 1 && q < 2) v = rows(dz, 1, first + 8 * q + i);
      if (product == 1 && q >= 2 && j < 3) v = rows(dz, j - 1, first + (q == 2 ? -2 : 16) + e);
      b[at(lane)][at(j)] |= std::uint32_t{to_bits(v, element)} << (16 * e);
    }
  }
  return b;
}

void check(Samples::Terms const& terms, Element element, int splits, double error) {
  std::mt19937 engine(3);
  Rows rows{};
  for (auto& plane : rows.value) {
    for (auto& row : plane) {
      for (double& v : row) v = static_cast<double>(static_cast<int>(engine() % 17u) - 8);
    }
  }
  FoldPack const pack = pack_fold(terms, element, splits);
  ASSERT_EQ(pack.a.size(), pack.index(splits, 0, 0, 0));
  Model::Accumulators sums{};
  for (int which = 0; which < splits; ++which) {
    for (int plane = 0; plane < fold_planes; ++plane) {
      for (int product = 0; product < fold_products; ++product) {
        Fragment<4> a{};
        for (int lane = 0; lane < warp_lanes; ++lane) {
          for (std::size_t r = 0; r < 4; ++r) a[at(lane)][r] = pack.a.at(pack.index(which, plane, product, lane) + r);
        }
        sums = Model::mma_sp_m16n8k32(element, a, load_b(rows, plane - 1, product, element), sums, pack.metadata, 0);
      }
    }
  }
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (int i = 0; i < 4; ++i) {
      int const x     = 16 * (2 * (lane % 4) + i % 2) + output_order()[at(lane / 4 + 8 * (i / 2))];
      double expected = 0.0, magnitude = 0.0;
      for (auto const& t : terms) {
        double const product = t.coefficient * rows(t.offset[0], t.offset[1], x + t.offset[2]);
        expected += product;
        magnitude += std::fabs(product);
      }
      EXPECT_NEAR(static_cast<double>(sums[at(lane)][at(i)]), expected, error * magnitude);
    }
  }
}

TEST(FoldPack, TwoProductsAPlane) {
  for (Element const element : {Element::half, Element::bfloat}) {
    check(Samples::box(3, 1), element, 1, 0.0);
    check(Samples::star(3, 1), element, 1, 0.0);
    check(Samples::scattered(1, 1, 1, 50, 7), element, 1, 0.0);
    check(Samples::box(3, 1), element, 2, 0.0);
  }
}

TEST(FoldPack, SplitsAddUpToTheCoefficients) {
  auto terms = Samples::box(3, 1);
  for (auto& t : terms) t.coefficient /= 7.0;
  check(terms, Element::half, 1, std::ldexp(1.0, -11));
  check(terms, Element::half, 2, std::ldexp(1.0, -21));
  check(terms, Element::bfloat, 2, std::ldexp(1.0, -15));
}

TEST(FoldPack, ReachesOnePoint) {
  EXPECT_THROW(pack_fold(Samples::star(3, 2), Element::half, 1), Error);
  EXPECT_THROW(pack_fold(Samples::box(1, 2), Element::half, 1), Error);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
