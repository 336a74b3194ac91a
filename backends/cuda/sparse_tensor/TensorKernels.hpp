// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "TensorArgs.hpp"

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"
#include "arch/MmaSparse.hpp"
#include "arch/Ptx.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

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
  std::uint32_t height;

  __device__ Tile(TensorArgs const& args, std::uint32_t strip, std::uint32_t chunk, std::uint32_t plane,
                  std::int32_t deep = 1) {
    bool const low = chunk >= args.tall_chunks;
    std::uint32_t const row =
        low ? args.tall_chunks * args.height + (chunk - args.tall_chunks) * args.low_height : chunk * args.height;
    height = low ? args.low_height : args.height;
    x      = args.x0 + static_cast<std::int32_t>(strip) * warp_outputs;
    y      = min(args.y_begin + row, args.y_end - height);
    z      = min(args.z_begin + plane, args.z_end - deep);
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

/// Rounds and stores the lane's four outputs of a row. Scaled: after a multiplication of the sums.
template <class Element, bool Scaled = false>
struct Writer {
  std::uint16_t* to;
  float unscale            = 1.0f;
  std::uint32_t non_finite = 0;
  std::uint32_t stored;  ///< bits 0 to 3: which of the four are in the range; bit 4: all

  __device__ void start(TensorArgs const& args, Tile const& tile, int lane) {
    std::int32_t const x = tile.x + 4 * lane;
    to                   = static_cast<std::uint16_t*>(args.out) + tile.z * args.out_z + tile.y * args.out_y + x;
    unscale              = args.unscale;
    stored               = 0;
    for (int e = 0; e < 4; ++e) {
      if (x + e >= args.x_begin && x + e < args.x_end) stored |= 1u << e;
    }
    if (stored == 15u) stored = 16u;
  }

  __device__ uint2 round(float const (&sum)[4]) {
    float const by           = Scaled ? unscale : 1.0f;
    std::uint32_t const low  = Ptx::RoundPair<Element>::run(by * sum[0], by * sum[1]);
    std::uint32_t const high = Ptx::RoundPair<Element>::run(by * sum[2], by * sum[3]);
    non_finite               = Ptx::TimesZeroPlus<Element>::run(low, non_finite);
    non_finite               = Ptx::TimesZeroPlus<Element>::run(high, non_finite);
    return make_uint2(Ptx::Movmatrix::run(low), Ptx::Movmatrix::run(high));
  }

  __device__ void put(std::int64_t offset, float const (&sum)[4]) {
    std::uint16_t* const first = to + offset;
    uint2 const four           = round(sum);
    if (stored & 16u) *reinterpret_cast<uint2*>(first) = four;
    if (stored & 1u) first[0] = static_cast<std::uint16_t>(four.x);
    if (stored & 2u) first[1] = static_cast<std::uint16_t>(four.x >> 16);
    if (stored & 4u) first[2] = static_cast<std::uint16_t>(four.y);
    if (stored & 8u) first[3] = static_cast<std::uint16_t>(four.y >> 16);
  }
};

/// Recomputes the non-finite outputs of a tile by the plain formula, in the canonical order: zeros of the
/// matrices times infinities and NaN beside the stencil have no place in them.
template <class Element>
__device__ __noinline__ void fix_non_finite(TensorArgs const& args, std::int32_t x0, std::int64_t y0, std::int64_t z,
                                            std::uint32_t height, int lane) {
  auto const* const in = static_cast<std::uint16_t const*>(args.in);
  auto* const out      = static_cast<std::uint16_t*>(args.out);
  for (std::uint32_t row = 0; row < height; ++row) {
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

/// The same for several sweeps as one: sweep by sweep in a patch of shared memory, `patch` twice over, on the part of
/// it that later sweeps need. A patch of a line is one row. Called by a whole warp.
template <class Element>
__device__ __noinline__ void mend_sweeps(TensorArgs const& args, std::int32_t x0, std::int64_t y0, std::int64_t z,
                                         std::uint32_t height, int lane, float* patch) {
  __syncwarp();  // outputs of other lanes are read, and their rows of the ring overwritten
  auto const* const in = static_cast<std::uint16_t const*>(args.in) + z * args.in_z;
  auto* const out      = static_cast<std::uint16_t*>(args.out) + z * args.out_z;
  int const far_y = args.sweeps * args.reach_y, far_x = args.sweeps * args.reach_x;
  int const pitch = patch_pitch(args.sweeps, args.reach_x), side = args.reach_y > 0 ? patch_side : 1;
  std::int32_t const x_first = max(x0, args.x_begin), x_last = min(x0 + warp_outputs, args.x_end);
  for (std::uint32_t row = 0; row < height; row += side) {
    std::int64_t const y = y0 + row;
    int const ny         = min(static_cast<int>(height - row), side);
    for (std::int32_t x = x_first; x < x_last; x += patch_side) {
      int const nx          = min(x_last - x, patch_side);
      auto const non_finite = [&](int i) {
        std::uint16_t const* const p = out + (y + i / nx) * args.out_y + x + i % nx;
        return (*p & Value<Element>::exponent) == Value<Element>::exponent;
      };
      bool mine = false;
      for (int i = lane; i < nx * ny; i += 32) mine = mine || non_finite(i);
      if (!__any_sync(0xffffffffu, mine)) continue;
      float* from = patch;
      float* to   = patch + (side + 2 * far_y) * pitch;
      int ey = far_y, ex = far_x;
      for (int i = lane; i < (ny + 2 * ey) * (nx + 2 * ex); i += 32) {
        int const py = i / (nx + 2 * ex), px = i % (nx + 2 * ex);
        from[py * pitch + px] = Value<Element>::load(in[(y + py - ey) * args.in_y + x + px - ex]);
      }
      for (int s = 0; s < args.sweeps; ++s) {
        __syncwarp();
        ey -= args.reach_y;
        ex -= args.reach_x;
        for (int i = lane; i < (ny + 2 * ey) * (nx + 2 * ex); i += 32) {
          int const at = (i / (nx + 2 * ex) + far_y - ey) * pitch + i % (nx + 2 * ex) + far_x - ex;
          float sum    = -0.0f;
          for (int t = 0; t < args.term_count; ++t) {
            sum = fmaf(args.terms[t].coefficient, from[at + args.terms[t].offset], sum);
          }
          to[at] = sum;
        }
        float* const newest = to;
        to                  = from;
        from                = newest;
      }
      __syncwarp();
      for (int i = lane; i < nx * ny; i += 32) {
        if (!non_finite(i)) continue;
        out[(y + i / nx) * args.out_y + x + i % nx] =
            Value<Element>::round(from[(i / nx + far_y) * pitch + i % nx + far_x]);
      }
      __syncwarp();
    }
  }
}

/// Whether a flag gathered from results has seen anything but finite ones, in any lane.
__device__ inline bool any_non_finite(std::uint32_t flag) { return __any_sync(0xffffffffu, (flag & 0x7fff7fffu) != 0); }

/// Tall tiles of a plane: rows stream through rotating sums, Ahead of them being loaded. The grid is persistent: a warp
/// keeps its matrices for all its tiles. The height is a multiple of the rotation.
template <class S, class Element, int Ahead, int Blocks>
__global__ void __launch_bounds__(32, Blocks) stream(__grid_constant__ TensorArgs const args) {
  constexpr int N = S::rows;
  static_assert(S::loads == 1, "planes only");
  static_assert(Ahead <= N, "the rows in flight at the end of a tile belong to the next one");
  // A block is one warp. A compiler that is told so puts loads and products in another order, which has not been timed.
  int const lane            = static_cast<int>(threadIdx.x & 31u);
  std::uint32_t const warp  = threadIdx.x >> 5;
  std::uint32_t const tiles = args.strips * args.chunks * args.planes;
  std::uint32_t at          = blockIdx.x;
  if (at >= tiles) return;

  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  auto const tile_at = [&](std::uint32_t t) {
    std::uint32_t const strip = t % args.strips + warp, rest = t / args.strips;
    return Tile(args, strip, rest / args.planes, rest % args.planes);
  };
  uint4 ahead[Ahead]        = {};
  std::uint16_t const* from = nullptr;
  auto const start          = [&](std::uint32_t t) { from = first_piece(args, tile_at(t), lane); };
  auto const load           = [&](uint4& row) {
    row = Ptx::LoadOrdered::run(from);
    from += args.in_y;
  };
  float sum[N][4];
  // Takes row j of the body and applies kernel rows k0 to k1 to it: output j - k, in slot (j - k) mod N.
  auto const step = [&](int j, int k0, int k1) {
    uint4 const row = ahead[0];
#pragma unroll
    for (int p = 0; p + 1 < Ahead; ++p) ahead[p] = ahead[p + 1];
    load(ahead[Ahead - 1]);
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      if (k >= k0 && k <= k1) matrices.product(0, k, row, sum[(j - k + N) % N], k == 0);
    }
  };
  Writer<Element> writer;
  auto const put = [&](int slot) {
    writer.put(0, sum[slot]);
    writer.to += args.out_y;
  };

  start(at);
#pragma unroll
  for (int p = 0; p < Ahead; ++p) load(ahead[p]);
  for (;;) {
    Tile const tile            = tile_at(at);
    std::uint32_t const height = tile.height;
    writer.start(args, tile, lane);
#pragma unroll
    for (int j = 0; j < N - 1; ++j) step(j, 0, j);
    for (std::uint32_t rows = N; rows < height; rows += N) {
#pragma unroll
      for (int u = 0; u < N; ++u) {
        step(u + N - 1, 0, N - 1);
        put(u);
      }
    }
    std::uint32_t const next = at + gridDim.x;
#pragma unroll
    for (int u = 0; u < N; ++u) {
      if (u == N - Ahead) start(next < tiles ? next : at);
      step(u + N - 1, u, N - 1);
      put(u);
    }
    if (next >= tiles) break;
    at = next;
  }
  // After the last tile: a call in between would have to save the matrices.
  if (!any_non_finite(writer.non_finite)) return;
  for (at = blockIdx.x; at < tiles; at += gridDim.x) {
    Tile const tile = tile_at(at);
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

__device__ inline Tile ring_tile(TensorArgs const& args) {
  std::uint32_t const rest = blockIdx.x / args.strips;
  return Tile(args, blockIdx.x % args.strips, rest / args.planes, rest % args.planes);
}

/// Finds its tile anew: kept in registers until the end, it would be spilled.
template <class Element>
__device__ __noinline__ void mend_ring(TensorArgs const& args, float* patch) {
  Tile const tile = ring_tile(args);
  int const lane  = static_cast<int>(threadIdx.x);
  if (args.sweeps > 1) {
    mend_sweeps<Element>(args, tile.x, tile.y, tile.z, tile.height, lane, patch);
  } else {
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

/// As `stream`, for planar stencils of many rows: a block is one warp with one tile, and its rows come by way of shared
/// memory, Batch of them at a time, as many batches ahead as there are in the stencil's rows, less one. That takes
/// fewer registers.
template <class S, class Element, int Batch, bool Ragged>
__device__ __forceinline__ void ring_warp(TensorArgs const& args, Tile const& tile, uint4 (&shared)[S::rows * 18]) {
  constexpr int N         = S::rows;
  constexpr int Slots     = N / Batch;
  constexpr int RowPieces = warp_outputs / 8 + 2;  // of 16 bytes
  constexpr int Pieces    = Batch * RowPieces;
  constexpr int Copies    = (Pieces + 31) / 32;
  static_assert(S::loads == 1 && N % Batch == 0 && Slots >= 2, "");
  // A patch of mend_sweeps, twice, reaches as far as the rows do.
  static_assert((patch_side + N - 1) * (patch_side + N - 1) * 2 * sizeof(float) <= sizeof(shared), "");

  // A lane copies pieces lane, lane + 32, ... of a batch. Batches begin a row early, which is left out: a tile then has
  // whole turns of N steps.
  int const lane   = static_cast<int>(threadIdx.x);
  auto const place = [&](int c) {
    std::int32_t const x = tile.x - args.lead + (lane + 32 * c) % RowPieces * 8;
    return (lane + 32 * c) / RowPieces * args.in_y + max(args.piece_first, min(x, args.piece_last));
  };
  // Counted in pieces: pointers would take more registers than there are.
  auto from =
      static_cast<std::uint32_t>((tile.z * args.in_z + (tile.y - 1) * args.in_y + place(0) - args.piece_first) / 8);
  std::int32_t offset[Copies];  // from the first
#pragma unroll
  for (int c = 0; c < Copies; ++c) offset[c] = c == 0 ? 0 : static_cast<std::int32_t>(place(c) - place(0)) / 8;
  auto const mine  = static_cast<std::uint32_t>(__cvta_generic_to_shared(&shared[lane]));
  auto const fetch = [&](int slot, bool first, bool none) {
#pragma unroll
    for (int c = 0; c < Copies && !none; ++c) {
      bool const some = (32 * c + 31 < Pieces || lane + 32 * c < Pieces) && !(first && lane + 32 * c < RowPieces);
      if (some) Ptx::CopyAsync::run(mine + (slot * Pieces + 32 * c) * 16, args.pieces, from + offset[c]);
    }
    Ptx::CopyAsync::commit();
    from += static_cast<std::uint32_t>(Batch * args.in_y / 8);
  };
#pragma unroll
  for (int b = 0; b < Slots - 1; ++b) fetch(b, b == 0, false);
  Matrices<S, Element> matrices;
  matrices.load(args, lane);

  auto const window =
      static_cast<std::uint32_t>(__cvta_generic_to_shared(&shared[2 * (lane >> 2) + 2 * (lane & 1) + (lane >> 1 & 1)]));
  float sum[N][4];
  // Takes step u of a turn, input row u + N - 1 of its outputs, and applies kernel rows k0 to k1 to it. Where a batch
  // begins, the one before has freed its slot for the last of the batches ahead.
  auto const step = [&](int u, int k0, int k1, bool last) {
    if (u % Batch == 0) {
      Ptx::CopyAsync::wait<Slots - 2>();
      __syncwarp();
      fetch((u / Batch + Slots - 1) % Slots, false, last && u > 0);
    }
    if (k0 > k1) return;
    // Rows one by one: gathered, their products become dependent chains, and registers run out.
    __syncwarp();
    uint4 const row = Ptx::LoadShared::run(window + u * RowPieces * 16);
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      if (k >= k0 && k <= k1) matrices.product(0, k, row, sum[(u + N - 1 - k) % N], k == 0);
    }
  };
  Writer<Element, true> writer;
  writer.start(args, tile, lane);
  auto const put = [&](int slot) {
    if constexpr (Ragged) {
      writer.put(0, sum[slot]);
    } else {
      *reinterpret_cast<uint2*>(writer.to) = writer.round(sum[slot]);
    }
    writer.to += args.out_y;
  };

  step(0, 1, 0, false);
#pragma unroll
  for (int u = 1; u < N; ++u) step(u, 0, u - 1, false);
  for (std::uint32_t rows = N; rows < tile.height; rows += N) {
#pragma unroll
    for (int u = 0; u < N; ++u) {
      step(u, 0, N - 1, false);
      put(u);
    }
  }
#pragma unroll
  for (int u = 0; u < N; ++u) {
    step(u, u, N - 1, true);
    put(u);
  }
  if (any_non_finite(writer.non_finite)) mend_ring<Element>(args, reinterpret_cast<float*>(&shared[0]));
}

template <class S, class Element, int Batch, int Blocks>
__global__ void __launch_bounds__(32, Blocks) ring(__grid_constant__ TensorArgs const args) {
  __shared__ uint4 shared[S::rows * 18];
  Ptx::GridDependency::signal();
  Tile const tile = ring_tile(args);
  if (tile.x >= args.x_begin && tile.x + warp_outputs <= args.x_end) {
    ring_warp<S, Element, Batch, false>(args, tile, shared);
  } else {
    ring_warp<S, Element, 1, true>(args, tile, shared);
  }
}

/// Short tiles of Height rows, in the order of launch: all sums of a tile at once. A block is blockDim.x / 32 strips
/// by blockDim.y chunks by blockDim.z planes. Several: sweeps of a line as one.
template <class S, class Element, int Height, int Blocks, bool Several>
__global__ void __launch_bounds__(128, Blocks) tiles(__grid_constant__ TensorArgs const args) {
  constexpr int N = S::rows;
  // So many rows that the compiler would put off the last loads until the first products have freed registers.
  constexpr bool Tall = Height > 8;
  if (Several) Ptx::GridDependency::signal();
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
      std::uint16_t const* const piece = from + (S::loads == 1 ? 0 : args.load_offset[l]) + j * args.in_y;
      row[j][l] = Tall ? Ptx::LoadBeforeSync::run(piece) : __ldg(reinterpret_cast<uint4 const*>(piece));
    }
  }
  Matrices<S, Element> matrices;
  matrices.load(args, lane);
  if (Tall) __syncwarp();
  Writer<Element, Several> writer;
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
    writer.put(0, sum);
    writer.to += args.out_y;
  }
  if (!any_non_finite(writer.non_finite)) return;
  if constexpr (Several) {
    static_assert(S::rows == 1, "");
    // The reach on both sides is the larger one's, whatever windows a one-sided stencil leaves out.
    __shared__ float patch[4][2 * (patch_side + 2 * line_reach)];
    mend_sweeps<Element>(args, tile.x, tile.y, tile.z, tile.height, lane, patch[threadIdx.x >> 5]);
  } else {
    fix_non_finite<Element>(args, tile.x, tile.y, tile.z, tile.height, lane);
  }
}

}  // namespace Tensor
}  // namespace Cuda
}  // namespace KokkosStencil
