// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Step.hpp>

#include <cstdint>
#include <utility>

// Functors that know which sweep they are called for.

namespace KokkosStencil {
namespace Impl {

/// A functor whose first parameter is a Step, with that Step: called like any other.
template <class Functor>
struct StepFunctor {
  Functor f;
  std::int64_t step;

  template <class... Args>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(Args&&... args) const
      -> decltype(std::declval<Functor const&>()(std::declval<Step>(), std::forward<Args>(args)...)) {
    return f(Step(step), std::forward<Args>(args)...);
  }
};

/// Whether a functor must be told the number of each sweep.
template <class Functor>
struct TakesSteps {
  static constexpr bool value = false;
};
template <class Functor>
struct TakesSteps<StepFunctor<Functor>> {
  static constexpr bool value = true;
};

/// A functor so many sweeps later: itself, unless it takes steps.
template <class Functor>
KOKKOS_FORCEINLINE_FUNCTION Functor const& after_sweeps(Functor const& f, std::int64_t) {
  return f;
}
template <class Functor>
KOKKOS_FORCEINLINE_FUNCTION StepFunctor<Functor> after_sweeps(StepFunctor<Functor> const& f, std::int64_t sweeps) {
  return {f.f, f.step + sweeps};
}

}  // namespace Impl
}  // namespace KokkosStencil
