// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "resident/Change.cuh"
#include "resident/Kernel.hpp"
#include "resident/Turn.cuh"

#include "arch/AsyncCopy.hpp"
#include "arch/Flags.hpp"
#include "common/CooperativeLaunch.hpp"
#include "common/GhostsInPass.cuh"
#include "temporal/PatchKernel.cuh"

#include <cstring>

namespace KokkosStencil {
namespace Cuda {
namespace Resident {

/// A block's patch with what it reads and writes. Values are exchanged through a plane in memory, which the
/// second-level cache holds: a block writes its frame there, its own points that others read, and reads its halo from
/// where the boundaries say. What a block reads goes through an image of the patch in shared memory: registers have
/// constant places there, and the loops that find addresses stay short. Constants and ghost values stay in the image
/// for good. M rows of each warp live there, too. Without an Image there are only these rows, and those of the others
/// that do not change; halos are read to registers.
template <class T, class S, int V, int N, int Warps, int M, bool Image>
struct Resident {
  /// 12 and 16 warps have few registers each.
  static constexpr bool few_registers = !Image && Warps > 8;
  using P                             = Temporal::Patch<T, S, V, N, Warps, M, few_registers>;
  using A                             = typename P::A;
  static_assert(sizeof(A) == sizeof(T), "values are read as they are");
  static constexpr int width = P::layout.width, height = P::layout.height;
  static constexpr int pieces = P::layout.pieces, piece_bytes = P::layout.piece_bytes, piece = V / pieces;
  static constexpr int row_bytes  = P::layout.row_bytes;
  static constexpr int image      = P::layout.bytes;  ///< offset in shared memory of the image, or of the rows there
  static constexpr int image_rows = Image ? height : Warps * M;
  static constexpr int kept       = image + image_rows * row_bytes;             ///< of two rows that do not change
  static constexpr int tables     = kept + (Image ? 0 : 2 * P::R * row_bytes);  ///< of the tables
  using Rows                      = typename P::Rows;
  static constexpr Rows all_rows  = Rows((std::uint64_t(1) << N) - 1);
  static constexpr int bytes = tables + 4 * (width + height + 4 + Temporal::warp_lanes) + Warps * int(sizeof(Rows));
  static constexpr int whole_block = 32 * Warps;
  /// Sweeps go row by row (Patch::sweep_down), and outermost rows of the patch, which are never results, stay as they
  /// are by where they lie. Small patches of stars are faster otherwise.
  static constexpr bool keeps_outermost =
      P::R == 1 && (V * int(sizeof(A)) >= 32 || (!S::star && N >= 10 && sizeof(A) == 4));

  /// The sweep whose change is asked for has code of its own, with which the others are up to 7 % faster, where there
  /// are registers for that.
  static constexpr bool own_last_sweep = P::R <= 2 || sizeof(A) == 4;
  /// Blocks leave their turn after the last sweep, not before: there is no register for the answer meanwhile.
  static constexpr bool leaves_late = !Image || M > 2;
  /// Nor for the number of exchanges: it lies behind the blocks to wait for, and with few registers before it where the
  /// patch begins.
  static constexpr bool keeps_epoch       = !Image;
  static constexpr int words_behind_peers = 3;

  P& patch;
  Args const& g;

  /// Where the patch begins along an axis: 0 is y; and the block's own points. Not kept in registers.
  __device__ __forceinline__ int corner(int axis) const {
    return axis == 0 ? patch.y - patch.warp * N : patch.x - patch.lane * V;
  }
  __device__ __forceinline__ int low(int axis) const { return bounds()[2 * axis]; }
  __device__ __forceinline__ int high(int axis) const { return bounds()[2 * axis + 1]; }

  /// Where patch i along an axis begins. The last one ends with what single sweeps read, where nothing changes beyond.
  static __device__ __forceinline__ int beginning(Temporal::PatchArgs const& g, int axis, int i) {
    int const at    = g.first[axis] + i * g.step[axis];
    bool const ends = axis == 0 && i > 0 && i + 1 == g.patches[0] && still(g.faces[0][1]);
    return ends ? min(at, g.end[0] + P::R - height) : at;
  }

  /// Behind the masks of rows.
  __device__ __forceinline__ std::int32_t* bounds() const {
    return reinterpret_cast<std::int32_t*>(rows_of_warps() + Warps);
  }
  /// Where columns and rows of the patch are read, and their kinds.
  __device__ __forceinline__ std::int32_t* table() const {
    return reinterpret_cast<std::int32_t*>(patch.shared + tables);
  }
  /// Behind the tables: for each warp, bit i: row i changes.
  __device__ __forceinline__ Rows* rows_of_warps() const {
    return reinterpret_cast<Rows*>(patch.shared + tables + 4 * (width + height));
  }
  /// Then the blocks to wait for, -1: none.
  __device__ __forceinline__ std::int32_t* peers() const { return bounds() + 4; }
  __device__ __forceinline__ std::uint32_t volatile& kept_epoch() const {
    return *reinterpret_cast<std::uint32_t volatile*>(peers() + Temporal::warp_lanes - 1);
  }
  __device__ __forceinline__ std::int32_t volatile& kept_corner(int axis) const {
    return *(peers() + Temporal::warp_lanes - 2 - axis);
  }
  /// What follows from the numbers of the lane and the warp is found again, not kept in registers.
  __device__ __forceinline__ void forget_addresses() const {
    if (!few_registers) return;
    patch.warp = anew(patch.warp);
    patch.lane = anew(patch.lane);
    patch.held = line_of(patch.warp * M);
  }
  /// Where a lane and a warp begin, once more: not kept in registers during sweeps.
  __device__ __forceinline__ void find_place() const {
    if (!few_registers) return;
    forget_addresses();
    patch.x = kept_corner(1) + patch.lane * V;
    patch.y = kept_corner(0) + patch.warp * N;
  }
  /// Where a row of the image begins, for a lane; and the lane's values of it.
  __device__ __forceinline__ unsigned char* line_of(int row) const {
    return patch.shared + image + row * row_bytes + patch.lane * piece_bytes;
  }
  static __device__ __forceinline__ unsigned char* value_of(unsigned char* line, int v) {
    return line + v / piece * 32 * piece_bytes + v % piece * int(sizeof(A));
  }
  /// Where row i of the warp is that does not change.
  __device__ __forceinline__ unsigned char* unchanged(int i) const {
    if (Image) return line_of(patch.warp * N + i);
    int const below = g.patch.begin[0] - P::R, above = g.patch.end[0];
    int const y = (few_registers ? kept_corner(0) + patch.warp * N : anew(patch.y)) + i;
    return patch.shared + kept + (y < g.patch.begin[0] ? y - below : P::R + y - above) * row_bytes +
           patch.lane * piece_bytes;
  }
  /// What else such a vector holds does not change.
  __device__ __forceinline__ bool own_columns() const {
    return patch.x + V > low(1) &&
           (patch.x + V <= high(1) || (patch.x < high(1) && g.patch.end[1] < g.patch.extent[1]));
  }

  /// In the tables: no result depends on this column or row.
  static constexpr std::int32_t unneeded = -4;
  static_assert((unneeded & 3) == P::changes && unneeded < 0, "nothing puts it back");

  static __device__ __forceinline__ bool still(Face const& face) {
    return face.kind == BoundaryKind::halo || face.kind == BoundaryKind::value;
  }
  /// Where nothing changes beyond the range, beyond what a single sweep reads.
  __device__ __forceinline__ bool is_beyond(int axis, int at) const {
    return (at < g.patch.begin[axis] - P::R && still(g.patch.faces[axis][0])) ||
           (at >= g.patch.end[axis] + P::R && still(g.patch.faces[axis][1]));
  }
  __device__ __forceinline__ std::int32_t source_of(int axis, int at) const {
    int side             = -1;
    std::int64_t const m = Impl::map_near_index(at, g.patch.extent[axis], g.patch.faces[axis], side);
    // Beyond the halo, and beyond ghost values.
    if (at < low(axis) - g.patch.halo[axis] || at >= high(axis) + g.patch.halo[axis]) return unneeded;
    // Columns still belong to a vector.
    if (is_beyond(axis, at)) {
      return axis == 0 || side >= 0 || m < 0 || m >= g.patch.extent[axis] ? unneeded
                                                                          : std::int32_t(m) * 4 + P::is_fixed;
    }
    if (side >= 0) return side == 0 ? P::is_constant_below : P::is_constant_above;
    if (m < 0 || m >= g.patch.extent[axis]) return unneeded;
    return std::int32_t(m) * 4 + (m >= g.patch.begin[axis] && m < g.patch.end[axis] ? P::changes : P::is_fixed);
  }

  template <class Meanwhile>
  __device__ __forceinline__ void find_sources(int down, int across, Meanwhile const& meanwhile) const {
    int const x = corner(1), y = corner(0);
    if (threadIdx.x < 2) {
      int const axis = int(threadIdx.x), i = axis == 0 ? down : across;
      int const at           = g.patch.first[axis] + i * g.patch.step[axis] + g.patch.halo[axis];
      bounds()[2 * axis]     = i == 0 ? g.patch.begin[axis] : at;
      bounds()[2 * axis + 1] = i + 1 == g.patch.patches[axis] ? g.patch.end[axis] : at + g.patch.step[axis];
      if (few_registers) kept_corner(axis) = axis == 0 ? y : x;
    }
    __syncthreads();
    for (int i = int(threadIdx.x); i < width + height; i += whole_block) {
      table()[i] = source_of(i < width ? 1 : 0, i < width ? x + i : y + i - width);
    }
    meanwhile();
    __syncthreads();
    patch.columns = 0;
    Rows rows     = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      // What lies beyond need not stay as it is.
      bool const changes = (table()[patch.lane * V + v] & 3) == P::changes || is_beyond(1, patch.x + v);
      patch.columns |= (changes ? 1u : 0u) << v;
    }
#pragma unroll
    for (int i = 0; i < N; ++i) {
      bool const outer =
          keeps_outermost && ((i < P::R && patch.warp == 0) || (i >= N - P::R && patch.warp == Warps - 1));
      rows |= Rows(outer || (table()[width + patch.warp * N + i] & 3) == P::changes ? 1 : 0) << i;
    }
    if (patch.lane == 0) rows_of_warps()[patch.warp] = rows;
    __syncwarp();
  }

  /// Reads the patch. If Halo: what changes and is not the block's own. Of vectors that change in part others have
  /// shown the rest as well.
  template <bool Halo>
  __device__ __forceinline__ void read(A const* from, std::int64_t pitch, bool aligned) const {
    std::int32_t source[V];
    bool plain = true, whole = aligned, none = true;
    int vector = -1;  // where the vector begins
#pragma unroll
    for (int v = 0; v < V; ++v) {
      source[v]         = table()[patch.lane * V + v];
      bool const needed = source[v] >= 0 && (source[v] & 3) == P::changes;
      plain             = plain && (source[v] & 3) < P::is_constant_below;
      none              = none && (Halo ? !needed : source[v] < 0);
      if (Halo && !needed) continue;
      if (vector == -1) vector = (source[v] >> 2) - v;
      whole = whole && (source[v] >> 2) == vector + v;
    }
    whole          = whole && vector >= 0 && vector % V == 0;
    bool const own = Halo && own_columns();
    int const y = anew(patch.y), top = low(0), bottom = high(0), first = patch.warp * N;
    auto const wanted = [&](int i, std::int32_t of_row) {
      return !(Halo && (none || of_row < 0 || (of_row & 3) != P::changes)) && !(own && y + i >= top && y + i < bottom);
    };
    // Row i of the warp, to a place in shared memory.
    auto const copy = [&](int i, unsigned char* to) {
      std::int32_t const of_row = table()[width + first + i];
      if (!wanted(i, of_row)) return;
      A const* const line = from + (of_row >> 2) * pitch;
      if (none || of_row < 0) {
#pragma unroll
        for (int v = 0; v < V; ++v) *reinterpret_cast<A*>(value_of(to, v)) = A(0);
      } else if (!Halo && (!plain || (of_row & 3) >= P::is_constant_below)) {
        read_constants(line, to, of_row & 3);
      } else if (whole) {
#pragma unroll
        for (int h = 0; h < pieces; ++h) {
          auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(value_of(to, h * piece)));
          Ptx::CopyAsyncBytes<piece_bytes>::run(at, line + vector + h * piece);
        }
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) {
          if (source[v] < 0 || (Halo && (source[v] & 3) != P::changes)) continue;
          auto const at = static_cast<std::uint32_t>(__cvta_generic_to_shared(value_of(to, v)));
          Ptx::CopyAsyncBytes<int(sizeof(A))>::run(at, line + (source[v] >> 2));
        }
      }
    };
    auto const copy_held = [&] {
#pragma unroll 1
      for (int j = 0; j < M; ++j) copy(P::first_held + j, patch.held_row(P::first_held + j));
      if constexpr (P::ends_shown != 0) {
#pragma unroll 1
        for (int i = 0; i < N; i += N - 1) copy(i, patch.shared_row(i));
      }
    };
    auto const wait = [] {
      Ptx::CopyAsync::commit();
      Ptx::CopyAsync::wait<0>();
    };
    // Where all lanes have whole vectors, straight to registers.
    bool direct = none || (whole && (Halo || plain));
    if (!Halo) {
      for (int i = patch.lane; i < N; i += 32)
        direct = direct && (table()[width + first + i] & 3) < P::is_constant_below;
    }
    if (__all_sync(0xffffffffu, direct)) {
      copy_held();
      A const* const column = from + vector;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        if (!P::in_registers(i)) continue;
        std::int32_t const of_row = table()[width + first + i];
        if (!wanted(i, of_row)) continue;
#pragma unroll
        for (int h = 0; h < pieces; ++h) {
          typename P::Piece value{};
          if (Halo || !(none || of_row < 0)) {
            value = __ldcg(reinterpret_cast<typename P::Piece const*>(column + (of_row >> 2) * pitch + h * piece));
          }
          memcpy(&patch.a[P::slot(i)][h * piece], &value, sizeof value);
        }
      }
      if (!Halo) keep_unchanged();
      wait();
      return;
    }
    if constexpr (Image) {
#pragma unroll 4
      for (int i = 0; i < N; ++i) copy(i, line_of(first + i));
      wait();
      take<Halo>();
    } else if constexpr (!Halo) {
      // By way of the places of the rows in shared memory, as many at a time.
      constexpr int in_registers = N - M - 2 * P::ends_shown;
#pragma unroll
      for (int done = 0; done < in_registers; done += M) {
#pragma unroll 1
        for (int j = 0; j < M && done + j < in_registers; ++j) {
          copy(P::row_of(done + j), patch.held_row(P::first_held + j));
        }
        wait();
#pragma unroll
        for (int j = 0; j < M; ++j) {
          if (done + j < in_registers) {
            patch.look(patch.held_row(P::first_held + j), patch.a[done + j < in_registers ? done + j : 0]);
          }
        }
      }
      keep_unchanged();
      copy_held();
      wait();
    }
  }

  /// Rows in registers that do not change, for unchanged().
  __device__ __forceinline__ void keep_unchanged() const {
    Rows const rows = rows_of_warps()[patch.warp];
    if (rows == all_rows) return;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (P::in_registers(i) && (rows >> i & 1u) == 0) patch.show(unchanged(i), patch.a[P::slot(i)]);
    }
  }

  /// A lane's values of a row with constants. At a corner that of the lowest axis of the View counts.
  __device__ __forceinline__ void read_constants(A const* line, unsigned char* to, std::int32_t of_row) const {
    bool const columns_last = g.patch.user_axis[1] < g.patch.user_axis[0];
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      std::int32_t const source = table()[patch.lane * V + v], of_column = source & 3;
      bool const by_row = of_row >= P::is_constant_below, by_column = of_column >= P::is_constant_below;
      A value;
      if (by_column && (columns_last || !by_row)) {
        value = P::constant_of(g.patch.faces[1][of_column - P::is_constant_below]);
      } else if (by_row) {
        value = P::constant_of(g.patch.faces[0][of_row - P::is_constant_below]);
      } else {
        value = source < 0 ? A(0) : line[source >> 2];
      }
      *reinterpret_cast<A*>(value_of(to, v)) = value;
    }
  }

  /// Takes rows from the image to registers.
  template <bool Halo>
  __device__ __forceinline__ void take() const {
    bool const own = Halo && own_columns();
    int const top = low(0), bottom = high(0), y = anew(patch.y);
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (!P::in_registers(i) || (own && y + i >= top && y + i < bottom)) continue;
      patch.look(line_of(patch.warp * N + i), patch.a[P::slot(i)]);
    }
  }

  /// Rows that do not change have been swept like all others; they are taken from shared memory again.
  template <int Masked>
  __device__ __forceinline__ void sweeps(int count) const {
    patch.rows = all_rows;  // known here, so that masks of columns serve for all rows
#pragma unroll 1
    for (int s = 0; s < count; ++s) {
      forget_addresses();
      int const buffer = P::ends_shown != 0 ? patch.buffer : s & 1;
      patch.show_ends(buffer);
      __syncthreads();
      Rows const rows = rows_of_warps()[patch.warp];
      if constexpr (keeps_outermost) {
        patch.template sweep_down<Masked, keeps_outermost>(buffer, rows);
      } else {
        patch.template sweep<Masked>(buffer, rows);
      }
      if (P::ends_shown != 0) patch.buffer ^= 1;
      if (rows == all_rows) continue;
#pragma unroll
      for (int i = 0; i < N; ++i) {
        if (P::in_registers(i) && (rows >> i & 1u) == 0) patch.look(unchanged(i), patch.a[P::slot(i)]);
      }
    }
  }

  /// Where row i of the warp is kept for change(): in the image, or in the place of rows that warps show to each other
  /// that the next sweep leaves alone.
  __device__ __forceinline__ unsigned char* kept_row(int i) const {
    return P::is_held(i) ? patch.shown(1, patch.warp, 0, 0) + (i - P::first_held) * row_bytes
                         : line_of(patch.warp * N + i);
  }
  __device__ __forceinline__ void keep_state() const {
    // Others may still look at what has been shown to them.
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; ++i) {
      A row[V];
      patch.get(i, row);
      patch.show(kept_row(i), row);
    }
  }
  /// A thread's part of the change of the block's own points since keep_state().
  __device__ __forceinline__ double change() const {
    int const left = low(1), right = high(1), top = low(0), bottom = high(0), y = anew(patch.y);
    double mine = 0.0;
#pragma unroll
    for (int i = 0; i < N; ++i) {
      if (y + i < top || y + i >= bottom) continue;
      A row[V], old[V];
      patch.get(i, row);
      patch.look(kept_row(i), old);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        if (patch.x + v >= left && patch.x + v < right) add(g.change.largest, T(row[v]), T(old[v]), mine);
      }
    }
    return mine;
  }

  __device__ __forceinline__ void write_frame(A* plane) const {
    int const left = low(1), right = high(1), top = low(0), bottom = high(0);
    bool const inside = patch.x + V > left && patch.x < right;
    bool const side   = inside && (patch.x < left + g.patch.halo[1] || patch.x + V > right - g.patch.halo[1]);
    int const first   = anew(patch.y);
    A* at             = plane + std::int64_t(first) * g.pitch + patch.x;
#pragma unroll
    for (int i = 0; i < N; ++i, at += g.pitch) {
      int const y     = first + i;
      bool const rows = y < top + g.patch.halo[0] || y >= bottom - g.patch.halo[0];
      if (y < top || y >= bottom || !(rows ? inside : side)) continue;
      A row[V];
      patch.get(i, row);
#pragma unroll
      for (int h = 0; h < pieces; ++h) {
        typename P::Piece value;
        memcpy(&value, &row[h * piece], sizeof value);
        *reinterpret_cast<typename P::Piece*>(at + h * piece) = value;
      }
    }
  }
};

/// All sweeps of a run. A block holds its patch in registers from the first to the last; after `depth` sweeps its halo
/// is used up and comes from the neighbours.
template <class T, class S, int V, int N, int Warps, int M, bool Image, bool Change>
__device__ __forceinline__ void run(Temporal::SweepCoefficients<Accumulator<T>, S::count, 1> const& c, Args const& g,
                                    T const* in, T* out) {
  extern __shared__ __align__(16) unsigned char shared[];
  using F = Resident<T, S, V, N, Warps, M, Image>;
  using P = typename F::P;
  using A = typename F::A;
  static_assert(most_peers * most_peers <= 32 - F::words_behind_peers, "a lane for each");
  bool const exchanges = g.sweeps > g.patch.depth;
  GhostCopier<T> ghosts{g.patch.ghosts, in, out, blockIdx.x * F::whole_block + threadIdx.x, gridDim.x * F::whole_block};
  ghosts.begin();
  Turn turn{g.control};
  if (exchanges) turn.ask();
  int const warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0), lane = int(threadIdx.x % 32);
  int const across = int(blockIdx.x) % g.patch.patches[1], down = int(blockIdx.x) / g.patch.patches[1];
  int const left = F::beginning(g.patch, 1, across), top = F::beginning(g.patch, 0, down);
  P patch{c, g.patch, in, out, shared, warp, lane, left + lane * V, top + warp * N, 0, 0, {}, nullptr};
  F const block{patch, g};
  patch.held = block.line_of(Image ? warp * N + P::first_held : warp * M);
  block.find_sources(down, across, [&] {
    ghosts.end();
    if (exchanges) turn.ask_again();
  });
  // Of all runs in the first warp; the others need not know more than whether it is even.
  std::uint32_t epoch = 0;
  if (exchanges && warp == 0) {
    if (lane == 0) epoch = turn.take();
    epoch = __shfl_sync(0xffffffffu, epoch, 0);
  }
  block.template read<false>(in, g.patch.in_pitch, g.patch.aligned);
  bool const masked = __syncthreads_or(int(patch.columns) != P::all) != 0;
  bool const inner  = __syncthreads_or((int(patch.columns) | P::ends) != P::all) != 0;
  if (exchanges && warp == 0) {
    std::int32_t const* const ys = g.peers + down * (most_peers + 1);
    std::int32_t const* const xs = g.peers + (g.patch.patches[0] + across) * (most_peers + 1);
    int const columns = xs[0], all = ys[0] * columns;
    if (lane < 32 - F::words_behind_peers) {
      bool const is_peer  = lane < all;
      block.peers()[lane] = is_peer ? ys[1 + lane / columns] * g.patch.patches[1] + xs[1 + lane % columns] : -1;
    }
    if (F::keeps_epoch && lane == 31) block.kept_epoch() = epoch;
  }
  int sweeps_left = int(g.sweeps);
  while (true) {
    int const depth = sweeps_left < g.patch.depth ? sweeps_left : g.patch.depth;
    sweeps_left -= depth;
    bool alone = Change && sweeps_left == 0 && g.change.parts != nullptr;
    for (int now = alone ? depth - 1 : depth;; now = 1, alone = false) {
      if (P::one_kind || inner) {
        block.template sweeps<P::all>(now);
      } else if (masked) {
        block.template sweeps<P::ends>(now);
      } else {
        block.template sweeps<0>(now);
      }
      if (F::own_last_sweep || !alone) break;
      block.keep_state();
    }
    block.find_place();
    if (sweeps_left == 0) break;
    if (F::keeps_epoch) epoch = block.kept_epoch();
    ++epoch;
    A* const plane = static_cast<A*>(g.planes) + (epoch & 1u) * g.plane;
    block.write_frame(plane);
    __syncthreads();
    if (warp == 0) {
      if (lane == 0) Ptx::StoreFlag::run(g.flags + std::int64_t(blockIdx.x) * flag_words, epoch);
      int const peer = lane < 32 - F::words_behind_peers ? block.peers()[lane] : -1;
      if (F::keeps_epoch && lane == 31) block.kept_epoch() = epoch;
      if (peer >= 0) {
        while (std::int32_t(Ptx::LoadFlag::run(g.flags + std::int64_t(peer) * flag_words) - epoch) < 0) {
        }
      }
    }
    __syncthreads();
    block.template read<true>(plane, g.pitch, true);
    if (!F::leaves_late && sweeps_left <= g.patch.depth) turn.leave();
  }
  if constexpr (Change) {
    if (g.change.parts != nullptr) {
      if constexpr (F::own_last_sweep) {
        block.keep_state();
        block.template sweeps<P::all>(1);
      }
      leave_change(g.change, block.change(), int(blockIdx.x) * Warps + warp);
    }
  }
  patch.out = anew(out);
  patch.store(block.low(1), block.high(1), block.low(0), block.high(0));
  if (F::leaves_late && exchanges) turn.leave();
  if (exchanges) turn.end(F::keeps_epoch ? block.kept_epoch() : epoch);
}

/// All blocks have to be on the GPU at once: a cooperative launch.
template <class T, class S, int V, int N, int Warps, int M, bool Image, bool Change>
__global__ void __launch_bounds__(32 * Warps, 1)
    resident_kernel(__grid_constant__ Temporal::SweepCoefficients<Accumulator<T>, S::count, 1> const c,
                    __grid_constant__ Args const g, T const* __restrict__ in, T* __restrict__ out) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  constexpr bool fits = Resident<T, S, V, N, Warps, M, Image>::bytes <= shared_bytes_before_90;
#else
  constexpr bool fits = true;
#endif
  if constexpr (fits) run<T, S, V, N, Warps, M, Image, Change>(c, g, in, out);
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct Instance {
  static constexpr KernelTuning tuning = kernel_table(Temporal::value_type<T>).rows[Row];
  static constexpr int shared          = shared_bytes(tuning, int(sizeof(T)));
  using S                              = Temporal::PlaneShape<tuning.shape.radius, tuning.shape.star>;
  static constexpr auto kernel = resident_kernel<T, S, tuning.columns_per_lane, tuning.rows_per_warp, tuning.warps,
                                                 tuning.held_rows, tuning.image, tuning.finds_change()>;

  static int prepare() { return blocks_of_multiprocessor(kernel, 32 * tuning.warps, shared); }

  static void launch(void const* coefficients, Args const& args, void const* in, void* out, cudaStream_t stream) {
    Temporal::SweepCoefficients<Accumulator<T>, S::count, 1> c;
    std::memcpy(c.c[0], coefficients, sizeof c.c[0]);
    launch_cooperative(kernel, dim3(unsigned(args.patch.patches[0] * args.patch.patches[1])), 32 * tuning.warps, shared,
                       stream, c, args, static_cast<T const*>(in), static_cast<T*>(out));
  }
};

}  // namespace Resident
}  // namespace Cuda
}  // namespace KokkosStencil
