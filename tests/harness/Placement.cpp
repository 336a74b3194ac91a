// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Placement.hpp"

#include <algorithm>
#include <vector>

namespace KokkosStencil {
namespace Test {

namespace {

constexpr std::int64_t guard = 64;

}  // namespace

Placement place(Layout layout, int rank, Extents const& extent, int shift) {
  Placement p;
  p.rank   = rank;
  p.extent = extent;
  std::vector<int> order;  // fastest axis first
  for (int a = rank - 1; a >= 0; --a) order.push_back(a);
  std::int64_t first_stride = 1, padding = 0;
  switch (layout) {
    case Layout::right: break;
    case Layout::left: std::reverse(order.begin(), order.end()); break;
    case Layout::padded: padding = 5; break;
    case Layout::padded_more: padding = 12; break;
    case Layout::padded_left:
      std::reverse(order.begin(), order.end());
      padding = 3;
      break;
    case Layout::strided:
      first_stride = 3;
      padding      = 1;
      break;
    case Layout::middle:
      std::swap(order[0], order[rank > 1 ? 1 : 0]);
      padding = 2;
      break;
  }
  std::int64_t stride = first_stride;
  p.stride            = {{0, 0, 0}};
  for (int a : order) {
    auto const k = static_cast<std::size_t>(a);
    p.stride[k]  = stride;
    stride       = stride * std::max<std::int64_t>(1, extent[k]) + padding;
  }
  p.offset = guard + shift;
  p.size   = p.offset + stride + guard;
  return p;
}

}  // namespace Test
}  // namespace KokkosStencil
