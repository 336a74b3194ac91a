// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil.hpp>

#include <Kokkos_Core.hpp>

#include <cstdlib>

// Kokkos is finalized at exit by a function that was registered before the first sweep, so that static objects of the
// library that sweeps made would be gone by then.

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using View   = Kokkos::View<double***, Kokkos::LayoutRight, Exec::memory_space>;

struct Mean {
  KOKKOS_FUNCTION double operator()(KS::Neighborhood<View> const& n) const { return 0.5 * (n(0, 0, 1) + n(0, 0, -1)); }
};

struct Sum {
  KOKKOS_FUNCTION void operator()(KS::Neighborhood<View> const& n, double& sum) const { sum += n(0, 1, 0); }
};

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  if (std::atexit(Kokkos::finalize) != 0) return 1;
  View u("u", 30, 40, 50), v("v", 30, 40, 50);
  KS::StencilPolicy<Exec, 3> const policy;
  auto const star = KS::star<3>(1, {0.25, 0.125});
  KS::parallel_for("data", policy, star, u, v);
  KS::iterate("data", policy, star, 6, u, v);
  KS::parallel_for("code", policy, Mean{}, KS::reach<1>(u), v);
  double sum = 0.0;
  KS::parallel_reduce("sum", policy, Sum{}, KS::reach<1>(u), Kokkos::Sum<double>(sum));
  Kokkos::fence();
  return sum == 0.0 ? 0 : 1;
}
