// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

void use(View<float const**> const& u, View<float**> const& v) {
  KS::parallel_for(KS::StencilPolicy<Exec, 2>(), KS::star<2>(1, {1.0f, 2.0f}), u, v);
}
