// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceClock.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <stdexcept>

namespace perf {

namespace {

void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

/// In memory of the host that the device sees.
struct Gate {
  int open;       ///< written by the host
  int timed_out;  ///< written by the kernel: it did not wait any longer
};

constexpr unsigned long long longest_wait = 20'000'000;  // ns; without an end a full queue would hang

__global__ void wait_at(Gate* gate) {
  unsigned long long begin, time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  while (*static_cast<int volatile*>(&gate->open) == 0) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    if (time - begin > longest_wait) {
      gate->timed_out = 1;
      return;
    }
  }
}

class CudaClock : public DeviceClock {
 public:
  CudaClock() {
    require(cudaHostAlloc(&m_gate, sizeof(Gate), cudaHostAllocMapped));
    require(cudaEventCreate(&m_begin));
    require(cudaEventCreate(&m_end));
  }
  ~CudaClock() override {
    cudaEventDestroy(m_end);
    cudaEventDestroy(m_begin);
    cudaFreeHost(m_gate);
  }
  CudaClock(CudaClock const&)            = delete;
  CudaClock& operator=(CudaClock const&) = delete;

  double seconds(int runs, std::function<void()> const& run) override {
    // Candidates run in the stream of the default space.
    cudaStream_t const stream = Kokkos::Cuda().cuda_stream();
    m_gate->open              = 0;
    m_gate->timed_out         = 0;
    wait_at<<<1, 1, 0, stream>>>(m_gate);
    require(cudaGetLastError());
    require(cudaEventRecord(m_begin, stream));
    try {
      for (int i = 0; i < runs; ++i) run();
    } catch (...) {
      open();
      throw;
    }
    require(cudaEventRecord(m_end, stream));
    open();
    require(cudaEventSynchronize(m_end));
    if (m_gate->timed_out != 0) return 0.0;
    float ms = 0.0f;
    require(cudaEventElapsedTime(&ms, m_begin, m_end));
    return 1e-3 * static_cast<double>(ms) / runs;
  }

 private:
  void open() { *static_cast<int volatile*>(&m_gate->open) = 1; }

  Gate* m_gate        = nullptr;
  cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

}  // namespace

DeviceClock* DeviceClock::instance() {
  static std::unique_ptr<CudaClock> clock;
  if (clock == nullptr) {
    clock = std::make_unique<CudaClock>();
    Kokkos::push_finalize_hook([] { clock.reset(); });
  }
  return clock.get();
}

}  // namespace perf
