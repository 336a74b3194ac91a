// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorPoint.hpp>
#include <impl/KokkosStencil_GhostedRows.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// Sweeps of a functor on hosts: the rows of the contiguous axis are dealt out, and the compiler vectorizes along them.

namespace KokkosStencil {
namespace Impl {

/// One work item on a host: a stretch of some neighbouring rows. Reducers: what is added up to in the same pass.
template <int Rank, Along How, int Typed, class Point, class... Reducers>
struct HostRows {
  Point point;
  Pack<Reducers...> reducers;
  PointBox range;            ///< in the axes of the View
  PointBox inside;           ///< where no boundary rule is needed
  std::array<int, 3> order;  ///< the axes, slowest first, from 3 - Rank on
  std::array<FieldReach, static_cast<std::size_t>(Point::input_count)> reach;  ///< how far each input is read
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
    // Boxes of rows, those away from the faces first: what lies around their ends is in cache then.
    struct {
      std::int64_t first, last, from, to;
    } const boxes[] = {{first, last, ilo, ihi},
                       {first, last, lo, ilo},
                       {first, last, ihi, hi},
                       {from, first, lo, hi},
                       {last, to, lo, hi}};
    bool away       = true;
    for (auto const& b : boxes) {
      std::int64_t const rows = away ? b.last - b.first : rows_at_once;
      for (std::int64_t row = b.first; row < b.last && b.from < b.to; row += rows) {
        RowBlock block{axis(), Rank > 1 ? order[1] : -1, Rank > 2 ? order[0] : -1, row, 0, rows, b.from, b.to};
        if (row + rows > b.last) block.rows = b.last - row;
        if (Rank > 2) block.plane = i[static_cast<std::size_t>(order[0])];
        std::int64_t const columns = away ? b.to - b.from : columns_at_once(block);
        for (; block.from < b.to; block.from = block.to) {
          block.to = block.from + columns < b.to ? block.from + columns : b.to;
          if constexpr (Rank > 1) i[next] = row;
          run(i, block, away, PackIndices<typename Point::Inputs>(), PackIndices<Pack<Reducers...>>(), sums...);
        }
      }
      away = false;
    }
  }
  /// Rows near faces that go together, and points of a row: so many that the copies of all inputs fit the first cache
  /// or so, unless they are read far away.
  static constexpr std::int64_t rows_at_once = 8;
  std::int64_t columns_at_once(RowBlock const& block) const {
    double rows = 1.0;
    for (FieldReach const& r : reach) rows += rows_around(r, block);
    return rows > 64.0 ? 64 : static_cast<std::int64_t>(4096.0 / rows);
  }

  /// Of an input.
  template <int I>
  using value_of =
      typename std::decay_t<decltype(pack_get<I>(std::declval<typename Point::Inputs const&>()))>::non_const_value_type;

  template <int... I, int... S>
  void run(ViewIndex<Rank>& i, RowBlock const& block, bool away, std::integer_sequence<int, I...>,
           std::integer_sequence<int, S...>, typename Reducers::value_type&... sums) const {
    InputRows inputs[sizeof...(I)];
    constexpr bool copied = (std::is_default_constructible<value_of<I>>::value && ...);
    if (!away && !(copied && copies_rows(reach, block))) {
      for (std::int64_t n = 0; n < block.rows; ++n) {
        for (i[block.axis] = block.from; i[block.axis] < block.to; ++i[block.axis]) point.near_face(i, sums...);
        if constexpr (Rank > 1) ++i[block.next];
      }
      i[block.axis] = 0;
      return;
    }
    if constexpr (copied) {
      if (!away) {
        ((inputs[I] =
              ghosted_rows<Rank, I>(pack_get<I>(point.in), reach[static_cast<std::size_t>(I)], point.geometry, block)),
         ...);
      }
    }
    rows_along(i, block.axis, block.rows, block.from, block.to, away ? nullptr : inputs,
               std::integer_sequence<int, S...>(), sums...);
  }

  template <int... S>
  void rows_along(ViewIndex<Rank>& i, int axis, std::int64_t rows, std::int64_t from, std::int64_t to,
                  InputRows const* inputs, std::integer_sequence<int, S...>,
                  typename Reducers::value_type&... sums) const {
    int const next = Rank > 1 ? order[1] : -1;
    if constexpr (sizeof...(Reducers) == 0) {
      point.template along<How, Typed>(i, axis, next, rows, from, to, inputs);
    } else {
      std::int64_t const count = to - from < sum_lanes ? to - from : sum_lanes;
      Pack<Lanes<typename Reducers::value_type>...> lanes{Lanes<typename Reducers::value_type>()...};
      (begin(pack_get<S>(reducers), pack_lanes<S>(lanes), count), ...);
      if constexpr (KOKKOSSTENCIL_IMPL_KNOWN_LENGTHS) {
        point.template along<How, Typed>(i, axis, next, rows, from, to, inputs, pack_lanes<S>(lanes)...);
      } else {
        for (std::int64_t n = 0; n < rows; ++n) {
          InputRows row[static_cast<std::size_t>(Point::input_count)];
          for (int k = 0; k < Point::input_count && inputs != nullptr; ++k) {
            row[k]         = inputs[k];
            row[k].skipped = n;
          }
          for (std::int64_t x = from; x < to; x += sum_lanes) {
            point.template along<How, Typed>(i, axis, next, 1, x, x + sum_lanes < to ? x + sum_lanes : to,
                                             inputs == nullptr ? nullptr : row, pack_lanes<S>(lanes)...);
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

  static std::int64_t clamp(std::int64_t v, std::int64_t lo, std::int64_t hi) { return v < lo ? lo : v > hi ? hi : v; }
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

/// Rows of an item at most. Of 32 each takes 3 to 7 ns beside its points, of 8 it takes 6 to 9 (short rows, one core of
/// an AMD EPYC).
constexpr std::int64_t most_rows_together = 32;

template <int Rank, Along How, int Fast, class Exec, class Point, class Reach, class... Reducers>
void launch_rows(std::string const& label, Exec const& space, Point const& point, FunctorWork const& work,
                 Reach const& reach, Reducers const&... reducers) {
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
  std::int64_t const batch     = std::clamp<std::int64_t>(spare, 1, most_rows_together);
  std::int64_t const batches   = (high + batch - 1) / batch;
  launch_items(
      label, Items<Exec>(space, 0, rows == 0 ? 0 : rows / high * batches * stretches),
      HostRows<Rank, How, Fast, Point, Reducers...>{point, Pack<Reducers...>{reducers...}, work.range, work.inside,
                                                    work.order, reach, stretch, stretches, batch, batches},
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

}  // namespace Impl
}  // namespace KokkosStencil
