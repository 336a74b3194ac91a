// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <impl/KokkosStencil_DeviceBox.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_MapIndex.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What a sweep of a functor needs to know besides the types: checks, ranges, and how the points are dealt out.

namespace KokkosStencil {
namespace Impl {

/// Throws Error if a face is shared.
void refuse_shared(std::string const& label, PolicyInfo const& policy);

/// How far a field is read before the point and behind it, along each axis; -1 where nothing was declared.
struct FieldReach {
  std::array<int, 3> before{{-1, -1, -1}};
  std::array<int, 3> behind{{-1, -1, -1}};

  /// On the farther side.
  int operator[](std::size_t axis) const { return before[axis] > behind[axis] ? before[axis] : behind[axis]; }
};

/// An input of a functor stencil.
struct FieldInfo {
  ViewInfo view;
  FieldReach reach;
};

/// Where a functor is evaluated, in the axes of the Views.
struct FunctorRange {
  PointBox range;
  PointBox inside;                             ///< the part of it whose windows stay inside the Views
  FieldReach reach{{{0, 0, 0}}, {{0, 0, 0}}};  ///< the largest of any input
};

/// Checks the fields and finds the range. Throws Error: for extents that differ; for an output that overlaps another
/// one or an input, unless the two are the same points and that input is read at the point only; without any reach.
FunctorRange functor_range(std::string const& label, PolicyInfo const& policy, std::array<int, 3> const& radius,
                           std::vector<FieldInfo> const& in, std::vector<ViewInfo> const& out);

/// The range of iterations: one field and its second View, read up to the policy's radius.
PointBox functor_range(std::string const& label, PolicyInfo const& policy, std::array<int, 3> const& radius,
                       ViewInfo const& shape);

/// The points that fill_halo takes as given. Throws Error if neither a range nor a radius tells, or there is no memory,
/// or several points lie in one place.
PointBox filled_from(std::string const& label, PolicyInfo const& policy, std::array<int, 3> const& radius,
                     ViewInfo const& view);

/// The backend that a functor stencil must take: "" leaves the choice, else "generic", "functor_direct",
/// "functor_streaming", "functor_temporal", or "host_temporal" for many sweeps on a host. Throws Error if another one
/// is forced.
std::string functor_backend(std::string const& label, std::string const& forced, bool many_on_host = false);

/// Throws Error: the forced backend, which is none of generic, cannot run a sweep.
[[noreturn]] void fail_forced_cells(std::string const& label, std::string const& forced);

/// Throws Error: many sweeps cannot be done several at a time, for this reason.
[[noreturn]] void fail_forced_temporal(std::string const& label, std::string const& reason);

/// Throws Error if a View of a state shares memory with one of another state.
void check_apart(std::string const& label, std::vector<ViewInfo> const& first, std::vector<ViewInfo> const& second);

/// Points in boxes, counted through along the axes in their order, which is slowest first.
struct PointList {
  static constexpr int most = 7;

  DeviceBox box[most];
  std::int64_t end[most] = {};  ///< points in this box and those before
  int boxes              = 0;
  int order[3]           = {0, 1, 2};
  std::int64_t points    = 0;

  explicit PointList(std::array<int, 3> const& slowest_first) {
    for (std::size_t k = 0; k < 3; ++k) order[k] = slowest_first[k];
  }
  void add(PointBox const& b) {
    if (b.empty()) return;
    box[boxes] = DeviceBox(b);
    points += b.size();
    end[boxes++] = points;
  }
  /// The place of a point of the list.
  template <int Rank>
  KOKKOSSTENCIL_HOST_DEVICE void find(std::int64_t item, std::int64_t* place) const {
    int b = 0;
    while (item >= end[b]) ++b;
    if (b > 0) item -= end[b - 1];
    for (int k = 2; k >= 3 - Rank; --k) {
      for (int a = 0; a < Rank; ++a) {
        if (order[k] != a) continue;
        std::int64_t const size = box[b].end[a] - box[b].begin[a];
        place[a]                = box[b].begin[a] + item % size;
        item /= size;
      }
    }
  }
};

/// What a thread and a block of the kernels by cells compute (KokkosStencil_FunctorCells.hpp).
struct CellShape {
  int width;  ///< points of a cell along the contiguous axis
  int rows;   ///< and along the others
  int planes;
  int lanes;    ///< cells of a block along the contiguous axis
  int columns;  ///< and along the next one
  int threads;
  int depth;        ///< and at most along the slowest one
  int concurrency;  ///< threads that run at the same time
};

/// How cells are dealt out to blocks. Along the contiguous axis blocks of cells are followed, if there are points of
/// the range before and behind the cells, by one for these.
struct CellTiles {
  std::int64_t first[3]   = {0, 0, 0};  ///< the first point of the cells, in the axes of the Views
  std::int64_t cells[3]   = {1, 1, 1};  ///< their number along the contiguous axis, rows and planes
  std::uint32_t listed    = 0;          ///< blocks for single points, which come first
  std::uint32_t blocks[2] = {1, 1};     ///< along the contiguous axis and rows
  std::uint32_t whole     = 1;          ///< how many of the first number have cells
  int depth               = 1;          ///< cells of a block along the slowest axis
  std::uint32_t ends      = 0;          ///< points before and behind a row of cells
  std::uint32_t before    = 0;          ///< how many of them are before
  std::int64_t behind     = 0;          ///< the first one behind, along the contiguous axis

  /// The point of this number of a block for the ends of rows; false if there is none. `row` and `plane`: the first
  /// ones of the block, from the first cell on; `most`: rows of a block; the last two: of a cell.
  template <int Rank, int Fast, int RowAxis, int PlaneAxis>
  KOKKOSSTENCIL_HOST_DEVICE bool find_end(std::uint32_t item, std::int64_t row, std::int64_t plane, std::uint32_t most,
                                          int rows, int planes, std::int64_t* place) const {
    std::uint32_t const e = item % ends;
    std::uint32_t const r = item / ends;
    row += r % most;
    plane += r / most;
    place[Fast] = e < before ? first[Fast] - before + e : behind + (e - before);
    if (Rank > 1) place[RowAxis] = first[RowAxis] + row;
    if (Rank > 2) place[PlaneAxis] = first[PlaneAxis] + plane;
    return row < cells[1] * rows && plane < cells[2] * planes;
  }
};

/// Which points are cells and which are done one by one.
struct CellPlan {
  bool any = false;
  CellTiles tiles;
  std::uint32_t teams = 0;  ///< all blocks
  PointList list{std::array<int, 3>{{0, 1, 2}}};
};

/// Where vectors of `width` values begin along the fast axis, modulo their width; -1 if they cannot be aligned in all
/// Views.
std::int64_t vector_phase(int width, int rank, std::size_t fast, std::vector<ViewInfo> const& views);

/// `fast`: the axis that must have stride 1 in every View, if cells are vectors; then each of them begins at a multiple
/// of its size in all Views. No cells if that cannot be or if they would be the lesser part.
CellPlan cell_plan(CellShape const& shape, int rank, int fast, FunctorRange const& where,
                   std::vector<ViewInfo> const& views);

}  // namespace Impl
}  // namespace KokkosStencil
