// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The code that docs/guide/distributed.rst shows.

#include "check.hpp"

#include <KokkosStencil_Distributed.hpp>

#include <iostream>

namespace KS = KokkosStencil;
using Exec   = Kokkos::DefaultExecutionSpace;
using Field  = Kokkos::View<double**, Exec>;

void sweeps(MPI_Comm comm) {
  //! [iterate]
  auto const heat = KS::star<2>(1, {0.2, 0.2});
  KS::Decomposition<2> const dec(comm, {640, 480});
  auto const block = dec.local(heat, KS::HaloDepth::sweeps(8));
  auto u           = block.make<Field>("u");
  auto tmp         = block.make<Field>("tmp");
  KS::for_each_owned(
      "start", Exec(), dec, u, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, std::int64_t row, std::int64_t column) {
        u(i, j) = row == 320 && column == 240 ? 100.0 : 0.0;
      });

  auto const policy = KS::StencilPolicy<Exec, 2>().on(dec).boundary(KS::Boundary<2>::mirror());
  KS::iterate("heat", policy, heat, 1000, u, tmp);

  auto const whole = KS::gather(dec, u, 0);  // on rank 0, for a picture or a check
  //! [iterate]
  if (dec.rank() == 0) CHECK(whole.extent(0) == 640 && whole(320, 240) > whole(300, 240));

  //! [more]
  KS::UntilResult const r = KS::iterate_until("heat", policy, heat, {1e-9, 500, 50}, u, tmp);

  auto const flags = block.make<Kokkos::View<int**, Exec>>("flags");
  KS::exchange("ghosts", dec, KS::fields(u, flags));  // one message to each neighbour

  KS::DistributedPlan<Exec, 2, Field, Field> const plan("heat", policy, heat, u, tmp);
  plan.run(u, tmp, 100);
  if (dec.rank() == 0) std::cout << plan.explain();
  //! [more]
  CHECK(r.steps > 0);
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard guard(argc, argv);
    sweeps(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
