// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Mbarrier.hpp"
#include "arch/Memory.hpp"
#include "Kernels.hpp"
#include "common/GhostsInPass.cuh"
#include "Values.cuh"
#include "temporal/Tuning.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>
#include <type_traits>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// A 3-D star or box, its terms in canonical order.
template <int R, bool Star, Terms Which = Terms::all>
struct SpaceShape {
  static constexpr int radius  = R;
  static constexpr bool star   = Star;
  static constexpr bool masked = Which == Terms::some;
  static constexpr int side    = 2 * R + 1;
  static constexpr int count   = Star ? 6 * R + 1 : side * side * side;
  static constexpr bool has(int dz, int dy, int dx) {
    int const axes = (dz != 0) + (dy != 0) + (dx != 0);
    return (!Star || axes < 2) && (Which != Terms::but_centre || axes > 0);
  }
  static constexpr int index(int dz, int dy, int dx) {
    if (!Star) return ((dz + R) * side + dy + R) * side + dx + R;
    return dz != 0 ? (dz < 0 ? dz + R : 5 * R + dz) : dy != 0 ? (dy < 0 ? 2 * R + dy : 4 * R + dy) : 3 * R + dx;
  }
};

template <class A, int Count, bool Masked = false>
struct BrickCoefficients : Present<Masked> {
  A c[Count];
};

/// A block's part of a volume, a brick, kept in shared memory for all sweeps of a pass and swept in place. A team of
/// warps takes some planes of the brick, a thread of it N rows of one vector of columns. Going up, a plane that is read
/// finishes the sums of the plane R below it and adds to those between, which are in registers; so results can be
/// written at once to where no one reads any more, with a barrier of the team every second plane. What a team needs of
/// the planes of its neighbours is read before anyone writes. The last sweep stores its results
/// straight to the View.
template <class T, class S, int N>
struct Brick {
  using A                = Accumulator<T>;
  static constexpr int R = S::radius;
  static constexpr int V = vector_bytes / int(sizeof(A));
  /// Rows that are read of a plane, from R above the thread's own on.
  static constexpr int W = N + 2 * R;
  /// Values of a View that fill a vector of shared memory.
  using Part                         = std::conditional_t<sizeof(T) == sizeof(A), uint4, uint2>;
  static constexpr std::uint32_t all = (1u << V) - 1u;
  /// Whether a plane is read while the one below it is worked on. Larger radius has no registers for that.
  static constexpr bool ahead = R == 1;

  BrickCoefficients<A, S::count, S::masked> const& c;
  BrickArgs const& g;
  T const* in;
  T* out;
  unsigned char* shared;
  std::int32_t const* table;  ///< sources of columns, rows, planes
  int origin[3];              ///< the brick's first point
  int row_bytes, plane_bytes;
  std::uint32_t shared_at;           ///< `shared` as an address of shared memory
  int team, x, y;                    ///< the thread's team, first column and first row in the brick
  std::uint32_t columns = 0;         ///< bit v: column v changes
  std::uint32_t rows    = 0;         ///< bit i: row i changes
  bool partial          = false;     ///< some lane of the warp has columns that change and others
  int place             = 0;         ///< in a plane, of the thread's first value
  int above[R] = {}, below[R] = {};  ///< from there to the rows around its own; at the ends of the brick any will do

  /// What a plane, row or column of a brick holds.
  enum Kind : std::int32_t { changes, is_fixed, is_constant_below, is_constant_above };

  /// Where a plane, row or column is read, and its kind, in one number.
  static __device__ __forceinline__ std::int32_t source_of(BrickArgs const& g, int axis, int index) {
    int side             = -1;
    std::int64_t const m = Impl::map_near_index(index, g.extent[axis], g.faces[axis], side);
    if (side >= 0) return side == 0 ? is_constant_below : is_constant_above;
    // Beyond ghost values nothing is needed: anything will do.
    if (m < 0 || m >= g.extent[axis]) return changes;
    return std::int32_t(m) * 4 + (m >= g.begin[axis] && m < g.end[axis] ? changes : is_fixed);
  }

  static __device__ __forceinline__ A constant_of(Face const& face) {
    return Value<T>::load(Value<T>::store(static_cast<A>(face.constant)));
  }

  /// Reads the field, beyond its faces where the boundaries say.
  __device__ __forceinline__ void load() const {
    int const lane_of_row = int(threadIdx.x) & ((1 << g.lanes_log) - 1), column = lane_of_row * V;
    int const row_step = brick_threads >> g.lanes_log, total = g.size[0] * g.size[1];
    std::int32_t from[V];  // of the lane's columns
    bool plain = true, whole = g.aligned;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      std::int32_t const source = table[column + v];
      from[v]                   = source >> 2;
      plain                     = plain && (source & 3) < is_constant_below;
      whole                     = whole && from[v] == from[0] + v;
    }
    whole             = whole && from[0] % V == 0;
    int const rows_of = g.size[1];
    int const start   = int(threadIdx.x) >> g.lanes_log;
    int plane = start / rows_of, row = start - plane * rows_of;
    for (int i = start; i < total; i += row_step) {
      std::int32_t const of_plane = table[g.size[2] + rows_of + plane], of_row = table[g.size[2] + row];
      unsigned char* const to = shared + i * row_bytes + lane_of_row * vector_bytes;
      T const* const base     = in + (of_plane >> 2) * g.in_stride[0] + (of_row >> 2) * g.in_stride[1];
      if (!plain || (of_plane & 3) >= is_constant_below || (of_row & 3) >= is_constant_below) {
        load_constants(reinterpret_cast<A*>(to), base, column, of_plane & 3, of_row & 3);
      } else if constexpr (sizeof(T) < sizeof(A)) {
        T value[V];
        if (whole) {
          Part const part = *reinterpret_cast<Part const*>(base + from[0]);
          memcpy(value, &part, sizeof part);
        } else {
#pragma unroll
          for (int v = 0; v < V; ++v) value[v] = base[from[v]];
        }
#pragma unroll
        for (int v = 0; v < V; ++v) reinterpret_cast<A*>(to)[v] = Value<T>::load(value[v]);
      } else {
        auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
        if (whole) {
          Ptx::CopyAsyncBytes<16>::run(at, base + from[0]);
        } else {
#pragma unroll
          for (int v = 0; v < V; ++v) Ptx::CopyAsyncBytes<sizeof(T)>::run(at + v * int(sizeof(T)), base + from[v]);
        }
      }
      row += row_step;
      while (row >= rows_of) {
        row -= rows_of;
        ++plane;
      }
    }
    if constexpr (sizeof(T) == sizeof(A)) {
      Ptx::CopyAsync::commit();
      Ptx::CopyAsync::wait<0>();
    }
  }

  /// A vector with constants. Where there are several for a point that of the lowest axis of the View counts.
  __device__ __forceinline__ void load_constants(A* to, T const* from, int column, int plane_kind, int row_kind) const {
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      std::int32_t const source = table[column + v];
      int const kinds[3]        = {plane_kind, row_kind, source & 3};
      int axis                  = -1;
      A constant                = A(0);
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        if (kinds[a] < is_constant_below || (axis >= 0 && axis < g.user_axis[a])) continue;
        axis     = g.user_axis[a];
        constant = constant_of(g.faces[a][kinds[a] - is_constant_below]);
      }
      to[v] = axis >= 0 ? constant : Value<T>::load(from[source >> 2]);
    }
  }

  /// Row i of the thread, 0 to W - 1, at a place of the thread in a plane.
  __device__ __forceinline__ void read(int at, int i, A (&values)[V]) const {
    int const row = i < R ? above[i < R ? i : 0] : i < R + N ? (i - R) * row_bytes : below[i < R + N ? 0 : i - R - N];
    uint4 const piece = *reinterpret_cast<uint4 const*>(shared + at + row);
    memcpy(values, &piece, sizeof piece);
  }

  __device__ __forceinline__ void find_rows() {
    auto const row = [&](int i) { return (i < 0 ? 0 : i >= g.size[1] ? g.size[1] - 1 : i) * row_bytes; };
    // Threads beyond the last rows read these again.
    int const first = y < g.size[1] ? y : g.size[1] - N;
    place           = row(first) + x * int(sizeof(A));
#pragma unroll
    for (int d = 0; d < R; ++d) {
      above[d] = row(first - R + d) - row(first);
      below[d] = row(first + N + d) - row(first);
    }
  }

  /// Adds the terms of a plane at distance dz, whose rows are given, in canonical order.
  template <int dz>
  __device__ __forceinline__ void add(A const (&wide)[W][V + 2 * R], A (&sum)[N][V]) const {
#pragma unroll
    for (int i = 0; i < N; ++i) {
#pragma unroll
      for (int v = 0; v < V; ++v) {
#pragma unroll
        for (int dy = -R; dy <= R; ++dy) {
#pragma unroll
          for (int dx = -R; dx <= R; ++dx) {
            if (!S::has(dz, dy, dx)) continue;
            int const term = S::index(dz, dy, dx);
            sum[i][v] =
                with_term<S::masked>(sum[i][v], term == 0, c.c[term], wide[R + i + dy][R + v + dx], c.present, term);
          }
        }
      }
    }
  }

  /// The rows of a plane with the columns beside the thread's, as far as terms need them: without Whole those of the
  /// planes above and below.
  template <bool Whole>
  __device__ __forceinline__ void widen(A const (&own)[W][V], A (&wide)[W][V + 2 * R]) const {
#pragma unroll
    for (int i = 0; i < W; ++i) {
      bool const middle = i >= R && i < R + N;
#pragma unroll
      for (int v = 0; v < V; ++v) wide[i][R + v] = own[i][v];
      if constexpr (Whole || !S::star) {
        if (S::star && !middle) continue;
#pragma unroll
        for (int d = 0; d < R; ++d) {
          wide[i][d]         = __shfl_up_sync(0xffffffffu, own[i][V - R + d], 1);
          wide[i][R + V + d] = __shfl_down_sync(0xffffffffu, own[i][d], 1);
        }
      }
    }
  }
  template <bool Whole>
  __device__ __forceinline__ void read_rows(int at, A (&own)[W][V]) const {
#pragma unroll
    for (int i = 0; i < W; ++i) {
      if (S::star && !Whole && (i < R || i >= R + N)) continue;
      read(at, i, own[i]);
    }
  }

  /// Sums of planes that are not finished: [j] of the plane R - j below the one that is read next.
  using Sums = A[2 * R + 1][N][V];

  /// A plane above or below the team's: only terms of other planes. From: the lowest dz.
  template <int From, int To>
  __device__ __forceinline__ void enter_apart(A const (&own)[W][V], Sums& p) const {
    A wide[W][V + 2 * R];
    widen<false>(own, wide);
    enter_terms<From, To>(wide, p);
  }
  template <int From, int To>
  __device__ __forceinline__ void enter_terms(A const (&wide)[W][V + 2 * R], Sums& p) const {
    if constexpr (From <= To) {
      add<To>(wide, p[R - To]);
      enter_terms<From, To - 1>(wide, p);
    }
  }
  static __device__ __forceinline__ void shift(Sums& p) {
#pragma unroll
    for (int j = 0; j < 2 * R; ++j) {
#pragma unroll
      for (int i = 0; i < N; ++i) {
#pragma unroll
        for (int v = 0; v < V; ++v) p[j][i][v] = p[j + 1][i][v];
      }
    }
  }

  /// Keeps a finished plane, at a place of the thread in shared memory, unless its points do not change. `before`: what
  /// the plane holds, where radius is 1.
  __device__ __forceinline__ void write(int at, bool plane_changes, A const (&before)[N][V], A (&o)[N][V]) const {
    if (partial) {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        A old[V] = {};
        // Rows that it does not write are others', who may be writing them.
        if (!ahead && plane_changes && (rows >> i & 1u) != 0) read(at, R + i, old);
#pragma unroll
        for (int v = 0; v < V; ++v) o[i][v] = (columns >> v & 1u) != 0 ? o[i][v] : ahead ? before[i][v] : old[v];
      }
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      uint4 piece;
      memcpy(&piece, o[i], sizeof piece);
      Ptx::StoreSharedIf::run(shared_at + at + i * row_bytes, piece,
                              plane_changes && columns != 0 && (rows >> i & 1u) != 0);
    }
  }
  /// Stores a plane of results.
  __device__ __forceinline__ void store(T* to, bool wanted, A const (&o)[N][V]) const {
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (!wanted || (rows >> i & 1u) == 0) continue;
      T value[V];
#pragma unroll
      for (int v = 0; v < V; ++v) value[v] = Value<T>::store(o[i][v]);
      T* const row = to + i * g.out_stride[1];
      if (g.aligned && columns == all) {
        Part part;
        memcpy(&part, value, sizeof part);
        *reinterpret_cast<Part*>(row) = part;
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (columns >> v & 1u) row[v] = value[v];
        }
      }
    }
  }

  __device__ __forceinline__ void team_barrier() const { Ptx::TeamBarrier::wait(team + 1, g.team_threads); }

  /// The team's part of a number of planes.
  __device__ __forceinline__ int part(int planes) const {
    return int(std::uint32_t(planes) * std::uint32_t(g.teams_inverse) >> 16);
  }

  /// The planes that a sweep computes: those that later sweeps of the pass need.
  __device__ __forceinline__ int bound(int left, int side) const {
    bool const outermost = origin[0] == g.first[0] + (side == 0 ? 0 : (g.bricks[0] - 1) * g.step[0]);
    int const more = g.fixed[side] ? 0 : (left - 1) * R, spent = (g.depth - left + 1) * R;
    if (side == 0) return outermost ? g.begin[0] - origin[0] - more : spent;
    return outermost ? g.end[0] - origin[0] + more : g.size[0] - spent;
  }

  /// One sweep in place; `left`: sweeps that are left, this one included.
  template <bool Last>
  __device__ __forceinline__ void sweep(int left) const {
    int const low = bound(left, 0), count = bound(left, 1) - low;
    int const begin = low + part(count * team), end = low + part(count * (team + 1));
    bool const works = team < g.teams && begin < end;
    Sums p;
    A next[R][W][V];
    // Bit k: plane begin - R + k changes.
    std::uint32_t planes = 0;
#pragma unroll
    for (int j = 0; j <= 2 * R; ++j) {
#pragma unroll
      for (int i = 0; i < N; ++i) {
#pragma unroll
        for (int v = 0; v < V; ++v) p[j][i][v] = A(0);
      }
    }
    int at = begin * plane_bytes + place;
    if (works) {
      int const lane = int(threadIdx.x) % 32;
      bool const its = begin + lane < end && (table[g.size[2] + g.size[1] + begin + lane] & 3) == changes;
      planes         = __ballot_sync(0xffffffffu, its) << R;
#pragma unroll
      for (int d = 0; d < R; ++d) read_rows<false>(end * plane_bytes + place + d * plane_bytes, next[d]);
#pragma unroll
      for (int d = 0; d < R; ++d) {
        A own[W][V];
        read_rows<false>(at + (d - R) * plane_bytes, own);
        enter_apart<-R, -1>(own, p);
        shift(p);
      }
    }
    A one[W][V], other[W][V], before[N][V];
    if (works && ahead) read_rows<true>(at, one);
    __syncthreads();
    if (!works) return;
    T* to = out + (origin[0] + begin - R) * g.out_stride[0] + (origin[1] + y) * g.out_stride[1] + origin[2] + x;
    auto const leave = [&] {
      if constexpr (Last) {
        store(to, (planes & 1u) != 0, p[0]);
        to += g.out_stride[0];
      } else {
        write(at - R * plane_bytes, (planes & 1u) != 0, before, p[0]);
      }
      planes >>= 1;
      at += plane_bytes;
      shift(p);
    };
    // Works on the plane whose rows are `own`, and reads those of the next, if there are `more`; else the same ones
    // again, whatever others are writing there, for nothing.
    auto const step = [&](A(&own)[W][V], A(&next_own)[W][V], bool more) {
      A wide[W][V + 2 * R];
      if (ahead) read_rows<true>(more ? at + plane_bytes : at, next_own);
      if (!ahead) read_rows<true>(at, own);
      widen<true>(own, wide);
      enter_terms<-R, R>(wide, p);
      leave();
      if constexpr (!Last && ahead) {
        if (!partial) return;
#pragma unroll
        for (int i = 0; i < N; ++i) {
#pragma unroll
          for (int v = 0; v < V; ++v) before[i][v] = own[R + i][v];
        }
      }
    };
    // A plane is written at least two planes after it was read, so every second plane has a barrier.
    int plane = begin;
#pragma unroll 1
    for (; plane + 1 < end; plane += 2) {
      step(one, other, true);
      step(other, one, plane + 2 < end);
      team_barrier();
    }
    if (plane < end) step(one, other, false);
    if (!ahead) team_barrier();
#pragma unroll
    for (int d = 0; d < R; ++d) {
      enter_apart<1, R>(next[d], p);
      leave();
    }
  }

  __device__ __forceinline__ void run() {
#pragma unroll 1
    for (int left = g.depth; left > 1; --left) {
      sweep<false>(left);
      __syncthreads();
    }
    own_results();
    sweep<true>(1);
  }

  /// From here on only what the brick stores changes.
  __device__ __forceinline__ void own_results() {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if (!mine<2>(x + v)) columns &= ~(1u << v);
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (!mine<1>(y + i)) rows &= ~(1u << i);
    }
  }
  template <int axis>
  __device__ __forceinline__ bool mine(int at) const {
    int const low  = origin[axis] == g.first[axis] ? g.begin[axis] - origin[axis] : g.halo[axis];
    int const high = origin[axis] == g.first[axis] + (g.bricks[axis] - 1) * g.step[axis] ? g.end[axis] - origin[axis]
                                                                                         : g.size[axis] - g.halo[axis];
    return at >= low && at < high;
  }
};

template <class T, class S, int N>
__global__ void __launch_bounds__(brick_threads, 1)
    brick_kernel(__grid_constant__ BrickCoefficients<Accumulator<T>, S::count, S::masked> const c,
                 __grid_constant__ BrickArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using B = Brick<T, S, N>;
  Ptx::GridDependency::signal();
  int const number = int(blockIdx.x);
  int const across = number % g.bricks[2], rest = number / g.bricks[2];
  int const down = rest % g.bricks[1], deep = rest / g.bricks[1];
  int const row_bytes = vector_bytes << g.lanes_log, plane_bytes = row_bytes * g.size[1];
  auto* const table = reinterpret_cast<std::int32_t*>(shared + g.size[0] * plane_bytes);
  B brick{c,     g,  in,        out,         shared,
          table, {}, row_bytes, plane_bytes, static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)),
          0,     0,  0};
  brick.origin[0] = g.first[0] + deep * g.step[0];
  brick.origin[1] = g.first[1] + down * g.step[1];
  brick.origin[2] = g.first[2] + across * g.step[2];
  for (int i = int(threadIdx.x); i < g.size[0] + g.size[1] + g.size[2]; i += brick_threads) {
    int const axis = i < g.size[2] ? 2 : i < g.size[2] + g.size[1] ? 1 : 0;
    int const at   = axis == 2   ? brick.origin[2] + i
                     : axis == 1 ? brick.origin[1] + i - g.size[2]
                                 : brick.origin[0] + i - g.size[2] - g.size[1];
    table[i]       = B::source_of(g, axis, at);
  }
  __syncthreads();
  // Teams are whole warps, which the shuffle shows the compiler.
  brick.team        = __shfl_sync(0xffffffffu, int(threadIdx.x) / g.team_threads, 0);
  int const of_team = int(threadIdx.x) - brick.team * g.team_threads;
  brick.x           = (of_team & ((1 << g.lanes_log) - 1)) * B::V;
  brick.y           = (of_team >> g.lanes_log) * N;
#pragma unroll
  for (int v = 0; v < B::V; ++v) brick.columns |= ((table[brick.x + v] & 3) == B::changes ? 1u : 0u) << v;
#pragma unroll
  for (int i = 0; i < N; ++i) {
    int const row = brick.y + i;
    if (row < g.size[1] && (table[g.size[2] + row] & 3) == B::changes) brick.rows |= 1u << i;
  }
  brick.partial = __any_sync(0xffffffffu, brick.columns != 0 && brick.columns != B::all) != 0;
  brick.find_rows();
  Ptx::GridDependency::wait();
  GhostCopier<T> ghosts{g.ghosts, in, out, blockIdx.x * brick_threads + threadIdx.x, gridDim.x * brick_threads};
  ghosts.begin();
  brick.load();
  ghosts.end();
  __syncthreads();
  brick.run();
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct BrickInstance {
  static constexpr BrickTuning tuning = brick_table(value_type<T>).rows[Row];
  using S                             = SpaceShape<tuning.shape.radius, tuning.shape.star, tuning.shape.terms>;
  static constexpr auto kernel        = brick_kernel<T, S, tuning.rows_per_thread>;

  static cudaError_t prepare(int shared_bytes) { return allow_shared_bytes(shared_bytes, kernel); }

  static void launch(void const* coefficients, BrickArgs const& args, void const* in, void* out, cudaStream_t stream) {
    BrickCoefficients<Accumulator<T>, S::count, S::masked> c;
    memcpy(c.c, coefficients, sizeof c.c);
    c.note(c.c, S::count);
    Cuda::launch_dependent<kernel>(static_cast<std::uint32_t>(args.bricks[0] * args.bricks[1] * args.bricks[2]),
                                   brick_threads, args.shared_bytes, stream, c, args, static_cast<T const*>(in),
                                   static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
