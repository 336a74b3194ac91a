// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the output View must not be const.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

struct Copy {
  KOKKOS_FUNCTION float operator()(KS::Neighborhood<View<float**>> const& n) const { return n(0, 0); }
};
void use(View<float**> const& u, View<float const**> const& v) {
  KS::parallel_for("copy", KS::StencilPolicy<Exec, 2>().radius(1), Copy(), u, v);
}
