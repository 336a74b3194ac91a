// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  // MPICH asks these for errors of a message, whatever its communicator says.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  testing::InitGoogleTest(&argc, argv);
  unsetenv("KOKKOSSTENCIL_BACKEND");
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    // The others speak up only where something is wrong.
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    class Failures : public testing::EmptyTestEventListener {
      void OnTestPartResult(testing::TestPartResult const& r) override {
        if (!r.failed()) return;
        int me = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &me);
        std::fprintf(stderr, "rank %d: %s:%d: %s\n", me, r.file_name(), r.line_number(), r.message());
      }
    };
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures);
  }
  int failed = 0;
  {
    Kokkos::ScopeGuard const scope(argc, argv);
    failed = RUN_ALL_TESTS();
  }
  int any = 0;
  MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return any;
}
