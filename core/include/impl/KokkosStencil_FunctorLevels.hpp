// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorStates.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_FunctorUntil.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

// Many sweeps of a functor on two levels in time.

namespace KokkosStencil {
namespace Impl {

/// Sweeps of two levels in time: the older one becomes the newest.
template <class Exec, int Rank, class Functor, class Sweeps, class View, int... R, class... Fields, int... J>
UntilResult iterate_levels(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                           Sweeps const& goal, Levels<View, R...> const& levels, Pack<Fields...> const& constants,
                           std::integer_sequence<int, J...>) {
  static_cast<void>(constants);  // it may be empty
  using Field = typename Levels<View, R...>::field;
  View &u = *levels.u, &before = *levels.before;
  PolicyInfo const& info = policy.impl_info();
  check_views<StencilPolicy<Exec, Rank>, View, View>();
  if constexpr (Sweeps::measures) check_until(label, *goal.until);
  check_steps(label, goal.steps);
  check_pair(label, shape_info(u), shape_info(before), {"the newest level", "the one before it"});
  check_output(label, shape_info(u));
  refuse_shared(label, info);
  // One sweep writes the older level only, and checks what it reads there.
  if (goal.steps > 1) {
    check_constant_fields(label, Swept::levels, field_infos(constants, PackIndices<Pack<Fields...>>()),
                          std::array{shape_info(u)}, std::array{shape_info(before)});
  }
  std::int64_t points = 0;
  if (Sweeps::measures || goal.text != nullptr || goal.steps == 0) {
    // Sweeps find that out themselves.
    std::string const& forced = functor_backend(label, info.backend);
    points                    = functor_range(label, info, policy.impl_radius(),
                                              std::array{field_info(StateField<Field>::of(u)), field_info(Reach<View, 0>{before}),
                                      field_info(pack_get<J>(constants))...},
                                              std::array{shape_info(before)})
                 .range.size();
    (check_constants_of<typename FieldTraits<Fields>::view>(label, info), ...);
    check_constants_of<View>(label, info);
    bool const nothing = goal.steps == 0 || points == 0;
    if (!nothing) check_forced_sweeps(label, forced, Swept::levels, Rank, is_host_space<Exec>(), Sweeps::measures);
    if (goal.text != nullptr) {
      *goal.text =
          "\"" + label + "\": " +
          (nothing ? "nothing to do.\n" : "one sweep at a time, since the two levels change places after each.\n");
      return {};
    }
    if (nothing) {
      note_backend("generic");
      return {};
    }
  }
  auto const in = [&] {
    using Mine = typename Borrowing<Field>::type;
    return Pack<Mine, Reach<Borrowed<View>, 0>, typename Borrowing<Fields>::type...>{
        StateField<Mine>::of(u), Reach<Borrowed<View>, 0>{before}, borrow(pack_get<J>(constants))...};
  };
  std::int64_t done = 0;
  auto const sweeps = [&](std::int64_t left) {
    for (; left > 0; --left, ++done) {
      functor_sweep(label, policy, after_sweeps(f, done), in(), pack_of(borrow(before)));
      std::swap(u, before);
    }
  };
  if constexpr (Sweeps::measures) {
    using Fixed = Pack<typename FieldTraits<Fields>::view...>;
    using Call  = FunctorCall<Functor, Pack<View, View, typename FieldTraits<Fields>::view...>, Pack<View>>;
    return sweep_until(*goal.until, sweeps, [&] {
      double largest = 0.0, squares = 0.0;
      functor_sweep(label, policy, MeasuredLevels<Call::returns(), Functor, View, Fixed>{after_sweeps(f, done)}, in(),
                    pack_of(borrow(before)), Kokkos::Max<double>(largest), Kokkos::Sum<double>(squares));
      std::swap(u, before);
      ++done;
      return update_norm(goal.until->norm, largest, squares, static_cast<double>(points), [&] {
        double scaled = 0.0;
        functor_sweep(label, policy, ScaledSquares<View>{largest},
                      Pack<Reach<View, 0>, Reach<View, 0>>{Reach<View, 0>{u}, Reach<View, 0>{before}}, Pack<>{},
                      Kokkos::Sum<double>(scaled));
        return scaled;
      });
    });
  } else {
    sweeps(goal.steps);
    return {};
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
