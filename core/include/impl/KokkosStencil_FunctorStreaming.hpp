// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

// One sweep of a functor over volumes on GPUs (functor_streaming): blocks go along the slowest axis.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// For three axes where the reach of each field is known when the program is compiled: a block goes along the slowest
/// axis. Each thread keeps a window in registers, which moves on with it: of each field the vectors of its own column,
/// a plane ahead of what it computes, while other neighbours come from the first-level cache, where the rest of the
/// block had them loaded; or, Whole, all that lies around.
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Fields, bool Whole = false>
struct StreamingKernel;
template <bool Returns, int Fast, int Width, class Functor, class... In, class... Out, class... Fields, bool Whole>
struct StreamingKernel<Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>, Whole>
    : CellFields<3, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  using Base = CellFields<3, Returns, Fast, Width, Functor, Pack<In...>, Pack<Out...>, Pack<Fields...>>;
  static constexpr char const* name = "functor_streaming";
  static constexpr int rows         = 1;
  static constexpr int planes       = 1;
  /// Vectors that a thread would keep.
  static constexpr int most_vectors =
      ((2 * FieldTraits<Fields>::along(Base::plane_axis) + 2) + ... + (Returns ? 1 : 2 * int(sizeof...(Out))));
  static constexpr int lanes   = warp_threads * Base::spans;
  static constexpr int columns = 8;
  static constexpr int threads = warp_threads * columns;
  // Beside the planes they would cost the loop registers that it does not have.
  static constexpr bool ends_beside = false;
  static constexpr bool does_points = true;
  static constexpr bool parts       = Width > 1;
  /// How far fields are read along the planes.
  static constexpr int reach() {
    int most = 0;
    for (int r : {FieldTraits<Fields>::along(Base::plane_axis)..., 0}) most = r > most ? r : most;
    return most;
  }
  /// Blocks of a multiprocessor. Few values of eight bytes wait for memory so long that a fourth block is worth the
  /// registers (docs/experiments/2026-11-29-functors-of-volumes.md); sums need these themselves.
  static constexpr int resident_sums = Whole || most_vectors <= 12 ? 3 : most_vectors <= 20 ? 2 : 1;
  static constexpr int resident =
      !Whole && reach() <= 2 && most_vectors <= 9 && Base::largest() == 8 ? 4 : resident_sums;
  // Long ways along the planes read fewer of them twice, short ones keep blocks close together in memory.
  static constexpr int depth        = reach() <= 2 ? 12 : resident_sums == 3 ? 8 : 32;
  static constexpr int cached_depth = reach() > 2 ? 0 : most_vectors > 9 && Base::spread ? least_cached_depth : 8;
  static constexpr int prefetched   = 3;  ///< planes that the second-level cache has before they are loaded

  template <class... Sums>
  KOKKOS_FORCEINLINE_FUNCTION void block(std::uint32_t b, int thread, Sums&... sums) const {
    std::int64_t c[3];
    if (!this->template find_cell<StreamingKernel>(b, thread, c, sums...)) return;
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = this->tiles.first[a];
    i[Fast] += c[0] * Base::planned;
    i[1] += c[1];
    i[Base::plane_axis] += c[2];
    std::int64_t const left = this->tiles.cells[2] - c[2];
    int const planes_left   = left < this->tiles.depth ? static_cast<int>(left) : this->tiles.depth;
    CellPart part;
    part.end = Base::across;
    if constexpr (parts && sizeof...(Sums) == 0) part = this->tiles.part_of(c[0], Width);
    this->with_points(c[0], thread, [&](auto valid) {
      stream(i, planes_left, thread, valid, part, typename Base::Inputs(), typename Base::Outputs(), sums...);
    });
  }

 private:
  /// How many planes ahead a field is held: none if they would need more registers than there are.
  static constexpr int most_registers = most_vectors * Base::across * Base::largest() / 4;
  template <class Field>
  static constexpr int held = most_registers <= 144 ? FieldTraits<Field>::along(Base::plane_axis) : 0;
  /// The thread's own column: the planes around, then the next one.
  template <class T, class Field>
  struct Column {
    static constexpr int ahead = held<Field>;
    typename Base::template Cell<T> plane[2 * ahead + 2];

    template <class Ref, class Valid>
    KOKKOS_FORCEINLINE_FUNCTION void begin(Ref const& field, T const* at, CellPart const&, Valid valid) {
      plane[0] = {};
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = -ahead; k <= ahead; ++k) load(plane[k + ahead + 1], field, at, k, valid);
    }
    KOKKOS_FORCEINLINE_FUNCTION void advance() {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k <= 2 * ahead; ++k) plane[k] = plane[k + 1];
    }
    template <class Ref, class Valid>
    KOKKOS_FORCEINLINE_FUNCTION void load_next(Ref const& field, T const* at, bool last, CellPart const&, Valid valid) {
      if (!last) load(plane[2 * ahead + 1], field, at, ahead + 1, valid);
    }
    template <class In_>
    KOKKOS_FORCEINLINE_FUNCTION auto near(In_* at, FieldRef<In_, 3> const& field, ViewIndex<3> const& i, int k,
                                          CellPart const& part) const {
      return Base::template near<FieldTraits<Field>::wide>(at, field, i, k, ahead, plane[0].value, part);
    }

   private:
    template <class Ref, class Valid>
    KOKKOS_FORCEINLINE_FUNCTION static void load(typename Base::template Cell<T>& to, Ref const& field, T const* at,
                                                 int k, Valid valid) {
      Base::template load_cell<T>(to, at + k * field.stride[Base::plane_axis], FieldTraits<Field>::wide, valid);
    }
  };
  /// All that lies around: three planes of three rows, a vector and its neighbours each.
  template <class T, class Field>
  struct Surroundings {
    static constexpr int ahead = 1;
    static constexpr int row = Width + 2, plane = 3 * row;
    T value[3 * plane];

    template <class Ref, class Valid>
    KOKKOS_FORCEINLINE_FUNCTION void begin(Ref const& field, T const* at, CellPart const& part, Valid) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < plane; ++n) value[n] = {};
      load(field, at - field.stride[Base::plane_axis], value + plane, part);
      load(field, at, value + 2 * plane, part);
    }
    KOKKOS_FORCEINLINE_FUNCTION void advance() {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int n = 0; n < 2 * plane; ++n) value[n] = value[n + plane];
    }
    template <class Ref, class Valid>
    KOKKOS_FORCEINLINE_FUNCTION void load_next(Ref const& field, T const* at, bool, CellPart const& part, Valid) {
      load(field, at + field.stride[Base::plane_axis], value + 2 * plane, part);
    }
    template <class In_>
    KOKKOS_FORCEINLINE_FUNCTION auto near(In_* at, FieldRef<In_, 3> const& field, ViewIndex<3> const& i, int k,
                                          CellPart const& part) const {
      ViewIndex<3> point, stride;
      Base::locate(field, i, k, part, point, stride);
      VectorPlace place;
      place.width      = Width;
      place.lane       = k;
      place.axis       = Fast;
      place.plane_axis = Base::plane_axis;
      place.rows       = 3;
      place.halo       = 1;
      place.planes     = 3;
      return typename Base::template Near<In_, Ways::rows>(at, stride, point, place, value);
    }

   private:
    template <class Ref>
    KOKKOS_FORCEINLINE_FUNCTION static void load(Ref const& field, T const* at, T* to, CellPart const& part) {
      // Beside the row nothing is needed.
      int const before = part.limited && part.first > -Width ? 0 : -1;
      int const behind = part.limited && part.last < Width ? Width - 1 : Width;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int r = 0; r < 3; ++r) {
        T const* const from = at + (r - 1) * field.stride[1];
        Vector<T, Width> own;
        Vector<T, 1> left, right;
        own.load(from, true);
        left.load(from + before, true);
        right.load(from + behind, true);
        to[r * row] = left.value[0];
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int k = 0; k < Width; ++k) to[r * row + 1 + k] = own.value[k];
        to[r * row + 1 + Width] = right.value[0];
      }
    }
  };
  template <class Field, class T>
  using WindowOf =
      std::conditional_t<Whole, Surroundings<std::remove_const_t<T>, Field>, Column<std::remove_const_t<T>, Field>>;
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
                                          CellPart const& part, std::integer_sequence<int, I...>,
                                          std::integer_sequence<int, O...>, Sums&... sums) const {
    constexpr int axis = Base::plane_axis;
    ViewIndex<3> i;
    for (int a = 0; a < 3; ++a) i[a] = first_point[a];
    Bundle<In*...> from;
    Bundle<Out*...> to;
    ((bundle_get<I>(from) = pack_get<I>(this->in).at(i)), ...);
    ((bundle_get<O>(to) = pack_get<O>(this->out).at(i)), ...);
    Bundle<WindowOf<Fields, In>...> windows;
    (bundle_get<I>(windows).begin(pack_get<I>(this->in), bundle_get<I>(from), part, valid), ...);
    Bundle<typename Base::template Cell<Out>...> next, now;
    if constexpr (!Returns) (Base::template load_cell<Out>(bundle_get<O>(next), bundle_get<O>(to), false, valid), ...);
    KOKKOSSTENCIL_IMPL_NO_UNROLL
    for (; planes_left > 0; --planes_left) {
      (bundle_get<I>(windows).advance(), ...);
      // The compiler drops the loads of what is always written.
      if constexpr (!Returns) now = next;
      if (planes_left > prefetched) {
        (fetch_lines(
             bundle_get<I>(from) + (WindowOf<Fields, In>::ahead + prefetched) * pack_get<I>(this->in).stride[axis],
             thread % warp_threads),
         ...);
      }
      (bundle_get<I>(windows).load_next(pack_get<I>(this->in), bundle_get<I>(from), planes_left == 1, part, valid),
       ...);
      if constexpr (!Returns) {
        if (planes_left > 1) {
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
            now.value.value[k] = this->f(
                bundle_get<I>(windows).near(bundle_get<I>(from) - back, pack_get<I>(this->in), here, k, part)...,
                sums...);
          } else {
            this->f(bundle_get<I>(windows).near(bundle_get<I>(from) - back, pack_get<I>(this->in), here, k, part)...,
                    bundle_get<O>(now).value[k]..., sums...);
          }
        }
      }
      if constexpr (parts && sizeof...(Sums) == 0) {
        (Base::template store_part<Out>(bundle_get<O>(now), bundle_get<O>(to), part), ...);
      } else {
        (Base::template store_cell<Out>(bundle_get<O>(now), bundle_get<O>(to), valid), ...);
      }
      ((bundle_get<I>(from) += pack_get<I>(this->in).stride[axis]), ...);
      ((bundle_get<O>(to) += pack_get<O>(this->out).stride[axis]), ...);
      ++i[axis];
    }
  }
};

/// The kernel that holds all that lies around a vector, where registers suffice: of one field that is read no further
/// than the next point. Or void.
template <class Kernel>
struct WithSurroundings {
  using type = void;
};
template <bool Returns, int Fast, int Width, class Functor, class In, class Out, class Field>
struct WithSurroundings<StreamingKernel<Returns, Fast, Width, Functor, Pack<In>, Pack<Out>, Pack<Field>>> {
  static constexpr bool near =
      FieldTraits<Field>::along(0) == 1 && FieldTraits<Field>::along(1) == 1 && FieldTraits<Field>::along(2) == 1;
  using type =
      std::conditional_t<near && (Width == 2 || Width == 4),
                         StreamingKernel<Returns, Fast, Width, Functor, Pack<In>, Pack<Out>, Pack<Field>, true>, void>;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
