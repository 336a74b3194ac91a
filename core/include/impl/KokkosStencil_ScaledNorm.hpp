// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace KokkosStencil {
namespace Impl {

/// Whether a sum of squares may lack some that are no doubles: those below 1e-308 were lost, those above 1e308 are
/// infinite. The squares of changes of float and shorter types are all doubles.
inline bool squares_lost(double sum) { return !(sum >= 1e-280 && sum <= std::numeric_limits<double>::max()); }

/// The root of the mean square of changes, by the largest of them and the sum of the squares of what they are of it.
/// As for the largest change itself, infinities and NaN stay what they are.
inline double scaled_rms(double largest, double sum_of_squares, std::int64_t points) {
  if (largest == 0.0 || !std::isfinite(largest)) return largest;
  return largest * std::sqrt(sum_of_squares / static_cast<double>(points));
}

}  // namespace Impl
}  // namespace KokkosStencil
