// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: iterate, iterate_until and explain take states, or levels, and then the fields that stay
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View& u, View& tmp, View const& source) {
  auto const react = KOKKOS_LAMBDA(N const& n, N const& s) { return n(0, 1) + s(0, 1); };
  KS::iterate("react", KS::StencilPolicy<Exec, 2>(), react, 3, KS::state<1>(u, tmp), KS::reach<1>(source));
}
