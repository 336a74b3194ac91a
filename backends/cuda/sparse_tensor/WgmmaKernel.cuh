// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "NonFinite.cuh"
#include "Operands.cuh"
#include "Store.cuh"

#include "arch/AsyncCopy.hpp"
#include "arch/DependentLaunch.hpp"
#include "arch/Mbarrier.hpp"
#include "arch/Memory.hpp"
#include "arch/Mma.hpp"
#include "arch/Wgmma.hpp"

#include <cstdint>

// Planes with stencils of up to 15 rows by dense wgmma, for compute capability 9.0 (README.md says why dense). A block
// streams down 1024 columns. One warp copies rows into a ring in shared memory by bulk copies. Two warpgroups do
// nothing but multiply, 512 columns each; for each of them a warp stores the results.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Offsets in a block's shared memory. Matrix B, with 64 blocks of 8 outputs, is the input as it was copied: 8 x 8 of
/// its elements are 8 adjacent vectors of 16 bytes, and those of the next 8 columns begin one vector later.
struct WgmmaShared {
  static constexpr int groups     = 2;
  static constexpr int multiplies = groups * 4;             // warps
  static constexpr int threads    = 32 * (multiplies + 4);  // a warpgroup moves data
  static_assert(threads == wgmma_threads, "");
  static constexpr int row = wgmma_columns * 2;
  /// Outputs begin at byte 128 of a row, one vector behind the first one copied.
  static constexpr int before  = 112;
  static constexpr int pitch   = row + 256;
  static constexpr int copied  = row + 32;
  static constexpr int stage   = 4 * pitch;
  static constexpr int stages  = wgmma_stages;
  static constexpr int result  = 2 * row / groups;  // of a pair of output rows
  static constexpr int results = wgmma_results;     // a warpgroup

  static constexpr int result_at = stages * stage;
  static constexpr int full      = result_at + groups * results * result;  // barriers
  static constexpr int free      = full + 8 * stages;
  static constexpr int made      = free + 8 * stages;
  static constexpr int stored    = made + 8 * groups * results;
  static constexpr int flag      = stored + 8 * groups * results;
  static constexpr int bytes     = flag + 16;
};

struct WgmmaTile {
  std::int32_t x, first, last;  ///< outputs; elements copied, rounded to 16-byte vectors inside the row
  std::int64_t y, z;
  int pairs;  ///< of input rows, 8 m + 1

  __device__ explicit WgmmaTile(Args const& args) {
    std::uint32_t const rest = blockIdx.x / args.strips, height = args.height;
    x     = args.x0 + static_cast<std::int32_t>(blockIdx.x % args.strips) * wgmma_columns;
    first = max(x - 8, args.vector_first);
    last  = min(x + wgmma_columns + 8, args.vector_last + 8);
    y     = min(args.y_begin + rest / args.planes * height, args.y_end - height);
    z     = args.z_begin + rest % args.planes;
    pairs = static_cast<int>(height) / 2 + 7;
  }
};

/// Copies the input. Called by four lanes of a warp, each of which copies one row of every stage.
__device__ inline void wgmma_fetch(Args const& args, WgmmaTile const& tile, std::uint32_t base, int lane) {
  using S          = WgmmaShared;
  auto const bytes = static_cast<std::uint32_t>(tile.last - tile.first) * 2;
  std::uint16_t const* from =
      static_cast<std::uint16_t const*>(args.window) + tile.z * args.in_z + (tile.y + lane) * args.in_y + tile.first;
  std::uint32_t const to =
      base + lane * S::pitch + S::before + static_cast<std::uint32_t>(tile.first - (tile.x - 8)) * 2;
  int const stages = (tile.pairs + 1) / 2;
  for (int t = 0; t < stages; ++t) {
    int const s     = t % S::stages;
    bool const half = t == stages - 1;
    if (t >= S::stages) Ptx::Mbarrier::wait(base + S::free + 8 * s, (t / S::stages - 1) & 1);
    if (lane == 0) Ptx::CopyBulk::expect(base + S::full + 8 * s, (half ? 2 : 4) * bytes);
    __syncwarp(15);
    if (!half || lane < 2) Ptx::CopyBulk::run(to + s * S::stage, from, bytes, base + S::full + 8 * s);
    from += 4 * args.in_y;
  }
}

/// Stores what a warpgroup leaves in shared memory. Returns whether all of it was finite. All wait for this warp unless
/// it keeps pace, at the ends of the range as well: hence no branches, and one store, of an element a lane, for all
/// vectors of which only a part is in the range. Aligned: rows of the output are aligned to 16 bytes.
template <class Element, bool Aligned>
__device__ bool wgmma_store(Args const& args, WgmmaTile const& tile, std::uint32_t base, int group, int lane) {
  using S               = WgmmaShared;
  constexpr int outputs = wgmma_columns / S::groups;
  std::int32_t const x0 = tile.x + group * outputs;
  std::int32_t const x  = x0 + 8 * lane;
  std::uint32_t whole[2];
  for (int i = 0; i < 2; ++i) {
    std::int32_t const first = x + outputs / 2 * i;
    whole[i]                 = first >= args.x_begin && first + 8 <= args.x_end ? 1u : 0u;
  }
  // Lanes 0 to 15 store the elements of the vector in which the range begins, in two rows; the others where it ends.
  std::int32_t const edge = (lane < 16 ? args.x_begin : args.x_end) - x0;
  std::int32_t const part = edge / 8 * 8 + lane % 8;
  bool const mine = edge > 0 && edge < outputs && edge % 8 != 0 && x0 + part >= args.x_begin && x0 + part < args.x_end;
  int const part_row          = lane >> 3 & 1;
  std::uint32_t const part_at = base + S::result_at + (part_row * outputs + (mine ? part : 0)) * 2;

  std::uint32_t non_finite[4] = {0, 0, 0, 0};
  auto* to                    = static_cast<std::uint16_t*>(args.out) + tile.z * args.out_z + tile.y * args.out_y + x;
  std::uint16_t* part_to      = to - 8 * lane + part_row * args.out_y + part;
  for (int v = 0; v < tile.pairs - 7; ++v) {
    int const s = group * S::results + v % S::results;
    Ptx::Mbarrier::wait(base + S::made + 8 * s, (v / S::results) & 1);
    uint4 four[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      four[i] = Ptx::LoadShared::run(base + S::result_at + s * S::result + i * 512 + lane * 16);
    }
    std::uint16_t const one = Ptx::LoadSharedHalf::run(part_at + s * S::result);
    __syncwarp();
    if (lane == 0) Ptx::Mbarrier::arrive(base + S::stored + 8 * s);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      std::uint16_t* const at = to + i / 2 * args.out_y + i % 2 * (outputs / 2);
      if (Aligned) {
        Ptx::StoreIf::run(at, four[i], whole[i % 2]);
      } else {
        auto* const halves = reinterpret_cast<double*>(at);
        Ptx::StoreValueIf<double>::run(
            halves, __hiloint2double(static_cast<int>(four[i].y), static_cast<int>(four[i].x)), whole[i % 2]);
        Ptx::StoreValueIf<double>::run(
            halves + 1, __hiloint2double(static_cast<int>(four[i].w), static_cast<int>(four[i].z)), whole[i % 2]);
      }
    }
    Ptx::StoreValueIf<std::uint16_t>::run(part_to, one, mine ? 1u : 0u);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      non_finite[0] = Ptx::TimesZeroPlus<Element>::run(four[i].x, non_finite[0]);
      non_finite[1] = Ptx::TimesZeroPlus<Element>::run(four[i].y, non_finite[1]);
      non_finite[2] = Ptx::TimesZeroPlus<Element>::run(four[i].z, non_finite[2]);
      non_finite[3] = Ptx::TimesZeroPlus<Element>::run(four[i].w, non_finite[3]);
    }
    to += 2 * args.out_y;
    part_to += 2 * args.out_y;
  }
  return !any_non_finite(non_finite[0] | non_finite[1] | non_finite[2] | non_finite[3]);
}

/// A warp of a warpgroup that multiplies. The warpgroup has the sums of 16 output rows, as pairs of rows; pair v is in
/// set v % 2 of two sets, of which each warp has one pair each. Two pairs of input rows are multiplied into a set at
/// once. The second completes the pair of output rows of one warp, which is written while the other set is multiplied.
template <class Element, bool Scaled>
__device__ __forceinline__ void wgmma_multiply(Args const& args, WgmmaTile const& tile, std::uint32_t base,
                                               std::uint32_t warp, int lane) {
  using S               = WgmmaShared;
  std::uint32_t const w = warp % 4, group = warp / 4;
  // Warp w has pairs 2 w of the first set and 2 w + 5 of the other (modulo 8): four steps apart.
  auto const* const matrices = static_cast<uint4 const*>(args.matrices);
  uint4 a[wgmma_pairs][wgmma_products];
#pragma unroll
  for (int i = 0; i < wgmma_pairs; ++i) {
#pragma unroll
    for (int p = 0; p < wgmma_products; ++p) {
      a[i][p] = __ldg(matrices + (((i - 2 * w) % 8) * wgmma_products + p) * 32 + lane);
    }
  }
  auto const last_warp = [](int v) { return static_cast<std::uint32_t>(v % 2 == 0 ? v / 2 : (v + 3) % 8 / 2); };
  float sum[2][32];
#pragma unroll
  for (int i = 0; i < 32; ++i) sum[0][i] = sum[1][i] = 0.0f;
  // Hidden from the compiler, which would otherwise load 32 such constants.
  float zero = 0.0f;
  Ptx::WgmmaGroup::keep(zero);

  // Descriptors of B: address, distance along the columns, and along the blocks, all in units of 16 bytes.
  std::uint32_t const rows = (base + group * (S::row / S::groups) + S::before) / 16;
  auto const products      = [&](int set, int step, std::uint32_t at) {
    std::uint64_t const blocks = std::uint64_t(128 / 16) << 32;
    uint4 const(&m)[3]         = a[(step + 3 * set) % 8];
    Ptx::Wgmma<Element>::run(sum[set], m[0], blocks | (at + (1u << 16)));
    Ptx::Wgmma<Element>::run(sum[set], m[1], blocks | (at + S::pitch / 16 + (1u << 16)));
    Ptx::Wgmma<Element>::run(sum[set], m[2], blocks | (at + 2 + (std::uint32_t(S::pitch / 16) << 16)));
  };
  std::uint32_t const matrix = base + S::result_at + group * S::results * S::result +
                               (lane >> 3 & 1) * (S::result / 2) + (lane >> 4) * 128 + (lane & 7) * 16;
  // Called after the products of a pair of input rows: leaves the pair of output rows that they complete, if it is in
  // the tile.
  auto const finish = [&](int set, std::uint32_t which, int pair) {
#pragma unroll
    for (int i = 0; i < 32; ++i) Ptx::WgmmaGroup::keep(sum[set][i]);
    if (w == which && pair >= 7) {
      int const v = pair - 7, s = v % S::results;
      std::uint32_t const barrier = base + 8 * (group * S::results + s);
      if (v >= S::results) Ptx::Mbarrier::wait(barrier + S::stored, (v / S::results - 1) & 1);
      float const by = Scaled ? args.unscale : 1.0f;
#pragma unroll
      for (int j = 0; j < 32; j += 8) {
        std::uint32_t r[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          r[i] = Ptx::RoundPair<Element>::run(by * sum[set][j + 2 * i], by * sum[set][j + 2 * i + 1]);
        }
        Ptx::StoreMatrices::run(matrix + s * S::result + j * 32, r[0], r[1], r[2], r[3]);
      }
      __syncwarp();
      if (lane == 0) Ptx::Mbarrier::arrive(barrier + S::made);
    }
#pragma unroll
    for (int i = 0; i < 32; ++i) Ptx::WgmmaGroup::set_if(sum[set][i], zero, w == which);
  };
  auto const wait_for = [&](int slot, std::uint32_t round) { Ptx::Mbarrier::wait(base + S::full + 8 * slot, round); };
  auto const release  = [&](int slot) {
    if (lane == 0) Ptx::Mbarrier::arrive(base + S::free + 8 * slot);
  };

  wait_for(0, 0);
  Ptx::WgmmaGroup::begin();
  products(1, 0, rows);
  Ptx::WgmmaGroup::end();
  Ptx::WgmmaGroup::wait<0>();
  finish(1, last_warp(1), 0);
  // A turn is eight pairs of input rows, which are four stages, half of the ring. It waits for its last products: the
  // compiler does not see that products under way at the end of a loop are waited for after its beginning.
  for (int first = 0, turn = 0; first + 1 < tile.pairs; first += 8, ++turn) {
    int const slot = turn % 2 * 4, next_slot = 4 - slot;
    std::uint32_t const round = turn / 2 & 1, next_round = (turn + 1) / 2 & 1;
    std::uint32_t const here = rows + slot * (S::stage / 16), next = rows + next_slot * (S::stage / 16);
#pragma unroll
    for (int b = 0; b < 8; ++b) {
      int const set = b % 2;
      if (b == 7) {
        wait_for(next_slot, next_round);
      } else if (b % 2 == 1) {
        wait_for(slot + (b + 1) / 2, round);
      }
      auto const pair_at = [&](int p) { return here + p / 2 * (S::stage / 16) + p % 2 * (2 * S::pitch / 16); };
      Ptx::WgmmaGroup::begin();
      products(set, b, pair_at(b));
      products(set, b + 1, b == 7 ? next : pair_at(b + 1));
      Ptx::WgmmaGroup::end();
      if (b > 0) {
        Ptx::WgmmaGroup::wait<1>();
        if (b % 2 == 0) release(slot + b / 2 - 1);
        finish(1 - set, last_warp((b + 1) % 8), first + b);
      }
    }
    Ptx::WgmmaGroup::wait<0>();
    release(slot + 3);
    finish(1, last_warp(1), first + 8);
  }
}

/// Finds its tile again instead of being told: kept in registers until the end, it would be spilled.
template <class Element, bool Scaled>
__device__ __noinline__ void fix_wgmma(Args const& args, unsigned char* shared) {
  WgmmaTile const tile(args);
  std::uint32_t const warp = threadIdx.x / 32;
  int const lane           = static_cast<int>(threadIdx.x % 32);
  std::int32_t const x     = tile.x + static_cast<std::int32_t>(warp) * warp_outputs;
  if (Scaled) {
    auto* const patch = reinterpret_cast<float*>(shared + warp * (WgmmaShared::result_at / WgmmaShared::multiplies));
    fix_sweeps<Element>(args, x, tile.y, tile.z, args.height, lane, patch);
  } else {
    fix_non_finite<Element>(args, x, tile.y, tile.z, args.height, lane);
  }
}

template <class Element, bool Scaled>
__global__ void __maxnreg__(wgmma_registers) wgmma(__grid_constant__ Args const args) {
  using S = WgmmaShared;
  extern __shared__ __align__(1024) unsigned char wgmma_shared[];
  // Several sweeps are launched as dependents of the pass before: all wait for it before they read and write. Only then
  // may the kernel for points near faces begin, which does not wait.
  constexpr bool dependent = Scaled;
  if (!dependent) Ptx::GridDependency::signal();
  auto const follow = [] {
    if (!dependent) return;
    Ptx::GridDependency::wait();
    Ptx::GridDependency::signal();
  };
  auto const warp        = static_cast<std::uint32_t>(__shfl_sync(0xffffffffu, threadIdx.x / 32, 0));
  int const lane         = static_cast<int>(threadIdx.x % 32);
  auto const base        = static_cast<std::uint32_t>(__cvta_generic_to_shared(wgmma_shared));
  auto* const not_finite = reinterpret_cast<std::uint32_t*>(wgmma_shared + S::flag);
  WgmmaTile const tile(args);
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::stages; ++s) {
      Ptx::Mbarrier::init(base + S::full + 8 * s, 1);
      Ptx::Mbarrier::init(base + S::free + 8 * s, S::multiplies);
    }
    for (int s = 0; s < S::groups * S::results; ++s) {
      Ptx::Mbarrier::init(base + S::made + 8 * s, 1);
      Ptx::Mbarrier::init(base + S::stored + 8 * s, 1);
    }
    *not_finite = 0;
  }
  // Memory that no copy writes is multiplied by zero, so it must hold finite values.
  if (tile.last - tile.first < wgmma_columns + 16) {
    for (int i = static_cast<int>(threadIdx.x); i < S::result_at / 16; i += S::threads) {
      reinterpret_cast<uint4*>(wgmma_shared)[i] = make_uint4(0, 0, 0, 0);
    }
  }
  Ptx::CopyBulk::fence();
  __syncthreads();
  if (warp >= S::multiplies) {
    Ptx::Registers::give_back<wgmma_move_registers>();
    follow();
    if (warp == S::multiplies) {
      if (lane < 4) wgmma_fetch(args, tile, base, lane);
    } else if (warp <= S::multiplies + S::groups) {
      int const group    = static_cast<int>(warp) - S::multiplies - 1;
      bool const aligned = (reinterpret_cast<std::uintptr_t>(args.out) / 2 + args.x0) % 8 == 0 && args.out_y % 8 == 0 &&
                           args.out_z % 8 == 0;
      bool const finite = aligned ? wgmma_store<Element, true>(args, tile, base, group, lane)
                                  : wgmma_store<Element, false>(args, tile, base, group, lane);
      if (!finite) *not_finite = 1;
      Ptx::NamedBarrier::wait<1, (S::multiplies + S::groups) * 32>();
    }
  } else {
    Ptx::Registers::take<wgmma_multiply_registers>();
    follow();
    wgmma_multiply<Element, Scaled>(args, tile, base, warp, lane);
    Ptx::NamedBarrier::wait<1, (S::multiplies + S::groups) * 32>();
    if (*const_cast<std::uint32_t volatile*>(not_finite) != 0) fix_wgmma<Element, Scaled>(args, wgmma_shared);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
