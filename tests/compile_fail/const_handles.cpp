// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: iterate exchanges the handles u and tmp; neither may be const
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;

void use(View const& u, View const& tmp) {
  auto const mean = KOKKOS_LAMBDA(KS::Neighborhood<View> const& n) { return 0.5f * (n(0, 1) + n(0, -1)); };
  KS::iterate("const", KS::StencilPolicy<Exec, 2>(), mean, 3, KS::state<1>(u, tmp));
}
