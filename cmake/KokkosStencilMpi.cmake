# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# MPI for the component Distributed, without the C++ bindings, which MPI gave up long ago.
set(MPI_CXX_SKIP_MPICXX ON)
find_package(MPI REQUIRED COMPONENTS CXX)

# For tests: ${KokkosStencil_MPIRUN} <ranks> <program>, also with more ranks than processors, also as root in a container.
set(KokkosStencil_MPIRUN ${MPIEXEC_EXECUTABLE})
execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE version ERROR_QUIET)
if(version MATCHES "Open MPI|OpenRTE")
  list(APPEND KokkosStencil_MPIRUN --oversubscribe --bind-to none)
endif()
list(APPEND KokkosStencil_MPIRUN ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG})
set(KokkosStencil_MPI_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1
                                  OMP_PROC_BIND=false)
