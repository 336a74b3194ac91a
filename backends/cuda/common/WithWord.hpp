// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Cuda {

/// Calls f with a word of as many bytes as a value has: 8, 4 or 2.
template <class F>
void with_word(std::int64_t bytes, F const& f) {
  switch (bytes) {
    case 8: f(std::uint64_t()); break;
    case 4: f(std::uint32_t()); break;
    default: f(std::uint16_t()); break;
  }
}

}  // namespace Cuda
}  // namespace KokkosStencil
