// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor takes an output, or a value that is reduced, by value
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View& u, View& tmp) {
  auto const half = [](auto const& n, auto x) { x = 0.5f * n(0, 1); };
  KS::iterate("half", KS::StencilPolicy<Exec, 2>(), half, 3, KS::state<1>(u, tmp));
}
