// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// expect: KokkosStencil: the functor takes an output, or a value that is reduced, by value
#include <KokkosStencil.hpp>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using View   = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using N      = KS::Neighborhood<View>;

struct Total {
  template <class Near>
  KOKKOS_FUNCTION float operator()(Near const& n, double sum) const {
    sum += n(0, 0);
    return n(0, 1);
  }
};
void use(View const& u, View const& v, double& sum) {
  KS::parallel_reduce("total", KS::StencilPolicy<Exec, 2>(), Total(), KS::reach<1>(u), v, Kokkos::Sum<double>(sum));
}
