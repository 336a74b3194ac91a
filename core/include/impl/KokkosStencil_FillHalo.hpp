// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace KokkosStencil {
namespace Impl {

/// One ghost point.
template <int Rank, class View>
struct GhostPoints {
  View view;
  PointList list;
  DeviceBox given;
  FieldGeometry geometry;  ///< of the given points

  KOKKOS_FUNCTION void operator()(std::int64_t item) const {
    using T           = typename View::value_type;
    ViewIndex<Rank> i = {}, from = {};
    list.template find<Rank>(item, i);
    bool moved = false;
    for (int a = 0; a < Rank; ++a) {
      std::int64_t const k = i[a] - given.begin[a];
      Face const* faces    = geometry.faces[a];
      int side             = -1;
      bool const kept      = (k < 0 && faces[0].kind == BoundaryKind::halo) ||
                        (k >= geometry.extent[a] && faces[1].kind == BoundaryKind::halo);
      std::int64_t const m = kept ? k : map_index(k, geometry.extent[a], faces, side);
      if (side >= 0) {
        element<Rank>(view, i) = static_cast<T>(faces[side].constant);
        return;
      }
      from[a] = m + given.begin[a];
      moved   = moved || m != k;
    }
    if (moved) element<Rank>(view, i) = element<Rank>(view, from);
  }
};

template <class Exec, int Rank, class View>
void check_ghosts(std::string const& label, StencilPolicy<Exec, Rank> const& policy, View const& view) {
  check_view<StencilPolicy<Exec, Rank>, View>();
  static_assert(std::is_same<typename View::value_type, typename View::non_const_value_type>::value,
                "KokkosStencil: fill_halo writes to the View; it must not be const.");
  filled_from(label, policy.impl_info(), policy.impl_radius(), shape_info(view));
  check_constants_of<View>(label, policy.impl_info());
}

template <class Exec, int Rank, class View>
void fill_ghosts(std::string const& label, StencilPolicy<Exec, Rank> const& policy, View const& view) {
  ViewInfo const shape = shape_info(view);
  PointBox const given = filled_from(label, policy.impl_info(), policy.impl_radius(), shape);
  if (given.empty()) return;
  GhostPoints<Rank, View> body{view, PointList(axes_by_stride(shape)), DeviceBox(given), {}};
  for (PointBox const& box : difference(PointBox{{{0, 0, 0}}, shape.extent}, given)) body.list.add(box);
  for (std::size_t a = 0; a < 3; ++a) {
    body.geometry.extent[a] = given.end[a] - given.begin[a];
    for (std::size_t side = 0; side < 2; ++side) {
      body.geometry.faces[a][side] = rule_of_one_sweep(policy.impl_info().faces[a][side]);
    }
  }
  if (body.list.points == 0) return;
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(policy.space(), 0, body.list.points),
      body);
}

}  // namespace Impl
}  // namespace KokkosStencil
