// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// What the kernels for one sweep of a functor on GPUs have in common. A thread computes a cell, one vector along the
// contiguous axis in some rows and planes, or points that lie a warp apart. It reads whole aligned vectors, of which
// the compiler keeps what several points of the cell share, and writes them. Cells lie where no boundary rule is
// needed; the points that are left are threads of their own in the same kernel.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// The values of a vector: as many as 16 bytes hold of the largest type.
template <class In, class Out>
struct CellWidth;
template <class... In, class... Out>
struct CellWidth<Pack<In...>, Pack<Out...>> {
  template <class T>
  static constexpr bool fits = (sizeof(T) & (sizeof(T) - 1)) == 0 &&
                               sizeof(T) <= 8 && std::is_trivially_copyable<T>::value;

  static constexpr int width() {
    std::size_t most = 2;
    for (std::size_t b : {sizeof(In)..., sizeof(Out)..., std::size_t(0)}) most = b > most ? b : most;
    // 1 where values are no vectors' material.
    return (fits<In> && ...) && (fits<Out> && ...) ? int(16 / most) : 1;
  }
};

/// Registers for what a functor reads of a field around so many points side by side, if it reads no corners. Fields
/// that do not say how far they are read are taken to be read so far.
template <int Rank, int Fast, class T, class Field>
constexpr int registers_around(int points, int undeclared) {
  int others = 0, along = 0;
  for (int a = 0; a < Rank; ++a) {
    int const reach = FieldTraits<Field>::declared ? FieldTraits<Field>::along(a) : undeclared;
    (a == Fast ? along : others) += 2 * reach;
  }
  return int(sizeof(T)) * (points * (1 + others) + along) / 4;
}
/// The same of all fields, with what it writes.
template <int Rank, int Fast, class In, class Out, class Fields>
struct CellRegisters;
template <int Rank, int Fast, class... In, class... Out, class... Fields>
struct CellRegisters<Rank, Fast, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  // Where none says it, the policy's radius is not known when this is compiled.
  static constexpr int undeclared = (FieldTraits<Fields>::declared || ...) ? 0 : 1;
  static constexpr int of(int points) {
    return (registers_around<Rank, Fast, In, Fields>(points, undeclared) + ... + 0) +
           ((int(sizeof(Out)) * 2 * points / 4) + ... + 0);
  }
  /// Whether kernels stream over the planes, with all registers.
  static constexpr bool streams = Rank == 3 && (FieldTraits<Fields>::wide || ...);
  /// Whether vectors are too much for a thread: the compiler would keep most in local memory. Measured on an H100:
  /// kernels that stream over volumes are as fast with 292 registers as with a point a thread and take 50 times as long
  /// with 416; others, which have half as many, take three times as long with 288.
  static constexpr bool crowded(int width) { return width > 1 && of(width) > (streams ? 300 : 200); }
  /// Whether a point needs more than half of the registers that a thread can have, with what is computed in between.
  static constexpr bool greedy = of(1) > 100;
};

/// Values that lie in memory together and are read and written together.
template <class T, int Width>
struct CellVector : Vector<T, Width> {};
template <class T>
struct CellVector<T, 1> {
  T value[1];

  KOKKOS_FORCEINLINE_FUNCTION void load(T const* at, bool) { value[0] = *at; }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* at) const { *at = value[0]; }
};

/// Threads of a warp.
constexpr int warp_threads = 32;

/// The same of values that lie a warp apart, so that what a warp reads at once lies together wherever rows begin.
/// `valid`: so many of them are there.
template <class T, int Count>
struct SpreadVector {
  T value[Count];

  template <class Valid>
  KOKKOS_FORCEINLINE_FUNCTION void load(T const* at, Valid valid) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Count; ++k) value[k] = at[k < valid ? k * warp_threads : 0];
  }
  template <class Valid>
  KOKKOS_FORCEINLINE_FUNCTION void store(T* at, Valid valid) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Count; ++k) {
      if (k < valid) at[k * warp_threads] = value[k];
    }
  }
};

/// All points of a cell, as a literal: what std has cannot be asked on devices.
template <int Count>
struct AllPoints {
  KOKKOS_FORCEINLINE_FUNCTION constexpr operator int() const { return Count; }
};

/// What kernels by cells share: the fields, which block does what, and points one by one. A block computes a tile of
/// cells. Of the points before and behind them in their rows those that need no boundary rule are done by the warps
/// that have the first or the last cell of a row, or with the others by a block that follows some rows of tiles.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct CellFields;
template <int Rank, bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields>
struct CellFields<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  /// The other axes: the next slower one and the slowest.
  static constexpr int row_axis   = Rank == 1 ? 0 : Rank == 2 ? 1 - Fast : 1;
  static constexpr int plane_axis = Rank == 3 ? 2 - Fast : 0;

  static constexpr std::uint32_t warp_size = warp_threads;
  /// Points of a cell along the contiguous axis: a vector; or, for a width below zero, as many that lie a warp apart.
  static constexpr bool spread = Width < 0;
  static constexpr int across  = spread ? -Width : Width;
  static constexpr int apart   = spread ? warp_threads : 1;
  /// Points that the plan counts as one cell, and of these the ones that a thread takes.
  static constexpr int planned = spread ? 1 : Width, spans = spread ? across : 1;
  /// Bytes of the largest value.
  static constexpr int largest() {
    std::size_t most = 1;
    for (std::size_t b : {sizeof(In)..., sizeof(Out)...}) most = b > most ? b : most;
    return int(most);
  }
  template <class T>
  using Cell                          = std::conditional_t<spread, SpreadVector<T, across>, CellVector<T, across>>;
  using All                           = AllPoints<across>;
  static constexpr int listed_threads = 256;  ///< of a block of sweep_points
  static constexpr int shared_bytes   = 0;    ///< that a kernel asks for when it is launched

  /// How the kernels by cells read; points one by one in two other ways.
  static constexpr unsigned ways = (Rank == 2 ? Ways::rows : 0) | Ways::column | Ways::vectors<Width>;
  template <class T, unsigned How>
  using Near = BasicNeighborhood<std::remove_const_t<T>, Rank, How>;

  using Inputs  = std::make_integer_sequence<int, int(sizeof...(In))>;
  using Outputs = std::make_integer_sequence<int, int(sizeof...(Out))>;

  Functor f;
  Pack<FieldRef<In, Rank>...> in;
  Pack<FieldRef<Out, Rank>...> out;
  FaceSteps faces;
  PointList list;
  CellTiles tiles;

  /// The tile of a block, by its number along the contiguous axis, rows and planes; false if it has none. Points that
  /// are done one by one are done here.
  template <class Shape, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION bool find_tile(std::uint32_t b, int thread, std::uint32_t (&tile)[3],
                                             Sums&... sums) const {
    std::int64_t item = static_cast<std::int64_t>(b) * Shape::threads + thread, end = list.points;
    Ends ends         = {};
    bool const listed = Shape::does_points && b < tiles.listed;
    if (!listed) {
      b -= tiles.listed;
      std::uint32_t bx, by, bz;
      tiles.template find_block<Rank, (Shape::cached_depth > 0)>(b, bx, by, bz);
      if (bx < tiles.whole * tiles.tall) {
        std::uint32_t const down = tiles.tall > 1 ? bx / tiles.whole : 0;
        tile[0]                  = bx - down * tiles.whole;
        tile[1]                  = by + down;
        tile[2]                  = bz;
        return true;
      }
      ends = tiles.template ends_of_block<Shape, Rank, row_axis, plane_axis>(by, bz);
      if constexpr (Width > 1 && !Shape::ends_beside && sizeof...(Sums) == 0) {
        ends.of = tiles.beside;
        do_ends<2>(ends, static_cast<std::uint32_t>(thread), Shape::threads);
      }
      if constexpr (!Shape::does_points) return false;
      ends.of = tiles.apart;
      item    = thread;
      end     = static_cast<std::int64_t>(ends.count());
    }
    for (; item < end; item += Shape::threads) {
      ViewIndex<Rank> i = {};
      if (listed) {
        list.template find<Rank>(item, i);
      } else {
        ends.template find<Rank, Fast, row_axis, plane_axis>(static_cast<std::uint32_t>(item), i);
      }
      point(i, Inputs(), Outputs(), sums...);
      if (listed) break;
    }
    return false;
  }
  /// A point of the list, for kernels whose blocks are none for points.
  KOKKOS_FORCEINLINE_FUNCTION void listed_point(std::int64_t item) const {
    if (item >= list.points) return;
    ViewIndex<Rank> i = {};
    list.template find<Rank>(item, i);
    point(i, Inputs(), Outputs());
  }
  /// A cell of the tile that the thread computes; false if it has none.
  template <class Shape, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION bool find_cell(std::uint32_t b, int thread, std::int64_t (&cell)[3],
                                             Sums&... sums) const {
    std::uint32_t tile[3];
    if (!find_tile<Shape>(b, thread, tile, sums...)) return false;
    constexpr int lanes = Shape::lanes / spans;
    int const lane      = thread % lanes;
    cell[0]             = static_cast<std::int64_t>(tile[0]) * Shape::lanes +
              (spread ? lane / warp_threads * (warp_threads * across) + lane % warp_threads : lane);
    cell[1] = static_cast<std::int64_t>(tile[1]) * Shape::columns + thread / lanes;
    cell[2] = static_cast<std::int64_t>(tile[2]) * tiles.depth;
    return cell[0] >= tiles.skip && cell[0] < tiles.cells[0] && cell[1] < tiles.cells[1];
  }

  /// compute(how many points of the cell are there): a literal where that are all, for each lane of the warp.
  template <class Compute>
  KOKKOS_FORCEINLINE_FUNCTION void with_points(std::int64_t cell, int thread, Compute const& compute) const {
    if constexpr (spread) {
      std::int64_t const left = tiles.cells[0] - cell;
      if (left + thread % warp_threads < across * apart) {
        compute(static_cast<int>((left + apart - 1) / apart));
        return;
      }
    }
    compute(All());
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void store_part(Cell<T> const& cell, T* at, CellPart const& part) {
    if (part.begin == 0 && part.end == across) {
      cell.store(at);
      return;
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < across; ++k) {
      if (k >= part.begin && k < part.end) at[k] = cell.value[k];
    }
  }
  /// `only`: nobody writes there.
  template <class T, class Valid>
  KOKKOS_FORCEINLINE_FUNCTION static void load_cell(Cell<T>& cell, T const* at, bool only, Valid valid) {
    if constexpr (spread) {
      cell.load(at, valid);
    } else {
      cell.load(at, only);
    }
  }
  template <class T, class Valid>
  KOKKOS_FORCEINLINE_FUNCTION static void store_cell(Cell<T> const& cell, T* at, Valid valid) {
    if constexpr (spread) {
      cell.store(at, valid);
    } else {
      cell.store(at);
    }
  }

  /// What the warp of this thread, which has this cell of the row, does besides.
  template <class Shape>
  KOKKOS_FORCEINLINE_FUNCTION void ends_of_warp(int thread, std::int64_t cell, ViewIndex<Rank> const& i) const {
    RowEnds const& all       = tiles.beside;
    std::uint32_t const lane = static_cast<std::uint32_t>(thread) % warp_size;
    std::int64_t const warp = cell - lane, rest = tiles.cells[0] - warp;
    std::uint32_t const left   = rest > warp_size ? warp_size + 1 : static_cast<std::uint32_t>(rest);
    std::uint32_t const skips  = warp == 0 ? static_cast<std::uint32_t>(tiles.skip) : 0;
    std::uint32_t const before = warp == 0 ? all.before : 0, behind = left <= warp_size ? all.count - all.before : 0;
    if (before + behind == 0) return;
    Ends ends;
    ends.of     = {before + behind, before, all.begin, all.behind};
    ends.row    = Rank > 1 ? i[row_axis] : 0;
    ends.plane  = Rank > 2 ? i[plane_axis] : 0;
    ends.rows   = Shape::rows;
    ends.planes = Shape::planes;
    do_ends<1>(ends, lane - skips, (left < warp_size ? left : warp_size) - skips);
  }

  /// Index and strides of a value of a cell. A point that is not computed has the index of one that is.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void locate(FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i, int lane,
                                                 CellPart const& part, ViewIndex<Rank>& point,
                                                 ViewIndex<Rank>& stride) {
    int const known = !part.limited ? lane : lane < part.begin ? part.begin : lane < part.end ? lane : part.end - 1;
    for (int a = 0; a < Rank; ++a) {
      point[a]  = a == Fast ? i[a] + known * apart : i[a];
      stride[a] = a == Fast && Width != 1 ? 1 : field.stride[a];
    }
  }
  /// A value of the vector at this place; `planes`: those around it that are held.
  template <bool ReadOnly, unsigned How = ways, class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto near(T* vector, FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i,
                                               int lane, int held = -1, std::remove_const_t<T> const* planes = nullptr,
                                               CellPart const& part = CellPart()) {
    ViewIndex<Rank> point, stride;
    locate(field, i, lane, part, point, stride);
    VectorPlace place;
    place.only       = ReadOnly;
    place.plane_axis = plane_axis;
    place.held       = held;
    place.ahead      = held;
    if constexpr (spread) {
      // Neighbours along the axis belong to other lanes.
      place.width = across;
      place.axis  = -1;
      return Near<T, How>(vector + lane * apart, stride, point, place, planes == nullptr ? nullptr : planes + lane);
    } else {
      place.width   = Width;
      place.lane    = lane;
      place.axis    = Fast;
      place.limited = part.limited;
      place.first   = part.first;
      place.last    = part.last;
      return Near<T, How>(vector, stride, point, place, planes);
    }
  }
  template <bool ReadOnly, class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto near(FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i, int lane) {
    return near<ReadOnly>(field.at(i), field, i, lane);
  }

 private:
  template <int... I, int... O, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void point(ViewIndex<Rank> const& i, std::integer_sequence<int, I...>,
                                         std::integer_sequence<int, O...>, Sums&... sums) const {
    // By the rules even where none is needed: a second way would be as long. Cells lie in all Views that are read, so
    // that no read passes a face by more than what lies between two.
    FaceSteps const* const g = &faces;
    if constexpr (Returns) {
      *out.head.at(i) = f(Near<In, Ways::stepped>(pack_get<I>(in).data, pack_get<I>(in).stride, i, g)..., sums...);
    } else {
      f(Near<In, Ways::stepped>(pack_get<I>(in).data, pack_get<I>(in).stride, i, g)..., *pack_get<O>(out).at(i)...,
        sums...);
    }
  }
  /// Ends of rows that need no rule, `Batch` points of a thread at a time: their reads do not wait for each other.
  template <int Batch>
  KOKKOS_FORCEINLINE_FUNCTION void do_ends(Ends const& ends, std::uint32_t thread, std::uint32_t threads) const {
    std::uint32_t const count = ends.count();
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (std::uint32_t item = thread; item < count; item += Batch * threads) {
      ViewIndex<Rank> i[Batch];
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < Batch; ++n) {
        // Where there is none the first one once more, which stores the same.
        std::uint32_t const other = item + n * threads;
        ends.template find<Rank, Fast, row_axis, plane_axis>(other < count ? other : item, i[n]);
      }
      points_inside<Batch>(i, Inputs(), Outputs());
    }
  }
  template <class T, int Batch>
  struct Held {
    T value[Batch];
  };
  template <int Batch, int... I, int... O>
  KOKKOS_FORCEINLINE_FUNCTION void points_inside(ViewIndex<Rank> const* i, std::integer_sequence<int, I...>,
                                                 std::integer_sequence<int, O...>) const {
    Bundle<Held<Out, Batch>...> held;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < Batch; ++n) {
      if constexpr (!Returns) ((bundle_get<O>(held).value[n] = *pack_get<O>(out).at(i[n])), ...);
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < Batch; ++n) {
      if constexpr (Returns) {
        held.value.value[n] = f(away(pack_get<I>(in), i[n])...);
      } else {
        f(away(pack_get<I>(in), i[n])..., bundle_get<O>(held).value[n]...);
      }
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < Batch; ++n) ((*pack_get<O>(out).at(i[n]) = bundle_get<O>(held).value[n]), ...);
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto away(FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i) {
    return Near<T, Ways::plain>(field.at(i), field.stride, i);
  }
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
