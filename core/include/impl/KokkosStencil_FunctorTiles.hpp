// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_FunctorStrips.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_PaddedFields.hpp>
#include <impl/KokkosStencil_SeveralSweeps.hpp>
#include <impl/KokkosStencil_TileTasks.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Two sweeps of a functor in one pass over volumes. A block goes along the slowest axis with a tile of the other two.
// Each level, the field after none of the sweeps and after the first, is held as the planes around one plane, in shared
// memory; a thread keeps its own points of these planes in registers. Both levels advance by one plane between two
// barriers, so that the second lags behind the first by two planes. All planes of all tiles are dealt out to blocks
// evenly, as many blocks as run at the same time: none waits for a last wave.

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
  /// Of a thread. Two share what they read, but what they keep must fit into registers: spilled, they have no cache.
  static constexpr int rows     = 5 * int(sizeof...(S)) + 2 * int(sizeof...(C)) <= 7 ? 2 : 1;
  static constexpr int resident = 1;  ///< blocks that a multiprocessor must be able to run

  static constexpr int state_planes    = 4;  ///< those around a plane and the next one
  static constexpr int constant_planes = 6;  ///< the same for both levels
  static constexpr int planes          = int(sizeof...(S)) * depth * state_planes + int(sizeof...(C)) * constant_planes;
  static constexpr int table_bytes     = 2560;
  static constexpr int memory          = 227 * 1024 / resident - table_bytes;  ///< for planes
  /// As many threads as the planes leave memory for. Registers belong to a quarter of a multiprocessor: a warp that the
  /// others have not would halve them.
  static constexpr int by_memory    = (memory / planes / 16 - 2) / rows / 128 * 128;
  static constexpr int most_threads = rows == 2 ? 512 : 768;
  static constexpr int threads      = by_memory < most_threads ? by_memory : most_threads;

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

/// Values of a thread, a vector in each of its rows.
template <class T, int Width, int Rows>
struct TileRows {
  StripVector<T, Width> row[Rows];
};
/// Those of a state in three planes of each level, and what the first level made last.
template <class T, int Width, int Rows>
struct TileState {
  TileRows<T, Width, Rows> first[3], second[3], made;
};
/// Those of a constant in the planes that the first level reads.
template <class T, int Width, int Rows>
struct TileConstant {
  TileRows<T, Width, Rows> plane[3];
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
  static constexpr int outside    = depth * reach;  ///< planes beyond each face that are read

  using StateIndices    = std::make_integer_sequence<int, int(sizeof...(S))>;
  using ConstantIndices = std::make_integer_sequence<int, int(sizeof...(C))>;

  Functor f;
  Pack<FieldRef<S, 3>...> from;
  Pack<FieldRef<S, 3>...> to;
  Pack<FieldRef<C const, 3>...> constants;
  FieldGeometry geometry;
  TileTasks tasks;

#ifdef __CUDA_ARCH__
  __device__ __forceinline__ void run(std::uint32_t block, unsigned char* memory, int thread) const {
    sweep(block, memory, thread, StateIndices(), ConstantIndices());
  }

 private:
  template <class Field>
  static constexpr int planes_of = 2 * Shape::template planes_of<Field> + 1;
  /// Whether a thread holds its own values of a field in registers.
  template <class Field>
  static constexpr bool holds = Shape::template planes_of<Field> != 0;
  template <class T, class Field>
  using Window = TileWindow<T, W, Shape::template across<Field>, R, Shape::template rows_of<Field>, planes_of<Field>>;
  using Values = Bundle<TileRows<S, W, R>...>;
  using Held   = Bundle<TileState<S, W, R>..., TileConstant<C, W, R>...>;

  /// What a thread knows of its place, in as few registers as can be.
  struct Place {
    unsigned char* memory;  ///< of the block
    unsigned char* own;     ///< where its first vector of the first plane lies
    int up, down;           ///< to the rows before and behind its own, in bytes
    int row, column;        ///< the first ones, which may lie outside
    int row0, column0;      ///< the same of the tile
    int start;              ///< where its vector is read
    int line[R];            ///< where its rows are read
    int first, last;        ///< planes that the block owns
    std::uint32_t bits;     ///< what follows, and of each point whether sweeps change it and whether it is written

    static constexpr int points            = W * R;
    static constexpr std::uint32_t all     = (1u << (points - 1)) - 1u + (1u << (points - 1));
    static constexpr std::uint32_t idle    = 1u << 31;  ///< it has no place of its own
    static constexpr std::uint32_t plain   = 1u << 30;  ///< nothing but whole vectors is read, in planes inside
    static constexpr std::uint32_t whole   = 1u << 29;  ///< the same but for rows beyond a face with a constant
    static constexpr std::uint32_t follows = 1u << 28;  ///< points of the block are reflections
    static constexpr std::uint32_t fixed   = 1u << 27;  ///< there are points of the block that do not change
    static constexpr std::uint32_t needed  = 1u << 26;  ///< the warp has points that are written
    static_assert(2 * points <= 26, "bits");

    __device__ __forceinline__ bool has(std::uint32_t flag) const { return (bits & flag) != 0; }
    __device__ __forceinline__ std::uint32_t changes() const { return bits & all; }
    __device__ __forceinline__ std::uint32_t kept() const { return bits >> points & all; }
    /// Where planes beyond the faces are read, columns and rows; or -1 - side for the constant of a face.
    __device__ __forceinline__ std::int32_t const* planes() const {
      return reinterpret_cast<std::int32_t const*>(memory + Shape::table) + outside;
    }
    __device__ __forceinline__ std::int32_t const* columns() const { return planes() + outside + (column - column0); }
  };
  /// Where the rows of a thread are read.
  __device__ __forceinline__ std::int32_t const* lines(Place const& p) const {
    return p.planes() + outside + tasks.lanes * W + (p.row - p.row0);
  }
  /// Where planes lie, in bytes: of states those around plane z and the next one; of constants z - 3 to z + 2.
  struct Slots {
    int state[Shape::state_planes], constant[Shape::constant_planes];
  };

  /// From the first plane of all to those of a state at a level, and of a constant, in bytes.
  template <int I>
  __device__ __forceinline__ static constexpr int state_bytes(int level) {
    return (I * depth + level) * Shape::state_planes * Shape::plane_bytes;
  }
  template <int J>
  __device__ __forceinline__ static constexpr int constant_bytes() {
    return (int(sizeof...(S)) * depth * Shape::state_planes + J * Shape::constant_planes) * Shape::plane_bytes;
  }
  template <class T>
  __device__ __forceinline__ static T* at(Place const& p, int bytes) {
    return reinterpret_cast<T*>(p.own + bytes);
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

  /// All that the block does.
  template <int... I, int... J>
  __device__ __forceinline__ void sweep(std::uint32_t block, unsigned char* memory, int thread,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) const {
    int const planes = tasks.stop[2] - tasks.begin[2];
    int item         = static_cast<int>(block) * tasks.share;
    int const end    = min(item + tasks.share, tasks.tiles[0] * tasks.tiles[1] * planes);
#pragma unroll 1
    while (item < end) {
      // By way of a lane the compiler knows that all have the same.
      int const tile = __shfl_sync(0xffffffffu, item / planes, 0);
      Place p;
      p.first = tasks.begin[2] + item - tile * planes;
      p.last  = min(p.first + end - item, tasks.stop[2]);
      item += p.last - p.first;
      find_place(p, tile, memory, thread);
      along(p, StateIndices(), ConstantIndices());
      __syncthreads();
    }
  }

  __device__ __forceinline__ void find_place(Place& p, int tile, unsigned char* memory, int thread) const {
    constexpr int row_reach = Shape::reach_rows;
    int const used          = tasks.lanes * tasks.teams;
    // Threads that have no place do what the last one does, but write nothing.
    int const t  = thread < used ? thread : used - 1;
    int const tx = t % tasks.lanes, ty = t / tasks.lanes;
    int const columns = tasks.lanes * W, rows = tasks.teams * R;
    int const column0   = tasks.first[0] + tile % tasks.tiles[0] * tasks.owned[0] - Shape::halo;
    int const row0      = tasks.first[1] + tile / tasks.tiles[0] * tasks.owned[1] - depth * row_reach;
    p.row0              = row0;
    p.column0           = column0;
    p.bits              = thread >= used ? Place::idle : 0u;
    int const row_bytes = tasks.lanes * 16;
    p.memory            = memory;
    p.own               = memory + 16 + (ty * R * tasks.lanes + tx) * 16;
    p.column            = column0 + tx * W;
    p.row               = row0 + ty * R;
    // Past the tile nothing is right anyway, but all is memory of it.
    p.up   = ty == 0 ? 0 : -row_bytes;
    p.down = (ty == tasks.teams - 1 ? R - 1 : R) * row_bytes;

    // Where each column, row and plane outside is read.
    auto* const beyond = reinterpret_cast<std::int32_t*>(memory + Shape::table);
    auto* const table  = beyond + 2 * outside;
    bool follows       = false;
    for (int k = thread; k < columns + rows + 2 * outside; k += threads) {
      int const n                    = k - columns - rows;
      int const a                    = k < columns ? Fast : n < 0 ? row_axis : plane_axis;
      int const x                    = k < columns ? column0 + k
                                       : n < 0     ? row0 + k - columns
                                               : n - outside + (n < outside ? 0 : static_cast<int>(geometry.extent[plane_axis]));
      auto const extent              = static_cast<int>(geometry.extent[a]);
      int side                       = -1;
      std::int64_t const m           = map_near_index(x, extent, geometry.faces[a], side);
      (n < 0 ? table[k] : beyond[n]) = side >= 0     ? -1 - side
                                       : m < 0       ? 0
                                       : m >= extent ? extent - 1
                                                     : static_cast<int>(m);
      if (n < 0 && (x < 0 || x >= extent)) follows = follows || mirrored(geometry.faces[a][x < 0 ? 0 : 1].kind);
    }
    if (__syncthreads_or(follows) != 0) p.bits |= Place::follows;
    std::int32_t const *const at_columns = table + tx * W, *const at_rows = table + columns + ty * R;
    std::uint32_t column_changes = 0, column_kept = 0;
    bool whole = true, part = !tasks.aligned, unread = true;
    auto const extent_x   = static_cast<int>(geometry.extent[Fast]);
    auto const over       = [](int n) { return (n + W - 1) / W; };
    bool const owned_lane = tx * W >= Shape::halo && tx * W < Shape::halo + tasks.owned[0];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      int const x = p.column + v, at = at_columns[v];
      bool const out     = x < 0 || x >= extent_x;
      bool const repeats = !out || geometry.faces[Fast][0].kind == BoundaryKind::periodic;
      if (repeats && at >= tasks.begin[0] && at < tasks.stop[0]) column_changes |= 1u << v;
      if (!out && owned_lane && (column_changes & 1u << v) != 0) column_kept |= 1u << v;
      whole = whole && at == at_columns[0] + v && at >= 0 && (!tasks.aligned || (at - x) % W == 0);
      // Values past the ends of a row are those at its ends, or nothing needs them.
      part   = part && at == min(max(x, 0), extent_x - 1);
      unread = unread && out && geometry.faces[Fast][x < 0 ? 0 : 1].kind == BoundaryKind::halo;
    }
    // Beyond ghost values nothing is needed: something is read that is there.
    p.start = at_columns[0];
    if (unread) p.start = p.column < 0 ? p.column + over(-p.column) * W : p.column - over(p.column + W - extent_x) * W;
    whole = whole || (unread && p.start >= 0 && p.start + W <= extent_x);
    if (!whole && part) {
      whole   = true;
      p.start = p.column;
    }
    if (whole) p.bits |= Place::whole;
    if (!whole) p.start = 0;
    std::uint32_t changes = 0, kept = 0;
    int const owned_rows = min(tasks.owned[1], tasks.stop[1] - (row0 + depth * row_reach));
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      int const y = p.row + k, at = at_rows[k], own = ty * R + k - depth * row_reach;
      bool const out     = y < 0 || y >= geometry.extent[row_axis];
      bool const repeats = !out || geometry.faces[row_axis][0].kind == BoundaryKind::periodic;
      if (repeats && at >= tasks.begin[1] && at < tasks.stop[1]) changes |= column_changes << (W * k);
      if (!out && own >= 0 && own < owned_rows && !p.has(Place::idle)) kept |= column_kept << (W * k);
      p.line[k] = at;
      whole     = whole && at >= 0;
    }
    if (whole) p.bits |= Place::plain;
    if (__syncthreads_and(changes == Place::all) == 0) p.bits |= Place::fixed;
    int const own = ty * R - depth * row_reach;
    if (__any_sync(0xffffffffu, own + R > 0 && own < owned_rows) != 0) p.bits |= Place::needed;
    p.bits |= changes | kept << Place::points;
  }

  /// All planes that the block owns of a tile.
  template <int... I, int... J>
  __device__ __forceinline__ void along(Place const& p, std::integer_sequence<int, I...> states,
                                        std::integer_sequence<int, J...> fixed) const {
    constexpr int bytes = Shape::plane_bytes;
    // For z = first - 1; the planes before that are the first ones that are read.
    Slots slots{{0, bytes, 2 * bytes, 3 * bytes}, {4 * bytes, 5 * bytes, 0, bytes, 2 * bytes, 3 * bytes}};
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < 3; ++k) fetch(p, p.first - 2 + k, slots.state[k], slots.constant[2 + k], states, fixed);
    StripCopy::commit();
    StripCopy::wait<0>();
    __syncthreads();
    Held held;
    (begin_state<SF>(p, state_bytes<I>(0), slots, bundle_get<I>(held)), ...);
    (begin_constant<CF>(p, constant_bytes<J>(), slots, bundle_get<int(sizeof...(S)) + J>(held)), ...);
#pragma unroll 1
    for (int z = p.first - 1; z <= p.last + 1; ++z) {
      StripCopy::wait<0>();
      __syncthreads();
      if (z < p.last) fetch(p, z + 2, slots.state[3], slots.constant[5], states, fixed);
      StripCopy::commit();
      // The second level first: so fewer values are held at the same time.
      (advance_second<SF>(p, state_bytes<I>(1), slots, bundle_get<I>(held)), ...);
      if (z - 2 >= p.first && p.has(Place::needed)) second_level(p, held, z - 2, slots, states, fixed);
      (advance_first<SF>(p, state_bytes<I>(0), slots, bundle_get<I>(held)), ...);
      (advance_constant<CF>(p, constant_bytes<J>(), slots, bundle_get<int(sizeof...(S)) + J>(held)), ...);
      if (z <= p.last) first_level(p, held, z, slots, states, fixed);
      // No barrier where the compiler cannot know that all take it: nothing would be uniform.
      if (tasks.follows) {
        __syncthreads();
        if (z <= p.last && p.has(Place::follows)) {
          (follow_plane(p, at<S>(p, state_bytes<I>(1) + slots.state[1])), ...);
        }
      }
      int const oldest = slots.state[0];
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < 3; ++k) slots.state[k] = slots.state[k + 1];
      slots.state[3] = oldest;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < 5; ++k) slots.constant[k] = slots.constant[k + 1];
      slots.constant[5] = slots.constant[5] == 5 * bytes ? 0 : slots.constant[5] + bytes;
    }
  }

  template <class T>
  __device__ __forceinline__ void read_rows(Place const& p, int bytes, TileRows<T, W, R>& rows) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) read(row_at(at<T>(p, bytes), r), rows.row[r]);
  }
  /// Fields that are read in one plane only have their values read where they are needed.
  template <class Field, class T>
  __device__ __forceinline__ void begin_state(Place const& p, int planes, Slots const& slots,
                                              TileState<T, W, R>& held) const {
    if constexpr (holds<Field>) {
      read_rows(p, planes + slots.state[0], held.first[1]);
      read_rows(p, planes + slots.state[1], held.first[2]);
      held.second[1] = held.second[2] = held.made = held.first[1];
    }
  }
  template <class Field, class T>
  __device__ __forceinline__ void begin_constant(Place const& p, int planes, Slots const& slots,
                                                 TileConstant<T, W, R>& held) const {
    if constexpr (holds<Field>) {
      read_rows(p, planes + slots.constant[2], held.plane[1]);
      read_rows(p, planes + slots.constant[3], held.plane[2]);
    }
  }
  template <class Field, class T>
  __device__ __forceinline__ void advance_first(Place const& p, int planes, Slots const& slots,
                                                TileState<T, W, R>& held) const {
    if constexpr (holds<Field>) {
      held.first[0] = held.first[1];
      held.first[1] = held.first[2];
      read_rows(p, planes + slots.state[2], held.first[2]);
    }
  }
  template <class Field, class T>
  __device__ __forceinline__ void advance_second(Place const& p, int planes, Slots const& slots,
                                                 TileState<T, W, R>& held) const {
    if constexpr (holds<Field>) {
      held.second[0] = held.second[1];
      held.second[1] = held.second[2];
      held.second[2] = held.made;
      // Reflections came after it was made.
      if (p.has(Place::follows)) read_rows(p, planes + slots.state[0], held.second[2]);
    }
  }
  template <class Field, class T>
  __device__ __forceinline__ void advance_constant(Place const& p, int planes, Slots const& slots,
                                                   TileConstant<T, W, R>& held) const {
    if constexpr (holds<Field>) {
      held.plane[0] = held.plane[1];
      held.plane[1] = held.plane[2];
      read_rows(p, planes + slots.constant[4], held.plane[2]);
    }
  }

  /// Where a plane of a field begins.
  template <class T>
  __device__ __forceinline__ static T* begin_of(FieldRef<T, 3> const& field, int plane) {
    long long offset;
    asm("mul.wide.s32 %0, %1, %2;"
        : "=l"(offset)
        : "r"(plane), "r"(static_cast<std::int32_t>(field.stride[plane_axis])));
    T* data = field.data + offset;
    // Rows are added to this, not to the offset: one instruction each.
    asm("" : "+l"(data));
    __builtin_assume(__isGlobal(data));
    return data;
  }
  /// A plane of all fields comes, by the rules of the faces.
  template <int... I, int... J>
  __device__ __forceinline__ void fetch(Place const& p, int plane, int state, int constant,
                                        std::integer_sequence<int, I...>, std::integer_sequence<int, J...>) const {
    // Its place is that of a thread which fetches.
    if (p.has(Place::idle)) return;
    auto const planes = static_cast<int>(geometry.extent[plane_axis]);
    if (p.has(Place::plain) && plane >= 0 && plane < planes) {
      (fetch_vectors(p, at<S>(p, state_bytes<I>(0) + state), pack_get<I>(from), plane), ...);
      (fetch_vectors(p, at<C>(p, constant_bytes<J>() + constant), pack_get<J>(constants), plane), ...);
      return;
    }
    int const z = plane < 0 ? p.planes()[plane] : plane >= planes ? p.planes()[plane - planes] : plane;
    (fetch_values(p, at<S>(p, state_bytes<I>(0) + state), pack_get<I>(from), z), ...);
    (fetch_values(p, at<C>(p, constant_bytes<J>() + constant), pack_get<J>(constants), z), ...);
  }
  template <class U, class T>
  __device__ __forceinline__ void fetch_vectors(Place const& p, U* to, FieldRef<T, 3> const& field, int plane) const {
    T const* const data = begin_of(field, plane);
    auto const stride   = static_cast<std::int32_t>(field.stride[row_axis]);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      if (tasks.aligned) {
        StripCopy::run<16>(row_at(to, k), data + (p.line[k] * stride + p.start));
        continue;
      }
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        StripCopy::run<int(sizeof(U))>(row_at(to, k) + v, data + (p.line[k] * stride + place_in_row(p, v)));
      }
    }
  }
  /// Where a value of a whole vector is read.
  __device__ __forceinline__ int place_in_row(Place const& p, int v) const {
    int const x = p.start + v;
    return tasks.aligned ? x : min(max(x, 0), static_cast<int>(geometry.extent[Fast]) - 1);
  }
  /// Some values or all lie outside.
  template <class U, class T>
  __device__ __forceinline__ void fetch_values(Place const& p, U* to, FieldRef<T, 3> const& field, int plane) const {
    T const* const data   = begin_of(field, plane < 0 ? 0 : plane);
    auto const row_stride = static_cast<std::int32_t>(field.stride[row_axis]);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < R; ++k) {
      U* const row       = row_at(to, k);
      int const y        = lines(p)[k];
      T const* const all = data + (y < 0 ? 0 : y) * row_stride;
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        int const x = p.columns()[v];
        // The first axis that meets a constant decides.
        int const place[3] = {Fast == 0 ? x : plane, y, Fast == 0 ? plane : x};
        int const a        = place[0] < 0 ? 0 : place[1] < 0 ? 1 : 2;
        int const m        = place[0] < 0 ? place[0] : place[1] < 0 ? place[1] : place[2];
        if (m < 0) {
          row[v] = constant_as<U>(geometry.faces[a][-1 - m].constant);
        } else {
          StripCopy::run<int(sizeof(U))>(row + v, all + (p.has(Place::whole) ? place_in_row(p, v) : x));
        }
      }
    }
  }

  /// The fields become those after the first sweep in plane z, which may lie outside.
  template <int... I, int... J>
  __device__ __forceinline__ void first_level(Place const& p, Held& held, int z, Slots const& slots,
                                              std::integer_sequence<int, I...> states,
                                              std::integer_sequence<int, J...> fixed) const {
    auto const extent = static_cast<int>(geometry.extent[plane_axis]);
    int at            = z;
    if (z < 0 || z >= extent) {
      BoundaryKind const kind = geometry.faces[plane_axis][z < 0 ? 0 : 1].kind;
      // What is beyond a mirror is never read.
      if (mirrored(kind)) return;
      at = kind != BoundaryKind::periodic ? -1 : z < 0 ? z + extent : z - extent;
    }
    bool const active = at >= tasks.begin[2] && at < tasks.stop[2];
    at                = min(max(at, tasks.begin[2]), tasks.stop[2] - 1);
    Bundle<Window<S, SF>...> state_windows;
    Bundle<Window<C, CF>...> constant_windows;
    (gather<SF>(p, state_bytes<I>(0), slots.state[0], slots.state[1], slots.state[2], bundle_get<I>(held).first,
                bundle_get<I>(state_windows)),
     ...);
    (gather<CF>(p, constant_bytes<J>(), slots.constant[2], slots.constant[3], slots.constant[4],
                bundle_get<int(sizeof...(S)) + J>(held).plane, bundle_get<J>(constant_windows)),
     ...);
    Values next;
    evaluate(0, p, at, state_windows, constant_windows, next, states, fixed);
    if (!active || p.has(Place::fixed)) {
      std::uint32_t const mask = active ? p.changes() : 0u;
      (keep(bundle_get<I>(state_windows), mask, bundle_get<I>(next)), ...);
    }
    ((bundle_get<I>(held).made = bundle_get<I>(next)), ...);
    (put(p, TileKernel::template at<S>(p, state_bytes<I>(1) + slots.state[1]), bundle_get<I>(next)), ...);
  }
  /// And those after the second one in plane z, which the block owns. `slots`: as for plane z + 2.
  template <int... I, int... J>
  __device__ __forceinline__ void second_level(Place const& p, Held& held, int z, Slots const& slots,
                                               std::integer_sequence<int, I...> states,
                                               std::integer_sequence<int, J...> fixed) const {
    // Planes around that are reflections of this one. Read again: of copies the compiler would make selections.
    bool const before = z == tasks.reflecting[0], behind = z == tasks.reflecting[1];
    if (before) (read_rows(p, state_bytes<I>(1) + slots.state[3], bundle_get<I>(held).second[0]), ...);
    if (behind) (read_rows(p, state_bytes<I>(1) + slots.state[3], bundle_get<I>(held).second[2]), ...);
    Bundle<Window<S, SF>...> state_windows;
    Bundle<Window<C, CF>...> constant_windows;
    // No index that is known late: these are registers.
    int const first = before ? slots.state[3] : slots.state[2], last = behind ? slots.state[3] : slots.state[0];
    (gather<SF>(p, state_bytes<I>(1), first, slots.state[3], last, bundle_get<I>(held).second,
                bundle_get<I>(state_windows)),
     ...);
    (gather<CF>(p, constant_bytes<J>(), slots.constant[0], slots.constant[1], slots.constant[2],
                static_cast<TileRows<C, W, R> const*>(nullptr), bundle_get<J>(constant_windows)),
     ...);
    Values next;
    evaluate(1, p, z, state_windows, constant_windows, next, states, fixed);
    (store(p, pack_get<I>(to), z, bundle_get<I>(next)), ...);
  }
  template <class T>
  __device__ __forceinline__ T* row_at(T* vector, int rows) const {
    return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(vector) + rows * (tasks.lanes * 16));
  }
  template <class T>
  __device__ __forceinline__ T const* row_at(T const* vector, int rows) const {
    return reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(vector) + rows * (tasks.lanes * 16));
  }

  /// What is around the points of the thread; `held`: its own, or nullptr. The compiler drops what the functor does not
  /// read.
  template <class Field, class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ void gather(Place const& p, int planes, int before, int middle, int behind,
                                         TileRows<T, W, R> const* held,
                                         TileWindow<T, W, Halo, R, RowReach, Planes>& window) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Planes; ++k) {
      int const of        = k + 1 - Planes / 2;
      T const* const base = at<T>(p, planes + (of == 0 ? before : of == 1 ? middle : behind));
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int y = -RowReach; y < R + RowReach; ++y) {
        T const* const vector = y < 0 ? reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(base) + p.up)
                                : y >= R
                                    ? reinterpret_cast<T const*>(reinterpret_cast<unsigned char const*>(base) + p.down)
                                    : row_at(base, y);
        StripVector<T, W> row;
        if (Planes > 1 && held != nullptr && y >= 0 && y < R) {
          row = held[of].row[y < 0 ? 0 : y >= R ? R - 1 : y];
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
  __device__ __forceinline__ static BasicNeighborhood<T, 3, Ways::rows> near(
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
    return BasicNeighborhood<T, 3, Ways::rows>(nullptr, none, i, place, &window.value[0][0][0]);
  }
  template <class T, int Halo, int RowReach, int Planes>
  __device__ __forceinline__ static T center(TileWindow<T, W, Halo, R, RowReach, Planes> const& window, int v, int r) {
    return window.value[Planes / 2][RowReach + r][Halo + v];
  }

  template <class States, class Fixed, int... I, int... J>
  __device__ __forceinline__ void evaluate(int sweep, Place const& p, int plane, States const& states,
                                           Fixed const& fixed, Values& next, std::integer_sequence<int, I...>,
                                           std::integer_sequence<int, J...>) const {
    auto const& now = after_sweeps(f, sweep);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        ViewIndex<3> i;
        i[plane_axis] = plane;
        i[row_axis]   = min(max(lines(p)[r], tasks.begin[1]), tasks.stop[1] - 1);
        i[Fast]       = min(max(p.columns()[v], tasks.begin[0]), tasks.stop[0] - 1) - tasks.shift;
        if constexpr (Returns) {
          next.value.row[r].value[v] =
              now(near(bundle_get<I>(states), i, v, r)..., near(bundle_get<J>(fixed), i, v, r)...);
        } else {
          ((bundle_get<I>(next).row[r].value[v] = center(bundle_get<I>(states), v, r)), ...);
          now(near(bundle_get<I>(states), i, v, r)..., near(bundle_get<J>(fixed), i, v, r)...,
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
  __device__ __forceinline__ void put(Place const& p, T* to, TileRows<T, W, R> const& next) const {
    if (p.has(Place::idle)) return;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) write(row_at(to, r), next.row[r]);
  }
  template <class T>
  __device__ __forceinline__ void store(Place const& p, FieldRef<T, 3> const& field, int plane,
                                        TileRows<T, W, R> const& next) const {
    T* const data = begin_of(field, plane);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      std::uint32_t const kept = p.kept() >> (W * r) & ((1u << W) - 1);
      if (kept == 0) continue;
      T* const row = data + ((p.row + r) * static_cast<std::int32_t>(field.stride[row_axis]) + p.column);
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

  /// Points beyond mirrors get the values of those that they reflect, in a plane that was made.
  template <class T>
  __device__ __forceinline__ void follow_plane(Place const& p, T* vector) const {
    int const columns = tasks.lanes * W, rows = tasks.teams * R;
    int const own_x = p.column - p.column0, own_y = p.row - p.row0;
    // How far off the point is that this one reflects; 0 if it is none.
    auto const apart = [&](int axis, int x, int mapped) {
      bool const beyond = x < 0 || x >= static_cast<int>(geometry.extent[axis]);
      return beyond && mirrored(geometry.faces[axis][x < 0 ? 0 : 1].kind) ? mapped - x : 0;
    };
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int r = 0; r < R; ++r) {
      int const dy = apart(row_axis, p.row + r, lines(p)[r]), y = own_y + r + dy;
#pragma unroll 1
      for (int v = 0; v < W; ++v) {
        int const dx = apart(Fast, p.column + v, p.columns()[v]), x = own_x + v + dx;
        if ((dx == 0 && dy == 0) || x < 0 || x >= columns || y < 0 || y >= rows) continue;
        row_at(vector, r)[v] = row_at(vector, r + dy)[v + dx];
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
class TileSweeps : public SeveralSweeps {
  using Shape  = TileShape<Fast, States, Fields, Constants, ConstantFields>;
  using Kernel = TileKernel<Shape, Fast, Returns, Functor, States, Fields, Constants, ConstantFields>;

 public:
  TileSweeps(Kokkos::Cuda const& space, FunctorRange const& where, FieldGeometry const& geometry,
             std::vector<ViewInfo> const& views, std::int64_t steps, bool forced)
      : SeveralSweeps("functor_temporal", space, geometry, &sweep_tiles<Kernel>, Shape::bytes, true) {
    TileKernelInfo const info{Shape::width,
                              Shape::rows,
                              Shape::threads,
                              Shape::depth,
                              {Shape::reach_across, Shape::reach_rows, Shape::reach},
                              States::size,
                              Constants::size,
                              Shape::value_size,
                              Shape::resident,
                              multiprocessors()};
    TileProblem const problem{{Fast, Shape::row_axis, Shape::plane_axis}, where, &m_geometry, views};
    if (!reason().empty() || declines(tiles_unsupported(info, problem))) return;
    m_range    = where.range;
    m_steps    = steps;
    m_forced   = forced;
    m_plain    = tile_schedule(info, problem, steps, forced, device());
    m_schedule = m_plain;
    // When a graph is launched again, memory of the pool would not be there.
    if (!captures()) {
      TileSchedule const padded = padded_tile_schedule(info, problem, steps, m_plain, device());
      if (!padded.empty() && verdict(padded) != PassTimer::Verdict::slower &&
          room_for_copies(SpaceTraits<Kokkos::Cuda>::info(space), padded.padded.bytes)) {
        m_schedule                     = padded;
        m_padded_geometry              = m_geometry;
        m_padded_geometry.extent[Fast] = padded.padded.columns;
        m_copies =
            std::make_unique<PaddedFields>(space, padded.padded, padded.tasks.shift, problem.axis, views.front());
      }
    }
    choose();
  }

  /// How many sweeps the next pass does; 0: one, as if there were no passes.
  int next(std::int64_t left) {
    if (m_copies != nullptr && !m_copies->allocated() && !m_copies->allocate()) {
      m_copies.reset();
      m_schedule = m_plain;
      choose();
    }
    int const timed = next_timed();
    return timed >= 0 ? timed : m_schedule.next(left, Shape::depth);
  }

  template <class... FromViews, class... ToViews, class... ConstantViews, int... I, int... J>
  void pass(std::string const& label, Functor const& f, Pack<FromViews...> const& from, Pack<ToViews...> const& to,
            Pack<ConstantViews...> const& constants, int, std::integer_sequence<int, I...>,
            std::integer_sequence<int, J...>) {
    if (m_copies == nullptr) {
      launch(label, {f,
                     {field_ref(pack_get<I>(from))...},
                     {field_ref(pack_get<I>(to))...},
                     {constant_ref(pack_get<J>(constants))...},
                     m_geometry,
                     m_schedule.tasks});
      return;
    }
    // Copies: of the states, before and after a pass by turns, then of the constants.
    constexpr int states = int(sizeof...(I));
    if (!m_entered) {
      (m_copies->copy_in(label, shape_info(pack_get<I>(from)), I, states + I, m_range), ...);
      m_entered = true;
      m_newest  = 0;
    }
    if (!m_constants_there) {
      (m_copies->copy_in(label, shape_info(pack_get<J>(constants)), 2 * states + J, -1, m_range), ...);
      m_constants_there = true;
    }
    int const newest = m_newest * states, next = states - newest;
    launch(label, {f,
                   {m_copies->template field<typename FromViews::non_const_value_type>(newest + I)...},
                   {m_copies->template field<typename ToViews::non_const_value_type>(next + I)...},
                   {m_copies->template field<typename ConstantViews::const_value_type>(2 * states + J)...},
                   m_padded_geometry,
                   m_schedule.tasks});
    m_newest = 1 - m_newest;
  }

  template <class... StateViews>
  void settle(std::string const& label, Pack<StateViews...> const& views) {
    if (m_entered) copy_out(label, views, PackIndices<Pack<StateViews...>>());
    m_entered = false;
  }

 private:
  template <class... StateViews, int... I>
  void copy_out(std::string const& label, Pack<StateViews...> const& views, std::integer_sequence<int, I...>) const {
    int const newest = m_newest * int(sizeof...(I));
    (m_copies->copy_out(label, newest + I, shape_info(pack_get<I>(views)), m_range), ...);
  }
  std::atomic<PassTimer::Verdict>& verdict(TileSchedule const& schedule) const {
    return verdict_of<Kernel>(m_range.size(), schedule.tasks.aligned);
  }
  void choose() { SeveralSweeps::choose(m_schedule, Shape::depth, verdict(m_schedule), m_steps, m_forced); }
  void launch(std::string const& label, Kernel const& kernel) const {
    SeveralSweeps::launch(label, &sweep_tiles<Kernel>, kernel, kernel.tasks.count(), Shape::threads, Shape::bytes);
  }

  PointBox m_range{};
  std::int64_t m_steps = 0;
  bool m_forced        = false;
  TileSchedule m_plain, m_schedule;
  // Where passes work on copies.
  std::unique_ptr<PaddedFields> m_copies;
  FieldGeometry m_padded_geometry;
  bool m_entered = false, m_constants_there = false;
  int m_newest = 0;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
