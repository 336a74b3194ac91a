// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TensorArgs.hpp"

#include "../Ptx.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>

// A warp computes 128 adjacent outputs of a row at a time, as eight blocks of 16 (core/transform/README.md). The
// matrices of all kernel rows stay in registers; a lane's operand is one 16-byte piece of an input row.

namespace KokkosStencil {
namespace Cuda {
namespace Tensor {

constexpr int warp_outputs = 128;

/// Which matrices a kernel has: Loads input rows a step (planes or windows), each with Rows kernel rows along y.
/// A cross has all rows only in the middle load, and one, the middle one, in the others.
template <int Loads_, int Rows_, bool Cross_, int Parts_, bool Sparse_>
struct Shape {
  static constexpr int loads   = Loads_;
  static constexpr int rows    = Rows_;
  static constexpr bool cross  = Cross_;
  static constexpr int parts   = Parts_;
  static constexpr bool sparse = Sparse_;
  static constexpr int steps   = sparse ? 1 : 2;
  static constexpr int pieces  = cross ? rows + loads - 1 : rows * loads;

  __host__ __device__ static constexpr bool has(int load, int row) {
    return !cross || load == loads / 2 || row == rows / 2;
  }
  __host__ __device__ static constexpr int piece(int load, int row) {
    return !cross ? load * rows + row : load == loads / 2 ? row : rows + load - (load > loads / 2 ? 1 : 0);
  }
};

/// The constant operands of a stencil, in a lane's registers.
template <class S, class Element>
struct Matrices {
  uint4 a[S::parts * S::pieces * S::steps];
  std::uint32_t metadata;

  __device__ void load(TensorArgs const& args, int lane) {
#pragma unroll
    for (int i = 0; i < S::parts * S::pieces * S::steps; ++i) a[i] = __ldg(args.a + i * 32 + lane);
    metadata = S::sparse ? __ldg(args.metadata + lane) : 0u;
  }

  /// sum += A b for the kernel row; the first product of a sum starts it.
  __device__ void product(int load, int row, uint4 const& b, float (&sum)[4], bool first) const {
    float const zero[4] = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int part = 0; part < S::parts; ++part) {
      int const at = (part * S::pieces + S::piece(load, row)) * S::steps;
      if constexpr (S::sparse) {
        if (first && part == 0) {
          Ptx::MmaSparse<Element>::run(sum, a[at], b, zero, metadata);
        } else {
          Ptx::MmaSparse<Element>::run(sum, a[at], b, sum, metadata);
        }
      } else {
        if (first && part == 0) {
          Ptx::MmaDense<Element>::run(sum, a[at], b.x, b.y, zero);
        } else {
          Ptx::MmaDense<Element>::run(sum, a[at], b.x, b.y, sum);
        }
        Ptx::MmaDense<Element>::run(sum, a[at + 1], b.z, b.w, sum);
      }
    }
  }
};

template <class Element>
struct Value;

template <>
struct Value<Ptx::Half> {
  __device__ static float load(std::uint16_t bits) { return __half2float(__ushort_as_half(bits)); }
  __device__ static std::uint16_t round(float v) { return __half_as_ushort(__float2half_rn(v)); }
  static constexpr std::uint16_t exponent = 0x7c00;
};

template <>
struct Value<Ptx::Bfloat> {
  __device__ static float load(std::uint16_t bits) { return __uint_as_float(std::uint32_t(bits) << 16); }
  __device__ static std::uint16_t round(float v) { return __bfloat16_as_ushort(__float2bfloat16_rn(v)); }
  static constexpr std::uint16_t exponent = 0x7f80;
};

/// Where a tile lies. The last tiles are moved back inside; their outputs are then computed twice, alike.
struct Tile {
  std::int32_t x;
  std::int64_t y, z;

  __device__ Tile(TensorArgs const& args, std::uint32_t strip, std::uint32_t chunk, std::uint32_t plane) {
    x                       = args.x0 + static_cast<std::int32_t>(strip) * warp_outputs;
    std::int64_t const last = args.y_end - args.height;
    std::int64_t const at   = args.y_begin + static_cast<std::int64_t>(chunk) * args.height;
    y                       = at < last ? at : last;
    z                       = args.z_begin + plane;
  }
};

/// A lane's first piece of the first row. Pieces outside the row are never needed by an output that is stored:
/// any other serves.
__device__ inline std::uint16_t const* first_piece(TensorArgs const& args, Tile const& tile, int lane) {
  int const q    = lane & 3;
  std::int32_t x = tile.x + 16 * (lane >> 2) - args.lead + 16 * (q & 1) + 8 * (q >> 1);
  x              = max(args.piece_first, min(x, args.piece_last));
  return static_cast<std::uint16_t const*>(args.window) + tile.z * args.in_z + tile.y * args.in_y + x;
}

/// Rounds and stores the lane's four outputs of one row.
template <class Element, bool Ragged>
struct Writer {
  std::uint16_t* to;
  std::uint32_t non_finite = 0;
  std::uint32_t stored;  ///< bits 0 to 3: which of the four are in the range; bit 4: all

  __device__ void start(TensorArgs const& args, Tile const& tile, int lane) {
    std::int32_t const x = tile.x + 4 * lane;
    to                   = static_cast<std::uint16_t*>(args.out) + tile.z * args.out_z + tile.y * args.out_y + x;
    stored               = 0;
    for (int e = 0; e < 4; ++e) {
      if (x + e >= args.x_begin && x + e < args.x_end) stored |= 1u << e;
    }
    if (stored == 15u) stored = 16u;
  }

  __device__ void put(float const (&sum)[4]) {
    std::uint32_t low  = Ptx::RoundPair<Element>::run(sum[0], sum[1]);
    std::uint32_t high = Ptx::RoundPair<Element>::run(sum[2], sum[3]);
    non_finite         = Ptx::TimesZeroPlus<Element>::run(low, non_finite);
    non_finite         = Ptx::TimesZeroPlus<Element>::run(high, non_finite);
    low                = Ptx::Movmatrix::run(low);
    high               = Ptx::Movmatrix::run(high);
    if (stored & 16u) *reinterpret_cast<uint2*>(to) = make_uint2(low, high);
    if constexpr (Ragged) {
      if (stored & 1u) to[0] = static_cast<std::uint16_t>(low);
      if (stored & 2u) to[1] = static_cast<std::uint16_t>(low >> 16);
      if (stored & 4u) to[2] = static_cast<std::uint16_t>(high);
      if (stored & 8u) to[3] = static_cast<std::uint16_t>(high >> 16);
    }
  }

  __device__ void put(std::int64_t row, std::int64_t pitch, float const (&sum)[4]) {
    std::uint16_t* const first = to;
    to += row * pitch;
    put(sum);
    to = first;
  }
};

/// Recomputes the non-finite outputs of a tile by the plain formula, in the canonical order: zeros of the
/// matrices times infinities and NaN beside the stencil have no place in them.
template <class Element>
__device__ __noinline__ void mend(TensorArgs const& args, std::int32_t x0, std::int64_t y0, std::int64_t z, int lane) {
  auto const* const in = static_cast<std::uint16_t const*>(args.in);
  auto* const out      = static_cast<std::uint16_t*>(args.out);
  for (std::uint32_t row = 0; row < args.height; ++row) {
    std::int64_t const y = y0 + row;
    for (std::int32_t x = x0 + 4 * lane; x < x0 + 4 * lane + 4; ++x) {
      if (x < args.x_begin || x >= args.x_end) continue;
      std::uint16_t* const to = out + z * args.out_z + y * args.out_y + x;
      if ((*to & Value<Element>::exponent) != Value<Element>::exponent) continue;
      std::uint16_t const* const from = in + z * args.in_z + y * args.in_y + x;
      float sum                       = -0.0f;
      for (int t = 0; t < args.term_count; ++t) {
        sum = fmaf(args.terms[t].coefficient, Value<Element>::load(from[args.terms[t].offset]), sum);
      }
      *to = Value<Element>::round(sum);
    }
  }
}

template <class Element>
__device__ inline void mend_if_needed(TensorArgs const& args, Tile const& tile, std::uint32_t& non_finite, int lane) {
  if (__any_sync(0xffffffffu, (non_finite & 0x7fff7fffu) != 0)) mend<Element>(args, tile.x, tile.y, tile.z, lane);
  non_finite = 0;
}

/// Tall tiles: rows stream through Rows rotating sums, Ahead rows of loads in flight. The grid is persistent: a warp
/// keeps its matrices for all its tiles. The height is a multiple of Rows.
template <class S, class Element, int Ahead, bool Ragged, int Threads, int Blocks>
__global__ void __launch_bounds__(Threads, Blocks) stream(__grid_constant__ TensorArgs const args) {
  static_assert(Ahead <= S::rows, "the rows in flight at the end of a tile belong to the next one");
  constexpr int N           = S::rows;
  int const lane            = static_cast<int>(threadIdx.x & 31u);
  std::uint32_t const warps = gridDim.x * (Threads / 32);
  std::uint32_t const tiles = args.strips * args.chunks * args.planes;
  std::uint32_t at          = blockIdx.x * (Threads / 32) + (threadIdx.x >> 5);
  if (at >= tiles) return;

  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  auto const tile_at = [&](std::uint32_t t) {
    std::uint32_t const rest = t / args.strips;
    return Tile(args, t % args.strips, rest % args.chunks, rest / args.chunks);
  };
  uint4 ahead[Ahead][S::loads];
  std::uint16_t const* from;
  auto const load = [&](uint4(&row)[S::loads]) {
#pragma unroll
    for (int l = 0; l < S::loads; ++l) {
      row[l] = Ptx::LoadOrdered::run(S::loads == 1 ? from : from + args.load_offset[l]);
    }
    from += args.in_y;
  };
  float sum[N][4];
  // Takes input row j of the body and applies kernel rows k0 to k1 to it: output row j - k, in slot (j - k) mod N.
  auto const step = [&](int j, int k0, int k1) {
    uint4 row[S::loads];
#pragma unroll
    for (int l = 0; l < S::loads; ++l) {
      row[l] = ahead[0][l];
#pragma unroll
      for (int p = 0; p + 1 < Ahead; ++p) ahead[p][l] = ahead[p + 1][l];
    }
    load(ahead[Ahead - 1]);
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      bool first = k == 0;
#pragma unroll
      for (int l = 0; l < S::loads; ++l) {
        if (k < k0 || k > k1 || !S::has(l, k)) continue;
        matrices.product(l, k, row[l], sum[(j - k + N) % N], first);
        first = false;
      }
    }
  };

  from = first_piece(args, tile_at(at), lane);
#pragma unroll
  for (int p = 0; p < Ahead; ++p) load(ahead[p]);
  Writer<Element, Ragged> writer;
  for (;;) {
    writer.start(args, tile_at(at), lane);
#pragma unroll
    for (int j = 0; j < N - 1; ++j) step(j, 0, j);
    for (std::uint32_t rows = N; rows < args.height; rows += N) {
#pragma unroll
      for (int u = 0; u < N; ++u) {
        step(u + N - 1, 0, N - 1);
        writer.put(sum[u]);
        writer.to += args.out_y;
      }
    }
    std::uint32_t const next = at + warps;
#pragma unroll
    for (int u = 0; u < N; ++u) {
      if (u == N - Ahead) from = first_piece(args, tile_at(next < tiles ? next : at), lane);
      step(u + N - 1, u, N - 1);
      writer.put(sum[u]);
      writer.to += args.out_y;
    }
    mend_if_needed<Element>(args, tile_at(at), writer.non_finite, lane);
    if (next >= tiles) break;
    at = next;
  }
}

/// Short tiles of Height rows, in the order of launch: all sums of a tile at once. A block is blockDim.x / 32 strips
/// by blockDim.y chunks by blockDim.z planes.
template <class S, class Element, int Height, bool Ragged, int Blocks>
__global__ void __launch_bounds__(128, Blocks) tiles(__grid_constant__ TensorArgs const args) {
  constexpr int N              = S::rows;
  int const lane               = static_cast<int>(threadIdx.x & 31u);
  std::uint32_t const blocks_x = (args.strips + blockDim.x / 32 - 1) / (blockDim.x / 32);
  std::uint32_t const blocks_y = (args.chunks + blockDim.y - 1) / blockDim.y;
  std::uint32_t const rest     = blockIdx.x / blocks_x;
  std::uint32_t const strip    = blockIdx.x % blocks_x * (blockDim.x / 32) + (threadIdx.x >> 5);
  std::uint32_t const chunk    = rest % blocks_y * blockDim.y + threadIdx.y;
  std::uint32_t const plane    = rest / blocks_y * blockDim.z + threadIdx.z;
  if (strip >= args.strips || chunk >= args.chunks || plane >= args.planes) return;

  Tile const tile(args, strip, chunk, plane);
  std::uint16_t const* const from = first_piece(args, tile, lane);
  uint4 row[Height + N - 1][S::loads];
#pragma unroll
  for (int j = 0; j < Height + N - 1; ++j) {
#pragma unroll
    for (int l = 0; l < S::loads; ++l) {
      if (S::cross && l != S::loads / 2 && (j < N / 2 || j >= Height + N / 2)) continue;
      row[j][l] =
          __ldg(reinterpret_cast<uint4 const*>(from + (S::loads == 1 ? 0 : args.load_offset[l]) + j * args.in_y));
    }
  }
  Matrices<S, Element> matrices;
  matrices.load(args, lane);
  Writer<Element, Ragged> writer;
  writer.start(args, tile, lane);
#pragma unroll
  for (int i = 0; i < Height; ++i) {
    float sum[4];
    bool first = true;
#pragma unroll
    for (int k = 0; k < N; ++k) {
#pragma unroll
      for (int l = 0; l < S::loads; ++l) {
        if (!S::has(l, k)) continue;
        matrices.product(l, k, row[i + k][l], sum, first);
        first = false;
      }
    }
    writer.put(sum);
    writer.to += args.out_y;
  }
  mend_if_needed<Element>(args, tile, writer.non_finite, lane);
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
