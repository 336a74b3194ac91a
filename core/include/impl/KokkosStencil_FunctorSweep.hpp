// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_CheckedReads.hpp>
#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorLaunch.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorPoint.hpp>
#include <impl/KokkosStencil_FunctorPoints.hpp>
#include <impl/KokkosStencil_FunctorRing.hpp>
#include <impl/KokkosStencil_FunctorRowRing.hpp>
#include <impl/KokkosStencil_FunctorRows.hpp>
#include <impl/KokkosStencil_KnownSweeps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

// One sweep of a stencil that is code, on any execution space: which kernel it takes.

namespace KokkosStencil {
namespace Impl {

/// Makes the contiguous axis the last one; the others keep their order.
template <int Rank>
void put_last(std::array<int, 3>& order, int fast) {
  for (std::size_t k = 3 - Rank; k < 2; ++k) {
    if (order[k] == fast) std::swap(order[k], order[k + 1]);
  }
}

/// Fast: the contiguous axis if all Views have layouts that tell it.
template <int Rank, bool Strided, int Fast, class Exec, class Point, class Reach, class... Reducers>
void launch_functor(std::string const& label, Exec const& space, Point const& point, FunctorWork work,
                    [[maybe_unused]] Reach const& reach, Reducers const&... reducers) {
  if constexpr (!Strided) put_last<Rank>(work.order, Fast);
  if constexpr (is_host_space<Exec>()) {
    with_rows<Strided>(work, [&](auto how) {
      launch_rows<Rank, decltype(how)::value, Fast>(label, space, point, work, reach, reducers...);
    });
  } else if constexpr (sizeof...(Reducers) > 0) {
    ListedPoints<Rank, Point, Reducers...> body{point, Pack<Reducers...>{reducers...}, PointList(work.order),
                                                DeviceBox(work.inside)};
    body.list.add(work.range);
    Kokkos::parallel_reduce(
        label, Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(space, 0, body.list.points),
        body, reducers...);
  } else {
    constexpr bool turned = Strided && Rank > 1;
    DevicePoints<Rank, turned, Point> body{point, DeviceBox(work.inside), {0, 1, 2}};
    using index = Kokkos::IndexType<std::int64_t>;
    if constexpr (Rank == 1) {
      Kokkos::parallel_for(
          label, Kokkos::RangePolicy<Exec, LightWeight, index>(space, work.range.begin[0], work.range.end[0]), body);
    } else {
      constexpr int fast     = turned ? Rank - 1 : Fast;
      constexpr auto iterate = fast == 0 ? Kokkos::Iterate::Left : Kokkos::Iterate::Right;
      Kokkos::Array<std::int64_t, static_cast<std::size_t>(Rank)> begin{}, end{}, tile{};
      for (std::size_t k = 0; k < Rank; ++k) {
        if (turned) body.order[k] = work.order[k + 3 - Rank];
        auto const axis = static_cast<std::size_t>(body.order[k]);
        begin[k]        = work.range.begin[axis];
        end[k]          = work.range.end[axis];
        tile[k]         = 1;
      }
      // Measured on NVIDIA GPUs: whole cache lines along the contiguous axis, four rows.
      tile[fast]                     = 64;
      tile[Rank == 2 ? 1 - fast : 1] = 4;
      Kokkos::parallel_for(
          label,
          Kokkos::MDRangePolicy<Exec, LightWeight, Kokkos::Rank<static_cast<unsigned>(Rank), iterate, iterate>, index>(
              space, begin, end, tile),
          body);
    }
  }
}

/// Throws Error if a field cannot hold a constant at the faces.
template <class View>
void check_constants_of(std::string const& label, PolicyInfo const& policy) {
  using T     = typename View::non_const_value_type;
  using Limit = std::numeric_limits<T>;
  if constexpr (ValueTypeOf<T>::known) {
    double const most = largest(ValueTypeOf<T>::value);
    check_constants(label, policy, to_string(ValueTypeOf<T>::value), -most, most, false);
  } else if constexpr (std::is_integral<T>::value) {
    double const most = static_cast<double>(Limit::max());
    // A double may lie past the largest integer.
    check_constants(label, policy, "of a field", static_cast<double>(Limit::lowest()),
                    Limit::digits > 53 ? std::nextafter(most, 0.0) : most, true);
  } else if constexpr (!HasConstants<T>::value) {
    refuse_constants(label, policy);
  }
}

/// The View whose strides tell the order of the axes.
template <class In, class Out>
auto const& leading_view(In const& in, Out const& out) {
  if constexpr (Out::size > 0) {
    return out.head;
  } else {
    return in.head;
  }
}

/// Whether the contiguous axis of a View may be this one.
template <class View>
constexpr bool may_run_along(int axis) {
  return is_strided<View>() || fast_axis<View>() == axis;
}

/// Whether points a warp apart are faster than others where there can be no vectors: not for far reaches in volumes,
/// nor for many fields in planes.
template <int Rank, int Fast, class... Fields>
constexpr bool spread_pays() {
  return Rank == 2 ? sizeof...(Fields) <= 3 : ((FieldTraits<Fields>::along(2 - Fast) <= 2) && ...);
}

/// How far any field is read along the columns of a plane.
template <int Rank, int Fast, class... Fields>
constexpr int row_reach() {
  int most = 0;
  for (int r : {FieldTraits<Fields>::along(Rank == 2 ? 1 - Fast : 0)...}) most = r > most ? r : most;
  return most;
}
/// Whether a thread for each point is faster than fewer that share what they read: up to as many points as threads can
/// run at the same time where vectors have two values, half of that where they have four (measured; the times are even
/// there).
template <int Width, class Exec>
bool few_points(Exec const& space, PointBox const& range) {
  return Width * range.size() <= 2 * std::int64_t(space.concurrency());
}

/// Sweeps by cells on GPUs, single points where they are few, else vectors first; false if it did not. `forced`: the
/// kernel that it must be, or none.
template <int Rank, bool Returns, class Exec, class Functor, class... Fields, class... In, class... Out,
          class... Reducers>
bool sweep_by_cells([[maybe_unused]] std::string const& label, [[maybe_unused]] std::string const& forced,
                    [[maybe_unused]] Exec const& space, [[maybe_unused]] Functor const& f,
                    [[maybe_unused]] Pack<Fields...> const& fields, [[maybe_unused]] Pack<In...> const& in,
                    [[maybe_unused]] Pack<Out...> const& out, [[maybe_unused]] KnownSweep& sweep,
                    [[maybe_unused]] Reducers const&... reducers) {
#ifdef KOKKOSSTENCIL_IMPL_VECTORS
  if constexpr (std::is_same<Exec, Kokkos::Cuda>::value) {
    constexpr int width = CellWidth<Pack<typename In::value_type...>, Pack<typename Out::value_type...>>::width();
    int const way       = axes_by_stride(shape_info(leading_view(in, out)))[2];
    auto const along    = [&](auto axis) {
      constexpr int fast = decltype(axis)::value;
      if constexpr ((may_run_along<In>(fast) && ...) && (may_run_along<Out>(fast) && ...)) {
        if constexpr ((is_strided<In>() || ...) || (is_strided<Out>() || ...)) {
          if (way != fast) return false;
        }
        auto const with = [&](auto w, [[maybe_unused]] auto only_rings) {
          constexpr int vector = decltype(w)::value;
          using Kernel        = typename CellsOf<Rank, Returns, fast, vector, Functor, Pack<typename In::value_type...>,
                                          Pack<typename Out::value_type...>, Pack<Fields...>>::type;
          constexpr bool ring = rings<Kernel, Reducers...>();
          if constexpr (ring) {
#ifdef KOKKOSSTENCIL_IMPL_RINGS
            return launch_ring<RingOf<Kernel>, fast, vector>(label, forced, space, f, in, out, fields,
                                                             PackIndices<Pack<In...>>(), PackIndices<Pack<Out...>>(),
                                                             sweep);
#endif
          } else if constexpr (decltype(only_rings)::value) {
            return false;
          } else {
            if (!forced.empty() && forced != Kernel::name) return false;
            if constexpr (sizeof...(Reducers) == 0) {
              using Whole = typename WithSurroundings<Kernel>::type;
              if constexpr (!std::is_void<Whole>::value) {
                if (fills_registers<Whole>(space.cuda_device()) &&
                    launch_cells<Whole, Rank, fast, vector>(label, space, f, in, out, PackIndices<Pack<In...>>(),
                                                            PackIndices<Pack<Out...>>(), sweep)) {
                  return true;
                }
              }
            }
            return launch_cells<Kernel, Rank, fast, vector>(label, space, f, in, out, PackIndices<Pack<In...>>(),
                                                            PackIndices<Pack<Out...>>(), sweep, reducers...);
          }
        };
        constexpr bool crowded = CellRegisters<Rank, fast, Pack<typename In::value_type...>,
                                               Pack<typename Out::value_type...>, Pack<Fields...>>::crowded(width);
        if constexpr (sizeof...(Reducers) == 0) {
          using Kernel          = CellKernel<Rank, Returns, fast, 1, Functor, Pack<typename In::value_type...>,
                                    Pack<typename Out::value_type...>, Pack<Fields...>, true>;
          constexpr int sharing = crowded ? 1 : width;
          if ((forced.empty() ? few_points<sharing>(space, sweep.where.range) : forced == Kernel::name) &&
              launch_cells<Kernel, Rank, fast, 1>(label, space, f, in, out, PackIndices<Pack<In...>>(),
                                                  PackIndices<Pack<Out...>>(), sweep)) {
            return true;
          }
        }
        if constexpr (crowded) {
          // The others are slower, and would take long to compile.
          return with(std::integral_constant<int, 1>(), std::false_type());
        } else {
          if constexpr (width > 1) {
            if (with(std::integral_constant<int, width>(), std::false_type())) return true;
          }
          // Elsewhere near neighbours in volumes are read fastest by points a warp apart, far ones in volumes from
          // rings, and others by vectors of two where rows have n + 2 points and n is even.
          constexpr bool strided = (is_strided<In>() || ...) || (is_strided<Out>() || ...);
          constexpr bool spreads = width > 1 && Rank > 1 && spread_pays<Rank, fast, Fields...>();
          constexpr bool halves  = width > 2 && !(Rank == 3 && spreads);
          // Four points share what there is to share.
          using Apart = std::integral_constant<int, -(width < 4 ? width : 4)>;
          if constexpr (width > 1 && Rank == 3 && !spreads) {
            if (with(Apart(), std::true_type())) return true;
          }
          // Copies of rows that the GPU makes are worth it in planes where rows far away are read, several fields, or
          // something is reduced.
          using Rows              = RowRingOf<Rank, Returns, fast, width, Functor, Pack<typename In::value_type...>,
                                 Pack<typename Out::value_type...>, Pack<Fields...>>;
          constexpr int reach     = row_reach<Rank, fast, Fields...>();
          constexpr bool rowed    = !std::is_void<Rows>::value;
          constexpr bool farthest = rowed && reach > 2;
          if constexpr (farthest) {
            if (launch_row_ring<Rows, fast, false>(label, forced, space, f, in, out, PackIndices<Pack<In...>>(),
                                                   PackIndices<Pack<Out...>>(), sweep, reducers...)) {
              return true;
            }
          }
          if constexpr (halves) {
            if (with(std::integral_constant<int, 2>(), std::false_type())) return true;
          }
          if constexpr (rowed && !farthest && (reach > 1 || (width > 2 && !spreads) || sizeof...(Reducers) > 0)) {
            if (launch_row_ring<Rows, fast, (reach < 2)>(label, forced, space, f, in, out, PackIndices<Pack<In...>>(),
                                                         PackIndices<Pack<Out...>>(), sweep, reducers...)) {
              return true;
            }
          }
          if constexpr (spreads) {
            if (with(Apart(), std::false_type())) return true;
          }
          if constexpr (strided || !spreads) {
            return with(std::integral_constant<int, 1>(), std::false_type());
          } else {
            return false;
          }
        }
      } else {
        return false;
      }
    };
    if (along(std::integral_constant<int, Rank - 1>())) return true;
    if constexpr (Rank > 1) return along(std::integral_constant<int, 0>());
    return false;
  }
#endif
  return false;
}

/// The extents of the Views and the rules at their faces.
inline FieldGeometry geometry_of(PolicyInfo const& policy, ViewInfo const& view) {
  FieldGeometry geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.extent[a] = view.extent[a];
    for (std::size_t side = 0; side < 2; ++side) geometry.faces[a][side] = rule_of_one_sweep(policy.faces[a][side]);
  }
  return geometry;
}

template <class Exec, int Rank, class Functor, class... Fields, class... OutViews, class... Reducers>
void functor_sweep(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                   Pack<Fields...> const& fields, Pack<OutViews...> const& out, Reducers const&... reducers) {
  using policy_type = StencilPolicy<Exec, Rank>;
  using In          = Pack<typename FieldTraits<Fields>::view...>;
  using Out         = Pack<OutViews...>;
  static_assert(sizeof...(Fields) > 0 && sizeof...(OutViews) + sizeof...(Reducers) > 0,
                "KokkosStencil: a functor stencil needs at least one input, and an output View or a result.");
  (check_view<policy_type, typename FieldTraits<Fields>::view>(), ...);
  (check_view<policy_type, OutViews>(), ...);
  static_assert((std::is_same<typename OutViews::value_type, typename OutViews::non_const_value_type>::value && ...),
                "KokkosStencil: the output View must not be const.");
  using Call             = FunctorCall<Functor, In, Out, typename Reducers::value_type...>;
  constexpr bool returns = Call::returns();
  static_assert(
      returns || Call::refers(),
      "KokkosStencil: the functor must take a Neighborhood of each input, a reference to each output (or, for "
      "one output, return its value) and a reference to each value that is reduced, in this order, and its "
      "operator() must be const.");
  Call::check_results();
#ifdef KOKKOSSTENCIL_CHECK_READS
  if constexpr (!IsChecked<Functor>::value) {
    auto const reach = each_reach(field_infos(fields, PackIndices<In>()), policy.impl_radius());
    functor_sweep(label, policy, CheckedFunctor<Functor, In>(f, reach), fields, out, reducers...);
    return;
  }
#endif

  PolicyInfo const& info    = policy.impl_info();
  std::string const& forced = functor_backend(label, info.backend);
  In const in               = views_of(fields, PackIndices<In>());
  auto const inputs         = field_infos(fields, PackIndices<In>());
  auto const outputs        = shapes(out, PackIndices<Out>());
  if constexpr (sizeof...(Reducers) > 0) {
    check_results(label, std::array{result_info(reducers.view().data())...}, outputs);
  }
  thread_local KnownSweeps<sizeof...(Fields), sizeof...(OutViews)> known;
  KnownSweep& sweep         = known.of(info, policy.impl_radius(), inputs, outputs, [&] {
    KnownSweep found;
    found.where    = functor_range(label, info, policy.impl_radius(), inputs, outputs);
    found.geometry = geometry_of(info, inputs.front().view);
    found.faces    = FaceSteps(found.geometry);
    (check_constants_of<typename FieldTraits<Fields>::view>(label, info), ...);
    return found;
  });
  FunctorRange const& where = sweep.where;
  // Without points results are still set.
  if (where.range.empty() && sizeof...(Reducers) == 0) {
    note_backend("generic");
    return;
  }
  if (forced != "generic" &&
      sweep_by_cells<Rank, returns>(label, forced, policy.space(), f, fields, in, out, sweep, reducers...)) {
    return;
  }
  if (!forced.empty() && forced != "generic" && !where.range.empty()) fail_forced_cells(label, forced);
  note_functor(label, "generic", where.range);

  using Point = FunctorPoint<Rank, returns, Functor, In, Out>;
  Point const point{f, in, out, sweep.geometry};
  auto const& lead = leading_view(in, out);
  using Lead       = std::decay_t<decltype(lead)>;

  std::array<int, 3> const order = axes_by_stride(shape_info(lead));
  bool const unit_stride =
      unit_strides(in, order[2], PackIndices<In>()) && unit_strides(out, order[2], PackIndices<Out>());
  constexpr bool strided = (is_strided<typename FieldTraits<Fields>::view>() || ...) || (is_strided<OutViews>() || ...);
  launch_functor<Rank, strided, fast_axis<Lead>()>(label, policy.space(), point,
                                                   {where.range, where.inside, order, unit_stride},
                                                   each_reach(inputs, policy.impl_radius()), reducers...);
}

/// Tells the outputs, which come first, from the results.
template <class Exec, int Rank, class Functor, class In, class... Views>
void functor_reduce_to(std::string const&, StencilPolicy<Exec, Rank> const&, Functor const&, In const&,
                       Pack<Views...> const&) {
  static_assert(sizeof...(Views) > 1000000,
                "KokkosStencil: parallel_reduce needs a result, as Kokkos::Sum<double>(x).");
}
template <class Exec, int Rank, class Functor, class In, class... Views, class First, class... Rest>
void functor_reduce_to(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                       In const& in, Pack<Views...> const& out, First& first, Rest&... rest) {
  if constexpr (!IsOutput<std::remove_const_t<First>>::value) {
    static_assert(!(IsOutput<std::remove_const_t<Rest>>::value || ...),
                  "KokkosStencil: the outputs of parallel_reduce come before its results.");
    functor_sweep(label, policy, f, in, out, reducer_of(first), reducer_of(rest)...);
  } else if constexpr (Kokkos::is_view<std::remove_const_t<First>>::value) {
    functor_reduce_to(label, policy, f, in, pack_with(out, borrow(first), PackIndices<Pack<Views...>>()), rest...);
  } else {
    static_assert(sizeof...(Views) == 0, "KokkosStencil: outputs are Views or one fields(...).");
    functor_reduce_to(label, policy, f, in, borrow(first), rest...);
  }
}
template <class Exec, int Rank, class Functor, class In, class... Rest>
void functor_reduce(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f, In const& in,
                    Rest&&... rest) {
  static_assert(
      (!std::is_arithmetic<Rest>::value && ...),
      "KokkosStencil: a result of parallel_reduce is a variable, a View or a reducer; a number that is written "
      "out, or computed in the call, would be lost.");
  functor_reduce_to(label, policy, f, in, Pack<>{}, rest...);
}

}  // namespace Impl
}  // namespace KokkosStencil
