// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor returns a value and takes references to its results as well
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u, View const& v) {
  auto const half = KOKKOS_LAMBDA(N const& n, float& x) {
    x = n(0, 1);
    return 0.5f * x;
  };
  KS::parallel_for("half", KS::StencilPolicy<Exec, 2>(), half, KS::reach<1>(u), v);
}
