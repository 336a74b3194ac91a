// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

// What an iteration of a functor does before its sweeps: both Views then agree where no sweep writes.

namespace KokkosStencil {
namespace Impl {

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

/// Rows that are copied, a row each, as hosts do.
template <class T, int Rank>
struct CopiedRows {
  CopiedPoints<T, Rank> first;  ///< the first point of each row
  int along;
  std::int64_t length[PointList::most];  ///< of the rows of each box

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    int box = 0;
    while (item >= first.list.end[box]) ++box;
    ViewIndex<Rank> i = {};
    first.list.template find<Rank>(item, i);
    T const* from = first.from;
    T* to         = first.to;
    for (int a = 0; a < Rank; ++a) {
      from += i[a] * first.from_stride[a];
      to += i[a] * first.to_stride[a];
    }
    std::int64_t const n = length[box], from_step = first.from_stride[along], to_step = first.to_stride[along];
    for (std::int64_t k = 0; k < n; ++k) to[k * to_step] = from[k * from_step];
  }
};

/// Copies what u holds outside a range to tmp, in one kernel: copies of strided subviews are several each, walk along
/// rows of a few points slowly, and take long to compile.
template <class Exec, class View>
void copy_outside(Exec const& space, PointBox const& range, View const& u, View const& tmp) {
  constexpr int rank = int(View::rank);
  using T            = typename View::non_const_value_type;
  auto const order   = axes_by_stride(shape_info(u));
  CopiedPoints<T, rank> points{u.data(), tmp.data(), {}, {}, PointList(order)};
  for (int a = 0; a < rank; ++a) {
    points.from_stride[a] = stride_of(u, a);
    points.to_stride[a]   = stride_of(tmp, a);
  }
  auto const boxes = difference(PointBox{{0, 0, 0}, shape_info(u).extent}, range);
  if constexpr (is_host_space<Exec>()) {
    auto const along = static_cast<std::size_t>(order[2]);
    CopiedRows<T, rank> rows{points, order[2], {}};
    for (PointBox box : boxes) {
      rows.length[rows.first.list.boxes] = box.end[along] - box.begin[along];
      box.end[along]                     = box.begin[along] + 1;
      rows.first.list.add(box);
    }
    std::int64_t const count = rows.first.list.points;
    if (count == 0) return;
    Kokkos::parallel_for("KokkosStencil::copy_outside",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, count), rows);
  } else {
    for (PointBox const& box : boxes) points.list.add(box);
    if (points.list.points == 0) return;
    Kokkos::parallel_for(
        "KokkosStencil::copy_outside",
        Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(space, 0, points.list.points), points);
  }
}

}  // namespace Impl
}  // namespace KokkosStencil
