// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

// For debugging: with KOKKOSSTENCIL_CHECK_READS, to be defined in all of a program, a functor that reads farther than
// was said ends the program. Sweeps are then made one at a time.

namespace KokkosStencil {
namespace Impl {

#ifdef KOKKOSSTENCIL_CHECK_READS
constexpr bool checks_reads = true;

/// A functor whose neighbourhoods know how far they may be read.
template <class Functor, class In>
struct CheckedFunctor;
template <class Functor, class... In>
struct CheckedFunctor<Functor, Pack<In...>> {
  template <class View>
  using Near = BasicNeighborhood<typename View::non_const_value_type, int(View::rank)>;

  Functor f;
  int before[sizeof...(In)][3], behind[sizeof...(In)][3];

  CheckedFunctor(Functor const& functor, std::array<FieldReach, sizeof...(In)> const& reach) : f(functor) {
    for (std::size_t i = 0; i < sizeof...(In); ++i) {
      for (std::size_t a = 0; a < 3; ++a) {
        before[i][a] = reach[i].before[a];
        behind[i][a] = reach[i].behind[a];
      }
    }
  }

  template <class... Results>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(Near<In> const&... inputs, Results&... results) const
      -> decltype(std::declval<Functor const&>()(inputs..., results...)) {
    return call(std::index_sequence_for<In...>(), inputs..., results...);
  }

 private:
  template <std::size_t... I, class... Results>
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) call(std::index_sequence<I...>, Near<In> const&... inputs,
                                                  Results&... results) const {
    return f(limited<I>(inputs)..., results...);
  }
  template <std::size_t I, class N>
  KOKKOS_FORCEINLINE_FUNCTION N limited(N const& n) const {
    N copy = n;
    copy.impl_limit(static_cast<int>(I), before[I], behind[I]);
    return copy;
  }
};
template <class Functor>
struct IsChecked : std::false_type {};
template <class Functor, class In>
struct IsChecked<CheckedFunctor<Functor, In>> : std::true_type {};
#else
constexpr bool checks_reads = false;
#endif

}  // namespace Impl
}  // namespace KokkosStencil
