// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/Passes.hpp"

#include <algorithm>
#include <cstddef>

namespace KokkosStencil {
namespace Cuda {

Passes::Passes(std::vector<std::pair<int, double>> const& costs, std::int64_t most) {
  int deepest = 1;
  for (auto const& c : costs) {
    deepest = std::max(deepest, c.first);
    if (m_bulk_seconds == 0.0 || c.second / c.first < m_bulk_seconds / m_bulk) {
      m_bulk         = c.first;
      m_bulk_seconds = c.second;
    }
  }
  m_best.assign(static_cast<std::size_t>(std::min<std::int64_t>(2 * deepest, most + 1)), {1, 0.0});
  for (std::size_t n = 1; n < m_best.size(); ++n) {
    std::pair<int, double> best{1, std::numeric_limits<double>::max()};
    for (auto const& [depth, pass] : costs) {
      if (static_cast<std::size_t>(depth) > n) continue;
      double const seconds = pass + m_best[n - static_cast<std::size_t>(depth)].second;
      if (seconds < best.second) best = {depth, seconds};
    }
    m_best[n] = best;
  }
}

double Passes::seconds(std::int64_t steps) const {
  std::int64_t const bulk = steps < size() ? 0 : (steps - size()) / m_bulk + 1;
  return static_cast<double>(bulk) * m_bulk_seconds + m_best[static_cast<std::size_t>(steps - bulk * m_bulk)].second;
}

}  // namespace Cuda
}  // namespace KokkosStencil
