// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: reach takes one distance, or one for each axis of the View.
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

auto use(View<float***> const& u) { return KS::reach<1, 2>(u); }
