// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Stencils that are code, on any execution space. On a host the rows of the contiguous axis are dealt
// out and the compiler vectorizes along them; on a device every point is a thread, lanes along the
// contiguous axis.

// A functor is called from several places and large, so that compilers would leave it out of line; but
// only inlined can it be vectorized. Clang flattens one level of calls, GCC all.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_FLATTEN __attribute__((flatten))
#else
#define KOKKOSSTENCIL_IMPL_FLATTEN
#endif

namespace KokkosStencil {
namespace Impl {

/// A tuple that works on devices.
template <class... Ts>
struct Pack;
template <>
struct Pack<> {
  static constexpr int size = 0;
};
template <class Head, class... Tail>
struct Pack<Head, Tail...> {
  static constexpr int size = 1 + int(sizeof...(Tail));
  Head head;
  Pack<Tail...> tail;

  Pack(Head const& h, Tail const&... t) : head(h), tail{t...} {}
};
template <int I, class P>
KOKKOS_FORCEINLINE_FUNCTION auto const& pack_get(P const& pack) {
  if constexpr (I == 0) {
    return pack.head;
  } else {
    return pack_get<I - 1>(pack.tail);
  }
}
template <class P, int... I>
std::vector<ViewInfo> shapes(P const& pack, std::integer_sequence<int, I...>) {
  return {shape_info(pack_get<I>(pack))...};
}

/// The axis to run along if the layout says which one is contiguous.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION constexpr int fast_axis() {
  return std::is_same<typename View::array_layout, Kokkos::LayoutLeft>::value ? 0 : int(View::rank) - 1;
}
/// Whether that axis is known to have stride 1 when the program is compiled.
template <class View>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool unit_stride() {
  return int(View::rank) == 1 ? !std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value
                              : std::is_same<typename View::array_layout, Kokkos::LayoutLeft>::value ||
                                    std::is_same<typename View::array_layout, Kokkos::LayoutRight>::value;
}

template <int Rank, class View>
KOKKOS_FORCEINLINE_FUNCTION BasicNeighborhood<typename View::non_const_value_type, Rank> neighborhood(
    View const& view, ViewIndex<Rank> const& index, FieldGeometry const* geometry) {
  ViewIndex<Rank> stride;
  for (int a = 0; a < Rank; ++a) stride[a] = static_cast<std::int64_t>(view.stride(a));
  // A literal, so that the compiler sees consecutive loads.
  if constexpr (unit_stride<View>()) stride[fast_axis<View>()] = 1;
  return {view.data(), stride, index, geometry};
}

/// Whether only the strides tell which axis is contiguous.
template <class View>
constexpr bool is_strided() {
  return std::is_same<typename View::array_layout, Kokkos::LayoutStride>::value;
}

/// A row of a View along an axis that is known when the program runs.
template <class T, int Rank>
struct ViewRow {
  T* first;  ///< the point of index 0 along the axis
  std::int64_t along;
  ViewIndex<Rank> stride;

  /// Unit: the stride along the axis is 1, which the compiler sees.
  template <bool Unit>
  T* at(std::int64_t x) const {
    return first + (Unit ? x : x * along);
  }
};
template <int Rank, class View>
ViewRow<typename View::value_type, Rank> view_row(View const& view, ViewIndex<Rank> const& row, int axis) {
  ViewRow<typename View::value_type, Rank> r{view.data(), static_cast<std::int64_t>(view.stride(axis)), {}};
  for (int a = 0; a < Rank; ++a) {
    r.stride[a] = static_cast<std::int64_t>(view.stride(a));
    if (a != axis) r.first += row[a] * r.stride[a];
  }
  return r;
}
template <class... Rows>
Pack<Rows...> pack_of(Rows const&... rows) {
  return Pack<Rows...>{rows...};
}

template <int Rank, class View>
KOKKOS_FORCEINLINE_FUNCTION auto& element(View const& view, ViewIndex<Rank> const& i) {
  if constexpr (Rank == 1) {
    return view(i[0]);
  } else if constexpr (Rank == 2) {
    return view(i[0], i[1]);
  } else {
    return view(i[0], i[1], i[2]);
  }
}

/// One functor with its fields, and the ways of calling it at a point.
template <int Rank, class Functor, class In, class Out>
struct FunctorPoint {
  Functor f;
  In in;
  Out out;
  FieldGeometry geometry;

  KOKKOS_FORCEINLINE_FUNCTION void inside(ViewIndex<Rank> const& i) const { call(i, nullptr); }
  KOKKOS_FORCEINLINE_FUNCTION void near_face(ViewIndex<Rank> const& i) const { call(i, &geometry); }
  /// Points [from, to) of a row along an axis, away from the faces.
  template <bool Unit>
  void along(ViewIndex<Rank> const& row, int axis, std::int64_t from, std::int64_t to) const {
    along<Unit>(row, axis, from, to, std::make_integer_sequence<int, In::size>(),
                std::make_integer_sequence<int, Out::size>());
  }

 private:
  template <bool Unit, int... I, int... O>
  KOKKOSSTENCIL_IMPL_FLATTEN void along(ViewIndex<Rank> const& row, int axis, std::int64_t from, std::int64_t to,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, O...>) const {
    auto const from_rows = pack_of(view_row<Rank>(pack_get<I>(in), row, axis)...);
    auto const to_rows   = pack_of(view_row<Rank>(pack_get<O>(out), row, axis)...);
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = row[a];
// Clang's counterpart warns in the user's build wherever a functor cannot be vectorized.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
    for (std::int64_t x = from; x < to; ++x) {
      ViewIndex<Rank> j;
      for (int a = 0; a < Rank; ++a) j[a] = a == axis ? x : i[a];
      auto const near = [&](auto const& r) {
        return BasicNeighborhood<std::remove_const_t<std::remove_pointer_t<decltype(r.first)>>, Rank>(
            r.template at<Unit>(x), r.stride, j);
      };
      if constexpr (Out::size == 1) {
        *to_rows.head.template at<Unit>(x) = f(near(pack_get<I>(from_rows))...);
      } else {
        f(near(pack_get<I>(from_rows))..., *pack_get<O>(to_rows).template at<Unit>(x)...);
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void call(ViewIndex<Rank> const& i, FieldGeometry const* g) const {
    call(i, g, std::make_integer_sequence<int, In::size>(), std::make_integer_sequence<int, Out::size>());
  }
  template <int... I, int... O>
  KOKKOSSTENCIL_IMPL_FLATTEN KOKKOS_FORCEINLINE_FUNCTION void call(ViewIndex<Rank> const& i, FieldGeometry const* g,
                                                                   std::integer_sequence<int, I...>,
                                                                   std::integer_sequence<int, O...>) const {
    if constexpr (Out::size == 1) {
      element<Rank>(out.head, i) = f(neighborhood<Rank>(pack_get<I>(in), i, g)...);
    } else {
      f(neighborhood<Rank>(pack_get<I>(in), i, g)..., element<Rank>(pack_get<O>(out), i)...);
    }
  }
};

/// How rows are walked along: the axis is known from the layout, or from the strides when the program runs, which are 1
/// along it or not.
enum class Along { layout, unit_stride, any_stride };

/// One work item on a host: a stretch of a row.
template <int Rank, Along How, int Typed, class Point>
struct HostRows {
  Point point;
  PointBox range;            ///< in the axes of the View
  PointBox inside;           ///< where no boundary rule is needed
  std::array<int, 3> order;  ///< the axes, slowest first, from 3 - Rank on
  std::int64_t stretch;
  std::int64_t stretches;

  void operator()(std::int64_t const item) const {
    int const axis  = How == Along::layout ? Typed : order[2];
    auto const fast = static_cast<std::size_t>(axis);
    ViewIndex<Rank> i;
    std::int64_t rest = item / stretches;
    bool inside_row   = true;
    i[fast]           = 0;
    for (int k = Rank - 2; k >= 0; --k) {
      auto const a            = static_cast<std::size_t>(order[static_cast<std::size_t>(k + 3 - Rank)]);
      std::int64_t const size = range.end[a] - range.begin[a];
      i[a]                    = range.begin[a] + rest % size;
      rest /= size;
      inside_row = inside_row && i[a] >= inside.begin[a] && i[a] < inside.end[a];
    }
    std::int64_t const lo  = range.begin[fast] + item % stretches * stretch;
    std::int64_t const hi  = lo + stretch < range.end[fast] ? lo + stretch : range.end[fast];
    std::int64_t const ilo = !inside_row ? hi : clamp(inside.begin[fast], lo, hi);
    std::int64_t const ihi = !inside_row ? hi : clamp(inside.end[fast], ilo, hi);
    if (lo < ilo) row_near_face(i, axis, lo, ilo);
    if constexpr (How == Along::layout) {
      row_inside(i, ilo, ihi);
    } else {
      point.template along<How == Along::unit_stride>(i, axis, ilo, ihi);
    }
    if (ihi < hi) row_near_face(i, axis, ihi, hi);
  }

 private:
  // A copy of the row's place stays in registers.
  KOKKOSSTENCIL_IMPL_FLATTEN void row_inside(ViewIndex<Rank> const& place, std::int64_t from, std::int64_t to) const {
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = place[a];
// Clang's counterpart warns in the user's build wherever a functor cannot be vectorized.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC ivdep
#endif
    for (std::int64_t x = from; x < to; ++x) {
      ViewIndex<Rank> j;
      for (int a = 0; a < Rank; ++a) j[a] = a == Typed ? x : i[a];
      point.inside(j);
    }
  }

  void row_near_face(ViewIndex<Rank>& i, int axis, std::int64_t from, std::int64_t to) const {
    for (std::int64_t x = from; x < to; ++x) {
      i[axis] = x;
      point.near_face(i);
    }
    i[axis] = 0;
  }

  static std::int64_t clamp(std::int64_t v, std::int64_t lo, std::int64_t hi) { return v < lo ? lo : v > hi ? hi : v; }
};

/// One point on a device.
template <int Rank, bool Turned, class Point>
struct DevicePoints {
  Point point;
  DeviceBox inside;
  int order[3];  ///< if turned: which axis of the Views each index counts along

  KOKKOS_FORCEINLINE_FUNCTION void at(ViewIndex<Rank> const& k) const {
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) {
      i[a] = k[a];
      if constexpr (Turned) {
        for (int b = 0; b < Rank; ++b) i[a] = order[b] == a ? k[b] : i[a];
      }
    }
    bool in = true;
    for (int a = 0; a < Rank; ++a) in = in && i[a] >= inside.begin[a] && i[a] < inside.end[a];
    if (in) {
      point.inside(i);
    } else {
      point.near_face(i);
    }
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i0) const {
    std::int64_t const i[1] = {i0};
    at(i);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i0, std::int64_t i1) const {
    std::int64_t const i[2] = {i0, i1};
    at(i);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i0, std::int64_t i1, std::int64_t i2) const {
    std::int64_t const i[3] = {i0, i1, i2};
    at(i);
  }
};

/// What a sweep of a functor works on; `order`: the axes by the strides of the first output, slowest first.
struct FunctorWork {
  PointBox range, inside;
  std::array<int, 3> order;
  bool unit_stride;  ///< of all Views along the last of these axes
};

template <int Rank, Along How, int Fast, class Exec, class Point>
void launch_rows(std::string const& label, Exec const& space, Point const& point, FunctorWork const& work) {
  auto const fast           = static_cast<std::size_t>(How == Along::layout ? Fast : work.order[2]);
  std::int64_t const length = work.range.end[fast] - work.range.begin[fast];
  std::int64_t const rows   = work.range.size() / length;
  // Long rows are cut, so that a few of them still occupy every thread.
  std::int64_t const stretch   = 4096;
  std::int64_t const stretches = (length + stretch - 1) / stretch;
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, rows * stretches),
      HostRows<Rank, How, Fast, Point>{point, work.range, work.inside, work.order, stretch, stretches});
}

/// Fast: the contiguous axis if all Views have layouts that tell it.
template <int Rank, bool Strided, int Fast, class Exec, class Point>
void launch_functor(std::string const& label, Exec const& space, Point const& point, FunctorWork work) {
  if constexpr (!Strided) {
    // The others keep their order.
    for (std::size_t k = 3 - Rank; k < 2; ++k) {
      if (work.order[k] == Fast) std::swap(work.order[k], work.order[k + 1]);
    }
  }
  if constexpr (is_host_space<Exec>()) {
    if constexpr (!Strided) {
      launch_rows<Rank, Along::layout, Fast>(label, space, point, work);
    } else if (work.unit_stride) {
      launch_rows<Rank, Along::unit_stride, 0>(label, space, point, work);
    } else {
      launch_rows<Rank, Along::any_stride, 0>(label, space, point, work);
    }
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

/// Whether the stride of every View along an axis is 1.
template <class P, int... I>
bool unit_strides(P const& pack, int axis, std::integer_sequence<int, I...>) {
  return ((pack_get<I>(pack).stride(axis) == 1) && ...);
}

/// Throws Error if a field cannot hold a constant at the faces.
template <class View>
void check_constants_of(std::string const& label, PolicyInfo const& policy) {
  using T     = typename View::non_const_value_type;
  using Limit = std::numeric_limits<T>;
  if constexpr (ValueTypeOf<T>::known) {
    double const most = largest(ValueTypeOf<T>::value);
    check_constants(label, policy, to_string(ValueTypeOf<T>::value), -most, most, false);
  } else if constexpr (std::is_integral<T>::value && !std::is_same<T, bool>::value) {
    double const most = static_cast<double>(Limit::max());
    // A double may lie past the largest integer.
    check_constants(label, policy, "of a field", static_cast<double>(Limit::lowest()),
                    Limit::digits > 53 ? std::nextafter(most, 0.0) : most, true);
  }
}

template <class Exec, int Rank, class Functor, class... InViews, class... OutViews>
void functor_sweep(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f,
                   Pack<InViews...> const& in, Pack<OutViews...> const& out) {
  using policy_type = StencilPolicy<Exec, Rank>;
  static_assert(sizeof...(InViews) > 0 && sizeof...(OutViews) > 0,
                "KokkosStencil: a functor stencil needs at least one input and one output View.");
  (check_view<policy_type, InViews>(), ...);
  (check_view<policy_type, OutViews>(), ...);
  static_assert((std::is_same<typename OutViews::value_type, typename OutViews::non_const_value_type>::value && ...),
                "KokkosStencil: the output View must not be const.");

  PolicyInfo const& info = policy.impl_info();
  check_functor_backend(label, info.backend);
  check_radius(label, policy.impl_radius(), Rank);
  ViewInfo const first = shape_info(in.head);
  check_fields(label, shapes(in, std::make_integer_sequence<int, sizeof...(InViews)>()),
               shapes(out, std::make_integer_sequence<int, sizeof...(OutViews)>()));
  (check_constants_of<InViews>(label, info), ...);

  std::array<int, 3> lower{{0, 0, 0}}, upper{{0, 0, 0}};
  for (std::size_t a = 0; a < Rank; ++a) {
    upper[a] = policy.impl_radius()[a];
    lower[a] = -upper[a];
  }
  PointBox const range = resolve_range(label, info, first, lower, upper);
  note_backend("generic");
  if (range.empty()) return;
  PointBox inside = range;
  for (std::size_t a = 0; a < Rank; ++a) {
    inside.begin[a] = inside.begin[a] > upper[a] ? inside.begin[a] : upper[a];
    inside.end[a]   = inside.end[a] < first.extent[a] - upper[a] ? inside.end[a] : first.extent[a] - upper[a];
  }

  using Point = FunctorPoint<Rank, Functor, Pack<InViews...>, Pack<OutViews...>>;
  Point point{f, in, out, {}};
  for (std::size_t a = 0; a < 3; ++a) {
    point.geometry.extent[a] = first.extent[a];
    for (std::size_t side = 0; side < 2; ++side) point.geometry.faces[a][side] = info.faces[a][side];
  }
  std::array<int, 3> const order = axes_by_stride(shape_info(out.head));
  bool const unit_stride         = unit_strides(in, order[2], std::make_integer_sequence<int, sizeof...(InViews)>()) &&
                           unit_strides(out, order[2], std::make_integer_sequence<int, sizeof...(OutViews)>());
  constexpr bool strided = (is_strided<InViews>() || ...) || (is_strided<OutViews>() || ...);
  using FirstOut         = std::decay_t<decltype(out.head)>;
  launch_functor<Rank, strided, fast_axis<FirstOut>()>(label, policy.space(), point,
                                                       {range, inside, order, unit_stride});
}

/// Checks an iteration, then copies what u holds outside its range to tmp. Whether there is anything to sweep.
template <class Exec, int Rank, class View>
bool begin_iteration(std::string const& label, StencilPolicy<Exec, Rank> const& policy, std::int64_t steps,
                     View const& u, View const& tmp) {
  check_view<StencilPolicy<Exec, Rank>, View>();
  check_steps(label, steps);
  check_functor_backend(label, policy.impl_info().backend);
  check_radius(label, policy.impl_radius(), Rank);
  ViewInfo const shape = shape_info(u);
  check_pair(label, shape, shape_info(tmp));
  check_output(label, shape);
  check_constants_of<View>(label, policy.impl_info());
  std::array<int, 3> lower{{0, 0, 0}}, upper{{0, 0, 0}};
  for (std::size_t a = 0; a < Rank; ++a) {
    upper[a] = policy.impl_radius()[a];
    lower[a] = -upper[a];
  }
  PointBox const range = resolve_range(label, policy.impl_info(), shape, lower, upper);
  note_backend("generic");
  if (range.empty() || steps == 0) return false;
  for (PointBox const& box : difference(PointBox{{0, 0, 0}, shape.extent}, range)) {
    auto const part = [&](View const& view) {
      auto const along = [&](std::size_t a) { return std::make_pair(box.begin[a], box.end[a]); };
      if constexpr (Rank == 1) {
        return Kokkos::subview(view, along(0));
      } else if constexpr (Rank == 2) {
        return Kokkos::subview(view, along(0), along(1));
      } else {
        return Kokkos::subview(view, along(0), along(1), along(2));
      }
    };
    Kokkos::deep_copy(policy.space(), part(tmp), part(u));
  }
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil
