// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: iterate, iterate_until and explain take states, or levels, and then the fields that stay
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View& u, View& before, View const& speed) {
  auto const leap = KOKKOS_LAMBDA(N const& n, N const& old, N const& c) { return n(0, 1) - old(0, 0) + c(0, 0); };
  KS::iterate_until("leap", KS::StencilPolicy<Exec, 2>(), leap, {}, KS::levels<1>(u, before), speed);
}
