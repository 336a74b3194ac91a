// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "sparse_table/Kernel.hpp"
#include "sparse_table/Tuning.hpp"

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Mbarrier.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"
#include "arch/MmaSparse.hpp"
#include "arch/Ptx.hpp"
#include "common/Value.cuh"

#include <cstddef>
#include <cstdint>

namespace KokkosStencil {
namespace Cuda {
namespace SparseTable {

template <class Element>
struct StoredOf;
template <>
struct StoredOf<Ptx::Half> {
  using type = __half;
};
template <>
struct StoredOf<Ptx::Bfloat> {
  using type = __nv_bfloat16;
};

/// Copies planes of the input into a ring. `row_threads` threads copy a row, the others the rows below it.
class Copier {
 public:
  /// For a chunk that begins with output (x, y, z); `start`: where shared memory begins.
  __device__ Copier(Args const& args, Ring const& ring, std::int32_t x, std::int32_t y, std::int32_t z,
                    std::uint32_t start)
      : m_x(x + args.lower_x),
        m_y(y + ring.lower_y),
        m_plane(z + ring.lower_z),
        m_ring(start + static_cast<std::uint32_t>(ring.at)),
        m_vector(static_cast<std::int32_t>(threadIdx.x) & (args.row_threads - 1)),
        m_row(static_cast<std::int32_t>(threadIdx.x) / args.row_threads),
        m_next_row(32 * args.warps / args.row_threads) {}

  /// Starts the copies of the next `count` planes.
  template <class T>
  __device__ void run(Args const& args, Ring const& ring, std::int32_t count) {
#pragma unroll 1
    for (std::int32_t vector = m_vector; vector < args.row_vectors; vector += args.row_threads) {
      std::int32_t const x = max(args.first_vector, min(m_x + 8 * vector, args.last_vector));
      T const* const in    = static_cast<T const*>(args.in) + x;
      std::int32_t at      = m_slot;
#pragma unroll 1
      for (std::int32_t p = m_plane; p < m_plane + count; ++p) {
        T const* const from = in + static_cast<std::int64_t>(max(0, min(p, args.z_extent - 1))) * args.in_z;
        std::uint32_t to =
            m_ring + static_cast<std::uint32_t>(4 * (at * ring.plane_words + m_row * args.row_words) + 16 * vector);
#pragma unroll 4
        for (std::int32_t row = m_row; row < ring.rows; row += m_next_row) {
          std::int32_t const y = max(0, min(m_y + row, args.y_extent - 1));
          Ptx::CopyAsyncBytes<16>::run(to, from + static_cast<std::int64_t>(y) * args.in_y);
          to += static_cast<std::uint32_t>(4 * m_next_row * args.row_words);
        }
        at = at + 1 == ring.planes ? 0 : at + 1;
      }
    }
    m_plane += count;
    m_slot += count;
    if (m_slot >= ring.planes) m_slot -= ring.planes;
  }

 private:
  std::int32_t m_x, m_y, m_plane, m_slot = 0;  // the next plane, and its slot in the ring
  std::uint32_t m_ring;
  std::int32_t m_vector, m_row, m_next_row;
};

/// Loads the four registers of B for a product, Offset bytes further on.
template <int Offset>
__device__ uint4 load(std::uint32_t const (&from)[4]) {
  return make_uint4(Ptx::LoadSharedWord<Offset>::run(from[0]), Ptx::LoadSharedWord<Offset>::run(from[1]),
                    Ptx::LoadSharedWord<Offset>::run(from[2]), Ptx::LoadSharedWord<Offset>::run(from[3]));
}

/// Computes the outputs of a block again that are not finite, by the plain formula.
template <class T>
__device__ __noinline__ void fix_non_finite_block(Args const& args, std::int32_t x, std::int32_t y, std::int32_t z,
                                                  std::int32_t width, std::int32_t height, std::int32_t length) {
  std::int32_t const last_x = min(x + width, args.x_end), last_y = min(y + height, args.y_end);
  std::int32_t const last_z = min(z + length, args.z_end);
  for (; z < last_z; ++z) {
    for (std::int32_t j = y; j < last_y; ++j) {
      T const* const in = static_cast<T const*>(args.in) + static_cast<std::int64_t>(z) * args.in_z +
                          static_cast<std::int64_t>(j) * args.in_y;
      T* const out = static_cast<T*>(args.out) + static_cast<std::int64_t>(z) * args.out_z +
                     static_cast<std::int64_t>(j) * args.out_y;
      for (std::int32_t i = x + static_cast<std::int32_t>(threadIdx.x); i < last_x; i += 32 * args.warps) {
        if (i < args.x_begin || isfinite(Value<T>::load(out[i]))) continue;
        float sum = -0.0f;
        for (int t = 0; t < args.term_count; ++t) {
          sum = fused(args.terms[t].coefficient, Value<T>::load(in[i + args.terms[t].offset]), sum);
        }
        out[i] = Value<T>::store(sum);
      }
    }
  }
}

/// Reads the tables step by step, but the offsets one step ahead, since loads wait for them. What is read after the
/// last step belongs to another table, and is not used.
template <int Blocks, int Splits, bool InGlobal>
class TableReader {
 public:
  using Address = std::uint32_t;
  static __device__ Address from(Args const&, std::uint32_t start, std::int32_t bytes) {
    return start + static_cast<std::uint32_t>(bytes);
  }

  __device__ TableReader(Address a, Address meta, Address offsets)
      : m_a(a), m_meta(meta), m_offsets(offsets), m_next(Ptx::LoadSharedPair::run(offsets)) {}

  __device__ uint2 offsets() {
    uint2 const now = m_next;
    m_offsets += 32;
    m_next = Ptx::LoadSharedPair::run(m_offsets);
    return now;
  }

  __device__ void fragments(uint4 (&a)[Splits][Blocks], std::uint32_t (&meta)[Blocks]) {
#pragma unroll
    for (int p = 0; p < Splits; ++p) {
#pragma unroll
      for (int b = 0; b < Blocks; ++b) a[p][b] = Ptx::LoadShared::run(m_a + 512 * (p * Blocks + b));
    }
#pragma unroll
    for (int b = 0; b < Blocks; ++b) meta[b] = Ptx::LoadSharedWord<0>::run(m_meta + 128 * b);
    m_a += 512 * Splits * Blocks;
    m_meta += 128 * Blocks;
  }

 private:
  Address m_a, m_meta, m_offsets;
  uint2 m_next;
};

/// The same from global memory, all of it one step ahead.
template <int Blocks, int Splits>
class TableReader<Blocks, Splits, true> {
 public:
  using Address = unsigned char const*;
  static __device__ Address from(Args const& args, std::uint32_t, std::int32_t bytes) {
    return static_cast<Address>(args.tables) + bytes;
  }

  __device__ TableReader(Address a, Address meta, Address offsets) : m_a(a), m_meta(meta), m_offsets(offsets) {
    m_next = __ldg(reinterpret_cast<uint2 const*>(m_offsets));
    load();
  }

  __device__ uint2 offsets() {
    uint2 const now = m_next;
    m_offsets += 32;
    m_next = __ldg(reinterpret_cast<uint2 const*>(m_offsets));
    return now;
  }

  __device__ void fragments(uint4 (&a)[Splits][Blocks], std::uint32_t (&meta)[Blocks]) {
#pragma unroll
    for (int b = 0; b < Blocks; ++b) {
      meta[b] = m_next_meta[b];
#pragma unroll
      for (int p = 0; p < Splits; ++p) a[p][b] = m_next_a[p][b];
    }
    m_a += 512 * Splits * Blocks;
    m_meta += 128 * Blocks;
    load();
  }

 private:
  __device__ void load() {
#pragma unroll
    for (int b = 0; b < Blocks; ++b) {
      m_next_meta[b] = __ldg(reinterpret_cast<std::uint32_t const*>(m_meta + 128 * b));
#pragma unroll
      for (int p = 0; p < Splits; ++p) {
        m_next_a[p][b] = __ldg(reinterpret_cast<uint4 const*>(m_a + 512 * (p * Blocks + b)));
      }
    }
  }

  Address m_a, m_meta, m_offsets;
  uint2 m_next;
  uint4 m_next_a[Splits][Blocks];
  std::uint32_t m_next_meta[Blocks];
};

/// Kernel K of the table. It runs any layout that pack_pairs makes of tiles with the kernel's columns. A block streams
/// along z through a ring of planes in shared memory, into which the next planes are copied meanwhile. A warp computes
/// several units side by side. All products of a step share the fragments of A, and all blocks of 16 outputs of a tile
/// share those of B.
///
/// With tables in global memory all shared memory is left to the planes. The tables are read one step ahead. Planes far
/// from the output, of which a star needs few rows, lie in a ring of their own.
template <class Element, int Splits, std::size_t K>
__global__ void __launch_bounds__(32 * most_warps, kernels[K].resident_warps / most_warps)
    run_table(__grid_constant__ Args const args) {
  Ptx::GridDependency::signal();
  using T             = typename StoredOf<Element>::type;
  constexpr int TileX = kernels[K].columns, Blocks = kernels[K].blocks, Units = kernels[K].units;
  constexpr bool InGlobal       = kernels[K].tables_in_global;
  constexpr int across          = products_of_unit;
  constexpr int unit_columns    = unit_tiles * TileX;
  constexpr int product_columns = tiles_of_product * TileX;
  constexpr int product_bytes   = product_columns * 2;
  extern __shared__ __align__(128) unsigned char shared[];
  int const lane = static_cast<int>(threadIdx.x & 31u), warp = static_cast<int>(threadIdx.x >> 5);
  int const n = lane >> 2, q = lane & 3;
  auto const start = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  auto const ring  = start + static_cast<std::uint32_t>(args.ring.at);

  int const units          = args.warps * Units;
  std::int32_t const width = args.units_across * unit_columns, height = units / args.units_across * args.tile_y;
  std::int32_t const x     = args.x0 + static_cast<std::int32_t>(blockIdx.x % args.blocks_x) * width;
  auto const rest          = static_cast<std::int32_t>(blockIdx.x / args.blocks_x);
  std::int32_t const y     = args.y0 + rest % static_cast<std::int32_t>(args.blocks_y) * height;
  std::int32_t const z     = args.z0 + rest / static_cast<std::int32_t>(args.blocks_y) * args.length;
  std::int32_t const z_end = min(z + args.length, args.z_end);

  Copier copier(args, args.ring, x, y, z, start), near_copier(args, args.near_ring, x, y, z, start);
  for (int i = static_cast<int>(threadIdx.x); i < args.table_vectors; i += 32 * args.warps) {
    Ptx::CopyAsyncBytes<16>::run(start + static_cast<std::uint32_t>(16 * i),
                                 static_cast<uint4 const*>(args.tables) + i);
  }
  copier.run<T>(args, args.ring, args.tile_z + args.ring.reach_z);
  if (InGlobal && args.near_ring.planes > 0)
    near_copier.run<T>(args, args.near_ring, args.tile_z + args.near_ring.reach_z);
  Ptx::CopyAsync::commit();
  std::uint32_t const turn = ring - 8;
  if (threadIdx.x == 0) Ptx::Mbarrier::init(turn, static_cast<std::uint32_t>(32 * args.warps));
  std::uint32_t parity = 1;

  // Where the tiles of this lane begin in the ring, where its first outputs go, and which outputs are stored: for each
  // product a bit for four outputs at once and a bit for some of the four, and for each block of 16 outputs the rows.
  std::uint32_t from[Units];
  std::int32_t at_x[Units];
  std::uint32_t whole = 0, partial = 0, rows = 0;
  T* to[Units];
#pragma unroll
  for (int u = 0; u < Units; ++u) {
    int const unit = warp * Units + u;
    int const ux = unit % args.units_across * unit_columns, uy = unit / args.units_across * args.tile_y;
    from[u] = ring + static_cast<std::uint32_t>(4 * uy * args.row_words + 2 * (ux + n * TileX));
    at_x[u] = x + ux + n * TileX + 4 * q % TileX;
    to[u]   = static_cast<T*>(args.out) + static_cast<std::int64_t>(y + uy) * args.out_y + at_x[u];
#pragma unroll
    for (int g = 0; g < across; ++g) {
      std::int32_t const i    = at_x[u] + g * product_columns;
      bool const in           = i >= args.x_begin && i + 4 <= args.x_end;
      std::uint32_t const bit = 1u << (u * across + g);
      if (in && args.aligned) whole |= bit;
      if (!(in && args.aligned) && i + 4 > args.x_begin && i < args.x_end) partial |= bit;
    }
#pragma unroll
    for (int b = 0; b < Blocks; ++b) {
      int const row = (16 * b + 4 * q) / TileX;
      if (y + uy + (row & ((1 << args.tile_y_log2) - 1)) < args.y_end) rows |= 1u << (u * Blocks + b);
    }
  }
  using Read             = TableReader<Blocks, Splits, InGlobal>;
  auto const a_at        = Read::from(args, start, 16 * lane);
  auto const meta_at     = Read::from(args, start, args.metadata_at + 4 * lane);
  auto const offsets_at  = Read::from(args, start, args.offsets_at + 8 * q);
  auto const phase_bytes = static_cast<std::uint32_t>(32 * args.steps);
  std::uint32_t phase = 0, flag[across] = {0u, 0u, 0u, 0u};

  Ptx::CopyAsync::wait<0>();
  __syncthreads();
#pragma unroll 1
  for (std::int32_t at_z = z; at_z < z_end; at_z += args.tile_z) {
    // From here on the planes of this turn are there, and all warps have read those that the next copies replace. Some
    // warps may still be storing results while others multiply.
    if (at_z != z) Ptx::Mbarrier::wait(turn, parity);
    parity ^= 1u;
    if (at_z + args.tile_z < z_end) {
      copier.run<T>(args, args.ring, args.tile_z);
      if (InGlobal && args.near_ring.planes > 0) near_copier.run<T>(args, args.near_ring, args.tile_z);
      Ptx::CopyAsync::commit();
    }

    float sum[Units][across][Blocks][4];
#pragma unroll
    for (int u = 0; u < Units; ++u) {
#pragma unroll
      for (int g = 0; g < across; ++g) {
#pragma unroll
        for (int b = 0; b < Blocks; ++b) {
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[u][g][b][i] = 0.0f;
        }
      }
    }
    Read read(a_at, meta_at, offsets_at + phase);
#pragma unroll 1
    for (std::int32_t s = 0; s < args.steps; ++s) {
      uint2 const packed         = read.offsets();
      std::uint32_t const off[4] = {(packed.x & 0xffffu) * 4u, (packed.x >> 16) * 4u, (packed.y & 0xffffu) * 4u,
                                    (packed.y >> 16) * 4u};
      uint4 a[Splits][Blocks];
      std::uint32_t meta[Blocks];
      read.fragments(a, meta);
#pragma unroll
      for (int u = 0; u < Units; ++u) {
        std::uint32_t w[4];
#pragma unroll
        for (int j = 0; j < 4; ++j) w[j] = from[u] + off[j];
        uint4 b_of[across];
        b_of[0] = load<0>(w);
        b_of[1] = load<product_bytes>(w);
        b_of[2] = load<2 * product_bytes>(w);
        b_of[3] = load<3 * product_bytes>(w);
#pragma unroll
        for (int p = 0; p < Splits; ++p) {
#pragma unroll
          for (int b = 0; b < Blocks; ++b) {
#pragma unroll
            for (int g = 0; g < across; ++g) {
              Ptx::MmaSparse<Element>::run(sum[u][g][b], a[p][b], b_of[g], sum[u][g][b], meta[b]);
            }
          }
        }
      }
    }
    Ptx::CopyAsync::wait<0>();
    Ptx::Mbarrier::arrive(turn);
    phase = phase + phase_bytes == args.phases_bytes ? 0u : phase + phase_bytes;

#pragma unroll
    for (int b = 0; b < Blocks; ++b) {
      int const row = (16 * b + 4 * q) / TileX, row_z = row >> args.tile_y_log2;
      std::int64_t const down = static_cast<std::int64_t>(at_z + row_z) * args.out_z +
                                static_cast<std::int64_t>(row & ((1 << args.tile_y_log2) - 1)) * args.out_y;
      bool const plane = at_z + row_z < z_end;
#pragma unroll
      for (int u = 0; u < Units; ++u) {
        T* const row_to   = to[u] + down;
        bool const inside = plane && (rows >> (u * Blocks + b) & 1u) != 0u;
        uint2 four[across];
#pragma unroll
        for (int g = 0; g < across; ++g) {
          float(&d)[4] = sum[u][g][b];
          if (Splits > 1) {
#pragma unroll
            for (int i = 0; i < 4; ++i) d[i] *= args.unscale;
          }
          four[g] = make_uint2(Ptx::RoundPair<Element>::run(d[0], d[1]), Ptx::RoundPair<Element>::run(d[2], d[3]));
          flag[g] = Ptx::TimesZeroPlus<Element>::run(four[g].x, flag[g]);
          flag[g] = Ptx::TimesZeroPlus<Element>::run(four[g].y, flag[g]);
        }
#pragma unroll
        for (int g = 0; g < across; ++g) {
          four[g].x = Ptx::Movmatrix::run(four[g].x);
          four[g].y = Ptx::Movmatrix::run(four[g].y);
        }
#pragma unroll
        for (int g = 0; g < across; ++g) {
          if (inside && (whole >> (u * across + g) & 1u) != 0u) {
            *reinterpret_cast<uint2*>(row_to + g * product_columns) = four[g];
          }
        }
        if (!inside || (partial >> (u * across) & ((1u << across) - 1u)) == 0u) continue;
#pragma unroll
        for (int g = 0; g < across; ++g) {
          if ((partial >> (u * across + g) & 1u) == 0u) continue;
          std::uint32_t const words[2] = {four[g].x, four[g].y};
#pragma unroll
          for (int e = 0; e < 4; ++e) {
            std::int32_t const i = at_x[u] + g * product_columns + e;
            if (i < args.x_begin || i >= args.x_end) continue;
            reinterpret_cast<std::uint16_t*>(row_to)[g * product_columns + e] =
                static_cast<std::uint16_t>(words[e / 2] >> (16 * (e % 2)));
          }
        }
      }
    }
  }
  std::uint32_t const any = flag[0] | flag[1] | flag[2] | flag[3];
  if (__syncthreads_or((any & 0x7fff7fffu) != 0u)) fix_non_finite_block<T>(args, x, y, z, width, height, args.length);
}

}  // namespace SparseTable
}  // namespace Cuda
}  // namespace KokkosStencil
