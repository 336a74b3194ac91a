// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil_Policy.hpp>
#include <KokkosStencil_Stencil.hpp>
#include <KokkosStencil_Update.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace KokkosStencil {

/// A stencil made ready for Views of one shape: dispatch, packed coefficients and workspace are paid for
/// in the constructor. run() only enqueues work on the policy's execution-space instance: it neither
/// allocates nor fences nor copies between host and device, and can be captured into a CUDA graph.
///
/// A plan is not tied to the Views it was made with: run() takes any Views of the same extents and strides, and where
/// input and output differ in strides, them in either order: handles may be swapped after each call. One plan must not
/// run on two instances at once. A plan that was moved from throws Error.
template <class ExecutionSpace, int Rank, class InView, class OutView>
class Plan {
 public:
  using policy_type = StencilPolicy<ExecutionSpace, Rank>;

  /// Throws Error for misuse (rank or extents that do not fit, a range the boundary rules do not allow,
  /// overlapping Views, Views without memory, coefficients that are not finite or overflow the value type, an unknown
  /// or impossible forced backend). With an Update runs write alpha S(u) + beta v.
  template <class T, int StencilRank>
  Plan(std::string label, policy_type const& policy, Stencil<T, StencilRank> const& stencil, InView const& u,
       OutView const& v, Update const& update = Update())
      : m_label(std::move(label)), m_policy(policy), m_update(update) {
    Impl::check_stencil<policy_type, Stencil<T, StencilRank>, InView, OutView>();
    m_state = std::make_shared<Impl::PlanState const>(m_label, Impl::updating(m_label, policy.impl_info(), update),
                                                      stencil.impl_terms(), Impl::view_info(u), Impl::view_info(v),
                                                      Impl::SpaceTraits<ExecutionSpace>::info(policy.space()),
                                                      Impl::make_launch(m_label, m_policy.space()), Impl::any_steps);
  }

  /// One sweep: v = stencil(u) on the points of the policy, or the plan's Update.
  template <class In, class Out>
  void run(In const& u, Out const& v) const {
    run(u, v, m_update);
  }

  /// The same with other factors, which cost nothing anew. Only for plans made with an Update.
  template <class In, class Out>
  void run(In const& u, Out const& v, Update const& update) const {
    Impl::check_views<policy_type, In, Out>();
    auto const in  = Impl::view_info(u);
    auto const out = Impl::view_info(v);
    state().check(m_label, in, out);
    state().sweep(Impl::make_launch(m_label, m_policy.space()), in, out, update);
  }

  /// `steps` sweeps; afterwards the handle u names the newest state and tmp the other View. Points
  /// outside the range keep the values they had in u. With an Update: two levels in time, as iterate has them.
  template <class View>
  void run(View& u, View& tmp, Index steps) const {
    Impl::check_views<policy_type, View, View>();
    Impl::check_steps(m_label, steps.value);
    auto const a = Impl::view_info(u);
    auto const b = Impl::view_info(tmp);
    state().check(m_label, a, b);
    Launch const launch = Impl::make_launch(m_label, m_policy.space());
    bool const in_tmp   = state().updates() ? state().iterate(launch, a, b, steps.value, m_update)
                                            : state().iterate(launch, a, b, steps.value);
    if (in_tmp) std::swap(u, tmp);
  }

  /// Name of the backend that makes one sweep, or so many.
  std::string const& backend(Index steps = 1) const { return state().backend(steps.value); }
  /// Every backend at every depth of fusion with its operations and bytes a point, what limits it, its
  /// predicted time, and why it was chosen or not, as a table: for one sweep and for many.
  std::string explain() const { return state().explain(); }
  /// The same as data.
  std::vector<Candidate> const& candidates(Index steps = 1) const& { return state().candidates(steps.value); }
  std::vector<Candidate> candidates(Index steps = 1) && { return state().candidates(steps.value); }

 private:
  Impl::PlanState const& state() const {
    if (m_state == nullptr)
      Impl::fail(m_label, "this plan was moved from. Use the one that it was moved to, or a copy.");
    return *m_state;
  }

  std::string m_label;
  policy_type m_policy;
  Update m_update;
  std::shared_ptr<Impl::PlanState const> m_state;
};

/// @cond
namespace Impl {
struct OfFunctor {};
}  // namespace Impl

/// Of functors there are none, and without this the compiler would list everything that it tried.
template <class ExecutionSpace, int Rank>
class Plan<ExecutionSpace, Rank, Impl::OfFunctor, Impl::OfFunctor> {
 public:
  template <class... Given>
  explicit Plan(Given const&...) {
    static_assert(
        sizeof...(Given) > 1000000,
        "KokkosStencil: a Plan is for stencils that are data. parallel_for and iterate of a functor keep what "
        "their last calls found out, and cost little more than a plan would.");
  }
};
template <class ExecutionSpace, int Rank, class Functor, class... Views,
          std::enable_if_t<!Impl::is_stencil<Functor>, int> = 0>
Plan(std::string, StencilPolicy<ExecutionSpace, Rank> const&, Functor const&, Views const&...)
    -> Plan<ExecutionSpace, Rank, Impl::OfFunctor, Impl::OfFunctor>;
/// @endcond

}  // namespace KokkosStencil
