// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <transform/Half.hpp>

#include <impl/KokkosStencil_Terms.hpp>

#include <cstdint>
#include <vector>

namespace KokkosStencil {
namespace Transform {

/// Words of a kernel row, and the word that begins with its coefficient of column 0.
constexpr int band_words = 48, band_zero = 22;
/// How far band words reach along x.
constexpr int band_reach = 8;

/// The rows of a planar stencil as words of two coefficients: word d of a row holds those of columns d - band_zero and
/// d - band_zero + 1, the first one in the low half. So the register of a band matrix (fragment_a) for row e and
/// columns k and k + 1 is word band_zero + k - e - s, wherever a window begins (s). Rows before the first and behind
/// the last one are zeros. Order: [split][1 + row][word].
///
/// @param first_row offset along y of the first kernel row
/// @param splits    1, or 2 for high and low parts of coefficients
/// @throws Error for a term outside of these rows, of -band_reach to band_reach along x, or of the plane
std::vector<std::uint32_t> pack_band_words(std::vector<Term> const& terms, Element element, int first_row, int rows,
                                           int splits);

}  // namespace Transform
}  // namespace KokkosStencil
