// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <KokkosStencil_Update.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <string>

namespace KokkosStencil {

/// One sweep of a stencil: v(i) = sum of coefficient * u(i + offset) on the points of the policy.
/// Asynchronous on the policy's execution-space instance, like Kokkos::parallel_for.
///
/// u and v have the policy's rank and the same extents and value type; any layouts, u may be const; they
/// must not overlap. What was prepared for a call is kept, so that later calls with the same stencil and
/// the same shapes only launch. Throws Error for misuse, before anything is launched.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class InView, class OutView>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, PolicyRank> const& policy,
                  Stencil<T, StencilRank> const& stencil, InView const& u, OutView const& v) {
  using policy_type = StencilPolicy<ExecutionSpace, PolicyRank>;
  Impl::check_stencil<policy_type, Stencil<T, StencilRank>, InView, OutView>();
  auto const in     = Impl::view_info(u);
  auto const out    = Impl::view_info(v);
  auto const launch = Impl::make_launch(label, policy.space());
  Impl::cached_plan(label, policy.impl_info(), stencil.impl_terms(), in, out,
                    Impl::SpaceTraits<ExecutionSpace>::info(policy.space()), launch, 1)
      ->sweep(launch, in, out);
}

/// One sweep that adds to what is there: v(i) = alpha * sum + beta * v(i), see Update.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class InView, class OutView>
void parallel_for(std::string const& label, StencilPolicy<ExecutionSpace, PolicyRank> const& policy,
                  Stencil<T, StencilRank> const& stencil, InView const& u, OutView const& v, Update const& update) {
  using policy_type = StencilPolicy<ExecutionSpace, PolicyRank>;
  Impl::check_stencil<policy_type, Stencil<T, StencilRank>, InView, OutView>();
  auto const in     = Impl::view_info(u);
  auto const out    = Impl::view_info(v);
  auto const launch = Impl::make_launch(label, policy.space());
  Impl::cached_plan(label, Impl::updating(label, policy.impl_info(), update), stencil.impl_terms(), in, out,
                    Impl::SpaceTraits<ExecutionSpace>::info(policy.space()), launch, 1)
      ->sweep(launch, in, out, update);
}

/// v = sum without a label.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class InView, class OutView>
void parallel_for(StencilPolicy<ExecutionSpace, PolicyRank> const& policy, Stencil<T, StencilRank> const& stencil,
                  InView const& u, OutView const& v) {
  parallel_for("KokkosStencil::parallel_for", policy, stencil, u, v);
}

}  // namespace KokkosStencil
