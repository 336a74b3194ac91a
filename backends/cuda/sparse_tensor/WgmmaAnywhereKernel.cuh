// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "WgmmaKernel.cuh"

#include <transform/BandWords.hpp>

// The same for rows that begin at any element (compute capability 9.0). A row is copied from an aligned vector near its
// first column on, so that in shared memory it lies as many elements to the right as its start lies behind that vector:
// its phase. Eight rows further on the phase is the same, whatever the pitch. So is that of each row in which a matrix
// in registers is used, and bands are shifted by it as matrices are loaded. Results are to be stored as aligned
// vectors. Outputs within blocks of eight are rotated by the phase of their row, by the order of the matrix's rows, so
// that a vector is made of the ends of two blocks without shifting any of them.

namespace KokkosStencil {
namespace Cuda {
namespace SparseTensor {

/// Pairs: of input rows, for a pair of output rows. With 8 each of two warpgroups has 512 columns, and two sets of sums
/// of pairs of output rows that are 4 pairs apart. With 4 one warpgroup has 1024 columns, a set for each half.
///
/// A block of eight outputs has a window of 24 columns, as in WgmmaKernel.cuh. That leaves room for all eight phases up
/// to a reach of 4, and for two of them up to 7. Shifts: four more warps bring rows into one of these two, by moving
/// them in shared memory by whole words.
template <int Pairs, int Splits, bool Shifts>
struct AnywhereShape {
  static_assert((Pairs == 8 && Splits == 1) || (Pairs == 4 && !Shifts), "");
  static constexpr int pairs      = Pairs;
  static constexpr int products   = wgmma_products;
  static constexpr bool shifts    = Shifts;
  static constexpr int splits     = Splits;
  static constexpr int groups     = Pairs == 8 ? 2 : 1;
  static constexpr int blocks     = Pairs == 8 ? 1 : 2;  ///< of a multiprocessor
  static constexpr int multiplies = groups * 4;          ///< warps
  static constexpr int stores     = 2;
  static constexpr int threads    = 32 * (multiplies + 4 + (Shifts ? 4 : 0));
  static constexpr int rows       = 2 * Pairs - 1;
  /// Phases are -back to 7 - back.
  static constexpr int back = Shifts ? 0 : 4;

  static constexpr int half    = wgmma_columns / 2;
  static constexpr int row     = wgmma_columns * 2;
  static constexpr int before  = 112;
  static constexpr int pitch   = row + 256;
  static constexpr int window  = row + 32;
  static constexpr int copied  = window + (Shifts ? 16 : 0);
  static constexpr int stage   = 4 * pitch;
  static constexpr int stages  = wgmma_stages;
  static constexpr int result  = 2 * 2 * half;  ///< of a pair of output rows of half the columns
  static constexpr int results = wgmma_results;

  static constexpr int result_at = stages * stage;
  static constexpr int masks     = result_at + 2 * results * result;
  static constexpr int full      = masks + 128;  // barriers
  static constexpr int free      = full + 8 * stages;
  static constexpr int ready     = free + 8 * stages;
  static constexpr int made      = ready + 8 * stages;
  static constexpr int stored    = made + 8 * 2 * results;
  static constexpr int flag      = stored + 8 * 2 * results;
  static constexpr int bytes     = flag + 16;

  // What the block began with, shared out anew.
  static constexpr int move_registers     = 56;
  static constexpr int multiply_registers = Pairs == 8 && !Shifts ? 224 : 200;
};

/// Every tile lies within the range: any column may be its first one.
template <class S>
struct AnywhereTile {
  std::int32_t x;
  std::int64_t y, z;
  int pairs;  ///< of input rows, 8 m

  __device__ explicit AnywhereTile(Args const& args) {
    std::uint32_t const rest = blockIdx.x / args.strips, height = args.height;
    x     = min(args.x_begin + static_cast<std::int32_t>(blockIdx.x % args.strips) * wgmma_columns,
                args.x_end - wgmma_columns);
    y     = min(args.y_begin + rest / args.planes * height, args.y_end - height);
    z     = args.z_begin + rest % args.planes;
    pairs = static_cast<int>(height) / 2 + S::pairs - 1;
  }
  /// Column x - 8 of an input row, and column x of an output row, counted from the tile's first ones.
  __device__ std::uint16_t const* input(Args const& args, std::int64_t row) const {
    return static_cast<std::uint16_t const*>(args.window) + z * args.in_z + (y + row) * args.in_y + (x - 8);
  }
  __device__ std::uint16_t* output(Args const& args, std::int64_t row) const {
    return static_cast<std::uint16_t*>(args.out) + z * args.out_z + (y + row) * args.out_y + x;
  }
};

/// How many elements before an address the vector begins from which its row is copied. Negative: after it.
template <class S>
__device__ inline int phase_of_copy(std::uint16_t const* at) {
  return static_cast<int>((reinterpret_cast<std::uintptr_t>(at) / 2 + S::back) & 7) - S::back;
}
/// The same as the products find it.
template <class S>
__device__ inline int phase_of_input(std::uint16_t const* at) {
  return S::shifts ? phase_of_copy<S>(at) % 2 : phase_of_copy<S>(at);
}
/// How many elements there are before the first aligned vector.
__device__ inline std::uint32_t lead_of_output(std::uint16_t const* at) {
  return (0u - static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(at) / 2)) & 7u;
}

/// Copies the input. Called by four lanes of a warp, each of which copies one row of every stage. Nothing outside of
/// the View is read, not even in the vectors in which it begins and ends.
template <class S>
__device__ inline void anywhere_fetch(Args const& args, AnywhereTile<S> const& tile, std::uint32_t base, int lane) {
  auto const address         = [](void const* p) { return reinterpret_cast<std::uintptr_t>(p); };
  auto const* const in       = static_cast<std::uint16_t const*>(args.in);
  std::uintptr_t const first = address(in), last = address(in + args.elements);
  constexpr std::uintptr_t down = ~std::uintptr_t(15);
  int const stages              = tile.pairs / 2;
  for (int t = 0; t < stages; ++t) {
    int const s = t % S::stages;
    if (t >= S::stages) Ptx::Mbarrier::wait(base + S::free + 8 * s, (t / S::stages - 1) & 1);
    // Rows that no output depends on need not be there.
    std::int64_t const row          = min(std::int64_t(4 * t + lane), args.rows - 1 - tile.y);
    std::uint16_t const* const from = tile.input(args, row);
    std::uint16_t const* const zero = from - (tile.x - 8);
    std::uintptr_t const begin      = (address(from) + 2 * S::back) & down;
    std::uintptr_t low              = max(begin, address(zero) & down);
    std::uintptr_t high             = min(begin + S::copied, (address(zero + args.columns) + 15) & down);
    std::uint32_t const to = base + s * S::stage + lane * S::pitch + S::before - static_cast<std::uint32_t>(begin);
    auto const careful     = [&](std::uintptr_t vector) {
#pragma unroll 1
      for (std::uintptr_t at = vector; at < vector + 16; at += 2) {
        if (at < first || at >= last) continue;
        Ptx::StoreOperand::run(to + static_cast<std::uint32_t>(at), *reinterpret_cast<std::uint16_t const*>(at));
      }
      Ptx::StoreOperand::fence();
    };
    if (low < first) {
      careful(low);
      low += 16;
    }
    if (high > last) {
      high -= 16;
      careful(high);
    }
    auto const bytes = static_cast<std::uint32_t>(high - low);
    Ptx::CopyBulk::expect(base + S::full + 8 * s, bytes);
    Ptx::CopyBulk::run(to + static_cast<std::uint32_t>(low), reinterpret_cast<void const*>(low), bytes,
                       base + S::full + 8 * s);
  }
}

/// Moves rows to the left by words, within their place, so that no phase is greater than 1. Called by four warps, each
/// of which moves one row of every stage.
template <class S>
__device__ inline void anywhere_shift(Args const& args, AnywhereTile<S> const& tile, std::uint32_t base, int row,
                                      int lane) {
  constexpr int Words = S::window / 4, Each = (Words + 31) / 32;
  std::uint16_t const* at = tile.input(args, row);
  std::uint32_t const to0 = base + row * S::pitch + S::before + 4 * lane;
  int const stages        = tile.pairs / 2;
  for (int t = 0; t < stages; ++t, at += 4 * args.in_y) {
    int const s = t % S::stages;
    Ptx::Mbarrier::wait(base + S::full + 8 * s, (t / S::stages) & 1);
    if (int const words = phase_of_copy<S>(at) / 2; words != 0) {
      std::uint32_t const to = to0 + s * S::stage, from = to + 4 * words;
      std::uint32_t v[Each];
#pragma unroll
      for (int i = 0; i < Each; ++i) v[i] = Ptx::LoadSharedOrdered::run(from + 128 * i);
      __syncwarp();
#pragma unroll
      for (int i = 0; i < Each; ++i) {
        if (32 * i + 31 < Words || lane < Words % 32) Ptx::StoreOperand::run(to + 128 * i, v[i]);
      }
      Ptx::StoreOperand::fence();
      __syncwarp();
    }
    if (lane == 0) Ptx::Mbarrier::arrive(base + S::ready + 8 * s);
  }
}

/// Stores what is left in shared memory for half of the columns: vectors, and at both ends single elements. Returns
/// whether all of it was finite. All wait for this warp unless it keeps pace, hence no branches.
template <class Element, class S>
__device__ bool anywhere_store(Args const& args, AnywhereTile<S> const& tile, std::uint32_t base, int half, int lane) {
  std::uint32_t non_finite[2] = {0, 0};
  std::uint16_t* to           = tile.output(args, 0) + half * S::half;
  std::uint32_t lead          = lead_of_output(to);
  auto const step             = static_cast<std::uint32_t>(args.out_y);
  // Lanes 0 to 15 store the elements before the first and behind the last vector of two rows.
  std::uint32_t const e = lane & 7, my_row = lane >> 3 & 1;
  std::uint16_t* part_to   = to + my_row * args.out_y + e;
  std::uint32_t const mine = base + S::result_at + half * S::results * S::result;
  // Behind the last block there is none.
  std::uint32_t const next = lane < 31 ? 16 : 0;
  int const results        = tile.pairs - (S::pairs - 1);
  for (int v = 0; v < results; ++v) {
    int const s                 = v % S::results;
    std::uint32_t const barrier = base + 8 * (half * S::results + s), at = mine + s * S::result;
    std::uint32_t const leads[2] = {lead, (lead - step) & 7u};
    Ptx::Mbarrier::wait(barrier + S::made, (v / S::results) & 1);
    uint4 four[4];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      uint4 const mask = Ptx::LoadShared::run(base + S::masks + leads[r] * 16);
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        std::uint32_t const from = at + r * (S::result / 2) + i * 512 + lane * 16;
        uint4 const a            = Ptx::LoadShared::run(from);
        uint4 const b            = Ptx::LoadShared::run(from + (i == 0 ? 16 : next));
        four[2 * r + i]          = make_uint4((a.x & mask.x) | (b.x & ~mask.x), (a.y & mask.y) | (b.y & ~mask.y),
                                              (a.z & mask.z) | (b.z & ~mask.z), (a.w & mask.w) | (b.w & ~mask.w));
        non_finite[0]            = Ptx::TimesZeroPlus<Element>::run(a.x, non_finite[0]);
        non_finite[1]            = Ptx::TimesZeroPlus<Element>::run(a.y, non_finite[1]);
        non_finite[0]            = Ptx::TimesZeroPlus<Element>::run(a.z, non_finite[0]);
        non_finite[1]            = Ptx::TimesZeroPlus<Element>::run(a.w, non_finite[1]);
      }
    }
    std::uint32_t const my_lead = my_row == 0 ? leads[0] : leads[1];
    std::uint32_t const block   = e < my_lead ? 0u : S::half / 8 - 1;
    std::uint16_t const one =
        Ptx::LoadSharedHalf::run(at + my_row * (S::result / 2) + block * 16 + ((e - my_lead) & 7u) * 2);
    __syncwarp();
    if (lane == 0) Ptx::Mbarrier::arrive(barrier + S::stored);
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      std::uint16_t* const first = to + r * args.out_y + leads[r] + 8 * lane;
      Ptx::StoreIf::run(first, four[2 * r], 1u);
      Ptx::StoreIf::run(first + 256, four[2 * r + 1], lane < 31 || leads[r] == 0 ? 1u : 0u);
    }
    Ptx::StoreValueIf<std::uint16_t>::run(part_to + block * 8, one, lane < 16 && my_lead != 0 ? 1u : 0u);
    to += 2 * args.out_y;
    part_to += 2 * args.out_y;
    lead = (lead - 2 * step) & 7u;
  }
  return !any_non_finite(non_finite[0] | non_finite[1]);
}

/// A warp of a warpgroup that multiplies. Warp w has the pairs of output rows w modulo 4, so that each step, of a pair
/// of input rows, completes a pair of one warp in one of the sets (of both, if these are halves of the columns), which
/// is written while the other set is multiplied.
template <class Element, class S, bool Scaled>
__device__ __forceinline__ void anywhere_multiply(Args const& args, AnywhereTile<S> const& tile, std::uint32_t base,
                                                  std::uint32_t warp, int lane) {
  constexpr bool Halves = S::pairs == 4;
  std::uint32_t const w = warp % 4, group = warp / 4;
  std::uint32_t a[S::splits][S::pairs][S::products][4];
  {
    // Word d of a kernel row is the coefficients of columns d - band_zero and d - band_zero + 1.
    auto const* const words =
        static_cast<std::uint32_t const*>(args.matrices) + Transform::band_zero - 8 + 2 * (lane & 3);
    std::uint32_t e[2];
    for (int r = 0; r < 2; ++r) e[r] = (lane / 4 + lead_of_output(tile.output(args, 2 * w + r))) & 7u;
#pragma unroll
    for (int i = 0; i < S::pairs; ++i) {
      int const pair = static_cast<int>((i - w) % S::pairs);
      int phase[2];
      for (int r = 0; r < 2; ++r) phase[r] = phase_of_input<S>(tile.input(args, 2 * i + r));
      // Of row r of the pair, for row o of the outputs, from column k of the window on.
      auto const load = [&](int split, int r, int o, int k) {
        int const row = split * (S::rows + 2) + 2 * pair + r - o + 1;
        return __ldg(words + (row * Transform::band_words + k - phase[r] - static_cast<int>(e[o])));
      };
#pragma unroll
      for (int split = 0; split < S::splits; ++split) {
#pragma unroll
        for (int p = 0; p < S::products; ++p) {
#pragma unroll
          for (int n = 0; n < 4; ++n) {
            int const o = n % 2, k = n / 2;
            a[split][i][p][n] = p < 2 ? load(split, p, o, 8 * k) : load(split, k, o, 16);
          }
        }
      }
    }
  }
  float sum[2][32];
#pragma unroll
  for (int i = 0; i < 32; ++i) sum[0][i] = sum[1][i] = 0.0f;
  // Hidden from the compiler, which would otherwise load 32 such constants.
  float zero = 0.0f;
  Ptx::WgmmaGroup::keep(zero);

  std::uint32_t const rows = (base + group * (S::row / 2) + S::before) / 16;
  auto const products      = [&](int set, int step, std::uint32_t pair) {
    std::uint64_t const blocks = std::uint64_t(128 / 16) << 32;
    std::uint32_t const at     = pair + (Halves ? set * (S::row / 2 / 16) : 0);
#pragma unroll
    for (int split = 0; split < S::splits; ++split) {
      auto const& m = a[split][(step + (Halves ? 0 : 4 * set)) % S::pairs];
#pragma unroll
      for (int p = 0; p < S::products; ++p) {
        std::uint32_t const next = S::pitch / 16;
        Ptx::Wgmma<Element>::run(sum[set], make_uint4(m[p][0], m[p][1], m[p][2], m[p][3]),
                                 blocks | (at +
                                           (p == 1   ? next
                                            : p == 2 ? 2
                                                     : 0) +
                                           ((p == 2 ? next : 1u) << 16)));
      }
    }
  };
  std::uint32_t const matrix = base + S::result_at + group * S::results * S::result +
                               (lane >> 3 & 1) * (S::result / 2) + (lane >> 4) * 128 + (lane & 7) * 16;
  // Called after the products of a pair of input rows: leaves the pair of output rows that they complete, if it is in
  // the tile. A turn of eight steps has two rounds of four results, so that places and parities do not depend on it.
  static_assert(S::results == 4 && S::stages == 8, "");
  std::uint32_t const barriers = base + 8 * group * S::results;
  int turn                     = 0;
  auto const finish            = [&](int set, int step) {
    std::uint32_t const which = (step + 1) % 4;
#pragma unroll
    for (int i = 0; i < 32; ++i) Ptx::WgmmaGroup::keep(sum[set][i]);
    if (w == which && (turn > 0 || step >= S::pairs - 1)) {
      int const s                 = static_cast<int>(which) + (Halves ? set * S::results : 0);
      std::uint32_t const barrier = barriers + 8 * s;
      // Before the first round it is as if one had ended.
      Ptx::Mbarrier::wait(barrier + S::stored, ((step + 9 - S::pairs) / 4 + 1) & 1);
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
  auto const release = [&](int slot) {
    if (lane == 0) Ptx::Mbarrier::arrive(base + S::free + 8 * slot);
  };

  // A turn is eight pairs of input rows, which are four stages, half of the ring. It waits for its last products: the
  // compiler does not see that products under way at the end of a loop are waited for after its beginning.
  for (int const turns = tile.pairs / 8; turn < turns; ++turn) {
    int const slot            = turn % 2 * 4;
    std::uint32_t const round = turn / 2 & 1, here = rows + slot * (S::stage / 16);
#pragma unroll
    for (int b = 0; b < 8; ++b) {
      // The set that this step completes, or the first of both.
      int const one            = Halves || b < 3 || b == 7 ? 0 : 1;
      std::uint32_t const pair = here + b / 2 * (S::stage / 16) + b % 2 * (2 * S::pitch / 16);
      if (b % 2 == 0) Ptx::Mbarrier::wait(base + (S::shifts ? S::ready : S::full) + 8 * (slot + b / 2), round);
      Ptx::WgmmaGroup::begin();
      products(one, b, pair);
      Ptx::WgmmaGroup::end();
      if (Halves && b > 0) {
        Ptx::WgmmaGroup::wait<1>();
        finish(1, b - 1);
        if (b % 2 == 0) release(slot + b / 2 - 1);
      }
      Ptx::WgmmaGroup::begin();
      products(1 - one, b, pair);
      Ptx::WgmmaGroup::end();
      Ptx::WgmmaGroup::wait<1>();
      if (!Halves && b > 0 && b % 2 == 0) release(slot + b / 2 - 1);
      finish(one, b);
    }
    Ptx::WgmmaGroup::wait<0>();
    if (Halves) finish(1, 7);
    release(slot + 3);
  }
}

/// Finds its tile again instead of being told: kept in registers until the end, it would be spilled.
template <class Element, class S, bool Scaled>
__device__ __noinline__ void fix_anywhere(Args const& args, unsigned char* shared) {
  AnywhereTile<S> const tile(args);
  std::uint32_t const warp = threadIdx.x / 32;
  int const lane           = static_cast<int>(threadIdx.x % 32);
  for (int i = static_cast<int>(warp); i < wgmma_columns / warp_outputs; i += S::multiplies) {
    std::int32_t const x = tile.x + i * warp_outputs;
    if (Scaled) {
      auto* const patch = reinterpret_cast<float*>(shared + warp * (S::result_at / S::multiplies));
      fix_sweeps<Element>(args, x, tile.y, tile.z, args.height, lane, patch);
    } else {
      fix_non_finite<Element>(args, x, tile.y, tile.z, args.height, lane);
    }
  }
}

template <class Element, class S, bool Scaled>
__global__ void __launch_bounds__(S::threads, S::blocks) wgmma_anywhere(__grid_constant__ Args const args) {
  extern __shared__ __align__(1024) unsigned char wgmma_shared[];
  Ptx::GridDependency::signal();
  auto const warp        = static_cast<std::uint32_t>(__shfl_sync(0xffffffffu, threadIdx.x / 32, 0));
  int const lane         = static_cast<int>(threadIdx.x % 32);
  auto const base        = static_cast<std::uint32_t>(__cvta_generic_to_shared(wgmma_shared));
  auto* const not_finite = reinterpret_cast<std::uint32_t*>(wgmma_shared + S::flag);
  AnywhereTile<S> const tile(args);
  if (threadIdx.x == 0) {
    for (int s = 0; s < S::stages; ++s) {
      Ptx::Mbarrier::init(base + S::full + 8 * s, 4);
      Ptx::Mbarrier::init(base + S::free + 8 * s, S::multiplies);
      Ptx::Mbarrier::init(base + S::ready + 8 * s, 4);
    }
    for (int s = 0; s < 2 * S::results; ++s) {
      Ptx::Mbarrier::init(base + S::made + 8 * s, 1);
      Ptx::Mbarrier::init(base + S::stored + 8 * s, 1);
    }
    *not_finite = 0;
  }
  // Which elements of a vector of results come from the first of two blocks, for each lead.
  if (threadIdx.x >= 32 && threadIdx.x < 64) {
    int const own = 8 - lane / 4, at = 2 * (lane % 4);
    reinterpret_cast<std::uint32_t*>(wgmma_shared + S::masks)[lane] =
        (at < own ? 0x0000ffffu : 0u) | (at + 1 < own ? 0xffff0000u : 0u);
  }
  // Memory that no copy writes is multiplied by zero, so it must hold finite values.
  if (tile.x < 16 || tile.x + wgmma_columns + 32 > args.columns) {
    for (int i = static_cast<int>(threadIdx.x); i < S::result_at / 16; i += S::threads) {
      reinterpret_cast<uint4*>(wgmma_shared)[i] = make_uint4(0, 0, 0, 0);
    }
  }
  Ptx::CopyBulk::fence();
  __syncthreads();
  if (warp >= S::multiplies) {
    Ptx::Registers::give_back<S::move_registers>();
    if (warp == S::multiplies) {
      if (lane < 4) anywhere_fetch<S>(args, tile, base, lane);
    } else if (warp <= S::multiplies + S::stores) {
      if (!anywhere_store<Element, S>(args, tile, base, static_cast<int>(warp) - S::multiplies - 1, lane)) {
        *not_finite = 1;
      }
      Ptx::NamedBarrier::wait<1, (S::multiplies + S::stores) * 32>();
    } else if (S::shifts && warp >= S::multiplies + 4) {
      anywhere_shift<S>(args, tile, base, static_cast<int>(warp) - S::multiplies - 4, lane);
    }
  } else {
    Ptx::Registers::take<S::multiply_registers>();
    anywhere_multiply<Element, S, Scaled>(args, tile, base, warp, lane);
    Ptx::NamedBarrier::wait<1, (S::multiplies + S::stores) * 32>();
    if (*const_cast<std::uint32_t volatile*>(not_finite) != 0) fix_anywhere<Element, S, Scaled>(args, wgmma_shared);
  }
}

}  // namespace SparseTensor
}  // namespace Cuda
}  // namespace KokkosStencil
