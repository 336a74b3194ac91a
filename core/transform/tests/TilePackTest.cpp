// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MmaModel.hpp"
#include "Stencils.hpp"
#include "WarpModel.hpp"
#include "paper/ColumnMatching.hpp"

#include <transform/TilePack.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <string>

namespace KokkosStencil {
namespace Transform {
namespace {
using Model::Accumulators;
using Model::Field;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string name(Tile const& t) {
  return std::to_string(t.z) + " x " + std::to_string(t.y) + " x " + std::to_string(t.x);
}

/// Eight tiles, four along x and two along y, by the rules of TilePack.
class TileWarp {
 public:
  TileWarp(Samples::Terms const& terms, TilePack const& pack) : m_terms(terms), m_pack(pack), m_field(field()) {
    std::mt19937 engine(3);
    for (auto& bits : m_field.storage) bits = to_bits(static_cast<int>(engine() % 9u) - 4, pack.element);
  }

  void expect_plain_sum() const {
    for (int block = 0; block < m_pack.blocks; ++block) {
      Accumulators const sums = product(block);
      for (int lane = 0; lane < warp_lanes; ++lane) {
        for (int i = 0; i < 4; ++i) {
          int const output = 16 * block + m_pack.output[at(lane / 4 + (i < 2 ? 0 : 8))], tile = 2 * (lane % 4) + i % 2;
          double const found = std::ldexp(static_cast<double>(sums[at(lane)][at(i)]), -m_pack.scale_log2);
          ASSERT_EQ(found, output < m_pack.tile.outputs() ? plain(tile, output) : 0.0) << tile << ", " << output;
        }
      }
    }
  }

 private:
  static constexpr int margin = 10;

  Field field() const {
    Tile const& t = m_pack.tile;
    int const nx  = 4 * t.x + 2 * margin;
    return {t.z + 2 * margin, 2 * t.y + 2 * margin, nx, nx};
  }

  std::uint16_t input(int tile, std::array<int, 3> const& offset) const {
    return m_field(margin + offset[0], margin + tile / 4 * m_pack.tile.y + offset[1],
                   margin + tile % 4 * m_pack.tile.x + offset[2]);
  }

  double plain(int tile, int output) const {
    int const x = output % m_pack.tile.x, y = output / m_pack.tile.x % m_pack.tile.y;
    int const z = output / m_pack.tile.x / m_pack.tile.y;
    double sum  = 0.0;
    for (auto const& t : m_terms) {
      std::array<int, 3> const offset{{z + t.offset[0], y + t.offset[1], x + t.offset[2]}};
      sum += t.coefficient * static_cast<double>(from_bits(input(tile, offset), m_pack.element));
    }
    return sum;
  }

  Accumulators product(int block) const {
    Accumulators sums{};
    for (int step = 0; step < m_pack.steps; ++step) {
      Fragment<4> b{};
      LaneWords metadata{};
      for (int lane = 0; lane < warp_lanes; ++lane) {
        metadata[at(lane)] = m_pack.metadata.at(m_pack.metadata_index(block, step, lane));
        for (int i = 0; i < 8; ++i) {
          int const k = 8 * (i / 2) + 2 * (lane % 4) + i % 2;
          b[at(lane)][at(i / 2)] |= std::uint32_t{input(lane / 4, m_pack.inputs.at(at(32 * step + k)))}
                                    << (16 * (i % 2));
        }
      }
      for (int split = 0; split < m_pack.splits; ++split) {
        Fragment<4> a{};
        for (int lane = 0; lane < warp_lanes; ++lane) {
          for (int r = 0; r < 4; ++r) {
            a[at(lane)][at(r)] = m_pack.a.at(m_pack.index(split, block, step, lane) + at(r));
          }
        }
        sums = Model::mma_sp_m16n8k32(m_pack.element, a, b, sums, metadata, step % 2);
      }
    }
    return sums;
  }

  Samples::Terms const& m_terms;
  TilePack const& m_pack;
  Field m_field;
};

/// Registers of B are pairs of neighbours, dx even in the low half.
void expect_pairs(TilePack const& pack) {
  for (std::size_t k = 0; k < pack.inputs.size(); k += 2) {
    std::array<int, 3> low = pack.inputs[k];
    EXPECT_EQ(low[2] % 2, 0);
    ++low[2];
    EXPECT_EQ(pack.inputs[k + 1], low);
  }
}

void check(Samples::Terms const& terms, Tile const& tile, Element element) {
  TilePack const pack = pack_tile(terms, tile, element);
  TileWarp(terms, pack).expect_plain_sum();
  for (Banks const& banks : {Banks{336, 80, 2}, Banks{1000, 36, 8}}) {
    TilePack const pairs = pack_pairs(terms, tile, banks, element);
    expect_pairs(pairs);
    TileWarp(terms, pairs).expect_plain_sum();
    EXPECT_GE(pairs.steps, PairRows(terms, tile.x).least_steps(tile.z, tile.y));
    EXPECT_GE(wavefronts(pairs, banks), 4 * pairs.steps);
  }
}

class TilePackTest : public testing::TestWithParam<Element> {};

INSTANTIATE_TEST_SUITE_P(Elements, TilePackTest, testing::Values(Element::half, Element::bfloat),
                         [](auto const& kind) { return kind.param == Element::half ? "half" : "bfloat"; });

TEST_P(TilePackTest, BoxesAndStarsInTwoDimensions) {
  for (int radius = 0; radius <= 4; ++radius) {
    for (Tile const& tile : {Tile{1, 1, 1}, Tile{1, 1, 16}, Tile{1, 2, 8}, Tile{1, 4, 4}, Tile{1, 3, 5}, Tile{1, 8, 2},
                             Tile{1, 4, 8}, Tile{1, 5, 7}}) {
      SCOPED_TRACE("radius " + std::to_string(radius) + ", tile " + name(tile));
      check(Samples::box(2, radius), tile, GetParam());
      check(Samples::star(2, radius), tile, GetParam());
    }
  }
}

TEST_P(TilePackTest, OneAndThreeDimensions) {
  for (int radius = 1; radius <= 3; ++radius) {
    SCOPED_TRACE(radius);
    check(Samples::box(1, radius), {1, 1, 16}, GetParam());
    check(Samples::box(1, radius), {1, 2, 8}, GetParam());
    for (Tile const& tile : {Tile{1, 4, 4}, Tile{2, 2, 4}, Tile{3, 2, 3}}) {
      check(Samples::star(3, radius), tile, GetParam());
      if (radius < 3) check(Samples::box(3, radius), tile, GetParam());
    }
  }
}

TEST_P(TilePackTest, ArbitraryPatterns) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    auto const terms = Samples::scattered(static_cast<int>(seed % 3), 2, 5, 4 + 2 * seed, seed);
    if (terms.empty()) continue;
    check(terms, {1 + static_cast<int>(seed % 2), 2, 4}, GetParam());
    check(terms, {1, 1 + static_cast<int>(seed % 4), 5}, GetParam());
  }
  check({{{{0, -3, 5}}, 3.0}}, {1, 2, 3}, GetParam());
}

TEST_P(TilePackTest, SplitCoefficientsAddUp) {
  int const bits   = GetParam() == Element::half ? 15 : 14;
  auto const large = [engine = std::mt19937(11), most = 1u << bits]() mutable { return 1.0 + engine() % most; };
  auto const terms = Samples::make_terms(
      0, 2, 2, [](int, int, int) { return true; }, large);
  TilePack const pack = pack_tile(terms, {1, 4, 4}, GetParam());
  ASSERT_EQ(pack.splits, 2);
  ASSERT_EQ(pack.coefficient_error, 0.0);
  TileWarp(terms, pack).expect_plain_sum();
  EXPECT_GT(pack_tile(terms, {1, 4, 4}, GetParam(), Coefficients::rounded).coefficient_error, 0.0);
}

TEST(TilePack, ReadsNothingThatTheTileDoesNotNeed) {
  for (auto const& terms : {Samples::box(2, 2), Samples::star(2, 3), Samples::scattered(1, 2, 3, 30, 9)}) {
    Tile const tile{1, 3, 4};
    Morphed const morphed = morph(terms, tile);
    std::set<std::array<int, 3>> needed, read;
    for (int c = 0; c < morphed.a.columns(); ++c) needed.insert(morphed.input(c));
    for (auto const& offset : pack_tile(terms, tile).inputs) read.insert(offset);
    EXPECT_EQ(read, needed);
  }
}

TEST(TilePack, PairsOfABoxInFewSteps) {
  // 6 x 8 x 8 inputs are 12 steps; the middle pairs conflict with all others and take half a step more.
  Banks const banks{68 * 80, 80, 2};
  TilePack const pack = pack_pairs(Samples::box(3, 2), {2, 4, 4}, banks);
  EXPECT_EQ(PairRows(Samples::box(3, 2), 4).least_steps(2, 4), 12);
  EXPECT_EQ(pack.steps, 13);
  // A star's arms are far apart: no zeros, and with rows half of the banks apart no conflict either.
  TilePack const star = pack_pairs(Samples::star(3, 4), {4, 2, 4}, {40 * 80 + 16, 80, 2});
  EXPECT_EQ(star.steps, 9);
  EXPECT_EQ(star.zero_columns, 0);
  EXPECT_EQ(wavefronts(star, {40 * 80 + 16, 80, 2}), 4 * star.steps);
}

TEST(TilePack, PairsWithScaledSecondSplits) {
  // The second splits of small coefficients of half would underflow.
  Samples::Terms const terms{{{{0, 0, -1}}, 1.0 / 3.0}, {{{0, 0, 0}}, 1e-4 / 3.0}, {{{0, 1, 0}}, 0.1}};
  Banks const banks{336, 80, 2};
  TilePack const pack = pack_pairs(terms, {1, 4, 4}, banks);
  EXPECT_EQ(pack.splits, 2);
  EXPECT_EQ(pack.scale_log2, 16);
  EXPECT_LT(pack.coefficient_error, 1.0 / 65536);
  EXPECT_GT(pack_tile(terms, {1, 4, 4}).coefficient_error, 1.0 / 65536);
  EXPECT_EQ(pack_pairs(terms, {1, 4, 4}, banks, Element::bfloat).scale_log2, 0);
}

TEST(TilePack, RejectsWhatIsNoElement) {
  EXPECT_THROW(pack_tile({{{{0, 0, 0}}, 1e6}}, {}), Error);
  EXPECT_NO_THROW(pack_tile({{{{0, 0, 0}}, 1e6}}, {}, Element::bfloat));
  EXPECT_THROW(pack_tile({{{{0, 0, 0}}, std::numeric_limits<double>::infinity()}}, {}), Error);
  EXPECT_THROW(pack_tile({}, {}), Error);
}

TEST(TilePack, WhatHoldsIsKnownWithoutPacking) {
  auto const pair = [](double a, double b) { return std::vector<Term>{{{{0, 0, 0}}, a}, {{{0, 0, 1}}, b}}; };
  for (double const small : {0.0, 1.0, 0.1, 0.1e-3, 0.1e-6, 0.3e-6, 0.1e-7, 0.1e-9, 1e-12, 1e-30}) {
    for (double const large : {0.1, 1.0, 1.1, 1e3, 65504.0, 7e4, 1e30}) {
      for (Element const element : {Element::half, Element::bfloat}) {
        auto const terms = pair(small, large);
        bool packed      = true;
        try {
          packed = pack_pairs(terms, {1, 4, 4}, {64, 16, 2}, element).coefficient_error <= 1.0 / 65536;
        } catch (Error const&) {
          packed = false;
        }
        EXPECT_EQ(pairs_hold(terms, element), packed) << small << " " << large;
        PackOptions options;
        options.element = element;
        try {
          packed = pack_sparse(terms, options).coefficient_error <= 1.0 / 65536;
        } catch (Error const&) {
          packed = false;
        }
        EXPECT_EQ(exact_in(terms, element) || holds_split(terms, element), packed) << small << " " << large;
      }
    }
  }
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
