// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Case.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <utility>

namespace KokkosStencil {
namespace Fuzz {

/// Most terms that a functor of a case has.
constexpr int functor_terms = 12;

/// The stencil of a case as code. C accumulates.
template <class C, int Rank>
struct LinearFunctor {
  C coefficient[functor_terms];
  int offset[functor_terms][Rank];
  int terms;
  bool alternating;

  explicit LinearFunctor(Case const& c)
      : coefficient{}, offset{}, terms(static_cast<int>(c.call.terms.size())), alternating(c.alternating) {
    for (int k = 0; k < terms; ++k) {
      Term const& t  = c.call.terms[static_cast<std::size_t>(k)];
      coefficient[k] = static_cast<C>(t.coefficient);
      for (int a = 0; a < Rank; ++a) offset[k][a] = t.offset[static_cast<std::size_t>(a)];
    }
  }

  template <class N>
  KOKKOS_FUNCTION C operator()(N const& n) const {
    C sum = 0;
    for (int k = 0; k < terms; ++k) sum += coefficient[k] * read(n, offset[k], std::make_integer_sequence<int, Rank>());
    return scaled(n, sum);
  }
  /// The terms take turns with the two fields.
  template <class M, class N>
  KOKKOS_FUNCTION C operator()(M const& m, N const& n) const {
    C sum = 0;
    for (int k = 0; k < terms; ++k) {
      sum += coefficient[k] * (k % 2 == 0 ? read(m, offset[k], std::make_integer_sequence<int, Rank>())
                                          : read(n, offset[k], std::make_integer_sequence<int, Rank>()));
    }
    return scaled(n, sum);
  }

 private:
  template <class N, int... A>
  KOKKOS_FUNCTION static C read(N const& n, int const (&d)[Rank], std::integer_sequence<int, A...>) {
    return static_cast<C>(n(d[A]...));
  }
  template <class N>
  KOKKOS_FUNCTION C scaled(N const& n, C sum) const {
    if (!alternating) return sum;
    int odd = 0;
    for (int a = 0; a < Rank; ++a) odd ^= static_cast<int>(n.index(a) % 2);
    return odd != 0 ? sum + sum : sum;
  }
};

}  // namespace Fuzz
}  // namespace KokkosStencil
