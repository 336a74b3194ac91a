// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Policy.hpp>
#include <impl/KokkosStencil_FunctorSweep.hpp>
#include <impl/KokkosStencil_GhostedRows.hpp>

#include <algorithm>
#include <array>
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
        element<Rank>(view, i) = constant_as<T>(faces[side].constant);
        return;
      }
      from[a] = m + given.begin[a];
      moved   = moved || m != k;
    }
    if (moved) element<Rank>(view, i) = element<Rank>(view, from);
  }
};

/// Ghost points on hosts: some rows of a plane of a box of them.
template <int Rank, class View>
struct GhostRows {
  static constexpr std::int64_t rows_at_once = 32;

  View view;
  std::array<PointBox, 6> boxes;
  int count = 0;
  std::array<std::int64_t, 3> begin;  ///< of the given points
  FieldGeometry geometry;             ///< and of these
  RowAxes by;

  std::int64_t items_of(PointBox const& b) const { return groups_of(b) * (by.slow < 0 ? 1 : size(b, by.slow)); }

  void operator()(std::int64_t item) const {
    std::size_t k = 0;
    while (item >= items_of(boxes[k])) item -= items_of(boxes[k++]);
    PointBox const& b = boxes[k];
    // Indices are counted from the first of the given points on.
    std::int64_t const low = from(b, by.axis), high = low + size(b, by.axis);
    std::int64_t const first = by.next < 0 ? 0 : from(b, by.next) + item % groups_of(b) * rows_at_once;
    std::int64_t const last  = by.next < 0 ? 1 : std::min(first + rows_at_once, from(b, by.next) + size(b, by.next));
    std::int64_t const plane = by.slow < 0 ? 0 : from(b, by.slow) + item / groups_of(b);
    std::int64_t stride[3]   = {0, 0, 0};
    auto* data               = view.data();
    for (int a = 0; a < Rank; ++a) {
      stride[a] = stride_of(view, a);
      data += begin[static_cast<std::size_t>(a)] * stride[a];
    }
    std::int64_t const down   = by.next < 0 ? 0 : stride[by.next];
    auto* const base          = data + (by.slow < 0 ? 0 : plane * stride[by.slow]);
    RuledIndex const at_plane = by.slow < 0 ? RuledIndex() : RuledIndex::of(plane, by.slow, geometry);
    bool const same_plane     = at_plane.constant == nullptr && (by.slow < 0 || at_plane.at == plane);
    if (high - low < 8 && same_plane && (by.next < 0 || (first >= 0 && last <= geometry.extent[by.next]))) {
      // Ends of rows: column by column.
      for (std::int64_t x = low; x < high; ++x) {
        RuledIndex const at = RuledIndex::of(x, by.axis, geometry);
        auto* const to      = base + x * stride[by.axis];
        if (at.constant != nullptr) {
          for (std::int64_t y = first; y < last; ++y) to[y * down] = constant_as<Value>(*at.constant);
        } else if (at.at != x) {
          auto const* const of = base + at.at * stride[by.axis];
          for (std::int64_t y = first; y < last; ++y) to[y * down] = of[y * down];
        }
      }
      return;
    }
    for (std::int64_t y = first; y < last; ++y) {
      RuledIndex const at_row = by.next < 0 ? RuledIndex() : RuledIndex::of(y, by.next, geometry);
      bool const same         = same_plane && at_row.constant == nullptr && (by.next < 0 || at_row.at == y);
      copy_row_by_rules<Rank>(data, stride, geometry, by, at_plane, at_row, low, high,
                              base + (y * down + low * stride[by.axis]), stride[by.axis], same);
    }
  }

 private:
  using Value = typename View::value_type;

  static std::int64_t size(PointBox const& b, int a) {
    return b.end[static_cast<std::size_t>(a)] - b.begin[static_cast<std::size_t>(a)];
  }
  std::int64_t from(PointBox const& b, int a) const {
    return b.begin[static_cast<std::size_t>(a)] - begin[static_cast<std::size_t>(a)];
  }
  std::int64_t groups_of(PointBox const& b) const {
    return by.next < 0 ? 1 : (size(b, by.next) + rows_at_once - 1) / rows_at_once;
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
  FieldGeometry geometry;
  for (std::size_t a = 0; a < 3; ++a) {
    geometry.extent[a] = given.end[a] - given.begin[a];
    for (std::size_t side = 0; side < 2; ++side) {
      geometry.faces[a][side] = rule_of_one_sweep(policy.impl_info().faces[a][side]);
    }
  }
  auto const boxes = difference(PointBox{{{0, 0, 0}}, shape.extent}, given);
  if constexpr (is_host_space<Exec>()) {
    std::array<int, 3> const order = axes_by_stride(shape);
    GhostRows<Rank, View> body{view,        {},       0,
                               given.begin, geometry, {order[2], Rank > 1 ? order[1] : -1, Rank > 2 ? order[0] : -1}};
    std::int64_t items = 0;
    for (PointBox const& box : boxes) {
      if (box.empty()) continue;
      body.boxes[static_cast<std::size_t>(body.count++)] = box;
      items += body.items_of(box);
    }
    if (items > 0) Kokkos::parallel_for(label, Items<Exec>(policy.space(), 0, items), body);
    return;
  }
  GhostPoints<Rank, View> body{view, PointList(axes_by_stride(shape)), DeviceBox(given), geometry};
  for (PointBox const& box : boxes) body.list.add(box);
  if (body.list.points == 0) return;
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Exec, LightWeight, Kokkos::IndexType<std::int64_t>>(policy.space(), 0, body.list.points),
      body);
}

}  // namespace Impl
}  // namespace KokkosStencil
