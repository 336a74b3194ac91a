// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/PlaneCut.hpp"

#include <algorithm>
#include <limits>

namespace KokkosStencil {
namespace CudaModel {

PlaneCut cut_plane(std::int64_t rows, std::int64_t groups, std::int64_t slots, int start) {
  auto const divide_up = [](std::int64_t n, std::int64_t d) { return (n + d - 1) / d; };
  // In the end multiprocessors wait for others, the longer the taller tiles are.
  double best = std::numeric_limits<double>::max();
  PlaneCut cut{rows, 1};
  for (std::int64_t chunks = 1; chunks <= rows && chunks * groups < 16 * slots + groups;
       chunks += std::max<std::int64_t>(1, chunks / 16)) {
    std::int64_t const tall  = divide_up(rows, chunks);
    std::int64_t const waves = divide_up(groups * divide_up(rows, tall), slots);
    double const cost        = static_cast<double>(waves * (tall + start)) + 0.06 * static_cast<double>(tall);
    if (cost >= best) continue;
    best = cost;
    cut  = {tall, waves};
  }
  return cut;
}

}  // namespace CudaModel
}  // namespace KokkosStencil
