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
  static constexpr int resident_sums = most_vectors <= 12 ? 3 : most_vectors <= 20 ? 2 : 1;
  static constexpr int resident      = reach() <= 2 && most_vectors <= 9 && Base::largest() == 8 ? 4 : resident_sums;
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
                     thread % warp_threads),
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
                                             bundle_get<I>(windows).plane[0].value, part)...,
                                         sums...);
          } else {
            this->f(Base::template near<FieldTraits<Fields>::wide>(bundle_get<I>(from) - back, pack_get<I>(this->in),
                                                                   here, k, held<Fields>,
                                                                   bundle_get<I>(windows).plane[0].value, part)...,
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

}  // namespace Impl
}  // namespace KokkosStencil

#endif
