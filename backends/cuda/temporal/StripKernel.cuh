// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernels.hpp"
#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
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

template <int Bytes>
using Copy = Ptx::CopyAsyncBytes<Bytes>;

/// A 2-D star or box of radius R: which terms it has, and their places in canonical order.
template <int R, bool Star, Terms Which = Terms::all>
struct PlaneShape {
  static constexpr int radius  = R;
  static constexpr bool star   = Star;
  static constexpr bool masked = Which == Terms::some;
  static constexpr int count   = Star ? 4 * R + 1 : (2 * R + 1) * (2 * R + 1);
  static constexpr bool has(int dy, int dx) {
    return (!Star || dy == 0 || dx == 0) && (Which != Terms::but_centre || dy != 0 || dx != 0);
  }
  static constexpr int index(int dy, int dx) {
    if (!Star) return (dy + R) * (2 * R + 1) + dx + R;
    return dy < 0 ? dy + R : dy == 0 ? 2 * R + dx : 3 * R + dy;
  }
};

/// Coefficients, in one copy or in one for each sweep. Where registers are short there are several: of one copy the
/// compiler keeps all coefficients in registers.
template <class A, int Count, int Copies, bool Masked = false>
struct SweepCoefficients : Present<Masked> {
  A c[Copies][Count];
};

/// A warp's strip: Depth sweeps in flight, each with 2 R rows of partial sums. A row that enters a sweep finishes
/// one of these rows and adds to the others. The last Stash rows of sums lie in shared memory, the others in registers.
/// Anywhere: rows may begin at any value. Values are then copied one by one, adjacent ones by adjacent lanes, to the
/// places where copies of vectors would put them, and results are stored in the same way.
template <class T, class S, int V, int Depth, int Stash, int Copies, bool Anywhere>
struct Strip {
  using A                             = Accumulator<T>;
  static constexpr int R              = S::radius;
  static constexpr StripLayout layout = strip_layout(int(sizeof(T)), R, V, Depth, Stash);
  static constexpr int VT             = layout.vector_values;
  static constexpr int N              = layout.vectors;
  static constexpr int width          = layout.width;
  static constexpr int reach          = layout.reach;
  static constexpr int halo           = layout.halo;
  static constexpr int slots          = strip_ring_rows;
  static constexpr int fast_ahead     = strip_rows_ahead;
  static constexpr int ahead          = layout.rows_ahead;
  static constexpr int row_bytes      = layout.row_bytes;
  static constexpr int kept           = layout.sums_in_registers;
  static constexpr int stash_row      = layout.sums_row_bytes;
  static constexpr int stash          = layout.sums_offset;
  static constexpr int value_step     = 32 * int(sizeof(T));  ///< bytes in a slot between values 32 columns apart
  static_assert(V >= R && ahead > 1 && ahead + reach < 32, "");
  static_assert(!Anywhere || sizeof(T) >= 4, "shared memory is filled by four bytes and more");
  using Coefficients = SweepCoefficients<A, S::count, Copies, S::masked>;

  Coefficients const& c;
  StripArgs const& g;
  T const* in;
  T* out;
  unsigned char* ring;
  std::uint32_t ring_at;
  int lane;
  int x;  ///< first column of the strip
  A p[kept][V];

  /// Reads row j of the sums of sweep s.
  __device__ __forceinline__ void sums(int s, int j, A (&row)[V]) const {
    int const i = s * 2 * R + j;
    if (i < kept) {
#pragma unroll
      for (int v = 0; v < V; ++v) row[v] = p[i < kept ? i : 0][v];
    } else {
#pragma unroll
      for (int h = 0; h < stash_row / 512; ++h) {
        uint4 const vector = *reinterpret_cast<uint4 const*>(stashed(i - kept, h));
        memcpy(&row[h * 16 / int(sizeof(A))], &vector, 16);
      }
    }
  }
  __device__ __forceinline__ void set_sums(int s, int j, A const (&row)[V]) {
    int const i = s * 2 * R + j;
    if (i < kept) {
#pragma unroll
      for (int v = 0; v < V; ++v) p[i < kept ? i : 0][v] = row[v];
    } else {
#pragma unroll
      for (int h = 0; h < stash_row / 512; ++h) {
        uint4 vector;
        memcpy(&vector, &row[h * 16 / int(sizeof(A))], 16);
        *reinterpret_cast<uint4*>(stashed(i - kept, h)) = vector;
      }
    }
  }
  __device__ __forceinline__ unsigned char* stashed(int row, int h) const {
    return ring + stash + row * stash_row + h * 512 + lane * 16;
  }

  /// Where in a slot a vector of the row lies, in bytes. The two vectors of a sector stay together: copied to two lines
  /// of shared memory, the second-level cache would send it twice. Every other four pairs are swapped, so that lanes
  /// that read theirs meet in no bank; not where floats are copied one by one, to places that are `value_step` apart.
  static __device__ __forceinline__ int place(int vector) {
    constexpr bool swaps = N == 2 && (!Anywhere || VT == 2);
    return (swaps ? vector ^ (vector >> 3 & 1) : vector) * 16;
  }
  /// Where in a slot the value of column `lane` lies, in bytes.
  static __device__ __forceinline__ int value_place(int lane) { return place(lane / VT) + lane % VT * int(sizeof(T)); }

  /// A row `n` enters sweep s. It is replaced by the row that the sweep finishes, which lies R rows higher up.
  __device__ __forceinline__ void sweep(int s, A (&n)[V]) {
    A const* const k = c.c[Copies == 1 ? 0 : s];
    A w[V + 2 * R];
#pragma unroll
    for (int v = 0; v < V; ++v) w[R + v] = n[v];
#pragma unroll
    for (int d = 0; d < R; ++d) {
      w[d]         = __shfl_up_sync(0xffffffffu, n[V - R + d], 1);
      w[R + V + d] = __shfl_down_sync(0xffffffffu, n[d], 1);
    }
#pragma unroll
    for (int j = 0; j <= 2 * R; ++j) {
      int const dy = R - j;
      A row[V];
      if (j < 2 * R) sums(s, j, row);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        bool first = j == 2 * R;
        A sum      = first ? A(0) : row[v];
#pragma unroll
        for (int dx = -R; dx <= R; ++dx) {
          if (!S::has(dy, dx)) continue;
          int const term = S::index(dy, dx);
          sum            = with_term<S::masked>(sum, first, k[term], w[R + v + dx], c.present, term);
          first          = false;
        }
        row[v] = sum;
      }
      if (j > 0) {
        set_sums(s, j - 1, row);
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) n[v] = row[v];
      }
    }
  }

  /// Row i enters the sweeps of this pass that results depend on by then: sweep s from row 2 R s on.
  __device__ __forceinline__ void some_sweeps(int i, A (&n)[V]) {
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
      if (s >= g.depth || i < 2 * R * s) break;
      sweep(s, n);
    }
  }
  /// Whether row i finishes a result, where all do. In float the compiler does not know: it would mix stores with
  /// sweeps, for which there are not enough registers.
  static __device__ __forceinline__ bool has_result(int i) { return sizeof(T) != 4 || i >= 2 * reach; }

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int s = 0; s < Depth; ++s) {
      A const zero[V] = {};
#pragma unroll
      for (int j = 0; j < 2 * R; ++j) set_sums(s, j, zero);
    }
  }

  __device__ __forceinline__ void read(int slot, A (&n)[V]) const {
#pragma unroll
    for (int h = 0; h < N; ++h) {
      auto const* const from = reinterpret_cast<uint4 const*>(ring + slot * row_bytes + place(lane * N + h));
      Vector<T>::unpack(*from, n + h * VT);
    }
  }

  /// Stores a row. Lanes exchange their vectors by way of a slot of the ring, so that a store covers whole sectors.
  __device__ __forceinline__ void write_row(int slot, T* to, bool const (&owned)[N], A const (&n)[V]) const {
    if constexpr (N == 1) {
      if (owned[0]) write_vector(to, 0, n);
    } else {
      unsigned char* const row = ring + slot * row_bytes;
#pragma unroll
      for (int h = 0; h < N; ++h) write_vector(reinterpret_cast<T*>(row + place(lane * N + h)), h, n);
      __syncwarp();
#pragma unroll
      for (int h = 0; h < N; ++h) {
        uint4 const vector = *reinterpret_cast<uint4 const*>(row + place(h * 32 + lane));
        if (owned[h]) *reinterpret_cast<uint4*>(to + h * 32 * VT) = vector;
      }
    }
  }

  /// Calls f(v) for each of a lane's values; v is a constant of the compiler.
  template <class F, int... Value>
  static __device__ __forceinline__ void each_value(F const& f, std::integer_sequence<int, Value...>) {
    (f(std::integral_constant<int, Value>()), ...);
  }
  template <class F>
  static __device__ __forceinline__ void each_value(F const& f) {
    each_value(f, std::make_integer_sequence<int, V>());
  }

  /// Stores a row value by value: column lane + 32 v where `owned` has bit v. `to` is where column `lane` goes.
  __device__ __forceinline__ void write_values(int slot, T* to, std::uint32_t owned, A const (&n)[V]) const {
    unsigned char* const row = ring + slot * row_bytes;
#pragma unroll
    for (int h = 0; h < N; ++h) write_vector(reinterpret_cast<T*>(row + place(lane * N + h)), h, n);
    __syncwarp();
    unsigned char const* const mine = row + value_place(lane);
    each_value([&](auto v) {
      T const value = *reinterpret_cast<T const*>(mine + v * value_step);
      Ptx::StoreValueIf<T, 32 * v>::run(to, value, owned & 1u << v);
    });
  }

  __device__ __forceinline__ void write_vector(T* to, int h, A const (&n)[V]) const {
    *reinterpret_cast<uint4*>(to) = Vector<T>::pack(n + h * VT);
  }

  /// Computes rows [first, last), where all points that they depend on lie in the range or wrap around into it.
  __device__ __forceinline__ void fast(StripRegion const& box, int first, int last) {
    if constexpr (Anywhere) {
      fast_values(box, first, last);
    } else {
      fast_vectors(box, first, last);
    }
  }

  __device__ __forceinline__ void fast_values(StripRegion const& box, int first, int last) {
    std::uint32_t owned = 0;
#pragma unroll
    for (int v = 0; v < V; ++v) {
      int const o = lane + 32 * v;
      if (o >= halo && o < width - halo && x + o >= box.begin[1] && x + o < box.end[1]) owned |= 1u << v;
    }
    // Otherwise the compiler keeps a flag for each column.
    asm volatile("" : "+r"(owned));
    // Pointers are computed again for each row, since there are no registers to keep them.
    int const back = g.depth * R, total = last - first + 2 * back;
    int y = first - back, column = x + lane;
    if (y < 0) y += g.extent[0];
    auto const fetch = [&](int i) {
      if (i < total) {
        std::uint32_t const at = ring_at + value_place(lane) + i % slots * row_bytes;
        T const* const row     = in + y * g.in_pitch + column;
        each_value([&](auto v) { Ptx::CopyAsyncAt<sizeof(T), v * value_step, 32 * v* int(sizeof(T))>::run(at, row); });
        if (++y == g.extent[0]) y = 0;
        asm volatile("" : "+r"(y));
      }
      Ptx::CopyAsync::commit();
    };
#pragma unroll 1
    for (int i = 0; i < fast_ahead; ++i) fetch(i);
    clear();
    auto const next = [&](int i, A(&n)[V]) {
      Ptx::CopyAsync::wait<fast_ahead - 1>();
      __syncwarp();
      read(i % slots, n);
      fetch(i + fast_ahead);
    };
    auto const write = [&](int i) {
      int to = first - 2 * back + i;
      asm volatile("" : "+r"(to));
      return out + to * g.out_pitch + column;
    };
    int const branched = g.depth == Depth ? 2 * reach : total;
    int i              = 0;
#pragma unroll 1
    for (; i < branched; ++i) {
      A n[V];
      next(i, n);
      some_sweeps(i, n);
      if (i >= 2 * back) write_values(i % slots, write(i), owned, n);
    }
#pragma unroll 1
    for (; i < total; ++i) {
      A n[V];
      next(i, n);
#pragma unroll
      for (int s = 0; s < Depth; ++s) sweep(s, n);
      if (has_result(i)) write_values(i % slots, write(i), owned, n);
    }
  }

  __device__ __forceinline__ void fast_vectors(StripRegion const& box, int first, int last) {
    std::int32_t from[N];
    bool owned[N];
#pragma unroll
    for (int h = 0; h < N; ++h) {
      int const o = (h * 32 + lane) * VT;
      int column  = x + o;
      if (column < 0) column += g.extent[1];
      if (column >= g.extent[1]) column -= g.extent[1];
      from[h]  = column;
      owned[h] = o >= halo && o < width - halo && x + o >= box.begin[1] && x + o < box.end[1];
    }
    int const back = g.depth * R, total = last - first + 2 * back;
    int y = first - back;
    if (y < 0) y += g.extent[0];
    T const* row     = in + y * g.in_pitch;
    auto const fetch = [&](int i) {
      if (i < total) {
#pragma unroll
        for (int h = 0; h < N; ++h) {
          Copy<16>::run(ring_at + i % slots * row_bytes + place(h * 32 + lane), row + from[h]);
        }
        row += g.in_pitch;
        if (++y == g.extent[0]) {
          y   = 0;
          row = in;
        }
      }
      Ptx::CopyAsync::commit();
    };
    for (int i = 0; i < fast_ahead; ++i) fetch(i);
    clear();
    auto const next = [&](int i, A(&n)[V]) {
      Ptx::CopyAsync::wait<fast_ahead - 1>();
      __syncwarp();
      read(i % slots, n);
      fetch(i + fast_ahead);
    };
    T* to              = out + first * g.out_pitch + x + lane * VT;
    int const branched = g.depth == Depth ? 2 * reach : total;
    int i              = 0;
#pragma unroll 1
    for (; i < branched; ++i) {
      A n[V];
      next(i, n);
      some_sweeps(i, n);
      if (i < 2 * back) continue;
      write_row(i % slots, to, owned, n);
      to += g.out_pitch;
    }
#pragma unroll 1
    for (; i < total; ++i) {
      A n[V];
      next(i, n);
#pragma unroll
      for (int s = 0; s < Depth; ++s) sweep(s, n);
      if (has_result(i)) write_row(i % slots, to, owned, n);
      to += g.out_pitch;
    }
  }

  /// Any boundary and alignment, any number of sweeps up to Depth.
  __device__ __forceinline__ void general(StripRegion const& box, int first, int last) {
    auto* const columns = reinterpret_cast<std::int32_t*>(ring + slots * row_bytes);
    int const back      = g.depth * R;
    // For each column: where it is read, or the face whose constant it holds. No result depends on columns beyond the
    // ghost values, so any value will do there.
    std::uint32_t active = 0;
#pragma unroll 1
    for (int v = 0; v < V; ++v) {
      int side             = -1;
      std::int64_t const m = Impl::map_near_index(x + lane * V + v, g.extent[1], g.faces[1], side);
      if (side < 0 && m >= g.begin[1] && m < g.end[1]) active |= 1u << v;
      columns[lane * V + v] = side >= 0 ? -1 - side : m < 0 || m >= g.extent[1] ? nothing : std::int32_t(m);
    }
    __syncwarp();
    std::int32_t from[N];   // first column of each vector that is read whole, else -1
    bool plain = Anywhere;  // no column is a constant
#pragma unroll
    for (int v = 0; v < (Anywhere ? V : 0); ++v) {
      int const column = columns[v * 32 + lane];
      plain            = plain && (column >= 0 || column == nothing);
    }
    if constexpr (Anywhere) plain = __all_sync(0xffffffffu, plain);
#pragma unroll
    for (int h = 0; h < (Anywhere ? 0 : N); ++h) {
      int const at = (h * 32 + lane) * VT;
      from[h]      = columns[at];
      bool whole = from[h] >= 0 && from[h] % VT == 0, none = from[h] == nothing;
#pragma unroll
      for (int v = 1; v < VT; ++v) {
        whole = whole && columns[at + v] == from[h] + v;
        none  = none && columns[at + v] == nothing;
      }
      from[h] = !g.aligned ? -1 : whole ? from[h] : none ? 0 : -1;
    }
    int const total           = last - first + 2 * back;
    std::uint32_t active_rows = 0;  // bit k: the row that was fetched k rows ago changes; `ahead`: the current row
    auto const fetch          = [&](int i) {
      active_rows <<= 1;
      if (i < total) {
        int side       = -1;
        std::int64_t m = first - back + i;
        if (m < 0 || m >= g.extent[0]) {
          m = Impl::map_near_index(m, g.extent[0], g.faces[0], side);
          if (side >= 0) m = -1;
        }
        if (m >= g.begin[0] && m < g.end[0]) active_rows |= 1u;
        m                  = m < 0 ? 0 : m >= g.extent[0] ? g.extent[0] - 1 : m;
        T const* const row = in + m * g.in_pitch;
        if (Anywhere && plain && side < 0) {
          std::uint32_t const at = ring_at + i % slots * row_bytes + value_place(lane);
#pragma unroll
          for (int v = 0; v < V; ++v) {
            int const column = columns[v * 32 + lane];
            Copy<sizeof(T) < 4 ? 4 : sizeof(T)>::run(at + v * value_step, row + (column < 0 ? 0 : column));
          }
        } else {
#pragma unroll
          for (int h = 0; h < N; ++h) {
            int const to = i % slots * row_bytes + place(h * 32 + lane);
            if (!Anywhere && from[h] >= 0 && side < 0) {
              Copy<16>::run(ring_at + to, row + from[h]);
            } else if (sizeof(T) < 4 && side < 0) {
              *reinterpret_cast<uint4*>(ring + to) = gathered(row, columns + (h * 32 + lane) * VT, g.faces[1]);
            } else {
#pragma unroll 1
              for (int v = 0; v < VT; ++v) {
                int const column = columns[(h * 32 + lane) * VT + v];
                T* const slot    = reinterpret_cast<T*>(ring + to) + v;
                // At a corner the constant of the lowest axis of the View counts.
                if (column < 0 && column != nothing && (side < 0 || g.user_axis[1] < g.user_axis[0])) {
                  *slot = Value<T>::store(static_cast<A>(g.faces[1][-1 - column].constant));
                } else if (side >= 0) {
                  *slot = Value<T>::store(static_cast<A>(g.faces[0][side].constant));
                } else if constexpr (sizeof(T) >= 4) {
                  Copy<sizeof(T)>::run(ring_at + to + v * int(sizeof(T)), row + (column < 0 ? 0 : column));
                }
              }
            }
          }
        }
      }
      Ptx::CopyAsync::commit();
    };
    for (int i = 0; i < ahead; ++i) fetch(i);
    clear();
    constexpr std::uint32_t window = ((2u << reach) - 2u) << ahead;
#pragma unroll 1
    for (int i = 0; i < total; ++i) {
      Ptx::CopyAsync::wait<ahead - 1>();
      __syncwarp();
      A n[V];
      read(i % slots, n);
      fetch(i + ahead);
      // Puts back the values of points that do not change.
      auto const put_back = [&](int s, std::uint32_t mask) {
        A fixed[V];
        read((i - (s + 1) * R) & (slots - 1), fixed);
#pragma unroll
        for (int v = 0; v < V; ++v) n[v] = mask >> v & 1u ? n[v] : fixed[v];
      };
      int const busy = i < 2 * back ? i / (2 * R) + 1 : g.depth;  // sweeps that results depend on by now
      if (busy == Depth && (active_rows & window) == window) {
#pragma unroll
        for (int s = 0; s < Depth; ++s) {
          sweep(s, n);
          put_back(s, active);
        }
      } else {
#pragma unroll
        for (int s = 0; s < Depth; ++s) {
          if (s >= busy) continue;
          sweep(s, n);
          put_back(s, active_rows >> (ahead + (s + 1) * R) & 1u ? active : 0u);
        }
      }
      if (i < 2 * back) continue;
      T* const to = out + std::int64_t(first + i - 2 * back) * g.out_pitch + x + lane * V;
#pragma unroll
      for (int h = 0; h < N; ++h) {
        int const o = lane * V + h * VT;
        if (o < halo || o >= width - halo) continue;
        int const low = box.begin[1] - (x + o), high = box.end[1] - (x + o);
        if (!Anywhere && g.aligned && low <= 0 && high >= VT) {
          write_vector(to + h * VT, h, n);
        } else {
#pragma unroll
          for (int v = 0; v < VT; ++v) {
            if (v >= low && v < high) to[h * VT + v] = Value<T>::store(n[h * VT + v]);
          }
        }
      }
    }
  }

  /// Runs task number `task` of a region.
  template <bool Fast, bool Early>
  __device__ __forceinline__ void run(StripRegion const& box, int task) {
    x               = box.begin[1] / VT * VT - halo + task % box.strips * (width - 2 * halo);
    int const first = box.begin[0] + task / box.strips * box.rows;
    int const last  = first + box.rows < box.end[0] ? first + box.rows : box.end[0];
    // The last block of a path may have more warps than there are tasks.
    if constexpr (Fast) {
      if (first < last) fast(box, first, last);
    } else {
      if (!Early || first < last) general(box, first, last);
    }
  }
};

/// Counts a task among the first ones, once its results can be read by others than this GPU's kernels.
__device__ __forceinline__ void count_early(StripArgs const& g) {
  // Read anew: kept all the time they would take registers that sums need.
  unsigned block, thread;
  asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block));
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  if (int(block * strip_warps + thread / 32) >= g.early_tasks) return;
  __syncwarp();
  if (thread % 32 != 0) return;
  __threadfence_system();
  atomicAdd(g.early_count, 1u);
}

/// V, Vn: values of a lane on the fast and on the general path; fewer values leave registers for boundaries. Warps do
/// not work together, but those of a block take the same path, so that its code stays in the instruction cache. Early:
/// can count early tasks.
template <class T, class S, int V, int Vn, int Depth, int Copies, int Stash, int StashN, bool Anywhere, bool Early>
__global__ void __launch_bounds__(32 * strip_warps, 1)
    strip_kernel(__grid_constant__ SweepCoefficients<Accumulator<T>, S::count, Copies, S::masked> const c,
                 __grid_constant__ StripArgs const g, T const* __restrict__ in, T* __restrict__ out) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int fast_bytes    = Strip<T, S, V, Depth, Stash, Copies, Anywhere>::layout.bytes;
  constexpr int general_bytes = Strip<T, S, Vn, Depth, StashN, Copies, Anywhere>::layout.bytes;
  constexpr int bytes         = fast_bytes > general_bytes ? fast_bytes : general_bytes;
  int const warp = __shfl_sync(0xffffffffu, int(threadIdx.x / 32), 0), lane = int(threadIdx.x % 32);
  int const task = int(blockIdx.x) * strip_warps + warp;
  Ptx::GridDependency::signal();
  Ptx::GridDependency::wait();
  if (task >= g.tasks) return;
  unsigned char* const ring = shared + warp * bytes;
  auto const ring_at        = static_cast<std::uint32_t>(__cvta_generic_to_shared(ring));
  using Fast                = Strip<T, S, V, Depth, Stash, Copies, Anywhere>;
  using General             = Strip<T, S, Vn, Depth, StashN, Copies, Anywhere>;
  if constexpr (Early) {
    int b = 0;
    while (b + 1 < g.regions && task >= g.region[b + 1].first_task) ++b;
    if (g.region[b].fast) {
      Fast strip{c, g, in, out, ring, ring_at, lane, 0, {}};
      strip.template run<true, true>(g.region[b], task - g.region[b].first_task);
    } else {
      General strip{c, g, in, out, ring, ring_at, lane, 0, {}};
      strip.template run<false, true>(g.region[b], task - g.region[b].first_task);
    }
    if (g.early_tasks > 0) count_early(g);
  } else if (task < g.region[1].first_task) {
    Fast strip{c, g, in, out, ring, ring_at, lane, 0, {}};
    strip.template run<true, false>(g.region[0], task);
  } else {
    int b = 1;
    while (b + 1 < g.regions && task >= g.region[b + 1].first_task) ++b;
    General strip{c, g, in, out, ring, ring_at, lane, 0, {}};
    strip.template run<false, false>(g.region[b], task - g.region[b].first_task);
  }
}

/// The kernel of an entry of the table.
template <class T, int Row>
struct StripInstance {
  static constexpr StripTuning tuning = strip_table(value_type<T>).rows[Row];
  static constexpr int copies = tuning.coefficient_copies, shared = tuning.shared_bytes(sizeof(T));
  using S                     = PlaneShape<tuning.shape.radius, tuning.shape.star, tuning.shape.terms>;
  static constexpr bool early = strip_has_early(tuning.shape, sizeof(T)), apart = early && strip_early_apart(sizeof(T));
  template <bool Anywhere, bool Early = early && !apart>
  static constexpr auto kernel =
      strip_kernel<T, S, tuning.columns_per_lane, tuning.general_columns_per_lane, tuning.depth, copies,
                   tuning.shared_sums, tuning.general_shared_sums, Anywhere, Early>;
  static constexpr bool anywhere = tuning.anywhere(sizeof(T));

  static cudaError_t prepare(int shared_bytes) {
    if constexpr (apart) {
      auto const code = allow_shared_bytes(shared_bytes, kernel<false, true>);
      if (code != cudaSuccess) return code;
    }
    if constexpr (anywhere) return allow_shared_bytes(shared_bytes, kernel<false>, kernel<true>);
    return allow_shared_bytes(shared_bytes, kernel<false>);
  }

  static void launch(void const* coefficients, StripArgs const& args, void const* in, void* out, cudaStream_t stream) {
    if constexpr (anywhere) {
      if (!args.aligned) return launch_one<kernel<true>>(coefficients, args, in, out, stream);
    }
    if constexpr (apart) {
      if (args.early_tasks > 0) return launch_one<kernel<false, true>>(coefficients, args, in, out, stream);
    }
    launch_one<kernel<false>>(coefficients, args, in, out, stream);
  }

 private:
  template <auto Kernel>
  static void launch_one(void const* coefficients, StripArgs const& args, void const* in, void* out,
                         cudaStream_t stream) {
    int const blocks = (args.tasks + strip_warps - 1) / strip_warps;
    SweepCoefficients<Accumulator<T>, S::count, copies, S::masked> c;
    for (int s = 0; s < copies; ++s) memcpy(c.c[s], coefficients, sizeof c.c[s]);
    c.note(c.c[0], S::count);
    Cuda::launch_overlapping<Kernel>(!tuning.passes_apart, Waits::first, static_cast<std::uint32_t>(blocks),
                                     32 * strip_warps, shared, stream, c, args, static_cast<T const*>(in),
                                     static_cast<T*>(out));
  }
};

}  // namespace Temporal
}  // namespace Cuda
}  // namespace KokkosStencil
