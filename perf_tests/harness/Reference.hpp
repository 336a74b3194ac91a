// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Kernel.hpp"

#include <cstdint>
#include <vector>

#if defined(__CUDACC__) || defined(__HIPCC__)
#define PERF_INLINE __host__ __device__ inline
#else
#define PERF_INLINE inline
#endif

// An independent reference: the definition of many sweeps with the same rule at all faces, in extended precision,
// at chosen points, from the points' domains of dependence. Inputs are a function of the index, so that
// nothing has to be copied from a device.

namespace perf {

/// Bits of the inputs: exact in the value type.
PERF_INLINE int input_bits(int bytes, bool bfloat) { return bfloat ? 8 : bytes == 2 ? 11 : bytes == 4 ? 23 : 44; }

/// The input at an element: -0.25 to 0.75, so that many sweeps keep a mean well above underflow.
PERF_INLINE double input_value(std::uint64_t element, int bits) {
  std::uint64_t x = (element + 1) * 0x9E3779B97F4A7C15ull;
  x ^= x >> 29;
  x *= 0xBF58476D1CE4E5B9ull;
  x ^= x >> 32;
  std::int64_t const k = static_cast<std::int64_t>(x & ((std::uint64_t(1) << bits) - 1));
  return static_cast<double>(k - (std::int64_t(1) << (bits - 2))) / static_cast<double>(std::int64_t(1) << bits);
}

struct Sample {
  std::int64_t element;  ///< from the first of the case
  double expected;
  double scale;  ///< S: the same sweeps with |coefficients| on |inputs|
};

/// Expected results at about `wanted` points of the range that is written: its corners, points near the
/// faces, and others; fewer where many steps make a point expensive. Mirrors are as far away as the stencil reaches, at
/// least. Elements count from the first of the case.
std::vector<Sample> reference_samples(Case const& c, int bits, int wanted = 256);

/// Largest error as a multiple of S, against values at the samples; NaN if any value is.
double max_error_over_scale(std::vector<Sample> const& samples, std::vector<double> const& values);

/// Bound for n sweeps from the bound for one, both as multiples of S.
double bound_for_steps(double bound, std::int64_t steps);

}  // namespace perf
