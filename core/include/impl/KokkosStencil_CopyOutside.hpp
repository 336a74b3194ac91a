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

}  // namespace Impl
}  // namespace KokkosStencil
