// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: one constants(...) with all fields that stay comes last.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View& u, View& tmp, View& p, View& q, View const& source) {
  auto const react = KOKKOS_LAMBDA(N const& n, N const& m, N const& s, float& x, float& y) {
    x = n(0, 1) + s(0, 0);
    y = m(0, 0);
  };
  KS::iterate("react", KS::StencilPolicy<Exec, 2>(), react, 3, KS::state<1>(u, tmp), KS::constants(source),
              KS::state<0>(p, q));
}
