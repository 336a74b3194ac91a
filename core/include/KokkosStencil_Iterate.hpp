// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <KokkosStencil_Until.hpp>
#include <KokkosStencil_Update.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <string>
#include <utility>

namespace KokkosStencil {

/// Many sweeps: the result equals `steps` single sweeps with the boundary rules applied after each, to
/// the policy's accuracy. u and tmp are handles: afterwards u names the newest state and tmp the other
/// View, whose contents are then unspecified. Points outside the range, ghost values among them, keep
/// the values they had in u. steps = 0 does nothing. Asynchronous, like parallel_for. Throws Error for misuse, before
/// anything is launched.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class View>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, PolicyRank> const& policy,
             Stencil<T, StencilRank> const& stencil, Index steps, View& u, View& tmp) {
  using policy_type = StencilPolicy<ExecutionSpace, PolicyRank>;
  Impl::check_stencil<policy_type, Stencil<T, StencilRank>, View, View>();
  Impl::check_steps(label, steps.value);
  auto const a      = Impl::view_info(u);
  auto const b      = Impl::view_info(tmp);
  auto const launch = Impl::make_launch(label, policy.space());
  auto const plan   = Impl::cached_plan(label, policy.impl_info(), stencil.impl_terms(), a, b,
                                        Impl::SpaceTraits<ExecutionSpace>::info(policy.space()), launch, steps.value);
  if (plan->iterate(launch, a, b, steps.value)) std::swap(u, tmp);
}

/// Two levels in time: `steps` times before = alpha S(u) + beta before, after each of which u and before change places,
/// so that u names the newest state and before the one before it. With beta = -1 that is leapfrog. Nothing is copied
/// between the Views: points outside the range, ghost values among them, stay what they are in each.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class View>
void iterate(std::string const& label, StencilPolicy<ExecutionSpace, PolicyRank> const& policy,
             Stencil<T, StencilRank> const& stencil, Index steps, View& u, View& before, Update const& update) {
  using policy_type = StencilPolicy<ExecutionSpace, PolicyRank>;
  Impl::check_stencil<policy_type, Stencil<T, StencilRank>, View, View>();
  Impl::check_steps(label, steps.value);
  auto const a      = Impl::view_info(u);
  auto const b      = Impl::view_info(before);
  auto const launch = Impl::make_launch(label, policy.space());
  auto const plan = Impl::cached_plan(label, Impl::updating(label, policy.impl_info(), update), stencil.impl_terms(), a,
                                      b, Impl::SpaceTraits<ExecutionSpace>::info(policy.space()), launch, 1);
  if (plan->iterate(launch, a, b, steps.value, update)) std::swap(u, before);
}

/// Sweeps until the change of one sweep is small. The change is measured after every check_every sweeps,
/// and after the last; each check waits for its result. A GPU goes on with the next sweeps meanwhile, in vain
/// after the last check. A change that is NaN stops the iteration. Afterwards u names the newest state, as with
/// iterate; nothing is under way. Throws Error as iterate does.
template <class ExecutionSpace, int PolicyRank, class T, int StencilRank, class View>
UntilResult iterate_until(std::string const& label, StencilPolicy<ExecutionSpace, PolicyRank> const& policy,
                          Stencil<T, StencilRank> const& stencil, StoppingCriterion const& until, View& u, View& tmp) {
  using policy_type = StencilPolicy<ExecutionSpace, PolicyRank>;
  Impl::check_stencil<policy_type, Stencil<T, StencilRank>, View, View>();
  auto const a      = Impl::view_info(u);
  auto const b      = Impl::view_info(tmp);
  auto const launch = Impl::make_launch(label, policy.space());
  auto const plan =
      Impl::cached_plan(label, policy.impl_info(), stencil.impl_terms(), a, b,
                        Impl::SpaceTraits<ExecutionSpace>::info(policy.space()), launch, until.check_every);
  bool in_b         = false;
  auto const result = plan->iterate_until(launch, a, b, until, in_b);
  if (in_b) std::swap(u, tmp);
  return result;
}

}  // namespace KokkosStencil
