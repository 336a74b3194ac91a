// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Runner.hpp"

namespace KokkosStencil {
namespace Test {

Runners const& runners() {
  static Runners const all = [] {
    Runners made;
    add_double_runners(made);
    add_float_runners(made);
    add_half_runners(made);
    add_bhalf_runners(made);
    return made;
  }();
  return all;
}

}  // namespace Test
}  // namespace KokkosStencil
