// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

// Sweeps of a stencil that is data and of one that is code, for what KOKKOSSTENCIL_VERBOSE=1 prints of them.

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space>;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  View u("u", 30, 40), v("v", 30, 40);
  KS::StencilPolicy<Exec, 2> const policy;
  auto const mean = [](KS::Neighborhood<View> const& n) { return 0.5 * (n(0, 1) + n(0, -1)); };
  KS::parallel_for("data", policy, KS::star<2>(1, {0.0, 0.25}), u, v);
  for (int twice = 0; twice < 2; ++twice) KS::parallel_for("code", policy, mean, KS::reach<1>(u), v);
  return 0;
}
