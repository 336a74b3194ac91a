// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace KokkosStencil {

/// What a functor stencil sees of one input at one point. n(di, dj) is the value at an offset within the
/// policy's radius, with the boundary rules applied; n.index(axis) is the index of the point itself, for
/// coefficients that vary.
template <class View>
using Neighborhood = Impl::BasicNeighborhood<typename View::non_const_value_type, int(View::rank)>;

/// Several Views taken together: KS::fields(u, w).
template <class... Views>
Impl::Pack<Views...> fields(Views const&... views) {
  return Impl::Pack<Views...>{views...};
}

/// One sweep of a stencil that is code: v(i) = f(n) on the points of the policy, with n the
/// Neighborhood of u. For nonlinear stencils and coefficients that vary. The policy must carry a radius.
/// Runs on the generic kernels of any execution space; f must be a KOKKOS_LAMBDA or have a
/// KOKKOS_FUNCTION operator() const. Throws Error for misuse, before anything is launched.
template <class ExecutionSpace, int Rank, class Functor, class InView, class OutView,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<InView>::value, int> = 0>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  InView const& u, OutView const& v) {
  Impl::functor_sweep(label, policy, f, fields(u), fields(v));
}

/// The same with several inputs and one output: v(i) = f(n0, n1, ...).
template <class ExecutionSpace, int Rank, class Functor, class... InViews, class OutView,
          std::enable_if_t<Kokkos::is_view<OutView>::value, int> = 0>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  Impl::Pack<InViews...> const& in, OutView const& v) {
  Impl::functor_sweep(label, policy, f, in, fields(v));
}

/// The same with several inputs and outputs: f(n0, n1, ..., v0, v1, ...) assigns to the outputs.
template <class ExecutionSpace, int Rank, class Functor, class... InViews, class... OutViews>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  Impl::Pack<InViews...> const& in, Impl::Pack<OutViews...> const& out) {
  Impl::functor_sweep(label, policy, f, in, out);
}

/// Many sweeps of a stencil that is code. As iterate for stencils as data.
template <class ExecutionSpace, int Rank, class Functor, class View,
          std::enable_if_t<!Impl::is_stencil<Functor>, int> = 0>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, Rank> const& policy, Functor const& f, Index steps,
             View& u, View& tmp) {
  if (!Impl::begin_iteration(label, policy, steps.value, u, tmp)) return;
  for (std::int64_t step = 0; step < steps.value; ++step) {
    Impl::functor_sweep(label, policy, f, fields(u), fields(tmp));
    std::swap(u, tmp);
  }
}

}  // namespace KokkosStencil
