# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DSOURCE=<checkout> -DOUTPUT=<header> -P KokkosStencilCommit.cmake: the commit as PERF_GIT_COMMIT. The header
# keeps its time if the commit is the same.
cmake_minimum_required(VERSION 3.22)
execute_process(
  COMMAND git -C ${SOURCE} describe --always --dirty
  OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#pragma once\n#define PERF_GIT_COMMIT \"@commit@\"\n" @ONLY)
