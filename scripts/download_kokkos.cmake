# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DADDRESS=<archive> -DSOURCE=<folder> -DWORK=<folder> -P download_kokkos.cmake
# Unpacks the archive into SOURCE; does nothing where that was done before.

cmake_minimum_required(VERSION 3.22)
if(EXISTS "${SOURCE}/bin/nvcc_wrapper")
  return()
endif()
include(FetchContent)
FetchContent_Populate(
  kokkos
  URL "${ADDRESS}"
  SOURCE_DIR "${SOURCE}"
  BINARY_DIR "${WORK}/build"
  SUBBUILD_DIR "${WORK}/subbuild")
