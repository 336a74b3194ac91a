// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

namespace KokkosStencil {
namespace Test {

inline void check(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

/// Keeps a stream busy until the host says so, or for some seconds if it never does.
template <class Flag>
__global__ void wait_for(Flag volatile* flag) {
  long long const start = clock64();
  while (*flag == 0 && clock64() - start < 10000000000LL) {
  }
}

/// A stream of its own, which can be kept busy.
class HeldStream {
 public:
  HeldStream() {
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&m_waited, cudaEventDisableTiming));
    check(cudaHostAlloc(&m_flag, sizeof(int), cudaHostAllocMapped));
  }
  ~HeldStream() {
    release();
    check(cudaStreamSynchronize(m_stream));
    check(cudaFreeHost(m_flag));
    check(cudaEventDestroy(m_waited));
    check(cudaStreamDestroy(m_stream));
  }
  HeldStream(HeldStream const&)            = delete;
  HeldStream& operator=(HeldStream const&) = delete;

  cudaStream_t get() const { return m_stream; }
  void wait() const { check(cudaStreamSynchronize(m_stream)); }

  void hold() {
    *m_flag     = 0;
    int* mapped = nullptr;
    check(cudaHostGetDevicePointer(&mapped, m_flag, 0));
    wait_for<<<1, 1, 0, m_stream>>>(mapped);
    check(cudaEventRecord(m_waited, m_stream));
  }
  /// Whether the stream is still waiting: behind a fence it would have run out of patience.
  bool held() const { return cudaEventQuery(m_waited) == cudaErrorNotReady; }
  void release() { *const_cast<int volatile*>(m_flag) = 1; }

 private:
  cudaStream_t m_stream = nullptr;
  cudaEvent_t m_waited  = nullptr;
  int* m_flag           = nullptr;
};

}  // namespace Test
}  // namespace KokkosStencil
