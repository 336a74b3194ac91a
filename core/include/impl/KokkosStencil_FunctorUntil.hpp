// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Until.hpp>
#include <impl/KokkosStencil_FunctorStates.hpp>
#include <impl/KokkosStencil_ScaledNorm.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

// How long a functor sweeps: so many times, or until a sweep changes little.

namespace KokkosStencil {
namespace Impl {

KOKKOS_FORCEINLINE_FUNCTION void add_change(double a, double b, double& largest, double& squares) {
  double const change = a > b ? a - b : b - a;
  largest             = change > largest ? change : largest;
  squares += change * change;
}
/// One sweep that also finds how much it changes: the largest difference, and the sum of all squares.
template <bool Returns, class Functor, class States, class Constants>
struct MeasuredFunctor;
template <bool Returns, class Functor, class... S, class... C>
struct MeasuredFunctor<Returns, Functor, Pack<S...>, Pack<C...>> {
  template <class View, unsigned How>
  using Near = BasicNeighborhood<typename View::non_const_value_type, int(View::rank), How>;
  Functor f;

  template <unsigned How>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Near<S, How> const&... states, Near<C, How> const&... constants,
                                              typename S::non_const_value_type&... next, double& largest,
                                              double& squares) const {
    if constexpr (Returns) {
      ((next = f(states..., constants...)), ...);
    } else {
      ((next = center(states)), ...);
      f(states..., constants..., next...);
    }
    (add_change(static_cast<double>(next), static_cast<double>(center(states)), largest, squares), ...);
  }
};
/// The same of two levels in time: how far the next state is from the newest one.
template <bool Returns, class Functor, class View, class Constants>
struct MeasuredLevels;
template <bool Returns, class Functor, class View, class... C>
struct MeasuredLevels<Returns, Functor, View, Pack<C...>> {
  template <class Of, unsigned How>
  using Near = BasicNeighborhood<typename Of::non_const_value_type, int(Of::rank), How>;
  Functor f;

  template <unsigned How>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Near<View, How> const& newest, Near<View, How> const& before,
                                              Near<C, How> const&... constants,
                                              typename View::non_const_value_type& next, double& largest,
                                              double& squares) const {
    if constexpr (Returns) {
      next = f(newest, before, constants...);
    } else {
      f(newest, before, constants..., next);
    }
    add_change(static_cast<double>(next), static_cast<double>(center(newest)), largest, squares);
  }
};
/// The sum of the squares of changes, in units of the largest.
template <class... S>
struct ScaledSquares {
  template <class View, unsigned How>
  using Near = BasicNeighborhood<typename View::non_const_value_type, int(View::rank), How>;
  double largest;

  template <unsigned How>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Near<S, How> const&... newest, Near<S, How> const&... before,
                                              double& squares) const {
    (add((static_cast<double>(center(newest)) - static_cast<double>(center(before))) / largest, squares), ...);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void add(double change, double& squares) { squares += change * change; }
};

/// So many sweeps.
struct Goal {
  std::int64_t steps;
  std::string* text = nullptr;  ///< says how, instead of doing it

  static constexpr bool measures = false;
  /// Sweeps until somebody looks at the change.
  std::int64_t together() const { return steps; }
};
/// Sweeps until one changes little. A type of its own: kernels that measure are compiled where they are needed.
struct UntilGoal : Goal {
  StoppingCriterion const* until;

  explicit UntilGoal(StoppingCriterion const& criterion) : Goal{criterion.max_steps}, until(&criterion) {}
  static constexpr bool measures = true;
  std::int64_t together() const { return std::min(steps, until->check_every) - 1; }
};

/// The change in the norm asked for. `scaled` adds up the squares in units of the largest change, where those of the
/// changes themselves are lost.
template <class Scaled>
double update_norm(Norm norm, double largest, double squares, double points, Scaled const& scaled) {
  // A comparison would lose it.
  if (squares != squares) return squares;
  if (norm == Norm::max || largest == 0.0 || !(largest <= std::numeric_limits<double>::max())) return largest;
  if (!squares_lost(squares)) return std::sqrt(squares / points);
  return largest * std::sqrt(scaled() / points);
}
/// Sweeps until one of them changes little. `sweeps` makes some, `measured` one more, and tells its change.
template <class Sweeps, class Measured>
UntilResult sweep_until(StoppingCriterion const& until, Sweeps const& sweeps, Measured const& measured) {
  UntilResult result;
  do {
    std::int64_t const more = std::min(until.check_every, until.max_steps - result.steps);
    sweeps(more - 1);
    result.update_norm = measured();
    result.steps += more;
    result.converged = result.update_norm <= until.tolerance;
  } while (!result.converged && result.steps < until.max_steps && result.update_norm == result.update_norm);
  return result;
}

}  // namespace Impl
}  // namespace KokkosStencil
