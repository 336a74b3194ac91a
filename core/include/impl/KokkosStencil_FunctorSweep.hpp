// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorLaunch.hpp>
#include <impl/KokkosStencil_FunctorRing.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
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
#define KOKKOSSTENCIL_IMPL_FLAT_LAMBDA __attribute__((always_inline, flatten))
#else
#define KOKKOSSTENCIL_IMPL_FLATTEN
#define KOKKOSSTENCIL_IMPL_FLAT_LAMBDA
#endif
// Clang's counterpart warns in the user's build wherever a functor cannot be vectorized. And loops of a known length it
// unrolls, and then does not vectorize them.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#define KOKKOSSTENCIL_IMPL_IVDEP _Pragma("GCC ivdep")
#define KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS true
#else
#define KOKKOSSTENCIL_IMPL_IVDEP
#define KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS false
#endif
#if defined(__GNUC__)
#define KOKKOSSTENCIL_IMPL_OUT_OF_LINE __attribute__((noinline))
#else
#define KOKKOSSTENCIL_IMPL_OUT_OF_LINE
#endif

namespace KokkosStencil {
namespace Impl {

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
KOKKOS_FORCEINLINE_FUNCTION BasicNeighborhood<typename View::non_const_value_type, Rank, Ways::by_rules> neighborhood(
    View const& view, ViewIndex<Rank> const& index, FieldGeometry const* geometry) {
  ViewIndex<Rank> stride;
  for (int a = 0; a < Rank; ++a) stride[a] = stride_of(view, a);
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
  ViewRow<typename View::value_type, Rank> r{view.data(), stride_of(view, axis), {}};
  for (int a = 0; a < Rank; ++a) {
    r.stride[a] = stride_of(view, a);
    if (a != axis) r.first += row[a] * r.stride[a];
  }
  return r;
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

/// How a functor is called: it returns the value of the only output, or gets a reference to each output; then come
/// those of what it adds up to.
template <class Functor, class In, class Out, class... Sums>
struct FunctorCall;
template <class Functor, class... In, class... Out, class... Sums>
struct FunctorCall<Functor, Pack<In...>, Pack<Out...>, Sums...> {
  template <class T>
  using Near = BasicNeighborhood<typename T::non_const_value_type, int(T::rank)>;

  static constexpr bool returns() {
    if constexpr (sizeof...(Out) == 1 && std::is_invocable<Functor const&, Near<In>..., Sums&...>::value) {
      return !std::is_void<std::invoke_result_t<Functor const&, Near<In>..., Sums&...>>::value;
    } else {
      return false;
    }
  }
  static constexpr bool refers() {
    return std::is_invocable<Functor const&, Near<In>..., typename Out::value_type&..., Sums&...>::value;
  }
};

/// How rows are walked along: the axis is known from the layout, or from the strides when the program runs, which are 1
/// along it or not.
enum class Along { layout, unit_stride, any_stride };

/// What points add up to on a host: each lane has a sum of its own, so that they are vectorized.
constexpr std::int64_t sum_lanes = KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS ? 32 : 64;

/// One functor with its fields, and the ways of calling it at a point.
template <int Rank, bool Returns, class Functor, class In, class Out>
struct FunctorPoint {
  Functor f;
  In in;
  Out out;
  FieldGeometry geometry;

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void inside(ViewIndex<Rank> const& i, Sums&... sums) const {
    call(i, nullptr, PackIndices<In>(), PackIndices<Out>(), sums...);
  }
  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void near_face(ViewIndex<Rank> const& i, Sums&... sums) const {
    call(i, &geometry, PackIndices<In>(), PackIndices<Out>(), sums...);
  }
  /// Points [from, to) of rows along an axis, away from the faces: so many rows that follow each other along `next`.
  /// Each point of a row adds to what is next in the lanes.
  template <Along How, int Typed, class... Sums>
  void along(ViewIndex<Rank> const& first, int axis, int next, std::int64_t rows, std::int64_t from, std::int64_t to,
             Sums*... lanes) const {
    along<How, Typed>(first, axis, next, rows, from, to, PackIndices<In>(), PackIndices<Out>(), lanes...);
  }

 private:
  /// Whether the stride of a View along the axis is known to be 1.
  template <Along How, int Typed, class View>
  static constexpr bool unit() {
    return How == Along::unit_stride || (How == Along::layout && unit_stride<View>() && fast_axis<View>() == Typed);
  }
  // The functor is called from the very function that is flattened: what GCC finds deeper down it may leave out of
  // line.
  template <Along How, int Typed, int... I, int... O, class... Sums>
  KOKKOSSTENCIL_IMPL_FLATTEN void along(ViewIndex<Rank> const& first, int axis_by_strides, int next, std::int64_t rows,
                                        std::int64_t from, std::int64_t to, std::integer_sequence<int, I...>,
                                        std::integer_sequence<int, O...>, Sums*... lanes) const {
    int const axis = How == Along::layout ? Typed : axis_by_strides;
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = first[a];
    for (std::int64_t n = 0; n < rows; ++n) {
      for (int a = 0; a < Rank; ++a) i[a] = a == next ? first[a] + n : i[a];
      auto const from_rows = pack_of(view_row<Rank>(pack_get<I>(in), i, axis)...);
      auto const to_rows   = pack_of(view_row<Rank>(pack_get<O>(out), i, axis)...);
      static_cast<void>(to_rows);  // there may be none
      auto const point = [&](std::int64_t x, [[maybe_unused]] std::int64_t lane) KOKKOSSTENCIL_IMPL_FLAT_LAMBDA {
        ViewIndex<Rank> j;
        for (int a = 0; a < Rank; ++a) j[a] = a == axis ? x : i[a];
        auto const near = [&](auto const& r, auto unit_of) {
          constexpr bool one = decltype(unit_of)::value;
          ViewIndex<Rank> stride;
          for (int a = 0; a < Rank; ++a) stride[a] = one && a == axis ? 1 : r.stride[a];
          return BasicNeighborhood<std::remove_const_t<std::remove_pointer_t<decltype(r.first)>>, Rank>(
              r.template at<one>(x), stride, j);
        };
        if constexpr (Returns) {
          *to_rows.head.template at<unit<How, Typed, std::decay_t<decltype(out.head)>>()>(x) =
              f(near(pack_get<I>(from_rows), UnitOf<How, Typed, I>())..., lanes[lane]...);
        } else {
          f(near(pack_get<I>(from_rows), UnitOf<How, Typed, I>())...,
            *pack_get<O>(to_rows).template at<unit<How, Typed, std::decay_t<decltype(pack_get<O>(out))>>()>(x)...,
            lanes[lane]...);
        }
      };
      std::int64_t x = from;
      if constexpr (sizeof...(Sums) > 0 && KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS) {
        for (; x + sum_lanes <= to; x += sum_lanes) {
          KOKKOSSTENCIL_IMPL_IVDEP
          for (std::int64_t k = 0; k < sum_lanes; ++k) point(x + k, k);
        }
      }
      std::int64_t const begin = x;
      KOKKOSSTENCIL_IMPL_IVDEP
      for (std::int64_t k = begin; k < to; ++k) point(k, k - begin);
    }
  }
  template <Along How, int Typed, int I>
  using UnitOf =
      std::integral_constant<bool, unit<How, Typed, std::decay_t<decltype(pack_get<I>(std::declval<In const&>()))>>()>;
  template <int... I, int... O, class... Sums>
  KOKKOSSTENCIL_IMPL_FLATTEN KOKKOS_FORCEINLINE_FUNCTION void call(ViewIndex<Rank> const& i, FieldGeometry const* g,
                                                                   std::integer_sequence<int, I...>,
                                                                   std::integer_sequence<int, O...>,
                                                                   Sums&... sums) const {
    if constexpr (Returns) {
      element<Rank>(out.head, i) = f(neighborhood<Rank>(pack_get<I>(in), i, g)..., sums...);
    } else {
      f(neighborhood<Rank>(pack_get<I>(in), i, g)..., element<Rank>(pack_get<O>(out), i)..., sums...);
    }
  }
};

/// One work item on a host: a stretch of some neighbouring rows. Reducers: what is added up to in the same pass.
template <int Rank, Along How, int Typed, class Point, class... Reducers>
struct HostRows {
  Point point;
  Pack<Reducers...> reducers;
  PointBox range;            ///< in the axes of the View
  PointBox inside;           ///< where no boundary rule is needed
  std::array<int, 3> order;  ///< the axes, slowest first, from 3 - Rank on
  std::int64_t stretch, stretches;
  std::int64_t batch, batches;  ///< rows of an item; so many of these have all rows of a plane

  void operator()(std::int64_t const item, typename Reducers::value_type&... sums) const {
    auto const fast       = static_cast<std::size_t>(axis());
    std::int64_t const lo = range.begin[fast] + item % stretches * stretch;
    std::int64_t const hi = lo + stretch < range.end[fast] ? lo + stretch : range.end[fast];
    std::int64_t rest     = item / stretches;
    ViewIndex<Rank> i;
    i[fast] = 0;
    if constexpr (Rank == 1) {
      static_cast<void>(rest);
      rows(i, 1, lo, hi, sums...);
    } else {
      auto const next = static_cast<std::size_t>(order[1]);
      if constexpr (Rank > 2) {
        auto const slow = static_cast<std::size_t>(order[0]);
        i[slow]         = range.begin[slow] + rest / batches;
        rest %= batches;
      }
      std::int64_t const from = range.begin[next] + rest * batch;
      std::int64_t const to   = from + batch < range.end[next] ? from + batch : range.end[next];
      i[next]                 = from;
      rows(i, to - from, lo, hi, sums...);
    }
  }

  /// The rows of a box within the range, one after the other.
  void box(PointBox const& b) const {
    auto const fast = static_cast<std::size_t>(axis());
    auto const high = static_cast<std::size_t>(order[1]), deep = static_cast<std::size_t>(order[0]);
    ViewIndex<Rank> i;
    i[fast] = 0;
    for (std::int64_t z = Rank > 2 ? b.begin[deep] : 0; z < (Rank > 2 ? b.end[deep] : 1); ++z) {
      if constexpr (Rank > 2) i[deep] = z;
      if constexpr (Rank > 1) i[high] = b.begin[high];
      rows(i, Rank > 1 ? b.end[high] - b.begin[high] : 1, b.begin[fast], b.end[fast]);
    }
  }

 private:
  int axis() const { return How == Along::layout ? Typed : order[2]; }

  /// Points [lo, hi) of so many rows from i on. Compiled once: the functor is in it.
  KOKKOSSTENCIL_IMPL_OUT_OF_LINE void rows(ViewIndex<Rank>& i, std::int64_t count, std::int64_t lo, std::int64_t hi,
                                           typename Reducers::value_type&... sums) const {
    auto const fast         = static_cast<std::size_t>(axis());
    auto const next         = static_cast<std::size_t>(Rank > 1 ? order[1] : 0);
    std::int64_t const from = Rank > 1 ? i[next] : 0, to = from + count;
    // Rows [first, last) are away from the faces but for their ends.
    std::int64_t first = from, last = to;
    if constexpr (Rank > 1) {
      first = clamp(inside.begin[next], from, to);
      last  = clamp(inside.end[next], first, to);
    }
    if constexpr (Rank > 2) {
      auto const slow = static_cast<std::size_t>(order[0]);
      if (i[slow] < inside.begin[slow] || i[slow] >= inside.end[slow]) first = last = to;
    }
    std::int64_t const ilo = clamp(inside.begin[fast], lo, hi), ihi = clamp(inside.end[fast], ilo, hi);
    for (std::int64_t y = from; y < to; ++y) {
      bool const near = y < first || y >= last;
      if (!near && lo == ilo && ihi == hi) continue;
      if constexpr (Rank > 1) i[next] = y;
      row_near_face(i, axis(), lo, near ? hi : ilo, sums...);
      if (!near) row_near_face(i, axis(), ihi, hi, sums...);
    }
    if constexpr (Rank > 1) i[next] = first;
    if (first < last && ilo < ihi) {
      rows_away(i, axis(), last - first, ilo, ihi, PackIndices<Pack<Reducers...>>(), sums...);
    }
  }

  template <int... S>
  void rows_away(ViewIndex<Rank>& i, int axis, std::int64_t rows, std::int64_t from, std::int64_t to,
                 std::integer_sequence<int, S...>, typename Reducers::value_type&... sums) const {
    int const next = Rank > 1 ? order[1] : -1;
    if constexpr (sizeof...(Reducers) == 0) {
      point.template along<How, Typed>(i, axis, next, rows, from, to);
    } else {
      std::int64_t const count = to - from < sum_lanes ? to - from : sum_lanes;
      Pack<Lanes<typename Reducers::value_type>...> lanes{Lanes<typename Reducers::value_type>()...};
      (begin(pack_get<S>(reducers), pack_lanes<S>(lanes), count), ...);
      if constexpr (KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS) {
        point.template along<How, Typed>(i, axis, next, rows, from, to, pack_lanes<S>(lanes)...);
      } else {
        for (std::int64_t n = 0; n < rows; ++n) {
          for (std::int64_t x = from; x < to; x += sum_lanes) {
            point.template along<How, Typed>(i, axis, next, 1, x, x + sum_lanes < to ? x + sum_lanes : to,
                                             pack_lanes<S>(lanes)...);
          }
          if constexpr (Rank > 1) ++i[next];
        }
      }
      (finish(pack_get<S>(reducers), sums, pack_lanes<S>(lanes), count), ...);
    }
  }
  template <class T>
  struct Lanes {
    T value[static_cast<std::size_t>(sum_lanes)];
  };
  template <int S, class P>
  static auto* pack_lanes(P& pack) {
    using Of = std::remove_const_t<std::remove_reference_t<decltype(pack_get<S>(pack))>>;
    return const_cast<Of&>(pack_get<S>(pack)).value;
  }
  template <class Reducer, class T>
  static void begin(Reducer const& reducer, T* lanes, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) reducer.init(lanes[k]);
  }
  template <class Reducer, class T>
  static void finish(Reducer const& reducer, T& sum, T const* lanes, std::int64_t count) {
    for (std::int64_t k = 0; k < count; ++k) reducer.join(sum, lanes[k]);
  }

  template <class... Sums>
  void row_near_face(ViewIndex<Rank>& i, int axis, std::int64_t from, std::int64_t to, Sums&... sums) const {
    for (std::int64_t x = from; x < to; ++x) {
      i[axis] = x;
      point.near_face(i, sums...);
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

/// Points of boxes one by one, lanes along the axis that the strides call fast, with what they add up to.
template <int Rank, class Point, class... Reducers>
struct ListedPoints {
  Point point;
  Pack<Reducers...> reducers;
  PointList list;
  DeviceBox inside;

  KOKKOS_FUNCTION void operator()(std::int64_t item, typename Reducers::value_type&... sums) const {
    ViewIndex<Rank> i = {};
    list.template find<Rank>(item, i);
    bool in = true;
    for (int a = 0; a < Rank; ++a) in = in && i[a] >= inside.begin[a] && i[a] < inside.end[a];
    if (in) {
      point.inside(i, sums...);
    } else {
      point.near_face(i, sums...);
    }
  }
};

/// What a sweep of a functor works on; `order`: the axes by the strides of the first output, slowest first.
struct FunctorWork {
  PointBox range, inside;
  std::array<int, 3> order;
  bool unit_stride;  ///< of all Views along the last of these axes
};

template <class Exec>
using Items = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

template <class Policy, class Body, class... Reducers>
void launch_items(std::string const& label, Policy const& policy, Body const& body, Reducers const&... reducers) {
  if constexpr (sizeof...(Reducers) == 0) {
    Kokkos::parallel_for(label, policy, body);
  } else {
    Kokkos::parallel_reduce(label, policy, body, reducers...);
  }
}

template <int Rank, Along How, int Fast, class Exec, class Point, class... Reducers>
void launch_rows(std::string const& label, Exec const& space, Point const& point, FunctorWork const& work,
                 Reducers const&... reducers) {
  auto const fast           = static_cast<std::size_t>(How == Along::layout ? Fast : work.order[2]);
  std::int64_t const length = work.range.end[fast] - work.range.begin[fast];
  std::int64_t const rows   = work.range.empty() ? 0 : work.range.size() / length;
  // Long rows are cut, so that a few of them still occupy every thread. Short ones go together, as many as leave every
  // thread some items.
  std::int64_t const stretch   = 4096;
  std::int64_t const stretches = (length + stretch - 1) / stretch;
  auto const next              = static_cast<std::size_t>(work.order[1]);
  std::int64_t const high      = Rank > 1 ? work.range.end[next] - work.range.begin[next] : 1;
  std::int64_t const spare     = rows * stretches / (16 * std::int64_t(space.concurrency()));
  std::int64_t const batch     = spare < 1 ? 1 : spare < 8 ? spare : 8;
  std::int64_t const batches   = (high + batch - 1) / batch;
  launch_items(
      label, Items<Exec>(space, 0, rows == 0 ? 0 : rows / high * batches * stretches),
      HostRows<Rank, How, Fast, Point, Reducers...>{point, Pack<Reducers...>{reducers...}, work.range, work.inside,
                                                    work.order, stretch, stretches, batch, batches},
      reducers...);
}

/// Calls what(How) for how rows are walked along on a host: as a std::integral_constant.
template <bool Strided, class What>
void with_rows(FunctorWork const& work, What const& what) {
  if constexpr (!Strided) {
    what(std::integral_constant<Along, Along::layout>());
  } else if (work.unit_stride) {
    what(std::integral_constant<Along, Along::unit_stride>());
  } else {
    what(std::integral_constant<Along, Along::any_stride>());
  }
}

/// Makes the contiguous axis the last one; the others keep their order.
template <int Rank>
void put_last(std::array<int, 3>& order, int fast) {
  for (std::size_t k = 3 - Rank; k < 2; ++k) {
    if (order[k] == fast) std::swap(order[k], order[k + 1]);
  }
}

/// Fast: the contiguous axis if all Views have layouts that tell it.
template <int Rank, bool Strided, int Fast, class Exec, class Point, class... Reducers>
void launch_functor(std::string const& label, Exec const& space, Point const& point, FunctorWork work,
                    Reducers const&... reducers) {
  if constexpr (!Strided) put_last<Rank>(work.order, Fast);
  if constexpr (is_host_space<Exec>()) {
    with_rows<Strided>(
        work, [&](auto how) { launch_rows<Rank, decltype(how)::value, Fast>(label, space, point, work, reducers...); });
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
  } else if constexpr (std::is_integral<T>::value && !std::is_same<T, bool>::value) {
    double const most = static_cast<double>(Limit::max());
    // A double may lie past the largest integer.
    check_constants(label, policy, "of a field", static_cast<double>(Limit::lowest()),
                    Limit::digits > 53 ? std::nextafter(most, 0.0) : most, true);
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

/// Sweeps by cells on GPUs, vectors first; false if it did not. `forced`: the kernel that it must be, or none.
template <int Rank, bool Returns, class Exec, class Functor, class... Fields, class... In, class... Out,
          class... Reducers>
bool sweep_by_cells([[maybe_unused]] std::string const& label, [[maybe_unused]] std::string const& forced,
                    [[maybe_unused]] Exec const& space, [[maybe_unused]] Functor const& f,
                    [[maybe_unused]] Pack<Fields...> const& fields, [[maybe_unused]] Pack<In...> const& in,
                    [[maybe_unused]] Pack<Out...> const& out, [[maybe_unused]] FieldGeometry const& geometry,
                    [[maybe_unused]] FunctorRange const& where, [[maybe_unused]] Reducers const&... reducers) {
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
                                                             geometry, where);
#endif
          } else if constexpr (decltype(only_rings)::value) {
            return false;
          } else {
            if (!forced.empty() && forced != Kernel::name) return false;
            return launch_cells<Kernel, Rank, fast, vector>(label, space, f, in, out, PackIndices<Pack<In...>>(),
                                                            PackIndices<Pack<Out...>>(), geometry, where, reducers...);
          }
        };
        if constexpr (width > 1) {
          if (with(std::integral_constant<int, width>(), std::false_type())) return true;
        }
        // Elsewhere near neighbours in volumes are read fastest by points a warp apart, far ones in volumes from rings,
        // and others by vectors of two where rows have n + 2 points and n is even.
        constexpr bool strided = (is_strided<In>() || ...) || (is_strided<Out>() || ...);
        constexpr bool spreads = width > 1 && Rank > 1 && spread_pays<Rank, fast, Fields...>();
        constexpr bool halves  = width > 2 && !(Rank == 3 && spreads);
        // Four points share what there is to share.
        using Apart = std::integral_constant<int, -(width < 4 ? width : 4)>;
        if constexpr (width > 1 && Rank == 3 && !spreads) {
          if (with(Apart(), std::true_type())) return true;
        }
        if constexpr (halves) {
          if (with(std::integral_constant<int, 2>(), std::false_type())) return true;
        }
        if constexpr (spreads) {
          if (with(Apart(), std::false_type())) return true;
        }
        if constexpr (strided || !spreads) {
          return with(std::integral_constant<int, 1>(), std::false_type());
        } else {
          return false;
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

  PolicyInfo const& info   = policy.impl_info();
  std::string const forced = functor_backend(label, info.backend);
  In const in              = views_of(fields, PackIndices<In>());
  ViewInfo const first     = shape_info(in.head);
  FunctorRange const where = functor_range(label, info, policy.impl_radius(), field_infos(fields, PackIndices<In>()),
                                           shapes(out, PackIndices<Out>()));
  (check_constants_of<typename FieldTraits<Fields>::view>(label, info), ...);
  // Without points results are still set.
  if (where.range.empty() && sizeof...(Reducers) == 0) {
    note_backend("generic");
    return;
  }
  FieldGeometry const geometry = geometry_of(info, first);
  if (forced != "generic" &&
      sweep_by_cells<Rank, returns>(label, forced, policy.space(), f, fields, in, out, geometry, where, reducers...)) {
    return;
  }
  if (!forced.empty() && forced != "generic") fail_forced_cells(label, forced);
  note_backend("generic");

  using Point = FunctorPoint<Rank, returns, Functor, In, Out>;
  Point const point{f, in, out, geometry};
  auto const& lead = leading_view(in, out);
  using Lead       = std::decay_t<decltype(lead)>;

  std::array<int, 3> const order = axes_by_stride(shape_info(lead));
  bool const unit_stride =
      unit_strides(in, order[2], PackIndices<In>()) && unit_strides(out, order[2], PackIndices<Out>());
  constexpr bool strided = (is_strided<typename FieldTraits<Fields>::view>() || ...) || (is_strided<OutViews>() || ...);
  launch_functor<Rank, strided, fast_axis<Lead>()>(label, policy.space(), point,
                                                   {where.range, where.inside, order, unit_stride}, reducers...);
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
    functor_reduce_to(label, policy, f, in, pack_with(out, first, PackIndices<Pack<Views...>>()), rest...);
  } else {
    static_assert(sizeof...(Views) == 0, "KokkosStencil: outputs are Views or one fields(...).");
    functor_reduce_to(label, policy, f, in, first, rest...);
  }
}
template <class Exec, int Rank, class Functor, class In, class... Rest>
void functor_reduce(std::string const& label, StencilPolicy<Exec, Rank> const& policy, Functor const& f, In const& in,
                    Rest&... rest) {
  functor_reduce_to(label, policy, f, in, Pack<>{}, rest...);
}

/// Points that are copied, a thread each.
template <class T, int Rank>
struct CopiedPoints {
  T const* from;
  T* to;
  ViewIndex<Rank> from_stride, to_stride;
  PointList list;

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    ViewIndex<Rank> i = {};
    list.template find<Rank>(item, i);
    std::int64_t first = 0, second = 0;
    for (int a = 0; a < Rank; ++a) {
      first += i[a] * from_stride[a];
      second += i[a] * to_stride[a];
    }
    to[second] = from[first];
  }
};

/// Copies what u holds outside a range to tmp.
template <class Exec, class View>
void copy_outside(Exec const& space, PointBox const& range, View const& u, View const& tmp) {
  constexpr int rank = int(View::rank);
  auto const boxes   = difference(PointBox{{0, 0, 0}, shape_info(u).extent}, range);
  if constexpr (is_host_space<Exec>()) {
    for (PointBox const& box : boxes) {
      auto const part = [&](View const& view) {
        auto const along = [&](std::size_t a) { return std::make_pair(box.begin[a], box.end[a]); };
        if constexpr (rank == 1) {
          return Kokkos::subview(view, along(0));
        } else if constexpr (rank == 2) {
          return Kokkos::subview(view, along(0), along(1));
        } else {
          return Kokkos::subview(view, along(0), along(1), along(2));
        }
      };
      Kokkos::deep_copy(space, part(tmp), part(u));
    }
  } else {
    // One kernel for all boxes: copies of strided subviews are several each, which take long to compile.
    CopiedPoints<typename View::non_const_value_type, rank> points{
        u.data(), tmp.data(), {}, {}, PointList(axes_by_stride(shape_info(u)))};
    for (int a = 0; a < rank; ++a) {
      points.from_stride[a] = stride_of(u, a);
      points.to_stride[a]   = stride_of(tmp, a);
    }
    for (PointBox const& box : boxes) points.list.add(box);
    if (points.list.points == 0) return;
    Kokkos::parallel_for(
        "KokkosStencil::copy_outside",
        Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(space, 0, points.list.points), points);
  }
}

/// Checks an iteration, then copies what u holds outside its range to tmp. Whether there is anything to sweep.
template <class Exec, int Rank, class View>
bool begin_iteration(std::string const& label, StencilPolicy<Exec, Rank> const& policy, std::int64_t steps,
                     View const& u, View const& tmp) {
  check_view<StencilPolicy<Exec, Rank>, View>();
  check_steps(label, steps);
  std::string const forced = functor_backend(label, policy.impl_info().backend, is_host_space<Exec>());
  ViewInfo const shape     = shape_info(u);
  PointBox const range     = functor_range(label, policy.impl_info(), policy.impl_radius(), shape);
  check_pair(label, shape, shape_info(tmp));
  check_output(label, shape);
  check_constants_of<View>(label, policy.impl_info());
  refuse_shared(label, policy.impl_info());
  note_backend(forced == "host_temporal" ? forced : "generic");
  if (range.empty() || steps == 0) return false;
  copy_outside(policy.space(), range, u, tmp);
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil
