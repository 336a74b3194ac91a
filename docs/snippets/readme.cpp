// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//! [readme]
#include <KokkosStencil.hpp>
namespace KS = KokkosStencil;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<float**> u("u", 1024, 1024), tmp("tmp", 1024, 1024);
  Kokkos::deep_copy(Kokkos::subview(u, std::make_pair(400, 600), std::make_pair(400, 600)), 100.0f);
  auto const heat  = KS::star<2>(1, {0.2f, 0.2f});  // the centre, then each of its four neighbours
  auto const plate = KS::StencilPolicy<Kokkos::DefaultExecutionSpace, 2>().boundary(KS::Boundary<2>::mirror());
  KS::iterate("heat", plate, heat, 1000, u, tmp);  // a thousand sweeps; u is the newest state
}
//! [readme]
