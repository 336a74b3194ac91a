// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <KokkosStencil_Distributed.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

// The last rank does not take part in a run. The others end with an error within the time limit, whatever the engine.

int main(int argc, char** argv) {
  namespace KS = KokkosStencil;
  using View   = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace::memory_space>;
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Kokkos::initialize(argc, argv);
  auto const heat  = KS::star<2>(1, {0.5, 0.125});
  auto const dec   = KS::Decomposition<2>(MPI_COMM_WORLD, {64 * ranks, 64}).ranks({{ranks, 1}}).time_limit(1.0);
  auto const block = dec.local(heat, KS::HaloDepth::sweeps(4));
  View u = block.make<View>("u"), v = block.make<View>("v");
  KS::DistributedPlan<Kokkos::DefaultExecutionSpace, 2, View, View> const plan(
      "heat", KS::StencilPolicy<Kokkos::DefaultExecutionSpace, 2>().boundary(KS::Boundary<2>::edge()).on(dec), heat, u,
      v);
  plan.run(u, v, 8);
  Kokkos::fence();
  if (rank + 1 == ranks) {
    std::this_thread::sleep_for(std::chrono::seconds(30));
    std::printf("nobody has ended the program\n");
    return 1;
  }
  try {
    plan.run(u, v, 8);
    Kokkos::fence();
    std::printf("a run without the last rank has ended well\n");
  } catch (std::exception const& e) {
    std::printf("error on rank %d: %s\n", rank, e.what());
  }
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 3);
  return 1;
}
