// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "Call.hpp"

namespace KokkosStencil {
namespace Test {

/// |computed - exact| <= relative * sum |c_i| |x_i| + absolute. The one place where tests get it from.
struct Tolerance {
  double relative;
  double absolute;
};

/// What the accuracy contract promises for one sweep. `absolute` covers results and partial sums below
/// the normal numbers, which the contract leaves out.
Tolerance tolerance(Call const& call, ValueType type);

}  // namespace Test
}  // namespace KokkosStencil
