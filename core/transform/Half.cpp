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

// For 0 <= x < 2^31.
std::uint32_t round_to_even(double x) {
  auto const below  = static_cast<std::uint32_t>(x);
  double const part = x - below;
  bool const up     = part > 0.5 || (part == 0.5 && below % 2 != 0);
  return up ? below + 1 : below;
}

}  // namespace

std::uint16_t to_bits(double value, Element element) {
  Format const f           = format_of(element);
  std::uint32_t const sign = std::signbit(value) ? 0x8000u : 0u;
  if (std::isnan(value)) return static_cast<std::uint16_t>(sign | f.infinity | (1u << (f.fraction - 1)));
  double const magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | f.infinity);
  if (magnitude == 0.0) return static_cast<std::uint16_t>(sign);

  int const exponent = std::max(std::ilogb(magnitude), f.min_exponent);
  // Larger values than any of the format overflow below; the bound keeps the shift defined.
  if (exponent > 1 - f.min_exponent) return static_cast<std::uint16_t>(sign | f.infinity);
  std::uint32_t const significand = round_to_even(std::ldexp(magnitude, f.fraction - exponent));
  // For subnormal values the exponent field is 0, and a significand with its leading bit makes it 1: the
  // carry of a round-up, into the exponent or to infinity, needs no case of its own.
  std::uint32_t const bits = (static_cast<std::uint32_t>(exponent - f.min_exponent) << f.fraction) + significand;
  return static_cast<std::uint16_t>(sign | std::min(bits, f.infinity));
}

float from_bits(std::uint16_t bits, Element element) {
  if (element == Element::bfloat) {
    std::uint32_t const wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
  int const field     = (bits >> 10) & 31;
  int const fraction  = bits & 1023;
  float const sign    = (bits & 0x8000u) != 0 ? -1.0f : 1.0f;
  float const implied = field == 0 ? 0.0f : 1024.0f;
  if (field == 31) return fraction != 0 ? std::nanf("") : sign * HUGE_VALF;
  return sign * std::ldexp(implied + static_cast<float>(fraction), std::max(field, 1) - 25);
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
