// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Call.hpp"

namespace KokkosStencil {
namespace Test {

/// Where the values of a View lie in a buffer with guard values around and between them.
struct Placement {
  int rank = 1;
  Extents extent{{1, 1, 1}};
  Extents stride{{1, 0, 0}};
  std::int64_t offset = 0;  ///< of the first value
  std::int64_t size   = 0;  ///< of the buffer

  std::size_t at(Extents const& i) const {
    return static_cast<std::size_t>(offset + i[0] * stride[0] + i[1] * stride[1] + i[2] * stride[2]);
  }
};

Placement place(Layout layout, int rank, Extents const& extent, int shift);

}  // namespace Test
}  // namespace KokkosStencil
