// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the offsets of a Neighborhood are integers.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u, View const& v) {
  KS::parallel_for(
      "half", KS::StencilPolicy<Exec, 2>(), KOKKOS_LAMBDA(N const& n) { return n(0.5, 0); }, KS::reach<1>(u), v);
}
