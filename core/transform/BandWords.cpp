// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/BandWords.hpp>

#include <KokkosStencil_Error.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>

namespace KokkosStencil {
namespace Transform {

std::vector<std::uint32_t> pack_band_words(std::vector<Term> const& terms, Element element, int first_row, int rows,
                                           int splits) {
  std::vector<std::uint32_t> words(static_cast<std::size_t>(splits * (rows + 2) * band_words), 0u);
  for (Term const& t : terms) {
    int const row = t.offset[1] - first_row, x = t.offset[2];
    if (t.offset[0] != 0 || row < 0 || row >= rows || std::abs(x) > band_reach) {
      throw Error("Transform::pack_band_words: a term at " + std::to_string(t.offset[0]) + ", " +
                  std::to_string(t.offset[1]) + ", " + std::to_string(t.offset[2]));
    }
    Split const parts = split(t.coefficient, element);
    for (int s = 0; s < splits; ++s) {
      std::uint32_t const bits = s == 0 ? parts.hi : parts.lo;
      auto const word          = static_cast<std::size_t>((s * (rows + 2) + row + 1) * band_words + band_zero + x);
      words[word] |= bits;
      words[word - 1] |= bits << 16;
    }
  }
  return words;
}

}  // namespace Transform
}  // namespace KokkosStencil
