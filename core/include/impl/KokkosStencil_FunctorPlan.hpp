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
#include <string_view>
#include <vector>

// What a sweep of a functor needs to know besides the types: checks, ranges, and how the points are dealt out.

namespace KokkosStencil {
namespace Impl {

/// Values one after the other, in memory that somebody else holds: a call of a sweep allocates none.
template <class T>
class ListOf {
 public:
  ListOf(std::vector<T> const& from) : m_first(from.data()), m_count(from.size()) {}
  template <std::size_t N>
  ListOf(std::array<T, N> const& from) : m_first(from.data()), m_count(N) {}

  T const* begin() const { return m_first; }
  T const* end() const { return m_first + m_count; }
  T const& front() const { return *m_first; }
  T const& operator[](std::size_t k) const { return m_first[k]; }
  std::size_t size() const { return m_count; }
  bool empty() const { return m_count == 0; }

 private:
  T const* m_first;
  std::size_t m_count;
};

/// Throws Error if a face is shared.
void refuse_shared(std::string const& label, PolicyInfo const& policy);

/// How far a field is read before the point and behind it, along each axis; -1 where nothing was declared.
struct FieldReach {
  std::array<int, 3> before{{-1, -1, -1}};
  std::array<int, 3> behind{{-1, -1, -1}};

  /// On the farther side.
  int operator[](std::size_t axis) const { return before[axis] > behind[axis] ? before[axis] : behind[axis]; }
  friend bool operator==(FieldReach const& a, FieldReach const& b) {
    return a.before == b.before && a.behind == b.behind;
  }
};

/// How far any of these fields is read, those without a declaration up to a radius, if there is one.
FieldReach farthest(std::vector<FieldReach> const& fields, std::array<int, 3> const& radius);

/// An input of a functor stencil.
struct FieldInfo {
  ViewInfo view;
  FieldReach reach;

  friend bool operator==(FieldInfo const& a, FieldInfo const& b) { return a.view == b.view && a.reach == b.reach; }
};

/// Where a functor is evaluated, in the axes of the Views.
struct FunctorRange {
  PointBox range;
  PointBox inside;                             ///< the part of it whose windows stay inside the Views
  FieldReach reach{{{0, 0, 0}}, {{0, 0, 0}}};  ///< the largest of any input
};

/// Notes which backend ran a functor. With KOKKOSSTENCIL_VERBOSE=1 prints it, once for each label, range and backend.
void note_functor(std::string const& label, std::string_view backend, PointBox const& range);
/// Several kernels keep less than so much of each thread in local memory, a few registers, and are none the slower.
constexpr std::size_t few_local_bytes = 64;

/// With KOKKOSSTENCIL_VERBOSE=1 prints once that a kernel keeps so many bytes of each thread in local memory, if they
/// are not few, and what to do about it.
void note_local_memory(std::string const& label, std::size_t bytes);

/// Checks the fields and finds the range. Throws Error: for extents that differ; for an output that overlaps another
/// one or an input, unless the two are the same points and that input is read at the point only; without any reach.
FunctorRange functor_range(std::string const& label, PolicyInfo const& policy, std::array<int, 3> const& radius,
                           ListOf<FieldInfo> in, ListOf<ViewInfo> out);

/// The points that fill_halo takes as given. Throws Error if neither a range nor a radius tells, or there is no memory,
/// or several points lie in one place.
PointBox filled_from(std::string const& label, PolicyInfo const& policy, std::array<int, 3> const& radius,
                     ViewInfo const& view);

/// The backend that a functor stencil must take: "" leaves the choice, else "generic", "functor_points",
/// "functor_direct", "functor_streaming", "functor_ring", "functor_temporal", "functor_patches", or "host_temporal" for
/// many sweeps on a host. Throws Error if another one is forced. Refers to `forced` or to what lasts.
std::string const& functor_backend(std::string const& label, std::string const& forced, bool many_on_host = false);

/// Throws Error: the forced backend, which is none of generic, cannot run a sweep.
[[noreturn]] void fail_forced_cells(std::string const& label, std::string const& forced);

/// Throws Error: the forced backend cannot do several of many sweeps at a time, for this reason.
[[noreturn]] void fail_forced_passes(std::string const& label, std::string const& forced, std::string const& reason);

/// Where one value lies that a sweep reduces to.
template <class Result>
ViewInfo result_info(Result const* data) {
  ViewInfo info;
  info.data       = const_cast<std::remove_cv_t<Result>*>(data);
  info.value_size = int(sizeof(Result));
  return info;
}
/// Throws Error if a result has no memory, or shares it with another one or with an output.
void check_results(std::string const& label, ListOf<ViewInfo> results, ListOf<ViewInfo> out);

/// Throws Error if a state has other extents than the first one, or shares memory with one before it.
void check_states_apart(std::string const& label, ListOf<ViewInfo> first, ListOf<ViewInfo> second);

/// What many sweeps write, as texts name it.
enum class Swept { states, levels };

/// Throws Error if many sweeps cannot take the forced backend, whatever the fields: on a host one that needs CUDA, for
/// levels one of several sweeps a pass, and where changes are measured one that reduces nothing. So that none is made.
void check_forced_sweeps(std::string const& label, std::string const& forced, Swept swept, int rank, bool host,
                         bool measured);

/// Throws Error if a constant field has other extents than what sweeps write, or shares memory with a View of that: the
/// first or the second one of a state, or a level.
void check_constant_fields(std::string const& label, Swept what, ListOf<FieldInfo> constants, ListOf<ViewInfo> first,
                           ListOf<ViewInfo> second);

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
    // GPUs divide 32 bits several times as fast as 64.
    if (points >> 32 == 0) {
      place_in<Rank>(box[b], static_cast<std::uint32_t>(item), place);
    } else {
      place_in<Rank>(box[b], item, place);
    }
  }

 private:
  template <int Rank, class Int>
  KOKKOSSTENCIL_HOST_DEVICE void place_in(DeviceBox const& in, Int item, std::int64_t* place) const {
    for (int k = 2; k >= 3 - Rank; --k) {
      for (int a = 0; a < Rank; ++a) {
        if (order[k] != a) continue;
        auto const size = static_cast<Int>(in.end[a] - in.begin[a]);
        Int const rest  = k == 3 - Rank ? 0 : item / size;
        place[a]        = in.begin[a] + static_cast<std::int64_t>(item - rest * size);
        item            = rest;
      }
    }
  }
};

/// Planes that a block goes along at least where the second-level cache has those between blocks, and blocks suffice;
/// bands of rows are made for so many. On an H100 they are best, on an H200 eight planes in the same bands.
constexpr int least_cached_depth = 5;

/// What a thread and a block of the kernels by cells compute (KokkosStencil_FunctorCells.hpp).
struct CellShape {
  int width;  ///< points of a cell along the contiguous axis
  int rows;   ///< and along the others
  int planes;
  int lanes;    ///< cells of a block along the contiguous axis
  int columns;  ///< and along the next one
  int threads;
  int depth;         ///< and at most along the slowest one
  int concurrency;   ///< threads that run at the same time
  bool ends_beside;  ///< whether warps with the first and the last cell of a row do points beside them
  bool reduces;
  int slots      = 0;      ///< blocks that run at the same time, where the depth shall make their waves full
  int begins     = 0;      ///< planes whose time the beginning of a block takes
  bool points    = true;   ///< whether blocks of the kernel do the points that are no cells
  bool parts     = false;  ///< whether the first and the last cell of a row may have points that are not computed
  int spare_rows = 0;  ///< rows that must lie in the Views before and behind all that are read, each behind the other
  /// Bytes of the second-level cache, and the depth where it still has the planes between blocks one behind the other
  /// when the second one reads them: 0 if that is of no use.
  std::int64_t cache = 0;
  int cached_depth   = 0;
};

/// Points of the range before and behind the cells of a row, numbered from 0 on.
struct RowEnds {
  std::uint32_t count  = 0;
  std::uint32_t before = 0;  ///< how many of them are before
  std::int64_t begin   = 0;  ///< the first one before, along the contiguous axis
  std::int64_t behind  = 0;  ///< the first one behind

  KOKKOSSTENCIL_HOST_DEVICE std::int64_t at(std::uint32_t e) const {
    return e < before ? begin + e : behind + (e - before);
  }
};

/// These points in some rows and planes.
struct Ends {
  RowEnds of;
  std::int64_t row = 0, plane = 0;  ///< the first ones
  std::uint32_t rows = 1, planes = 1;

  KOKKOSSTENCIL_HOST_DEVICE std::uint32_t count() const { return of.count * rows * planes; }
  template <int Rank, int Fast, int RowAxis, int PlaneAxis>
  KOKKOSSTENCIL_HOST_DEVICE void find(std::uint32_t item, std::int64_t* place) const {
    std::uint32_t const r = item / of.count;
    place[Fast]           = of.at(item % of.count);
    if (Rank > 1) place[RowAxis] = row + r % rows;
    if (Rank > 2) place[PlaneAxis] = plane + r / rows;
  }
};

/// Further than any reach, in values.
constexpr int whole_row = 1 << 20;

/// Which points of a cell are computed; and if that is limited, how far before and behind the cell vectors may be read,
/// in values.
struct CellPart {
  int begin    = 0;
  int end      = 1;
  bool limited = false;
  int first    = 0;
  int last     = 0;
};

/// How cells are dealt out to blocks.
struct CellTiles {
  std::int64_t first[3]   = {0, 0, 0};  ///< the first point of the cells, in the axes of the Views
  std::int64_t cells[3]   = {1, 1, 1};  ///< their number along the contiguous axis, rows and planes
  std::uint32_t listed    = 0;          ///< blocks for single points, which come first
  std::uint32_t blocks[2] = {1, 1};     ///< of such rows of tiles, and the number of these
  std::uint32_t band      = 1;          ///< rows of tiles of which all planes are done before those of the next ones
  std::uint32_t slabs     = 1;          ///< blocks one behind the other along the slowest axis
  std::uint32_t whole     = 1;          ///< blocks with cells of a row of tiles
  std::uint32_t tall      = 1;          ///< rows of tiles that are followed by one block for the ends of their rows
  int depth               = 1;          ///< cells of a block along the slowest axis
  std::int64_t skip       = 0;          ///< the first so many in a row are none: lines of memory begin there
  RowEnds beside;                       ///< need no rule: done by warps that have the first and the last cell of the
                                        ///< row, or by those blocks
  RowEnds apart;                        ///< always done by those blocks
  /// Of the first and the last cell of each row: points that are not computed, before and behind the others, and values
  /// of the row that lie before and behind the cell.
  int not_first = 0, not_last = 0, values_before = 0, values_behind = 0;

  /// Where a block lies among those of a row of tiles, its first row of tiles, and how many are before it along the
  /// slowest axis. Banded: whether there may be several bands.
  template <int Rank, bool Banded>
  KOKKOSSTENCIL_HOST_DEVICE void find_block(std::uint32_t b, std::uint32_t& bx, std::uint32_t& by,
                                            std::uint32_t& bz) const {
    std::uint32_t before = 0, rows = blocks[1];
    if (Banded) {
      before = b / (blocks[0] * band * slabs) * band;
      b -= before * blocks[0] * slabs;
      std::uint32_t const left = blocks[1] - before;
      rows                     = left < band ? left : band;
    }
    bx = b % blocks[0];
    b /= blocks[0];
    bz = Rank == 3 ? b / rows : 0;
    by = (before + b - bz * rows) * tall;
  }
  KOKKOSSTENCIL_HOST_DEVICE CellPart part_of(std::int64_t cell, int width) const {
    CellPart part;
    part.limited = true;
    part.end     = width;
    part.first   = -whole_row;
    part.last    = whole_row;
    if (cell == skip && not_first > 0) {
      part.begin = not_first;
      part.first = -values_before;
    }
    if (cell == cells[0] - 1 && not_last > 0) {
      part.end  = width - not_last;
      part.last = values_behind;
    }
    return part;
  }
  /// Where the ends lie that a block does: those beside the cells of some rows of tiles.
  template <class Shape, int Rank, int RowAxis, int PlaneAxis>
  KOKKOSSTENCIL_HOST_DEVICE Ends ends_of_block(std::uint32_t tile, std::uint32_t slab) const {
    std::int64_t const row       = static_cast<std::int64_t>(tile) * Shape::columns,
                       plane     = static_cast<std::int64_t>(slab) * depth;
    std::int64_t const rows_left = cells[1] - row, planes_left = cells[2] - plane;
    std::int64_t const rows = static_cast<std::int64_t>(tall) * Shape::columns;
    Ends e;
    e.row    = Rank > 1 ? first[RowAxis] + row * Shape::rows : 0;
    e.plane  = Rank > 2 ? first[PlaneAxis] + plane * Shape::planes : 0;
    e.rows   = static_cast<std::uint32_t>(rows_left < rows ? rows_left : rows) * Shape::rows;
    e.planes = static_cast<std::uint32_t>(planes_left < depth ? planes_left : depth) * Shape::planes;
    return e;
  }
};

/// Which points are cells and which are done one by one.
struct CellPlan {
  bool any = false;
  CellTiles tiles;
  std::uint32_t teams = 0;  ///< all blocks of the kernel
  PointList list{std::array<int, 3>{{0, 1, 2}}};
};

/// Where vectors of `width` values begin along the fast axis, modulo their width; -1 if they cannot be aligned in all
/// Views.
std::int64_t vector_phase(int width, int rank, std::size_t fast, ListOf<ViewInfo> views);

/// `fast`: the axis that must have stride 1 in every View, if cells are vectors; then each of them begins at a multiple
/// of its size in all Views. No cells if that cannot be or if they would be the lesser part.
CellPlan cell_plan(CellShape const& shape, int rank, int fast, FunctorRange const& where, ListOf<ViewInfo> views);

}  // namespace Impl
}  // namespace KokkosStencil
