// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace KokkosStencil {
namespace Transform {

/// The 16-bit element types of the tensor-core operands.
enum class Element {
  half,   ///< IEEE binary16: 11 significant bits, largest finite value 65504
  bfloat  ///< bfloat16: 8 significant bits, the exponents of float
};

/// The 16 bits nearest to a value: ties to even, gradual underflow, overflow to infinity, NaN stays a
/// (quiet) NaN. Rounds once, so a float and the same value as a double give the same bits.
std::uint16_t to_bits(double value, Element element);

/// The value of 16 bits, exactly.
float from_bits(std::uint16_t bits, Element element);

/// Significant bits of an element type: 11 or 8.
int significant_bits(Element element);

/// A coefficient as the sum of two elements and what they miss.
struct Split {
  std::uint16_t hi = 0;
  std::uint16_t lo = 0;
  double rest      = 0.0;  ///< value - hi - lo

  /// Whether hi alone is the value.
  bool single() const { return lo == 0 && rest == 0.0; }
};

/// hi = the nearest element, lo = the element nearest to value - hi (+0 if hi is exact). The difference
/// is exact in double for every finite hi, so `rest` is the true remainder of the split.
Split split(double value, Element element);

}  // namespace Transform
}  // namespace KokkosStencil
