// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

// One sweep of a functor on GPUs: each thread computes a cell of some rows and planes (functor_direct), or of one point
// (functor_points).

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// A thread computes a vector in some rows and planes; with Single one vector, which for functor_points is a point.
template <int Rank, bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields,
          bool Single = false>
struct CellKernel;
template <int Rank, bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields,
          bool Single>
struct CellKernel<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>, Single>
    : CellFields<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Base = CellFields<Rank, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  static constexpr char const* name = Single ? "functor_points" : "functor_direct";
  /// Whether rows far away are read: more rows of a cell share them.
  static constexpr bool far = Rank == 2 && Width != 1 && ((FieldTraits<Fields>::along(Base::row_axis) > 2) || ...);
  /// Registers for what a cell of so many rows reads of a field, if no corners are read, and what it writes to one.
  template <class T, class Field>
  static constexpr int reads(int cell_rows) {
    return int(sizeof(T)) *
           (cell_rows * (Base::across + 2 * FieldTraits<Field>::along(Fast)) +
            2 * FieldTraits<Field>::along(Base::row_axis) * Base::across) /
           4;
  }
  template <class T>
  static constexpr int writes(int cell_rows) {
    return int(sizeof(T)) * cell_rows * Base::across / 4;
  }
  static constexpr bool large = ((sizeof(In) > 4) || ...);
  /// Whether two rows of all fields are more than the registers hold; in float, whether one row and more threads are
  /// faster (docs/experiments/2026-11-29-functor-sums.md).
  static constexpr bool many = ((reads<In, Fields>(2) + ... + 0) + ... + writes<Out>(2)) > (large ? 96 : 72);
  using Registers            = CellRegisters<Rank, Fast, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  /// Whether a cell is a point; and whether that needs all registers that there are.
  static constexpr bool single =
      Single || (Width == 1 && Registers::crowded(CellWidth<Pack<In...>, Pack<Out...>>::width()));
  static constexpr bool greedy = single && Registers::greedy;
  /// Rows and planes of a cell; without vectors a few rows more.
  static constexpr int rows_of_cell() {
    if (Rank == 1 || single) return 1;
    if (Rank == 3) return Width != 1 ? 1 : 2;
    return Width == 1 || far ? 4 : many ? 1 : 2;
  }
  static constexpr int rows    = rows_of_cell();
  static constexpr int planes  = Rank == 3 && !single ? 4 : 1;
  static constexpr int count   = rows * planes;
  static constexpr int threads = Rank == 3 || far || Single ? 128 : 256;
  /// Of a block along the contiguous axis.
  static constexpr int thread_lanes = Rank == 1 ? threads : Rank == 2 && !far && !Single ? 64 : 32;
  static constexpr int lanes        = thread_lanes * Base::spans;
  static constexpr int columns      = threads / thread_lanes;
  static constexpr bool ends_beside = Width > 1;
  static constexpr bool does_points = true;
  static constexpr bool parts       = false;
  static constexpr int cached_depth = 0;
  static constexpr int depth        = 1;  ///< cells that a thread computes one after the other, along the slowest axis
  static constexpr int loaded       = (reads<In, Fields>(rows) + ... + 0);
  /// Whether sweeps that reduce load these first: large ones where two blocks have a multiprocessor's registers.
  static constexpr bool loads_rows = Rank == 2 && Width > 1 && !far && !(many && large) && loaded <= (large ? 92 : 72);
  /// Blocks that a multiprocessor must be able to run: registers are dealt out so. The others for sweeps that reduce.
  static constexpr int resident      = (greedy ? 1 : Rank == 2 && Width != 1 ? 3 : 2) * (256 / threads);
  static constexpr int resident_sums = (greedy ? 1 : loads_rows && large ? 2 : 3) * (256 / threads);

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block(std::uint32_t b, int thread, Sums&... sums) const {
    std::int64_t c[3];
    if (!this->template find_cell<CellKernel>(b, thread, c, sums...)) return;
    ViewIndex<Rank> i;
    for (int a = 0; a < Rank; ++a) i[a] = this->tiles.first[a];
    i[Fast] += c[0] * Base::planned;
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
  template <class T, class Field, class... Sums>
  using Loaded = std::conditional_t<!loads_rows || sizeof...(Sums) == 0, Nothing,
                                    std::conditional_t<FieldTraits<Field>::wide, Rows<T, Field>, Points<T>>>;
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

}  // namespace Impl
}  // namespace KokkosStencil

#endif
