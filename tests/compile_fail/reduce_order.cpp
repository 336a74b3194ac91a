// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the outputs of parallel_reduce come before its results.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

struct Dot {
  KOKKOS_FUNCTION void operator()(KS::Neighborhood<View<float**>> const& n, float& w, double& dot) const {
    w = n(0, 0);
    dot += w;
  }
};
void use(View<float**> const& u, View<float**> const& w, double& dot) {
  KS::parallel_reduce("dot", KS::StencilPolicy<Exec, 2>(), Dot(), KS::reach<0>(u), Kokkos::Sum<double>(dot), w);
}
