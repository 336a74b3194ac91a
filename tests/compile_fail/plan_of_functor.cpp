// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: a Plan is for stencils that are data.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u, View const& v) {
  auto const mean = KOKKOS_LAMBDA(N const& n) { return 0.5f * (n(0, 1) + n(0, -1)); };
  KS::Plan const plan("mean", KS::StencilPolicy<Exec, 2>(), mean, KS::reach<1>(u), v);
}
