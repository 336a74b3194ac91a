// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/AsyncCopy.hpp"
#include "arch/Mbarrier.hpp"
#include "arch/Memory.hpp"
#include "arch/DependentLaunch.hpp"
#include "SpaceTile.cuh"

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// 3-D star of radius 1: a block streams down the planes of its tile. Each sweep holds its newest plane and, for each
/// point, the sum so far. The last term of a sum is that of the plane below, so a plane that enters finishes a plane of
/// the first sweep, this one a plane of the second, and so on. Only then the terms within the newest planes follow, for
/// all sweeps at once: neighbours along x come by shuffle, those along y from the thread's own rows or, at the edges of
/// a group's rows, by way of shared memory. The work that needs no other group is done between the arrival at the
/// barrier and the wait. Without Partial all vectors are stored whole.
/// Some of its terms may be missing.
template <class T, Terms Which, int Warps, int Rows, int Lanes, int Depth, bool Partial, bool In = false,
          bool Out = false, bool Ragged = true>
struct StarTile : SpaceTile<T, SpaceStencil::star, 1, Warps, Rows, Lanes, Depth, In, Out, Ragged> {
  using Base = SpaceTile<T, SpaceStencil::star, 1, Warps, Rows, Lanes, Depth, In, Out, Ragged>;
  using Base::edges;
  using Base::flags;
  using Base::g;
  using Base::group;
  using Base::groups;
  using Base::height;
  using Base::lane;
  using Base::load;
  using Base::out;
  using Base::pitch;
  using Base::planes;
  using Base::ring;
  using Base::row;
  using Base::slots;
  using Base::V;
  using Base::warps;
  using typename Base::A;
  static constexpr int ahead = slots - 1;
  static_assert(Rows * V <= 32 && slots == 4, "");
  static_assert(!Out || (Partial && Rows >= 4), "");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  // Otherwise registers spill.
  static constexpr bool planes_apart = V > 2;  ///< there is a path for steps whose planes all change
  static constexpr bool stores_whole = !Partial && V > 2;
#else
  static constexpr bool planes_apart = true;
  static constexpr bool stores_whole = !Partial;
#endif
  /// Of so many sweeps the rows of other groups are read before copies are started, and the first row is shuffled
  /// before the barrier, so that they come meanwhile. By measurement, in float; in double the former spills.
  static constexpr int early_rows     = V != 4 ? 0 : Lanes == warp_lanes ? Depth : 2;
  static constexpr int early_shuffles = V != 4 || Lanes == warp_lanes ? 0 : 2;
  enum { nowhere, outer_columns, all_columns };  ///< columns of a lane in which points may not change
  enum Term { zm, ym, xm, centre, xp, yp, zp, count };
  using Coefficients = SpaceCoefficients<A, count, Which == Terms::some>;

  Coefficients const& c;
  A p[Depth][Rows][V];  ///< sums so far
  A b[Depth][Rows][V];  ///< newest plane of each sweep

  /// A sum with a term more, or with its first one.
  template <Term Place>
  __device__ __forceinline__ A with(A sum, A value) const {
    if constexpr (Which == Terms::but_centre && Place == centre) {
      return sum;
    } else {
      return with_term<Which == Terms::some>(sum, Place == zm, c.c[Place], value, c.present, Place);
    }
  }

  __device__ __forceinline__ unsigned char* edge(int buffer, int s, int w, int side) const {
    return ring + slots * Base::plane + buffer * edges + (((s - 1) * groups + w) * 2 + side) * pitch;
  }

  /// Sweep s: the terms in the newest plane, as far as they need no rows of other groups.
  __device__ __forceinline__ void inner(int s) {
#pragma unroll
    for (int j = 1; j < Rows; ++j) {
      A const left  = __shfl_up_sync(0xffffffffu, b[s][j][V - 1], 1);
      A const right = __shfl_down_sync(0xffffffffu, b[s][j][0], 1);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        A sum = with<ym>(p[s][j][v], b[s][j - 1][v]);
        sum   = with<xm>(sum, v > 0 ? b[s][j][v > 0 ? v - 1 : 0] : left);
        sum   = with<centre>(sum, b[s][j][v]);
        sum   = with<xp>(sum, v < V - 1 ? b[s][j][v < V - 1 ? v + 1 : v] : right);
        if (j < Rows - 1) sum = with<yp>(sum, b[s][j < Rows - 1 ? j + 1 : j][v]);
        p[s][j][v] = sum;
      }
    }
  }

  /// What the other terms need: the outermost rows of other groups, and the neighbours along x of the first row.
  __device__ __forceinline__ void read_rows_beside(int s, int slot, int buffer, A (&above)[V], A (&below)[V]) const {
    int const before = group > 0 ? group - 1 : 0, after = group < groups - 1 ? group + 1 : group;
    load(s == 0 ? row(slot, before, Rows - 1) : edge(buffer, s, before, 1), above);
    load(s == 0 ? row(slot, after, 0) : edge(buffer, s, after, 0), below);
  }
  __device__ __forceinline__ void shuffle_first_row(int s, A& left, A& right) const {
    left  = __shfl_up_sync(0xffffffffu, b[s][0][V - 1], 1);
    right = __shfl_down_sync(0xffffffffu, b[s][0][0], 1);
  }
  /// The rest of the terms.
  __device__ __forceinline__ void outer(int s, A const (&above)[V], A const (&below)[V], A left, A right) {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      A sum             = with<ym>(p[s][0][v], above[v]);
      sum               = with<xm>(sum, v > 0 ? b[s][0][v > 0 ? v - 1 : 0] : left);
      sum               = with<centre>(sum, b[s][0][v]);
      sum               = with<xp>(sum, v < V - 1 ? b[s][0][v < V - 1 ? v + 1 : v] : right);
      p[s][0][v]        = with<yp>(sum, b[s][1][v]);
      p[s][Rows - 1][v] = with<yp>(p[s][Rows - 1][v], below[v]);
    }
  }

  /// A plane enters and finishes a plane of every sweep. Masked: the columns in which points keep their values unless
  /// `active` has their bit. Without Whole all points keep their values in planes whose bit in `window` is not set.
  /// With Partial the last sweep needs no masks, since only points that change are stored. `now`: rows whose vectors
  /// are stored whole; `partial`: points that are stored one by one.
  template <int Masked, bool Whole>
  __device__ __forceinline__ void finish(int slot, int buffer, std::uint32_t window, std::uint32_t active,
                                         std::uint32_t now, std::uint32_t partial, T* to) {
#pragma unroll
    for (int j = 0; j < Rows; ++j) {
      A n[V];
      uint4 vector;
      load(row(slot, group, j), n);
#pragma unroll
      for (int s = 0; s < Depth; ++s) {
        std::uint32_t const here = Whole || (window >> s & 1u) ? active : 0u;
#pragma unroll
        for (int v = 0; v < V; ++v) {
          A const sum         = with<zp>(p[s][j][v], n[v]);
          bool const may_stay = (s + 1 < Depth || stores_whole) &&
                                (Masked == all_columns || (Masked == outer_columns && (v == 0 || v == V - 1)));
          A const o  = !may_stay || (here & 1u << (j * V + v)) != 0 ? sum : b[s][j][v];
          p[s][j][v] = with<zm>(A(0), b[s][j][v]);
          b[s][j][v] = n[v];
          n[v]       = o;
        }
        // The results of each sweep are rounded to the type of the View.
        vector = Vector<T>::pack(n);
        if (sizeof(T) < sizeof(A)) Vector<T>::unpack(vector, n);
        if (s + 1 < Depth && j == 0) *reinterpret_cast<uint4*>(edge(buffer, s + 1, group, 0) + lane * 16) = vector;
        if (s + 1 < Depth && j == Rows - 1)
          *reinterpret_cast<uint4*>(edge(buffer, s + 1, group, 1) + lane * 16) = vector;
      }
      if constexpr (Out) {
        // In the plane before, which is not needed any more, but for the rows that others read.
        this->store_anywhere(to, vector, row((slot + 3) & 3, group, 1 + j % 2), (now & 1u << j) != 0 ? now : 0u);
      } else {
        Ptx::StoreIf::run(to, vector, (now & 1u << j) != 0);
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (!Out && !stores_whole && Masked != nowhere)
          Ptx::StoreValueIf<T>::run(to + v, n[v], (partial & 1u << (j * V + v)) != 0);
      }
      to += g.out_stride[1];
    }
  }

  __device__ __forceinline__ void run(int number) {
    Ptx::GridDependency::signal();
    auto const t          = this->task(number);
    auto const barrier_at = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring + Base::layout.barrier));
    if (threadIdx.x == 0) Ptx::Mbarrier::init(barrier_at, 32 * warps);
    this->template look<!stores_whole, stores_whole>(t);
    int const total = t.last - t.first + 2 * Depth;
    Ptx::GridDependency::wait();
    for (int i = 0; i < ahead; ++i) this->fetch(i, i < total);
    if constexpr (In) {
      Ptx::CopyAsync::wait<ahead - 1>();
      this->template settle<ahead - 1>(0);
    }
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
#pragma unroll
      for (int j = 0; j < Rows; ++j) {
#pragma unroll
        for (int v = 0; v < V; ++v) p[s][j][v] = b[s][j][v] = A(0);
      }
    }
    T* to = out + (t.first - 2 * Depth) * g.out_stride[0] + (t.y + group * Rows) * g.out_stride[1] + t.x +
            lane * (Out ? 1 : V);
    bool const simple           = (flags & (Base::changes | Base::some)) == Base::changes;
    bool const sides            = (flags & Base::outer) != 0;
    std::uint32_t const whole   = (flags & Base::apart) != 0 ? 0u : this->owned;
    constexpr std::uint32_t all = (1u << Depth) - 1u;

#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      int const slot = i & 3;
      if (!In) Ptx::CopyAsync::wait<ahead - 1>();
      std::uint32_t const window = planes >> ahead & all, now = i >= 2 * Depth ? whole : 0u;
      auto const partial = [&] {
        return !Out && !stores_whole && i >= 2 * Depth ? std::uint32_t(this->partial()) : 0u;
      };
      // Decided by votes of the warp, from which the compiler sees that its lanes do not diverge.
      if (__all_sync(0xffffffffu, simple && window == all)) {
        finish<nowhere, true>(slot, i & 1, window, 0u, now, 0u, to);
      } else if (V > 2 && __all_sync(0xffffffffu, sides && window == all)) {
        finish<outer_columns, true>(slot, i & 1, window, this->active(), now, partial(), to);
      } else if (planes_apart && __all_sync(0xffffffffu, window == all)) {
        finish<all_columns, true>(slot, i & 1, window, this->active(), now, partial(), to);
      } else {
        finish<all_columns, false>(slot, i & 1, window, this->active(), now, partial(), to);
      }
      // Every lane arrives. One lane a warp would do, but race checkers do not follow that.
      Ptx::Mbarrier::arrive(barrier_at);
      // Not needed for the result. It keeps the compiler from moving code across it, which makes float a tenth faster.
      if (V == 4 && __all_sync(0xffffffffu, (flags & Base::some) != 0 && i >= 2 * Depth)) __syncwarp();
      to += g.out_stride[0];
      if constexpr (In) {
        // The next plane, while others arrive.
        Ptx::CopyAsync::wait<ahead - 2>();
        this->template settle<ahead - 2>((i + 1) & 3);
      }
#pragma unroll
      for (int s = Depth - 1; s >= 0; --s) inner(s);
      A above[Depth][V], below[Depth][V], left[Depth], right[Depth];
#pragma unroll
      for (int s = 0; s < early_shuffles; ++s) shuffle_first_row(s, left[s], right[s]);
      Ptx::Mbarrier::wait(barrier_at, i & 1);
#pragma unroll
      for (int s = 0; s < early_rows; ++s) read_rows_beside(s, slot, i & 1, above[s], below[s]);
      this->fetch((i + 3) & 3, i + ahead < total);
#pragma unroll
      for (int s = 0; s < Depth; ++s) {
        if (s >= early_rows) read_rows_beside(s, slot, i & 1, above[s], below[s]);
        if (s >= early_shuffles) shuffle_first_row(s, left[s], right[s]);
        outer(s, above[s], below[s], left[s], right[s]);
      }
    }
  }
};

template <class T, Terms Which, int Warps, int Rows, int Lanes, int Depth, bool Partial, bool In = false,
          bool Out = false, bool Ragged = true>
__global__ void __launch_bounds__(32 * Warps, 1)
    star_kernel(__grid_constant__ SpaceCoefficients<Accumulator<T>, 7, Which == Terms::some> const c,
                __grid_constant__ SpaceArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using Tile                = StarTile<T, Which, Warps, Rows, Lanes, Depth, Partial, In, Out, Ragged>;
  unsigned char* const ring = shared + Tile::before_ring(g, in);
  Tile tile{{g, in, out, ring, ring + Tile::layout.tables, int(threadIdx.x % Lanes), Tile::my_group()}, c, {}, {}};
  tile.run(int(blockIdx.x));
  tile.count_early();
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct StarInstance {
  static constexpr SpaceTuning tuning = space_table(value_type<T>).rows[Row];
  static constexpr bool both          = tuning.whole_vector_seconds > 0.0 || tuning.anywhere;
  /// Whether rows of whole vectors have kernels of their own.
  static constexpr bool even = sizeof(T) == 8;
  template <bool Partial, bool In = false, bool Out = false, bool Ragged = true>
  static constexpr auto kernel =
      star_kernel<T, tuning.terms, tuning.warps, tuning.rows, tuning.lanes, tuning.depth, Partial, In, Out, Ragged>;

  static cudaError_t prepare(int shared_bytes) {
    if constexpr (even) {
      cudaError_t const error = prepare_even(shared_bytes);
      if (error != cudaSuccess) return error;
    }
    if constexpr (tuning.anywhere) {
      if (shared_bytes >= tuning.shared_bytes(sizeof(T), true)) {
        return allow_shared_bytes(shared_bytes, kernel<false, true>, kernel<true, false, true>, kernel<false>);
      }
    }
    if constexpr (both) return allow_shared_bytes(shared_bytes, kernel<true>, kernel<false>);
    return allow_shared_bytes(shared_bytes, kernel<true>);
  }

  static void launch(void const* coefficients, SpaceArgs const& args, void const* in, void* out, cudaStream_t stream) {
    if constexpr (tuning.anywhere) {
      if (args.in_anywhere) return launch_one<false, true>(coefficients, args, in, out, stream);
      if (args.out_anywhere) return launch_one<true, false, true>(coefficients, args, in, out, stream);
    }
    if constexpr (even) {
      if (args.extent[2] % tuning.layout(sizeof(T)).vector_values == 0) {
        return launch_by_stores<false>(coefficients, args, in, out, stream);
      }
    }
    launch_by_stores<true>(coefficients, args, in, out, stream);
  }

  /// Whether what is compiled stores vectors whole.
  static bool stores_ghosts() {
    if constexpr (tuning.anywhere) {
      cudaFuncAttributes attributes{};
      return tuning.layout(sizeof(T)).vector_values > 2 ||
             (cudaFuncGetAttributes(&attributes, kernel<false, true>) == cudaSuccess && attributes.ptxVersion >= 90);
    }
    return false;
  }

 private:
  static cudaError_t prepare_even(int shared_bytes) {
    if constexpr (both) {
      return allow_shared_bytes(shared_bytes, kernel<true, false, false, false>, kernel<false, false, false, false>);
    }
    return allow_shared_bytes(shared_bytes, kernel<true, false, false, false>);
  }
  template <bool Ragged>
  static void launch_by_stores(void const* coefficients, SpaceArgs const& args, void const* in, void* out,
                               cudaStream_t stream) {
    if constexpr (both) {
      if (args.whole_vectors) return launch_one<false, false, false, Ragged>(coefficients, args, in, out, stream);
    }
    launch_one<true, false, false, Ragged>(coefficients, args, in, out, stream);
  }
  template <bool Partial, bool In = false, bool Out = false, bool Ragged = true>
  static void launch_one(void const* coefficients, SpaceArgs const& args, void const* in, void* out,
                         cudaStream_t stream) {
    SpaceCoefficients<Accumulator<T>, 7, tuning.terms == Terms::some> c;
    memcpy(c.c, coefficients, sizeof c.c);
    c.note(c.c, 7);
    Cuda::launch_dependent<kernel<Partial, In, Out, Ragged>>(static_cast<std::uint32_t>(args.tasks), 32 * tuning.warps,
                                                             tuning.shared_bytes(sizeof(T), In), stream, c, args,
                                                             static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
