// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor takes an output, or a value that is reduced, by value
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u, View const& v, View const& w) {
  auto const halves = KOKKOS_LAMBDA(N const& n, float& x, float y) {
    x = 0.5f * n(0, 1);
    y = x;
  };
  KS::parallel_for("halves", KS::StencilPolicy<Exec, 2>(), halves, KS::fields(KS::reach<1>(u)), KS::fields(v, w));
}
