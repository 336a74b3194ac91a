// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPasses.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Many sweeps of a functor on several fields.

namespace KokkosStencil {
namespace Impl {

/// The handles of a field that sweeps change, the newest state first, and how far it is read.
template <class View, int... R>
struct State {
  static_assert(Kokkos::is_view<View>::value, "KokkosStencil: state(u, tmp) takes Kokkos::Views.");
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

/// Fields that stay as they are.
template <class... Fields>
struct Constants {
  Pack<Fields...> fields;
};

/// A functor of a sweep of states: values by reference begin as those of the point.
template <class Functor, class States, class Constants>
struct StateFunctor;
template <class Functor, class... S, class... C>
struct StateFunctor<Functor, Pack<S...>, Pack<C...>> {
  template <class View>
  using Near = BasicNeighborhood<typename View::non_const_value_type, int(View::rank)>;
  Functor f;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Near<S> const&... states, Near<C> const&... constants,
                                              typename S::non_const_value_type&... next) const {
    ((next = center(states)), ...);
    f(states..., constants..., next...);
  }

 private:
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T center(BasicNeighborhood<T, 1> const& n) {
    return n(0);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T center(BasicNeighborhood<T, 2> const& n) {
    return n(0, 0);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static T center(BasicNeighborhood<T, 3> const& n) {
    return n(0, 0, 0);
  }
};

template <class Functor, class States, class Fields>
struct StatesCall;
template <class Functor, class... States, class... Fields>
struct StatesCall<Functor, Pack<States...>, Pack<Fields...>> {
  using Views = Pack<typename States::view...>;
  using Fixed = Pack<typename FieldTraits<Fields>::view...>;
  using Call  = FunctorCall<Functor, Pack<typename States::view..., typename FieldTraits<Fields>::view...>, Views>;

  template <class Policy>
  static constexpr void check() {
    (check_views<Policy, typename States::view, typename States::view>(), ...);
    (check_view<Policy, typename FieldTraits<Fields>::view>(), ...);
    static_assert(Call::returns() || Call::refers(),
                  "KokkosStencil: the functor must take a Neighborhood of each state, one of each constant field, and "
                  "a reference to the next value of each state (or, for one state, return it), in this order, and its "
                  "operator() must be const.");
  }
};
template <class Policy, class Functor, class States, class Fields>
constexpr void check_state_types() {
  StatesCall<Functor, States, Fields>::template check<Policy>();
}

/// Throws Error for misuse of states and constants.
template <class Exec, int Rank, class... States, class Views, class... Fields, int... I, int... J>
FunctorRange check_states(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Pack<States...> const&,
                          Views const& from, Views const& to, Pack<Fields...> const& constants,
                          std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
  static_cast<void>(constants);  // it may be empty
  PolicyInfo const& info = policy.impl_info();
  functor_backend(label, info.backend, is_host_space<Exec>());
  (check_pair(label, shape_info(pack_get<I>(from)), shape_info(pack_get<I>(to))), ...);
  (check_output(label, shape_info(pack_get<I>(from))), ...);
  check_apart(label, shapes(from, PackIndices<Views>()), shapes(to, PackIndices<Views>()));
  // Both ways: constants must not lie in either.
  FunctorRange const where =
      functor_range(label, info, policy.impl_radius(),
                    {FieldInfo{shape_info(pack_get<I>(from)), FieldTraits<typename States::field>::reach()}...,
                     field_info(pack_get<J>(constants))...},
                    shapes(to, PackIndices<Views>()));
  functor_range(label, info, policy.impl_radius(),
                {FieldInfo{shape_info(pack_get<I>(to)), FieldTraits<typename States::field>::reach()}...,
                 field_info(pack_get<J>(constants))...},
                shapes(from, PackIndices<Views>()));
  (check_constants_of<typename States::view>(label, info), ...);
  (check_constants_of<typename FieldTraits<Fields>::view>(label, info), ...);
  return where;
}

/// One sweep from the first Views of states to the second ones.
template <class Exec, int Rank, class Functor, class... States, class Views, class... Fields, int... I, int... J>
void sweep_states(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                  Pack<States...> const&, Views const& in, Views const& out, Pack<Fields...> const& constants,
                  std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
  static_cast<void>(constants);
  using Types = StatesCall<Functor, Pack<States...>, Pack<Fields...>>;
  Pack<typename States::field..., Fields...> const fields{StateField<typename States::field>::of(pack_get<I>(in))...,
                                                          pack_get<J>(constants)...};
  if constexpr (Types::Call::returns()) {
    functor_sweep(label, policy, f, fields, out);
  } else {
    functor_sweep(label, policy, StateFunctor<Functor, Views, typename Types::Fixed>{f}, fields, out);
  }
}

template <class Exec, int Rank, class Functor, class... States, class... Fields, int... I, int... J>
void iterate_states(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                    std::int64_t steps, Pack<States...> const& states, Pack<Fields...> const& constants,
                    std::integer_sequence<int, I...> state_numbers, std::integer_sequence<int, J...> field_numbers) {
  using Types = StatesCall<Functor, Pack<States...>, Pack<Fields...>>;
  using Views = typename Types::Views;
  using Fixed = typename Types::Fixed;
  using Call  = typename Types::Call;
  check_state_types<StencilPolicy<Exec, Rank>, Functor, Pack<States...>, Pack<Fields...>>();
  check_steps(label, steps);
  PolicyInfo const& info   = policy.impl_info();
  std::string const forced = functor_backend(label, info.backend, is_host_space<Exec>());
  refuse_shared(label, info);
  Views from{*pack_get<I>(states).u...}, to{*pack_get<I>(states).tmp...};
  FunctorRange const where = check_states(label, policy, states, from, to, constants, state_numbers, field_numbers);
  note_backend(forced == "host_temporal" ? forced : "generic");
  if (where.range.empty() || steps == 0) return;
  (copy_outside(policy.space(), where.range, pack_get<I>(from), pack_get<I>(to)), ...);

  auto const fields = [&](Views const& in) {
    return Pack<typename States::field..., Fields...>{StateField<typename States::field>::of(pack_get<I>(in))...,
                                                      pack_get<J>(constants)...};
  };
  auto const next = [&] {
    if constexpr (Call::returns()) {
      return f;
    } else {
      return StateFunctor<Functor, Views, Fixed>{f};
    }
  }();
  bool flips = false;
  if constexpr (is_host_space<Exec>()) {
    flips = iterate_on_host(label, policy, next, steps, where, fields(from), fields(to), to, from);
  } else {
    for (std::int64_t step = 0; step < steps; ++step) {
      functor_sweep(label, policy, next, fields(flips ? to : from), flips ? from : to);
      flips = !flips;
    }
  }
  if (flips) (std::swap(*pack_get<I>(states).u, *pack_get<I>(states).tmp), ...);
}

/// Tells the states, which come first, from the constants.
template <class Policy, class Functor, class... States>
void iterate_parts(std::string const& label, Policy const& policy, Functor const& f, std::int64_t steps,
                   Pack<States...> const& states) {
  iterate_states(label, policy, f, steps, states, Pack<>{}, PackIndices<Pack<States...>>(), PackIndices<Pack<>>());
}
template <class Policy, class Functor, class... States, class... Fields>
void iterate_parts(std::string const& label, Policy const& policy, Functor const& f, std::int64_t steps,
                   Pack<States...> const& states, Constants<Fields...> const& constants) {
  iterate_states(label, policy, f, steps, states, constants.fields, PackIndices<Pack<States...>>(),
                 PackIndices<Pack<Fields...>>());
}
template <class Policy, class Functor, class... States, class View, int... R, class... Rest>
void iterate_parts(std::string const& label, Policy const& policy, Functor const& f, std::int64_t steps,
                   Pack<States...> const& states, State<View, R...> const& next, Rest const&... rest) {
  iterate_parts(label, policy, f, steps, pack_with(states, next, PackIndices<Pack<States...>>()), rest...);
}

}  // namespace Impl
}  // namespace KokkosStencil
