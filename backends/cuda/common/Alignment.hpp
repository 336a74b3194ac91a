// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

// How rows that begin anywhere are cut at aligned addresses.

namespace KokkosStencil {
namespace Cuda {

inline std::int64_t divide_up(std::int64_t n, std::int64_t d) { return (n + d - 1) / d; }
inline std::int64_t modulo(std::int64_t n, std::int64_t d) { return ((n % d) + d) % d; }

/// How many elements of this size lie between the start of a line of memory (128 bytes) and `data` in it.
inline std::int64_t phase_of(void const* data, std::int64_t element_bytes) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data) % 128) / element_bytes;
}

/// The largest x up to `at` with (x + phase) a multiple of `unit`, and the smallest from there on.
inline std::int64_t aligned_down(std::int64_t at, std::int64_t phase, std::int64_t unit) {
  return at - modulo(at + phase, unit);
}
inline std::int64_t aligned_up(std::int64_t at, std::int64_t phase, std::int64_t unit) {
  return at + modulo(-(at + phase), unit);
}

}  // namespace Cuda
}  // namespace KokkosStencil
