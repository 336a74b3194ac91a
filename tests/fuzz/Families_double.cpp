// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FamilyOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

void add_double_families(Families& all) {
  Test::each_space([&](auto tag) {
    using Exec = typename decltype(tag)::type;
    add_families<Exec, double, Kokkos::LayoutRight, 1, Kokkos::LayoutStride, 3>(all);
  });
}

}  // namespace Fuzz
}  // namespace KokkosStencil
