// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace KokkosStencil {
namespace Impl {

/// A sum of squares of doubles is exact enough between these two. Below, squares under 1e-308 may have been lost;
/// above, one was infinite. The squares of changes of float and shorter types are always in between, or 0.
constexpr double least_sum_of_squares = 1e-280, most_sum_of_squares = std::numeric_limits<double>::max();

/// Whether a sum of squares of doubles may lack some that no double can hold.
inline bool squares_lost(double sum) { return !(sum >= least_sum_of_squares && sum <= most_sum_of_squares); }

/// The root of the mean square of changes, from the largest of them and the sum of the squares of their ratios to it.
/// If the largest change is infinite or NaN, so is the result.
inline double scaled_rms(double largest, double sum_of_squares, std::int64_t points) {
  if (largest == 0.0 || !std::isfinite(largest)) return largest;
  return largest * std::sqrt(sum_of_squares / static_cast<double>(points));
}

}  // namespace Impl
}  // namespace KokkosStencil
