// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FieldRef.hpp>
#include <impl/KokkosStencil_FunctorSteps.hpp>
#include <impl/KokkosStencil_Neighborhood.hpp>
#include <impl/KokkosStencil_SeveralSweeps.hpp>
#include <impl/KokkosStencil_StripTasks.hpp>
#include <impl/KokkosStencil_Views.hpp>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// Many sweeps of a functor in one pass over planes. A warp goes down a strip of columns, a vector a lane. Each level,
// the field after some of the sweeps, is held as the rows around one point, in registers: a row that enters a level
// lets one more row of the next level be computed. Neighbours along a row come from adjacent lanes when a row enters.
// Rows of the fields come by way of a ring in shared memory.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// How many sweeps a strip does, and how its ring lies in shared memory.
template <int Fast, class States, class Fields, class Constants, class ConstantFields>
struct StripShape;
template <int Fast, class... S, class... SF, class... C, class... CF>
struct StripShape<Fast, Pack<S...>, Pack<SF...>, Pack<C...>, Pack<CF...>> {
  static constexpr int row_axis = 1 - Fast;

  static constexpr int most(std::initializer_list<int> numbers) {
    int m = 0;
    for (int n : numbers) m = n > m ? n : m;
    return m;
  }
  static constexpr int value_size = most({int(sizeof(S))..., int(sizeof(C))...});
  static constexpr int width      = 16 / value_size;  ///< values of a lane
  static constexpr int columns    = 32 * width;
  static constexpr int reach      = most({FieldTraits<SF>::along(row_axis)...});  ///< of the states, rows
  static constexpr int turns      = 2 * reach + 1;
  static constexpr int across     = most({FieldTraits<SF>::along(Fast)..., FieldTraits<CF>::along(Fast)...});
  static constexpr int constants  = most({FieldTraits<CF>::along(row_axis)...});
  /// 32-bit registers that a level takes.
  static constexpr int registers =
      (0 + ... +
       ((2 * FieldTraits<SF>::along(row_axis) + 1) * 4 + 2 * FieldTraits<SF>::along(Fast) * int(sizeof(S)) / 4));
  static constexpr bool possible =
      ((sizeof(S) == sizeof(float) || sizeof(S) == sizeof(double)) && ...) && ((sizeof(S) == value_size) && ...) &&
      ((sizeof(C) == value_size) && ...) && (std::is_trivially_copyable<S>::value && ...) &&
      (std::is_trivially_copyable<C>::value && ...) && (FieldTraits<SF>::declared && ...) && across <= width &&
      constants <= reach && reach > 0 && 2 * registers <= 192;
  static constexpr int most_registers = value_size == 8 ? 192 : 224;  ///< that levels may take
  static constexpr int most_depth     = sizeof...(C) > 0 ? 4 : 8;
  static constexpr int by_registers   = most_registers / registers;
  static constexpr int depth          = by_registers < 1 ? 1 : by_registers > most_depth ? most_depth : by_registers;
  /// Codes with coefficients often divide, and only other warps fill the time that takes.
  static constexpr bool many = sizeof...(C) > 0 && depth* registers <= 80;
  /// Warps that a multiprocessor must be able to run: registers are dealt out so.
  static constexpr int resident = many ? 12 : 8;

  static constexpr int lead  = depth * reach;                                 ///< rows by which results lag behind
  static constexpr int halo  = (depth * across + width - 1) / width * width;  ///< columns that neighbours own
  static constexpr int owned = columns - 2 * halo;

  /// Rows that are on their way. Those of constants take most of the memory, on which the number of warps depends.
  static constexpr int ahead       = many ? 2 : 4;
  static constexpr int slots       = ahead + 1 + (sizeof...(C) > 0 ? lead + constants : 0);
  static constexpr int state_bytes = 512;
  /// Lanes at the ends read past their row.
  static constexpr int constant_bytes = 512 + 2 * 16;
  static constexpr int slot_bytes     = int(sizeof...(S)) * state_bytes + int(sizeof...(C)) * constant_bytes;
  static constexpr int scratch        = slots * slot_bytes;                           ///< a row of each state
  static constexpr int table          = scratch + int(sizeof...(S)) * 512;            ///< where each column is read
  static constexpr int sources        = table + columns * int(sizeof(std::int32_t));  ///< what it becomes after a sweep
  static constexpr int bytes          = sources + columns * int(sizeof(std::int16_t));
};

#ifdef __CUDA_ARCH__
/// Copies to shared memory that go on while the warp computes.
struct StripCopy {
  template <int Bytes>
  __device__ __forceinline__ static void run(void* to, void const* from) {
#if __CUDA_ARCH__ >= 800
    auto const shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
    if constexpr (Bytes == 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(Bytes) : "memory");
    }
#else
    using Raw                   = typename RawVector<Bytes>::type;
    *reinterpret_cast<Raw*>(to) = *reinterpret_cast<Raw const*>(from);
#endif
  }
  __device__ __forceinline__ static void commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }
  template <int Pending>
  __device__ __forceinline__ static void wait() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
#endif
  }
};

/// The value of the lane before, or behind.
template <bool Up, class T>
__device__ __forceinline__ T beside(T const& value) {
  using Raw = std::conditional_t<sizeof(T) == 4, unsigned int, unsigned long long>;
  Raw raw;
  memcpy(&raw, &value, sizeof(T));
  if constexpr (Up) {
    raw = __shfl_up_sync(0xffffffffu, raw, 1);
  } else {
    raw = __shfl_down_sync(0xffffffffu, raw, 1);
  }
  T result;
  memcpy(&result, &raw, sizeof(T));
  return result;
}
#endif

/// A vector of a lane.
template <class T, int Width>
struct StripVector {
  T value[Width];
};

/// Rows of one field at one level, a vector of each with its neighbours, the newest last.
template <class T, int Width, int Halo, int Rows>
struct StripRows {
  T row[Rows][Width + 2 * Halo];

#ifdef __CUDA_ARCH__
  /// A row enters: its neighbours come from other lanes.
  __device__ __forceinline__ void put(int at, StripVector<T, Width> const& values) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < Width; ++v) row[at][Halo + v] = values.value[v];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int d = 0; d < Halo; ++d) {
      row[at][d]                = beside<true>(values.value[Width - Halo + d]);
      row[at][Halo + Width + d] = beside<false>(values.value[d]);
    }
  }
  /// The same from shared memory, where the neighbours lie beside.
  __device__ __forceinline__ void read(int at, T const* vector) {
    StripVector<T, Width> part[3];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int side = Halo > 0 ? 0 : 1; side < (Halo > 0 ? 3 : 2); ++side) {
      uint4 const raw = *reinterpret_cast<uint4 const*>(vector + (side - 1) * Width);
      memcpy(&part[side], &raw, 16);
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = -Halo; v < Width + Halo; ++v) {
      row[at][Halo + v] = part[v < 0 ? 0 : v < Width ? 1 : 2].value[(v + Width) % Width];
    }
  }
  __device__ __forceinline__ T center(int v) const { return row[Rows / 2][Halo + v]; }
  __device__ __forceinline__ void copy(int to, int from) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < Width + 2 * Halo; ++v) row[to][v] = row[from][v];
  }
  __device__ __forceinline__ void values(int at, StripVector<T, Width>& to) const {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < Width; ++v) to.value[v] = row[at][Halo + v];
  }
#endif
};

/// Does the tasks of a pass.
template <class Shape, int Fast, bool Returns, class Functor, class States, class Fields, class Constants,
          class ConstantFields>
struct StripKernel;
template <class Shape, int Fast, bool Returns, class Functor, class... S, class... SF, class... C, class... CF>
struct StripKernel<Shape, Fast, Returns, Functor, Pack<S...>, Pack<SF...>, Pack<C...>, Pack<CF...>> {
  static constexpr int row_axis = Shape::row_axis;
  static constexpr int W        = Shape::width;
  static constexpr int reach    = Shape::reach;
  static constexpr int turns    = Shape::turns;
  static constexpr int depth    = Shape::depth;
  static constexpr int resident = Shape::resident;

  using StateIndices    = std::make_integer_sequence<int, int(sizeof...(S))>;
  using ConstantIndices = std::make_integer_sequence<int, int(sizeof...(C))>;

  Functor f;
  Pack<FieldRef<S, 2>...> from;
  Pack<FieldRef<S, 2>...> to;
  Pack<FieldRef<C const, 2>...> constants;
  FieldGeometry geometry;
  StripTasks tasks;

#ifdef __CUDA_ARCH__
  /// Does a task with the shared memory of a warp.
  __device__ __forceinline__ void run(std::uint32_t task, unsigned char* memory, int lane) const {
    int r = 0;
    while (r < tasks.regions && task >= tasks.end[r]) ++r;
    if (r == tasks.regions) return;
    if (r > 0) task -= tasks.end[r - 1];
    StripRegion const& region = tasks.region[r];
    int const strip           = region.strip + static_cast<int>(task % static_cast<std::uint32_t>(region.strips));
    int const first = region.first + static_cast<int>(task / static_cast<std::uint32_t>(region.strips)) * region.height;
    int const last  = first + region.height < region.last ? first + region.height : region.last;
    int const column = tasks.column + strip * Shape::owned - Shape::halo + lane * W;
    if (region.kind == StripKind::plain) {
      if (tasks.aligned) {
        whole_vectors<false, true>(first, last, column, memory, lane, StateIndices(), ConstantIndices());
      } else {
        whole_vectors<false, false>(first, last, column, memory, lane, StateIndices(), ConstantIndices());
      }
      return;
    }
    // With constants the plan asks for none.
    if constexpr (sizeof...(C) == 0) {
      if (region.kind == StripKind::masked) {
        if (tasks.aligned) {
          whole_vectors<true, true>(first, last, column, memory, lane, StateIndices(), ConstantIndices());
        } else {
          whole_vectors<true, false>(first, last, column, memory, lane, StateIndices(), ConstantIndices());
        }
        return;
      }
    }
    general(first, last, column, memory, lane, StateIndices(), ConstantIndices());
  }

 private:
  template <class T, class Field>
  using RowsOf = StripRows<T, W, FieldTraits<Field>::along(Fast), turns>;
  template <class T, class Field>
  struct Levels {
    RowsOf<T, Field> level[depth];
  };
  template <class T, class Field>
  using ConstantRows = StripRows<T, W, FieldTraits<Field>::along(Fast), 2 * FieldTraits<Field>::along(row_axis) + 1>;
  using Values       = Bundle<StripVector<S, W>...>;
  using AllLevels    = Bundle<Levels<S, SF>...>;
  using AllConstants = Bundle<ConstantRows<C, CF>...>;

  template <class T, int Halo, int Rows>
  __device__ __forceinline__ static BasicNeighborhood<T, 2, Ways::rows> near(StripRows<T, W, Halo, Rows> const& rows,
                                                                             ViewIndex<2> const& i, int lane) {
    VectorPlace place;
    place.width             = W;
    place.lane              = lane;
    place.axis              = Fast;
    place.rows              = Rows;
    place.halo              = Halo;
    ViewIndex<2> const none = {0, 0};
    return BasicNeighborhood<T, 2, Ways::rows>(nullptr, none, i, place, &rows.row[0][0]);
  }

  /// A row of the next level. column(v): index of a value.
  template <class Column, int... I, int... J>
  __device__ __forceinline__ void evaluate(int level, AllLevels const& levels, AllConstants const& fixed, int row,
                                           Column const& column, Values& next, std::integer_sequence<int, I...>,
                                           std::integer_sequence<int, J...>) const {
    // Sweeps beyond those of the pass are not kept, nor do they count.
    auto const& now = after_sweeps(f, min(level, tasks.depth - 1));
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      ViewIndex<2> i;
      i[row_axis] = row;
      i[Fast]     = column(v);
      if constexpr (Returns) {
        next.value.value[v] =
            now(near(bundle_get<I>(levels).level[level], i, v)..., near(bundle_get<J>(fixed), i, v)...);
      } else {
        ((bundle_get<I>(next).value[v] = bundle_get<I>(levels).level[level].center(v)), ...);
        now(near(bundle_get<I>(levels).level[level], i, v)..., near(bundle_get<J>(fixed), i, v)...,
            bundle_get<I>(next).value[v]...);
      }
    }
  }

  /// Where a row of a field lies in a slot of the ring, the lane's vector.
  template <class T>
  __device__ __forceinline__ static T* state_at(unsigned char* memory, int slot, int i, int lane) {
    return reinterpret_cast<T*>(memory + slot * Shape::slot_bytes + i * Shape::state_bytes + lane * 16);
  }
  template <class T>
  __device__ __forceinline__ static T* constant_at(unsigned char* memory, int slot, int j, int lane) {
    return reinterpret_cast<T*>(memory + slot * Shape::slot_bytes + int(sizeof...(S)) * Shape::state_bytes +
                                j * Shape::constant_bytes + 16 + lane * 16);
  }
  template <class T>
  __device__ __forceinline__ static void read(T const* from, StripVector<T, W>& to) {
    uint4 const raw = *reinterpret_cast<uint4 const*>(from);
    memcpy(&to, &raw, 16);
  }
  __device__ __forceinline__ static int back(int slot, int rows) {
    int const s = slot - rows;
    return s < 0 ? s + Shape::slots : s;
  }
  /// The constants around a row that lies `rows` behind the newest one.
  template <int... J>
  __device__ __forceinline__ static void read_constants(unsigned char* memory, int slot, int rows, int lane,
                                                        AllConstants& fixed, std::integer_sequence<int, J...>) {
    (read_constant<J>(memory, slot, rows, lane, bundle_get<J>(fixed)), ...);
  }
  template <int J, class T, int Halo, int Rows>
  __device__ __forceinline__ static void read_constant(unsigned char* memory, int slot, int rows, int lane,
                                                       StripRows<T, W, Halo, Rows>& fixed) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < Rows; ++k) {
      // As row k of the window counts from the first one on.
      fixed.read(k, constant_at<T>(memory, back(slot, rows + Rows / 2 - k), J, lane));
    }
  }

  /// From the lane's vector to a value that it copies, where vectors are not aligned: those of all lanes lie together.
  __device__ __forceinline__ static int apart(int lane, int v) { return 32 * v - (W - 1) * lane; }
  /// A row on its way to shared memory, `to` and `from`: the lane's vector.
  template <bool Aligned, class T, class U>
  __device__ __forceinline__ static void copy_row(T* to, U const* from, int lane) {
    if constexpr (Aligned) {
      StripCopy::run<16>(to, from);
    } else {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) StripCopy::run<int(sizeof(T))>(to + apart(lane, v), from + apart(lane, v));
    }
  }
  /// The same from the beginning of a row; values past its ends, which nothing needs, are those at the ends.
  template <class T, class U>
  __device__ __forceinline__ void copy_part(T* to, U const* row, int column, int lane) const {
    int const last = static_cast<int>(geometry.extent[Fast]) - 1;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      StripCopy::run<int(sizeof(T))>(to + apart(lane, v), row + min(max(column + apart(lane, v), 0), last));
    }
  }
  /// The row of a strip without what its neighbours own, where vectors are not aligned: lanes exchange them, so that a
  /// store is of values that lie together.
  template <int I, class T>
  __device__ __forceinline__ static void write_anywhere(T* to, unsigned char* memory, int lane,
                                                        StripVector<T, W> const& row) {
    T* const scratch = reinterpret_cast<T*>(memory + Shape::scratch + I * 512);
    write(scratch + lane * W, row);
    __syncwarp();
    to -= lane * W;
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      int const k = lane + 32 * v;
      if (k >= Shape::halo && k < Shape::columns - Shape::halo) to[k] = scratch[k];
    }
  }

  /// Strips that no face's rule is needed for. Masked: what lies outside the range stays as it is, and so does
  /// everything after the sweeps of the pass. A way of its own: branches between levels would double what a row takes.
  template <bool Masked, bool Aligned, int... I, int... J>
  __device__ __forceinline__ void whole_vectors(int const first, int const last, int const column,
                                                unsigned char* const memory, int const lane,
                                                std::integer_sequence<int, I...>,
                                                std::integer_sequence<int, J...>) const {
    constexpr int lead = Shape::lead;
    int const total    = last - first + 2 * lead;
    int const start    = first - lead;
    bool const owned   = lane * W >= Shape::halo && lane * W < Shape::columns - Shape::halo;
    ViewIndex<2> corner;
    corner[row_axis]      = start;
    corner[Fast]          = column;
    std::uint32_t changes = 0;
    int last_row          = 0;
    if constexpr (Masked) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int v = 0; v < W; ++v) {
        if (column + v >= tasks.begin[1] && column + v < tasks.stop[1]) changes |= 1u << v;
      }
      // Of rows and vectors beyond the outermost ones nothing is needed: something is read that is there.
      last_row          = static_cast<int>(geometry.extent[row_axis]) - 1;
      int const lowest  = tasks.column & (W - 1);
      int const highest = lowest + ((static_cast<int>(geometry.extent[Fast]) - lowest) & ~(W - 1)) - W;
      corner[row_axis]  = start < 0 ? 0 : start > last_row ? last_row : start;
      corner[Fast]      = !Aligned ? 0 : column < lowest ? lowest : column > highest ? highest : column;
    }
    Bundle<S const*...> state;
    Bundle<C const*...> constant;
    ((bundle_get<I>(state) = pack_get<I>(from).at(corner)), ...);
    ((bundle_get<J>(constant) = pack_get<J>(constants).at(corner)), ...);
    corner[row_axis] = first - 2 * lead;
    corner[Fast]     = column;
    Bundle<S*...> out;
    ((bundle_get<I>(out) = pack_get<I>(to).at(corner)), ...);

    int fetched      = 0;
    auto const fetch = [&](int i) {
      if (i < total) {
        if constexpr (!Masked || Aligned) {
          (copy_row<Aligned>(state_at<S>(memory, fetched, I, lane), bundle_get<I>(state), lane), ...);
          (copy_row<Aligned>(constant_at<C>(memory, fetched, J, lane), bundle_get<J>(constant), lane), ...);
        } else {
          (copy_part(state_at<S>(memory, fetched, I, lane), bundle_get<I>(state), column, lane), ...);
          (copy_part(constant_at<C>(memory, fetched, J, lane), bundle_get<J>(constant), column, lane), ...);
        }
        if (!Masked || (start + i >= 0 && start + i < last_row)) {
          ((bundle_get<I>(state) += pack_get<I>(from).stride[row_axis]), ...);
          ((bundle_get<J>(constant) += pack_get<J>(constants).stride[row_axis]), ...);
        }
        fetched = fetched + 1 == Shape::slots ? 0 : fetched + 1;
      }
      StripCopy::commit();
    };
    // What levels read before they have rows of their own are values of the fields, too.
#pragma unroll 1
    for (int k = Shape::ahead; k < Shape::slots; ++k) {
      (copy_row<Aligned>(constant_at<C>(memory, k, J, lane), bundle_get<J>(constant), lane), ...);
    }
#pragma unroll 1
    for (int i = 0; i < Shape::ahead; ++i) fetch(i);
    AllLevels levels;
    Values row;
    StripCopy::wait<Shape::ahead - 1>();
    __syncwarp();
    (fill<I>(memory, lane, levels, bundle_get<I>(row)), ...);

    int slot = 0;
#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      StripCopy::wait<Shape::ahead - 1>();
      __syncwarp();
      (read(state_at<S>(memory, slot, I, lane), bundle_get<I>(row)), ...);
      fetch(i + Shape::ahead);
      pass_levels<Masked>(levels, row, memory, slot, lane, start, start + i, column, changes,
                          std::make_integer_sequence<int, depth>());
      if constexpr (Masked) {
        if (i >= 2 * lead && owned && changes != 0) (write_kept(bundle_get<I>(out), changes, bundle_get<I>(row)), ...);
      } else {
        if constexpr (Aligned) {
          if (i >= 2 * lead && owned) (write(bundle_get<I>(out), bundle_get<I>(row)), ...);
        } else {
          if (i >= 2 * lead) (write_anywhere<I>(bundle_get<I>(out), memory, lane, bundle_get<I>(row)), ...);
        }
      }
      ((bundle_get<I>(out) += pack_get<I>(to).stride[row_axis]), ...);
      slot = slot + 1 == Shape::slots ? 0 : slot + 1;
    }
  }
  /// A row enters the first level and leaves the last one. No loop, which the compiler would not unroll.
  template <bool Masked, int... Level>
  __device__ __forceinline__ void pass_levels(AllLevels& levels, Values& row, unsigned char* memory, int slot, int lane,
                                              int least, int newest, int column, std::uint32_t changes,
                                              std::integer_sequence<int, Level...>) const {
    (pass_level<Masked, Level>(levels, row, memory, slot, lane, least, newest - (Level + 1) * reach, column, changes,
                               StateIndices()),
     ...);
  }
  template <bool Masked, int Level, int... I>
  __device__ __forceinline__ void pass_level(AllLevels& levels, Values& row, unsigned char* memory, int slot, int lane,
                                             int least, int y, int column, std::uint32_t changes,
                                             std::integer_sequence<int, I...>) const {
    (enter<I>(levels, Level, bundle_get<I>(row)), ...);
    AllConstants fixed;
    read_constants(memory, slot, (Level + 1) * reach, lane, fixed, ConstantIndices());
    auto const columns = [&](int v) { return Masked ? within(column + v, 1) : static_cast<std::int64_t>(column + v); };
    int const at       = Masked ? static_cast<int>(within(y, 0)) : y < least ? least : y;
    evaluate(Level, levels, fixed, at, columns, row, StateIndices(), ConstantIndices());
    if constexpr (Masked) {
      std::uint32_t const mask = Level < tasks.depth && y >= tasks.begin[0] && y < tasks.stop[0] ? changes : 0u;
      (keep(bundle_get<I>(levels).level[Level], mask, bundle_get<I>(row)), ...);
    }
  }
  /// The nearest row or column of the range.
  __device__ __forceinline__ std::int64_t within(int x, int axis) const {
    return x < tasks.begin[axis] ? tasks.begin[axis] : x >= tasks.stop[axis] ? tasks.stop[axis] - 1 : x;
  }
  /// All rows of all levels as the first one, so that nothing but values of the field is ever seen.
  template <int I, class T, class Field>
  __device__ __forceinline__ static void fill_levels(Levels<T, Field>& levels, StripVector<T, W> const& row) {
    levels.level[0].put(0, row);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int s = 0; s < depth; ++s) {
      KOKKOSSTENCIL_IMPL_UNROLL
      for (int k = 0; k < turns; ++k) {
        KOKKOSSTENCIL_IMPL_UNROLL
        for (int v = 0; v < int(sizeof(levels.level[0].row[0]) / sizeof(T)); ++v) {
          levels.level[s].row[k][v] = levels.level[0].row[0][v];
        }
      }
    }
  }
  template <int I, class T>
  __device__ __forceinline__ static void fill(unsigned char* memory, int lane, AllLevels& levels,
                                              StripVector<T, W>& row) {
    read(state_at<T>(memory, 0, I, lane), row);
    fill_levels<I>(bundle_get<I>(levels), row);
  }
  template <class T>
  __device__ __forceinline__ static void write(T* to, StripVector<T, W> const& row) {
    uint4 raw;
    memcpy(&raw, &row, 16);
    *reinterpret_cast<uint4*>(to) = raw;
  }

  /// Any boundary and alignment, any number of sweeps up to the depth.
  template <int... I, int... J>
  __device__ __forceinline__ void general(int const first, int const last, int const column,
                                          unsigned char* const memory, int const lane, std::integer_sequence<int, I...>,
                                          std::integer_sequence<int, J...>) const {
    int const sweeps    = tasks.depth;
    int const lead      = sweeps * reach;
    int const total     = last - first + 2 * lead;
    int const start     = first - lead;
    auto* const table   = reinterpret_cast<std::int32_t*>(memory + Shape::table) + lane * W;
    auto* const sources = reinterpret_cast<std::int16_t*>(memory + Shape::sources) + lane * W;
    int const width     = static_cast<int>(geometry.extent[Fast]);
    int const height    = static_cast<int>(geometry.extent[row_axis]);

    // Of each column: where it is read, or -1 - side for the constant of a face; whether sweeps change it; and which
    // column of the strip it follows after each sweep, or -1.
    std::uint32_t changes = 0, kept = 0;
    bool whole = tasks.aligned, follows = false;
#pragma unroll 1
    for (int v = 0; v < W; ++v) {
      int const x          = column + v;
      int side             = -1;
      std::int64_t const m = map_near_index(x, width, geometry.faces[Fast], side);
      int const at         = side >= 0 ? -1 - side : m < 0 ? 0 : m >= width ? width - 1 : static_cast<int>(m);
      table[v]             = at;
      bool const out       = x < 0 || x >= width;
      bool const repeats   = !out || geometry.faces[Fast][0].kind == BoundaryKind::periodic;
      if (side < 0 && repeats && at >= tasks.begin[1] && at < tasks.stop[1]) changes |= 1u << v;
      if (!out && (changes & 1u << v) != 0 && lane * W >= Shape::halo && lane * W < Shape::columns - Shape::halo) {
        kept |= 1u << v;
      }
      int const beyond = x < 0 ? -x : x - width + 1;
      bool const near_face =
          out && side < 0 && beyond <= Shape::across && mirrored(geometry.faces[Fast][x < 0 ? 0 : 1].kind);
      int const place = at - column + lane * W;
      sources[v]      = static_cast<std::int16_t>(near_face && place >= 0 && place < Shape::columns ? place : -1);
      follows         = follows || sources[v] >= 0;
      whole           = whole && at == table[0] + v && at >= 0 && (at - x) % W == 0;
    }
    bool const any_follows = __any_sync(0xffffffffu, follows) != 0;
    __syncwarp();

    // The slots behind those of the first rows hold the first one, too: what levels read before they have rows of their
    // own are values of the fields.
    int fetched      = Shape::ahead;
    auto const fetch = [&](int i) {
      if (i < total) {
        int side             = -1;
        std::int64_t const m = map_near_index(start + (i < 0 ? 0 : i), height, geometry.faces[row_axis], side);
        std::int64_t const y = m < 0 ? 0 : m >= height ? height - 1 : m;
        (fetch_row(state_at<S>(memory, fetched, I, lane), pack_get<I>(from), y, side, whole, table), ...);
        (fetch_row(constant_at<C>(memory, fetched, J, lane), pack_get<J>(constants), y, side, whole, table), ...);
        fetched = fetched + 1 == Shape::slots ? 0 : fetched + 1;
      }
      StripCopy::commit();
    };
#pragma unroll 1
    for (int i = Shape::ahead - Shape::slots; i < Shape::ahead; ++i) fetch(i);
    AllLevels levels;
    Values row;
    StripCopy::wait<Shape::ahead - 1>();
    __syncwarp();
    (fill<I>(memory, lane, levels, bundle_get<I>(row)), ...);

    GeneralStrip const strip{sweeps, height, changes, any_follows, follows, table, sources, memory, lane};
    int slot = 0;
#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      StripCopy::wait<Shape::ahead - 1>();
      __syncwarp();
      (read(state_at<S>(memory, slot, I, lane), bundle_get<I>(row)), ...);
      fetch(i + Shape::ahead);
      pass_general_levels(strip, levels, row, slot, start + i, std::make_integer_sequence<int, depth>());
      int const y = start + i - lead;
      if (i >= 2 * lead) {
        ViewIndex<2> corner;
        corner[row_axis] = y;
        corner[Fast]     = column;
        (write_kept(pack_get<I>(to).at(corner), kept, bundle_get<I>(row)), ...);
      }
      slot = slot + 1 == Shape::slots ? 0 : slot + 1;
    }
  }
  /// What the levels of a strip with any boundary have in common.
  struct GeneralStrip {
    int sweeps;
    int height;                   ///< rows of the Views
    std::uint32_t changes;        ///< which of the lane's columns sweeps change
    bool any_follows, follows;    ///< whether columns of the warp, of the lane, are reflections
    std::int32_t const* table;    ///< where each column is read
    std::int16_t const* sources;  ///< what it follows
    unsigned char* memory;
    int lane;
  };
  template <int... Level>
  __device__ __forceinline__ void pass_general_levels(GeneralStrip const& strip, AllLevels& levels, Values& row,
                                                      int slot, int newest,
                                                      std::integer_sequence<int, Level...>) const {
    ((Level < strip.sweeps ? pass_general_level<Level>(strip, levels, row, slot, newest - Level * reach, StateIndices())
                           : void()),
     ...);
  }
  /// The row that enters is `y`; it becomes the one that leaves.
  template <int Level, int... I>
  __device__ __forceinline__ void pass_general_level(GeneralStrip const& strip, AllLevels& levels, Values& row,
                                                     int slot, int y, std::integer_sequence<int, I...>) const {
    BoundaryKind const above = geometry.faces[row_axis][0].kind, below = geometry.faces[row_axis][1].kind;
    if (y >= strip.height && y < strip.height + reach && mirrored(below)) {
      int const beyond = y - strip.height;
      (take<I>(levels, Level, below == BoundaryKind::mirror ? 2 * beyond : beyond, bundle_get<I>(row)), ...);
    }
    if (strip.any_follows) {
      (write(reinterpret_cast<S*>(strip.memory + Shape::scratch + I * 512 + strip.lane * 16), bundle_get<I>(row)), ...);
      __syncwarp();
      if (strip.follows) (follow<I>(strip.memory, strip.sources, bundle_get<I>(row)), ...);
      __syncwarp();
    }
    (enter<I>(levels, Level, bundle_get<I>(row)), ...);
    if (y == reach - 1 && mirrored(above)) (reflect<I>(levels, Level, above == BoundaryKind::mirror), ...);

    AllConstants fixed;
    read_constants(strip.memory, slot, (Level + 1) * reach, strip.lane, fixed, ConstantIndices());
    int at      = y - reach;
    bool active = true;
    if (at < 0 || at >= strip.height) {
      active = above == BoundaryKind::periodic;
      at     = at < 0 ? at + strip.height : at - strip.height;
    }
    active             = active && at >= tasks.begin[0] && at < tasks.stop[0];
    at                 = at < tasks.begin[0] ? tasks.begin[0] : at >= tasks.stop[0] ? tasks.stop[0] - 1 : at;
    auto const columns = [&](int v) {
      int const x = strip.table[v];
      return static_cast<std::int64_t>(x < tasks.begin[1]   ? tasks.begin[1]
                                       : x >= tasks.stop[1] ? tasks.stop[1] - 1
                                                            : x);
    };
    evaluate(Level, levels, fixed, at, columns, row, StateIndices(), ConstantIndices());
    std::uint32_t const mask = active ? strip.changes : 0u;
    (keep(bundle_get<I>(levels).level[Level], mask, bundle_get<I>(row)), ...);
  }
  __device__ __forceinline__ static bool mirrored(BoundaryKind kind) {
    return kind == BoundaryKind::mirror || kind == BoundaryKind::edge;
  }
  template <class T>
  __device__ __forceinline__ void fetch_row(T* to, FieldRef<T, 2> const& field, std::int64_t y, int row_side,
                                            bool whole, std::int32_t const* table) const {
    fetch_row_of(to, field.data + y * field.stride[row_axis], row_side, whole, table);
  }
  template <class T>
  __device__ __forceinline__ void fetch_row(T* to, FieldRef<T const, 2> const& field, std::int64_t y, int row_side,
                                            bool whole, std::int32_t const* table) const {
    fetch_row_of(to, field.data + y * field.stride[row_axis], row_side, whole, table);
  }
  template <class T>
  __device__ __forceinline__ void fetch_row_of(T* to, T const* row, int row_side, bool whole,
                                               std::int32_t const* table) const {
    if (whole && row_side < 0) {
      StripCopy::run<16>(to, row + table[0]);
      return;
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      int const x       = table[v];
      bool const by_row = row_side >= 0 && (x >= 0 || row_axis == 0);
      if (by_row) {
        to[v] = constant_as<T>(geometry.faces[row_axis][row_side].constant);
      } else if (x < 0) {
        to[v] = constant_as<T>(geometry.faces[Fast][-1 - x].constant);
      } else {
        StripCopy::run<int(sizeof(T))>(to + v, row + x);
      }
    }
  }
  /// The row that entered so many rows before the newest one.
  template <int I, class T>
  __device__ __forceinline__ static void take(AllLevels const& levels, int s, int before, StripVector<T, W>& row) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < turns; ++k) {
      if (k == before) bundle_get<I>(levels).level[s].values(turns - 1 - k, row);
    }
  }
  template <int I, class T>
  __device__ __forceinline__ static void follow(unsigned char* memory, std::int16_t const* sources,
                                                StripVector<T, W>& row) {
    auto const* const values = reinterpret_cast<T const*>(memory + Shape::scratch + I * 512);
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      if (sources[v] >= 0) row.value[v] = values[sources[v]];
    }
  }
  template <int I, class T>
  __device__ __forceinline__ static void enter(AllLevels& levels, int s, StripVector<T, W> const& row) {
    auto& rows = bundle_get<I>(levels).level[s];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k + 1 < turns; ++k) rows.copy(k, k + 1);
    rows.put(turns - 1, row);
  }
  /// The newest row is the one before the first that the upper face reflects.
  template <int I>
  __device__ __forceinline__ static void reflect(AllLevels& levels, int s, bool mirror) {
    auto& rows = bundle_get<I>(levels).level[s];
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int k = 0; k < reach; ++k) {
      if (mirror) {
        rows.copy(reach - k, reach + 1 + k);
      } else {
        rows.copy(reach - k, reach + 1);
      }
    }
  }
  template <class T, int Halo>
  __device__ __forceinline__ static void keep(StripRows<T, W, Halo, turns> const& rows, std::uint32_t changes,
                                              StripVector<T, W>& row) {
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) row.value[v] = (changes & 1u << v) != 0 ? row.value[v] : rows.center(v);
  }
  template <class T>
  __device__ __forceinline__ void write_kept(T* to, std::uint32_t kept, StripVector<T, W> const& row) const {
    if (kept == (1u << W) - 1 && tasks.aligned) {
      write(to, row);
      return;
    }
    KOKKOSSTENCIL_IMPL_UNROLL
    for (int v = 0; v < W; ++v) {
      if ((kept & 1u << v) != 0) to[v] = row.value[v];
    }
  }
#endif
};

/// A block is one warp.
template <class Kernel>
__global__ void __launch_bounds__(32, Kernel::resident) sweep_strips(__grid_constant__ Kernel const kernel) {
#ifdef __CUDA_ARCH__
  extern __shared__ uint4 strip_memory[];
  kernel.run(blockIdx.x, reinterpret_cast<unsigned char*>(strip_memory), static_cast<int>(threadIdx.x));
#endif
}

/// Many sweeps, several in one pass where that is faster.
template <int Fast, bool Returns, class Functor, class States, class Fields, class Constants, class ConstantFields>
class StripSweeps : public SeveralSweeps {
  using Shape  = StripShape<Fast, States, Fields, Constants, ConstantFields>;
  using Kernel = StripKernel<Shape, Fast, Returns, Functor, States, Fields, Constants, ConstantFields>;

 public:
  StripSweeps(Kokkos::Cuda const& space, FunctorRange const& where, FieldGeometry const& geometry,
              std::vector<ViewInfo> const& views, std::int64_t steps, bool forced)
      : SeveralSweeps("functor_temporal", space, geometry, &sweep_strips<Kernel>, Shape::bytes, true) {
    StripKernelInfo info{Shape::width,      Shape::columns,  Shape::halo,      Shape::depth,
                         Shape::reach,      Shape::across,   States::size,     Constants::size,
                         Shape::value_size, Shape::resident, multiprocessors()};
    StripProblem const problem{Fast, where, &m_geometry, views};
    if (!reason().empty() || declines(strips_unsupported(info, problem))) return;
    info.resident      = blocks_of_multiprocessor(&sweep_strips<Kernel>, 32);
    m_schedule         = strip_schedule(info, problem, steps, forced, device());
    bool const aligned = m_schedule.full.aligned || m_schedule.last.aligned;
    choose(m_schedule, Shape::depth, verdict_of<Kernel>(where.range.size(), aligned), steps, forced);
  }

  /// How many sweeps the next pass does; 0: one, as if there were no passes.
  int next(std::int64_t left) {
    int const timed = next_timed();
    return timed >= 0 ? timed : m_schedule.next(left, Shape::depth);
  }

  template <class... FromViews, class... ToViews, class... ConstantViews, int... I, int... J>
  void pass(std::string const& label, Functor const& f, Pack<FromViews...> const& from, Pack<ToViews...> const& to,
            Pack<ConstantViews...> const& constants, int sweeps, std::integer_sequence<int, I...>,
            std::integer_sequence<int, J...>) const {
    StripTasks const& tasks = m_schedule.pass(sweeps);
    launch(label, &sweep_strips<Kernel>,
           Kernel{f,
                  {field_ref(pack_get<I>(from))...},
                  {field_ref(pack_get<I>(to))...},
                  {constant_ref(pack_get<J>(constants))...},
                  m_geometry,
                  tasks},
           tasks.count(), 32, Shape::bytes);
  }

 private:
  StripSchedule m_schedule;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
