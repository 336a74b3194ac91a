// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <KokkosStencil_Backend.hpp>
#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_Dispatch.hpp>
#include <impl/KokkosStencil_Fields.hpp>
#include <impl/KokkosStencil_FunctorCells.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

// What sweeps by cells reduce. Each warp joins what its threads found and leaves it in memory; a second kernel joins
// what the warps left. Kokkos' teams join their results one after another, which takes longer the more teams there are,
// and warps that wait for their block's others read nothing.

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
/// The same for values that stand apart.
template <int I = 0, class Reducers, class Values, class Value, class... Others>
KOKKOS_FORCEINLINE_FUNCTION void join_apart(Reducers const& reducers, Values const& other, Value& value,
                                            Others&... others) {
  pack_get<I>(reducers).join(value, other.value);
  if constexpr (!Values::last) join_apart<I + 1>(reducers, other.rest, others...);
}

/// Blocks of the sweep that a block here does, those `gridDim.x` apart, and where it leaves what it found.
template <class Kernel, class... Reducers>
struct SumKernel {
  using Values = SumValues<Reducers...>;
  /// Values of other kinds, and larger ones, are left to Kokkos.
  static constexpr bool possible = std::is_trivially_copyable<Values>::value && sizeof(Values) <= 64;
  static constexpr int warps     = Kernel::threads / warp_threads;
  Kernel kernel;
  Pack<Reducers...> reducers;
  Values* found;
  std::uint32_t blocks;

#ifdef __CUDACC__
  __device__ void run() const {
    Values mine;
    init_values(reducers, mine);
    for (std::uint32_t b = blockIdx.x; b < blocks; b += gridDim.x) sweep(b, mine);
    for (int lanes = warp_threads / 2; lanes > 0; lanes /= 2) join_values(reducers, mine, of_lane(mine, lanes));
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
  /// What the lane found that is so many lanes further.
  static __device__ Values of_lane(Values const& mine, int lanes) {
    constexpr int words  = (sizeof(Values) + 3) / 4;
    unsigned word[words] = {};
    memcpy(word, &mine, sizeof(Values));
    for (unsigned& w : word) w = __shfl_down_sync(0xffffffffu, w, static_cast<unsigned>(lanes));
    Values other;
    memcpy(&other, word, sizeof(Values));
    return other;
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

/// Joins what the warps left.
template <class... Reducers>
struct JoinFound {
  Pack<Reducers...> reducers;
  SumValues<Reducers...> const* found;
  KOKKOS_FUNCTION void operator()(std::int64_t w, typename Reducers::value_type&... values) const {
    join_apart(reducers, found[w], values...);
  }
};

/// Device memory of a stream for what warps find, until Kokkos is finalized. A sweep holds the lock until the kernel
/// that reads it is enqueued.
class SumsMemory {
 public:
  static SumsMemory& of(Kokkos::Cuda const& space) {
    struct All {
      std::mutex mutex;
      std::map<std::pair<int, cudaStream_t>, std::unique_ptr<SumsMemory>> known;
      bool hooked = false;
    };
    static All all;
    std::lock_guard<std::mutex> const lock(all.mutex);
    if (!all.hooked) {
      all.hooked = true;
      Kokkos::push_finalize_hook([] {
        std::lock_guard<std::mutex> const guard(all.mutex);
        all.known.clear();
        all.hooked = false;
      });
    }
    auto& memory = all.known[{space.cuda_device(), space.cuda_stream()}];
    if (memory == nullptr) memory.reset(new SumsMemory(space.cuda_device()));
    return *memory;
  }
  ~SumsMemory() {
    CurrentDevice const current(m_device);
    cudaFree(m_memory);
  }
  SumsMemory(SumsMemory const&)            = delete;
  SumsMemory& operator=(SumsMemory const&) = delete;

  std::mutex& mutex() { return m_mutex; }
  /// Null where there is too little, or a capture is under way: when it is replayed the memory may be gone.
  void* bytes(std::size_t count, Kokkos::Cuda const& space) {
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(space.cuda_stream(), &capturing);
    if (capturing != cudaStreamCaptureStatusNone) return nullptr;
    if (count <= m_bytes) return m_memory;
    CurrentDevice const current(m_device);
    // Captures of other threads do not mind.
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&mode);
    cudaFree(m_memory);  // waits for kernels that use it
    m_memory = nullptr;
    m_bytes  = 0;
    if (cudaMalloc(&m_memory, std::max(count, least_bytes)) == cudaSuccess) {
      m_bytes = std::max(count, least_bytes);
    } else {
      cudaGetLastError();
      m_memory = nullptr;
    }
    cudaThreadExchangeStreamCaptureMode(&mode);
    return m_memory;
  }

 private:
  static constexpr std::size_t least_bytes = std::size_t(1) << 20;

  explicit SumsMemory(int device) : m_device(device) {}

  std::mutex m_mutex;
  int m_device;
  void* m_memory      = nullptr;
  std::size_t m_bytes = 0;
};

/// Sweeps by `blocks` blocks and reduces; false if Kokkos' teams have to.
template <class Kernel, class... Reducers>
bool launch_sums(std::string const& label, Kokkos::Cuda const& space, Kernel const& kernel, std::uint32_t blocks,
                 Reducers const&... reducers) {
  using Sums = SumKernel<Kernel, Reducers...>;
  if constexpr (!Sums::possible || sizeof(Sums) > most_arguments) {
    return false;
  } else {
    constexpr std::uint32_t most_blocks = 1 << 16;
    std::uint32_t const each = 1 + (blocks - 1) / most_blocks, count = (blocks + each - 1) / each;
    std::size_t const warps = std::size_t(count) * Sums::warps;
    SumsMemory& memory      = SumsMemory::of(space);
    std::lock_guard<std::mutex> const lock(memory.mutex());
    auto* const found = static_cast<typename Sums::Values*>(memory.bytes(warps * sizeof(typename Sums::Values), space));
    if (found == nullptr) return false;
    {
      CurrentDevice const current(space.cuda_device());
      ToolsRegion const region(make_launch(label, space), true);
      launch_kernel(label, &sweep_sums<Sums, Kernel>, Sums{kernel, Pack<Reducers...>(reducers...), found, blocks},
                    count, Kernel::threads, 0, space);
    }
    Kokkos::parallel_reduce(label + ": results", Kokkos::RangePolicy<Kokkos::Cuda>(space, 0, warps),
                            JoinFound<Reducers...>{Pack<Reducers...>(reducers...), found}, reducers...);
    return true;
  }
}

}  // namespace Impl
}  // namespace KokkosStencil

#endif
