// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

// Many sweeps of a functor on a host: several of them while the data is in cache, as host_temporal does for stencils
// that are data. What does not depend on the functor is in the library (backends/host_temporal).

namespace KokkosStencil {
namespace Impl {

/// What an iteration of a functor on a host works on; boxes are in the axes of the Views.
struct HostIteration {
  FunctorRange where;
  FieldGeometry geometry;
  std::array<int, 3> order;       ///< the axes, slowest first
  std::vector<FieldInfo> fields;  ///< states, then constants
  std::size_t states;             ///< how many of them are states
  int concurrency;
  std::int64_t steps;
  std::string forced;  ///< the backend, or none
  void const* code;    ///< the same for all iterations of the same functor
};

/// How the sweeps of an iteration are divided into passes. What a functor computes is not known, so that its first
/// iterations find out, by the clock and while they go on, whether passes of several sweeps pay.
class HostPasses {
 public:
  explicit HostPasses(HostIteration const& what);

  /// Sweeps to make next, an odd number; 1: a single one.
  int next(std::int64_t left);
  /// Whether these are timed: what is under way must end before they begin, and they before `done`.
  bool timed() const;
  void begin();
  void done(int sweeps);

  /// Chunks, which are independent of each other, and what is missing between them, which is done afterwards.
  std::int64_t items(bool seams) const;
  /// sweep(of, number of the sweep from 1 on, box) for the boxes of an item, in their order.
  void item(std::int64_t k, bool seams, int sweeps, void (*sweep)(void const*, int, PointBox const&),
            void const* of) const;

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

/// For tests: bytes of cache that passes are cut for, 0 for those of the processor.
void set_host_pass_cache(std::int64_t bytes);

/// An item of a pass, the same type for all functors: a kernel less to be compiled for each.
struct HostPassItem {
  std::shared_ptr<void const> rows;
  void (*box)(void const* rows, int sweep, PointBox const& box);  ///< sweep: its number, from 1 on
  HostPasses passes;
  int sweeps;
  bool seams;

  void operator()(std::int64_t k) const {
    passes.item(
        k, seams, sweeps,
        [](void const* self, int sweep, PointBox const& part) {
          auto const& item = *static_cast<HostPassItem const*>(self);
          item.box(item.rows.get(), sweep, part);
        },
        this);
  }
};

template <class Exec>
void launch_pass(std::string const& label, Exec const& space, HostPassItem item) {
  Kokkos::parallel_for(label, Items<Exec>(space, 0, item.passes.items(false)), item);
  item.seams = true;
  if (item.passes.items(true) > 0) Kokkos::parallel_for(label, Items<Exec>(space, 0, item.passes.items(true)), item);
}

/// `point(n)`: what the sweep n of the pass does, from 0 on.
template <int Rank, Along How, int Fast, bool Steps, class PointOf, class Reach>
HostPassItem pass_item(PointOf const& point, FunctorWork const& work, Reach const& reach, HostPasses const& passes,
                       int sweeps) {
  using Rows = HostRows<Rank, How, Fast, decltype(point(0))>;
  // For sweeps with odd numbers and with even ones; where they differ in more than the Views, for each.
  auto rows = std::make_shared<std::vector<Rows>>();
  for (int n = 0; n < (Steps ? sweeps : 2); ++n) {
    rows->push_back(Rows{point(n), Pack<>{}, work.range, work.inside, work.order, reach, 1, 1, 1, 1});
  }
  return {std::shared_ptr<void const>(rows),
          [](void const* of, int sweep, PointBox const& box) {
            auto const& all = *static_cast<std::vector<Rows> const*>(of);
            all[static_cast<std::size_t>(Steps ? sweep - 1 : 1 - sweep % 2)].box(box);
          },
          passes, sweeps, false};
}

/// Sweeps from one set of Views to the other, whichever has the newest state. Returns whether that is the second one in
/// the end. `from`, `back_from`: the states and the constants.
template <class Exec, int Rank, class Functor, class... Fields, class... OutViews>
bool iterate_on_host(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                     std::int64_t steps, FunctorRange const& where, Pack<Fields...> const& from,
                     Pack<Fields...> const& back_from, Pack<OutViews...> const& to, Pack<OutViews...> const& back_to) {
  using In   = Pack<typename FieldTraits<Fields>::view...>;
  using Out  = Pack<OutViews...>;
  using Call = FunctorCall<Functor, In, Out>;
  static_assert((std::is_same<typename OutViews::value_type, typename OutViews::non_const_value_type>::value && ...),
                "KokkosStencil: the output View must not be const.");
  static_assert(Call::returns() || Call::refers(),
                "KokkosStencil: the functor must take a Neighborhood of each input and a reference to each output (or, "
                "for one output, return its value), in this order, and its operator() must be const.");
  using Point = FunctorPoint<Rank, Call::returns(), Functor, In, Out>;
  using Lead  = std::decay_t<decltype(to.head)>;

  constexpr bool strided = (is_strided<typename FieldTraits<Fields>::view>() || ...) || (is_strided<OutViews>() || ...);
  constexpr int fast     = fast_axis<Lead>();
  PolicyInfo const& info = policy.impl_info();
  ViewInfo const lead    = shape_info(to.head);
  static char code       = 0;
  auto const fields      = field_infos(from, PackIndices<Pack<Fields...>>());
  HostIteration what{where,
                     {},
                     axes_by_stride(lead),
                     {fields.begin(), fields.end()},
                     sizeof...(OutViews),
                     policy.space().concurrency(),
                     steps,
                     functor_backend(label, info.backend, true),
                     &code};
  if constexpr (!strided) put_last<Rank>(what.order, fast);
  for (std::size_t a = 0; a < 3; ++a) {
    what.geometry.extent[a] = lead.extent[a];
    for (std::size_t side = 0; side < 2; ++side) what.geometry.faces[a][side] = rule_of_one_sweep(info.faces[a][side]);
  }
  In const in[2] = {views_of(from, PackIndices<In>()), views_of(back_from, PackIndices<In>())};
  bool flips     = false;
  // The sweep that comes so many after those that were made.
  auto const point = [&](std::int64_t done, int n) {
    bool const back = flips != (n % 2 != 0);
    return Point{after_sweeps(f, done + n), in[back ? 1 : 0], back ? back_to : to, what.geometry};
  };
  bool const unit_stride = unit_strides(in[0], what.order[2], PackIndices<In>()) &&
                           unit_strides(in[1], what.order[2], PackIndices<In>()) &&
                           unit_strides(to, what.order[2], PackIndices<Out>());
  FunctorWork const work{where.range, where.inside, what.order, unit_stride};
  auto const reach = each_reach(fields, policy.impl_radius());

  HostPasses passes(what);
  bool several = false;
  with_rows<strided>(work, [&](auto how) {
    constexpr Along by = decltype(how)::value;
    for (std::int64_t left = steps; left > 0;) {
      int const sweeps = passes.next(left);
      bool const timed = passes.timed();
      if (timed) {
        policy.space().fence();
        passes.begin();
      }
      std::int64_t const done = steps - left;
      if (sweeps == 1) {
        launch_rows<Rank, by, fast>(label, policy.space(), point(done, 0), work, reach);
      } else {
        launch_pass(label, policy.space(),
                    pass_item<Rank, by, fast, TakesSteps<Functor>::value>([&](int n) { return point(done, n); }, work,
                                                                          reach, passes, sweeps));
        several = true;
      }
      if (timed) policy.space().fence();
      passes.done(sweeps);
      left -= sweeps;
      flips = !flips;
    }
  });
  note_functor(label, several || what.forced == "host_temporal" ? "host_temporal" : "generic", where.range);
  return flips;
}

}  // namespace Impl
}  // namespace KokkosStencil
