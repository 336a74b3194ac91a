// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Accuracy.hpp>
#include <KokkosStencil_Stencil.hpp>

namespace KokkosStencil {

/// Bound on |y - y*| / S of one sweep, with S = sum |c_i| |x_i|, barring overflow and underflow: the
/// largest error every backend keeps at this accuracy, the rounding to the value type included
/// (docs/guide/accuracy.rst derives it; N. J. Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
template <class T, int Rank>
double error_bound(Stencil<T, Rank> const& stencil, ValueType type, Accuracy accuracy = Accuracy::native) {
  bool exact = true;
  if (type != ValueType::float64) {
    for (auto const& t : *stencil.impl_terms()) {
      exact = exact && static_cast<double>(static_cast<float>(t.coefficient)) == t.coefficient;
    }
  }
  return Impl::error_bound(static_cast<int>(stencil.size()), exact, type, accuracy);
}

}  // namespace KokkosStencil
