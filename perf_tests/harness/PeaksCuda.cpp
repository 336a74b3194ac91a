// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Peaks.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <stdexcept>

namespace perf {
namespace Impl {

namespace {

void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

template <class T>
__global__ void fma_chains(T* out, T b, T c, int rounds) {
  constexpr int chains = 16;
  T a[chains];
  for (int k = 0; k < chains; ++k) a[k] = static_cast<T>(threadIdx.x + k);
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
#pragma unroll
      for (int k = 0; k < chains; ++k) a[k] = a[k] * b + c;
    }
  }
  T sum = 0;
  for (int k = 0; k < chains; ++k) sum += a[k];
  if (sum == static_cast<T>(-12345)) out[0] = sum;  // never: keeps the chains alive
}

struct Shape {
  int blocks, threads;
};

Shape whole_device() {
  int device = 0, multiprocessors = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  return {multiprocessors * 4, 256};
}

/// FLOP/s of a launch that does `flops`; the best of a few.
template <class Launch>
double rate(double flops, Launch const& launch) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin));
  require(cudaEventCreate(&end));
  double best = 0.0;
  launch();
  for (int attempt = 0; attempt < 5; ++attempt) {
    require(cudaEventRecord(begin));
    launch();
    require(cudaEventRecord(end));
    require(cudaEventSynchronize(end));
    require(cudaGetLastError());
    float ms = 0.0f;
    require(cudaEventElapsedTime(&ms, begin, end));
    best = std::max(best, flops / (1e-3 * static_cast<double>(ms)));
  }
  require(cudaEventDestroy(begin));
  require(cudaEventDestroy(end));
  return best;
}

template <class T>
double fma_rate() {
  Shape const shape    = whole_device();
  constexpr int rounds = 2000;
  double const flops   = 2.0 * 16 * 8 * rounds * shape.blocks * shape.threads;
  T* out               = nullptr;
  require(cudaMalloc(&out, sizeof(T)));
  double const result = rate(flops, [&] {
    fma_chains<T><<<shape.blocks, shape.threads>>>(out, static_cast<T>(0.999), static_cast<T>(0.001), rounds);
  });
  require(cudaFree(out));
  return result;
}

}  // namespace

std::vector<Peak> device_compute_peaks() {
  std::vector<Peak> peaks;
  peaks.push_back({"fma/float", fma_rate<float>});
  peaks.push_back({"fma/double", fma_rate<double>});
  return peaks;
}

}  // namespace Impl
}  // namespace perf
