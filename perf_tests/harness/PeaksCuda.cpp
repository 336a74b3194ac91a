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

// One struct an instruction of the tensor cores. Flops counts the dense product, zeros included.
#define PERF_MMA(Name, M, N, K, minimum, text, a_text, b_text, tail_text, ...)                              \
  struct Name {                                                                                             \
    static constexpr double flops   = 2.0 * M * N * K;                                                      \
    static constexpr int capability = minimum;                                                              \
    static __device__ void run(float (&c)[4], unsigned const (&a)[4], unsigned const (&b)[4], unsigned e) { \
      asm volatile(text " {%0,%1,%2,%3}, " a_text ", " b_text ", {%0,%1,%2,%3}" tail_text ";\n"             \
                   : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])                                         \
                   : __VA_ARGS__);                                                                          \
      static_cast<void>(e);                                                                                 \
    }                                                                                                       \
  };
#define PERF_A4B2 "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define PERF_A2B2E "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]), "r"(e)
#define PERF_A4B4E "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]), "r"(e)
#define PERF_SP "mma.sp::ordered_metadata.sync.aligned."

PERF_MMA(DenseF16, 16, 8, 16, 80, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "{%4,%5,%6,%7}", "{%8,%9}", "",
         PERF_A4B2)
PERF_MMA(DenseBf16, 16, 8, 16, 80, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "{%4,%5,%6,%7}", "{%8,%9}",
         "", PERF_A4B2)
PERF_MMA(DenseTf32, 16, 8, 8, 80, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "{%4,%5,%6,%7}", "{%8,%9}", "",
         PERF_A4B2)
PERF_MMA(SparseF16Short, 16, 8, 16, 80, PERF_SP "m16n8k16.row.col.f32.f16.f16.f32", "{%4,%5}", "{%6,%7}", ", %8, 0x0",
         PERF_A2B2E)
PERF_MMA(SparseF16, 16, 8, 32, 80, PERF_SP "m16n8k32.row.col.f32.f16.f16.f32", "{%4,%5,%6,%7}", "{%8,%9,%10,%11}",
         ", %12, 0x0", PERF_A4B4E)
PERF_MMA(SparseBf16Short, 16, 8, 16, 80, PERF_SP "m16n8k16.row.col.f32.bf16.bf16.f32", "{%4,%5}", "{%6,%7}",
         ", %8, 0x0", PERF_A2B2E)
PERF_MMA(SparseBf16, 16, 8, 32, 80, PERF_SP "m16n8k32.row.col.f32.bf16.bf16.f32", "{%4,%5,%6,%7}", "{%8,%9,%10,%11}",
         ", %12, 0x0", PERF_A4B4E)
PERF_MMA(SparseTf32Short, 16, 8, 8, 80, PERF_SP "m16n8k8.row.col.f32.tf32.tf32.f32", "{%4,%5}", "{%6,%7}", ", %8, 0x0",
         PERF_A2B2E)
PERF_MMA(SparseTf32, 16, 8, 16, 80, PERF_SP "m16n8k16.row.col.f32.tf32.tf32.f32", "{%4,%5,%6,%7}", "{%8,%9,%10,%11}",
         ", %12, 0x0", PERF_A4B4E)

template <class Mma>
__global__ void mma_chains(float* out, unsigned mantissa, unsigned exponent, int rounds) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  constexpr int chains = 8;
  float c[chains][4]   = {};
  unsigned a[4], b[4];
  // Values about 1 of either sign: zeros would run faster than real data.
  unsigned x = threadIdx.x * 2654435761u + blockIdx.x + 1u;
  for (int k = 0; k < 4; ++k) {
    x    = x * 1664525u + 1013904223u;
    a[k] = (x & mantissa) | exponent;
    x    = x * 1664525u + 1013904223u;
    b[k] = (x & mantissa) | exponent;
  }
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < chains; ++k) Mma::run(c[k], a, b, 0x44444444u);
  }
  float sum = 0;
  for (int k = 0; k < chains; ++k) sum += c[k][0] + c[k][1] + c[k][2] + c[k][3];
  if (sum == -12345.678f) out[0] = sum;
#endif
}

struct DoubleSmall {
  static constexpr double flops   = 2.0 * 8 * 8 * 4;
  static constexpr int capability = 80;
  static __device__ void run(double (&c)[4], double const (&a)[8], double const (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};\n"
                 : "+d"(c[0]), "+d"(c[1])
                 : "d"(a[0]), "d"(b[0]));
#endif
  }
};
struct DoubleLarge {
  static constexpr double flops   = 2.0 * 16 * 8 * 16;
  static constexpr int capability = 90;
  static __device__ void run(double (&c)[4], double const (&a)[8], double const (&b)[4]) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
        "{%12,%13,%14,%15}, {%0,%1,%2,%3};\n"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
          "d"(b[2]), "d"(b[3]));
#endif
  }
};

template <class Mma>
__global__ void mma_double_chains(double* out, int rounds) {
  constexpr int chains = 8;
  double c[chains][4]  = {};
  double a[8], b[4];
  for (int k = 0; k < 8; ++k) a[k] = 0.7 - 0.001 * static_cast<double>(threadIdx.x) - 0.05 * k;
  for (int k = 0; k < 4; ++k) b[k] = 0.001 * static_cast<double>(threadIdx.x) - 0.3 * k;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int k = 0; k < chains; ++k) Mma::run(c[k], a, b);
  }
  double sum = 0;
  for (int k = 0; k < chains; ++k) sum += c[k][0] + c[k][1] + c[k][2] + c[k][3];
  if (sum == -12345.678) out[0] = sum;
}

/// Whether the device has the instruction and the kernel was compiled for it (version 80 or 90).
bool runs(void const* kernel, int capability) {
  int device = 0, major = 0, minor = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  require(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, kernel) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return 10 * major + minor >= capability && std::max(attributes.binaryVersion, attributes.ptxVersion) >= capability;
}

template <class Mma>
void add_mma(std::vector<Peak>& peaks, char const* name, unsigned mantissa, unsigned exponent) {
  if (!runs(reinterpret_cast<void const*>(&mma_chains<Mma>), Mma::capability)) return;
  peaks.push_back({name, [mantissa, exponent] {
                     Shape const shape    = whole_device();
                     constexpr int rounds = 4000;
                     float* out           = nullptr;
                     require(cudaMalloc(&out, sizeof(float)));
                     double const flops  = Mma::flops * 8 * rounds * shape.blocks * shape.threads / 32;
                     double const result = rate(flops, [&] {
                       mma_chains<Mma><<<shape.blocks, shape.threads>>>(out, mantissa, exponent, rounds);
                     });
                     require(cudaFree(out));
                     return result;
                   }});
}

template <class Mma>
void add_mma_double(std::vector<Peak>& peaks, char const* name) {
  if (!runs(reinterpret_cast<void const*>(&mma_double_chains<Mma>), Mma::capability)) return;
  peaks.push_back({name, [] {
                     Shape const shape    = whole_device();
                     constexpr int rounds = 1000;
                     double* out          = nullptr;
                     require(cudaMalloc(&out, sizeof(double)));
                     double const flops = Mma::flops * 8 * rounds * shape.blocks * shape.threads / 32;
                     double const result =
                         rate(flops, [&] { mma_double_chains<Mma><<<shape.blocks, shape.threads>>>(out, rounds); });
                     require(cudaFree(out));
                     return result;
                   }});
}

}  // namespace

std::vector<Peak> device_compute_peaks() {
  std::vector<Peak> peaks;
  peaks.push_back({"fma/float", fma_rate<float>});
  peaks.push_back({"fma/double", fma_rate<double>});
  // Random mantissas and signs around 1, in pairs of half or bfloat16 or as one TF32.
  unsigned const half = 0x83ff83ffu, one_half = 0x38003800u;
  unsigned const bf16 = 0x807f807fu, one_bf16 = 0x3f003f00u;
  unsigned const tf32 = 0x807fe000u, one_tf32 = 0x3f000000u;
  add_mma<DenseF16>(peaks, "mma/f16_m16n8k16", half, one_half);
  add_mma<DenseBf16>(peaks, "mma/bf16_m16n8k16", bf16, one_bf16);
  add_mma<DenseTf32>(peaks, "mma/tf32_m16n8k8", tf32, one_tf32);
  add_mma_double<DoubleSmall>(peaks, "mma/f64_m8n8k4");
  add_mma_double<DoubleLarge>(peaks, "mma/f64_m16n8k16");
  add_mma<SparseF16Short>(peaks, "mma_sp/f16_m16n8k16", half, one_half);
  add_mma<SparseF16>(peaks, "mma_sp/f16_m16n8k32", half, one_half);
  add_mma<SparseBf16Short>(peaks, "mma_sp/bf16_m16n8k16", bf16, one_bf16);
  add_mma<SparseBf16>(peaks, "mma_sp/bf16_m16n8k32", bf16, one_bf16);
  add_mma<SparseTf32Short>(peaks, "mma_sp/tf32_m16n8k8", tf32, one_tf32);
  add_mma<SparseTf32>(peaks, "mma_sp/tf32_m16n8k16", tf32, one_tf32);
  return peaks;
}

}  // namespace Impl
}  // namespace perf
