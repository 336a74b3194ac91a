// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstdint>

// Sweeps of a functor on devices, every point a thread.

namespace KokkosStencil {
namespace Impl {

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

}  // namespace Impl
}  // namespace KokkosStencil
