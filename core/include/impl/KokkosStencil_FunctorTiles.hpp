// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_FunctorStrips.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_StateOps.hpp>
#include <impl/KokkosStencil_TileTasks.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Two sweeps of a functor in one pass over volumes. A block goes along the slowest axis with a tile of the other two.
// Each level, the field after none of the sweeps and after the first, is held as the planes around one plane, in shared
// memory; a thread keeps what lies before and behind its own points in registers. Both levels advance by one plane
// between two barriers, so that the second lags behind the first by a plane more than it reaches.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// How many sweeps a tile does, and how its planes lie in shared memory.
template <int Fast, class States, class Fields, class Constants, class ConstantFields>
struct TileShape;
template <int Fast, class... S, class... SF, class... C, class... CF>
struct TileShape<Fast, Pack<S...>, Pack<SF...>, Pack<C...>, Pack<CF...>> {
  static constexpr int row_axis   = 1;
  static constexpr int plane_axis = 2 - Fast;

  static constexpr int most(std::initializer_list<int> numbers) {
    int m = 0;
    for (int n : numbers) m = n > m ? n : m;
    return m;
  }
  template <class Field>
  static constexpr int across = FieldTraits<Field>::along(Fast);
  template <class Field>
  static constexpr int rows_of = FieldTraits<Field>::along(row_axis);
  template <class Field>
  static constexpr int planes_of = FieldTraits<Field>::along(plane_axis);

  static constexpr int value_size   = most({int(sizeof(S))..., int(sizeof(C))...});
  static constexpr int width        = 16 / value_size;  ///< values of a vector
  static constexpr int reach_across = most({across<SF>..., across<CF>...});
  static constexpr int reach_rows   = most({rows_of<SF>..., rows_of<CF>...});
  static constexpr int reach        = most({planes_of<SF>..., planes_of<CF>...});
  static constexpr int depth        = 2;
  static constexpr int rows         = 2;  ///< of a thread
  static constexpr int resident     = 1;  ///< blocks that a multiprocessor must be able to run

  static constexpr int lag             = reach + 1;  ///< planes by which a level lags behind the one before
  static constexpr int state_planes    = 2 * reach + 2;
  static constexpr int constant_planes = (depth - 1) * lag + 2 * reach + 2;
  static constexpr int planes          = int(sizeof...(S)) * depth * state_planes + int(sizeof...(C)) * constant_planes;
  static constexpr int table_bytes     = 2560;
  static constexpr int memory          = 227 * 1024 / resident - table_bytes;  ///< for planes
  /// As many threads as the planes leave memory for. Registers belong to a quarter of a multiprocessor: a warp that the
  /// others have not would halve them.
  static constexpr int by_memory = (memory / planes / 16 - 2) / rows / 128 * 128;
  static constexpr int threads   = by_memory < 512 ? by_memory : 512;

  static constexpr bool possible =
      ((sizeof(S) == sizeof(float) || sizeof(S) == sizeof(double)) && ...) && ((sizeof(S) == value_size) && ...) &&
      ((sizeof(C) == value_size) && ...) && (std::is_trivially_copyable<S>::value && ...) &&
      (std::is_trivially_copyable<C>::value && ...) && (FieldTraits<SF>::declared && ...) && reach == 1 &&
      reach_across <= 1 && reach_rows <= 1 && threads >= 256;

  static constexpr int halo        = (depth * reach_across + width - 1) / width * width;  ///< columns
  static constexpr int plane_bytes = (threads * rows + 2) * 16;  ///< with a vector to spare before and behind
  static constexpr int table       = planes * plane_bytes;       ///< where columns and rows are read
  static constexpr int bytes       = table + table_bytes;
};

/// Vectors of a thread in planes one after the other.
template <class T, int Width, int Rows, int Planes>
struct TileColumn {
  StripVector<T, Width> plane[Planes][Rows];
};
/// Values of a thread, a vector in each of its rows.
template <class T, int Width, int Rows>
struct TileRows {
  StripVector<T, Width> row[Rows];
};

/// The values around those of a thread.
template <class T, int Width, int Halo, int Rows, int RowReach, int Planes>
struct TileWindow {
  static constexpr int rows = Rows + 2 * RowReach;
  T value[Planes][rows][Width + 2 * Halo];
};

/// Does the tasks of a pass.
template <class Shape, int Fast, bool Returns, class Functor, class States, class Fields, class Constants,
          class ConstantFields>
struct TileKernel;
template <class Shape, int Fast, bool Returns, class Functor, class... S, class... SF, class... C, class... CF>
struct TileKernel<Shape, Fast, Returns, Functor, Pack<S...>, Pack<SF...>, Pack<C...>, Pack<CF...>> {
  static constexpr int row_axis   = Shape::row_axis;
  static constexpr int plane_axis = Shape::plane_axis;
  static constexpr int W          = Shape::width;
  static constexpr int R          = Shape::rows;
  static constexpr int reach      = Shape::reach;
  static constexpr int depth      = Shape::depth;
  static constexpr int threads    = Shape::threads;
  static constexpr int resident   = Shape::resident;

  using StateIndices    = std::make_integer_sequence<int, int(sizeof...(S))>;
  using ConstantIndices = std::make_integer_sequence<int, int(sizeof...(C))>;

  Functor f;
  Pack<FieldRef<S, 3>...> from;
  Pack<FieldRef<S, 3>...> to;
  Pack<FieldRef<C const, 3>...> constants;
  FieldGeometry geometry;
  TileTasks tasks;

#ifdef __CUDA_ARCH__
  __device__ __forceinline__ void run(std::uint32_t task, unsigned char* memory, int thread) const {
    sweep(task, memory, thread, StateIndices(), ConstantIndices());
  }

 private:
  template <class Field>
  static constexpr int planes_of = 2 * Shape::template planes_of<Field> + 1;
  template <class T, class Field>
  using Window = TileWindow<T, W, Shape::template across<Field>, R, Shape::template rows_of<Field>, planes_of<Field>>;
  using Values = Bundle<TileRows<S, W, R>...>;
  /// What a thread keeps of each level.
  template <class T, class Field>
  struct Columns {
    TileColumn<T, W, R, 2 * Shape::template planes_of<Field> + 1> level[depth];
  };
  using Held = Bundle<Columns<S, SF>..., Columns<C, CF>...>;

  /// What a thread knows of its place.
  struct Place {
    unsigned char* memory;
    int own;            ///< bytes from the begin of a plane to its first vector
    int row_bytes;      ///< from a row of the tile to the next one
    int rows;           ///< of the tile
    int row;            ///< the first one of the thread, in the tile
    int column;         ///< the first column, which may lie outside
    int column0, row0;  ///< the same of the tile
    int lane;
    bool idle;                    ///< it has no place of its own
    int first, last;              ///< planes that the task owns
    std::uint32_t changes;        ///< which points sweeps change, a bit each
    std::uint32_t kept;           ///< and which of them are written
    bool all_change;              ///< so for the whole block
    bool follows;                 ///< whether points of the block are reflections
    bool whole;                   ///< whether vectors are read whole
    int start;                    ///< and from which column on
    std::int32_t const* columns;  ///< where those of the thread are read, or -1 - side for the constant of a face
    std::int32_t const* lines;    ///< the same for rows
    std::uint32_t needed;         ///< levels of which somebody in the warp computes what is needed, a bit each
    bool plain;                   ///< whether nothing but whole vectors is read, as long as planes are inside
    int easy_first, easy_last;    ///< planes about which no boundary has a say
  };

  template <int I>
  __device__ __forceinline__ static constexpr int state_planes(int level) {
    return (I * depth + level) * Shape::state_planes;
  }
  template <int J>
  __device__ __forceinline__ static constexpr int constant_planes() {
    return int(sizeof...(S)) * depth * Shape::state_planes + J * Shape::constant_planes;
  }
  /// Where the thread's first vector of a plane lies.
  template <class T>
  __device__ __forceinline__ static T* at(Place const& p, int plane) {
    return reinterpret_cast<T*>(p.memory + plane * Shape::plane_bytes + p.own);
  }
  template <class T>
  __device__ __forceinline__ static void read(T const* from, StripVector<T, W>& to) {
    uint4 const raw = *reinterpret_cast<uint4 const*>(from);
    memcpy(&to, &raw, 16);
  }
  template <class T>
  __device__ __forceinline__ static void write(T* to, StripVector<T, W> const& from) {
    uint4 raw;
    memcpy(&raw, &from, 16);
    *reinterpret_cast<uint4*>(to) = raw;
  }
  __device__ __forceinline__ static bool mirrored(BoundaryKind kind) {
    return kind == BoundaryKind::mirror || kind == BoundaryKind::edge;
  }

  template <int... I, int... J>
  __device__ __forceinline__ void sweep(std::uint32_t task, unsigned char* memory, int thread,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) const {
    constexpr int row_reach = Shape::reach_rows;
    Place p;
    int const tile_x = static_cast<int>(task % static_cast<std::uint32_t>(tasks.tiles[0]));
    task /= static_cast<std::uint32_t>(tasks.tiles[0]);
    int const tile_y = static_cast<int>(task % static_cast<std::uint32_t>(tasks.tiles[1]));
    int const chunk  = static_cast<int>(task / static_cast<std::uint32_t>(tasks.tiles[1]));
    int const used   = tasks.lanes * tasks.teams;
    // Threads that have no place do what the last one does, but write nothing.
    int const t  = thread < used ? thread : used - 1;
    int const tx = t % tasks.lanes, ty = t / tasks.lanes;
    int const columns = tasks.lanes * W;
    p.rows            = tasks.teams * R;
    p.row             = ty * R;
    p.row_bytes       = tasks.lanes * 16;
    p.memory          = memory;
    p.own             = 16 + (p.row * tasks.lanes + tx) * 16;
    p.lane            = thread % 32;
    p.first           = tasks.begin[2] + chunk * tasks.owned[2];
    p.last            = min(p.first + tasks.owned[2], tasks.stop[2]);
    p.idle            = thread >= used;
    int const column0 = tasks.first[0] + tile_x * tasks.owned[0] - Shape::halo;
    int const row0    = tasks.first[1] + tile_y * tasks.owned[1] - depth * row_reach;
    p.column          = column0 + tx * W;
    p.column0         = column0;
    p.row0            = row0;

    // Where each column and row is read.
    auto* const table = reinterpret_cast<std::int32_t*>(memory + Shape::table);
    auto* const lines = table + columns;
    bool follows      = false;
    for (int k = thread; k < columns + p.rows; k += threads) {
      int const a          = k < columns ? Fast : row_axis;
      int const x          = k < columns ? column0 + k : row0 + k - columns;
      auto const extent    = static_cast<int>(geometry.extent[a]);
      int side             = -1;
      std::int64_t const m = map_near_index(x, extent, geometry.faces[a], side);
      table[k]             = side >= 0 ? -1 - side : m < 0 ? 0 : m >= extent ? extent - 1 : static_cast<int>(m);
      if (x < 0 || x >= extent) follows = follows || mirrored(geometry.faces[a][x < 0 ? 0 : 1].kind);
    }
    p.follows = __syncthreads_or(follows) != 0;
    p.columns = table + tx * W;
    p.lines   = lines + p.row;

    p.changes = p.kept           = 0;
    std::uint32_t column_changes = 0, column_kept = 0;
    bool whole = true, unread = true;
    auto const extent_x   = static_cast<int>(geometry.extent[Fast]);
    auto const over       = [](int n) { return (n + W - 1) / W; };
    bool const owned_lane = tx * W >= Shape::halo && tx * W < Shape::halo + tasks.owned[0];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      int const x = p.column + v, at = p.columns[v];
      bool const out     = x < 0 || x >= geometry.extent[Fast];
      bool const repeats = !out || geometry.faces[Fast][0].kind == BoundaryKind::periodic;
      if (repeats && at >= tasks.begin[0] && at < tasks.stop[0]) column_changes |= 1u << v;
      if (!out && owned_lane && (column_changes & 1u << v) != 0) column_kept |= 1u << v;
      whole  = whole && at == p.columns[0] + v && at >= 0 && (at - x) % W == 0;
      unread = unread && out && geometry.faces[Fast][x < 0 ? 0 : 1].kind == BoundaryKind::halo;
    }
    // Beyond ghost values nothing is needed: something is read that is there.
    p.start = p.columns[0];
    if (unread) p.start = p.column < 0 ? p.column + over(-p.column) * W : p.column - over(p.column + W - extent_x) * W;
    p.whole              = tasks.aligned && (whole || (unread && p.start >= 0 && p.start + W <= extent_x));
    int const owned_rows = min(tasks.owned[1], tasks.stop[1] - (row0 + depth * row_reach));
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      int const y = row0 + p.row + k, at = p.lines[k], own = p.row + k - depth * row_reach;
      bool const out     = y < 0 || y >= geometry.extent[row_axis];
      bool const repeats = !out || geometry.faces[row_axis][0].kind == BoundaryKind::periodic;
      if (repeats && at >= tasks.begin[1] && at < tasks.stop[1]) p.changes |= column_changes << (W * k);
      if (!out && own >= 0 && own < owned_rows && !p.idle) p.kept |= column_kept << (W * k);
    }
    constexpr std::uint32_t all = (1u << (W * R - 1)) - 1u + (1u << (W * R - 1));
    p.all_change                = __syncthreads_and(p.changes == all) != 0;
    p.needed                    = 0;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int s = 0; s < depth; ++s) {
      int const margin = (depth - 1 - s) * row_reach;
      int const begin  = depth * row_reach - margin;
      bool const any   = p.row + R > begin && p.row < begin + tasks.owned[1] + 2 * margin;
      if (__any_sync(0xffffffffu, any) != 0) p.needed |= 1u << s;
    }
    p.plain = p.whole;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) p.plain = p.plain && p.lines[k] >= 0;
    p.easy_first = max(tasks.begin[2], reach);
    p.easy_last  = min(tasks.stop[2], static_cast<int>(geometry.extent[plane_axis]) - reach);

    Bundle<Offsets<S>...> state;
    Bundle<Offsets<C>...> constant;
    (offsets(p, pack_get<I>(from), bundle_get<I>(state)), ...);
    (offsets(p, pack_get<J>(constants), bundle_get<J>(constant)), ...);
    int const begin   = p.first - depth * reach;  // of what is read
    auto const planes = static_cast<int>(geometry.extent[plane_axis]);
    int const steps   = p.last - p.first + (depth - 1) * (2 * reach + 1);
    int slot          = 0;  // of constants, the plane that is read
    Held held;
#pragma unroll 1
    for (int i = -2 * reach - 1; i < steps; ++i) {
      if (i >= 0) {
        StripCopy::wait<0>();
        __syncthreads();
      }
      int const n = i + 2 * reach + 1, plane = begin + n;
      if (plane < p.last + depth * reach) {
        int z = plane;
        if (z < 0 || z >= planes) {
          int side             = -1;
          std::int64_t const m = map_near_index(plane, planes, geometry.faces[plane_axis], side);
          z                    = side >= 0 ? -1 - side : m < 0 ? 0 : m >= planes ? planes - 1 : static_cast<int>(m);
        }
        (fetch_plane(p, at<S>(p, state_planes<I>(0) + n % Shape::state_planes), pack_get<I>(from), bundle_get<I>(state),
                     z),
         ...);
        (fetch_plane(p, at<C>(p, constant_planes<J>() + slot), pack_get<J>(constants), bundle_get<J>(constant), z),
         ...);
      }
      StripCopy::commit();
      if (i >= 0) {
        all_levels(p, held, i, begin, slot, std::make_integer_sequence<int, depth>());
        if (p.follows) {
          __syncthreads();
          for (int level = 0; level + 1 < depth; ++level) follow(p, level, i, StateIndices());
        }
      }
      slot = slot + 1 == Shape::constant_planes ? 0 : slot + 1;
    }
  }

  /// Of a field: where the rows of the thread begin, from the begin of a plane on.
  template <class T>
  struct Offsets {
    std::int32_t row[R];
  };
  template <class T, class U>
  __device__ __forceinline__ void offsets(Place const& p, FieldRef<T, 3> const& field, Offsets<U>& to) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      int const y = p.lines[k];
      to.row[k]   = (y < 0 ? 0 : y) * static_cast<std::int32_t>(field.stride[row_axis]) + (p.whole ? p.start : 0);
    }
  }
  template <class U, class T>
  __device__ __forceinline__ void fetch_plane(Place const& p, U* to, FieldRef<T, 3> const& field,
                                              Offsets<U> const& offset, int plane) const {
    T const* const data = field.data + (plane < 0 ? 0 : plane) * field.stride[plane_axis];
    if (p.plain && plane >= 0) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < R; ++k) StripCopy::run<16>(row_at(p, to, k), data + offset.row[k]);
      return;
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      U* const row       = row_at(p, to, k);
      T const* const all = data + offset.row[k];
      int const y        = p.lines[k];
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        int const x = p.columns[v];
        // The first axis that meets a constant decides.
        int const place[3] = {Fast == 0 ? x : plane, y, Fast == 0 ? plane : x};
        int const a        = place[0] < 0 ? 0 : place[1] < 0 ? 1 : 2;
        int const m        = place[0] < 0 ? place[0] : place[1] < 0 ? place[1] : place[2];
        if (m < 0) {
          row[v] = static_cast<U>(geometry.faces[a][-1 - m].constant);
        } else {
          StripCopy::run<int(sizeof(U))>(row + v, all + (p.whole ? v : x));
        }
      }
    }
  }

  /// The plane that a level reads for this one.
  __device__ __forceinline__ int source(int level, int plane) const {
    auto const extent = static_cast<int>(geometry.extent[plane_axis]);
    if (level > 0 && (plane < 0 || plane >= extent)) {
      BoundaryKind const kind = geometry.faces[plane_axis][plane < 0 ? 0 : 1].kind;
      if (kind == BoundaryKind::mirror) return plane < 0 ? -1 - plane : 2 * extent - 1 - plane;
      if (kind == BoundaryKind::edge) return plane < 0 ? 0 : extent - 1;
    }
    return plane;
  }

  template <int... Level>
  __device__ __forceinline__ void all_levels(Place const& p, Held& held, int i, int begin, int slot,
                                             std::integer_sequence<int, Level...>) const {
    (one_level<Level>(p, held, i, begin, slot, StateIndices(), ConstantIndices()), ...);
  }
  /// A level becomes the next one in a plane. `begin`: the first plane of all that is read; `slot`: of constants, where
  /// the newest plane is going to be.
  template <int level, int... I, int... J>
  __device__ __forceinline__ void one_level(Place const& p, Held& held, int i, int begin, int slot,
                                            std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) const {
    int const n    = reach + i - level * Shape::lag;  // of the planes that are read
    int const z    = begin + n;
    int const more = (depth - 1 - level) * reach;
    if ((p.needed >> level & 1u) == 0 || z < p.first - more || z >= p.last + more) return;

    // The planes around, which for reflections are others.
    int planes[2 * reach + 1];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k <= 2 * reach; ++k)
      planes[k] = static_cast<int>(unsigned(n + k - reach) % unsigned(Shape::state_planes));
    int at      = z;
    bool active = true;
    if (z < p.easy_first || z >= p.easy_last) {
      auto const extent = static_cast<int>(geometry.extent[plane_axis]);
      if (z < 0 || z >= extent) {
        BoundaryKind const kind = geometry.faces[plane_axis][z < 0 ? 0 : 1].kind;
        // What is beyond a mirror is never read.
        if (mirrored(kind)) return;
        active = kind == BoundaryKind::periodic;
        at     = z < 0 ? z + extent : z - extent;
      }
      active = active && at >= tasks.begin[2] && at < tasks.stop[2];
      at     = min(max(at, tasks.begin[2]), tasks.stop[2] - 1);
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k <= 2 * reach; ++k) {
        planes[k] = (source(level, z + k - reach) - begin) % Shape::state_planes;
      }
    }
    // Constants have planes of their own beyond mirrors, too. The slots before that of the newest plane.
    int around[2 * reach + 1];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k <= 2 * reach; ++k) {
      int const s = slot - (2 * reach + 1 - k) - level * Shape::lag;
      around[k]   = s < 0 ? s + Shape::constant_planes : s;
    }

    Bundle<Window<S, SF>...> state_windows;
    Bundle<Window<C, CF>...> constant_windows;
    bool const anew = z == p.first - more || z == 0;
    (gather(p, state_planes<I>(level), planes, anew, bundle_get<I>(held).level[level], bundle_get<I>(state_windows)),
     ...);
    (gather(p, constant_planes<J>(), around, anew, bundle_get<int(sizeof...(S)) + J>(held).level[level],
            bundle_get<J>(constant_windows)),
     ...);
    Values next;
    evaluate(p, at, state_windows, constant_windows, next, StateIndices(), ConstantIndices());
    if (!active || !p.all_change) {
      std::uint32_t const mask = active ? p.changes : 0u;
      (keep(bundle_get<I>(state_windows), mask, bundle_get<I>(next)), ...);
    }
    if constexpr (level + 1 < depth) {
      int const to = static_cast<int>(unsigned(n) % unsigned(Shape::state_planes));
      (put(p, TileKernel::template at<S>(p, state_planes<I>(level + 1) + to), bundle_get<I>(next)), ...);
    } else {
      (store(p, pack_get<I>(this->to), z, bundle_get<I>(next)), ...);
    }
  }
  template <class T>
  __device__ __forceinline__ static T* row_at(Place const& p, T* vector, int rows) {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(vector) + rows * p.row_bytes);
  }
  template <class T>
  __device__ __forceinline__ static T const* row_at(Place const& p, T const* vector, int rows) {
    return reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(vector) + rows * p.row_bytes);
  }

  /// What is around the points of the thread; its own vectors are kept for the next plane. The compiler drops what the
  /// functor does not read.
  template <class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ static void gather(Place const& p, int first_plane, int const (&planes)[2 * reach + 1],
                                                bool anew, TileColumn<T, W, R, Planes>& column,
                                                TileWindow<T, W, Halo, R, RowReach, Planes>& window) {
    T const* base[Planes];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Planes; ++k) base[k] = at<T>(p, first_plane + planes[k + reach - Planes / 2]);
    auto const own = [&](int k) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int r = 0; r < R; ++r) read(row_at(p, base[k], r), column.plane[k][r]);
    };
    if (anew) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k + 1 < Planes; ++k) own(k);
    } else {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k + 1 < Planes; ++k) {
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int r = 0; r < R; ++r) column.plane[k][r] = column.plane[k + 1][r];
      }
    }
    own(Planes - 1);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Planes; ++k) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int y = -RowReach; y < R + RowReach; ++y) {
        // Past the tile nothing is right anyway, but all is memory of it.
        int const to          = y < 0 ? max(y, -p.row) : y < R ? y : min(y, p.rows - 1 - p.row);
        T const* const vector = row_at(p, base[k], to);
        StripVector<T, W> row;
        if (y >= 0 && y < R) {
          row = column.plane[k][y < 0 ? 0 : y >= R ? R - 1 : y];
        } else {
          read(vector, row);
        }
        T* const values = window.value[k][y + RowReach];
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int v = 0; v < W; ++v) values[Halo + v] = row.value[v];
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int d = 0; d < Halo; ++d) {
          values[d]            = vector[d - Halo];
          values[Halo + W + d] = vector[W + d];
        }
      }
    }
  }

  template <class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ static BasicNeighborhood<T, 3> near(
      TileWindow<T, W, Halo, R, RowReach, Planes> const& window, ViewIndex<3> const& i, int v, int r) {
    VectorPlace place;
    place.width             = W;
    place.lane              = v;
    place.axis              = Fast;
    place.plane_axis        = plane_axis;
    place.rows              = R + 2 * RowReach;
    place.row               = RowReach + r;
    place.planes            = Planes;
    place.halo              = Halo;
    ViewIndex<3> const none = {0, 0, 0};
    return BasicNeighborhood<T, 3>(nullptr, none, i, place, &window.value[0][0][0]);
  }
  template <class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ static T center(TileWindow<T, W, Halo, R, RowReach, Planes> const& window, int v, int r) {
    return window.value[Planes / 2][RowReach + r][Halo + v];
  }

  template <class States, class Fixed, int... I, int... J>
  __device__ __forceinline__ void evaluate(Place const& p, int plane, States const& states, Fixed const& fixed,
                                           Values& next, std::integer_sequence<int, I...>,
                                           std::integer_sequence<int, J...>) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        ViewIndex<3> i;
        i[plane_axis] = plane;
        i[row_axis]   = min(max(p.lines[r], tasks.begin[1]), tasks.stop[1] - 1);
        i[Fast]       = min(max(p.columns[v], tasks.begin[0]), tasks.stop[0] - 1);
        if constexpr (Returns) {
          next.value.row[r].value[v] =
              f(near(bundle_get<I>(states), i, v, r)..., near(bundle_get<J>(fixed), i, v, r)...);
        } else {
          ((bundle_get<I>(next).row[r].value[v] = center(bundle_get<I>(states), v, r)), ...);
          f(near(bundle_get<I>(states), i, v, r)..., near(bundle_get<J>(fixed), i, v, r)...,
            bundle_get<I>(next).row[r].value[v]...);
        }
      }
    }
  }
  template <class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ static void keep(TileWindow<T, W, Halo, R, RowReach, Planes> const& window,
                                              std::uint32_t changes, TileRows<T, W, R>& next) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        T& value = next.row[r].value[v];
        value    = (changes & 1u << (W * r + v)) != 0 ? value : center(window, v, r);
      }
    }
  }
  template <class T>
  __device__ __forceinline__ static void put(Place const& p, T* to, TileRows<T, W, R> const& next) {
    if (p.idle) return;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) write(row_at(p, to, r), next.row[r]);
  }
  template <class T>
  __device__ __forceinline__ void store(Place const& p, FieldRef<T, 3> const& field, int plane,
                                        TileRows<T, W, R> const& next) const {
    T* const data = field.data + plane * field.stride[plane_axis];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      std::uint32_t const kept = p.kept >> (W * r) & ((1u << W) - 1);
      if (kept == 0) continue;
      T* const row = data + p.lines[r] * static_cast<std::int32_t>(field.stride[row_axis]) + p.column;
      if (kept == (1u << W) - 1 && tasks.aligned) {
        write(row, next.row[r]);
        continue;
      }
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        if ((kept & 1u << v) != 0) row[v] = next.row[r].value[v];
      }
    }
  }

  /// Points beyond mirrors get the values of those that they reflect, in the plane that a level made.
  template <int... I>
  __device__ __forceinline__ void follow(Place const& p, int level, int i, std::integer_sequence<int, I...>) const {
    int const n = reach + i - level * Shape::lag;
    if (n < 0) return;
    int const plane = (level + 1) * Shape::state_planes + n % Shape::state_planes;
    (follow_plane(p, at<S>(p, state_planes<I>(0) + plane)), ...);
  }
  template <class T>
  __device__ __forceinline__ void follow_plane(Place const& p, T* vector) const {
    // From the begin of the plane on.
    T* const plane    = reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(vector) - p.own + 16);
    int const columns = tasks.lanes * W;
    // Where a place of the tile gets its value from, in the tile; itself if it is no reflection.
    auto const from_where = [&](int axis, int place, int origin, int mapped) {
      int const x       = origin + place;
      bool const beyond = x < 0 || x >= static_cast<int>(geometry.extent[axis]);
      return beyond && mirrored(geometry.faces[axis][x < 0 ? 0 : 1].kind) ? mapped - origin : place;
    };
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      int const y = from_where(row_axis, p.row + r, p.row0, p.lines[r]);
#pragma unroll 1
      for (int v = 0; v < W; ++v) {
        int const own = p.column - p.column0 + v;
        int const x   = from_where(Fast, own, p.column0, p.columns[v]);
        if ((x == own && y == p.row + r) || x < 0 || x >= columns || y < 0 || y >= p.rows) continue;
        row_at(p, vector, r)[v] = plane[y * columns + x];
      }
    }
  }
#endif
};

template <class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::resident)
    sweep_tiles(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  extern __shared__ uint4 strip_memory[];
  kernel.run(blockIdx.x, reinterpret_cast<unsigned char*>(strip_memory), static_cast<int>(threadIdx.x));
#endif
}

/// Many sweeps, two in one pass where that is faster.
template <int Fast, bool Returns, class Functor, class States, class Fields, class Constants, class ConstantFields>
class TileSweeps {
  using Shape  = TileShape<Fast, States, Fields, Constants, ConstantFields>;
  using Kernel = TileKernel<Shape, Fast, Returns, Functor, States, Fields, Constants, ConstantFields>;
  /// Whether volumes are swept so without being asked: not before the tests of every layout have run on a GPU.
  static constexpr bool by_itself = false;

 public:
  TileSweeps(Kokkos::Cuda const& space, FunctorRange const& where, FieldGeometry const& geometry,
             std::vector<ViewInfo> const& views, std::int64_t steps, bool forced)
      : m_space(space), m_geometry(geometry), m_timer(verdict()) {
    StripDevice const current(space.cuda_device());
    auto const& device = space.cuda_device_prop();
    cudaFuncAttributes attributes{};
    if (device.major < 8) m_reason = "the GPU has no asynchronous copies";
    if (m_reason.empty() && !prepared(attributes)) m_reason = "the GPU has not the shared memory";
    // A few values that find no register do no harm.
    if (m_reason.empty() && attributes.localSizeBytes > 256) {
      m_reason = "the functor reads by offsets that are no literals, or is too large for registers";
    }
    TileKernelInfo info{Shape::width,
                        Shape::rows,
                        Shape::threads,
                        Shape::depth,
                        {Shape::reach_across, Shape::reach_rows, Shape::reach},
                        States::size,
                        Constants::size,
                        Shape::value_size,
                        Shape::resident,
                        device.multiProcessorCount};
    TileProblem const problem{{Fast, Shape::row_axis, Shape::plane_axis}, where, &m_geometry, views};
    if (m_reason.empty()) m_reason = tiles_unsupported(info, problem);
    if (!m_reason.empty()) return;
    m_schedule = tile_schedule(info, problem, steps, forced, device_model(SpaceTraits<Kokkos::Cuda>::info(space)));
    if (forced) return;
    if (!by_itself) {
      m_reason = "volumes go otherwise only where the backend functor_temporal is asked for";
    } else if (m_timer.slower()) {
      m_reason = timed_slower;
    } else if (m_schedule.passes == 0) {
      m_reason = "one sweep at a time is predicted to be faster";
    } else if (m_schedule.fills && steps >= PassTimer::sweeps(Shape::depth)) {
      m_timer.begin(space);
    }
  }

  /// Why sweeps are done one at a time, or nothing.
  std::string const& reason() const { return m_reason; }

  /// For explain().
  std::string text() const {
    std::string const times = m_schedule.pass_seconds > 0.0 ? "; " + schedule_text(m_schedule, Shape::depth) : "";
    return m_reason.empty() ? "functor_temporal, " + std::to_string(Shape::depth) + " sweeps in a pass" + times
                            : "one sweep at a time, since " + m_reason + times;
  }

  /// How many sweeps the next pass does; 0: one, as if there were no passes.
  int next(std::int64_t left) {
    if (!m_reason.empty()) return 0;
    if (m_timer.times()) {
      PassTimer::Next const next = m_timer.next(m_space, Shape::depth);
      if (next != PassTimer::Next::done) return next == PassTimer::Next::pass ? Shape::depth : 0;
      if (m_timer.slower()) {
        m_reason = timed_slower;
        return 0;
      }
    }
    return left >= Shape::depth ? Shape::depth : 0;
  }

  template <class... FromViews, class... ToViews, class... ConstantViews, int... I, int... J>
  void pass(std::string const& label, Functor const& f, Pack<FromViews...> const& from, Pack<ToViews...> const& to,
            Pack<ConstantViews...> const& constants, int, std::integer_sequence<int, I...>,
            std::integer_sequence<int, J...>) const {
    Kernel const kernel{f,
                        {field_ref(pack_get<I>(from))...},
                        {field_ref(pack_get<I>(to))...},
                        {fixed_ref(pack_get<J>(constants))...},
                        m_geometry,
                        m_schedule.tasks};
    StripDevice const current(m_space.cuda_device());
    ToolsRegion const region(make_launch(label, m_space), true);
    sweep_tiles<Kernel><<<m_schedule.tasks.count(), Shape::threads, Shape::bytes, m_space.cuda_stream()>>>(kernel);
    cudaError_t const error = cudaGetLastError();
    if (error != cudaSuccess) fail(label, std::string("a kernel could not be launched: ") + cudaGetErrorString(error));
  }

 private:
  static std::atomic<PassTimer::Verdict>& verdict() {
    static std::atomic<PassTimer::Verdict> v{PassTimer::Verdict::none};
    return v;
  }
  template <class View>
  static auto fixed_ref(View const& view) {
    auto const r = field_ref(view);
    return FieldRef<typename View::const_value_type, 3>{r.data, {r.stride[0], r.stride[1], r.stride[2]}};
  }
  static bool prepared(cudaFuncAttributes& attributes) {
    if (cudaFuncGetAttributes(&attributes, &sweep_tiles<Kernel>) != cudaSuccess) return false;
    bool const enough = Shape::bytes <= 48 * 1024 ||
                        cudaFuncSetAttribute(&sweep_tiles<Kernel>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             Shape::bytes) == cudaSuccess;
    if (!enough) cudaGetLastError();
    return enough;
  }

  Kokkos::Cuda m_space;
  FieldGeometry m_geometry;
  TileSchedule m_schedule;
  std::string m_reason;
  PassTimer m_timer;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
