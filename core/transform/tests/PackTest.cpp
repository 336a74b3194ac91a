// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stencils.hpp"

#include <transform/BandMatrix.hpp>
#include <transform/Pack.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {

Fragment<4> fragment_of(Pack const& pack, int split, int chunk, int step) {
  Fragment<4> fragment{};
  for (int lane = 0; lane < warp_lanes; ++lane) {
    for (std::size_t r = 0; r < 4; ++r) {
      fragment[static_cast<std::size_t>(lane)][r] = pack.a[pack.index(split, chunk, step, lane) + r];
    }
  }
  return fragment;
}

Matrix transformed(Chunk const& chunk) {
  return permute_columns(permute_rows(window_band(chunk), output_order()), window_order());
}

TEST(Pack, SparseEqualsThePipelineStepByStep) {
  auto const selection = select_24(transformed([] {
    Chunk full{0, 0, 0, {}};
    for (int dx = -8; dx <= 7; ++dx) full.weights.push_back({dx, 1.0});
    return full;
  }()));
  for (auto const& terms :
       {Samples::box(2, 7), Samples::star(3, 4), Samples::scattered(1, 3, 40, 20, 9), Samples::box(1, 0)}) {
    Pack const pack   = pack_sparse(terms);
    auto const chunks = split_rows(kernel_rows(terms));
    ASSERT_EQ(pack.chunks.size(), chunks.size());
    EXPECT_EQ(pack.metadata, metadata_k32({selection, selection}));
    EXPECT_EQ(pack.a.size(), chunks.size() * 128);
    for (std::size_t p = 0; p < chunks.size(); ++p) {
      EXPECT_EQ(pack.chunks[p], (ChunkKey{chunks[p].dz, chunks[p].dy, chunks[p].shift}));
      auto const stored = compress_24(transformed(chunks[p]), selection);
      EXPECT_EQ(fragment_of(pack, 0, static_cast<int>(p), 0), fragment_a(round_matrix(stored, Element::half)));
    }
  }
}

TEST(Pack, DenseEqualsThePipelineStepByStep) {
  auto const terms  = Samples::scattered(1, 3, 20, 50, 5);
  Pack const pack   = pack_dense(terms);
  auto const chunks = split_rows(kernel_rows(terms));
  EXPECT_EQ(pack.a.size(), chunks.size() * 256);
  for (std::size_t p = 0; p < chunks.size(); ++p) {
    Matrix const band = transformed(chunks[p]);
    for (int step = 0; step < 2; ++step) {
      Matrix half(16, 16);
      for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < 16; ++k) half(i, k) = band(i, 16 * step + k);
      }
      EXPECT_EQ(fragment_of(pack, 0, static_cast<int>(p), step), fragment_a(round_matrix(half, Element::half)));
    }
  }
}

Samples::Terms two(double a, double b) { return {{{{0, 0, 0}}, a}, {{{0, 0, 1}}, b}}; }

TEST(Pack, ExactCoefficientsTakeOneMatrix) {
  Pack const pack = pack_sparse(two(0.25, 3.0));
  EXPECT_EQ(pack.splits, 1);
  EXPECT_EQ(pack.coefficient_error, 0.0);
  EXPECT_TRUE(exact_in(two(0.25, 3.0), Element::half));
  EXPECT_FALSE(exact_in(two(0.25, 1.0 / 3.0), Element::half));
  EXPECT_TRUE(exact_in(two(0.25, 1.0 + std::ldexp(1.0, -10)), Element::half));
  EXPECT_FALSE(exact_in(two(0.25, 1.0 + std::ldexp(1.0, -10)), Element::bfloat));
}

TEST(Pack, OtherCoefficientsTakeTwoUnlessRounded) {
  auto const terms = two(0.1, 1.0 / 3.0);
  PackOptions options;
  EXPECT_EQ(pack_sparse(terms, options).splits, 2);
  EXPECT_LT(pack_sparse(terms, options).coefficient_error, std::ldexp(1.0, -21));
  options.coefficients = Coefficients::rounded;
  EXPECT_EQ(pack_sparse(terms, options).splits, 1);
  double const error = pack_sparse(terms, options).coefficient_error;
  EXPECT_GT(error, std::ldexp(1.0, -13));
  EXPECT_LE(error, std::ldexp(1.0, -11));
  options.coefficients = Coefficients::split;
  EXPECT_EQ(pack_sparse(two(1.0, 2.0), options).splits, 2) << "asked for, though not needed";
}

TEST(Pack, OverflowNamesTheCoefficient) {
  PackOptions options;
  try {
    pack_sparse(two(1.0, 70000.0), options);
    FAIL();
  } catch (Error const& e) {
    EXPECT_NE(std::string(e.what()).find("70000"), std::string::npos) << e.what();
  }
  options.element = Element::bfloat;
  EXPECT_NO_THROW(pack_sparse(two(1.0, 70000.0), options));
}

TEST(Pack, NoTermsNoChunks) {
  Pack const pack = pack_sparse({});
  EXPECT_TRUE(pack.chunks.empty());
  EXPECT_TRUE(pack.a.empty());
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
