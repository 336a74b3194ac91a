// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"
#include "Stencils.hpp"

#include <transform/FloatPack.hpp>
#include <transform/StridedSwap.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace KokkosStencil {
namespace Transform {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

TEST(FloatPack, SplitsAddUpToTheCoefficients) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int radius : {1, 3, 7}) {
    auto terms = Samples::box(2, radius);
    for (auto& t : terms) t.coefficient = uniform(engine) * 1e-3;
    EXPECT_LE(float_coefficient_error(terms, 1), std::ldexp(1.0, -11));
    EXPECT_LE(float_coefficient_error(terms, 2), std::ldexp(1.0, -22));
    EXPECT_LE(float_coefficient_error(terms, 3), std::ldexp(1.0, -33));
    FloatPack const pack = pack_float(terms, 3);
    // One row of integers: block n begins at element 16 n of it.
    std::vector<double> row(160);
    for (double& v : row) v = static_cast<double>(static_cast<int>(engine() % 17u) - 8);
    Fragment<4> b{};
    for (int lane = 0; lane < warp_lanes; ++lane) {
      for (int e = 0; e < 8; ++e) {
        double const v = row[at(16 * (lane / 4) + lane_vector(lane % 4) + e)];
        b[at(lane)][at(e / 2)] |= std::uint32_t{to_bits(v, Element::half)} << (16 * (e % 2));
      }
    }
    for (int chunk = 0; chunk < static_cast<int>(pack.chunks.size()); ++chunk) {
      std::vector<double> sums(128, 0.0);
      for (int split = 0; split < 3; ++split) {
        Fragment<4> a{};
        for (int lane = 0; lane < warp_lanes; ++lane) {
          for (std::size_t r = 0; r < 4; ++r) a[at(lane)][r] = pack.a.at(pack.index(split, chunk, lane) + r);
        }
        auto const d = Model::mma_sp_m16n8k32(Element::half, a, b, {}, pack.metadata, 0);
        for (int lane = 0; lane < warp_lanes; ++lane) {
          for (int i = 0; i < 4; ++i) {
            sums[at(16 * (2 * (lane % 4) + i % 2) + lane / 4 + 8 * (i / 2))] +=
                std::ldexp(static_cast<double>(d[at(lane)][at(i)]), -split_bits * split - pack.scale_log2);
          }
        }
      }
      for (int x = 0; x < 128; ++x) {
        double expected = 0.0, magnitude = 0.0;
        for (auto const& t : terms) {
          if (t.offset[1] != pack.chunks[at(chunk)].dy) continue;
          double const product = t.coefficient * row[at(x + 8 + t.offset[2])];
          expected += product;
          magnitude += std::fabs(product);
        }
        EXPECT_NEAR(sums[at(x)], expected, std::ldexp(magnitude, -24));
      }
    }
  }
}

TEST(FloatPack, TinyCoefficientsLoseTheirBits) {
  auto terms                = Samples::star(2, 1);
  terms.front().coefficient = 1.0;
  terms.back().coefficient  = 1e-12;
  EXPECT_GT(float_coefficient_error(terms, 1), 0.5);
  EXPECT_GT(float_coefficient_error(terms, 2), std::ldexp(1.0, -22));
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
