// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: levels stand alone among the fields that sweeps change.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View& u, View& before, View& p, View& q) {
  auto const both = KOKKOS_LAMBDA(N const& m, N const& n, N const& old, float& y, float& x) {
    x = n(0, 1) - old(0, 0);
    y = m(0, 0);
  };
  KS::iterate("both", KS::StencilPolicy<Exec, 2>(), both, 3, KS::state<0>(p, q), KS::levels<1>(u, before));
}
