// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor takes an output, or a value that is reduced, by value, so that what it assigns is
// lost, or all of them as constants
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

void use(View const& u, View const& v) {
  float kept = 0.0f;
  KS::parallel_for(
      "half", KS::StencilPolicy<Exec, 2>(), [&kept](N const& n, float const& x) { kept = 0.5f * n(0, 1) + x; },
      KS::reach<1>(u), v);
}
