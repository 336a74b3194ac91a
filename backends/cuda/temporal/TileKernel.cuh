// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "Values.cuh"
#include "temporal/Tuning.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

namespace Ptx = Cuda::Ptx;

/// Coefficients in the canonical order of 3-D. Those of a 2-D stencil are in the places of dz = 0.
template <class A, int Count>
struct TileCoefficients {
  A c[Count];
};

/// Any star or box of radius R with any boundary. A block keeps in shared memory as many planes of its tile as the next
/// sweep reads, of the field and of the result of each sweep but the last (3.5-D blocking: A. Nguyen et al., SC 2010).
/// Each point sums up its terms in canonical order. Points that mirrors and edges reflect are copied after each sweep
/// from the points that they reflect, so stencils need not be symmetric. In 2-D the tile is one plane, and sweeps take
/// turns between two buffers.
template <class T, int R, bool Star>
struct Tile {
  using A                    = Accumulator<T>;
  static constexpr int V     = 16 / int(sizeof(T));
  static constexpr int Rows  = tile_rows;  ///< of a thread
  static constexpr int side  = 2 * R + 1;
  static constexpr int count = Star ? 6 * R + 1 : side * side * side;
  /// Planes of the field, one of which is being loaded, and of the result of a sweep.
  static constexpr int slots = tile_first_planes(R), others = tile_other_planes(R);
  using Coefficients = TileCoefficients<A, count>;
  /// Length of a row of a box's coefficients in shared memory, in whole vectors. They are there because a loop would
  /// get only one at a time from constant memory.
  static constexpr int padded = tile_weight_bytes(int(sizeof(T)), R) / int(sizeof(A));

  Coefficients const& c;
  TileArgs const& g;
  T const* in;
  T* out;
  unsigned char* shared;

  int warp = 0;
  int lane = 0, group = 0;           ///< the thread's vector in a row, and its row among those that a warp does at once
  int pitch = 0, plane = 0;          ///< bytes
  int x = 0, y = 0;                  ///< where the tile begins
  int first = 0, last = 0, low = 0;  ///< planes of results; the first one that is read
  A* weights           = nullptr;    ///< the coefficients of a box
  std::int32_t* source = nullptr;    ///< for each column of the tile: the one that is read, or the face of a constant
  std::int32_t* twin   = nullptr;    ///< for each column of the tile: the one of the tile that it reflects, or -1
  std::int32_t* line   = nullptr;    ///< for each row of the tile: the one that is read, or the face of a constant
  std::int32_t* place  = nullptr;    ///< for each row, from R rows before the tile on: where in a plane it lies
  std::uint32_t active = 0;          ///< bit v: the lane's column changes
  bool all = false, reflects = false;  ///< all points of the tile change; some columns are reflections of others

  __device__ __forceinline__ int reach_z() const { return g.flat ? 0 : R; }
  __device__ __forceinline__ int rows_of_weights() const {
    return g.flat ? tile_weight_rows(Star, true, R) : tile_weight_rows(Star, false, R);
  }

  /// Past a mirror or an edge the point that is read there. Other boundary rules are left aside.
  static __device__ __forceinline__ int reflected(int at, int extent, Face const (&faces)[2]) {
    while (at < 0 || at >= extent) {
      int const s = at < 0 ? 0 : 1;
      if (faces[s].kind == BoundaryKind::edge) return s == 0 ? 0 : extent - 1;
      if (faces[s].kind != BoundaryKind::mirror) break;
      at = s == 0 ? -1 - at : 2 * extent - 1 - at;
    }
    return at;
  }

  static __device__ __forceinline__ void load(unsigned char const* from, A (&n)[V]) {
    Vector<T>::unpack(*reinterpret_cast<uint4 const*>(from), n);
  }

  __device__ __forceinline__ unsigned char* plane_of(int sweep, int z) const {
    int const k    = reflected(z, g.extent[0], g.faces[0]) - low;
    int const slot = g.flat ? sweep & 1 : sweep == 0 ? k % slots : slots + (sweep - 1) * others + k % others;
    return shared + slot * plane;
  }

  /// Finds where the rows and columns of the tile are read, and which points change.
  __device__ __forceinline__ void look() {
    int const width = g.row_vectors * V;
    bool changes = true, reflection = false;
    for (int k = int(threadIdx.x); k < rows_of_weights() * padded; k += int(blockDim.x)) {
      int const row = k / padded, d = k % padded;
      weights[k] = d < side ? c.c[(g.flat ? R * side * side : 0) + row * side + d] : A(0);
    }
    for (int k = int(threadIdx.x); k < width; k += int(blockDim.x)) {
      int from             = -1;
      std::int64_t const m = Impl::map_near_index(x + k, g.extent[2], g.faces[2], from);
      int const other      = reflected(x + k, g.extent[2], g.faces[2]) - x;
      source[k]            = from >= 0 ? -1 - from : m >= 0 && m < g.extent[2] ? std::int32_t(m) : nothing;
      twin[k]              = other != k && other >= 0 && other < width ? other : -1;
      changes              = changes && m >= g.begin[2] && m < g.end[2];
      reflection           = reflection || twin[k] >= 0;
    }
    for (int k = int(threadIdx.x); k < g.rows + 2 * R; k += int(blockDim.x)) {
      int const row   = k - R;
      int const other = reflected(y + row, g.extent[1], g.faces[1]) - y;
      int const near  = other >= 0 && other < g.rows ? other : row < 0 ? 0 : row < g.rows ? row : g.rows - 1;
      place[k]        = near * pitch;
      if (row < 0 || row >= g.rows) continue;
      int from             = -1;
      std::int64_t const m = Impl::map_near_index(y + row, g.extent[1], g.faces[1], from);
      line[row]            = from >= 0 ? -1 - from : m < 0 ? 0 : m >= g.extent[1] ? g.extent[1] - 1 : std::int32_t(m);
      changes              = changes && from < 0 && m >= g.begin[1] && m < g.end[1];
    }
    all      = __syncthreads_and(changes) != 0;
    reflects = __syncthreads_or(reflection) != 0;
    for (int v = 0; v < V; ++v) {
      int const column = source[lane * V + v];
      if (column >= g.begin[2] && column < g.end[2]) active |= 1u << v;
    }
  }

  __device__ __forceinline__ bool is_read(int z) const {
    return z < last + g.depth * reach_z() && reflected(z, g.extent[0], g.faces[0]) == z;
  }

  /// Starts the copies of a plane.
  __device__ __forceinline__ void fetch(int z) const {
    if (is_read(z)) {
      int from             = -1;
      std::int64_t m       = Impl::map_near_index(z, g.extent[0], g.faces[0], from);
      m                    = m < 0 ? 0 : m >= g.extent[0] ? g.extent[0] - 1 : m;
      T const* const start = in + m * g.in_stride[0];
      unsigned char* to    = plane_of(0, z);
      // Copied whole if its columns are read as one vector, or if no result depends on them.
      int const vector = int(threadIdx.x) % g.row_vectors, step = int(blockDim.x) / g.row_vectors;
      std::int32_t begin = source[vector * V];
      bool whole = begin >= 0 && begin % V == 0, none = begin == nothing;
      for (int v = 1; v < V; ++v) {
        whole = whole && source[vector * V + v] == begin + v;
        none  = none && source[vector * V + v] == nothing;
      }
      begin = !g.aligned || from >= 0 ? -1 : whole ? begin : none ? 0 : -1;
#pragma unroll 4
      for (int row = int(threadIdx.x) / g.row_vectors; row < g.rows; row += step) {
        unsigned char* const at = to + row * pitch + vector * 16;
        if (begin >= 0 && line[row] >= 0) {
          auto const at_shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
          Ptx::CopyAsyncBytes<16>::run(at_shared, start + line[row] * g.in_stride[1] + begin);
        } else {
          fetch_apart(at, start, from, row, vector);
        }
      }
    }
    Ptx::CopyAsync::commit();
  }

  /// The same where a vector is not read whole, or holds constants. Past several constant faces the one of the View's
  /// lowest axis counts. (As in SpaceTile, but a shared function would give other machine code.)
  __device__ __forceinline__ void fetch_apart(unsigned char* at, T const* start, int from, int row, int vector) const {
    std::int32_t const* const columns = source + vector * V;
    if (from < 0 && line[row] >= 0) {
      *reinterpret_cast<uint4*>(at) = gathered(start + line[row] * g.in_stride[1], columns, g.faces[2]);
      return;
    }
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      int axis = from >= 0 ? 0 : 1, face = from >= 0 ? from : -1 - line[row];
      if (axis == 0 && line[row] < 0 && g.user_axis[1] < g.user_axis[0]) {
        axis = 1;
        face = -1 - line[row];
      }
      if (columns[v] < 0 && columns[v] != nothing && g.user_axis[2] < g.user_axis[axis]) {
        axis = 2;
        face = -1 - columns[v];
      }
      reinterpret_cast<T*>(at)[v] = Value<T>::store(static_cast<A>(g.faces[axis][face].constant));
    }
  }

  /// Widens a row of values by its neighbours along x.
  static __device__ __forceinline__ void widen(A const (&n)[V], A (&w)[V + 2 * R]) {
#pragma unroll
    for (int i = 0; i < V + 2 * R; ++i) {
      int const o = i - R, lanes = o < 0 ? (V - 1 - o) / V : o / V, v = o < 0 ? o + lanes * V : o - lanes * V;
      w[i] = lanes == 0 ? n[v]
             : o < 0    ? __shfl_up_sync(0xffffffffu, n[v], unsigned(lanes))
                        : __shfl_down_sync(0xffffffffu, n[v], unsigned(lanes));
    }
  }

  static __device__ __forceinline__ void add(A q, A const (&n)[V], A (&sum)[V]) {
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = fused(q, n[v], sum[v]);
  }

  /// Adds the terms along z, from dz = begin on.
  __device__ __forceinline__ void along_z(int sweep, int z, int begin, int const (&at)[Rows + 2 * R],
                                          A (&sum)[Rows][V]) const {
#pragma unroll
    for (int d = 0; d < R; ++d) {
      int const dz                    = begin + d;
      unsigned char const* const from = plane_of(sweep - 1, z + dz) + lane * 16;
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
        A n[V];
        load(from + at[R + j], n);
        add(c.c[dz < 0 ? R + dz : 5 * R + dz], n, sum[j]);
      }
    }
  }

  __device__ __forceinline__ void star(int sweep, int z, int top, A (&sum)[Rows][V]) const {
    int at[Rows + 2 * R];
#pragma unroll
    for (int r = 0; r < Rows + 2 * R; ++r) at[r] = place[top + r];
    if (!g.flat) along_z(sweep, z, -R, at, sum);
    unsigned char const* const from = plane_of(sweep - 1, z) + lane * 16;
#pragma unroll
    for (int r = 0; r < Rows + 2 * R; ++r) {
      A n[V];
      load(from + at[r], n);
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
        int const dy = r - R - j;
        if (dy < -R || dy > R) continue;
        if (dy != 0) {
          add(c.c[dy < 0 ? 2 * R + dy : 4 * R + dy], n, sum[j]);
        } else {
          A w[V + 2 * R];
          widen(n, w);
#pragma unroll
          for (int d = 0; d < side; ++d) {
#pragma unroll
            for (int v = 0; v < V; ++v) sum[j][v] = fused(c.c[2 * R + d], w[v + d], sum[j][v]);
          }
        }
      }
    }
    if (!g.flat) along_z(sweep, z, 1, at, sum);
  }

  __device__ __forceinline__ void box(int sweep, int z, int top, A (&sum)[Rows][V]) const {
    // Volatile, to be read again for each plane: few registers are left.
    std::int32_t const volatile* const at = place + top;
#pragma unroll 1
    for (int dz = -reach_z(); dz <= reach_z(); ++dz) {
      unsigned char const* const from = plane_of(sweep - 1, z + dz) + lane * 16;
      A const* const of_plane         = weights + (dz + reach_z()) * side * padded;
#pragma unroll
      for (int r = 0; r < Rows + 2 * R; ++r) {
        A n[V], w[V + 2 * R];
        load(from + at[r], n);
        widen(n, w);
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
          int const dy = r - R - j;
          if (dy < -R || dy > R) continue;
          A q[padded];
#pragma unroll
          for (int h = 0; h < padded; h += 16 / int(sizeof(A))) {
            uint4 const vector = *reinterpret_cast<uint4 const*>(of_plane + (dy + R) * padded + h);
            memcpy(q + h, &vector, 16);
          }
#pragma unroll
          for (int d = 0; d < side; ++d) {
#pragma unroll
            for (int v = 0; v < V; ++v) sum[j][v] = fused(q[d], w[v + d], sum[j][v]);
          }
        }
      }
    }
  }

  /// Computes plane z of a sweep from the planes of the sweep before.
  __device__ __forceinline__ void run_sweep(int sweep, int z) const {
    int const share = 32 / g.row_vectors * Rows, warps = int(blockDim.x) / 32;
    int const begin = sweep * R / share, end = (g.rows - sweep * R + share - 1) / share;
    bool const is_last   = sweep == g.depth;
    int from             = -1;
    std::int64_t const m = Impl::map_near_index(z, g.extent[0], g.faces[0], from);
    bool const plain     = is_last || (all && from < 0 && m >= g.begin[0] && m < g.end[0]);
    bool const moves     = from < 0 && m >= g.begin[0] && m < g.end[0];
#pragma unroll 1
    for (int q = begin + warp; q < end; q += warps) {
      int const top = q * share + group * Rows;
      A sum[Rows][V];
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
#pragma unroll
        for (int v = 0; v < V; ++v) sum[j][v] = A(-0.0);
      }
      if constexpr (Star) {
        star(sweep, z, top, sum);
      } else {
        box(sweep, z, top, sum);
      }
      // Points that do not change keep their values.
      if (!plain) {
        unsigned char const* const old = plane_of(sweep - 1, z) + lane * 16;
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
          std::uint32_t const row = moves && line[top + j] >= g.begin[1] && line[top + j] < g.end[1] ? active : 0u;
          A n[V];
          load(old + (top + j) * pitch, n);
#pragma unroll
          for (int v = 0; v < V; ++v) sum[j][v] = row >> v & 1u ? sum[j][v] : n[v];
        }
      }
      if (is_last) {
        store(z, top, sum);
      } else {
        unsigned char* const to = plane_of(sweep, z) + top * pitch;
#pragma unroll
        for (int j = 0; j < Rows; ++j) *reinterpret_cast<uint4*>(to + j * pitch + lane * 16) = Vector<T>::pack(sum[j]);
        if (reflects) reflect(to);
      }
    }
  }

  /// Copies the columns that are reflections of others. A warp has whole rows.
  __device__ __forceinline__ void reflect(unsigned char* rows) const {
    __syncwarp();
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      int const from = twin[lane * V + v];
      if (from < 0) continue;
#pragma unroll 1
      for (int j = 0; j < Rows; ++j) {
        T* const row      = reinterpret_cast<T*>(rows + j * pitch);
        row[lane * V + v] = row[from];
      }
    }
  }

  __device__ __forceinline__ void store(int z, int top, A const (&sum)[Rows][V]) const {
    int const reach = g.depth * R, halo = (reach + V - 1) / V;
    if (lane < halo || lane >= g.row_vectors - halo) return;
    int const left = x + lane * V, low_v = g.begin[2] - left, high_v = g.end[2] - left;
    T* const to = out + z * g.out_stride[0] + left;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      int const row = y + top + j;
      if (top + j < reach || top + j >= g.rows - reach || row >= g.end[1]) continue;
      T* const at = to + row * g.out_stride[1];
      if (g.aligned && low_v <= 0 && high_v >= V) {
        *reinterpret_cast<uint4*>(at) = Vector<T>::pack(sum[j]);
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (v >= low_v && v < high_v) at[v] = Value<T>::store(sum[j][v]);
        }
      }
    }
  }

  __device__ __forceinline__ void run() {
    Ptx::GridDependency::signal();
    int const reach = g.depth * R, halo = (reach + V - 1) / V * V, planes = g.flat ? 2 : slots + (g.depth - 1) * others;
    int const number = int(blockIdx.x), tile_x = number % g.tiles[2], rest = number / g.tiles[2];
    // Got by a shuffle, from which the compiler sees that it is the same for all of a warp.
    warp    = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0);
    lane    = int(threadIdx.x % 32) % g.row_vectors;
    group   = int(threadIdx.x % 32) / g.row_vectors;
    pitch   = g.row_vectors * 16;
    plane   = g.rows * pitch;
    weights = reinterpret_cast<A*>(shared + planes * plane);
    source  = reinterpret_cast<std::int32_t*>(weights + rows_of_weights() * padded);
    twin    = source + g.row_vectors * V;
    line    = twin + g.row_vectors * V;
    place   = line + g.rows;
    x       = g.begin[2] / V * V + tile_x * g.interior[2] - halo;
    y       = g.begin[1] + rest % g.tiles[1] * g.interior[1] - reach;
    first   = g.begin[0] + rest / g.tiles[1] * g.interior[0];
    last    = first + g.interior[0] < g.end[0] ? first + g.interior[0] : g.end[0];
    // Planes that are reflections of others are never loaded.
    int const total_reach_z = g.depth * reach_z();
    low                     = first - total_reach_z;
    if (low < 0 && reflected(-1, g.extent[0], g.faces[0]) >= 0) low = 0;
    look();
    Ptx::GridDependency::wait();
    fetch(low);
#pragma unroll 1
    for (int z = low; z < last + total_reach_z; ++z) {
      Ptx::CopyAsync::wait<0>();
      __syncthreads();
      if (!g.flat) fetch(z + 1);
#pragma unroll 1
      for (int sweep = 1; sweep <= g.depth; ++sweep) {
        int const at = z - sweep * reach_z(), beyond = total_reach_z - sweep * reach_z();
        if (at < first - beyond || at < low || at >= last + beyond || reflected(at, g.extent[0], g.faces[0]) != at)
          continue;
        if (sweep > 1) __syncthreads();
        run_sweep(sweep, at);
      }
    }
  }
};

template <class T, int R, bool Star>
__global__ void __launch_bounds__(tile_threads, 1)
    tile_kernel(__grid_constant__ typename Tile<T, R, Star>::Coefficients const c, __grid_constant__ TileArgs const g,
                T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  Tile<T, R, Star> tile{c, g, in, out, shared};
  tile.run();
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct TileInstance {
  static constexpr TileTuning tuning = tile_table(value_type<T>).rows[Row];
  static constexpr int R             = tuning.radius;
  using W                            = Tile<T, R, tuning.star>;
  static constexpr auto kernel       = tile_kernel<T, R, tuning.star>;

  static cudaError_t prepare(int shared_bytes) { return allow_shared_bytes(shared_bytes, kernel); }

  static void launch(void const* coefficients, TileArgs const& args, void const* in, void* out, cudaStream_t stream) {
    typename W::Coefficients c{};
    // Those of a 2-D stencil lie in the middle.
    int const lead = tuning.star ? R : R * W::side * W::side, some = args.flat ? W::count - 2 * lead : W::count;
    memcpy(c.c + (args.flat ? lead : 0), coefficients, static_cast<std::size_t>(some) * sizeof c.c[0]);
    auto const blocks = static_cast<std::uint32_t>(args.tiles[0] * args.tiles[1] * args.tiles[2]);
    Cuda::launch_dependent<kernel>(blocks, args.threads, static_cast<std::size_t>(args.shared_bytes), stream, c, args,
                                   static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
