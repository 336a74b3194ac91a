// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "arch/AsyncCopy.hpp"
#include "arch/Memory.hpp"
#include "common/Shifted.cuh"
#include "Values.cuh"
#include "temporal/Tuning.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace Ptx = Cuda::Ptx;

template <class A, int Count, bool Masked = false>
struct SpaceCoefficients : Present<Masked> {
  A c[Count];
};

/// What the 3-D kernels share: a block's tile, a ring of its planes that is filled with cp.async, and tables of where
/// each of its columns and rows is read. A row of the tile has a vector of 16 bytes for each of Lanes lanes. These
/// lanes, a warp or half of one, form a group, which holds Rows rows.
///
/// The sums leave few registers, so what is rarely used lies in shared memory or is computed again.
///
/// In: rows of the input begin anywhere. They are copied from the vector on in which the tile's row begins, lie off
/// their place by its phase, and are put in place by who copied them, before others read them. Out: rows of the output
/// do. Then adjacent lanes store adjacent values.
///
/// Ragged: warps some of whose vectors end with the View's row, or are gathered, have a way of their own. It takes
/// registers, and what the main loop becomes without it is up to 7 % faster in double.
template <class T, SpaceStencil Stencil, int Radius, int Warps, int Rows, int Lanes, int Depth, bool In = false,
          bool Out = false, bool Ragged = true>
struct SpaceTile {
  using A                             = Accumulator<T>;
  static constexpr SpaceLayout layout = space_layout(Stencil, Radius, int(sizeof(T)), Warps, Rows, Lanes, Depth, In);
  static constexpr int V              = layout.vector_values;
  static constexpr int warps          = Warps;
  static constexpr int groups         = layout.groups;
  static constexpr int width          = layout.width;
  static constexpr int height         = layout.height;
  static constexpr int pitch          = layout.row_bytes;
  static constexpr int plane          = layout.plane_bytes;
  static constexpr int slots          = layout.ring_planes;
  static constexpr int edges          = layout.edge_bytes;
  static constexpr int reach          = layout.reach;
  static constexpr int interior_rows = layout.interior[0], interior_columns = layout.interior[1];
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  static constexpr int capability = 80;
#else
  static constexpr int capability = 90;
#endif
  /// Last passes have no registers for it.
  static constexpr bool copies_values =
      Ragged && !In && !Out && Temporal::copies_values(Stencil, Radius, int(sizeof(T)), Lanes, capability);
  /// Whether whole rows are read one pitch after the other from one address on, in place of the table of rows. Warps
  /// whose rows do not lie so are `ragged`. By measurement: stars, and boxes in double, are slower so or spill.
  static constexpr bool steps_down = Stencil != SpaceStencil::star && sizeof(T) == 4;
  /// Whether such a warp reads a vector that ends with the row at once nevertheless. On 8.0 registers would spill.
  static constexpr bool reads_parts = !Ragged && capability >= 90;
  using Mask                        = std::conditional_t<(Rows * V > 16), std::uint32_t, std::uint16_t>;
  static_assert(layout.mask_bytes == Warps * 32 * int(sizeof(Mask)), "");

  enum Flag : std::uint32_t {
    changes = 1,    ///< of the warp: all its points that results depend on change
    outer   = 16,   ///< of the warp: the same, except in the first and last column of each lane
    plain   = 2,    ///< of the warp: all its vectors are read whole
    apart   = 4,    ///< of the lane: its vectors of results are not stored whole
    loads   = 32,   ///< of the lane: it reads whole vectors or, with `reads_parts`, what of them is in the View's row
    ragged  = 64,   ///< of the warp, if Ragged: no vector has constants, but one ends with the row, or some `spread`
    spread  = 128,  ///< of the lane: the values of its vectors do not lie together in memory
    some    = 8     ///< of the warp: some lane has `apart`
  };

  /// How many bytes of shared memory to leave out before the ring, so that the two vectors of a sector of memory lie in
  /// one sector there, too: cp.async fetches every sector twice if not. Tiles begin a halo before a sector if rows of
  /// the View begin with one, but for those of narrow boxes (SpaceTuning::whole_sectors). Most kernels have no register
  /// for what is only known when they run.
  static __device__ __forceinline__ std::uint32_t before_ring(SpaceArgs const& g, T const* in) {
    if (In) return 0u;
    if (Stencil == SpaceStencil::star || Lanes == warp_lanes || capability < 90) {
      return layout.halo[1] * int(sizeof(T)) % sector_bytes;
    }
    auto const first = reinterpret_cast<std::uintptr_t>(in) + static_cast<std::uintptr_t>(g.first[1] * int(sizeof(T)));
    return static_cast<std::uint32_t>(first) & vector_bytes;
  }

  /// The thread's group. Where that is a warp, the shuffle shows the compiler that all lanes have the same number.
  static __device__ __forceinline__ int my_group() {
    return Lanes == 32 ? __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0) : int(threadIdx.x / Lanes);
  }

  /// A tile and the planes [first, last) of a chunk of it.
  struct Task {
    int x, y, first, last;
  };

  SpaceArgs const& g;
  T const* in;
  T* out;
  unsigned char* ring;
  unsigned char* table;
  int lane, group;

  std::uint32_t flags = 0;
  /// Bit j: the lane's vector in row j holds results. Out: its points in row j do whose columns have bits, too.
  std::uint32_t owned                         = 0;
  static constexpr std::uint32_t first_column = 1u << 16;
  std::uint32_t planes                        = 0;  ///< bit k: the plane that was fetched k planes ago changes
  int next                                    = 0;  ///< plane to fetch
  std::uint32_t phases = 0;  ///< In: four bits for each plane that was fetched, the last one lowest

  __device__ __forceinline__ void load(unsigned char const* from_vector, A (&n)[V]) const {
    uint4 const vector = *reinterpret_cast<uint4 const*>(from_vector + lane * 16);
    // As Vector::unpack, which would give other machine code in boxes.
    T value[V];
    memcpy(value, &vector, 16);
#pragma unroll
    for (int v = 0; v < V; ++v) n[v] = Value<T>::load(value[v]);
  }
  __device__ __forceinline__ unsigned char* row(int slot, int w, int j) const {
    return ring + slot * plane + (w * Rows + j) * pitch;
  }
  __device__ __forceinline__ std::int64_t const* offsets() const {
    return reinterpret_cast<std::int64_t const*>(table);
  }
  __device__ __forceinline__ std::int32_t const* lines() const {
    return reinterpret_cast<std::int32_t const*>(table + height * 8);
  }
  __device__ __forceinline__ std::int32_t const* columns() const { return lines() + height; }
  /// Bit j V + v: point v of the lane's vector in row j changes.
  __device__ __forceinline__ Mask volatile& active() const {
    return reinterpret_cast<Mask*>(table + height * 12 + width * 4 + 16)[threadIdx.x];
  }
  /// Bit j V + v: that point is a result in a vector that is not stored whole.
  __device__ __forceinline__ Mask volatile& partial() const { return (&active())[32 * Warps]; }
  /// The first column and row of the tile, and plane of the chunk.
  __device__ __forceinline__ std::int32_t volatile* place() const {
    return reinterpret_cast<std::int32_t*>(table + height * 12 + width * 4);
  }

  __device__ __forceinline__ Task task(int number) const {
    int which = 0;
    while (which + 1 < g.groups && number >= g.group[which + 1].first_task) ++which;
    SpaceGroup const& of = g.group[which];
    int const n = number - of.first_task, tx = g.tiles[1];
    int const ends = g.frame[1][0] + g.frame[1][1], band = (g.frame[0][0] + g.frame[0][1]) * tx;
    int k = of.first_tile + n % of.tiles, tile_y, tile_x;
    if (!of.frame) {
      tile_y = g.frame[0][0] + k / (tx - ends);
      tile_x = g.frame[1][0] + k % (tx - ends);
    } else if (k < band) {
      tile_y = k / tx;
      if (tile_y >= g.frame[0][0]) tile_y += g.tiles[0] - g.frame[0][0] - g.frame[0][1];
      tile_x = k % tx;
    } else {
      k -= band;
      tile_y = g.frame[0][0] + k / ends;
      tile_x = k % ends;
      if (tile_x >= g.frame[1][0]) tile_x += tx - ends;
    }
    Task t;
    t.x     = g.first[1] + tile_x * interior_columns;
    t.y     = g.first[0] + tile_y * interior_rows;
    t.first = of.begin + n / of.tiles * of.planes;
    t.last  = t.first + of.planes < of.end ? t.first + of.planes : of.end;
    return t;
  }

  /// Counts a task among the first ones, once its results can be read by others than this GPU's kernels.
  __device__ __forceinline__ void count_early() const {
    // Read anew: kept all the time they change the order of the main loop, which makes it 4 % slower in double.
    int block, thread;
    asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    if (block >= g.early_tasks) return;
    __syncthreads();
    asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
    if (thread != 0) return;
    __threadfence_system();
    atomicAdd(g.early_count, 1u);
  }

  /// Finds where the tile's columns and rows are read, and which points change.
  template <bool Partial, bool Whole = false>
  __device__ __forceinline__ void look(Task const& t) {
    auto* const offset_of = reinterpret_cast<std::int64_t*>(table);
    auto* const line_of   = reinterpret_cast<std::int32_t*>(table + height * 8);
    auto* const column_of = line_of + height;
    for (int k = int(threadIdx.x); k < width + height; k += 32 * Warps) {
      int const axis = k < width ? 2 : 1;
      int side       = -1;
      auto const m   = static_cast<std::int32_t>(
          Impl::map_near_index(k < width ? t.x + k : t.y + k - width, g.extent[axis], g.faces[axis], side));
      if (axis == 2) {
        column_of[k] = side >= 0 ? -1 - side : m >= 0 && m < g.extent[2] ? m : nothing;
      } else {
        int const n          = m < 0 ? 0 : m >= g.extent[1] ? g.extent[1] - 1 : m;
        line_of[k - width]   = side >= 0 ? -1 - side : n;
        offset_of[k - width] = side >= 0 ? 0 : n * g.in_stride[1];
      }
    }
    if (threadIdx.x == 0) {
      place()[0] = t.x;
      place()[1] = t.y;
      place()[2] = t.first;
    }
    __syncthreads();

    // The lane reads vectors whole if their columns are adjacent and aligned, or if no result depends on them. Where
    // the first ones are, and on others no result depends, it reads these.
    std::int32_t from = columns()[lane * V];
    bool whole = from >= 0 && from % V == 0, none = from == nothing, part = whole, there = from >= 0 || none;
    for (int v = 1; v < V; ++v) {
      std::int32_t const column = columns()[lane * V + v];
      there                     = there && (column >= 0 || column == nothing);
      whole                     = whole && column == from + v;
      none                      = none && column == nothing;
      part                      = part && (column == from + v || column == nothing);
    }
    part = !In && g.aligned && part && !whole;
    from = In ? 0 : !g.aligned ? -1 : whole ? from : none ? 0 : -1;
    if (from >= 0 || (reads_parts && part)) flags |= loads;
    bool const single_values = copies_values && there && from < 0 && !part;
    if (single_values) flags |= spread;
    // The first row or column of the tile that it may store, or the one behind the last.
    auto const interior = [&](int axis, int at, int size, int step, int side) {
      bool const last = at == g.first[axis] + (side == 0 ? 0 : (g.tiles[axis] - 1) * step);
      int const lost  = last && g.fixed[axis][side] ? 0 : (size - step) / 2;
      return side == 0 ? lost : size - lost;
    };
    int const top = interior(0, t.y, height, interior_rows, 0), bottom = interior(0, t.y, height, interior_rows, 1);
    int const x = t.x + lane * V;
    // What is stored, along y and x.
    int const more = Whole && g.stores_ghosts ? Radius : 0;
    int stored[2][2];
#pragma unroll
    for (int a = 0; a < 2; ++a) {
      stored[a][0] = g.begin[a + 1] > more ? g.begin[a + 1] - more : 0;
      stored[a][1] = g.end[a + 1] + more < g.extent[a + 1] ? g.end[a + 1] + more : g.extent[a + 1];
    }
    bool inside = lane * V >= interior(1, t.x, width, interior_columns, 0) && x + V > stored[1][0] &&
                  lane * V < interior(1, t.x, width, interior_columns, 1) && x < stored[1][1];
    // Of vectors that reach beyond the range only points in the range are stored, unless the kernel keeps the values of
    // the others (Whole).
    // Where input begins anywhere, the output has padded rows.
    int const low = Whole ? 0 : g.begin[2], high = !Whole ? g.end[2] : In ? (g.extent[2] + V - 1) / V * V : g.extent[2];
    if (!Out && inside && !(g.aligned && x >= low && x + V <= high)) flags |= apart;
    if constexpr (Out) {
      inside = true;
      for (int v = 0; v < V; ++v) {
        int const k = lane + v * Lanes;
        if (k >= interior(1, t.x, width, interior_columns, 0) && k < interior(1, t.x, width, interior_columns, 1) &&
            t.x + k >= g.begin[2] && t.x + k < g.end[2]) {
          owned |= first_column << v;
        }
      }
    }
    // No result depends on points farther away than these, except across faces that wrap around or reflect.
    std::int32_t near[2][2];
#pragma unroll
    for (int a = 0; a < 2; ++a) {
      near[a][0] = g.fixed[a][0] ? g.begin[a + 1] - Radius : INT32_MIN;
      near[a][1] = g.fixed[a][1] ? g.end[a + 1] + Radius - 1 : INT32_MAX;
    }
    bool reads = from >= 0 || part || single_values, all = true, but_outer = true;
    std::uint32_t moves = 0, single = 0;
#pragma unroll 1
    for (int j = 0; j < Rows; ++j) {
      int const at = group * Rows + j, line = lines()[at], y = t.y + at;
      reads           = reads && line >= 0;
      bool const mine = inside && at >= top && at < bottom && y >= stored[0][0] && y < stored[0][1];
      if (mine) owned |= 1u << j;
      bool const row = line >= g.begin[1] && line < g.end[1];
      for (int v = 0; v < V; ++v) {
        int const column  = columns()[lane * V + v];
        bool const active = row && column >= g.begin[2] && column < g.end[2];
        if (active) moves |= 1u << (j * V + v);
        if (mine && (flags & apart) != 0 && x + v >= g.begin[2] && x + v < g.end[2]) single |= 1u << (j * V + v);
        if (active || y < near[0][0] || y > near[0][1] || x + v < near[1][0] || x + v > near[1][1]) continue;
        all       = false;
        but_outer = but_outer && (v == 0 || v == V - 1);
      }
    }
    active() = static_cast<Mask>(moves);
    if (Partial) partial() = static_cast<Mask>(single);
    // Lines of adjacent rows differ by one at most, but where they wrap around.
    bool const in_turn  = !steps_down || lines()[group * Rows + Rows - 1] - lines()[group * Rows] == Rows - 1;
    bool const by_parts = part || single_values || !in_turn;
    if (__all_sync(0xffffffffu, reads)) flags |= __any_sync(0xffffffffu, by_parts) ? ragged : plain;
    if (__all_sync(0xffffffffu, all)) flags |= changes;
    if (__all_sync(0xffffffffu, but_outer)) flags |= outer;
    if (__any_sync(0xffffffffu, (flags & apart) != 0)) flags |= some;
    next = t.first - reach;
  }

  /// Does what Impl::map_near_index does, but without a division, which would be a function call in the main loop.
  __device__ __forceinline__ int plane_of(int m, int& side) const {
    int const extent = g.extent[0];
    while (m < 0 || m >= extent) {
      int const s             = m < 0 ? 0 : 1;
      BoundaryKind const kind = g.faces[0][s].kind;
      if (kind == BoundaryKind::halo) return m;
      if (kind == BoundaryKind::value) {
        side = s;
        return -1;
      }
      m = kind == BoundaryKind::periodic ? (s == 0 ? m + extent : m - extent) : s == 0 ? -1 - m : 2 * extent - 1 - m;
    }
    return m;
  }

  /// Starts the copy of a vector of a row of the plane at `z`. Columns beyond faces, on which no result depends, are
  /// any others. Last: nothing may be read past the View.
  template <bool Last>
  __device__ __forceinline__ void copy_anywhere(std::uint32_t to, T const* z, int at, int column) const {
    int const most  = g.extent[2] + V - 2;
    auto const from = reinterpret_cast<std::uintptr_t>(z + offsets()[at] +
                                                       (column < 0      ? 0
                                                        : column < most ? column
                                                                        : most)) &
                      ~std::uintptr_t(vector_bytes - 1);
    if constexpr (Last) {
      auto const end = reinterpret_cast<std::uintptr_t>(in + (g.extent[0] - 1) * g.in_stride[0] +
                                                        (g.extent[1] - 1) * g.in_stride[1] + g.extent[2]);
      if (from + vector_bytes > end) {
#pragma unroll 1
        for (std::uint32_t n = 0; n < vector_bytes && from + n < end; n += sizeof(T)) {
          Ptx::CopyAsyncBytes<sizeof(T)>::run(to + n, reinterpret_cast<void const*>(from + n));
        }
        return;
      }
    }
    Ptx::CopyAsyncBytes<16>::run(to, reinterpret_cast<void const*>(from));
  }
  template <bool Last>
  __device__ __forceinline__ void fetch_anywhere(int slot, T const* z) const {
    auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row(slot, group, 0)));
    int const x   = place()[0];
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      copy_anywhere<Last>(at + j * pitch + lane * vector_bytes, z, group * Rows + j, x + lane * V);
    }
    static_assert(Rows <= Lanes, "");
    if (lane < Rows) {
      copy_anywhere<Last>(at + lane * pitch + Lanes * vector_bytes, z, group * Rows + lane, x + width);
    }
  }

  /// The lane's vector of a row of the plane that was fetched `Ago` planes before the last one.
  template <int Ago>
  __device__ __forceinline__ uint4 in_phase(int slot, int j) const {
    auto const from = static_cast<std::uint32_t>(__cvta_generic_to_shared(row(slot, group, j) + lane * vector_bytes));
    std::uint32_t const place = (phases >> 4 * Ago) + static_cast<std::uint32_t>(offsets()[group * Rows + j]);
    // The compiler would read each value for itself, from an address that depends on the phase.
    uint4 const low = Ptx::LoadShared::run(from), high = Ptx::LoadShared::run(from + vector_bytes);
    return shifted<int(sizeof(T))>(low, high, place % V * std::uint32_t(sizeof(T)));
  }

  /// In: puts the group's rows of such a plane in place, once each lane's copies have come.
  template <int Ago>
  __device__ __forceinline__ void settle(int slot) const {
    __syncwarp();
    uint4 vector[Rows];
#pragma unroll
    for (int j = 0; j < Rows; ++j) vector[j] = in_phase<Ago>(slot, j);
    __syncwarp();
#pragma unroll
    for (int j = 0; j < Rows; ++j) *reinterpret_cast<uint4*>(row(slot, group, j) + lane * vector_bytes) = vector[j];
  }

  /// Out: stores a row of results by way of `by` in shared memory, adjacent values by adjacent lanes.
  template <int... Value>
  __device__ __forceinline__ void store_anywhere(T* to, uint4 const& vector, unsigned char* by, std::uint32_t wanted,
                                                 std::integer_sequence<int, Value...>) const {
    *reinterpret_cast<uint4*>(by + lane * vector_bytes) = vector;
    __syncwarp();
    T const* const from = reinterpret_cast<T const*>(by) + lane;
    (Ptx::StoreValueIf<T, Value * Lanes>::run(to, from[Value * Lanes], wanted & first_column << Value), ...);
  }
  __device__ __forceinline__ void store_anywhere(T* to, uint4 const& vector, unsigned char* by,
                                                 std::uint32_t wanted) const {
    store_anywhere(to, vector, by, wanted, std::make_integer_sequence<int, V>());
  }

  /// Starts the copies of the next plane.
  __device__ __forceinline__ void fetch(int slot, bool wanted) {
    planes <<= 1;
    if (In) phases <<= 4;
    if (wanted) {
      int side    = -1;
      int const m = plane_of(next++, side);
      if (side < 0 && m >= g.begin[0] && m < g.end[0]) planes |= 1u;
      T const* const z = in + (m < 0 ? 0 : m >= g.extent[0] ? g.extent[0] - 1 : m) * g.in_stride[0];
      if constexpr (In) {
        phases |= static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(z) / sizeof(T)) % V;
        if (__all_sync(0xffffffffu, m >= g.extent[0] - 1)) {
          fetch_anywhere<true>(slot, z);
        } else {
          fetch_anywhere<false>(slot, z);
        }
      } else if (__all_sync(0xffffffffu, (flags & plain) != 0 && side < 0)) {
        auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row(slot, group, 0) + lane * 16));
        std::int32_t const column = *const_cast<std::int32_t const volatile*>(columns() + lane * V);
        T const* const base       = z + (column < 0 ? 0 : column);
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
          std::int64_t const down =
              steps_down ? offsets()[group * Rows] + j * g.in_stride[1] : offsets()[group * Rows + j];
          Ptx::CopyAsyncBytes<16>::run(at + j * pitch, base + down);
        }
      } else if (Ragged && __all_sync(0xffffffffu, (flags & ragged) != 0 && side < 0)) {
        fetch_ragged(slot, z);
      } else {
        fetch_apart(slot, z, side);
      }
    }
    Ptx::CopyAsync::commit();
  }

  /// How much of the vector that begins at a column is in the View's row.
  __device__ __forceinline__ std::uint32_t bytes_of_row(int column) const {
    int const left = (g.extent[2] - column) * int(sizeof(T));
    return static_cast<std::uint32_t>(left < vector_bytes ? left : vector_bytes);
  }

  /// The same where one of the lanes has a vector that ends with the View's row, behind which nothing is read, or
  /// values that are reflections or lie at both ends of a row.
  __device__ __forceinline__ void fetch_ragged(int slot, T const* z) const {
    auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(row(slot, group, 0) + lane * 16));
    int column    = *const_cast<std::int32_t const volatile*>(columns() + lane * V);
    if (column < 0) column = 0;
    std::uint32_t const bytes = bytes_of_row(column);
    // Last passes have no registers for more than one address.
    constexpr int at_once = Out ? 1 : Rows;
    if constexpr (copies_values) {
      if ((flags & spread) != 0) {
#pragma unroll 1
        for (int j = 0; j < Rows; ++j) {
          T const* const base = z + offsets()[group * Rows + j];
#pragma unroll
          for (int v = 0; v < V; ++v) {
            std::int32_t const of = columns()[lane * V + v];
            Ptx::CopyAsyncBytes<sizeof(T)>::run(at + j * pitch + v * int(sizeof(T)), base + (of < 0 ? 0 : of));
          }
        }
        return;
      }
    }
#pragma unroll at_once
    for (int j = 0; j < Rows; ++j) {
      Ptx::CopyAsyncPart::run(at + j * pitch, z + column + offsets()[group * Rows + j], bytes);
    }
  }

  /// The same where vectors are not read whole, or constants are read.
  __device__ __forceinline__ void fetch_apart(int slot, T const* z, int side) const {
#pragma unroll 1
    for (int j = 0; j < Rows; ++j) {
      std::int32_t const line = lines()[group * Rows + j];
      T const* const base     = z + offsets()[group * Rows + j];
      unsigned char* const to = row(slot, group, j) + lane * 16;
      auto const to_at        = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
      if ((flags & loads) != 0 && side < 0 && line >= 0) {
        int column = columns()[lane * V];
        if (column < 0) column = 0;
        if constexpr (reads_parts) {
          Ptx::CopyAsyncPart::run(to_at, base + column, bytes_of_row(column));
        } else {
          Ptx::CopyAsyncBytes<16>::run(to_at, base + column);
        }
        continue;
      }
      if (sizeof(T) < 4 && side < 0 && line >= 0) {
        *reinterpret_cast<uint4*>(to) = gathered(base, columns() + lane * V, g.faces[2]);
        continue;
      }
#pragma unroll 1
      for (int v = 0; v < V; ++v) {
        // Past several constant faces the one of the View's lowest axis counts.
        int const column = columns()[lane * V + v];
        int axis = side >= 0 ? 0 : -1, face = side;
        if (line < 0 && (axis < 0 || g.user_axis[1] < g.user_axis[axis])) {
          axis = 1;
          face = -1 - line;
        }
        if (column < 0 && column != nothing && (axis < 0 || g.user_axis[2] < g.user_axis[axis])) {
          axis = 2;
          face = -1 - column;
        }
        if (axis >= 0) {
          *(reinterpret_cast<T*>(to) + v) = Value<T>::store(static_cast<A>(g.faces[axis][face].constant));
        } else if constexpr (sizeof(T) >= 4) {
          Ptx::CopyAsyncBytes<sizeof(T)>::run(to_at + v * int(sizeof(T)), base + (column < 0 ? 0 : column));
        }
      }
    }
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
