// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>
#ifdef WITH_DISTRIBUTED
#include <KokkosStencil_Distributed.hpp>
#endif

#include <iostream>

namespace KS = KokkosStencil;

using Exec = Kokkos::DefaultExecutionSpace;
using View = Kokkos::View<double**, Exec::memory_space>;

struct Twice {
  KOKKOS_FUNCTION double operator()(KS::Neighborhood<View> const& n) const { return 2.0 * n(0, 0); }
};

int run() {
  View u("u", 16, 17), v("v", 16, 17);
  Kokkos::deep_copy(u, 1.0);
  KS::StencilPolicy<Exec, 2> const policy = KS::StencilPolicy<Exec, 2>().boundary(KS::Boundary<2>::periodic());
  KS::parallel_for("sum", policy, KS::star<2>(1, {1.0, 1.0}), u, v);
  KS::parallel_for("twice", policy.radius(0), Twice(), v, u);
  KS::iterate("halve", policy, KS::Stencil<double, 2>{{{0, 0}, 0.5}}, 3, u, v);
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), u);
  std::cout << "KokkosStencil " << KS::version_string() << ": " << host(0, 16) << "\n";
  return host(0, 16) == 1.25 && KS::version() == KOKKOSSTENCIL_VERSION ? 0 : 1;
}

int main(int argc, char** argv) {
  int result = 0;
#ifdef WITH_DISTRIBUTED
  MPI_Init(&argc, &argv);
#endif
  {
    Kokkos::ScopeGuard const scope(argc, argv);
    result = run();
#ifdef WITH_DISTRIBUTED
    KS::Decomposition<2> const dec(MPI_COMM_SELF, {16, 17});
    auto const block = dec.local({{1, 1}});
    auto u = block.make<View>("u"), v = block.make<View>("v");
    Kokkos::deep_copy(u, 1.0);
    KS::iterate("double", KS::StencilPolicy<Exec, 2>().on(dec), KS::Stencil<double, 2>{{{0, 0}, 2.0}}, 3, u, v);
    if (KS::gather(dec, u)(15, 16) != 8.0) result = 1;
#endif
  }
#ifdef WITH_DISTRIBUTED
  MPI_Finalize();
#endif
  return result;
}
