// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "common/LaunchKernel.hpp"
#include "Values.cuh"
#include "temporal/Tuning.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

template <class A, int R, bool Masked>
struct LineCoefficients : Present<Masked> {
  A c[2 * R + 1];
};

/// A warp's segment of a line, V values a lane in registers, where all sweeps are done in place. Segments overlap by as
/// much as the sweeps reach.
template <class T, int R, int V, Terms Which>
struct Line {
  static constexpr bool masked = Which == Terms::some;
  using A                      = Accumulator<T>;
  static constexpr int VT      = vector_bytes / sizeof(T);  ///< values of a 16-byte vector
  static constexpr int N       = V / VT;                    ///< vectors of a lane
  static constexpr int width   = 32 * V;
  /// Bytes in shared memory. A gap of 16 bytes in every 128 avoids bank conflicts, both between a lane's vectors and
  /// between those side by side.
  static constexpr int row   = 32 * N * 18;
  static constexpr int sums  = (width + width / 8) * int(sizeof(A));
  static constexpr int table = row > sums ? row : sums;
  static constexpr int bytes = table + width * int(sizeof(std::int16_t));
  static_assert(V <= 32 && V >= R, "");

  LineCoefficients<A, R, masked> const& c;
  LineArgs const& g;
  T const* in;
  T* out;
  unsigned char* shared;
  int lane;
  int x;  ///< first point of the segment

  static __device__ __forceinline__ int place(int vector) { return (vector + vector / 8) * 16; }
  __device__ __forceinline__ T* at(int i) const { return reinterpret_cast<T*>(shared + place(i / VT)) + i % VT; }

  /// A sweep of the segment. Results come in the order in which values are used for the last time, so that they can
  /// take the registers of those.
  __device__ __forceinline__ void sweep(A (&n)[V]) const {
    A left[R], right[R];
#pragma unroll
    for (int d = 0; d < R; ++d) {
      left[d]  = __shfl_up_sync(0xffffffffu, n[V - R + d], 1);
      right[d] = __shfl_down_sync(0xffffffffu, n[d], 1);
    }
    A sum[V];
#pragma unroll
    for (int v = -R; v < V + R; ++v) {
      A const value = v < 0 ? left[v < 0 ? v + R : 0] : v < V ? n[v < 0 || v >= V ? 0 : v] : right[v < V ? 0 : v - V];
#pragma unroll
      for (int d = R; d >= -R; --d) {
        int const u = v + d;
        if (u < 0 || u >= V || (d == 0 && Which == Terms::but_centre)) continue;
        sum[u] = with_term<masked>(d == R ? A(0) : sum[u], d == R, c.c[R - d], value, c.present, R - d);
      }
      if (v >= R) n[v - R < V ? v - R : 0] = sum[v - R < V ? v - R : 0];
    }
  }

  __device__ __forceinline__ void read(A (&n)[V]) const {
#pragma unroll
    for (int h = 0; h < N; ++h) {
      Vector<T>::unpack(*reinterpret_cast<uint4 const*>(shared + place(lane * N + h)), n + h * VT);
    }
  }

  __device__ __forceinline__ void write(A const (&n)[V]) const {
    __syncwarp();
#pragma unroll
    for (int h = 0; h < N; ++h) {
      *reinterpret_cast<uint4*>(shared + place(lane * N + h)) = Vector<T>::pack(n + h * VT);
    }
    __syncwarp();
    if (reinterpret_cast<std::uintptr_t>(out + x) % 16 != 0) {
      int const low = max(g.halo, g.begin - x), high = min(width - g.halo, g.end - x);
#pragma unroll 4
      for (int o = lane; o < width; o += 32) {
        if (o >= low && o < high) out[x + o] = *at(o);
      }
      return;
    }
#pragma unroll
    for (int h = 0; h < N; ++h) {
      int const o = (h * 32 + lane) * VT;
      if (o < g.halo || o >= width - g.halo) continue;
      int const low = g.begin - (x + o), high = g.end - (x + o);
      if (low <= 0 && high >= VT) {
        *reinterpret_cast<uint4*>(out + x + o) = *reinterpret_cast<uint4 const*>(at(o));
      } else {
#pragma unroll 1
        for (int v = low > 0 ? low : 0; v < VT && v < high; ++v) out[x + o + v] = *at(o + v);
      }
    }
  }

  /// For segments that depend only on points of the range, or on periodic ones.
  __device__ __forceinline__ void fast() const {
    uint4 vector[N];  // all of them on their way at once
#pragma unroll
    for (int h = 0; h < N; ++h) {
      int column = x + (h * 32 + lane) * VT;
      if (column < 0) column += g.extent;
      if (column >= g.extent) column -= g.extent;
      vector[h] = __ldg(reinterpret_cast<uint4 const*>(in + column));
    }
#pragma unroll
    for (int h = 0; h < N; ++h) *reinterpret_cast<uint4*>(shared + place(h * 32 + lane)) = vector[h];
    __syncwarp();
    A n[V];
    read(n);
#pragma unroll 1
    for (int s = 0; s < g.depth; ++s) sweep(n);
    write(n);
  }

  /// Any boundary and alignment.
  __device__ __forceinline__ void general() const {
    // For each point: whether it changes, or the point of the segment that it is a copy of after each sweep.
    constexpr std::int16_t is_fixed = -1, does_change = -2;
    auto* const source = reinterpret_cast<std::int16_t*>(shared + table);
#pragma unroll 4
    for (int i = lane; i < width; i += 32) {
      int side             = -1;
      std::int64_t const m = Impl::map_near_index(x + i, g.extent, g.faces, side);
      bool const outside   = x + i < 0 || x + i >= g.extent;
      bool const inside    = side < 0 && m >= 0 && m < g.extent;
      std::int64_t const o = m - x;
      std::int16_t from    = is_fixed;
      if (outside && inside && g.faces[x + i < 0 ? 0 : 1].kind != BoundaryKind::periodic) {
        if (o >= 0 && o < width) from = static_cast<std::int16_t>(o);
      } else if (inside && m >= g.begin && m < g.end) {
        from = does_change;
      }
      source[i] = from;
      // No result depends on points beyond the ghost values: any readable value will do.
      *at(i) = side >= 0 ? Value<T>::store(static_cast<A>(g.faces[side].constant)) : in[inside ? m : 0];
    }
    __syncwarp();
    std::uint32_t changes = 0, mirrored = 0;  // of the lane's values
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      changes |= (source[lane * V + v] == does_change ? 1u : 0u) << v;
      mirrored |= (source[lane * V + v] >= 0 ? 1u : 0u) << v;
    }
    A n[V];
    read(n);
    bool const reads = __any_sync(0xffffffffu, mirrored != 0);
    auto* const now  = reinterpret_cast<A*>(shared);
#pragma unroll 1
    for (int s = 0; s < g.depth; ++s) {
      A m[V];
#pragma unroll
      for (int v = 0; v < V; ++v) m[v] = n[v];
      sweep(m);
#pragma unroll
      for (int v = 0; v < V; ++v) n[v] = changes >> v & 1u ? m[v] : n[v];
      if (!reads) continue;
      __syncwarp();
#pragma unroll
      for (int v = 0; v < V; ++v) now[lane * (V + 1) + v] = n[v];
      __syncwarp();
#pragma unroll
      for (int v = 0; v < V; ++v) {
        int const o = mirrored >> v & 1u ? source[lane * V + v] : 0;
        n[v]        = mirrored >> v & 1u ? now[o + o / V] : n[v];
      }
    }
    write(n);
  }
};

template <class T, int R, int V, Terms Which>
__global__ void __launch_bounds__(32 * line_warps, line_blocks)
    line_kernel(__grid_constant__ LineCoefficients<Accumulator<T>, R, Which == Terms::some> const c,
                __grid_constant__ LineArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  using L = Line<T, R, V, Which>;
  __shared__ __align__(16) unsigned char shared[line_warps * L::bytes];
  int const warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0), lane = int(threadIdx.x % 32);
  int const task = int(blockIdx.x) * line_warps + warp;
  if (task >= g.tasks) return;
  // The segments at the ends of the line take longest, so they go first.
  int const segment = task == 0 ? 0 : task == 1 ? g.tasks - 1 : task - 1;
  // Segments begin where the input is aligned.
  int const first =
      g.first - int((reinterpret_cast<std::uintptr_t>(in) + std::uintptr_t(g.first) * sizeof(T)) % 16 / sizeof(T));
  L const line{c, g, in, out, shared + warp * L::bytes, lane, first + segment * (L::width - 2 * g.halo)};
  if ((g.wraps && first == g.first) || (line.x >= g.begin && line.x + L::width <= g.end)) {
    line.fast();
  } else {
    line.general();
  }
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct LineInstance {
  static constexpr LineTuning tuning = line_table(value_type<T>).rows[Row];
  static constexpr int R = tuning.radius, V = tuning.values_per_lane;

  static cudaError_t prepare(int) { return cudaSuccess; }

  static void launch(void const* coefficients, LineArgs const& args, void const* in, void* out, cudaStream_t stream) {
    LineCoefficients<Accumulator<T>, R, tuning.terms == Terms::some> c;
    memcpy(c.c, coefficients, sizeof c.c);
    c.note(c.c, 2 * R + 1);
    Cuda::launch_kernel(line_kernel<T, R, V, tuning.terms>, (args.tasks + line_warps - 1) / line_warps, 32 * line_warps,
                        0, stream, c, args, static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
