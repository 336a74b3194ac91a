// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "Ptx.hpp"
#include "Value.cuh"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>

namespace KokkosStencil {
namespace CudaTemporal {

using Cuda::Accumulator;
using Cuda::fused;
using Cuda::times;
using Cuda::Value;
namespace Ptx = Cuda::Ptx;

template <int Bytes>
using Copy = Ptx::CopyAsyncBytes<Bytes>;

/// 3-D star of radius 1: a block owns a tile and streams down its planes. Each level holds, for its points, the sum so
/// far and the value one plane up; a plane that enters finishes one plane of every level, point by point, one after
/// the other. Only then neighbours in the planes are needed, of all levels at once: along x by shuffle, along y from
/// the thread's own rows, at the edges of a warp's rows by way of shared memory, with one barrier a plane.
template <class T, int Rows, int Depth>
struct StarTile {
  using A                     = Accumulator<T>;
  static constexpr int V      = 16 / int(sizeof(T));
  static constexpr int warps  = space_warps;
  static constexpr int width  = 32 * V;
  static constexpr int height = warps * Rows;
  static constexpr int slots  = 3;  ///< planes of the ring
  static constexpr int ahead  = slots - 1;
  static constexpr int margin = (Depth + V - 1) / V * V;  ///< columns not owned, at either side
  static constexpr int plane  = height * 512;
  static constexpr int edges  = Depth * warps * 2 * 512;
  static constexpr int bytes  = slots * plane + 2 * edges + width * 4 + height * 4;
  static constexpr int own[2] = {height - 2 * Depth, width - 2 * margin};
  enum Term { zm, ym, xm, centre, xp, yp, zp, count };

  A const* c;
  SpaceArgs const& g;
  T const* in;
  T* out;
  unsigned char* ring;
  int lane, warp;
  A p[Depth][Rows][V];  ///< sums; between the two halves of a step level s + 1's newest plane
  A b[Depth][Rows][V];  ///< level s, one plane up

  __device__ __forceinline__ void load(unsigned char const* from, A (&n)[V]) const {
    uint4 const piece = *reinterpret_cast<uint4 const*>(from + lane * 16);
    T value[V];
    memcpy(value, &piece, 16);
#pragma unroll
    for (int v = 0; v < V; ++v) n[v] = Value<T>::load(value[v]);
  }
  __device__ __forceinline__ void store(void* to, A const (&n)[V]) const {
    T value[V];
#pragma unroll
    for (int v = 0; v < V; ++v) value[v] = Value<T>::store(n[v]);
    uint4 piece;
    memcpy(&piece, value, 16);
    *reinterpret_cast<uint4*>(to) = piece;
  }
  __device__ __forceinline__ unsigned char* row(int slot, int w, int j) const {
    return ring + slot * plane + (w * Rows + j) * 512;
  }
  __device__ __forceinline__ unsigned char* edge(int buffer, int s, int w, int side) const {
    return ring + slots * plane + buffer * edges + ((s * warps + w) * 2 + side) * 512;
  }

  /// Level s for the plane that the next input finishes.
  __device__ __forceinline__ void in_plane(int s, int slot, int buffer) {
    int const above = warp > 0 ? warp - 1 : 0, below = warp < warps - 1 ? warp + 1 : warp;
    A up[V], n[V], down[V];
    auto const line = [&](int j, A(&to)[V]) {
      if (s == 0) {
        load(row(slot, warp, j), to);
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) to[v] = p[s > 0 ? s - 1 : 0][j][v];
      }
    };
    load(s == 0 ? row(slot, above, Rows - 1) : edge(buffer, s, above, 1), up);
    line(0, n);
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      if (j < Rows - 1) {
        line(j < Rows - 1 ? j + 1 : j, down);
      } else {
        load(s == 0 ? row(slot, below, 0) : edge(buffer, s, below, 0), down);
      }
      A const left = __shfl_up_sync(0xffffffffu, n[V - 1], 1), right = __shfl_down_sync(0xffffffffu, n[0], 1);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        A sum      = times(c[zm], b[s][j][v]);
        sum        = fused(c[ym], up[v], sum);
        sum        = fused(c[xm], v > 0 ? n[v > 0 ? v - 1 : 0] : left, sum);
        sum        = fused(c[centre], n[v], sum);
        sum        = fused(c[xp], v < V - 1 ? n[v < V - 1 ? v + 1 : v] : right, sum);
        p[s][j][v] = fused(c[yp], down[v], sum);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        b[s][j][v] = n[v];
        up[v]      = n[v];
        n[v]       = down[v];
      }
    }
  }

  /// Masked: some points that the tile's results depend on do not change.
  template <bool Masked>
  __device__ __forceinline__ void march(int x, int y, int first, int last, std::uint32_t active, std::uint32_t rows,
                                        bool whole) {
    auto const* const columns = reinterpret_cast<std::int32_t const*>(ring + slots * plane + 2 * edges);
    auto const* const lines   = columns + width;
    int const total           = last - first + 2 * Depth;
    std::uint32_t planes      = 0;  // that change, of those asked for; bit `ahead` is the one at hand
    std::int32_t const from   = columns[lane * V];
    auto const fetch          = [&](int i) {
      planes <<= 1;
      if (i < total) {
        int side       = -1;
        std::int64_t m = first - Depth + i;
        if (m < 0 || m >= g.extent[0]) {
          m = Impl::map_index(m, g.extent[0], g.faces[0], side);
          if (side >= 0) m = -1;
        }
        if (m >= g.begin[0] && m < g.end[0]) planes |= 1u;
        m                = m < 0 ? 0 : m >= g.extent[0] ? g.extent[0] - 1 : m;
        T const* const z = in + m * g.in_stride[0];
#pragma unroll 1
        for (int j = 0; j < Rows; ++j) {
          std::int32_t const line  = lines[warp * Rows + j];
          unsigned char* const to  = row(i % slots, warp, j) + lane * 16;
          auto const to_at         = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
          std::int64_t const above = (line < 0 ? 0 : line) * g.in_stride[1];
          if (!Masked || (whole && side < 0 && line >= 0)) {
            Copy<16>::run(to_at, z + above + from);
          } else {
#pragma unroll 1
            for (int v = 0; v < V; ++v) {
              // Where constants meet, that of the lowest axis of the View counts.
              int const column = columns[lane * V + v];
              int axis = side >= 0 ? 0 : -1, face = side;
              if (line < 0 && (axis < 0 || g.user_axis[1] < g.user_axis[axis])) {
                axis = 1;
                face = -1 - line;
              }
              if (column < 0 && (axis < 0 || g.user_axis[2] < g.user_axis[axis])) {
                axis = 2;
                face = -1 - column;
              }
              T* const slot = reinterpret_cast<T*>(to) + v;
              if (axis >= 0) {
                *slot = Value<T>::store(static_cast<A>(g.faces[axis][face].constant));
              } else {
                Copy<sizeof(T)>::run(to_at + v * int(sizeof(T)), z + above + column);
              }
            }
          }
        }
      }
      Ptx::CopyAsync::commit();
    };
    for (int i = 0; i < ahead; ++i) fetch(i);
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
#pragma unroll
        for (int v = 0; v < V; ++v) p[s][j][v] = b[s][j][v] = A(0);
      }
    }
    std::uint32_t owned = 0;
    int const line      = warp * Rows;
    bool const inside   = lane * V >= margin && lane * V < width - margin;
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      int const at = line + j;
      if (inside && at >= Depth && at < height - Depth && y + at >= g.begin[1] && y + at < g.end[1]) owned |= 1u << j;
    }
    int const low = g.begin[2] - (x + lane * V), high = g.end[2] - (x + lane * V);
    bool const piece = g.vectors && low <= 0 && high >= V;

#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      Ptx::CopyAsync::wait<ahead - 1>();
      int const slot = i % slots;
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
        A n[V];
        load(row(slot, warp, j), n);
#pragma unroll
        for (int s = 0; s < Depth; ++s) {
          bool const changes = (planes >> (ahead - 1 + s + 1) & 1u) != 0 && (rows >> j & 1u) != 0;
#pragma unroll
          for (int v = 0; v < V; ++v) {
            A const sum = fused(c[zp], n[v], p[s][j][v]);
            n[v]        = !Masked || (changes && (active >> v & 1u) != 0) ? sum : b[s][j][v];
            p[s][j][v]  = n[v];
          }
          if (s + 1 < Depth && (j == 0 || j == Rows - 1)) {
            if (j == 0) store(edge(i & 1, s + 1, warp, 0) + lane * 16, n);
            if (j == Rows - 1) store(edge(i & 1, s + 1, warp, 1) + lane * 16, n);
          }
          if (s + 1 == Depth && i >= 2 * Depth && (owned >> j & 1u) != 0) {
            T* const to = out + std::int64_t(first + i - 2 * Depth) * g.out_stride[0] +
                          std::int64_t(y + line + j) * g.out_stride[1] + x + lane * V;
            if (!Masked || piece) {
              store(to, n);
            } else {
#pragma unroll
              for (int v = 0; v < V; ++v) {
                if (v >= low && v < high) to[v] = Value<T>::store(n[v]);
              }
            }
          }
        }
      }
      __syncthreads();
      fetch(i + ahead);
#pragma unroll
      for (int s = Depth - 1; s >= 0; --s) in_plane(s, slot, i & 1);
    }
  }

  __device__ __forceinline__ void run(int task) {
    int const tile_x = task % g.tiles[1], tile_y = task / g.tiles[1] % g.tiles[0],
              chunk     = task / g.tiles[1] / g.tiles[0];
    int const x         = g.begin[2] / V * V - margin + tile_x * own[1];
    int const y         = g.begin[1] - Depth + tile_y * own[0];
    int const first     = g.begin[0] + chunk * g.planes;
    int const last      = first + g.planes < g.end[0] ? first + g.planes : g.end[0];
    auto* const columns = reinterpret_cast<std::int32_t*>(ring + slots * plane + 2 * edges);
    auto const inside   = [](std::int64_t m, std::int32_t extent) {
      return static_cast<std::int32_t>(m < 0 ? 0 : m >= extent ? extent - 1 : m);
    };
    bool changes = true;
    for (int k = int(threadIdx.x); k < width + height; k += 32 * warps) {
      int const axis = k < width ? 2 : 1, at = k < width ? x + k : y + k - width;
      int side             = -1;
      std::int64_t const m = Impl::map_index(at, g.extent[axis], g.faces[axis], side);
      columns[k]           = side >= 0 ? -1 - side : inside(m, g.extent[axis]);
      changes              = changes && side < 0 && m >= g.begin[axis] && m < g.end[axis];
    }
    changes    = __syncthreads_and(changes);
    bool whole = g.vectors && columns[lane * V] >= 0 && columns[lane * V] % V == 0;
    for (int v = 1; v < V; ++v) whole = whole && columns[lane * V + v] == columns[lane * V] + v;
    std::uint32_t active = 0, rows = 0;
    for (int v = 0; v < V; ++v) {
      int side             = -1;
      std::int64_t const m = Impl::map_index(x + lane * V + v, g.extent[2], g.faces[2], side);
      if (side < 0 && m >= g.begin[2] && m < g.end[2]) active |= 1u << v;
    }
    for (int j = 0; j < Rows; ++j) {
      int side             = -1;
      std::int64_t const m = Impl::map_index(y + warp * Rows + j, g.extent[1], g.faces[1], side);
      if (side < 0 && m >= g.begin[1] && m < g.end[1]) rows |= 1u << j;
    }
    bool const wraps = g.faces[0][0].kind == BoundaryKind::periodic && g.begin[0] == 0 && g.end[0] == g.extent[0];
    changes          = changes && (wraps || (first - Depth >= g.begin[0] && last + Depth <= g.end[0]));
    changes          = __syncthreads_and(changes && whole) && x + margin + own[1] <= g.end[2];
    if (changes) {
      march<false>(x, y, first, last, active, rows, whole);
    } else {
      march<true>(x, y, first, last, active, rows, whole);
    }
  }
};

template <class T, int Rows, int Depth>
__global__ void __launch_bounds__(32 * space_warps, 1)
    space_kernel(__grid_constant__ SpaceCoefficients<Accumulator<T>> const c, __grid_constant__ SpaceArgs const g,
                 T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  int const warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0);
  StarTile<T, Rows, Depth> tile{c.c, g, in, out, shared, int(threadIdx.x % 32), warp, {}, {}};
  tile.run(int(blockIdx.x));
}

template <class T, int Rows, int Depth>
struct SpaceLaunch {
  using W = StarTile<T, Rows, Depth>;

  static cudaError_t prepare() {
    return cudaFuncSetAttribute(space_kernel<T, Rows, Depth>, cudaFuncAttributeMaxDynamicSharedMemorySize, W::bytes);
  }
  static void run(void const* coefficients, SpaceArgs const& args, void const* in, void* out, cudaStream_t stream) {
    SpaceCoefficients<Accumulator<T>> c;
    memcpy(c.c, coefficients, sizeof c.c);
    int const blocks = args.tiles[0] * args.tiles[1] * args.chunks;
    space_kernel<T, Rows, Depth>
        <<<blocks, 32 * space_warps, W::bytes, stream>>>(c, args, static_cast<T const*>(in), static_cast<T*>(out));
  }
  static constexpr SpaceKernel entry(double plane_seconds, double masked_seconds) {
    return {Depth, {W::own[0], W::own[1]}, W::bytes, plane_seconds, masked_seconds, prepare, run};
  }
};

}  // namespace CudaTemporal
}  // namespace KokkosStencil
