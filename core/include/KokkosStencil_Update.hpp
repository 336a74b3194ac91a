// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace KokkosStencil {

/// How a sweep of a stencil S that is data writes its result: v = alpha S(u) + beta v, as BLAS has it. Without one, as
/// with the default, v = S(u).
///
/// S(u) is accumulated as the policy's Accuracy has it, and not rounded to the value type; then
/// fma(alpha, S(u), beta * v) is computed in the type that accumulates (double for double, float for the others) and
/// rounded once. With beta = 0 the result is alpha * S(u), and v is not read: it may hold NaN, or nothing yet. An alpha
/// of 0 has no such meaning.
struct Update {
  double alpha = 1.0;
  double beta  = 0.0;

  constexpr Update() = default;
  constexpr Update(double a, double b) : alpha(a), beta(b) {}

  /// v += S(u).
  static constexpr Update add() { return {1.0, 1.0}; }
  /// v -= S(u).
  static constexpr Update subtract() { return {-1.0, 1.0}; }
};

}  // namespace KokkosStencil
