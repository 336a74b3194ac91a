// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tolerance.hpp"

#include <KokkosStencil_ErrorBound.hpp>

#include <cmath>
#include <limits>

namespace KokkosStencil {
namespace Test {

namespace {

/// Smallest positive number, denormal numbers included.
double smallest(ValueType type) {
  switch (type) {
    case ValueType::float64: return std::ldexp(1.0, -1074);
    case ValueType::float32: return std::ldexp(1.0, -149);
    case ValueType::float16: return std::ldexp(1.0, -24);
    case ValueType::bfloat16: return std::ldexp(1.0, -133);
  }
  return 0.0;
}

}  // namespace

Tolerance tolerance(Call const& call, ValueType type) {
  std::vector<Stencil<double, 3>::Term> terms;
  for (Term const& t : call.terms) terms.push_back({t.offset, t.coefficient});
  Stencil<double, 3> const stencil(terms);
  auto const n          = static_cast<double>(call.terms.size());
  ValueType const chain = type == ValueType::float64 ? ValueType::float64 : ValueType::float32;
  // The reference itself is a chain of long doubles of at least 53, usually 64 bits.
  double const reference = n * static_cast<double>(std::numeric_limits<long double>::epsilon());
  return {error_bound(stencil, type, call.accuracy) + reference, smallest(type) + n * smallest(chain)};
}

}  // namespace Test
}  // namespace KokkosStencil
