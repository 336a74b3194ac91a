// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <transform/Half.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace KokkosStencil {
namespace Transform {
namespace {

struct Format {
  int fraction;      // stored bits of the significand
  int min_exponent;  // of the smallest normal number
  std::uint32_t infinity;
};

Format format_of(Element element) {
  return element == Element::half ? Format{10, -14, 0x7c00u} : Format{7, -126, 0x7f80u};
}

// significand / 2^shift, rounded to even; shift from 1 to 63.
std::uint64_t round_to_even(std::uint64_t significand, int shift) {
  std::uint64_t const below = significand >> shift;
  std::uint64_t const part  = significand - (below << shift);
  std::uint64_t const tie   = std::uint64_t{1} << (shift - 1);
  return part > tie || (part == tie && below % 2 != 0) ? below + 1 : below;
}

template <class To, class From>
To bit_cast(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  std::memcpy(&to, &from, sizeof(to));
  return to;
}

}  // namespace

std::uint16_t to_bits(double value, Element element) {
  Format const f           = format_of(element);
  auto const wide          = bit_cast<std::uint64_t>(value);
  std::uint32_t const sign = wide >> 63 != 0 ? 0x8000u : 0u;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | f.infinity | (1u << (f.fraction - 1)));

  int const exponent = static_cast<int>(wide >> 52 & 0x7ffu) - 1023;
  // Subnormal doubles are below every tie of both formats, and the largest exponents above the range.
  if (exponent == -1023) return static_cast<std::uint16_t>(sign);
  if (exponent > 1 - f.min_exponent) return static_cast<std::uint16_t>(sign | f.infinity);

  std::uint64_t const significand = (wide & 0xfffffffffffffu) | std::uint64_t{1} << 52;
  int const base                  = std::max(exponent, f.min_exponent);
  std::uint64_t const rounded     = round_to_even(significand, std::min(52 - f.fraction + base - exponent, 63));
  // The leading bit of `rounded` adds 1 to the exponent field. Without it the value is subnormal; with a
  // carry of the rounding it moves one exponent up, at the end to infinity.
  auto const bits =
      (static_cast<std::uint32_t>(base - f.min_exponent) << f.fraction) + static_cast<std::uint32_t>(rounded);
  return static_cast<std::uint16_t>(sign | std::min(bits, f.infinity));
}

float from_bits(std::uint16_t bits, Element element) {
  std::uint32_t const sign = (bits & 0x8000u) << 16;
  if (element == Element::bfloat) return bit_cast<float>(std::uint32_t{bits} << 16);
  std::uint32_t const field    = bits >> 10 & 31u;
  std::uint32_t const fraction = bits & 1023u;
  if (field == 0) {
    float const magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  std::uint32_t const wide_field = field == 31 ? 255u : field + 112;
  return bit_cast<float>(sign | wide_field << 23 | fraction << 13);
}

int significant_bits(Element element) { return format_of(element).fraction + 1; }

Split split(double value, Element element) {
  Split result;
  result.hi           = to_bits(value, element);
  double const missed = value - static_cast<double>(from_bits(result.hi, element));
  if (missed == 0.0) return result;
  result.lo   = to_bits(missed, element);
  result.rest = missed - static_cast<double>(from_bits(result.lo, element));
  return result;
}

}  // namespace Transform
}  // namespace KokkosStencil
