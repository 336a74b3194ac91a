// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_FunctorPoint.hpp>
#include <impl/KokkosStencil_MapIndex.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

// Rows near faces on hosts. They are copied with their neighbours, and with what the boundary rules give beyond the
// faces, so that a functor runs along them as it does along any others.

namespace KokkosStencil {
namespace Impl {

/// Rows of an item, in the axes of the View.
struct RowBlock {
  int axis, next, slow;     ///< the contiguous axis, and those along which rows and planes follow each other, or -1
  std::int64_t row, plane;  ///< the first row, and the plane
  std::int64_t rows;
  std::int64_t from, to;  ///< points of a row
};

/// Where an index that may lie outside of a View is read: at another one, or a constant.
struct RuledIndex {
  std::int64_t at        = 0;
  double const* constant = nullptr;

  static RuledIndex of(std::int64_t index, int axis, FieldGeometry const& g) {
    RuledIndex found;
    found.at = index;
    if (index >= 0 && index < g.extent[axis]) return found;
    int side = -1;
    found.at = map_index(index, g.extent[axis], g.faces[axis], side);
    if (side >= 0) found.constant = &g.faces[axis][side].constant;
    return found;
  }
};

/// How far each input is read, those without a declaration up to a radius, if there is one.
template <std::size_t Inputs>
std::array<FieldReach, Inputs> each_reach(std::array<FieldInfo, Inputs> const& inputs,
                                          std::array<int, 3> const& radius) {
  std::array<FieldReach, Inputs> all;
  for (std::size_t k = 0; k < Inputs; ++k) {
    bool const declared = inputs[k].reach[0] >= 0;
    for (std::size_t a = 0; a < 3; ++a) {
      all[k].before[a] = std::max(0, declared ? inputs[k].reach.before[a] : radius[a]);
      all[k].behind[a] = std::max(0, declared ? inputs[k].reach.behind[a] : radius[a]);
    }
  }
  return all;
}

/// Memory of a thread for the copies of one input.
template <class T, int Input>
T* memory_of_rows(std::size_t values) {
  thread_local std::unique_ptr<T[]> memory;
  thread_local std::size_t size = 0;
  if (size < values) {
    memory.reset(new T[values]);
    size = values;
  }
  return memory.get();
}

/// Points that are read along an axis beside a point's own.
inline std::int64_t around(FieldReach const& reach, int axis) {
  auto const a = static_cast<std::size_t>(axis);
  return axis < 0 ? 0 : std::int64_t(reach.before[a]) + reach.behind[a];
}
/// Rows that are read so far around those of a block. May be more than there are integers.
inline double rows_around(FieldReach const& reach, RowBlock const& b) {
  return static_cast<double>(b.rows + around(reach, b.next)) * static_cast<double>(1 + around(reach, b.slow));
}

/// Values that are copied for each point of a block, at most: stars in volumes up to radius 6 or so. Points that are
/// read farther away look at the rules for each value.
constexpr double most_copied = 40.0;
/// Whether all inputs of a block are copied.
template <std::size_t Inputs>
bool copies_rows(std::array<FieldReach, Inputs> const& reach, RowBlock const& b) {
  double values = 0.0;
  for (FieldReach const& r : reach) {
    bool const alone = around(r, b.axis) + around(r, b.next) + around(r, b.slow) == 0;
    if (!alone) values += rows_around(r, b) * static_cast<double>(b.to - b.from + around(r, b.axis));
  }
  return values <= most_copied * static_cast<double>(b.rows * (b.to - b.from));
}

/// The axes of rows: the contiguous one, and those along which rows and planes follow each other, or -1.
struct RowAxes {
  int axis, next, slow;
};

/// Points [low, high) of a row, as the rules give them, where the row itself is read as `row` and `plane` say. `data`:
/// the point of index 0 along all axes, `stride` by these. A row that is written where it lies (`same`) keeps the
/// points that lie inside.
template <int Rank, class T>
void copy_row_by_rules(T const* data, std::int64_t const (&stride)[3], FieldGeometry const& g, RowAxes const& by,
                       RuledIndex const& plane, RuledIndex const& row, std::int64_t low, std::int64_t high,
                       std::remove_const_t<T>* to, std::int64_t to_stride, bool same) {
  using Value = std::remove_const_t<T>;
  // What lies inside.
  std::int64_t const first = std::min(std::max<std::int64_t>(low, 0), high);
  std::int64_t const last  = std::max(std::min(high, g.extent[by.axis]), first);
  // Past several constant faces the one of the View's lowest axis counts.
  bool const by_plane    = plane.constant != nullptr && (row.constant == nullptr || by.slow < by.next);
  double const* constant = by_plane ? plane.constant : row.constant;
  int const axis         = constant == nullptr ? Rank : by_plane ? by.slow : by.next;
  T const* from          = data;
  if (constant == nullptr && by.slow >= 0) from += plane.at * stride[by.slow];
  if (constant == nullptr && by.next >= 0) from += row.at * stride[by.next];
  if (constant != nullptr) {
    for (std::int64_t x = first; x < last; ++x) to[(x - low) * to_stride] = constant_as<Value>(*constant);
  } else if (!same && stride[by.axis] == 1 && to_stride == 1) {
    std::copy(from + first, from + last, to + (first - low));
  } else if (!same) {
    for (std::int64_t x = first; x < last; ++x) to[(x - low) * to_stride] = from[x * stride[by.axis]];
  }
  auto const outside = [&](std::int64_t x) {
    RuledIndex const at      = RuledIndex::of(x, by.axis, g);
    double const* const mine = at.constant != nullptr && by.axis < axis ? at.constant : constant;
    if (same && mine == nullptr && at.at == x) return;
    to[(x - low) * to_stride] = mine != nullptr ? constant_as<Value>(*mine) : from[at.at * stride[by.axis]];
  };
  for (std::int64_t x = low; x < first; ++x) outside(x);
  for (std::int64_t x = last; x < high; ++x) outside(x);
}

/// The rows of a block and those around it, one after the other.
template <int Rank, class T>
void copy_rows_by_rules(T const* data, std::int64_t const (&stride)[3], FieldReach const& reach, FieldGeometry const& g,
                        RowBlock const& b, std::remove_const_t<T>* to) {
  auto const before      = [&](int a) { return a < 0 ? 0 : std::int64_t(reach.before[static_cast<std::size_t>(a)]); };
  auto const behind      = [&](int a) { return a < 0 ? 0 : std::int64_t(reach.behind[static_cast<std::size_t>(a)]); };
  std::int64_t const low = b.from - before(b.axis), high = b.to + behind(b.axis);
  for (std::int64_t z = -before(b.slow); z <= behind(b.slow); ++z) {
    RuledIndex const plane = b.slow < 0 ? RuledIndex() : RuledIndex::of(b.plane + z, b.slow, g);
    for (std::int64_t y = -before(b.next); y < b.rows + behind(b.next); ++y, to += high - low) {
      RuledIndex const row = b.next < 0 ? RuledIndex() : RuledIndex::of(b.row + y, b.next, g);
      copy_row_by_rules<Rank>(data, stride, g, {b.axis, b.next, b.slow}, plane, row, low, high, to, 1, false);
    }
  }
}

/// An input that is read so far around the points: its View if that is the point alone, else copies.
template <int Rank, int Input, class View>
InputRows ghosted_rows(View const& view, FieldReach const& reach, FieldGeometry const& g, RowBlock const& b) {
  using T = typename View::non_const_value_type;
  InputRows rows{nullptr, {0, 0, 0}, 0};
  std::int64_t stride[3] = {0, 0, 0};
  for (int a = 0; a < Rank; ++a) stride[a] = stride_of(view, a);
  auto const along  = [&](int a, std::int64_t index) { return a < 0 ? 0 : index * stride[a]; };
  auto const before = [&](int a) { return a < 0 ? 0 : std::int64_t(reach.before[static_cast<std::size_t>(a)]); };
  auto const behind = [&](int a) { return a < 0 ? 0 : std::int64_t(reach.behind[static_cast<std::size_t>(a)]); };
  bool alone        = true;
  for (int a : {b.axis, b.next, b.slow}) alone = alone && before(a) == 0 && behind(a) == 0;
  if (alone) {
    rows.first = view.data() + along(b.next, b.row) + along(b.slow, b.plane);
    for (int a = 0; a < Rank; ++a) rows.stride[a] = stride[a];
    return rows;
  }
  std::int64_t const low = b.from - before(b.axis), high = b.to + behind(b.axis), width = high - low;
  std::int64_t const all_rows = b.rows + before(b.next) + behind(b.next);
  T* const memory = memory_of_rows<T, Input>(static_cast<std::size_t>(width * all_rows * (1 + around(reach, b.slow))));
  auto const inside = [&](int a, std::int64_t from, std::int64_t to) {
    return a < 0 || (from >= before(a) && to + behind(a) <= g.extent[a]);
  };
  if (width < 32 && inside(b.next, b.row, b.row + b.rows) && inside(b.slow, b.plane, b.plane + 1)) {
    // The ends of rows: column by column.
    T const* const from = view.data() + along(b.next, b.row - before(b.next)) + along(b.slow, b.plane - before(b.slow));
    std::int64_t const planes = 1 + before(b.slow) + behind(b.slow);
    for (std::int64_t x = low; x < high; ++x) {
      RuledIndex const at = RuledIndex::of(x, b.axis, g);
      T* to               = memory + (x - low);
      for (std::int64_t z = 0; z < planes; ++z) {
        T const* column = from + (along(b.slow, z) + (at.constant != nullptr ? 0 : at.at * stride[b.axis]));
        for (std::int64_t y = 0; y < all_rows; ++y, to += width) {
          *to = at.constant != nullptr ? constant_as<T>(*at.constant) : column[along(b.next, y)];
        }
      }
    }
  } else {
    copy_rows_by_rules<Rank>(view.data(), stride, reach, g, b, memory);
  }
  rows.first          = memory + (before(b.slow) * all_rows + before(b.next)) * width - low;
  rows.stride[b.axis] = 1;
  if (b.next >= 0) rows.stride[b.next] = width;
  if (b.slow >= 0) rows.stride[b.slow] = width * all_rows;
  return rows;
}

}  // namespace Impl
}  // namespace KokkosStencil
