// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "StreamAnywhere.cuh"

#include <cstdint>
#include <type_traits>

// Volumes whose rows begin anywhere, put in phase once. A ring in shared memory holds planes as they lie in device
// memory, each row from its sector on. A plane ahead of what is computed, every row of it is shifted into a second
// place, where all rows begin with a whole vector: so sums are made as on aligned rows, from windows of vectors.
// Results are shifted between lanes to the vectors of their row of the output.

namespace KokkosStencil {
namespace Cuda {
namespace Direct {

/// Stores rows of a tile, `wide` columns from their first one on, called by whole warps, of which each has H rows for
/// each line of lanes. A lane stores the vector that begins in the one of the lane before. Vectors in part at both ends
/// of rows are stored value by value, by many lanes at once.
template <class T, int Across, int H>
class InPhaseStore {
  static constexpr int V = Vec<T>::size, size = int(sizeof(T)), lanes = 2 * V;
  /// Rounds in which lanes store both ends of H rows.
  static constexpr int rounds = (H * lanes + Across - 1) / Across;

 public:
  /// Vectors in shared memory for a line of lanes: of each row the first one and those in which its last V columns are.
  static constexpr int ends_a_row = 3, ends = H * ends_a_row;

  /// `at`: the lane's vector of the first row. `rows`: how many of H are wanted.
  __device__ __forceinline__ InPhaseStore(T* at, int wide, int rows, uint4* shared)
      : m_at(reinterpret_cast<unsigned char*>(at)), m_wide(wide), m_rows(rows), m_shared(shared) {}

  /// Rows are `stride` bytes apart.
  __device__ __forceinline__ void run(Accumulator<T> const (&a)[H][V], std::int64_t stride) const {
    std::uint32_t const low = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(m_at));
    auto const step         = static_cast<std::uint32_t>(stride);
    int wide                = m_wide;
    // In narrow tiles the compiler has no registers to keep what follows from it.
    if constexpr (rounds > 1) asm volatile("" : "+r"(wide));
    int const column = int(threadIdx.x) % Across, lane = int(threadIdx.x) % 32;
    auto const before = std::uint32_t((lane & ~(Across - 1)) | ((lane - 1) & (Across - 1)));
    // A vector is whole with so many values before the lane's own, and so many more.
    int const least = (column + 1) * V - wide, more = (column == 0 ? 0 : V) - least;
    // The last V columns lie in two vectors; columns of the first one are found there.
    int const last  = wide >= 2 * V ? (wide - V) / V : 1;
    int const slot  = column == 0 ? 0 : column - last + 1;
    bool const ours = column == 0 || slot == 1 || slot == 2;
    __syncwarp();
#pragma unroll
    for (int k = 0; k < H; ++k) {
      uint4 const own           = pack<T>(a[k]);
      std::uint32_t const phase = (low + k * step) & 15u;
      if (ours) m_shared[k * ends_a_row + slot] = own;
      uint4 const v           = in_place(own, phase, before);
      std::uintptr_t const to = (reinterpret_cast<std::uintptr_t>(m_at) + k * stride) & ~std::uintptr_t(15);
      bool const whole        = std::uint32_t(int(phase) / size - least) <= std::uint32_t(more);
      Ptx::StoreIf::run(reinterpret_cast<void*>(to), v, whole && more >= 0 && k < m_rows);
    }
    __syncwarp();
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      int const item = round * Across + column, k = item / lanes, i = item % V;
      bool const first = item % lanes < V;
      int const at     = first ? i : wide - V + i;  // column of the row
      int const place  = first ? i : V - 1 - i;     // from its end
      bool const there = at >= 0 && at < wide && k < m_rows;
      T const value    = reinterpret_cast<T const*>(m_shared + k * ends_a_row)[at < V ? at : at - (last - 1) * V];
      // So many values lie in a vector that is not whole.
      int const ahead = int((low + k * step) & 15u) / size, parts = (first ? -ahead : ahead + wide) & (V - 1);
      auto* const to = reinterpret_cast<T*>(m_at + k * stride) + (at - column * V);
      Ptx::StoreValueIf<T>::run(to, value, there && place < parts);
    }
  }
  __device__ __forceinline__ void advance(std::int64_t bytes) { m_at += bytes; }

 private:
  unsigned char* m_at;
  int m_wide, m_rows;
  uint4* m_shared;

  __device__ __forceinline__ uint4 in_place(uint4 const& v, std::uint32_t phase, std::uint32_t before) const {
    if constexpr (Across == 32) {
      return shifted_back(v, phase, before);
    } else {
      auto const prior = [&](std::uint32_t word) { return __shfl_sync(0xffffffffu, word, before); };
      uint4 const low  = make_uint4(prior(v.x), prior(v.y), prior(v.z), prior(v.w));
      return phase == 0 ? v : shifted<size>(low, v, 16 - phase);
    }
  }
};

/// What is in shared memory for a tile of `Across` lanes along x. Sizes are in vectors.
template <class T, class S, class K, int Across>
struct InPhase {
  static constexpr int V = Vec<T>::size, size = int(sizeof(T)), words = Vec<T>::words(S::rx);
  static constexpr int warps = K::tuning.warps_a_block, threads = K::tuning.threads(), H = K::tuning.rows_a_lane;
  static constexpr int across  = Across;
  static constexpr int beside  = 4 * words / size;  ///< columns copied on each side of a tile: whole words
  static constexpr int columns = Across * V;
  static constexpr int down    = 32 / Across;  ///< lanes of a warp along y
  static constexpr int height  = K::tuning.height() * down;
  static constexpr int rows    = K::tuning.in_phase_rows(Across);
  static constexpr int side    = Vec<T>::beside(S::rx);  ///< of a row in phase
  static constexpr int row     = K::tuning.in_phase_row(size, Across);
  static constexpr int raw_row = K::tuning.in_phase_raw_row(size, Across);
  static constexpr int plane = rows * row, stage = rows * raw_row;
  static constexpr int ends = K::tuning.in_phase_ends(Across);
  static constexpr int each = (stage + threads - 1) / threads;  ///< vectors of a plane that a thread copies
};

template <class T, class S, class K, int Across>
__device__ __forceinline__ void volume_in_phase(Table<T, S> const& c, Geometry const& g, T const* in, T* out,
                                                std::int64_t x0, unsigned tile_y, unsigned tile_z, uint4* shared) {
  using L         = InPhase<T, S, K, Across>;
  constexpr int H = L::H, Stages = K::tuning.ring_stages, R = S::rz, V = L::V;
  constexpr int middle = S::star ? S::ry : 0;  ///< rows before those with neighbours along x
  uint4* const planes  = shared;
  uint4* const ring    = shared + 2 * L::plane + L::ends;

  int const t = int(threadIdx.x), lane = t % 32, warp = t / 32;
  std::int64_t const y0 = g.begin[1] + std::int64_t(tile_y) * L::height;
  std::int64_t const z0 = g.begin[0] + std::int64_t(tile_z) * g.length;
  std::int64_t const z1 = z0 + g.length < g.end[0] ? z0 + g.length : g.end[0];
  int const wide        = g.end[2] - x0 < L::columns ? int(g.end[2] - x0) : L::columns;

  // Copies. `first`: of the first row's first column that is copied.
  auto const first =
      reinterpret_cast<std::uintptr_t>(in + (z0 - R) * g.in_stride[0] + (y0 - S::ry) * g.in_stride[1] + x0 - L::beside);
  int const vectors        = (sector_bytes - L::size + (wide + 2 * L::beside) * L::size + 15) / 16;
  std::int64_t const below = g.last_row - (y0 - S::ry);
  int const last_row       = below < L::rows - 1 ? int(below) : L::rows - 1;
  std::int64_t const pitch = g.in_stride[1] * L::size, a_plane = g.in_stride[0] * L::size;
  auto const sector       = [](std::uintptr_t address) { return address & ~std::uintptr_t(sector_bytes - 1); };
  std::int64_t const last = (z1 - z0 + 2 * R - 1) * a_plane + last_row * pitch;
  Within const within(in, g);
  bool const careful = sector(first) < within.begin || sector(first + last) + 16 * std::uintptr_t(vectors) > within.end;
  // Of the vectors that a thread copies of each plane: how far they are from the first one, or whether they are wanted.
  auto const from = [&](int n) {
    return std::uint32_t(n / L::raw_row) * static_cast<std::uint32_t>(pitch) + n % L::raw_row / 2 * sector_bytes;
  };
  auto const is_wanted = [&](int n) { return n < L::stage && n % L::raw_row < vectors && n / L::raw_row <= last_row; };
  // Kept, or in narrow tiles found again for each plane, for which registers would not suffice.
  constexpr bool keeps = Across == 32;
  std::uint32_t kept[keeps ? L::each : 1], wanted = 0;
#pragma unroll
  for (int i = 0; keeps && i < L::each; ++i) {
    kept[keeps ? i : 0] = from(t + i * L::threads);
    wanted |= is_wanted(t + i * L::threads) ? 1u << i : 0u;
  }
  std::uint32_t const half = t % 2 * 16;
  static_assert(L::threads % 2 == 0 && L::raw_row % 2 == 0, "a thread has the same half of all sectors");
  std::uintptr_t source = first;
  auto const copy_plane = [&](auto is_careful, Within const& view, uint4* to) {
    constexpr bool here_careful = decltype(is_careful)::value;
    int thread                  = t;
    if constexpr (!keeps) asm volatile("" : "+r"(thread));
#pragma unroll
    for (int i = 0; i < L::each; ++i) {
      int const n = thread + i * L::threads;
      view.template copy<T, here_careful>(to + n, sector(source + (keeps ? kept[keeps ? i : 0] : from(n))) | half,
                                          keeps ? (wanted & 1u << i) != 0 : is_wanted(n));
    }
  };
  auto const copy = [&](uint4* to, bool more) {
    if (more) {
      if (careful) {
        // Found again here; few blocks need these registers.
        T const* view = in;
        asm volatile("" : "+l"(view));
        copy_plane(std::true_type(), Within(view, g), to);
      } else {
        copy_plane(std::false_type(), within, to);
      }
      source += a_plane;
    }
    __pipeline_commit();
  };

  // Puts a plane of the ring in phase. `at`: its first copied column in device memory.
  auto const step  = static_cast<std::uint32_t>(pitch);
  int const column = lane % Across, line = lane / Across;
  bool const makes      = reaches_past<S::rx>(g, x0, x0 + L::columns);
  constexpr int at_once = L::warps * L::down, turns = (L::rows + at_once - 1) / at_once;
  int const first_row = warp * L::down + line;
  // Registers for so many of a lane's rows on their way: all, or one after another.
  constexpr int on_way = Across == 32 ? turns : 1;
  uint4 low[on_way], high[on_way];
  std::uint32_t byte[on_way];
  auto const is_row = [&](int turn) { return (turn + 1) * at_once <= L::rows || turn * at_once + first_row < L::rows; };
  auto const take   = [&](uint4 const* raw, std::uint32_t at, int turn, int i) {
    int const j = turn * at_once + first_row;
    byte[i]     = (at + j * step & (sector_bytes - 1)) + L::beside * L::size;
    if (!is_row(turn)) return;
    uint4 const* const of = raw + j * L::raw_row + byte[i] / 16 + column;
    low[i]                = of[0];
    high[i]               = of[1];
  };
  auto const place = [&](uint4* to, int turn, int i) {
    if (!is_row(turn)) return;
    uint4 v;
    if constexpr (Across == 32) {
      v = shifted_alike(low[i], high[i], byte[i]);
    } else {
      v = shifted<L::size>(low[i], high[i], byte[i] % 16);
    }
    to[(turn * at_once + first_row) * L::row + L::side + column] = v;
  };
  // Rows that are on their way are taken first and placed last.
  auto const put_first = [&](uint4* to, uint4 const* raw, std::uint32_t at) {
    if (makes) {
      auto const row = [&](int j) {
        std::uint32_t const phase = at + (middle + j) * step & (sector_bytes - 1);
        return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(raw + (middle + j) * L::raw_row) + phase) +
               L::beside;
      };
      constexpr int rows = L::rows - 2 * middle;
      make_columns<T, S::rx, L::threads, rows>(g, x0, L::beside, L::columns + L::beside, 0, rows, row);
      __syncthreads();
    }
#pragma unroll
    for (int turn = 0; turn < turns; ++turn) {
      take(raw, at, turn, turn % on_way);
      if (on_way < turns) place(to, turn, 0);
    }
  };
  auto const put_last = [&](uint4* to, uint4 const* raw, std::uint32_t at) {
#pragma unroll
    for (int turn = 0; on_way == turns && turn < turns; ++turn) place(to, turn, turn % on_way);
    // The words beside them.
    constexpr int words = 2 * L::words * (L::rows - 2 * middle);
#pragma unroll
    for (int i = 0; i < (words + L::threads - 1) / L::threads; ++i) {
      int const n = t + i * L::threads;
      if (n >= words) break;
      int const j = middle + n / (2 * L::words), k = n % (2 * L::words);
      int const word           = k < L::words ? k - L::words : 4 * Across + k - L::words;  // from the first column on
      std::uint32_t const byte = (at + j * step & (sector_bytes - 1)) + L::beside * L::size;
      auto const* const of     = reinterpret_cast<std::uint32_t const*>(raw + j * L::raw_row) + byte / 4 + word;
      reinterpret_cast<std::uint32_t*>(to + j * L::row + L::side)[word] =
          L::size == 2 ? __funnelshift_r(of[0], of[1], (byte & 2u) * 8u) : of[0];
    }
  };

  int const outputs = int(z1 - z0);
#pragma unroll 1
  for (int s = 0; s < Stages; ++s) copy(ring + s * L::stage, s < outputs + 2 * R);
  auto at = static_cast<std::uint32_t>(first);
  __pipeline_wait_prior(Stages - 1);
  __syncthreads();
  put_first(planes, ring, at);
  put_last(planes, ring, at);

  int const at_row     = (warp * L::down + line) * H;
  std::int64_t const y = y0 + at_row;
  int const rows       = g.end[1] - y < H ? int(g.end[1] - y) : H;
  using Rows           = InPhaseStore<T, Across, H>;
  Rows store(out + z0 * g.out_stride[0] + y * g.out_stride[1] + x0 + column * V, wide, rows,
             shared + 2 * L::plane + Rows::ends * (warp * L::down + line));
  int const mine = at_row * L::row + L::side + column;
  int slot = 0, here = 0;
  PartialSums<T, R, H> sums;
#pragma unroll 1
  for (int done = -2 * R; done < outputs; ++done) {
    __pipeline_wait_prior(Stages - 2);
    __syncthreads();
    copy(ring + slot, done + Stages < outputs);
    slot = slot + L::stage == L::stage * Stages ? 0 : slot + L::stage;
    at += static_cast<std::uint32_t>(a_plane);
    int const next  = L::plane - here;
    bool const more = done + 1 < outputs;
    if (more) put_first(planes + next, ring + slot, at);
    uint4 const* const plane = planes + here + mine;
    here                     = next;
    unrolled<H + 2 * S::ry>([&](auto index) {
      constexpr int j = index;
      std::uint32_t w[4 + 2 * L::words];
      read_window<T, S::rx>(w, plane + j * L::row, !S::star || (j >= S::ry && j < S::ry + H));
      sums.template add<S, L::words>(w, c, Mask<S, false>(c), j);
    });
    if (more) put_last(planes + next, ring + slot, at);
    if (done >= 0) {
      store.run(sums.plane[0], g.out_stride[1] * L::size);
      store.advance(g.out_stride[0] * L::size);
    }
    sums.advance();
  }
}

template <class T, class S, class K>
__global__ void __launch_bounds__(K::tuning.threads(), K::tuning.blocks)
    volume_in_phase_kernel(__grid_constant__ Table<T, S> const c, __grid_constant__ Geometry const g,
                           T const* __restrict__ in, T* __restrict__ out) {
  static_assert(!S::masked, "all terms are there");
  Cuda::Ptx::GridDependency::signal();
  extern __shared__ uint4 shared[];
  unsigned const of_plane = unsigned(g.tiles_x) * unsigned(g.tiles_y), wide = of_plane * unsigned(g.tiles_z);
  unsigned const n = blockIdx.x;
  if (n < wide) {
    Tile const tile = tile_of<false>(g, n);
    volume_in_phase<T, S, K, 32>(c, g, in, out, g.first_vector + std::int64_t(tile.x) * (32 * Vec<T>::size), tile.y,
                                 tile.z, shared);
  } else {
    constexpr int V     = Vec<T>::size;
    unsigned const tile = n - wide, row = tile / unsigned(g.narrow_tiles_x);
    std::int64_t const x = std::int64_t(g.tiles_x) * (32 * V) + tile % unsigned(g.narrow_tiles_x) * (narrow_lanes * V);
    volume_in_phase<T, S, K, narrow_lanes>(c, g, in, out, g.first_vector + x, row % unsigned(g.narrow_tiles_y),
                                           row / unsigned(g.narrow_tiles_y), shared);
  }
}

}  // namespace Direct
}  // namespace Cuda
}  // namespace KokkosStencil
