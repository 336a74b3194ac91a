// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorStreaming.hpp>
#include <impl/KokkosStencil_TensorCopies.hpp>

#ifdef KOKKOSSTENCIL_IMPL_RINGS

namespace KokkosStencil {
namespace Impl {

/// How the ring lies in shared memory. Width: as of CellFields.
template <int Fast, int Width, bool Returns, class In, class Out, class Fields>
struct RingShape;
template <int Fast, int Width, bool Returns, class... In, class... Out, class... Fields>
struct RingShape<Fast, Width, Returns, Pack<In...>, Pack<Out...>, Pack<Fields...>> {
  static constexpr int row_axis   = 1;
  static constexpr int plane_axis = 2 - Fast;

  /// Points of a cell a warp apart, and rows that are copied one by one.
  static constexpr bool spread    = Width < 0;
  static constexpr int across     = spread ? -Width : Width;
  static constexpr int value_size = 16 / across;

  template <class Field>
  static constexpr int planes_of = FieldTraits<Field>::along(plane_axis);
  template <class Field>
  static constexpr int rows_of = FieldTraits<Field>::along(row_axis);
  template <class Field>
  static constexpr int halo = (FieldTraits<Field>::along(Fast) + across - 1) / across* across;
  /// Whether a field has a ring: copies of rows are too slow for those that registers can do without.
  template <class Field>
  static constexpr bool in_ring = !spread || FieldTraits<Field>::wide;

  static constexpr int reach() {
    int most = 0;
    for (int r : {planes_of<Fields>..., 0}) most = r > most ? r : most;
    return most;
  }
  /// Vectors that a thread keeps.
  static constexpr int vectors = ((2 * planes_of<Fields> + 1) + ... + (Returns ? 1 : 2 * int(sizeof...(Out))));

  static constexpr int ahead = 2;          ///< planes that are on their way
  static constexpr int steps = ahead + 1;  ///< whose planes have a place
  /// Cells of a tile along a row.
  static constexpr int lanes = warp_threads * (spread ? across : 1);
  /// One less than warps that share registers evenly: one more has the planes copied. Boxes of double as many as there
  /// is memory for (docs/experiments/2026-11-29-functors-of-volumes.md).
  static constexpr int most_columns = vectors <= 12 ? (spread || value_size < 8 ? 19 : 23) : vectors <= 16 ? 15 : 11;

  template <class Field>
  static constexpr int slots = !in_ring<Field>            ? 0
                               : FieldTraits<Field>::wide ? planes_of<Field> + steps
                                                          : steps;
  /// Bytes of a row that are copied, of rows that begin anywhere from the multiple of 16 bytes below; values from one
  /// row to the next, each copy beginning at a multiple of 128 bytes.
  template <class Field>
  static constexpr int row_bytes = (warp_threads * across + 2 * halo<Field> + (spread ? across : 0)) * value_size;
  template <class Field>
  static constexpr int pitch = (spread ? (row_bytes<Field> + 127) / 128 * 128 : row_bytes<Field>) / value_size;
  template <class Field>
  static constexpr int slot_bytes_of(int columns) {
    return (pitch<Field> * value_size * (columns + 2 * rows_of<Field>)+127) / 128 * 128;
  }
  static constexpr int barrier_bytes = 128;
  static constexpr int bytes_of(int columns) {
    return barrier_bytes + ((slots<Fields> * slot_bytes_of<Fields>(columns)) + ... + 0);
  }
  static constexpr int memory = 226 * 1024;
  static constexpr int columns_that_fit() {
    int fit = 11;
    for (int c : {15, 19, 23}) {
      if (c <= most_columns && bytes_of(c) <= memory) fit = c;
    }
    return fit;
  }
  static constexpr int columns = columns_that_fit();
  static constexpr int bytes   = bytes_of(columns);
  /// Rows of a plane of the tile, and what is copied of it.
  template <class Field>
  static constexpr int tile_rows = columns + 2 * rows_of<Field>;
  template <class Field>
  static constexpr int plane_bytes = in_ring<Field> ? row_bytes<Field>* tile_rows<Field> : 0;
  /// From one slot to the next: boxes are copied to multiples of 128 bytes.
  template <class Field>
  static constexpr int slot_bytes = slot_bytes_of<Field>(columns);
  /// Where the first slot of a field lies.
  static constexpr int begin_of(int field) {
    int sum = 0;
    for (int size : {slots<Fields> * slot_bytes_of<Fields>(columns)...}) sum += field-- > 0 ? size : 0;
    return sum;
  }
  template <int I>
  static constexpr int begin   = begin_of(I);
  static constexpr int workers = warp_threads * columns;
  static constexpr int threads = workers + warp_threads;

  static constexpr bool boxes_fit() {
    for (int b : {row_bytes<Fields>..., 0}) {
      if (b > 256 * value_size) return false;
    }
    for (int r : {tile_rows<Fields>..., 0}) {
      if (r > 256) return false;
    }
    return true;
  }
  /// Nearer planes are in the first-level cache anyway.
  static constexpr bool possible = (across == 2 || across == 4) && ((int(sizeof(In)) == value_size) && ...) &&
                                   reach() >= 3 && vectors <= 28 && bytes <= memory && boxes_fit();

  // As find_tile asks.
  static constexpr int rows         = 1;
  static constexpr int planes       = 1;
  static constexpr bool ends_beside = false;
  static constexpr int cached_depth = 0;
  // A block is the only one of its multiprocessor: too few threads for points that wait for memory.
  static constexpr bool does_points = false;
  static constexpr int depth        = 64;
  static constexpr char const* name = "functor_ring";
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
