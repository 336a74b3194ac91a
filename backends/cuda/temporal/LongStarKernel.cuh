// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/AsyncCopy.hpp"
#include "arch/Mbarrier.hpp"
#include "arch/Memory.hpp"
#include "common/LaunchKernel.hpp"
#include "SpaceTile.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// 3-D star of radius R > 1, built like StarTile. Each sweep holds its R newest planes and their sums. A plane that
/// enters finishes the sum of the plane R steps back and adds to the sums after that; its own sum begins with the
/// planes before it, and the terms in the plane follow. So terms are added in canonical order. The oldest plane of the
/// first sweep is read from the ring again.
template <class T, int R, int Warps, int Rows, int Depth, bool In = false, bool Out = false>
struct LongStarTile : SpaceTile<T, SpaceStencil::star, R, Warps, Rows, 32, Depth, In, Out> {
  using Base = SpaceTile<T, SpaceStencil::star, R, Warps, Rows, 32, Depth, In, Out>;
  using Base::edges;
  using Base::flags;
  using Base::g;
  using Base::group;
  using Base::height;
  using Base::lane;
  using Base::load;
  using Base::out;
  using Base::planes;
  using Base::reach;
  using Base::ring;
  using Base::row;
  using Base::slots;
  using Base::V;
  using Base::warps;
  using typename Base::A;
  static constexpr int ahead = slots - R;
  /// Whether registers are left: six rows of doubles take all.
  static constexpr bool spare_registers = sizeof(T) < 8 || Rows < 6;
  static constexpr int count            = 6 * R + 1;
  static_assert(Rows * V <= 32 && R > 1 && R <= V && Rows >= 2 * R && (ahead + reach) <= 32, "");

  A const* c;
  A p[Depth][R][Rows][V];  ///< sums so far, of the newest plane first
  A b[Depth][R][Rows][V];  ///< the newest planes

  /// Coefficients by offset.
  __device__ __forceinline__ A cz(int d) const { return c[d < 0 ? R + d : 5 * R + d]; }
  __device__ __forceinline__ A cy(int d) const { return c[d < 0 ? 2 * R + d : 4 * R + d]; }
  __device__ __forceinline__ A cx(int d) const { return c[3 * R + d]; }

  /// Where warp w shows row k of those at the upper (side 0) or lower edge of its part of sweep s's newest plane.
  __device__ __forceinline__ unsigned char* edge(int buffer, int s, int w, int side, int k) const {
    return ring + slots * Base::plane + buffer * edges + ((((s - 1) * warps + w) * 2 + side) * R + k) * 512;
  }

  /// The terms along x.
  __device__ __forceinline__ void along(int s, int j, A (&sum)[V]) const {
    A w[V + 2 * R];
#pragma unroll
    for (int v = 0; v < V; ++v) w[R + v] = b[s][0][j][v];
#pragma unroll
    for (int d = 0; d < R; ++d) {
      w[d]         = __shfl_up_sync(0xffffffffu, b[s][0][j][V - R + d], 1);
      w[R + V + d] = __shfl_down_sync(0xffffffffu, b[s][0][j][d], 1);
    }
#pragma unroll
    for (int d = -R; d <= R; ++d) {
#pragma unroll
      for (int v = 0; v < V; ++v) sum[v] = fused(cx(d), w[R + v + d], sum[v]);
    }
  }

  __device__ __forceinline__ void add(A q, A const (&from)[V], A (&sum)[V]) const {
#pragma unroll
    for (int v = 0; v < V; ++v) sum[v] = fused(q, from[v], sum[v]);
  }

  /// Sweep s: the terms in the newest plane, as far as they need no rows of other warps.
  __device__ __forceinline__ void inner(int s) {
#pragma unroll
    for (int j = R; j < Rows; ++j) {
      A(&sum)[V] = p[s][0][j];
#pragma unroll
      for (int d = -R; d < 0; ++d) add(cy(d), b[s][0][j + d], sum);
      along(s, j, sum);
#pragma unroll
      for (int d = 1; d <= R; ++d) {
        if (j + d < Rows) add(cy(d), b[s][0][j + d < Rows ? j + d : j], sum);
      }
    }
  }

  /// The rest of them, with the outermost rows of other warps.
  __device__ __forceinline__ void outer(int s, int slot, int buffer) {
    int const above = group > 0 ? group - 1 : 0, below = group < warps - 1 ? group + 1 : group;
    A other[R][V];
#pragma unroll
    for (int k = 0; k < R; ++k) load(s == 0 ? row(slot, above, Rows - R + k) : edge(buffer, s, above, 1, k), other[k]);
#pragma unroll
    for (int j = 0; j < R; ++j) {
      A(&sum)[V] = p[s][0][j];
#pragma unroll
      for (int d = -R; d < 0; ++d) {
        if (j + d < 0) {
          add(cy(d), other[j + d < 0 ? R + j + d : 0], sum);
        } else {
          add(cy(d), b[s][0][j + d < 0 ? 0 : j + d], sum);
        }
      }
      along(s, j, sum);
#pragma unroll
      for (int d = 1; d <= R; ++d) add(cy(d), b[s][0][j + d], sum);
    }
#pragma unroll
    for (int k = 0; k < R; ++k) load(s == 0 ? row(slot, below, k) : edge(buffer, s, below, 0, k), other[k]);
#pragma unroll
    for (int j = Rows - R; j < Rows; ++j) {
#pragma unroll
      for (int d = 1; d <= R; ++d) {
        if (j + d >= Rows) add(cy(d), other[j + d >= Rows ? j + d - Rows : 0], p[s][0][j]);
      }
    }
  }

  /// A plane enters and finishes a plane of every sweep. If not Fast, points that do not change stay as they are.
  template <bool Fast>
  __device__ __forceinline__ void finish(int slot, int oldest, int buffer, std::uint32_t window, std::uint32_t active,
                                         std::uint32_t now, std::uint32_t partial, T* to) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      A n[V];
      if constexpr (In) {
        uint4 const vector = this->template in_phase<ahead - 1>(slot, j);
        Vector<T>::unpack(vector, n);
        __syncwarp();
        *reinterpret_cast<uint4*>(row(slot, group, j) + lane * 16) = vector;
      } else {
        load(row(slot, group, j), n);
      }
#pragma unroll
      for (int s = 0; s < Depth; ++s) {
        std::uint32_t const here = Fast || (window >> (s * R) & 1u) ? active : 0u;
        if (s == 0) load(row(oldest, group, j), b[0][R - 1][j]);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          A const sum = fused(cz(R), n[v], p[s][R - 1][j][v]);
          A const o   = Fast || (here & 1u << (j * V + v)) != 0 ? sum : b[s][R - 1][j][v];
#pragma unroll
          for (int k = R - 1; k > 0; --k) p[s][k][j][v] = fused(cz(k), n[v], p[s][k - 1][j][v]);
          A begun = times(cz(-R), b[s][R - 1][j][v]);
#pragma unroll
          for (int k = R - 1; k > 0; --k) begun = fused(cz(-k), b[s][k - 1][j][v], begun);
          p[s][0][j][v] = begun;
#pragma unroll
          for (int k = R - 1; k > 0; --k) b[s][k][j][v] = b[s][k - 1][j][v];
          b[s][0][j][v] = n[v];
          n[v]          = o;
        }
        if (s + 1 < Depth && j < R) {
          *reinterpret_cast<uint4*>(edge(buffer, s + 1, group, 0, j) + lane * 16) = Vector<T>::pack(n);
        }
        if (s + 1 < Depth && j >= Rows - R) {
          *reinterpret_cast<uint4*>(edge(buffer, s + 1, group, 1, j - (Rows - R)) + lane * 16) = Vector<T>::pack(n);
        }
      }
      if constexpr (Out) {
        // Only this lane has read that row, and nobody will.
        this->store_anywhere(to, Vector<T>::pack(n), row(oldest, group, j), (now & 1u << j) != 0 ? now : 0u);
      } else {
        Ptx::StoreIf::run(to, Vector<T>::pack(n), now & 1u << j);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (!Out && !Fast) Ptx::StoreValueIf<T>::run(to + v, n[v], partial & 1u << (j * V + v));
      }
      to += g.out_stride[1];
    }
  }

  __device__ __forceinline__ void run(int number) {
    auto const t          = this->task(number);
    auto const barrier_at = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring + Base::layout.barrier));
    if (threadIdx.x == 0) Ptx::Mbarrier::init(barrier_at, 32 * warps);
    this->template look<true>(t);
    int const total = t.last - t.first + 2 * reach;
    for (int i = 0; i < ahead; ++i) this->fetch(i, i < total);
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
#pragma unroll
      for (int k = 0; k < R; ++k) {
#pragma unroll
        for (int j = 0; j < Rows; ++j) {
#pragma unroll
          for (int v = 0; v < V; ++v) p[s][k][j][v] = b[s][k][j][v] = A(0);
        }
      }
    }
    T* to = out + (t.first - 2 * reach) * g.out_stride[0] + (t.y + group * Rows) * g.out_stride[1] + t.x +
            lane * (Out ? 1 : V);
    bool const simple         = (flags & (Base::changes | Base::some)) == Base::changes;
    std::uint32_t const whole = (flags & Base::apart) != 0 ? 0u : this->owned;
    // The planes that the sweeps finish in a step, as bits.
    std::uint32_t wanted = 0;
    for (int s = 0; s < Depth; ++s) wanted |= 1u << (s * R);

    int slot = 0;
#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      int const oldest = slot >= R ? slot - R : slot - R + slots;
      Ptx::CopyAsync::wait<ahead - 1>();
      if (In) __syncwarp();
      std::uint32_t const window = planes >> (ahead + R - 1) & wanted, now = i >= 2 * reach ? whole : 0u;
      // Decided by a vote of the warp, from which the compiler sees that its lanes do not diverge.
      if (__all_sync(0xffffffffu, simple && window == wanted)) {
        finish<true>(slot, oldest, i & 1, window, 0u, now, 0u, to);
      } else {
        std::uint32_t const partial = !Out && i >= 2 * reach ? std::uint32_t(this->partial()) : 0u;
        finish<false>(slot, oldest, i & 1, window, this->active(), now, partial, to);
      }
      // Every lane arrives. One lane a warp would do, but race checkers do not follow that.
      Ptx::Mbarrier::arrive(barrier_at);
      // Never true, but it keeps the compiler from moving the arrival down. It takes registers, which are not left with
      // six rows of doubles.
      if (spare_registers && g.tasks < 0) __trap();
      to += g.out_stride[0];
#pragma unroll
      for (int s = Depth - 1; s >= 0; --s) inner(s);
      Ptx::Mbarrier::wait(barrier_at, i & 1);
      // Into the slot of the oldest plane, of which each lane has read only the vectors that it replaces here.
      this->fetch(oldest, i + ahead < total);
#pragma unroll
      for (int s = 0; s < Depth; ++s) outer(s, slot, i & 1);
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  }
};

template <class T, int R, int Warps, int Rows, int Depth, int LeastComputeCapability, bool In = false, bool Out = false>
__global__ void __launch_bounds__(32 * Warps, 1)
    long_star_kernel(__grid_constant__ SpaceCoefficients<Accumulator<T>, 6 * R + 1> const c,
                     __grid_constant__ SpaceArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Tile = LongStarTile<T, R, Warps, Rows, Depth, In, Out>;
#if defined(__CUDA_ARCH__)
  constexpr bool runs = __CUDA_ARCH__ >= 10 * LeastComputeCapability;
#else
  constexpr bool runs = true;
#endif
  if constexpr (runs) {
    unsigned char* const ring = shared + Tile::before_ring(g, in);
    Tile tile{{g, in, out, ring, ring + Tile::layout.tables, int(threadIdx.x % 32), Tile::my_group()}, c.c, {}, {}};
    tile.run(int(blockIdx.x));
    tile.count_early();
  }
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct LongStarInstance {
  static constexpr SpaceTuning tuning = space_table(value_type<T>).rows[Row];
  static_assert(tuning.lanes == 32, "a warp holds a row");
  /// Those for rows that begin anywhere were compiled for 9.0 only: on 8.0 they might spill.
  static constexpr int least(bool anywhere) {
    return anywhere ? anywhere_long_star_capability : tuning.least_compute_capability;
  }
  template <bool In = false, bool Out = false>
  static constexpr auto kernel =
      long_star_kernel<T, tuning.radius, tuning.warps, tuning.rows, tuning.depth, least(In || Out), In, Out>;

  static cudaError_t prepare(int shared_bytes) {
    if constexpr (tuning.anywhere) {
      if (shared_bytes >= tuning.shared_bytes(sizeof(T), true)) {
        return allow_shared_bytes(shared_bytes, kernel<true>, kernel<false, true>);
      }
    }
    return allow_shared_bytes(shared_bytes, kernel<>);
  }
  static void launch(void const* coefficients, SpaceArgs const& args, void const* in, void* out, cudaStream_t stream) {
    SpaceCoefficients<Accumulator<T>, tuning.term_count()> c;
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
