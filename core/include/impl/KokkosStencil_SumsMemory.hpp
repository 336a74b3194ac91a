// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <impl/KokkosStencil_CudaLaunch.hpp>
#include <impl/KokkosStencil_Finalize.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

// Memory for what warps of a sweep find, for each stream.

#ifdef KOKKOSSTENCIL_IMPL_VECTORS

namespace KokkosStencil {
namespace Impl {

/// Memory of a stream for what its sweeps reduce, until Kokkos is finalized. A sweep holds the lock until its kernel is
/// enqueued, and where the host has to see the result until it has.
class SumsMemory {
 public:
  /// Bytes of a result.
  static constexpr std::size_t most_bytes = 64;

  static SumsMemory& of(Kokkos::Cuda const& space) {
    struct All {
      std::mutex mutex;
      std::map<std::pair<int, cudaStream_t>, std::unique_ptr<SumsMemory>> known;
      bool hooked = false;
    };
    // Kokkos may be finalized when static objects are gone.
    static All& all = *new All;
    std::lock_guard<std::mutex> const lock(all.mutex);
    if (!all.hooked) {
      all.hooked = true;
      at_finalize([] {
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
    cudaFree(m_count);
    cudaFreeHost(m_on_host);
  }
  SumsMemory(SumsMemory const&)            = delete;
  SumsMemory& operator=(SumsMemory const&) = delete;

  std::mutex& mutex() { return m_mutex; }
  /// Whether Kokkos has reduced so many bytes on this instance. Where a capture follows it takes our place, and cannot
  /// allocate what it needs for that.
  bool kokkos_has(std::size_t bytes, Kokkos::Cuda const& space) const {
    return bytes == 0 || (bytes <= m_kokkos_bytes && m_instance == space.impl_instance_id());
  }
  void note_kokkos(std::size_t bytes, Kokkos::Cuda const& space) {
    std::lock_guard<std::mutex> const lock(m_mutex);
    if (kokkos_has(bytes, space)) return;
    m_instance     = space.impl_instance_id();
    m_kokkos_bytes = bytes;
  }
  /// Whether there is so much device memory; not while a capture is under way: when it is replayed the memory may be
  /// gone.
  bool has(std::size_t bytes, Kokkos::Cuda const& space) {
    if (captures(space.cuda_stream())) return false;
    if (m_count != nullptr && bytes <= m_bytes) return true;
    CurrentDevice const current(m_device);
    RelaxedCapture const relaxed;
    cudaFree(m_count);  // waits for kernels that use it
    m_count               = nullptr;
    std::size_t const all = std::max(bytes, least_bytes);
    bool const done       = (m_on_host != nullptr || cudaMallocHost(&m_on_host, most_bytes) == cudaSuccess) &&
                      cudaMalloc(&m_count, count_bytes + all) == cudaSuccess &&
                      cudaMemsetAsync(m_count, 0, count_bytes, space.cuda_stream()) == cudaSuccess;
    if (done) {
      m_bytes = all;
    } else {
      cudaGetLastError();
      cudaFree(m_count);
      m_count = nullptr;
    }
    return done;
  }
  /// Kernels find it zero and leave it zero.
  unsigned* count() const { return static_cast<unsigned*>(m_count); }
  void* bytes() const { return static_cast<char*>(m_count) + count_bytes; }
  /// Where a kernel leaves a result that the host reads.
  void* on_host() const { return m_on_host; }

 private:
  static constexpr std::size_t least_bytes = std::size_t(1) << 20;
  static constexpr std::size_t count_bytes = 256;  // so that what follows is aligned

  explicit SumsMemory(int device) : m_device(device) {}

  std::mutex m_mutex;
  int m_device;
  void* m_count       = nullptr;
  void* m_on_host     = nullptr;
  std::size_t m_bytes = 0;

  std::uint32_t m_instance   = 0;
  std::size_t m_kokkos_bytes = 0;
};

}  // namespace Impl
}  // namespace KokkosStencil

#endif
