// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace KokkosStencil {
namespace Impl {

struct alignas(16) TwoWords {
  std::uint64_t word[2];
};

template <class Word>
KOKKOS_INLINE_FUNCTION void copy_words(char* to, char const* from, int bytes) {
  for (int k = 0; k < bytes; k += static_cast<int>(sizeof(Word))) {
    *reinterpret_cast<Word*>(to + k) = *reinterpret_cast<Word const*>(from + k);
  }
}

/// Copies a value of so many bytes in words of Piece::word.
KOKKOS_INLINE_FUNCTION void copy_value(char* to, char const* from, int bytes, int word) {
  switch (word) {
    case 16: copy_words<TwoWords>(to, from, bytes); break;
    case 8: copy_words<std::uint64_t>(to, from, bytes); break;
    case 4: copy_words<std::uint32_t>(to, from, bytes); break;
    case 2: copy_words<std::uint16_t>(to, from, bytes); break;
    default: copy_words<char>(to, from, bytes);
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
