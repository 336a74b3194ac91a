// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: fill_halo writes to the View; it must not be const.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

void use(View<float const**> const& u) { KS::fill_halo("ghosts", KS::StencilPolicy<Exec, 2>().radius(1), u); }
