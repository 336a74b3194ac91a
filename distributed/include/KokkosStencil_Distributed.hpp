// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil.hpp>
#include <impl/KokkosStencil_CopyOutside.hpp>
#include <impl/KokkosStencil_Ranks.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace KokkosStencil {

/// How deep the ghost layers of a Decomposition are, in sweeps that one exchange feeds.
class HaloDepth {
 public:
  /// So many that the time a sweep is least, as Decomposition::network predicts it.
  static HaloDepth automatic() { return HaloDepth(0); }
  /// Exchange after every so many sweeps (1 or more).
  static HaloDepth sweeps(int n) {
    if (n < 1) throw Error("KokkosStencil: HaloDepth::sweeps(" + std::to_string(n) + "); take 1 or more.");
    return HaloDepth(n);
  }

  /// For the library: 0 if automatic.
  int impl_sweeps() const { return m_sweeps; }

 private:
  explicit HaloDepth(int sweeps) : m_sweeps(sweeps) {}
  int m_sweeps;
};

/// What times of exchanges and sweeps are predicted from.
struct Network {
  double latency       = 5e-6;  ///< seconds of an exchange beside its bytes
  double bandwidth     = 5e9;   ///< bytes a second that a process sends
  double point_seconds = 1e-9;  ///< a process needs for a sweep, divided by its points
};

/// The part of one process: what it owns of the whole field, and the Views that hold this and the ghost layers.
template <int Rank>
struct LocalBlock {
  using index_array = std::array<std::int64_t, static_cast<std::size_t>(Rank)>;

  index_array begin;    ///< first point owned, in indices of the whole field
  index_array end;      ///< one past the last point owned
  index_array extents;  ///< of the Views: the block and its ghost layers
  index_array first;    ///< index in a View of the first point owned
  int sweeps = 1;       ///< that one exchange feeds

  /// A View of these extents.
  template <class View>
  View make(std::string const& label) const {
    static_assert(int(View::rank) == Rank, "KokkosStencil: the View must have the rank of the Decomposition.");
    return make<View>(label, std::make_index_sequence<static_cast<std::size_t>(Rank)>());
  }

 private:
  template <class View, std::size_t... Axis>
  View make(std::string const& label, std::index_sequence<Axis...>) const {
    return View(label, static_cast<std::size_t>(extents[Axis])...);
  }
};

template <class ExecutionSpace, int Rank>
class DistributedPolicy;

/// A field that is cut into blocks, one for each process of a communicator, along any of its axes. Neighbours keep
/// copies of each other's outermost points, the ghost layers. At the faces of the whole field the policy's boundary
/// rules hold.
///
/// The communicator is the application's. It must outlive the Decomposition and all that was made with it, and so must
/// MPI and Kokkos. Calls that take a Decomposition are made by all its processes, in the
/// same order. Setters return a changed copy.
template <int Rank>
class Decomposition {
  static_assert(Rank >= 1 && Rank <= 3, "KokkosStencil: a Decomposition has rank 1, 2 or 3.");
  static constexpr auto size = static_cast<std::size_t>(Rank);

 public:
  /// Of a field of these extents. Blocks are of about one size. Numbers of ranks are chosen so that the blocks have
  /// little surface, and cuts across the first axis are preferred, since their layers need no packing. Throws Error if
  /// the points do not go round.
  Decomposition(MPI_Comm comm, std::array<Index, size> const& extents) : m_comm(comm) {
    m_cuts.rank = Rank;
    for (std::size_t a = 0; a < 3; ++a) {
      m_cuts.extent[a] = a < size ? extents[a < size ? a : 0].value : 1;
      m_cuts.ranks[a]  = a < size ? 0 : 1;
    }
    remake();
  }

  /// So many ranks along each axis; 0 where the library is to choose. Throws Error if they are negative, or do not fit
  /// the number of processes.
  Decomposition ranks(std::array<int, size> const& numbers) const {
    return changed([&](Decomposition& d) {
      for (std::size_t a = 0; a < size; ++a) d.m_cuts.ranks[a] = numbers[a];
    });
  }
  /// Blocks of these extents along an axis, one for each of its ranks.
  Decomposition blocks(int axis, std::vector<std::int64_t> const& extents) const {
    return changed([&](Decomposition& d) {
      auto& begins = d.m_cuts.begins[checked(axis)];
      begins.assign(1, 0);
      for (std::int64_t const n : extents) begins.push_back(begins.back() + n);
    });
  }
  /// The last block along an axis is followed by the first one. For axes with the boundary rule periodic.
  Decomposition periodic(int axis) const {
    return changed([&](Decomposition& d) { d.m_cuts.periodic[checked(axis)] = true; });
  }
  /// The first axis of LayoutLeft Views has the shortest stride: prefer to cut the last one.
  Decomposition layout_left() const {
    return changed([&](Decomposition& d) { d.m_cuts.slowest = Rank - 1; });
  }
  /// An error ends what waits longer than so many seconds for another process. Default: 300. Throws Error unless they
  /// are more than 0; more than 1e9, infinity as well, count as 1e9.
  Decomposition time_limit(double seconds) const {
    return changed([&](Decomposition& d) { d.m_settings.time_limit = Impl::checked_time_limit(seconds); });
  }
  /// Whether this MPI takes pointers to the memory of devices. Default: no; layers then go by way of pinned memory.
  Decomposition device_pointers(bool yes) const {
    return changed([&](Decomposition& d) { d.m_settings.device_pointers = yes; });
  }
  /// The engine that moves ghost layers of fields on devices: "peer" stores into the memory of neighbours on the same
  /// host (CUDA), "nccl" takes NCCL, which is loaded then (CUDA, one process a GPU), "mpi" runs everywhere. Throws
  /// Error for other names, and in the first call that needs it where it cannot run. Default: the environment variable
  /// KOKKOSSTENCIL_ENGINE, or the first of the three that can run.
  Decomposition engine(std::string const& name) const {
    Impl::forced_engine(name);
    return changed([&](Decomposition& d) { d.m_settings.engine = name; });
  }
  /// Whether the points next to cut faces are swept first, so that they travel while the rest is swept. Default: on
  /// devices, if these points are few.
  Decomposition overlap(bool yes) const {
    return changed([&](Decomposition& d) { d.m_settings.overlap = yes ? 1 : 0; });
  }
  /// Times that HaloDepth::automatic() rests on. Default: on devices what backends predict for the default execution
  /// space and what the engine took where it was measured, on hosts those of Network. Throws Error unless they are
  /// finite and more than 0 (latency: or 0).
  Decomposition network(Network const& n) const {
    return changed([&](Decomposition& d) {
      d.m_settings.network       = Impl::checked_network({n.latency, n.bandwidth, n.point_seconds});
      d.m_settings.network_given = true;
    });
  }

  /// This process, and how many there are.
  int rank() const { return m_ranks->me(); }
  int processes() const { return m_ranks->processes(); }
  /// Ranks along each axis.
  std::array<int, size> ranks() const {
    std::array<int, size> all{};
    for (std::size_t a = 0; a < size; ++a) all[a] = m_ranks->cuts().ranks[a];
    return all;
  }

  /// The block of this process, with ghost layers for a stencil that is swept many times, on Views of `Value`s
  /// (default: the type of the coefficients). Where their number is chosen for a device, layers along rows may be a few
  /// more, so that rows are whole vectors. Throws Error if a block is smaller than the layers its neighbours need.
  template <class Value = void, class T>
  LocalBlock<Rank> local(Stencil<T, Rank> const& stencil, HaloDepth depth = HaloDepth::automatic()) const {
    std::array<int, size> reach{};
    for (int a = 0; a < Rank; ++a) {
      reach[static_cast<std::size_t>(a)] = std::max(-stencil.lower(a), stencil.upper(a));
    }
    using Space             = Kokkos::DefaultExecutionSpace;
    using Point             = std::conditional_t<std::is_void<Value>::value, T, Value>;
    bool const depth_chosen = depth.impl_sweeps() == 0 && !Impl::is_host_space<Space>();
    if (depth_chosen && !m_ranks->settings().network_given) {
      depth = HaloDepth::sweeps(
          Impl::choose_device_sweeps(*m_ranks, *stencil.impl_terms(), Impl::ValueTypeOf<Point>::value,
                                     static_cast<int>(sizeof(Point)), Impl::SpaceTraits<Space>::info(Space())));
    }
    return local_of(reach, depth, depth_chosen && Rank > 1 ? Impl::values_of_vector(sizeof(Point)) : 1);
  }
  /// The same for a stencil that is code, which reaches so far along each axis (0 or more).
  LocalBlock<Rank> local(std::array<int, size> const& reach, HaloDepth depth = HaloDepth::automatic()) const {
    return local_of(reach, depth, 1);
  }

  /// For the library.
  std::shared_ptr<Impl::Ranks const> const& impl_ranks() const { return m_ranks; }
  template <class ExecutionSpace>
  DistributedPolicy<ExecutionSpace, Rank> impl_policy(StencilPolicy<ExecutionSpace, Rank> const& policy) const {
    return {policy, *this};
  }

 private:
  /// Layers as Impl::wanted_layers makes them.
  LocalBlock<Rank> local_of(std::array<int, size> const& reach, HaloDepth depth, std::int64_t row_values) const {
    std::array<int, 3> far{};
    for (std::size_t a = 0; a < size; ++a) far[a] = reach[a];
    Impl::check_reach(Rank, far);
    LocalBlock<Rank> block{};
    block.sweeps = depth.impl_sweeps();
    if (block.sweeps == 0) block.sweeps = Impl::choose_sweeps(m_ranks->cuts(), far, m_ranks->settings().network, 8);
    Impl::Extents3 const layers = Impl::wanted_layers(*m_ranks, far, block.sweeps, row_values);
    PointBox const own          = m_ranks->owned(m_ranks->me());
    Impl::Extents3 const first  = Impl::first_of(*m_ranks, layers);
    if (int const fed = Impl::sweeps_of(*m_ranks, far, layers); fed > 0) block.sweeps = fed;
    for (std::size_t a = 0; a < size; ++a) {
      block.begin[a]   = own.begin[a];
      block.end[a]     = own.end[a];
      block.first[a]   = first[a];
      block.extents[a] = first[a] + own.end[a] - own.begin[a] + (m_ranks->shared(a, 1) ? layers[a] : 0);
    }
    return block;
  }
  static std::size_t checked(int axis) {
    if (axis < 0 || axis >= Rank) {
      throw Error("KokkosStencil::Decomposition: no such axis: " + std::to_string(axis) +
                  "; those of a Decomposition<" + std::to_string(Rank) + "> are 0 to " + std::to_string(Rank - 1) +
                  ".");
    }
    return static_cast<std::size_t>(axis);
  }
  template <class F>
  Decomposition changed(F const& f) const {
    Decomposition copy = *this;
    f(copy);
    copy.remake();
    return copy;
  }
  void remake() { m_ranks = std::make_shared<Impl::Ranks const>(m_comm, m_cuts, m_settings); }

  MPI_Comm m_comm;
  Impl::Cuts m_cuts;
  Impl::RanksSettings m_settings;
  std::shared_ptr<Impl::Ranks const> m_ranks;
};

/// A StencilPolicy on the blocks of a Decomposition, made by StencilPolicy::on. Range and boundary rules are those of
/// the whole field, in its indices.
template <class ExecutionSpace, int Rank>
class DistributedPolicy {
 public:
  using execution_space     = ExecutionSpace;
  using policy_type         = StencilPolicy<ExecutionSpace, Rank>;
  static constexpr int rank = Rank;

  DistributedPolicy(policy_type const& policy, Decomposition<Rank> const& decomposition)
      : m_policy(policy), m_decomposition(decomposition) {}

  /// As for StencilPolicy.
  DistributedPolicy boundary(Boundary<Rank> const& rules) const { return with(m_policy.boundary(rules)); }
  DistributedPolicy accuracy(Accuracy level) const { return with(m_policy.accuracy(level)); }
  DistributedPolicy backend(std::string name) const { return with(m_policy.backend(std::move(name))); }
  DistributedPolicy radius(int r) const { return with(m_policy.radius(r)); }

  ExecutionSpace const& space() const { return m_policy.space(); }
  Decomposition<Rank> const& decomposition() const { return m_decomposition; }

  /// For the library.
  policy_type const& impl_policy() const { return m_policy; }
  Impl::RanksPolicy impl_info() const { return {m_policy.impl_info(), m_decomposition.impl_ranks()}; }

 private:
  DistributedPolicy with(policy_type const& policy) const { return {policy, m_decomposition}; }

  policy_type m_policy;
  Decomposition<Rank> m_decomposition;
};

namespace Impl {

template <class Exec, int Rank, class T, int StencilRank, class In, class Out>
std::shared_ptr<RanksPlan const> ranks_plan(std::string const& label, std::string const& what,
                                            std::function<void()> const& check,
                                            DistributedPolicy<Exec, Rank> const& policy,
                                            Stencil<T, StencilRank> const& stencil, In const& u, Out const& v) {
  check_stencil<StencilPolicy<Exec, Rank>, Stencil<T, StencilRank>, In, Out>();
  return agreed_plan(label, what, check, policy.impl_info(), stencil.impl_terms(), view_info(u), view_info(v),
                     SpaceTraits<Exec>::info(policy.space()), make_launch(label, policy.space()));
}

}  // namespace Impl

/// One sweep over all blocks: exchanges the ghost layers of u, which it overwrites also where u is const, then
/// v = stencil(u). Views are those of Decomposition::local, with any number of layers from the stencil's reach on.
template <class ExecutionSpace, int Rank, class T, int StencilRank, class InView, class OutView>
void parallel_for(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy,
                  Stencil<T, StencilRank> const& stencil, InView const& u, OutView const& v) {
  Impl::ranks_plan(
      label, "parallel_for", [] {}, policy, stencil, u, v)
      ->sweep(Impl::make_launch(label, policy.space()), Impl::view_info(u), Impl::view_info(v));
}

/// Many sweeps over all blocks, as iterate: the points that a process owns become those of the whole field swept at
/// once. Ghost layers are exchanged as often as their depth demands; afterwards they hold unspecified values. Every
/// call compares what the processes ask for (Plan does it once). Throws Error on all of them if they ask for different
/// things.
template <class ExecutionSpace, int Rank, class T, int StencilRank, class View>
void iterate(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy,
             Stencil<T, StencilRank> const& stencil, Index steps, View& u, View& tmp) {
  auto const plan = Impl::ranks_plan(
      label, "iterate, steps " + std::to_string(steps.value), [&] { Impl::check_steps(label, steps.value); }, policy,
      stencil, u, tmp);
  if (plan->iterate(Impl::make_launch(label, policy.space()), Impl::view_info(u), Impl::view_info(tmp), steps.value)) {
    std::swap(u, tmp);
  }
}

/// As iterate_until; the norm is over the whole field.
template <class ExecutionSpace, int Rank, class T, int StencilRank, class View>
UntilResult iterate_until(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy,
                          Stencil<T, StencilRank> const& stencil, StoppingCriterion const& until, View& u, View& tmp) {
  std::ostringstream what;
  what << "iterate_until, tolerance " << until.tolerance << ", max_steps " << until.max_steps << ", check_every "
       << until.check_every << ", norm " << static_cast<int>(until.norm);
  auto const plan = Impl::ranks_plan(
      label, what.str(), [&] { Impl::check_until(label, until); }, policy, stencil, u, tmp);
  bool in_tmp       = false;
  auto const result = plan->iterate_until(Impl::make_launch(label, policy.space()), Impl::view_info(u),
                                          Impl::view_info(tmp), until, in_tmp);
  if (in_tmp) std::swap(u, tmp);
  return result;
}

/// A Plan over ranks: processes compare what they ask for when it is made, and not in run(), which all must call with
/// the same number of steps.
template <class ExecutionSpace, int Rank, class InView, class OutView>
class DistributedPlan {
 public:
  using policy_type = DistributedPolicy<ExecutionSpace, Rank>;

  template <class T, int StencilRank>
  DistributedPlan(std::string label, policy_type const& policy, Stencil<T, StencilRank> const& stencil, InView const& u,
                  OutView const& v)
      : m_label(std::move(label)),
        m_policy(policy),
        m_plan(Impl::ranks_plan(
            m_label, "Plan", [] {}, policy, stencil, u, v)) {}

  /// One sweep.
  template <class In, class Out>
  void run(In const& u, Out const& v) const {
    Impl::check_views<StencilPolicy<ExecutionSpace, Rank>, In, Out>();
    auto const in  = Impl::view_info(u);
    auto const out = Impl::view_info(v);
    m_plan->check(m_label, in, out);
    m_plan->sweep(Impl::make_launch(m_label, m_policy.space()), in, out);
  }

  /// `steps` sweeps; afterwards the handle u names the newest state.
  template <class View>
  void run(View& u, View& tmp, Index steps) const {
    Impl::check_views<StencilPolicy<ExecutionSpace, Rank>, View, View>();
    Impl::check_steps(m_label, steps.value);
    auto const a = Impl::view_info(u);
    auto const b = Impl::view_info(tmp);
    m_plan->check(m_label, a, b);
    if (m_plan->iterate(Impl::make_launch(m_label, m_policy.space()), a, b, steps.value)) std::swap(u, tmp);
  }

  /// Name of the backend that makes one sweep, or so many, of the block.
  std::string const& backend(Index steps = 1) const { return m_plan->backend(steps.value); }
  /// Name of the engine that moves the ghost layers; "none" if nothing is exchanged.
  std::string engine() const { return m_plan->engine(); }
  /// How the field is cut, what is exchanged how often and by which engine, and what Plan::explain says of the block.
  std::string explain() const { return m_plan->explain(); }

 private:
  std::string m_label;
  policy_type m_policy;
  std::shared_ptr<Impl::RanksPlan const> m_plan;
};

namespace Impl {

template <class Exec, int Rank, class... Fields, int... K>
void exchange_pack(std::string const& label, Exec const& space, Decomposition<Rank> const& decomposition,
                   Pack<Fields...> const& fields, std::integer_sequence<int, K...>) {
  static_assert(((int(FieldTraits<Fields>::view::rank) == Rank) && ...),
                "KokkosStencil: the Views must have the rank of the Decomposition.");
  static_assert((Kokkos::SpaceAccessibility<Exec, typename FieldTraits<Fields>::view::memory_space>::accessible && ...),
                "KokkosStencil: a View is not accessible from the execution space.");
  exchange_fields(label, decomposition.impl_ranks(), {shape_info(FieldTraits<Fields>::get(pack_get<K>(fields)))...},
                  SpaceTraits<Exec>::info(space), make_launch(label, space));
}

}  // namespace Impl

/// Gives the ghost layers of several fields, of any types and any depths, the values that their neighbours own: one
/// message to each neighbour. Corners and edges are among them. The fields are those of all processes, in one order.
template <class ExecutionSpace, int Rank, class... Fields>
void exchange(std::string const& label, ExecutionSpace const& space, Decomposition<Rank> const& decomposition,
              Impl::Pack<Fields...> const& fields) {
  Impl::exchange_pack(label, space, decomposition, fields, Impl::PackIndices<Impl::Pack<Fields...>>());
}
/// The same on the default instance of the first field's execution space.
template <int Rank, class First, class... Fields>
void exchange(std::string const& label, Decomposition<Rank> const& decomposition,
              Impl::Pack<First, Fields...> const& fields) {
  exchange(label, typename Impl::FieldTraits<First>::view::execution_space(), decomposition, fields);
}

namespace Impl {

/// The policy of the block of this process with such a range and faces.
template <class Exec, int Rank>
StencilPolicy<Exec, Rank> block_policy(DistributedPolicy<Exec, Rank> const& policy, PolicyInfo const& info,
                                       PointBox const& range) {
  auto const radius = policy.impl_policy().impl_radius();
  std::array<Index, std::size_t(Rank)> begin, end;
  std::array<int, std::size_t(Rank)> reach{};
  Boundary<Rank> rules;
  for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
    begin[a] = range.begin[a];
    end[a]   = range.end[a];
    reach[a] = radius[a];
    rules    = rules.lower(int(a), info.faces[a][0]).upper(int(a), info.faces[a][1]);
  }
  StencilPolicy<Exec, Rank> const local =
      StencilPolicy<Exec, Rank>(policy.space(), begin, end).boundary(rules).backend(info.backend);
  return radius[0] >= 0 ? local.radius(reach) : local;
}

/// The same for a functor that reads these fields, after an exchange of those of which neighbours are read.
template <class Exec, int Rank, class... Fields, int... K>
StencilPolicy<Exec, Rank> exchanged_policy(std::string const& label, DistributedPolicy<Exec, Rank> const& policy,
                                           Pack<Fields...> const& fields, std::integer_sequence<int, K...> indices) {
  auto const radius = policy.impl_policy().impl_radius();
  std::array<int, 3> far{{0, 0, 0}}, lower{};
  std::vector<ViewInfo> read;
  auto const infos = field_infos(fields, indices);
  for (FieldInfo const& field : infos) {
    bool wide = false;
    for (std::size_t a = 0; a < std::size_t(Rank); ++a) {
      int const reach = field.reach[a] >= 0 ? field.reach[a] : radius[a] >= 0 ? radius[a] : 0;
      far[a]          = reach > far[a] ? reach : far[a];
      lower[a]        = -far[a];
      wide            = wide || reach > 0;
    }
    if (wide) read.push_back(field.view);
  }
  RanksPolicy const whole = policy.impl_info();
  exchange_fields(label, whole.ranks, read, SpaceTraits<Exec>::info(policy.space()),
                  make_launch(label, policy.space()));
  PolicyInfo const info = local_policy(label, whole, infos.front().view, lower, far);
  return block_policy(policy, info, {info.begin, info.end});
}

template <class Exec, int Rank, class Functor, class... States, class... Fields, int... I, int... J>
void iterate_states(std::string const& label, DistributedPolicy<Exec, Rank> const& policy, Functor const& f,
                    std::int64_t steps, Pack<States...> const& states, Pack<Fields...> const& constants,
                    std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) {
  using policy_type = StencilPolicy<Exec, Rank>;
  using Views       = Pack<typename States::view...>;
  check_state_types<policy_type, Functor, Pack<States...>, Pack<Fields...>>();
  RanksPolicy const whole = policy.impl_info();
  Ranks const& ranks      = *whole.ranks;
  Views from{*pack_get<I>(states).u...}, to{*pack_get<I>(states).tmp...};
  FunctorPeriod period;
  PolicyInfo block;  // ghost values that have come are read as they are
  std::string failure;
  std::ostringstream text;
  text << "call iterate " << label << ", steps " << steps << ", states " << sizeof...(States) << ", constants "
       << sizeof...(Fields);
  try {
    check_steps(label, steps);
    // Both ways: constants must not lie in either.
    std::vector<FieldInfo> const fixed{field_info(pack_get<J>(constants))...};
    std::vector<FieldInfo> const old{
        FieldInfo{shape_info(pack_get<I>(from)), FieldTraits<typename States::field>::reach()}...};
    period = functor_period(label, whole, policy.impl_policy().impl_radius(), old, fixed);
    text << ", sweeps an exchange " << period.sweeps;
    block = period.local;
    for (auto& faces : block.faces) {
      for (Face& face : faces) face = face.kind == BoundaryKind::shared ? Face::halo() : face;
    }
    check_states(label, block_policy(policy, block, {block.begin, block.end}), states, from, to, constants,
                 PackIndices<Pack<States...>>(), PackIndices<Pack<Fields...>>());
  } catch (std::exception const& e) {
    failure = e.what();
  }
  ranks.agree(label, text.str(), failure);
  if (steps == 0) return;
  note_backend("generic");

  // Ghost points are swept as well, so that all that sweeps read there is needed.
  bool const deep       = period.sweeps > 1;
  SpaceInfo const space = SpaceTraits<Exec>::info(policy.space());
  Launch const launch   = make_launch(label, policy.space());
  auto const views      = [](Views const& of) {
    auto const all = shapes(of, PackIndices<Views>());
    return std::vector<ViewInfo>(all.begin(), all.end());
  };
  std::vector<ViewInfo> const first = views(from), second = views(to);
  std::vector<ViewInfo> const fixed{field_info(pack_get<J>(constants)).view...};
  if (!fixed.empty() && (period.around[1] || deep)) exchange_fields(label, whole.ranks, fixed, space, launch);
  std::shared_ptr<Exchange> const exchange =
      period.around[0] ? agreed_exchange(label, whole.ranks, first, space, launch) : nullptr;
  bool const empty = period.range(0).empty();
  bool flips       = false;
  for (std::int64_t done = 0; done < steps;) {
    if (exchange != nullptr) exchange->run(launch, flips ? second : first);
    std::int64_t const now = period.sweeps < steps - done ? period.sweeps : steps - done;
    if (done == 0 && !empty) {
      (copy_outside(policy.space(), period.range(now - 1), pack_get<I>(from), pack_get<I>(to)), ...);
    }
    for (std::int64_t left = now; left-- > 0 && !empty; flips = !flips) {
      sweep_states(label, block_policy(policy, block, period.range(left)), after_sweeps(f, done + now - 1 - left),
                   states, flips ? to : from, flips ? from : to, constants, PackIndices<Pack<States...>>(),
                   PackIndices<Pack<Fields...>>());
    }
    done += now;
  }
  if (flips) (std::swap(*pack_get<I>(states).u, *pack_get<I>(states).tmp), ...);
}

}  // namespace Impl

/// One sweep of a stencil that is code over all blocks: exchanges the ghost layers of the fields that are read around
/// the point, then sweeps as parallel_for does with a StencilPolicy. The functor's n.index(axis) is that of the local
/// View.
template <class ExecutionSpace, int Rank, class Functor, class... InFields, class Out>
void parallel_for(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  Impl::Pack<InFields...> const& in, Out const& out) {
  using Fields = Impl::Pack<InFields...>;
  parallel_for(label, Impl::exchanged_policy(label, policy, in, Impl::PackIndices<Fields>()), f, in, out);
}
/// The same with one input.
template <class ExecutionSpace, int Rank, class Functor, class InField, class Out,
          std::enable_if_t<!Impl::is_stencil<Functor> && Impl::FieldTraits<InField>::field, int> = 0>
void parallel_for(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
                  InField const& u, Out const& out) {
  parallel_for(label, policy, f, fields(u), out);
}

/// Many sweeps of a stencil that is code, on one or several fields beside constant ones, as iterate with a
/// StencilPolicy. Ghost layers, those of constants as well, are exchanged as often as their depth demands (constants
/// once); afterwards they hold unspecified values. Every call compares what the processes ask for, and throws Error on
/// all of them if that differs.
template <class ExecutionSpace, int Rank, class Functor, class View, int... R, class... Rest>
void iterate(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
             Index steps, Impl::State<View, R...> const& state, Rest const&... more_states_then_constants) {
  Impl::iterate_parts(label, policy, f, steps.value, Impl::pack_of(state), more_states_then_constants...);
}
/// The same on one field, which is read up to the policy's radius.
template <class ExecutionSpace, int Rank, class Functor, class View,
          std::enable_if_t<!Impl::is_stencil<Functor> && Kokkos::is_view<View>::value, int> = 0>
void iterate(std::string const& label, DistributedPolicy<ExecutionSpace, Rank> const& policy, Functor const& f,
             Index steps, View& u, View& tmp) {
  iterate(label, policy, f, steps, state(u, tmp));
}

namespace Impl {

/// A functor on owned points with global indices.
template <int Rank, class F>
struct OwnedPoints {
  F f;
  std::int64_t first[3], begin[3], extent[3];  // in the View, in the whole field, of the block

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    std::int64_t const k = item % extent[2], j = item / extent[2] % extent[1], i = item / extent[2] / extent[1];
    if constexpr (Rank == 1) f(first[0] + i, begin[0] + i);
    if constexpr (Rank == 2) f(first[0] + i, first[1] + j, begin[0] + i, begin[1] + j);
    if constexpr (Rank == 3) {
      f(first[0] + i, first[1] + j, first[2] + k, begin[0] + i, begin[1] + j, begin[2] + k);
    }
  }
};

/// The points of the block as a View.
template <int Rank, class View>
auto owned_part(std::string const& label, Decomposition<Rank> const& decomposition, View const& view) {
  static_assert(int(View::rank) == Rank, "KokkosStencil: the View must have the rank of the Decomposition.");
  Ranks const& ranks   = *decomposition.impl_ranks();
  Extents3 const first = first_of(ranks, layers_of(label, ranks, shape_info(view)));
  PointBox const own   = ranks.owned(ranks.me());
  auto const along     = [&](std::size_t a) { return std::make_pair(first[a], first[a] + own.end[a] - own.begin[a]); };
  if constexpr (Rank == 1) {
    return Kokkos::subview(view, along(0));
  } else if constexpr (Rank == 2) {
    return Kokkos::subview(view, along(0), along(1));
  } else {
    return Kokkos::subview(view, along(0), along(1), along(2));
  }
}

template <class T, int Rank>
using DataOf = std::conditional_t<Rank == 1, T*, std::conditional_t<Rank == 2, T**, T***>>;
template <class T, int Rank, class Space>
using PackedView = Kokkos::View<DataOf<T, Rank>, Kokkos::LayoutRight, Space>;

/// A row-major View without padding.
template <class T, int Rank, class Space>
PackedView<T, Rank, Space> packed_view(Extents3 const& n) {
  auto const e = [&](std::size_t a) { return static_cast<std::size_t>(n[a]); };
  if constexpr (Rank == 1) {
    return PackedView<T, Rank, Space>("packed field", e(0));
  } else if constexpr (Rank == 2) {
    return PackedView<T, Rank, Space>("packed field", e(0), e(1));
  } else {
    return PackedView<T, Rank, Space>("packed field", e(0), e(1), e(2));
  }
}

/// The whole field on the root, nothing elsewhere.
inline Extents3 whole_on_root(Ranks const& ranks, int root) {
  return ranks.me() == root ? ranks.cuts().extent : Extents3{{0, 0, 0}};
}

}  // namespace Impl

/// Calls f(i, j, k, I, J, K) for every point that this process owns: i, j, k is where it lies in Views that have
/// the ghost layers of u, and I, J, K its place in the whole field (two indices of each in 2-D, one in 1-D).
/// Asynchronous, like Kokkos::parallel_for.
template <class ExecutionSpace, int Rank, class View, class F>
void for_each_owned(std::string const& label, ExecutionSpace const& space, Decomposition<Rank> const& decomposition,
                    View const& u, F const& f) {
  Impl::Ranks const& ranks   = *decomposition.impl_ranks();
  Impl::Extents3 const first = Impl::first_of(ranks, Impl::layers_of(label, ranks, Impl::shape_info(u)));
  PointBox const own         = ranks.owned(ranks.me());
  Impl::OwnedPoints<Rank, F> body{f, {}, {}, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    body.first[a]  = first[a];
    body.begin[a]  = own.begin[a];
    body.extent[a] = own.end[a] - own.begin[a];
  }
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<ExecutionSpace, Kokkos::IndexType<std::int64_t>>(space, 0, own.size()), body);
}

/// The whole field in host memory of one process, row-major; a View without points on the others. Waits for the field.
template <int Rank, class View>
auto gather(Decomposition<Rank> const& decomposition, View const& u, int root = 0) {
  using T                  = typename View::non_const_value_type;
  std::string const label  = "KokkosStencil::gather";
  Impl::Ranks const& ranks = *decomposition.impl_ranks();
  Impl::check_root(label, ranks, root);
  auto const part   = Impl::owned_part(label, decomposition, u);
  auto const packed = Impl::packed_view<T, Rank, typename View::memory_space>(Impl::shape_info(part).extent);
  Kokkos::deep_copy(packed, part);
  auto const block = Kokkos::create_mirror_view(packed);
  Kokkos::deep_copy(block, packed);
  auto const whole = Impl::packed_view<T, Rank, Kokkos::HostSpace>(Impl::whole_on_root(ranks, root));
  Impl::collect(label, ranks, root, static_cast<int>(sizeof(T)), block.data(), whole.data());
  return whole;
}

/// The way back: the points of u that each process owns become those of `whole`, a View in host memory that only the
/// root needs to have. Ghost layers are left alone.
template <int Rank, class Whole, class View>
void scatter(Decomposition<Rank> const& decomposition, Whole const& whole, View const& u, int root = 0) {
  using T = typename View::non_const_value_type;
  static_assert(std::is_same<typename Whole::non_const_value_type, T>::value,
                "KokkosStencil: both Views must have the same value type.");
  std::string const label  = "KokkosStencil::scatter";
  Impl::Ranks const& ranks = *decomposition.impl_ranks();
  Impl::check_root(label, ranks, root);
  auto const packed = Impl::packed_view<T, Rank, Kokkos::HostSpace>(Impl::whole_on_root(ranks, root));
  std::string failure;
  for (std::size_t a = 0; ranks.me() == root && a < std::size_t(Rank); ++a) {
    if (!failure.empty() || whole.extent(a) == packed.extent(a)) continue;
    failure = "the whole field has " + std::to_string(packed.extent(a)) + " points along axis " + std::to_string(a) +
              ", the View given " + std::to_string(whole.extent(a)) + ".";
  }
  ranks.agree(label, "call scatter", failure);
  if (ranks.me() == root) Kokkos::deep_copy(packed, whole);
  auto const part   = Impl::owned_part(label, decomposition, u);
  auto const device = Impl::packed_view<T, Rank, typename View::memory_space>(Impl::shape_info(part).extent);
  auto const block  = Kokkos::create_mirror_view(device);
  Impl::distribute(label, ranks, root, static_cast<int>(sizeof(T)), packed.data(), block.data());
  Kokkos::deep_copy(device, block);
  Kokkos::deep_copy(part, device);
}

}  // namespace KokkosStencil
