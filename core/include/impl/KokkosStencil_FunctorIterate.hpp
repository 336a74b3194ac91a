// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_CheckedReads.hpp>
#include <impl/KokkosStencil_CopyOutside.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPasses.hpp>
#include <impl/KokkosStencil_FunctorPatches.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorStates.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_FunctorStrips.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_FunctorTiles.hpp>
#include <impl/KokkosStencil_FunctorUntil.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Many sweeps of a functor on several fields.

namespace KokkosStencil {
namespace Impl {

/// Sweeps of a host, which times passes of several itself.
struct HostSweeps {
  static std::string name() { return "host_temporal"; }
  static std::string reason() { return "it is a host"; }
  static std::string text() {
    return "several sweeps at a time while the data is in cache, where the first ones show that it pays";
  }
};

/// Sweeps one after the other, where there is nothing better.
struct SingleSweeps {
  std::string why;
  static std::string name() { return "generic"; }
  std::string const& reason() const { return why; }
  std::string text() const { return "one sweep at a time, since " + why; }
  static int next(std::int64_t) { return 0; }
};

#ifdef KOKKOSSTENCIL_IMPL_VECTORS
/// The kernel for several sweeps in one pass, if there can be one.
template <int Rank, int Fast, bool Returns, class Functor, class States, class Constants>
struct StripSweepsOf {
  static constexpr bool possible = false;
};
template <int Fast, bool Returns, class Functor, class... States, class... Fields>
struct StripSweepsOf<2, Fast, Returns, Functor, Pack<States...>, Pack<Fields...>> {
  template <class View>
  using ValueOf   = typename View::non_const_value_type;
  using Values    = Pack<ValueOf<typename States::view>...>;
  using Constants = Pack<ValueOf<typename FieldTraits<Fields>::view>...>;
  using Shape     = StripShape<Fast, Values, Pack<typename States::field...>, Constants, Pack<Fields...>>;
  using type = StripSweeps<Fast, Returns, Functor, Values, Pack<typename States::field...>, Constants, Pack<Fields...>>;
  static constexpr bool possible = Shape::possible && (may_run_along<typename States::view>(Fast) && ...) &&
                                   (may_run_along<typename FieldTraits<Fields>::view>(Fast) && ...);
};
template <int Fast, bool Returns, class Functor, class... States, class... Fields>
struct StripSweepsOf<3, Fast, Returns, Functor, Pack<States...>, Pack<Fields...>> {
  template <class View>
  using ValueOf   = typename View::non_const_value_type;
  using Values    = Pack<ValueOf<typename States::view>...>;
  using Constants = Pack<ValueOf<typename FieldTraits<Fields>::view>...>;
  using Shape     = TileShape<Fast, Values, Pack<typename States::field...>, Constants, Pack<Fields...>>;
  using type = TileSweeps<Fast, Returns, Functor, Values, Pack<typename States::field...>, Constants, Pack<Fields...>>;
  static constexpr bool possible = Shape::possible && (may_run_along<typename States::view>(Fast) && ...) &&
                                   (may_run_along<typename FieldTraits<Fields>::view>(Fast) && ...);
};

/// The kernel for several sweeps of patches, if there can be one.
template <int Rank, int Fast, bool Returns, class Functor, class States, class Fields>
struct PatchSweepsOf;
template <int Rank, int Fast, bool Returns, class Functor, class... States, class... Fields>
struct PatchSweepsOf<Rank, Fast, Returns, Functor, Pack<States...>, Pack<Fields...>> {
  template <class View>
  using ValueOf   = typename View::non_const_value_type;
  using Values    = Pack<ValueOf<typename States::view>...>;
  using Constants = Pack<ValueOf<typename FieldTraits<Fields>::view>...>;
  using type      = PatchSweeps<Rank, Fast, Returns, Functor, Values, Constants>;
  /// Registers and shared memory hold such values, each aligned to its size.
  template <class T>
  static constexpr bool fits     = std::is_trivially_copyable<T>::value && alignof(T) <= 16;
  static constexpr bool possible = (fits<ValueOf<typename States::view>> && ...) &&
                                   (fits<ValueOf<typename FieldTraits<Fields>::view>> && ...) &&
                                   (may_run_along<typename States::view>(Fast) && ...) &&
                                   (may_run_along<typename FieldTraits<Fields>::view>(Fast) && ...);
};
#endif

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
    Call::check_results();
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
  (check_pair(label, shape_info(pack_get<I>(from)), shape_info(pack_get<I>(to)),
              {"state " + std::to_string(I), "its second View"}),
   ...);
  (check_output(label, shape_info(pack_get<I>(from))), ...);
  check_states_apart(label, shapes(from, PackIndices<Views>()), shapes(to, PackIndices<Views>()));
  check_constant_fields(label, Swept::states, field_infos(constants, PackIndices<Pack<Fields...>>()),
                        shapes(from, PackIndices<Views>()), shapes(to, PackIndices<Views>()));
  FunctorRange const where = functor_range(
      label, info, policy.impl_radius(),
      std::array{FieldInfo{shape_info(pack_get<I>(from)), FieldTraits<typename States::field>::reach()}...,
                 field_info(pack_get<J>(constants))...},
      shapes(to, PackIndices<Views>()));
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
  Pack<typename Borrowing<typename States::field>::type..., typename Borrowing<Fields>::type...> const fields{
      StateField<typename Borrowing<typename States::field>::type>::of(pack_get<I>(in))...,
      borrow(pack_get<J>(constants))...};
  if constexpr (Types::Call::returns()) {
    functor_sweep(label, policy, f, fields, borrow(out));
  } else {
    functor_sweep(label, policy, StateFunctor<Functor, Views, typename Types::Fixed>{f}, fields, borrow(out));
  }
}

template <class Exec, int Rank, class Functor, class Sweeps, class... States, class... Fields, int... I, int... J>
UntilResult iterate_states(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                           Sweeps const& goal, Pack<States...> const& states, Pack<Fields...> const& constants,
                           std::integer_sequence<int, I...> state_numbers,
                           std::integer_sequence<int, J...> field_numbers) {
  using Types = StatesCall<Functor, Pack<States...>, Pack<Fields...>>;
  using Views = typename Types::Views;
  using Fixed = typename Types::Fixed;
  using Call  = typename Types::Call;
  check_state_types<StencilPolicy<Exec, Rank>, Functor, Pack<States...>, Pack<Fields...>>();
  PolicyInfo const& info = policy.impl_info();
  if constexpr (Sweeps::measures) check_until(label, *goal.until);
  check_steps(label, goal.steps);
  std::string const forced = functor_backend(label, info.backend, is_host_space<Exec>());
  Views from{*pack_get<I>(states).u...}, to{*pack_get<I>(states).tmp...};
  refuse_shared(label, info);
  FunctorRange const where = check_states(label, policy, states, from, to, constants, state_numbers, field_numbers);
  UntilResult result;
  bool const nothing = where.range.empty() || goal.steps == 0;
  if (goal.text != nullptr && nothing) *goal.text = "\"" + label + "\": nothing to do.\n";
  if (goal.text == nullptr) note_backend(forced == "host_temporal" ? forced : "generic");
  if (nothing) return result;
  check_forced_sweeps(label, forced, Swept::states, Rank, is_host_space<Exec>(), Sweeps::measures);

  Fixed const fixed{FieldTraits<Fields>::get(pack_get<J>(constants))...};
  bool flips = false, passes = false;
  std::int64_t swept   = 0;
  auto const fields_of = [&](Views const& in) {
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
  // What is left over by passes is no pass.
  bool const forced_passes = forced == "functor_temporal" || forced == "functor_patches";
  auto const once          = policy.backend(forced_passes || forced == "host_temporal" ? "" : forced);
  auto const sweeps_by     = [&](auto& several, std::int64_t left) {
    if constexpr (is_host_space<Exec>() && !checks_reads) {
      static_cast<void>(several);
      if (left == 0) return;
      Views const &in = flips ? to : from, &out = flips ? from : to;
      if (iterate_on_host(label, policy, after_sweeps(next, swept), left, where, fields_of(in), fields_of(out), out,
                              in)) {
        flips = !flips;
      }
      swept += left;
      passes = passes || last_backend() == "host_temporal";
    } else {
      while (left > 0) {
        Views const &in = flips ? to : from, &out = flips ? from : to;
        int const sweeps = several.next(left);
        if constexpr (!std::is_same<std::decay_t<decltype(several)>, SingleSweeps>::value) {
          if (sweeps > 0) {
            several.pass(label, after_sweeps(f, swept), in, out, fixed, sweeps, PackIndices<Views>(),
                             PackIndices<Fixed>());
          }
          if (sweeps == 0) several.settle(label, in);
        }
        if (sweeps == 0) functor_sweep(label, once, after_sweeps(next, swept), fields_of(in), out);
        passes = passes || sweeps > 0;
        swept += sweeps > 0 ? sweeps : 1;
        left -= sweeps > 0 ? sweeps : 1;
        flips = !flips;
      }
      if constexpr (!std::is_same<std::decay_t<decltype(several)>, SingleSweeps>::value) {
        several.settle(label, flips ? to : from);
      }
    }
  };
  // The change of the sweep that it makes. A template, so that it is compiled only if it is called.
  [[maybe_unused]] auto const measured_sweep = [&](auto const& until) {
    Views const &in = flips ? to : from, &out = flips ? from : to;
    double largest = 0.0, squares = 0.0;
    functor_sweep(label, once, MeasuredFunctor<Call::returns(), Functor, Views, Fixed>{after_sweeps(f, swept)},
                  fields_of(in), out, Kokkos::Max<double>(largest), Kokkos::Sum<double>(squares));
    flips = !flips;
    ++swept;
    auto const points = static_cast<double>(where.range.size()) * static_cast<double>(sizeof...(States));
    return update_norm(until.norm, largest, squares, points, [&] {
      double scaled = 0.0;
      functor_sweep(label, once, ScaledSquares<typename States::view...>{largest},
                    Pack<Reach<typename States::view, 0>..., Reach<typename States::view, 0>...>{
                        Reach<typename States::view, 0>{pack_get<I>(out)}...,
                        Reach<typename States::view, 0>{pack_get<I>(in)}...},
                    Pack<>{}, Kokkos::Sum<double>(scaled));
      return scaled;
    });
  };
  auto const run = [&](auto& several) {
    if (goal.text != nullptr) {
      *goal.text = "\"" + label + "\": " + several.text() + ".\n";
      return result;
    }
    if (forced_passes && !several.reason().empty()) fail_forced_passes(label, forced, several.reason());
    (copy_outside(policy.space(), where.range, pack_get<I>(from), pack_get<I>(to)), ...);
    if constexpr (!Sweeps::measures) {
      sweeps_by(several, goal.steps);
    } else {
      result = sweep_until(
          *goal.until, [&](std::int64_t sweeps) { sweeps_by(several, sweeps); },
          [&] { return measured_sweep(*goal.until); });
    }
    if (passes) note_functor(label, several.name(), where.range);
    if (flips) (std::swap(*pack_get<I>(states).u, *pack_get<I>(states).tmp), ...);
    return result;
  };
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  if constexpr (std::is_same<Exec, Kokkos::Cuda>::value && !checks_reads) {
    int const way = axes_by_stride(shape_info(from.head))[2];
    bool done     = false;
    // What does not say how far it is read is read up to the policy's radius.
    bool const strips_known = (FieldTraits<Fields>::declared && ...) ||
                              *std::max_element(policy.impl_radius().begin(), policy.impl_radius().end()) <= 0;
    auto const along = [&](auto axis) {
      constexpr int fast = decltype(axis)::value;
      using Strips       = StripSweepsOf<Rank, fast, Call::returns(), Functor, Pack<States...>, Pack<Fields...>>;
      using Patches      = PatchSweepsOf<Rank, fast, Call::returns(), Functor, Pack<States...>, Pack<Fields...>>;
      if (done || way != fast || goal.together() == 0 || !(forced.empty() || forced_passes)) return;
      FieldGeometry const geometry = geometry_of(info, shape_info(from.head));
      if constexpr (Patches::possible) {
        auto const by_patches = [&](double others) {
          typename Patches::type patches(
              policy.space(), where, geometry,
              farthest({FieldTraits<typename States::field>::reach()...}, policy.impl_radius()),
              farthest({FieldTraits<Fields>::reach()...}, policy.impl_radius()), goal.together(),
              forced == "functor_patches");
          done = patches.seconds() < others;
          if (done) run(patches);
        };
        if constexpr (Strips::possible) {
          if (strips_known && forced != "functor_patches") {
            typename Strips::type strips(
                policy.space(), where, geometry,
                {shape_info(pack_get<I>(from))..., shape_info(pack_get<I>(to))..., shape_info(pack_get<J>(fixed))...},
                goal.together(), forced == "functor_temporal");
            if (forced.empty()) by_patches(strips.seconds());
            if (!done) run(strips);
            done = true;
            return;
          }
        }
        if (forced != "functor_temporal") by_patches(std::numeric_limits<double>::infinity());
      }
    };
    along(std::integral_constant<int, Rank - 1>());
    if constexpr (Rank > 1) along(std::integral_constant<int, 0>());
    if (done) return result;
  }
#endif
  if (!forced.empty() && !forced_passes && forced != "host_temporal") {
    SingleSweeps one{"\"" + forced + "\" is forced"};
    return run(one);
  }
  if constexpr (checks_reads) {
    SingleSweeps one{"what the functor reads is checked"};
    return run(one);
  } else if constexpr (is_host_space<Exec>()) {
    HostSweeps host;
    return run(host);
  }
  SingleSweeps one{
      forced == "functor_temporal"
          ? "it needs CUDA, two axes or three (with a reach of one), values of four or of eight bytes in all fields, "
            "and "
            "a reach that is known when the program is compiled, as in KokkosStencil::state<1>(u, tmp)"
          : "passes of several need CUDA and Views whose contiguous axis is the first or the last of each"};
  return run(one);
}

}  // namespace Impl
}  // namespace KokkosStencil
