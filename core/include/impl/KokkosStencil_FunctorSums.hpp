// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>
#include <impl/KokkosStencil_SumsMemory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <string>
#include <type_traits>

// What sweeps by cells reduce. Each warp joins what its threads found and leaves it in memory; a second kernel joins
// what the warps left. Kokkos' teams join their results one after another, which takes longer the more teams there are,
// and warps that wait, for their block's others or until memory has what they wrote, read nothing.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// What a thread found: a value for each reducer.
template <class Reducer, class... Rest>
struct SumValues {
  static constexpr bool last = false;
  typename Reducer::value_type value;
  SumValues<Rest...> rest;
};
template <class Reducer>
struct SumValues<Reducer> {
  static constexpr bool last = true;
  typename Reducer::value_type value;
};

template <int I = 0, class Reducers, class Values>
KOKKOS_FORCEINLINE_FUNCTION void init_values(Reducers const& reducers, Values& v) {
  pack_get<I>(reducers).init(v.value);
  if constexpr (!Values::last) init_values<I + 1>(reducers, v.rest);
}
template <int I = 0, class Reducers, class Values>
KOKKOS_FORCEINLINE_FUNCTION void join_values(Reducers const& reducers, Values& v, Values const& other) {
  pack_get<I>(reducers).join(v.value, other.value);
  if constexpr (!Values::last) join_values<I + 1>(reducers, v.rest, other.rest);
}
template <int I = 0, class Reducers, class Values>
KOKKOS_FORCEINLINE_FUNCTION void set_results(Reducers const& reducers, Values const& v) {
  pack_get<I>(reducers).reference() = v.value;
  if constexpr (!Values::last) set_results<I + 1>(reducers, v.rest);
}

/// Whether a reducer changes what it joined before that is the result.
template <class Reducer, class = void>
struct HasFinal : std::false_type {};
template <class Reducer>
struct HasFinal<Reducer, std::void_t<decltype(&Reducer::final)>> : std::true_type {};

#ifdef __CUDACC__
/// What the lane found that is so many lanes further.
template <class Values>
__device__ Values of_lane(Values const& mine, int lanes) {
  constexpr int words  = (sizeof(Values) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &mine, sizeof(Values));
  for (unsigned& w : word) w = __shfl_down_sync(0xffffffffu, w, static_cast<unsigned>(lanes));
  Values other;
  memcpy(&other, word, sizeof(Values));
  return other;
}
/// Joins what the lanes of a warp found; the first one has it.
template <class Reducers, class Values>
__device__ void join_lanes(Reducers const& reducers, Values& mine) {
  for (int lanes = warp_threads / 2; lanes > 0; lanes /= 2) join_values(reducers, mine, of_lane(mine, lanes));
}
#endif

/// Blocks of the sweep that a block here does, those `gridDim.x` apart, and where it leaves what it found.
template <class Kernel, class... Reducers>
struct SumKernel {
  using Values               = SumValues<Reducers...>;
  static constexpr int warps = Kernel::threads / warp_threads;
  Kernel kernel;
  Pack<Reducers...> reducers;
  Values* found;
  std::uint32_t blocks;

#ifdef __CUDACC__
  __device__ void run() const {
    Values mine;
    init_values(reducers, mine);
    for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) sweep(b, mine);
    join_lanes(reducers, mine);
    if (threadIdx.x % warp_threads == 0) found[blockIdx.x * warps + threadIdx.x / warp_threads] = mine;
  }

 private:
  template <class Rest, class... Sums>
  __device__ void sweep(std::uint32_t b, Rest& values, Sums&... sums) const {
    if constexpr (Rest::last) {
      kernel.block(b, static_cast<int>(threadIdx.x), sums..., values.value);
    } else {
      sweep(b, values.rest, sums..., values.value);
    }
  }
#endif
};
template <class Sums, class Kernel>
__global__ void __launch_bounds__(Kernel::threads, Kernel::resident_sums)
    sweep_sums(__grid_constant__ Sums const sums) {
#ifdef __CUDA_ARCH__
  sums.run();
#endif
}

/// Joins what the warps left: each block a part, and the one that comes last what the blocks left.
template <class... Reducers>
struct JoinSums {
  using Values = SumValues<Reducers...>;
  static constexpr bool on_device =
      (Kokkos::SpaceAccessibility<Kokkos::Cuda, typename Reducers::result_view_type::memory_space>::accessible && ...);
  static constexpr bool on_host =
      (Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Reducers::result_view_type::memory_space>::accessible &&
       ...);
  /// Values of other kinds, larger ones, and some results here and others there are left to Kokkos.
  static constexpr bool possible = std::is_trivially_copyable<Values>::value &&
                                   sizeof(Values) <= SumsMemory::most_bytes && !(HasFinal<Reducers>::value || ...) &&
                                   (on_device || on_host);
  static constexpr int threads = 256, warps = threads / warp_threads;
  static constexpr std::uint32_t most_blocks = 128;
  /// Blocks for so many values: eight a thread, as long as there are enough.
  static std::uint32_t blocks_for(std::uint32_t count) {
    return std::min(1 + (count - 1) / (8 * threads), most_blocks);
  }
  Pack<Reducers...> reducers;
  Values const* found;
  std::uint32_t count;
  Values* by_block;
  unsigned* done;  ///< blocks that are
  Values* result;  ///< for the host; none: the reducers know where it belongs

#ifdef __CUDACC__
  __device__ void run() const {
    __shared__ alignas(Values) unsigned char memory[warps * sizeof(Values)];
    auto* const by_warp = reinterpret_cast<Values*>(memory);
    unsigned const lane = threadIdx.x % warp_threads, warp = threadIdx.x / warp_threads;
    Values mine = joined(found, blockIdx.x * threads + threadIdx.x, count, gridDim.x * threads);
    if (lane == 0) by_warp[warp] = mine;
    __syncthreads();
    if (warp > 0) return;
    mine = joined(by_warp, lane, warps, warp_threads);
    if (gridDim.x > 1) {
      unsigned before = 0;
      if (lane == 0) {
        by_block[blockIdx.x] = mine;
        __threadfence();
        before = atomicAdd(done, 1u);
      }
      if (__shfl_sync(0xffffffffu, before, 0) != gridDim.x - 1) return;
      __threadfence();
      if (lane == 0) *done = 0;
      mine = joined(by_block, lane, gridDim.x, warp_threads);
    }
    if (lane > 0) return;
    if (result != nullptr) {
      *result = mine;
    } else {
      set_results(reducers, mine);
    }
  }

 private:
  /// What lies at these places, joined by a warp; its first lane has it.
  __device__ Values joined(Values const* values, unsigned first, unsigned end, unsigned step) const {
    Values mine;
    init_values(reducers, mine);
    for (unsigned k = first; k < end; k += step) join_values(reducers, mine, values[k]);
    join_lanes(reducers, mine);
    return mine;
  }
#endif
};
template <class Join>
__global__ void __launch_bounds__(Join::threads) join_sums(__grid_constant__ Join const join) {
#ifdef __CUDA_ARCH__
  join.run();
#endif
}

/// Blocks that leave what they found; where a sweep has more, each does several of them.
constexpr std::uint32_t most_sum_blocks = 1 << 16;

/// Sweeps by `blocks` blocks and reduces; false if Kokkos' teams have to: in a capture, and before one may come, so
/// that they have the memory, `kokkos_bytes`, which is needed then.
template <class Kernel, class... Reducers>
bool launch_sums(std::string const& label, Kokkos::Cuda const& space, Kernel const& kernel, std::uint32_t blocks,
                 std::size_t kokkos_bytes, Reducers const&... reducers) {
  using Sums = SumKernel<Kernel, Reducers...>;
  using Join = JoinSums<Reducers...>;
  if constexpr (!Join::possible || sizeof(Sums) > most_arguments) {
    return false;
  } else {
    using Values             = typename Sums::Values;
    std::uint32_t const each = 1 + (blocks - 1) / most_sum_blocks, count = (blocks + each - 1) / each;
    std::uint32_t const warps = count * Sums::warps;
    SumsMemory& memory        = SumsMemory::of(space);
    std::lock_guard<std::mutex> const lock(memory.mutex());
    if (!memory.kokkos_has(kokkos_bytes, space)) return false;
    if (!memory.has((std::size_t(warps) + Join::most_blocks) * sizeof(Values), space)) return false;
    Pack<Reducers...> const all(reducers...);
    auto* const found   = static_cast<Values*>(memory.bytes());
    auto* const on_host = static_cast<Values*>(memory.on_host());
    {
      CurrentDevice const current(space.cuda_device());
      ToolsRegion const region(make_launch(label, space), true);
      launch_kernel(label, &sweep_sums<Sums, Kernel>, Sums{kernel, all, found, blocks}, count, Kernel::threads,
                    Kernel::shared_bytes, space);
      launch_kernel(label, &join_sums<Join>,
                    Join{all, found, warps, found + warps, memory.count(), Join::on_device ? nullptr : on_host},
                    Join::blocks_for(warps), Join::threads, 0, space);
    }
    if (Join::on_device && !(reducers.references_scalar() || ...)) return true;
    space.fence();
    if constexpr (!Join::on_device) set_results(all, *on_host);
    return true;
  }
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
