// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: a Neighborhood takes one offset per axis.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

struct Sum {
  KOKKOS_FUNCTION float operator()(KS::Neighborhood<View<float**>> const& n) const { return n(1); }
};
void use(View<float**> const& u, View<float**> const& v) {
  KS::parallel_for("sum", KS::StencilPolicy<Exec, 2>().radius(1), Sum(), u, v);
}
