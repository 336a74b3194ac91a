// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

namespace KokkosStencil {
namespace Test {

// Views for tests of what does not depend on the execution space.
using Host = Kokkos::DefaultHostExecutionSpace;
template <class Data, class Layout = Kokkos::LayoutRight>
using HostView    = Kokkos::View<Data, Layout, Kokkos::HostSpace>;
using HostPolicy1 = StencilPolicy<Host, 1>;
using HostPolicy2 = StencilPolicy<Host, 2>;

}  // namespace Test
}  // namespace KokkosStencil
