// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorPlan.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

// One sweep of a functor on GPUs: a thread computes a cell, one vector along the contiguous axis in some rows and
// planes. It reads whole aligned vectors, of which the compiler keeps what several points of the cell share, and writes
// them. Cells lie where no boundary rule is needed; the points that are left are threads of their own in the same
// kernel.

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

/// Values that lie in memory together and are read and written together.
template <class T, int Width>
struct CellVector : Vector<T, Width> {};
template <class T>
struct CellVector<T, 1> {
  T value[1];

  KOKKOS_FORCEINLINE_FUNCTION void load(T const* at, bool) { value[0] = *at; }
  KOKKOS_FORCEINLINE_FUNCTION void store(T* at) const { *at = value[0]; }
};

/// The same of values that lie a warp apart, so that what a warp reads at once lies together wherever rows begin.
/// `valid`: so many of them are there.
template <class T, int Count>
struct SpreadVector {
  static constexpr int apart = 32;
  T value[Count];

  template <class Valid>
  KOKKOS_FORCEINLINE_FUNCTION void load(T const* at, Valid valid) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Count; ++k) value[k] = at[k < valid ? k * apart : 0];
  }
  template <class Valid>
  KOKKOS_FORCEINLINE_FUNCTION void store(T* at, Valid valid) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Count; ++k) {
      if (k < valid) at[k * apart] = value[k];
    }
  }
};

/// All points of a cell, as a literal.
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

  static constexpr std::uint32_t warp_size = 32;
  /// Points of a cell along the contiguous axis: a vector; or, for a width below zero, as many that lie a warp apart.
  static constexpr bool spread = Width < 0;
  static constexpr int across  = spread ? -Width : Width;
  static constexpr int apart   = spread ? int(warp_size) : 1;
  template <class T>
  using Cell                          = std::conditional_t<spread, SpreadVector<T, across>, CellVector<T, across>>;
  using All                           = AllPoints<across>;
  static constexpr int listed_threads = 256;  ///< of a block of sweep_points

  /// How the kernels by cells read; points one by one in two other ways.
  static constexpr unsigned ways = Ways::rows | Ways::column | Ways::vectors<Width>;
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
      std::uint32_t const bx = b % tiles.blocks[0];
      b /= tiles.blocks[0];
      std::uint32_t const by = b % tiles.blocks[1] * tiles.tall, bz = b / tiles.blocks[1];
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
    constexpr int lanes = spread ? Shape::lanes / across : Shape::lanes, warp = int(warp_size);
    int const lane = thread % lanes;
    cell[0]        = static_cast<std::int64_t>(tile[0]) * Shape::lanes +
              (spread ? lane / warp * (warp * across) + lane % warp : lane);
    cell[1] = static_cast<std::int64_t>(tile[1]) * Shape::columns + thread / lanes;
    cell[2] = static_cast<std::int64_t>(tile[2]) * tiles.depth;
    return cell[0] >= tiles.skip && cell[0] < tiles.cells[0] && cell[1] < tiles.cells[1];
  }

  /// compute(how many points of the cell are there): a literal where that are all, for each lane of the warp.
  template <class Compute>
  KOKKOS_FORCEINLINE_FUNCTION void with_points(std::int64_t cell, int thread, Compute const& compute) const {
    if constexpr (spread) {
      std::int64_t const left = tiles.cells[0] - cell;
      if (left + thread % int(warp_size) < across * apart) {
        compute(static_cast<int>((left + apart - 1) / apart));
        return;
      }
    }
    compute(All());
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

  /// A value of the vector at this place; `planes`: those around it that are held.
  template <bool ReadOnly, unsigned How = ways, class T>
  KOKKOS_FORCEINLINE_FUNCTION static auto near(T* vector, FieldRef<T, Rank> const& field, ViewIndex<Rank> const& i,
                                               int lane, int held = -1,
                                               std::remove_const_t<T> const* planes = nullptr) {
    ViewIndex<Rank> point, stride;
    for (int a = 0; a < Rank; ++a) {
      point[a]  = a == Fast ? i[a] + lane * apart : i[a];
      stride[a] = a == Fast && Width != 1 ? 1 : field.stride[a];
    }
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
      place.width = Width;
      place.lane  = lane;
      place.axis  = Fast;
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

/// A thread computes a vector in some rows and planes.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct CellKernel;
template <int Rank, bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields>
struct CellKernel<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>
    : CellFields<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Base = CellFields<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  static constexpr char const* name = "functor_direct";
  /// Whether rows far away are read: more rows of a cell share them.
  static constexpr bool far = Rank == 2 && Width != 1 && ((FieldTraits<Fields>::along(Base::row_axis) > 2) || ...);
  /// Rows and planes of a cell; without vectors a few rows more.
  static constexpr int rows    = Rank == 1 ? 1 : Rank == 2 ? (Width != 1 && !far ? 2 : 4) : (Width != 1 ? 1 : 2);
  static constexpr int planes  = Rank == 3 ? 4 : 1;
  static constexpr int count   = rows * planes;
  static constexpr int threads = Rank == 3 || far ? 128 : 256;
  /// Of a block along the contiguous axis.
  static constexpr int thread_lanes = Rank == 1 ? threads : Rank == 2 && !far ? 64 : 32;
  static constexpr int lanes        = Base::spread ? thread_lanes * Base::across : thread_lanes;
  static constexpr int columns      = threads / thread_lanes;
  static constexpr bool ends_beside = Width > 1;
  static constexpr bool does_points = true;
  static constexpr int depth        = 1;  ///< cells that a thread computes one after the other, along the slowest axis
  /// Blocks that a multiprocessor must be able to run: registers are dealt out so. The others for sweeps that reduce.
  static constexpr int resident      = (Rank == 2 && Width != 1 ? 3 : 2) * (256 / threads);
  static constexpr int resident_sums = 3 * (256 / threads);

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block(std::uint32_t b, int thread, Sums&... sums) const {
    std::int64_t c[3];
    if (!this->template find_cell<CellKernel>(b, thread, c, sums...)) return;
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = this->tiles.first[a];
    i[Fast] += Base::spread ? c[0] : c[0] * Width;
    if (Rank > 1) i[Base::row_axis] += c[1] * rows;
    if (Rank > 2) i[Base::plane_axis] += c[2] * planes;
    // First, so that the cell has the registers for itself.
    if constexpr (ends_beside && sizeof...(Sums) == 0) {
      if (this->tiles.beside.count > 0) {
        this->template ends_of_warp<CellKernel>(thread, c[0], i);
      }
    }
    this->with_points(c[0], thread,
                      [&](auto valid) { cell(i, valid, typename Base::Inputs(), typename Base::Outputs(), sums...); });
  }

 private:
  template <class T>
  struct Values {
    typename Base::template Cell<T> row[count];
  };

  KOKKOS_FORCEINLINE_FUNCTION static void place_of(ViewIndex<Rank> const& cell, int n, ViewIndex<Rank>& i) {
    for (int a = 0; a < Rank; ++a) {
      i[a] = cell[a];
      if (Rank > 1 && a == Base::row_axis) i[a] += n % rows;
      if (Rank > 2 && a == Base::plane_axis) i[a] += n / rows;
    }
  }
  template <class T, class Valid>
  KOKKOS_FORCEINLINE_FUNCTION static void load(Values<std::remove_const_t<T>>& values, FieldRef<T, Rank> const& field,
                                               ViewIndex<Rank> const& cell, Valid valid) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      ViewIndex<Rank> i;
      place_of(cell, n, i);
      Base::template load_cell<std::remove_const_t<T>>(values.row[n], field.at(i), false, valid);
    }
  }
  template <class T, class Valid>
  KOKKOS_FORCEINLINE_FUNCTION static void store(Values<T> const& values, FieldRef<T, Rank> const& field,
                                                ViewIndex<Rank> const& cell, Valid valid) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      ViewIndex<Rank> i;
      place_of(cell, n, i);
      Base::template store_cell<T>(values.row[n], field.at(i), valid);
    }
  }

  /// A field's rows that a cell reads, with what it reads on either side: kernels that reduce load these first. Left to
  /// the compiler, each point waits for the one before and reads anew.
  template <class T, class Field>
  struct Rows {
    static constexpr int above = FieldTraits<Field>::along(Base::row_axis), side = FieldTraits<Field>::along(Fast);
    static constexpr int wide = Width + 2 * side, all = rows + 2 * above;
    T value[static_cast<std::size_t>(all * wide)];

    template <class Ref>
    KOKKOS_FORCEINLINE_FUNCTION void load(Ref const& field, ViewIndex<Rank> const& cell) {
      constexpr int vectors = (side + Width - 1) / Width;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < all; ++n) {
        ViewIndex<Rank> i;
        for (int a = 0; a < Rank; ++a) i[a] = a == Base::row_axis ? cell[a] + n - above : cell[a];
        T const* const at = field.at(i);
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int v = -vectors; v <= vectors; ++v) {
          CellVector<T, Width> vector;
          vector.load(at + v * Width, true);
          KOKKOSSTENCIL_IMPL_UNROLL
          for (int k = 0; k < Width; ++k) {
            int const x = v * Width + k + side;
            if (x >= 0 && x < wide) value[n * wide + x] = vector.value[k];
          }
        }
      }
    }
  };
  /// The same of a field of which no more than the points may be read.
  template <class T>
  struct Points : Values<T> {
    template <class Ref>
    KOKKOS_FORCEINLINE_FUNCTION void load(Ref const& field, ViewIndex<Rank> const& cell) {
      CellKernel::load(*this, field, cell, typename Base::All());
    }
  };
  struct Nothing {
    template <class Ref>
    KOKKOS_FORCEINLINE_FUNCTION void load(Ref const&, ViewIndex<Rank> const&) {}
  };
  /// Registers for them, if no corners are read.
  template <class T, class Field>
  static constexpr int registers = int(sizeof(T)) *
                                   (rows * (Width + 2 * FieldTraits<Field>::along(Fast)) +
                                    2 * FieldTraits<Field>::along(Base::row_axis) * Width) /
                                   4;
  static constexpr int most_loaded = (registers<In, Fields> + ...);
  /// In double they would spill.
  static constexpr bool large = ((sizeof(In) > 4) || ...);
  template <class T, class Field, class... Sums>
  using Loaded = std::conditional_t<(Rank != 2 || Width<2 || large || sizeof...(Sums) == 0 || far || most_loaded> 72),
                                    Nothing, std::conditional_t<FieldTraits<Field>::wide, Rows<T, Field>, Points<T>>>;
  template <class Field, class T, class Windows>
  KOKKOS_FORCEINLINE_FUNCTION static auto near_of(Windows const& window, FieldRef<T, Rank> const& field,
                                                  ViewIndex<Rank> const& i, int n, int k) {
    if constexpr (std::is_same<Windows, Nothing>::value) {
      return Base::template near<FieldTraits<Field>::wide>(field, i, k);
    } else if constexpr (!FieldTraits<Field>::wide) {
      return Base::template near<false>(field.at(i), field, i, k, 0, window.row[n].value);
    } else {
      ViewIndex<Rank> point, stride;
      for (int a = 0; a < Rank; ++a) {
        point[a]  = a == Fast ? i[a] + k : i[a];
        stride[a] = field.stride[a];
      }
      VectorPlace place;
      place.width = Width;
      place.lane  = k;
      place.axis  = Fast;
      place.rows  = Windows::all;
      place.halo  = Windows::side;
      place.row   = n + Windows::above;
      return typename Base::template Near<T, Base::ways>(field.at(i), stride, point, place, window.value);
    }
  }

  template <class Valid, int... I, int... O, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void cell(ViewIndex<Rank> const& first_point, Valid valid,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, O...>,
                                        Sums&... sums) const {
    // The compiler drops the loads of what is always written.
    Bundle<Values<Out>...> held;
    if constexpr (!Returns) (load(bundle_get<O>(held), pack_get<O>(this->out), first_point, valid), ...);
    Bundle<Loaded<std::remove_const_t<In>, Fields, Sums...>...> windows;
    (bundle_get<I>(windows).load(pack_get<I>(this->in), first_point), ...);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int n = 0; n < count; ++n) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < Base::across; ++k) {
        // What is not there is made of the first point, and dropped: without a branch none waits for another. But it
        // must not be added up.
        if (sizeof...(Sums) == 0 || k < valid) {
          ViewIndex<Rank> i;
          place_of(first_point, n, i);
          i[Fast] -= k < valid ? 0 : k * Base::apart;
          if constexpr (Returns) {
            held.value.row[n].value[k] =
                this->f(near_of<Fields>(bundle_get<I>(windows), pack_get<I>(this->in), i, n, k)..., sums...);
          } else {
            this->f(near_of<Fields>(bundle_get<I>(windows), pack_get<I>(this->in), i, n, k)...,
                    bundle_get<O>(held).row[n].value[k]..., sums...);
          }
        }
      }
    }
    (store(bundle_get<O>(held), pack_get<O>(this->out), first_point, valid), ...);
  }
};

/// For three axes where the reach of each field is known when the program is compiled: a block goes along the slowest
/// axis. Each thread keeps the vectors of its own column in registers, a plane ahead of what it computes; other
/// neighbours come from the first-level cache, where the rest of the block had them loaded.
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct StreamingKernel;
template <bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields>
struct StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>
    : CellFields<3, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Base = CellFields<3, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  static constexpr char const* name = "functor_streaming";
  static constexpr int rows         = 1;
  static constexpr int planes       = 1;
  /// Vectors of four registers that a thread would keep.
  static constexpr int most_vectors =
      ((2 * FieldTraits<Fields>::along(Base::plane_axis) + 2) + ... + (Returns ? 1 : 2 * int(sizeof...(Out))));
  static constexpr int lanes   = Base::spread ? 32 * Base::across : 32;
  static constexpr int columns = 8;
  static constexpr int threads = 32 * columns;
  // Beside the planes they would cost the loop registers that it does not have.
  static constexpr bool ends_beside = false;
  static constexpr bool does_points = true;
  // The more warps run, the shorter the way along the planes that keeps them close together in memory.
  static constexpr int resident      = most_vectors <= 12 ? 3 : most_vectors <= 20 ? 2 : 1;
  static constexpr int resident_sums = resident;
  static constexpr int depth         = resident == 3 ? 8 : 32;
  static constexpr int prefetched    = 3;  ///< planes that the second-level cache has before they are loaded

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block(std::uint32_t b, int thread, Sums&... sums) const {
    std::int64_t c[3];
    if (!this->template find_cell<StreamingKernel>(b, thread, c, sums...)) return;
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = this->tiles.first[a];
    i[Fast] += Base::spread ? c[0] : c[0] * Width;
    i[1] += c[1];
    i[Base::plane_axis] += c[2];
    std::int64_t const left = this->tiles.cells[2] - c[2];
    int const planes_left   = left < this->tiles.depth ? static_cast<int>(left) : this->tiles.depth;
    this->with_points(c[0], thread, [&](auto valid) {
      stream(i, planes_left, thread, valid, typename Base::Inputs(), typename Base::Outputs(), sums...);
    });
  }

 private:
  /// How many planes ahead a field is held: none if they would need more registers than there are.
  template <class Field>
  static constexpr int held = most_vectors <= 36 ? FieldTraits<Field>::along(Base::plane_axis) : 0;
  /// The planes around, then the next one.
  template <class T, int Held>
  struct Window {
    typename Base::template Cell<T> plane[2 * Held + 2];

    template <class Valid>
    KOKKOS_FORCEINLINE_FUNCTION void begin(T const* at, std::int64_t stride, bool only, Valid valid) {
      plane[0] = {};
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = -Held; k <= Held; ++k) {
        Base::template load_cell<T>(plane[k + Held + 1], at + k * stride, only, valid);
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void advance() {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k <= 2 * Held; ++k) plane[k] = plane[k + 1];
    }
  };
  template <class Field, class T>
  using WindowOf = Window<std::remove_const_t<T>, held<Field>>;
  /// Has the cache fetch what a warp reads, a thread a line of 128 bytes.
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void fetch_lines(T* at, int lane) {
    if constexpr (Base::spread) {
      constexpr int values = 128 / int(sizeof(T)), sharing = values / Base::across > 0 ? values / Base::across : 1;
      if (lane % sharing == 0) prefetch(at + (lane / sharing * values - lane));
    } else {
      if (lane % (128 / int(sizeof(uint4))) == 7) prefetch(at);
    }
  }

  template <class Valid, int... I, int... O, class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void stream(ViewIndex<3> const& first_point, int planes_left, int thread, Valid valid,
                                          std::integer_sequence<int, I...>, std::integer_sequence<int, O...>,
                                          Sums&... sums) const {
    constexpr int axis = Base::plane_axis;
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = first_point[a];
    Bundle<In*...> from;
    Bundle<Out*...> to;
    ((bundle_get<I>(from) = pack_get<I>(this->in).at(i)), ...);
    ((bundle_get<O>(to) = pack_get<O>(this->out).at(i)), ...);
    Bundle<WindowOf<Fields, In>...> windows;
    (bundle_get<I>(windows).begin(bundle_get<I>(from), pack_get<I>(this->in).stride[axis], FieldTraits<Fields>::wide,
                                  valid),
     ...);
    Bundle<typename Base::template Cell<Out>...> next, now;
    if constexpr (!Returns) (Base::template load_cell<Out>(bundle_get<O>(next), bundle_get<O>(to), false, valid), ...);
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (; planes_left > 0; --planes_left) {
      (bundle_get<I>(windows).advance(), ...);
      // The compiler drops the loads of what is always written.
      if constexpr (!Returns) now = next;
      if (planes_left > prefetched) {
        (fetch_lines(bundle_get<I>(from) + (held<Fields> + prefetched) * pack_get<I>(this->in).stride[axis],
                     thread % 32),
         ...);
      }
      if (planes_left > 1) {
        (Base::template load_cell<std::remove_const_t<In>>(
             bundle_get<I>(windows).plane[2 * held<Fields> + 1],
             bundle_get<I>(from) + (held<Fields> + 1) * pack_get<I>(this->in).stride[axis], FieldTraits<Fields>::wide,
             valid),
         ...);
        if constexpr (!Returns) {
          (Base::template load_cell<Out>(bundle_get<O>(next), bundle_get<O>(to) + pack_get<O>(this->out).stride[axis],
                                         false, valid),
           ...);
        }
      }
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < Base::across; ++k) {
        // As in CellKernel.
        if (sizeof...(Sums) == 0 || k < valid) {
          int const back    = k < valid ? 0 : k * Base::apart;
          ViewIndex<3> here = {i[0], i[1], i[2]};
          here[Fast] -= back;
          if constexpr (Returns) {
            now.value.value[k] = this->f(Base::template near<FieldTraits<Fields>::wide>(
                                             bundle_get<I>(from) - back, pack_get<I>(this->in), here, k, held<Fields>,
                                             bundle_get<I>(windows).plane[0].value)...,
                                         sums...);
          } else {
            this->f(Base::template near<FieldTraits<Fields>::wide>(bundle_get<I>(from) - back, pack_get<I>(this->in),
                                                                   here, k, held<Fields>,
                                                                   bundle_get<I>(windows).plane[0].value)...,
                    bundle_get<O>(now).value[k]..., sums...);
          }
        }
      }
      (Base::template store_cell<Out>(bundle_get<O>(now), bundle_get<O>(to), valid), ...);
      ((bundle_get<I>(from) += pack_get<I>(this->in).stride[axis]), ...);
      ((bundle_get<O>(to) += pack_get<O>(this->out).stride[axis]), ...);
      ++i[axis];
    }
  }
};

/// The kernel for a call.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields>
struct CellsOf {
  using type = CellKernel<Rank, Returns, Fast, Width, Functor, In, Out, Fields>;
};
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class... Fields>
struct CellsOf<3, Returns, Fast, Width, Functor, In, Out, Pack<Fields...>> {
  using type = std::conditional_t<(FieldTraits<Fields>::wide || ...),
                                  StreamingKernel<Returns, Fast, Width, Functor, In, Out, Pack<Fields...>>,
                                  CellKernel<3, Returns, Fast, Width, Functor, In, Out, Pack<Fields...>>>;
};

/// Kokkos' teams would need shared memory, so that fewer blocks run at a time.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::resident)
    sweep_cells(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  kernel.block(blockIdx.x, static_cast<int>(threadIdx.x));
#endif
}
/// The points of the list by a kernel of their own.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::listed_threads) sweep_points(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  kernel.listed_point(static_cast<std::int64_t>(blockIdx.x) * Kernel::listed_threads + threadIdx.x);
#endif
}
/// What such a kernel may carry; larger ones are launched by Kokkos.
constexpr std::size_t most_arguments = 4000;

/// Makes the device of an execution space the current one for a while.
class CurrentDevice {
 public:
  explicit CurrentDevice(int device) {
    cudaGetDevice(&m_before);
    if (m_before == device) m_before = -1;
    if (m_before >= 0) cudaSetDevice(device);
  }
  ~CurrentDevice() {
    if (m_before >= 0) cudaSetDevice(m_before);
  }
  CurrentDevice(CurrentDevice const&)            = delete;
  CurrentDevice& operator=(CurrentDevice const&) = delete;

 private:
  int m_before = -1;
};

/// Launches on the instance's current device. cudaGetLastError is not asked: an error that it reports may be the
/// application's.
template <class Kernel>
void launch_kernel(std::string const& label, void (*function)(Kernel), Kernel const& kernel, std::uint32_t blocks,
                   int threads, std::size_t shared_bytes, Kokkos::Cuda const& space) {
  void* arguments[] = {const_cast<Kernel*>(&kernel)};
  cudaError_t const error =
      cudaLaunchKernel(reinterpret_cast<void const*>(function), dim3(blocks), dim3(static_cast<unsigned>(threads)),
                       arguments, shared_bytes, space.cuda_stream());
  if (error == cudaSuccess) return;
  cudaGetLastError();
  fail(label, std::string("a kernel could not be launched: ") + cudaGetErrorString(error));
}

/// A block of the kernel is a team.
template <class Exec, class Kernel>
struct CellTeams {
  using Policy = Kokkos::TeamPolicy<Exec, LightWeight, Kokkos::LaunchBounds<Kernel::threads, Kernel::resident>>;
  Kernel kernel;
  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team) const {
    kernel.block(static_cast<std::uint32_t>(team.league_rank()), team.team_rank());
  }
};

/// The same with what is reduced. As many blocks as run at the same time, one after the other what there is to do:
/// their sums stay in registers, and in the end a few are joined.
template <class Exec, class Kernel, class... Reducers>
struct CellSums {
  static constexpr int times    = 4;
  static constexpr int resident = Kernel::resident_sums;
  using Policy = Kokkos::TeamPolicy<Exec, LightWeight, Kokkos::LaunchBounds<Kernel::threads, resident>>;
  Kernel kernel;
  std::uint32_t blocks;
  KOKKOS_FUNCTION void operator()(typename Policy::member_type const& team,
                                  typename Reducers::value_type&... sums) const {
    auto const step = static_cast<std::uint32_t>(team.league_size());
    for (auto b = static_cast<std::uint32_t>(team.league_rank()); b < blocks; b += step) {
      kernel.block(b, team.team_rank(), sums...);
    }
  }
};

/// Sweeps by cells; false if there are too few, or nothing was aligned as it must be.
template <class Kernel, int Rank, int Fast, int Width, class Exec, class Functor, class... In, class... Out, int... I,
          int... O, class... Reducers>
bool launch_cells(std::string const& label, Exec const& space, Functor const& f, Pack<In...> const& in,
                  Pack<Out...> const& out, std::integer_sequence<int, I...>, std::integer_sequence<int, O...>,
                  FieldGeometry const& geometry, FunctorRange const& where, Reducers const&... reducers) {
  if constexpr (Width < 0) {
    if (((stride_of(pack_get<I>(in), Fast) != 1) || ...) || ((stride_of(pack_get<O>(out), Fast) != 1) || ...))
      return false;
  }
  CellShape const shape{
      Width < 0 ? 1 : Width, Kernel::rows,  Kernel::planes,      Kernel::lanes,       Kernel::columns,
      Kernel::threads,       Kernel::depth, space.concurrency(), Kernel::ends_beside, (sizeof...(Reducers) > 0)};
  CellPlan const plan =
      cell_plan(shape, Rank, Fast, where, {shape_info(pack_get<I>(in))..., shape_info(pack_get<O>(out))...});
  if (!plan.any) return false;
  Kernel kernel{{f, Pack<FieldRef<typename In::value_type, Rank>...>{field_ref(pack_get<I>(in))...},
                 Pack<FieldRef<typename Out::value_type, Rank>...>{field_ref(pack_get<O>(out))...}, FaceSteps(geometry),
                 plan.list, plan.tiles}};
  if constexpr (sizeof...(Reducers) == 0) {
    if constexpr (sizeof(Kernel) <= most_arguments) {
      CurrentDevice const current(space.cuda_device());
      ToolsRegion const region(make_launch(label, space), true);
      launch_kernel(label, &sweep_cells<Kernel>, kernel, plan.teams, Kernel::threads, 0, space);
    } else {
      using Teams = CellTeams<Exec, Kernel>;
      Kokkos::parallel_for(label, typename Teams::Policy(space, static_cast<int>(plan.teams), Kernel::threads),
                           Teams{kernel});
    }
  } else {
    using Sums       = CellSums<Exec, Kernel, Reducers...>;
    int const most   = space.cuda_device_prop().multiProcessorCount * Sums::resident * Sums::times;
    int const league = plan.teams < static_cast<std::uint32_t>(most) ? static_cast<int>(plan.teams) : most;
    Kokkos::parallel_reduce(label, typename Sums::Policy(space, league, Kernel::threads), Sums{kernel, plan.teams},
                            reducers...);
  }
  note_backend(Kernel::name);
  return true;
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
