// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Memory.hpp"

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#include <cuda.h>
#include <cuda_runtime_api.h>
#endif

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace KokkosStencil {
namespace Fuzz {

/// Memory that Kokkos copies to and from; allocated by Kokkos, with nothing forbidden around it.
template <class Space>
class SpaceMemory : public Memory {
  using Bytes  = Kokkos::View<char*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Mirror = Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Source = Kokkos::View<char const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  explicit SpaceMemory(std::size_t bytes) : m_view("KokkosStencil::Fuzz", bytes) {
    m_begin = m_view.data();
    m_end   = m_begin + bytes;
  }
  void put(char* to, char const* from, std::size_t bytes) const override {
    if (bytes > 0) Kokkos::deep_copy(Bytes(to, bytes), Source(from, bytes));
  }
  void get(char* to, char const* from, std::size_t bytes) const override {
    if (bytes > 0) Kokkos::deep_copy(Mirror(to, bytes), Bytes(const_cast<char*>(from), bytes));
  }

 private:
  Kokkos::View<char*, Space> m_view;
};

#ifdef KOKKOS_ENABLE_CUDA
/// Memory of the CUDA device between addresses that are reserved and never mapped.
class CudaMemory final : public SpaceMemory<Kokkos::CudaSpace> {
 public:
  explicit CudaMemory(std::size_t bytes) : SpaceMemory(0) {
    int device = 0;
    expect(cudaGetDevice(&device) == cudaSuccess, "cudaGetDevice");
    CUmemAllocationProp what{};
    what.type          = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    what.location.id   = device;
    std::size_t grain  = 0;
    call<decltype(&cuMemGetAllocationGranularity)>("cuMemGetAllocationGranularity", &grain, &what,
                                                   CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    std::size_t const inner = (bytes + grain - 1) / grain * grain;
    std::size_t const fence = 4 * grain;
    CUdeviceptr all         = 0;
    CUmemGenericAllocationHandle handle{};
    call<decltype(&cuMemAddressReserve)>("cuMemAddressReserve", &all, inner + 2 * fence, std::size_t(0), CUdeviceptr(0),
                                         0ULL);
    call<decltype(&cuMemCreate)>("cuMemCreate", &handle, inner, &what, 0ULL);
    call<decltype(&cuMemMap)>("cuMemMap", all + fence, inner, std::size_t(0), handle, 0ULL);
    CUmemAccessDesc access{};
    access.location = what.location;
    access.flags    = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    call<decltype(&cuMemSetAccess)>("cuMemSetAccess", all + fence, inner, &access, std::size_t(1));
    m_begin = reinterpret_cast<char*>(all + fence);
    m_end   = m_begin + inner;
  }

 private:
  static void expect(bool well, char const* what) {
    if (!well) throw std::runtime_error(std::string(what) + " failed");
  }
  /// Calls a function of the driver, which nothing is linked to. What it makes goes with the process.
  template <class F, class... Arguments>
  static void call(char const* name, Arguments... arguments) {
    void* found = nullptr;
    cudaDriverEntryPointQueryResult status{};
    expect(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &status) == cudaSuccess &&
               found != nullptr,
           name);
    expect(reinterpret_cast<F>(found)(arguments...) == CUDA_SUCCESS, name);
  }
};
#endif

/// Memory for Views of an execution space.
template <class Space>
std::unique_ptr<Memory> make_memory(std::size_t bytes) {
  if constexpr (std::is_same<Space, Kokkos::HostSpace>::value) {
    return make_host_memory(bytes);
#ifdef KOKKOS_ENABLE_CUDA
  } else if constexpr (std::is_same<Space, Kokkos::CudaSpace>::value) {
    return std::make_unique<CudaMemory>(bytes);
#endif
  } else {
    return std::make_unique<SpaceMemory<Space>>(bytes);
  }
}

}  // namespace Fuzz
}  // namespace KokkosStencil
