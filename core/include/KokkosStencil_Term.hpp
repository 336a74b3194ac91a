// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>

namespace KokkosStencil {

/// One term of a stencil as backends see it: the coefficient times the value at an offset. Offsets of unused axes are
/// 0.
struct Term {
  std::array<int, 3> offset;
  double coefficient;

  friend bool operator==(Term const& a, Term const& b) {
    return a.offset == b.offset && a.coefficient == b.coefficient;
  }
};

}  // namespace KokkosStencil
