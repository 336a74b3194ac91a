// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the output View must not be const.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

void use(View<float const**> u, View<float const**> tmp) {
  KS::iterate("const", KS::StencilPolicy<Exec, 2>(), KS::star<2>(1, {1.0f, 2.0f}), 3, u, tmp);
}
