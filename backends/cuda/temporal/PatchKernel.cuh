// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "StripKernel.cuh"
#include "common/Check.hpp"
#include "common/Device.hpp"
#include "common/LaunchKernel.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/FuseIf.hpp"
#include "common/GhostsInPass.cuh"
#include "common/Value.cuh"
#include "temporal/Tuning.hpp"

#include <impl/KokkosStencil_MapIndex.hpp>

#include <cstring>
#include <type_traits>

namespace KokkosStencil {
namespace Cuda {
namespace Temporal {

/// A warp's part of a patch: N rows of V columns a lane, kept in registers for all sweeps of a pass. Only the first and
/// last rows of a part pass through shared memory, once a sweep, to the warps above and below. M of the rows, in the
/// middle, may stay in shared memory instead; and with EndsShown the first and last one, which are there anyway.
template <class T, class S, int V, int N, int Warps, int M = 0, bool EndsShown = false>
struct Patch {
  using A                              = Accumulator<T>;
  static constexpr int R               = S::radius;
  static constexpr int columns_of_lane = V, rows_of_warp = N;
  static constexpr PatchLayout layout = patch_layout(int(sizeof(T)), R, V, N, Warps);
  static constexpr int all            = int((1u << V) - 1u);
  static constexpr int first_held     = (N - M) / 2;  ///< of the rows in shared memory
  static_assert(V >= R && N >= R && V <= 16 && N <= 64, "");
  static_assert(M == 0 || (first_held >= R && N - M - first_held >= R), "warps show rows of registers");
  static constexpr bool by_sums = !S::star && R > 2;  ///< see sweep_by_sums
  /// Masks cost little in large sweeps, of which code of two kinds, run side by side, would not fit in the instruction
  /// caches: it took 1.2 times as long.
  static constexpr bool one_kind  = by_sums;
  static constexpr int ends_shown = EndsShown ? 1 : 0;  ///< rows at either end that are not in registers
  static_assert(!EndsShown || R == 1, "");
  using Coefficients = SweepCoefficients<A, S::count, 1, S::masked>;
  using Rows         = std::conditional_t<(N > 32), std::uint64_t, std::uint32_t>;  ///< a bit for each row

  Coefficients const& c;
  PatchArgs const& g;
  T const* in;
  T* out;
  unsigned char* shared;
  int warp, lane;
  int x, y;               ///< first column of the lane, first row of the warp
  std::uint32_t columns;  ///< bit v: column v changes
  Rows rows;              ///< bit i: row i changes
  A a[N - M - 2 * ends_shown][V];
  unsigned char* held;  ///< the first of M rows in shared memory
  int buffer = 0;       ///< which copy of the rows that are shown is the newest one

  static constexpr __device__ __forceinline__ bool is_held(int i) { return i >= first_held && i < first_held + M; }
  static constexpr __device__ __forceinline__ bool is_shown(int i) { return EndsShown && (i == 0 || i == N - 1); }
  static constexpr __device__ __forceinline__ bool in_registers(int i) { return !is_held(i) && !is_shown(i); }
  /// Where a row lies in registers.
  static constexpr __device__ __forceinline__ int slot(int i) {
    return !in_registers(i) ? 0 : i < first_held ? i - ends_shown : i - M - ends_shown;
  }
  static constexpr __device__ __forceinline__ int row_of(int slot) {
    return slot + ends_shown < first_held ? slot + ends_shown : slot + ends_shown + M;
  }
  __device__ __forceinline__ unsigned char* held_row(int i) const { return held + (i - first_held) * layout.row_bytes; }
  __device__ __forceinline__ void get(int i, A (&row)[V]) const {
    if (!in_registers(i)) {
      look(shared_row(i), row);
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) row[v] = a[slot(i)][v];
    }
  }

  /// Where row d of the rows that a warp shows at its end lies; end 0 is the upper one.
  __device__ __forceinline__ unsigned char* shown(int buffer, int of_warp, int end, int d) const {
    return shared + (((buffer * Warps + of_warp) * 2 + end) * R + d) * layout.row_bytes + lane * layout.piece_bytes;
  }
  /// Where a row lies that is not in registers.
  __device__ __forceinline__ unsigned char* shared_row(int i) const {
    return is_held(i) ? held_row(i) : shown(buffer, warp, i == 0 ? 0 : 1, 0);
  }
  template <int Bytes>
  using Word  = std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, std::uint32_t>>;
  using Piece = Word<layout.piece_bytes>;
  /// The values of a lane in a row of a View, which are read and written so many bytes at a time.
  static constexpr int part_bytes = V * int(sizeof(T)) < 16 ? V * int(sizeof(T)) : 16;
  using Part                      = Word<part_bytes>;

  __device__ __forceinline__ void show(unsigned char* to, A const (&row)[V]) const {
#pragma unroll
    for (int h = 0; h < layout.pieces; ++h) {
      Piece piece;
      memcpy(&piece, &row[h * V / layout.pieces], sizeof piece);
      *reinterpret_cast<Piece*>(to + h * 32 * layout.piece_bytes) = piece;
    }
  }
  __device__ __forceinline__ void look(unsigned char const* from, A (&row)[V]) const {
#pragma unroll
    for (int h = 0; h < layout.pieces; ++h) {
      Piece const piece = *reinterpret_cast<Piece const*>(from + h * 32 * layout.piece_bytes);
      memcpy(&row[h * V / layout.pieces], &piece, sizeof piece);
    }
  }
  __device__ __forceinline__ void show_ends(int buffer) const {
    if constexpr (!EndsShown) {
#pragma unroll
      for (int d = 0; d < R; ++d) {
        show(shown(buffer, warp, 0, d), a[d]);
        show(shown(buffer, warp, 1, d), a[slot(N - R + d)]);
      }
    }
  }

  /// A row with the R columns on either side of the lane's.
  __device__ __forceinline__ void extend(A const (&row)[V], A (&wide)[V + 2 * R]) const {
#pragma unroll
    for (int v = 0; v < V; ++v) wide[R + v] = row[v];
#pragma unroll
    for (int d = 0; d < R; ++d) {
      wide[d]         = __shfl_up_sync(0xffffffffu, row[V - R + d], 1);
      wide[R + V + d] = __shfl_down_sync(0xffffffffu, row[d], 1);
    }
  }

  __device__ __forceinline__ void enter(A const (&row)[V], A (&wide)[V + 2 * R]) const {
    if constexpr (S::star) {
#pragma unroll
      for (int v = 0; v < V; ++v) wide[R + v] = row[v];
    } else {
      extend(row, wide);
    }
  }

  /// The first and last columns of lanes. Where rows are whole vectors no other column is beside one that changes
  /// without changing itself.
  static constexpr int ends = int(((1u << R) - 1u) | ((1u << R) - 1u) << (V - R));

  /// One sweep in place, top down; what a row was is kept until the rows below it are done. Terms are added in
  /// canonical order. Masked: columns of lanes that may not change. Rows in shared memory do if `changing` says so.
  template <int Masked>
  __device__ __forceinline__ void sweep_by_window(int buffer, Rows changing) {
    // Rows i - R to i + R as they were before the sweep, around the row i at hand; of stars only that row is wide.
    A window[2 * R + 1][V + 2 * R];
#pragma unroll
    for (int d = 0; d < 2 * R; ++d) {
      A row[V];
      // The first and last rows of a patch are never results: what enters above and below them does not matter.
      if (d < R) look(shown(buffer, warp > 0 ? warp - 1 : 0, 1, d), row);
      enter(d < R ? row : a[slot(d < R ? 0 : d - R)], window[d]);
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      A row[V];
      int const below = i + R;
      if (below >= N) look(shown(buffer, warp + 1 < Warps ? warp + 1 : warp, 0, below - N), row);
      if (below < N && is_held(below)) look(held_row(below), row);
      enter(below >= N || is_held(below) ? row : a[slot(below < N ? below : 0)], window[2 * R]);
      A center[V];
#pragma unroll
      for (int v = 0; v < V; ++v) center[v] = is_held(i) ? window[R][R + v] : a[slot(i)][v];
      if (S::star) extend(center, window[R]);
      std::uint32_t const changes = rows >> i & 1u ? columns : 0u;
#pragma unroll
      for (int v = 0; v < V; ++v) {
        A sum      = A(0);
        bool first = true;
#pragma unroll
        for (int dy = -R; dy <= R; ++dy) {
#pragma unroll
          for (int dx = -R; dx <= R; ++dx) {
            if (!S::has(dy, dx)) continue;
            int const term = S::index(dy, dx);
            sum   = with_term<S::masked>(sum, first, c.c[0][term], window[R + dy][R + v + dx], c.present, term);
            first = false;
          }
        }
        center[v] = (Masked >> v & 1) == 0 || (changes >> v & 1u) ? sum : center[v];
      }
      if (!is_held(i)) {
#pragma unroll
        for (int v = 0; v < V; ++v) a[slot(i)][v] = center[v];
      } else if (changing >> i & 1u) {
        show(held_row(i), center);
      }
#pragma unroll
      for (int j = 0; j < 2 * R; ++j) {
#pragma unroll
        for (int w = 0; w < V + 2 * R; ++w) window[j][w] = window[j + 1][w];
      }
    }
  }

  /// The same for radius 1, row by row as they were: each ends the sums of the row above it, whose values nobody needs
  /// any more, and begins those of the row below. So no value is copied, and what may not change stays as it is by a
  /// predicate on the last term.
  template <int Masked, bool Keep = false>
  __device__ __forceinline__ void sweep_down(int buffer, Rows changing = 0) {
    static_assert(R == 1, "a row is part of three");
    A sums[2][V], old[V];  // of the row above and of the row at hand; what a row above in shared memory was
    // Else the compiler finds out before the loop of sweeps what changes, bit by bit.
    std::uint32_t its_columns = columns;
    asm volatile("" : "+r"(its_columns));
#pragma unroll
    for (int i = -1; i <= N; ++i) {
      A row[V], wide[V + 2];
      if (i < 0) {
        look(shown(buffer, warp > 0 ? warp - 1 : 0, 1, 0), row);
      } else if (i >= N) {
        look(shown(buffer, warp + 1 < Warps ? warp + 1 : warp, 0, 0), row);
      } else {
        get(i, row);
      }
      if (S::star && (i < 0 || i >= N)) {
#pragma unroll
        for (int v = 0; v < V; ++v) wide[1 + v] = row[v];
      } else {
        extend(row, wide);
      }
      // The terms of a row of the stencil.
      auto const add = [&](int dy, int v, A sum, bool first, bool but_last) {
#pragma unroll
        for (int dx = -1; dx <= 1; ++dx) {
          if (!S::has(dy, dx) || (but_last && S::index(dy, dx) == S::count - 1)) continue;
          A const q = c.c[0][S::index(dy, dx)], w = wide[1 + v + dx];
          sum   = first ? times(q, w) : fused(q, w, sum);
          first = false;
        }
        return sum;
      };
      if (i > 0) {
        int const above   = i - 1;
        bool const border = Keep && (above == 0 || above == N - 1);
        bool const outer =
            border && (warp == (above == 0 ? 0 : Warps - 1) || (is_shown(above) && (changing >> above & 1u) == 0));
        std::uint32_t const results = outer || (rows >> above & 1u) == 0 ? 0u : its_columns;
        constexpr int last          = S::has(1, 1) ? 1 : 0;
        A const q                   = c.c[0][S::count - 1];
        A done[V];
#pragma unroll
        for (int v = 0; v < V; ++v) {
          A const sum = add(1, v, sums[0][v], false, true), w = wide[1 + v + last];
          if (border || (Masked >> v & 1) != 0) {
            done[v] = in_registers(above) ? a[slot(above)][v] : old[v];
            Ptx::FuseIf<A>::run(done[v], q, w, sum, (Masked >> v & 1) != 0 ? results & 1u << v : results);
          } else {
            done[v] = fused(q, w, sum);
          }
        }
        if (in_registers(above)) {
#pragma unroll
          for (int v = 0; v < V; ++v) a[slot(above)][v] = done[v];
        } else if (is_shown(above)) {
          show(shown(buffer ^ 1, warp, above == 0 ? 0 : 1, 0), done);
        } else if (changing >> above & 1u) {
          show(held_row(above), done);
        }
      }
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (i >= 0 && i < N) sums[0][v] = add(0, v, sums[1][v], false, false);
        if (i + 1 < N) sums[1][v] = add(-1, v, A(0), true, false);
        old[v] = row[v];
      }
    }
  }

  /// The same for large boxes, for whose windows there are no registers: a row as it was adds its terms to the sums of
  /// all rows that it is part of. The first row that comes is the first that counts, so the order of terms is the same.
  template <int Masked>
  __device__ __forceinline__ void sweep_by_sums(int buffer, Rows changing) {
    static_assert(!S::star, "");
    constexpr int side = 2 * R + 1;
    A sums[side][V];  // of row i: number i % side
#pragma unroll
    for (int i = -R; i < N + R; ++i) {
      A row[V], wide[V + 2 * R];
      if (i < 0) {
        look(shown(buffer, warp > 0 ? warp - 1 : 0, 1, i + R), row);
      } else if (i >= N) {
        look(shown(buffer, warp + 1 < Warps ? warp + 1 : warp, 0, i - N), row);
      } else {
        get(i, row);
      }
      extend(row, wide);
#pragma unroll
      for (int dy = R; dy >= -R; --dy) {
        int const of = i - dy;
        if (of < 0 || of >= N) continue;
#pragma unroll
        for (int dx = -R; dx <= R; ++dx) {
          A const q = c.c[0][S::index(dy, dx)];
#pragma unroll
          for (int v = 0; v < V; ++v) {
            A& sum = sums[of % side][v];
            sum    = dy == -R && dx == -R ? times(q, wide[R + v + dx]) : fused(q, wide[R + v + dx], sum);
          }
        }
      }
      int const done = i - R;
      if (done < 0) continue;
      A result[V];
      get(done, result);
      std::uint32_t const changes = rows >> done & 1u ? columns : 0u;
#pragma unroll
      for (int v = 0; v < V; ++v) {
        result[v] = (Masked >> v & 1) == 0 || (changes >> v & 1u) ? sums[done % side][v] : result[v];
        if (in_registers(done)) a[slot(done)][v] = result[v];
      }
      if (!in_registers(done) && (changing >> done & 1u)) show(held_row(done), result);
    }
  }

  template <int Masked>
  __device__ __forceinline__ void sweep(int buffer, Rows changing = 0) {
    if constexpr (by_sums) {
      sweep_by_sums<Masked>(buffer, changing);
    } else {
      sweep_by_window<Masked>(buffer, changing);
    }
  }

  template <int Masked>
  __device__ __forceinline__ void sweeps() {
#pragma unroll 1
    for (int s = 0; s < g.depth; ++s) {
      show_ends(s & 1);
      __syncthreads();
      sweep<Masked>(s & 1);
    }
  }

  /// What a row or column of a patch holds.
  enum Kind : std::int32_t { changes, is_fixed, is_constant_below, is_constant_above };

  /// Where a row or column is read, and its kind, in one number.
  __device__ __forceinline__ std::int32_t source_of(int axis, int index) const {
    int side             = -1;
    std::int64_t const m = Impl::map_near_index(index, g.extent[axis], g.faces[axis], side);
    if (side >= 0) return side == 0 ? is_constant_below : is_constant_above;
    // Beyond ghost values nothing is needed: anything will do.
    if (m < 0 || m >= g.extent[axis]) return changes;
    return std::int32_t(m) * 4 + (m >= g.begin[axis] && m < g.end[axis] ? changes : is_fixed);
  }

  /// Reads the field, beyond its faces where the boundaries say. A table in shared memory, filled by all threads, keeps
  /// that part of the code short; then all loads of a lane are in flight together.
  __device__ __forceinline__ void load(int left, int top, GhostCopier<T> ghosts) {
    auto* const table = reinterpret_cast<std::int32_t*>(shared);
    for (int i = int(threadIdx.x); i < layout.width + layout.height; i += 32 * Warps) {
      bool const column = i < layout.width;
      table[i]          = source_of(column ? 1 : 0, column ? left + i : top + i - layout.width);
    }
    Ptx::GridDependency::wait();
    ghosts.begin();
    __syncthreads();
    std::int32_t from[V];
    std::uint32_t constant_columns[2] = {0, 0}, constant_rows[2] = {0, 0};
    columns = rows = 0;
    bool whole     = g.aligned;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      std::int32_t const source = table[lane * V + v], kind = source & 3;
      from[v] = source >> 2;
      columns |= (kind == changes ? 1u : 0u) << v;
      constant_columns[0] |= (kind == is_constant_below ? 1u : 0u) << v;
      constant_columns[1] |= (kind == is_constant_above ? 1u : 0u) << v;
      whole = whole && from[v] == from[0] + v;
    }
    whole = whole && from[0] % V == 0;
    std::int32_t row[N];
#pragma unroll
    for (int i = 0; i < N; ++i) {
      std::int32_t const source = table[layout.width + warp * N + i], kind = source & 3;
      row[i] = source >> 2;
      rows |= (kind == changes ? 1u : 0u) << i;
      constant_rows[0] |= (kind == is_constant_below ? 1u : 0u) << i;
      constant_rows[1] |= (kind == is_constant_above ? 1u : 0u) << i;
    }
    T value[N][V];
    if (__all_sync(0xffffffffu, whole)) {
#pragma unroll
      for (int i = 0; i < N; ++i) {
        auto const* const parts = reinterpret_cast<Part const*>(in + row[i] * g.in_pitch + from[0]);
#pragma unroll
        for (int h = 0; h < int(sizeof value[i]) / part_bytes; ++h) {
          Part const part = parts[h];
          memcpy(&value[i][h * part_bytes / int(sizeof(T))], &part, sizeof part);
        }
      }
    } else {
#pragma unroll
      for (int i = 0; i < N; ++i) {
#pragma unroll
        for (int v = 0; v < V; ++v) value[i][v] = in[row[i] * g.in_pitch + from[v]];
      }
    }
    ghosts.end();
#pragma unroll
    for (int i = 0; i < N; ++i) {
#pragma unroll
      for (int v = 0; v < V; ++v) a[i][v] = Value<T>::load(value[i][v]);
    }
    if (!__any_sync(0xffffffffu,
                    (constant_columns[0] | constant_columns[1] | constant_rows[0] | constant_rows[1]) != 0)) {
      return;
    }
    // At a corner the constant of the lowest axis of the View counts.
    bool const columns_last = g.user_axis[1] < g.user_axis[0];
#pragma unroll 1
    for (int turn = 0; turn < 4; ++turn) {
      int const side        = turn & 1;
      bool const of_rows    = (turn < 2) == columns_last;
      A const constant      = constant_of(g.faces[of_rows ? 0 : 1][side]);
      std::uint32_t const r = of_rows ? constant_rows[side] : ~0u, c = of_rows ? ~0u : constant_columns[side];
#pragma unroll
      for (int i = 0; i < N; ++i) {
#pragma unroll
        for (int v = 0; v < V; ++v) a[i][v] = (r >> i & c >> v & 1u) != 0 ? constant : a[i][v];
      }
    }
  }
  static __device__ __forceinline__ A constant_of(Face const& face) {
    return Value<T>::load(Value<T>::store(static_cast<A>(face.constant)));
  }
  /// Columns [left, right), rows [top, bottom) are this patch's own results.
  __device__ __forceinline__ void store(int left, int right, int top, int bottom) const {
    bool const whole = g.aligned && x >= left && x + V <= right;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (y + i < top || y + i >= bottom) continue;
      A row[V];
      get(i, row);
      T* const to = out + std::int64_t(y + i) * g.out_pitch + x;
      T value[V];
#pragma unroll
      for (int v = 0; v < V; ++v) value[v] = Value<T>::store(row[v]);
      if (whole) {
#pragma unroll
        for (int h = 0; h < int(sizeof value) / part_bytes; ++h) {
          Part part;
          memcpy(&part, &value[h * part_bytes / int(sizeof(T))], sizeof part);
          reinterpret_cast<Part*>(to)[h] = part;
        }
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (x + v >= left && x + v < right) to[v] = value[v];
        }
      }
    }
  }
};

template <class T, class S, int V, int N, int Warps>
__global__ void __launch_bounds__(32 * Warps, 1)
    patch_kernel(__grid_constant__ SweepCoefficients<Accumulator<T>, S::count, 1, S::masked> const c,
                 __grid_constant__ PatchArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using P = Patch<T, S, V, N, Warps>;
  Ptx::GridDependency::signal();
  int const warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0), lane = int(threadIdx.x % 32);
  int const across = int(blockIdx.x) % g.patches[1], down = int(blockIdx.x) / g.patches[1];
  int const left = g.first[1] + across * g.step[1], top = g.first[0] + down * g.step[0];
  P patch{c, g, in, out, shared, warp, lane, left + lane * V, top + warp * N, 0, 0, {}, nullptr};
  patch.load(left, top, {g.ghosts, in, out, blockIdx.x * (32 * Warps) + threadIdx.x, gridDim.x * (32 * Warps)});
  bool const masked =
      __syncthreads_or(int(patch.columns) != P::all || patch.rows != std::uint32_t((std::uint64_t(1) << N) - 1)) != 0;
  if (P::one_kind || masked) {
    patch.template sweeps<P::all>();
  } else {
    patch.template sweeps<0>();
  }
  patch.store(across == 0 ? g.begin[1] : left + g.halo[1],
              across + 1 == g.patches[1] ? g.end[1] : left + P::layout.width - g.halo[1],
              down == 0 ? g.begin[0] : top + g.halo[0],
              down + 1 == g.patches[0] ? g.end[0] : top + P::layout.height - g.halo[0]);
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct PatchInstance {
  static constexpr PatchTuning tuning = patch_table(value_type<T>).rows[Row];
  static constexpr int shared         = tuning.shared_bytes(int(sizeof(T)));
  using S                             = PlaneShape<tuning.shape.radius, tuning.shape.star, tuning.shape.terms>;
  static constexpr auto kernel        = patch_kernel<T, S, tuning.columns_per_lane, tuning.rows_per_warp, tuning.warps>;

  static cudaError_t prepare(int shared_bytes) { return allow_shared_bytes(shared_bytes, kernel); }

  /// Blocks of the next pass take their places early, and would come to lie two on one multiprocessor while others have
  /// none. Where each can have one of its own, they ask for more than half of its shared memory.
  static int shared_bytes_of(int blocks) {
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    DeviceFacts const& facts = device_facts(device);
    int const alone          = facts.shared_bytes_per_block / 2 + 1024;
    return blocks <= facts.sm_count && alone > shared ? alone : shared;
  }

  static void launch(void const* coefficients, PatchArgs const& args, void const* in, void* out, cudaStream_t stream) {
    SweepCoefficients<Accumulator<T>, S::count, 1, S::masked> c;
    memcpy(c.c[0], coefficients, sizeof c.c[0]);
    c.note(c.c[0], S::count);
    int const blocks = args.patches[0] * args.patches[1];
    Cuda::launch_dependent<kernel>(static_cast<std::uint32_t>(blocks), 32 * tuning.warps,
                                   static_cast<std::size_t>(shared_bytes_of(blocks)), stream, c, args,
                                   static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
