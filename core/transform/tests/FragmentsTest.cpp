// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"
#include "Stencils.hpp"
#include "paper/SpiderLayout.hpp"

#include <transform/Fragments.hpp>
#include <transform/StridedSwap.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace KokkosStencil {
namespace Transform {
namespace {
using Model::Accumulators;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// A random 16 x columns matrix with two non-zeros in every group of four.
Matrix random_24(int columns, std::mt19937& engine) {
  Matrix m(16, columns);
  for (int i = 0; i < 16; ++i) {
    for (int g = 0; g < columns / 4; ++g) {
      unsigned const first = engine() % 4u, second = (first + 1u + engine() % 3u) % 4u;
      for (unsigned p : {first, second}) m(i, 4 * g + static_cast<int>(p)) = static_cast<int>(engine() % 21u) - 10;
    }
  }
  return m;
}

Matrix random_input(int rows, std::mt19937& engine) {
  Matrix m(rows, 8);
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < 8; ++j) m(i, j) = static_cast<int>(engine() % 21u) - 10;
  }
  return m;
}

/// The B fragment by the rule of the PTX ISA.
template <std::size_t Registers>
Fragment<Registers> fragment_b(Matrix const& input, Element element) {
  Fragment<Registers> b{};
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 2 * static_cast<int>(Registers); ++i) {
      double const value = input(2 * (lane % 4) + i % 2 + 8 * (i / 2), lane / 4);
      b[at(lane)][at(i / 2)] |= std::uint32_t{to_bits(value, element)} << (16 * (i % 2));
    }
  }
  return b;
}

void expect_product(Accumulators const& d, Matrix const& a, Matrix const& b) {
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      int const row = lane / 4 + 8 * (i / 2), column = 2 * (lane % 4) + i % 2;
      double sum = 0.0;
      for (int k = 0; k < a.columns(); ++k) sum += a(row, k) * b(k, column);
      ASSERT_EQ(static_cast<double>(d[at(lane)][at(i)]), sum) << row << ", " << column;
    }
  }
}

class FragmentsTest : public testing::TestWithParam<Element> {};

INSTANTIATE_TEST_SUITE_P(Elements, FragmentsTest, testing::Values(Element::half, Element::bfloat),
                         [](auto const& kind) { return kind.param == Element::half ? "half" : "bfloat"; });

TEST_P(FragmentsTest, SparseK32SharesOneRegisterBetweenTwoOperands) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix const a[2]    = {random_24(32, engine), random_24(32, engine)};
    Matrix const b       = random_input(32, engine);
    LaneWords const meta = metadata_k32({select_24(a[0]), select_24(a[1])});
    for (int s = 0; s < 2; ++s) {
      auto const stored = fragment_a(round_matrix(compress_24(a[s], select_24(a[s])), GetParam()));
      expect_product(Model::mma_sp_m16n8k32(GetParam(), stored, fragment_b<4>(b, GetParam()), Accumulators{}, meta, s),
                     a[s], b);
    }
  }
}

TEST_P(FragmentsTest, SparseK16SharesOneRegisterBetweenFourOperands) {
  std::mt19937 engine(2);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Matrix> a;
    std::vector<Selection> selections;
    for (int s = 0; s < 4; ++s) {
      a.push_back(random_24(16, engine));
      selections.push_back(select_24(a.back()));
    }
    Matrix const b       = random_input(16, engine);
    LaneWords const meta = metadata_k16(selections);
    for (int s = 0; s < 4; ++s) {
      auto const stored = fragment_a_k16(round_matrix(compress_24(a[at(s)], selections[at(s)]), GetParam()));
      expect_product(Model::mma_sp_m16n8k16(GetParam(), stored, fragment_b<2>(b, GetParam()), Accumulators{}, meta, s),
                     a[at(s)], b);
    }
  }
}

TEST_P(FragmentsTest, Dense) {
  std::mt19937 engine(3);
  Matrix const a = random_input(16, engine), b = random_input(16, engine);
  Matrix wide(16, 16);
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 16; ++k) wide(i, k) = a(i, k % 8) + (k < 8 ? 0 : 3);
  }
  expect_product(Model::mma_m16n8k16(GetParam(), fragment_a(round_matrix(wide, GetParam())),
                                     fragment_b<2>(b, GetParam()), Accumulators{}),
                 wide, b);
}

// SPIDER as published: L x 2L by the element-wise swap, two calls of m16n8k16 with one metadata register,
// the input rows swapped in the address of each element.
TEST_P(FragmentsTest, SpidersOwnPathIsExact) {
  std::mt19937 engine(4);
  for (int radius = 0; radius <= 7; ++radius) {
    // L = 16 serves every radius up to 7; a narrower row is a row of radius 7 with zeros.
    auto const row    = kernel_rows(Samples::box(1, radius)).front();
    Matrix const band = spider_band(row.weights, 7);
    Matrix const a    = permute_columns(band, spider_swap(16));
    Matrix const b    = random_input(32, engine);

    std::vector<Matrix> halves;
    std::vector<Selection> selections;
    for (int call = 0; call < 2; ++call) {
      Matrix half(16, 16);
      for (int i = 0; i < 16; ++i) {
        for (int k = 0; k < 16; ++k) half(i, k) = a(i, 16 * call + k);
      }
      selections.push_back(select_24(half));
      halves.push_back(half);
    }
    LaneWords const meta = metadata_k16(selections);
    Accumulators d{};
    for (int call = 0; call < 2; ++call) {
      Fragment<2> input{};
      for (int lane = 0; lane < 32; ++lane) {
        for (int i = 0; i < 4; ++i) {
          double const value = b(spider_input_row(lane, i, call), lane / 4);
          input[at(lane)][at(i / 2)] |= std::uint32_t{to_bits(value, GetParam())} << (16 * (i % 2));
        }
      }
      auto const stored = compress_24(halves[at(call)], selections[at(call)]);
      d = Model::mma_sp_m16n8k16(GetParam(), fragment_a_k16(round_matrix(stored, GetParam())), input, d, meta, call);
    }
    expect_product(d, band, b);
  }
}

TEST(Fragments, TheModelRejectsWhatTheHardwareLeavesUndefined) {
  LaneWords meta{};  // both indices 0
  EXPECT_THROW(Model::mma_sp_m16n8k32(Element::half, {}, {}, {}, meta, 0), std::invalid_argument);
  meta.fill(0x44444444u);
  EXPECT_NO_THROW(Model::mma_sp_m16n8k32(Element::half, {}, {}, {}, meta, 1));
  EXPECT_THROW(Model::mma_sp_m16n8k32(Element::half, {}, {}, {}, meta, 2), std::invalid_argument);
  EXPECT_NO_THROW(Model::mma_sp_m16n8k16(Element::half, {}, {}, {}, meta, 3));
  EXPECT_THROW(Model::mma_sp_m16n8k16(Element::half, {}, {}, {}, meta, 4), std::invalid_argument);
}

TEST(Fragments, RejectsOtherShapes) {
  EXPECT_THROW(fragment_a(Bits(16, 8)), Error);
  EXPECT_THROW(fragment_a_k16(Bits(8, 8)), Error);
  EXPECT_THROW(metadata_k32({}), Error);
  EXPECT_THROW(metadata_k32({Selection(16, 4)}), Error);
  EXPECT_THROW(metadata_k32(std::vector<Selection>(3, Selection(16, 8))), Error);
  EXPECT_THROW(metadata_k16(std::vector<Selection>(5, Selection(16, 4))), Error);
}

TEST(Movmatrix, TwiceIsTheIdentity) {
  LaneWords words{};
  for (std::uint32_t lane = 0; lane < 32; ++lane) words[lane] = 2 * lane | (2 * lane + 1) << 16;
  LaneWords const moved = Model::movmatrix(words);
  EXPECT_EQ(moved[0], 0u | 8u << 16) << "elements (0, 0) and (1, 0) of the source";
  EXPECT_EQ(moved[5], 17u | 25u << 16) << "elements (2, 1) and (3, 1) of the source";
  EXPECT_EQ(Model::movmatrix(moved), words);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
