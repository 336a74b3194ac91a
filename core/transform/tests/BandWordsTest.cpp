// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/BandWords.hpp>
#include <transform/Fragments.hpp>

#include <KokkosStencil_Error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {
namespace {

std::vector<Term> box_terms(int rows, int reach, double last = 5.0) {
  std::vector<Term> terms;
  for (int dy = 0; dy < rows; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      terms.push_back({{{0, dy - 1, dx}}, static_cast<double>((dy * 31 + dx * 7 + 300) % 9 - 4)});
    }
  }
  terms.back().coefficient = last;
  return terms;
}

/// Fragments of shifted bands, for rows e + turn modulo 8 of 16 columns from column k of a window on.
TEST(BandWords, AreFragmentsOfEveryShift) {
  for (Element const element : {Element::half, Element::bfloat}) {
    for (int const reach : {1, 4, 8}) {
      std::vector<Term> const terms = box_terms(3, reach);
      auto const words              = pack_band_words(terms, element, -1, 3, 1);
      ASSERT_EQ(words.size(), static_cast<std::size_t>(5 * band_words));
      for (int shift = 0; shift < 8; ++shift) {
        for (int const k : {0, 8, 16}) {
          for (int row = -1; row <= 3; ++row) {
            Matrix matrix(16, 16);
            for (int m = 0; m < 8; ++m) {
              for (int c = 0; c < 16; ++c) {
                int const dx = k + c - 8 - shift - (m + shift) % 8;
                for (Term const& t : terms) {
                  if (t.offset[1] == row - 1 && t.offset[2] == dx) matrix(m, c) = t.coefficient;
                }
              }
            }
            auto const fragment = fragment_a(round_matrix(matrix, element));
            for (int lane = 0; lane < warp_lanes; ++lane) {
              for (int half = 0; half < 2; ++half) {
                int const at = band_zero + k + 8 * half + 2 * (lane % 4) - 8 - shift - (lane / 4 + shift) % 8;
                ASSERT_TRUE(at >= 0 && at < band_words);
                EXPECT_EQ(words[static_cast<std::size_t>((row + 1) * band_words + at)],
                          fragment[static_cast<std::size_t>(lane)][static_cast<std::size_t>(2 * half)]);
              }
            }
          }
        }
      }
    }
  }
}

TEST(BandWords, SplitCoefficients) {
  auto const words = pack_band_words(box_terms(1, 0, 2049.0), Element::half, -1, 1, 2);
  ASSERT_EQ(words.size(), static_cast<std::size_t>(2 * 3 * band_words));
  float parts[2];
  for (std::size_t s = 0; s < 2; ++s) {
    parts[s] = from_bits(static_cast<std::uint16_t>(words[(s * 3 + 1) * band_words + band_zero]), Element::half);
  }
  EXPECT_EQ(parts[0], 2048.0f);
  EXPECT_EQ(parts[1], 1.0f);
}

TEST(BandWords, RefuseWhatDoesNotFit) {
  EXPECT_THROW(pack_band_words(box_terms(3, 1), Element::half, -1, 2, 1), Error);
  EXPECT_THROW(pack_band_words(box_terms(3, 1), Element::half, 0, 3, 1), Error);
  EXPECT_THROW(pack_band_words(box_terms(1, 9), Element::half, -1, 1, 1), Error);
}

}  // namespace
}  // namespace Transform
}  // namespace KokkosStencil
