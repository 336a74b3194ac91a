// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <KokkosStencil_Step.hpp>
#include <KokkosStencil_Until.hpp>
#include <impl/KokkosStencil_FillHalo.hpp>
#include <impl/KokkosStencil_FunctorParts.hpp>
#include <impl/KokkosStencil_FunctorPasses.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

/// In front of a loop over offsets in a functor: unrolls it, so that each offset is a literal to the compiler. On GPUs
/// what lies around a point is held in registers only then.
#if defined(__CUDA_ARCH__) || defined(__clang__)
#define KOKKOSSTENCIL_UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define KOKKOSSTENCIL_UNROLL _Pragma("GCC unroll 64")
#else
#define KOKKOSSTENCIL_UNROLL
#endif

namespace KokkosStencil {

/// What a functor stencil sees of one input at one point. n(di, dj) is the value at an offset within the
/// policy's radius, with the boundary rules applied; n.index(axis) is the index of the point itself, for
/// coefficients that vary. A functor has no effect but its results: it may be called twice for a point, and with values
/// around a point beside the range, where its results are dropped.
template <class View>
using Neighborhood = Impl::BasicNeighborhood<typename View::non_const_value_type, int(View::rank)>;

/// Several fields taken together: `KS::fields(u, KS::reach<2>(w))`.
template <class... Fields>
Impl::Pack<std::decay_t<Fields>...> fields(Fields&&... f) {
  static_assert((Impl::FieldTraits<std::decay_t<Fields>>::field && ...),
                "KokkosStencil: fields are Kokkos::Views or reach<R>(view).");
  return Impl::Pack<std::decay_t<Fields>...>{std::forward<Fields>(f)...};
}

/// A distance for `reach`, `state` and `levels` that is another one before the point than behind it, along one axis:
/// `reach<sides(1, 0), 0>(u)` is for u(-1, 0) and u(0, 0). Ghost points are needed on the sides that are read.
constexpr int sides(int before, int behind) {
  if (before < 0 || behind < 0 || before > Impl::most_of_side || behind > Impl::most_of_side) {
    throw Error("KokkosStencil::sides: distances are not negative, and at most 32767.");
  }
  return Impl::code_of_sides(before, behind);
}

/// An input with the distance up to which the functor reads it, the same along every axis or one for each. Inputs
/// without one are read up to the policy's radius or, if it has none and others have a reach, at the point only. Where
/// none has a reach the policy needs a radius; 0 says that the point only is read. `reach<0>(u)` may be an output as
/// well.
template <int... R, class View>
Impl::Reach<View, R...> reach(View const& u) {
  static_assert(sizeof...(R) > 0, "KokkosStencil: reach needs a distance, as in reach<1>(u).");
  return {u};
}

/// One sweep of a stencil that is code, on the points of the policy: v(i) = f(n) with n the Neighborhood of u, or f(n,
/// x) with x a reference to v(i), which then can be read as well. For nonlinear stencils and coefficients that vary.
/// The distance that is read comes with the policy's radius or with `reach<R>(u)`. Runs on any execution space; f must
/// be a KOKKOS_LAMBDA or have a KOKKOS_FUNCTION operator() const. Throws Error for misuse, before anything is launched.
template <class ExecutionSpace, int Rank, class Functor, class InField, class OutView,
          std::enable_if_t<!Impl::is_stencil<Functor> && Impl::FieldTraits<InField>::field, int> = 0>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  InField const& u, OutView const& v) {
  if constexpr (Kokkos::is_view<OutView>::value) {
    Impl::functor_sweep(label, policy, f, Impl::pack_of(Impl::borrow(u)), Impl::pack_of(Impl::borrow(v)));
  } else {
    Impl::functor_sweep(label, policy, f, Impl::pack_of(Impl::borrow(u)), Impl::borrow(v));
  }
}

/// The same with several inputs and one output: v(i) = f(n0, n1, ...) or f(n0, n1, ..., x). The output may be one of
/// the inputs if that is read at the point only.
template <class ExecutionSpace, int Rank, class Functor, class... InFields, class OutView,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<OutView>::value, int> = 0>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  Impl::Pack<InFields...> const& in, OutView const& v) {
  Impl::functor_sweep(label, policy, f, Impl::borrow(in), Impl::pack_of(Impl::borrow(v)));
}

/// The same with several inputs and outputs: f(n0, n1, ..., x0, x1, ...) assigns to the outputs, which it may read.
template <class ExecutionSpace, int Rank, class Functor, class... InFields, class... OutViews>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  Impl::Pack<InFields...> const& in, Impl::Pack<OutViews...> const& out) {
  Impl::functor_sweep(label, policy, f, Impl::borrow(in), Impl::borrow(out));
}

/// One sweep that also reduces: after the inputs come the outputs (none, one View, or fields(...)), then the results:
/// Kokkos' reducers, or scalars and Views of rank 0, which are summed up. f gets, after the references to the outputs,
/// one to each value that is reduced: `parallel_reduce("dot", policy, f, reach<1>(p), w, Kokkos::Sum<double>(pw))`
/// calls f(n, x, sum), or w(i) = f(n, sum). With one result that is a View, or a reducer of one, nothing waits;
/// otherwise the call returns when the results are there, as with Kokkos::parallel_reduce.
template <class ExecutionSpace, int Rank, class Functor, class... InFields, class... Rest>
void parallel_reduce(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                     Impl::Pack<InFields...> const& in, Rest&&... outputs_and_results) {
  Impl::functor_reduce(label, policy, f, Impl::borrow(in), std::forward<Rest>(outputs_and_results)...);
}

/// The same with one input.
template <class ExecutionSpace, int Rank, class Functor, class InField, class... Rest,
          std::enable_if_t<Impl::FieldTraits<InField>::field, int> = 0>
void parallel_reduce(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                     InField const& u, Rest&&... outputs_and_results) {
  Impl::functor_reduce(label, policy, f, Impl::pack_of(Impl::borrow(u)), std::forward<Rest>(outputs_and_results)...);
}

/// Gives the ghost points of each View the values that the policy's boundary rules read there. Ghost points are those
/// outside the policy's range; without a range, those up to its radius from the faces that have a rule. The rules are
/// about the box of the other points: periodic takes the opposite side of it, for example. Points that a face of kind
/// halo is responsible for are left alone: where all faces are, nothing happens. Asynchronous. Throws Error for misuse,
/// before anything is launched.
template <class ExecutionSpace, int Rank, class... Views>
void fill_halo(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Views const&... views) {
  static_assert(sizeof...(Views) > 0, "KokkosStencil: fill_halo needs a View.");
  static_assert((Kokkos::is_view<Views>::value && ...),
                "KokkosStencil: fill_halo takes Views one by one, without fields(...) and reach.");
  (Impl::check_ghosts(label, policy, views), ...);
  (Impl::fill_ghosts(label, policy, views), ...);
}

/// A field that many sweeps change, with its second View and how far the functor reads it, as in `state<1>(u, tmp)`:
/// the same along every axis or one distance for each; without one, up to the policy's radius. Both are handles that
/// must outlive the call they are passed to.
template <int... R, class View>
Impl::State<View, R...> state(View& u, View& tmp) {
  return {&u, &tmp};
}

/// Fields that no sweep changes: `constants(KS::reach<1>(kx), rhs)`.
template <class... Fields>
Impl::Constants<Fields...> constants(Fields const&... f) {
  return {fields(f...)};
}

/// Two levels in time, as in `levels<1>(u, before)`: the newest state, which is read as far as the reach says, and the
/// one before it, read at the point only. Both are handles that must outlive the call they are passed to.
template <int... R, class View>
Impl::Levels<View, R...> levels(View& u, View& before) {
  return {&u, &before};
}

/// Many sweeps of a field whose next state needs the two newest ones: `iterate("wave", policy, f, steps,
/// KS::levels<1>(u, before), KS::constants(speed))`. f gets a Neighborhood of each level, then one of each constant
/// field, and returns the next value, or assigns it to a reference that begins as the value of the older level. Each
/// sweep writes the next state in the place of the older level, and the two change places, so that no third View is
/// needed. Nothing is copied between the Views: points outside the range, ghost values among them, stay what they are
/// in each. Asynchronous, like parallel_for. Throws Error for misuse, before anything is launched.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Constants>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f, Index steps,
             Impl::Levels<View, R...> const& levels, Constants const&... constants) {
  Impl::levels_parts(label, policy, f, Impl::Goal{steps.value}, levels, constants...);
}

/// Many sweeps of one or several fields: `iterate("react", policy, f, steps, KS::state<1>(a, a2), KS::state<1>(b, b2),
/// KS::constants(feed))`. f gets a Neighborhood of each state, one of each constant field, and a reference to the next
/// value of each state, which begins as the present one; with one state it may return the next value instead. A Step
/// as the first parameter of f is the number of the sweep. The result equals `steps` single sweeps with the boundary
/// rules applied after each. Afterwards the first handle of each state names the newest values, and the contents of the
/// other View are unspecified. Points outside the range keep their values. Asynchronous, like parallel_for. Throws
/// Error for misuse, before anything is launched.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Rest>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f, Index steps,
             Impl::State<View, R...> const& state, Rest const&... more_states_then_constants) {
  Impl::iterate_parts(label, policy, f, Impl::Goal{steps.value}, Impl::pack_of(state), more_states_then_constants...);
}

/// How iterate would do it, in words: by passes of how many sweeps, or why by one sweep at a time, and what times are
/// predicted. Throws Error as iterate does.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Rest>
std::string explain(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                    Index steps, Impl::State<View, R...> const& state, Rest const&... more_states_then_constants) {
  std::string text;
  Impl::iterate_parts(label, policy, f, Impl::Goal{steps.value, &text}, Impl::pack_of(state),
                      more_states_then_constants...);
  return text;
}

template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Constants>
std::string explain(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                    Index steps, Impl::Levels<View, R...> const& levels, Constants const&... constants) {
  std::string text;
  Impl::levels_parts(label, policy, f, Impl::Goal{steps.value, &text}, levels, constants...);
  return text;
}

/// As iterate, until the change of one sweep is small, over all points of all states. It is measured by the last of
/// every check_every sweeps, and by the last one; each check waits for its result. A change that is NaN stops the
/// iteration.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Rest>
UntilResult iterate_until(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                          StoppingCriterion const& until, Impl::State<View, R...> const& state,
                          Rest const&... more_states_then_constants) {
  return Impl::iterate_parts(label, policy, f, Impl::UntilGoal(until), Impl::pack_of(state),
                             more_states_then_constants...);
}
/// The same with two levels in time: the change of a sweep is the difference between the state that it makes and the
/// newest one before it.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Constants>
UntilResult iterate_until(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                          StoppingCriterion const& until, Impl::Levels<View, R...> const& levels,
                          Constants const&... constants) {
  return Impl::levels_parts(label, policy, f, Impl::UntilGoal(until), levels, constants...);
}

/// Many sweeps of one field that is read up to the policy's radius: as with `state(u, tmp)`.
template <class ExecutionSpace, int Rank, class Functor, class View,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<View>::value, int> = 0>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f, Index steps,
             View& u, View& tmp) {
  iterate(label, policy, f, steps, state(u, tmp));
}
template <class ExecutionSpace, int Rank, class Functor, class View,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<View>::value, int> = 0>
std::string explain(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                    Index steps, View& u, View& tmp) {
  return explain(label, policy, f, steps, state(u, tmp));
}
template <class ExecutionSpace, int Rank, class Functor, class View,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<View>::value, int> = 0>
UntilResult iterate_until(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                          StoppingCriterion const& until, View& u, View& tmp) {
  return iterate_until(label, policy, f, until, state(u, tmp));
}

}  // namespace KokkosStencil
