// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/AsyncCopy.hpp"
#include "arch/Memory.hpp"
#include "common/LaunchKernel.hpp"
#include "SpaceTile.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// All points of radius 1 around a point.
struct FullBox {
  static constexpr SpaceStencil stencil = SpaceStencil::box;
  static constexpr int count            = 27;
  static constexpr bool has(int, int, int) { return true; }
  static constexpr int index(int dz, int dy, int dx) { return 9 * dz + 3 * dy + dx + 13; }
};

/// The middle plane and the corners of its neighbours.
struct CornerBox {
  static constexpr SpaceStencil stencil = SpaceStencil::box17;
  static constexpr int count            = 17;
  static constexpr bool has(int dz, int dy, int dx) { return has_term(stencil, dz, dy, dx); }
  static constexpr int index(int dz, int dy, int dx) {
    return dz == 0 ? 3 * dy + dx + 8 : 13 * (dz + 1) / 2 + dy + 1 + (dx + 1) / 2;
  }
};

/// All but the corners.
struct EdgeBox {
  static constexpr SpaceStencil stencil = SpaceStencil::box19;
  static constexpr int count            = 19;
  static constexpr bool has(int dz, int dy, int dx) { return has_term(stencil, dz, dy, dx); }
  static constexpr int index(int dz, int dy, int dx) {
    return dz == 0 ? 3 * dy + dx + 9 : (dz < 0 ? 2 : 16) + 2 * dy + dx;
  }
};

template <SpaceStencil Stencil>
using BoxPart = std::conditional_t<Stencil == SpaceStencil::box, FullBox,
                                   std::conditional_t<Stencil == SpaceStencil::box17, CornerBox, EdgeBox>>;

/// 3-D box of radius 1, or part of one: a block streams down the planes of a tile. A plane of inputs finishes the sum
/// of the plane above, adds to that of its own plane and begins that of the plane below, so there are two sums a point.
/// A finished plane goes to shared memory, where the next sweep reads it in the following step, neighbours included. So
/// the sweeps of a step do not wait for each other.
template <class T, class S, int Warps, int Rows, int Lanes, int Depth, bool In = false, bool Out = false>
struct BoxTile : SpaceTile<T, S::stencil, 1, Warps, Rows, Lanes, Depth, In, Out, (sizeof(T) < 8)> {
  using Base = SpaceTile<T, S::stencil, 1, Warps, Rows, Lanes, Depth, In, Out, (sizeof(T) < 8)>;
  using Base::flags;
  using Base::g;
  using Base::group;
  using Base::height;
  using Base::lane;
  using Base::load;
  using Base::out;
  using Base::pitch;
  using Base::plane;
  using Base::planes;
  using Base::ring;
  using Base::slots;
  using Base::V;
  using Base::warps;
  using Base::width;
  using typename Base::A;
  /// Whether the instruction cache has no room for two paths of such length, so that all warps have to take the same.
  static constexpr bool together = S::count * Rows > 128;
  static constexpr int prologue  = Base::layout.prologue;

  A const* c;
  A p[Depth][2][Rows][V];  ///< sums: 0 of the plane below the newest, 1 of the newest
  /// A sector of the output of which only part is written, since a row of results begins or ends in it. It is brought
  /// to the second-level cache before, for the next plane that is loaded. Null if this lane has none.
  T const* rim = nullptr;

  /// Adds a row of the newest plane; the first terms of a sum begin it.
  template <int dz, int dy>
  __device__ __forceinline__ void add(A const (&w)[V + 2], A (&sum)[V]) const {
#pragma unroll
    for (int v = 0; v < V; ++v) {
#pragma unroll
      for (int dx = -1; dx <= 1; ++dx) {
        if (!S::has(dz, dy, dx)) continue;
        A const q = c[S::index(dz, dy, dx)];
        sum[v]    = S::index(dz, dy, dx) == 0 ? times(q, w[1 + v + dx]) : fused(q, w[1 + v + dx], sum[v]);
      }
    }
  }

  /// Sweep s, from the plane at `from`. `old` is the plane before, which holds the points that do not change.
  template <int s, bool Fast>
  __device__ __forceinline__ void sweep(unsigned char const* from, unsigned char* old, unsigned char* next, bool moves,
                                        T* to, bool write) {
    std::uint32_t const here = !Fast && moves ? this->active() : 0u;
    A o[3][V];
#pragma unroll
    for (int j = -1; j <= Rows; ++j) {
      A n[V], w[V + 2];
      int at = group * Rows + j;
      if (j < 0 && at < 0) at = 0;
      if (j == Rows && at == height) at = height - 1;
      load(from + at * pitch, n);
      w[0]     = __shfl_up_sync(0xffffffffu, n[V - 1], 1);
      w[V + 1] = __shfl_down_sync(0xffffffffu, n[0], 1);
#pragma unroll
      for (int v = 0; v < V; ++v) w[1 + v] = n[v];
      if (j + 1 < Rows) {
        int const r = j + 1 < Rows ? j + 1 : 0;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          o[r % 3][v]   = p[s][1][r][v];
          p[s][1][r][v] = p[s][0][r][v];
        }
        add<1, -1>(w, o[r % 3]);
        add<0, -1>(w, p[s][1][r]);
        add<-1, -1>(w, p[s][0][r]);
      }
      if (j >= 0 && j < Rows) {
        int const r = j >= 0 && j < Rows ? j : 0;
        add<1, 0>(w, o[r % 3]);
        add<0, 0>(w, p[s][1][r]);
        add<-1, 0>(w, p[s][0][r]);
      }
      if (j >= 1) {
        int const r = j >= 1 ? j - 1 : 0;
        add<1, 1>(w, o[r % 3]);
        add<0, 1>(w, p[s][1][r]);
        add<-1, 1>(w, p[s][0][r]);
        // Of the last sweep only points that change are stored.
        if (!Fast && s + 1 < Depth) {
          load(old + (group * Rows + r) * pitch, n);
#pragma unroll
          for (int v = 0; v < V; ++v) o[r % 3][v] = (here & 1u << (r * V + v)) != 0 ? o[r % 3][v] : n[v];
        }
        if (s + 1 < Depth) {
          *reinterpret_cast<uint4*>(next + (group * Rows + r) * pitch + lane * 16) = Vector<T>::pack(o[r % 3]);
        } else {
          bool const mine = write && (this->owned & 1u << r) != 0;
          // This row of the plane before is not needed any more, so the points to be stored one by one are left there.
          if constexpr (Out) {
            this->store_anywhere(to, Vector<T>::pack(o[r % 3]), old + (group * Rows + r) * pitch,
                                 mine ? this->owned : 0u);
          } else {
            Ptx::StoreIf::run(to, Vector<T>::pack(o[r % 3]), mine && (Fast || (flags & Base::apart) == 0));
          }
          if (!Out && !Fast)
            *reinterpret_cast<uint4*>(old + (group * Rows + r) * pitch + lane * 16) = Vector<T>::pack(o[r % 3]);
          to += g.out_stride[1];
        }
      }
    }
    // The sweep before writes there next.
    if (Out && s + 1 == Depth) __syncwarp();
    if (!Out && !Fast && s + 1 == Depth && __all_sync(0xffffffffu, write && (flags & Base::some) != 0)) {
      write_apart(old, to - Rows * g.out_stride[1]);
    }
  }

  /// Stores the results of the warp's vectors that are not stored whole, a value a lane.
  __device__ __forceinline__ void write_apart(unsigned char const* from, T* to) const {
    static_assert(Rows * V <= 32 && Depth > 1, "");
    __syncwarp();
    int const here = int(threadIdx.x) % 32, j = here / V, v = here % V;
    for (std::uint32_t left = __ballot_sync(0xffffffffu, (flags & Base::apart) != 0); left != 0; left &= left - 1) {
      int const that = __ffs(left) - 1, column = that % Lanes * V + v, x = this->place()[0] + column;
      int const down           = (that / Lanes - here / Lanes) * Rows + j;
      std::uint32_t const rows = __shfl_sync(0xffffffffu, this->owned, that);
      if ((rows >> j & 1u) != 0 && x >= g.begin[2] && x < g.end[2]) {
        to[down * g.out_stride[1] + column - lane * V] =
            reinterpret_cast<T const*>(from + (group * Rows + down) * pitch)[column];
      }
    }
    __syncwarp();
  }

  /// Finds `rim`. Pays for narrow tiles, which have many rows: up to 14 ns for each of them.
  __device__ __forceinline__ void look_at_rim(int first) {
    static_assert(Lanes == 32 || 2 * Rows <= Lanes, "");
    int const side = lane / Rows, j = lane % Rows, that = side == 0 ? g.begin[2] : g.end[2];
    int const x = this->place()[0], y = this->place()[1] + group * Rows + j;
    if (Lanes == 32 || Out || side > 1 || y < g.begin[1] || y >= g.end[1] || that < x || that > x + width) return;
    T const* const at = out + first * g.out_stride[0] + y * g.out_stride[1] + that;
    if (reinterpret_cast<std::uintptr_t>(at) % 32 != 0) rim = at - side;
  }
  __device__ __forceinline__ void fetch_rim(bool wanted) {
    if (Lanes == 32) return;
    Ptx::PrefetchIf::run(rim, wanted && rim != nullptr);
    if (wanted && rim != nullptr) rim += g.out_stride[0];
  }

  template <int s, bool Fast>
  __device__ __forceinline__ void sweeps(int i, int slot, T* to) {
    unsigned char* const buffers    = ring + slots * plane;
    auto const buffer               = [&](int l, int k) { return buffers + (2 * (l - 1) + (k & 1)) * plane; };
    bool const moves                = planes >> (2 + 2 * s) & 1u;
    unsigned char const* const from = s == 0 ? ring + slot * plane : buffer(s, i);
    unsigned char* const old        = s == 0 ? ring + (slot == 0 ? slots - 1 : slot - 1) * plane : buffer(s, i + 1);
    sweep<s, Fast>(from, old, s + 1 < Depth ? buffer(s + 1, i + 1) : nullptr, moves, to, i >= prologue);
    if constexpr (s > 0) sweeps<s - 1, Fast>(i, slot, to);
  }

  __device__ __forceinline__ void run(int number) {
    auto const t = this->task(number);
    this->template look<false>(t);
    look_at_rim(t.first);
    int const total    = t.last - t.first + prologue;
    constexpr int late = prologue - 2 * Depth;  ///< steps after the last plane
    for (int i = 0; i < 2; ++i) this->fetch(i, i + late < total);
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
#pragma unroll
        for (int v = 0; v < V; ++v) p[s][0][j][v] = p[s][1][j][v] = A(0);
      }
    }
    T* to = out + (t.first - prologue) * g.out_stride[0] + (t.y + group * Rows) * g.out_stride[1] + t.x +
            lane * (Out ? 1 : V);
    // The planes that the sweeps finish in a step, as bits.
    constexpr std::uint32_t window = ((1u << 2 * Depth) - 1u) / 3u << 2;
    bool simple                    = (flags & (Base::changes | Base::some)) == Base::changes;
    if (together) simple = __syncthreads_and(simple) != 0;
    Ptx::CopyAsync::wait<1>();
    if constexpr (In) this->template settle<1>(0);
    __syncthreads();

    int slot = 0;
#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      // Decided by a vote of the warp, from which the compiler sees that its lanes do not diverge.
      if (__all_sync(0xffffffffu, simple && (planes & window) == window)) {
        sweeps<Depth - 1, true>(i, slot, to);
      } else {
        sweeps<Depth - 1, false>(i, slot, to);
      }
      to += g.out_stride[0];
      this->fetch(slot == 0 ? slots - 1 : slot - 1, i + 2 + late < total);
      fetch_rim(i + 2 >= prologue && i + 2 < total);
      slot = slot + 1 == slots ? 0 : slot + 1;
      Ptx::CopyAsync::wait<1>();
      if constexpr (In) this->template settle<1>(slot);
      __syncthreads();
    }
  }
};

template <class T, class S, int Warps, int Rows, int Lanes, int Depth, bool In = false, bool Out = false>
__global__ void __launch_bounds__(32 * Warps, 1)
    box_kernel(__grid_constant__ SpaceCoefficients<Accumulator<T>, S::count> const c,
               __grid_constant__ SpaceArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Tile                = BoxTile<T, S, Warps, Rows, Lanes, Depth, In, Out>;
  unsigned char* const ring = shared + Tile::before_ring(g, in);
  Tile tile{{g, in, out, ring, ring + Tile::layout.tables, int(threadIdx.x % Lanes), Tile::my_group()}, c.c, {}};
  tile.run(int(blockIdx.x));
  tile.count_early();
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct BoxInstance {
  static constexpr SpaceTuning tuning = space_table(value_type<T>).rows[Row];
  using S                             = BoxPart<tuning.stencil>;
  template <bool In = false, bool Out = false>
  static constexpr auto kernel = box_kernel<T, S, tuning.warps, tuning.rows, tuning.lanes, tuning.depth, In, Out>;

  static cudaError_t prepare(int shared_bytes) {
    if constexpr (tuning.anywhere) {
      if (shared_bytes >= tuning.shared_bytes(sizeof(T), true)) {
        return allow_shared_bytes(shared_bytes, kernel<true>, kernel<false, true>);
      }
    }
    return allow_shared_bytes(shared_bytes, kernel<>);
  }
  static void launch(void const* coefficients, SpaceArgs const& args, void const* in, void* out, cudaStream_t stream) {
    SpaceCoefficients<Accumulator<T>, S::count> c;
    memcpy(c.c, coefficients, sizeof c.c);
    auto const run = [&](auto* kernel) {
      Cuda::launch_kernel(kernel, args.tasks, 32 * tuning.warps, tuning.shared_bytes(sizeof(T), args.in_anywhere),
                          stream, c, args, static_cast<T const*>(in), static_cast<T*>(out));
    };
    if constexpr (tuning.anywhere) {
      if (args.in_anywhere) return run(kernel<true>);
      if (args.out_anywhere) return run(kernel<false, true>);
    }
    run(kernel<>);
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
