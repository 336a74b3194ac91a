// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: a View has the memory trait Atomic; pass the same memory as a View without it.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Shared = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Atomic>>;
using N      = KS::Neighborhood<View>;

void use(View const& u, Shared const& v) {
  KS::parallel_for(
      "half", KS::StencilPolicy<Exec, 2>(), KOKKOS_LAMBDA(N const& n) { return 0.5f * n(0, 1); }, KS::reach<1>(u), v);
}
