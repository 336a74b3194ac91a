// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FamilyOf.hpp"

namespace KokkosStencil {
namespace Fuzz {

void add_float_families(Families& all) {
  Test::each_space([&](auto tag) {
    using Exec = typename decltype(tag)::type;
    add_families<Exec, float, Kokkos::LayoutLeft, 2, Kokkos::LayoutStride, 1>(all);
  });
}

}  // namespace Fuzz
}  // namespace KokkosStencil
