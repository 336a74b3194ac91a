// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Peaks.hpp"

namespace perf {
namespace Impl {

namespace {

// Chains of fused multiply-adds, enough of them to hide the latency, in vectors of GCC's extension.
#define PERF_CHAINS(name, type, bytes, attribute)                                            \
  attribute double name(std::int64_t rounds) {                                               \
    typedef type Vector __attribute__((vector_size(bytes)));                                 \
    constexpr int chains = 12;                                                               \
    Vector a[chains];                                                                        \
    for (int k = 0; k < chains; ++k) a[k] = Vector{} + static_cast<type>(k + 1);             \
    Vector b = Vector{} + static_cast<type>(0.999), c = Vector{} + static_cast<type>(0.001); \
    for (std::int64_t i = 0; i < rounds; ++i) {                                              \
      /* Keep the factors opaque and in registers. */                                        \
      asm volatile("" : "+x"(b), "+x"(c));                                                   \
      for (int k = 0; k < chains; ++k) a[k] = a[k] * b + c;                                  \
    }                                                                                        \
    for (int k = 1; k < chains; ++k) a[0] += a[k];                                           \
    volatile type keep = a[0][0];                                                            \
    static_cast<void>(keep);                                                                 \
    return 2.0 * chains * (bytes / sizeof(type)) * static_cast<double>(rounds);              \
  }

#if defined(__x86_64__) && defined(__GNUC__)
PERF_CHAINS(chains_float_512, float, 64, __attribute__((target("avx512f,fma"), optimize("O3", "fp-contract=fast"))))
PERF_CHAINS(chains_double_512, double, 64, __attribute__((target("avx512f,fma"), optimize("O3", "fp-contract=fast"))))
PERF_CHAINS(chains_float_256, float, 32, __attribute__((target("avx2,fma"), optimize("O3", "fp-contract=fast"))))
PERF_CHAINS(chains_double_256, double, 32, __attribute__((target("avx2,fma"), optimize("O3", "fp-contract=fast"))))
PERF_CHAINS(chains_float_128, float, 16, )
PERF_CHAINS(chains_double_128, double, 16, )
#else
double chains_scalar(std::int64_t rounds) {
  double a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  for (std::int64_t i = 0; i < rounds; ++i) {
    for (double& x : a) x = x * 0.999 + 0.001;
  }
  double volatile keep = a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7];
  static_cast<void>(keep);
  return 16.0 * static_cast<double>(rounds);
}
#endif

}  // namespace

FmaChains host_fma_chains(Type type) {
#if defined(__x86_64__) && defined(__GNUC__)
  bool const single = type == Type::single;
  if (__builtin_cpu_supports("avx512f")) return single ? chains_float_512 : chains_double_512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    return single ? chains_float_256 : chains_double_256;
  }
  return single ? chains_float_128 : chains_double_128;
#else
  static_cast<void>(type);
  return chains_scalar;
#endif
}

}  // namespace Impl
}  // namespace perf
