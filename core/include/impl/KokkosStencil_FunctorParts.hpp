// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorIterate.hpp>
#include <impl/KokkosStencil_FunctorLevels.hpp>
#include <impl/KokkosStencil_FunctorStates.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_FunctorUntil.hpp>

#include <string>

// What the arguments of iterate, iterate_until and explain are: states or levels, then constants.

namespace KokkosStencil {
namespace Impl {

/// A functor, with the number of the first sweep if it must be told: it can be called with a Step, not without.
template <class Call, class StepCall, class Functor>
decltype(auto) told_steps(Functor const& f) {
  if constexpr (Call::returns() || Call::refers()) {
    return (f);
  } else if constexpr (StepCall::returns() || StepCall::refers()) {
    return StepFunctor<Functor>{f, 0};
  } else {
    return (f);  // an error says how it must be
  }
}

/// What follows states or levels, where that cannot be.
template <class Part>
struct PartTraits {
  static constexpr bool swept = false, constants = false;
};
template <class View, int... R>
struct PartTraits<State<View, R...>> {
  static constexpr bool swept = true, constants = false;
};
template <class View, int... R>
struct PartTraits<Levels<View, R...>> : PartTraits<State<View, R...>> {};
template <class... Fields>
struct PartTraits<Constants<Fields...>> {
  static constexpr bool swept = false, constants = true;
};
template <class Part, class... Rest>
void refuse_parts() {
  if constexpr (PartTraits<Part>::swept) {
    static_assert(sizeof(Part) == 0,
                  "KokkosStencil: levels stand alone among the fields that sweeps change. Beside states make the older "
                  "level a state of its own, to which the functor assigns the newest one: state<1>(u, u2), "
                  "state<0>(before, before2).");
  } else if constexpr (PartTraits<Part>::constants) {
    static_assert(sizeof(Part) == 0, "KokkosStencil: one constants(...) with all fields that stay comes last.");
  } else {
    static_assert(sizeof(Part) == 0,
                  "KokkosStencil: iterate, iterate_until and explain take states, or levels, and then the fields that "
                  "stay within constants(...), as in constants(k, reach<1>(w)).");
  }
}
template <class Policy, class Functor, class Sweeps, class View, int... R>
UntilResult levels_parts(std::string const& label, Policy const& policy, Functor const& f, Sweeps const& goal,
                         Levels<View, R...> const& levels) {
  return levels_parts(label, policy, f, goal, levels, Constants<>{});
}
template <class Policy, class Functor, class Sweeps, class View, int... R, class... Fields>
UntilResult levels_parts(std::string const& label, Policy const& policy, Functor const& f, Sweeps const& goal,
                         Levels<View, R...> const& levels, Constants<Fields...> const& constants) {
  using In  = Pack<View, View, typename FieldTraits<Fields>::view...>;
  using Out = Pack<View>;
  return iterate_levels(label, policy,
                        told_steps<FunctorCall<Functor, In, Out>, FunctorCall<StepFunctor<Functor>, In, Out>>(f), goal,
                        levels, constants.fields, PackIndices<Pack<Fields...>>());
}
template <class Policy, class Functor, class Sweeps, class View, int... R, class... Wrong>
UntilResult levels_parts(std::string const&, Policy const&, Functor const&, Sweeps const&, Levels<View, R...> const&,
                         Wrong const&...) {
  refuse_parts<Wrong...>();
  return {};
}

/// Tells the states, which come first, from the constants.
template <class Policy, class Functor, class Sweeps, class... States>
auto iterate_parts(std::string const& label, Policy const& policy, Functor const& f, Sweeps const& goal,
                   Pack<States...> const& states) {
  return iterate_parts(label, policy, f, goal, states, Constants<>{});
}
template <class Policy, class Functor, class Sweeps, class... States, class... Fields>
auto iterate_parts(std::string const& label, Policy const& policy, Functor const& f, Sweeps const& goal,
                   Pack<States...> const& states, Constants<Fields...> const& constants) {
  using Types = Pack<States...>;
  return iterate_states(label, policy,
                        told_steps<typename StatesCall<Functor, Types, Pack<Fields...>>::Call,
                                   typename StatesCall<StepFunctor<Functor>, Types, Pack<Fields...>>::Call>(f),
                        goal, states, constants.fields, PackIndices<Types>(), PackIndices<Pack<Fields...>>());
}
template <class Policy, class Functor, class Sweeps, class... States, class Wrong, class... Rest>
UntilResult iterate_parts(std::string const&, Policy const&, Functor const&, Sweeps const&, Pack<States...> const&,
                          Wrong const&, Rest const&...) {
  refuse_parts<Wrong, Rest...>();
  return {};
}
template <class Policy, class Functor, class Sweeps, class... States, class View, int... R, class... Rest>
auto iterate_parts(std::string const& label, Policy const& policy, Functor const& f, Sweeps const& goal,
                   Pack<States...> const& states, State<View, R...> const& next, Rest const&... rest) {
  return iterate_parts(label, policy, f, goal, pack_with(states, next, PackIndices<Pack<States...>>()), rest...);
}

}  // namespace Impl
}  // namespace KokkosStencil
