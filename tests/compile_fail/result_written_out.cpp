// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: a result of parallel_reduce is a variable, a View or a reducer
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u) {
  auto const add = KOKKOS_LAMBDA(N const& n, double& sum) { sum += n(0, 1); };
  KS::parallel_reduce("add", KS::StencilPolicy<Exec, 2>(), add, KS::reach<1>(u), 0.0);
}
