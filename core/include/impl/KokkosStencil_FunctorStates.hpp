// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstdint>
#include <type_traits>

// The fields of many sweeps of a functor, and one sweep of them.

namespace KokkosStencil {
namespace Impl {

/// The handles of a field that sweeps change, the newest state first, and how far it is read.
template <class View, int... R>
struct State {
  static_assert(Kokkos::is_view<View>::value, "KokkosStencil: state(u, tmp) takes Kokkos::Views.");
  static_assert(
      !std::is_const<View>::value,
      "KokkosStencil: iterate exchanges the handles u and tmp; neither may be const, nor a reference to const.");
  using view  = View;
  using field = std::conditional_t<sizeof...(R) == 0, View, Reach<View, R...>>;
  View* u;
  View* tmp;
};
/// A View of a state as an input of a sweep.
template <class Field>
struct StateField {
  static Field of(typename FieldTraits<Field>::view const& view) {
    if constexpr (FieldTraits<Field>::declared) {
      return {view};
    } else {
      return view;
    }
  }
};

/// The handles of two levels in time, the newest state first, and how far that is read.
template <class View, int... R>
struct Levels {
  static_assert(Kokkos::is_view<View>::value, "KokkosStencil: levels(u, before) takes Kokkos::Views.");
  static_assert(!std::is_const<View>::value,
                "KokkosStencil: iterate exchanges the handles u and before; neither may be const, nor a reference to "
                "const.");
  using field = typename State<View, R...>::field;
  View* u;
  View* before;
};

/// Fields that stay as they are.
template <class... Fields>
struct Constants {
  Pack<Fields...> fields;
};

/// The value at the point itself.
template <class T, unsigned How>
KOKKOS_FORCEINLINE_FUNCTION T center(BasicNeighborhood<T, 1, How> const& n) {
  return n(0);
}
template <class T, unsigned How>
KOKKOS_FORCEINLINE_FUNCTION T center(BasicNeighborhood<T, 2, How> const& n) {
  return n(0, 0);
}
template <class T, unsigned How>
KOKKOS_FORCEINLINE_FUNCTION T center(BasicNeighborhood<T, 3, How> const& n) {
  return n(0, 0, 0);
}

/// A functor of a sweep of states: values by reference begin as those of the point.
template <class Functor, class States, class Constants>
struct StateFunctor;
template <class Functor, class... S, class... C>
struct StateFunctor<Functor, Pack<S...>, Pack<C...>> {
  template <class View, unsigned How>
  using Near = BasicNeighborhood<typename View::non_const_value_type, int(View::rank), How>;
  Functor f;

  template <unsigned How>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Near<S, How> const&... states, Near<C, How> const&... constants,
                                              typename S::non_const_value_type&... next) const {
    ((next = center(states)), ...);
    f(states..., constants..., next...);
  }
};

template <class Functor, class States, class Constants>
struct TakesSteps<StateFunctor<Functor, States, Constants>> : TakesSteps<Functor> {};
template <class Functor, class States, class Constants>
StateFunctor<Functor, States, Constants> after_sweeps(StateFunctor<Functor, States, Constants> const& next,
                                                      std::int64_t sweeps) {
  return {after_sweeps(next.f, sweeps)};
}

}  // namespace Impl
}  // namespace KokkosStencil
