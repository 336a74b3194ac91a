// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace KokkosStencil {

/// How close a result is to the exact one (docs/guide/accuracy.rst). With the exact result y* = sum c_i x_i
/// and S = sum |c_i| |x_i| at a point, each level promises a largest error as a multiple of S.
enum class Accuracy {
  native,       ///< accumulate in double for double, in float for float, half_t and bhalf_t
  relaxed,      ///< float may go through shorter (TF32, bfloat16) products
  reproducible  ///< the canonical order of fused multiply-adds: the same bits everywhere
};

/// The value types a stencil can be applied to.
enum class ValueType { float64, float32, float16, bfloat16 };

/// "native", "relaxed", "reproducible".
char const* to_string(Accuracy accuracy) noexcept;
/// Name of the type as messages give it.
char const* to_string(ValueType type) noexcept;

/// Size of one value in bytes.
int size_of(ValueType type) noexcept;

/// Significant bits of the value type, the implicit one included (53, 24, 11, 8).
int significant_bits(ValueType type) noexcept;

/// Largest finite value.
double largest(ValueType type) noexcept;

namespace Impl {
/// Bound on |y - y*| / S for a stencil of `terms` terms. `coefficients_exact`: every coefficient is
/// representable in the type that accumulates.
double error_bound(int terms, bool coefficients_exact, ValueType type, Accuracy accuracy) noexcept;
}  // namespace Impl

}  // namespace KokkosStencil
