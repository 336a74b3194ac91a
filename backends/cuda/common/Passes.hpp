// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace KokkosStencil {
namespace Cuda {

/// Cuts a number of sweeps into passes of the depths there are, so that the sum of their times is least.
class Passes {
 public:
  /// Depth and seconds of each kind of pass; one has depth 1. `next` is asked for at most `most` sweeps.
  explicit Passes(std::vector<std::pair<int, double>> const& costs,
                  std::int64_t most = std::numeric_limits<int>::max());

  /// The depth of the first of the passes that so many sweeps are cut into.
  int next(std::int64_t steps) const { return steps < size() ? m_best[static_cast<std::size_t>(steps)].first : m_bulk; }
  /// The time of all of them.
  double seconds(std::int64_t steps) const;

 private:
  std::int64_t size() const { return static_cast<std::int64_t>(m_best.size()); }

  int m_bulk            = 1;  ///< the depth with the least time a sweep, taken while many sweeps are left
  double m_bulk_seconds = 0.0;
  std::vector<std::pair<int, double>> m_best;  ///< first pass and time of 0, 1, 2, ... sweeps
};

}  // namespace Cuda
}  // namespace KokkosStencil
