// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: a View is not accessible from the execution space of the StencilPolicy
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
template <class Data>
using View = Kokkos::View<Data, Kokkos::LayoutRight, Kokkos::HostSpace>;

// Memory that no execution space of this build can reach.
struct Elsewhere {
  using memory_space    = Elsewhere;
  using execution_space = Exec;
  using device_type     = Kokkos::Device<execution_space, memory_space>;
  using size_type       = std::size_t;
  static constexpr char const* name() { return "Elsewhere"; }
};
using Far = Kokkos::View<float**, Kokkos::LayoutRight, Elsewhere, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

void use(Far const& u, Far const& v) {
  KS::parallel_for(KS::StencilPolicy<Exec, 2>(), KS::star<2>(1, {1.0f, 2.0f}), u, v);
}
