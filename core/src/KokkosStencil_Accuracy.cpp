// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Boundary.hpp>

#include <cmath>
#include <limits>

namespace KokkosStencil {

char const* to_string(Accuracy accuracy) noexcept {
  switch (accuracy) {
    case Accuracy::native: return "native";
    case Accuracy::relaxed: return "relaxed";
    case Accuracy::reproducible: return "reproducible";
  }
  return "unknown";
}

char const* to_string(ValueType type) noexcept {
  switch (type) {
    case ValueType::float64: return "double";
    case ValueType::float32: return "float";
    case ValueType::float16: return "half";
    case ValueType::bfloat16: return "bhalf";
  }
  return "unknown";
}

char const* to_string(BoundaryKind kind) noexcept {
  switch (kind) {
    case BoundaryKind::halo: return "halo";
    case BoundaryKind::value: return "value";
    case BoundaryKind::periodic: return "periodic";
    case BoundaryKind::mirror: return "mirror";
    case BoundaryKind::edge: return "edge";
    case BoundaryKind::shared: return "shared";
  }
  return "unknown";
}

int size_of(ValueType type) noexcept { return type == ValueType::float64 ? 8 : type == ValueType::float32 ? 4 : 2; }

int significant_bits(ValueType type) noexcept {
  switch (type) {
    case ValueType::float64: return 53;
    case ValueType::float32: return 24;
    case ValueType::float16: return 11;
    case ValueType::bfloat16: return 8;
  }
  return 0;
}

double largest(ValueType type) noexcept {
  switch (type) {
    case ValueType::float64: return std::numeric_limits<double>::max();
    case ValueType::float32: return static_cast<double>(std::numeric_limits<float>::max());
    case ValueType::float16: return 65504.0;
    case ValueType::bfloat16: return std::ldexp(255.0, 120);
  }
  return 0.0;
}

double Impl::error_bound(int terms, bool coefficients_exact, ValueType type, Accuracy accuracy) noexcept {
  // Unit roundoffs of the accumulation and of the value type.
  double const acc   = type == ValueType::float64 ? std::ldexp(1.0, -53) : std::ldexp(1.0, -24);
  double const store = std::ldexp(1.0, -significant_bits(type));
  // A chain of n fused multiply-adds loses at most gamma_n (Higham, section 3.1); rounding the
  // coefficients counts as one more operation.
  double const n     = terms + (coefficients_exact ? 0 : 1);
  double const gamma = n * acc / (1.0 - n * acc);
  // The canonical chain keeps gamma itself; other backends may lose twice that.
  double bound = accuracy == Accuracy::reproducible ? gamma : 2.0 * gamma;
  if (accuracy == Accuracy::relaxed && type == ValueType::float32) {
    // Both factors cut to 11 significant bits, and tensor cores truncate each addition.
    bound = std::ldexp(1.0, -9) + std::ldexp(1.0, -20) + 2.0 * gamma;
  }
  return bound + store * (1.0 + bound);
}

}  // namespace KokkosStencil
