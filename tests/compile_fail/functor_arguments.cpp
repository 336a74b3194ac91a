// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor must take a Neighborhood of each input
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

struct Add {
  KOKKOS_FUNCTION void operator()(KS::Neighborhood<View<float**>> const& n, double& sum) const { sum += n(0, 0); }
};
void use(View<float**> const& u, View<float**> const& v) {
  KS::parallel_for("add", KS::StencilPolicy<Exec, 2>(), Add(), KS::reach<1>(u), v);
}
