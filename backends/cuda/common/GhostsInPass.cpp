// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "common/GhostsInPass.hpp"

#include <KokkosStencil_Problem.hpp>

#include <cstddef>
#include <limits>

namespace KokkosStencil {
namespace Cuda {

namespace {

/// Of a thread, at most: a launch of its own has more threads.
constexpr std::int64_t most_items = 4;

}  // namespace

bool plan_ghosts(Problem const& p, bool aligned, std::int64_t threads, GhostsInPass& ghosts) {
  ghosts = GhostsInPass{};
  if (p.in_stride[2] != 1 || p.out_stride[2] != 1) return false;
  for (std::int64_t const n : p.extent) {
    if (n > std::numeric_limits<std::int32_t>::max()) return false;
  }
  for (std::size_t a = 0; a < 2; ++a) {
    ghosts.in_stride[a]  = p.extent[a] > 1 ? p.in_stride[a] : 0;
    ghosts.out_stride[a] = p.extent[a] > 1 ? p.out_stride[a] : 0;
  }
  std::int64_t const vector = aligned ? 16 / size_of(p.value_type) : 1;
  std::int64_t items        = 0;
  for (PointBox const& part : difference(PointBox{{{0, 0, 0}}, p.extent}, PointBox{p.begin, p.end})) {
    if (part.empty()) continue;
    GhostsInPass::Box& box   = ghosts.box[ghosts.boxes++];
    auto const begin         = [&](std::size_t a) { return static_cast<std::int32_t>(part.begin[a]); };
    bool const whole         = part.begin[2] % vector == 0 && part.end[2] % vector == 0;
    std::int64_t const width = whole ? vector : 1, of_row = (part.end[2] - part.begin[2]) / width;
    box = {static_cast<std::int32_t>(items),
           begin(0),
           begin(1),
           begin(2),
           static_cast<std::int32_t>(part.end[1] - part.begin[1]),
           static_cast<std::int32_t>(of_row),
           static_cast<std::int32_t>(width)};
    items += (part.end[0] - part.begin[0]) * (part.end[1] - part.begin[1]) * of_row;
    if (items > most_items * threads) return false;
  }
  ghosts.items = static_cast<std::int32_t>(items);
  return true;
}

}  // namespace Cuda
}  // namespace KokkosStencil
