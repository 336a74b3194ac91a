# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DMODE=install|package|existing_kokkos|subdirectory ... -P Run.cmake
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

if(MODE STREQUAL install)
  file(REMOVE_RECURSE ${prefix})
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --config "${CONFIG}")
  return()
endif()

set(build ${WORK}/${MODE})
file(REMOVE_RECURSE ${build})
run(${CMAKE_COMMAND}
    -S ${CMAKE_CURRENT_LIST_DIR}/consumer
    -B ${build}
    -G "${GENERATOR}"
    -DMODE=${MODE}
    -DKokkosStencil_SOURCE=${SOURCE}
    -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS}
    -DCMAKE_BUILD_TYPE=${CONFIG}
    -DKokkos_DIR=${Kokkos_DIR})
run(${CMAKE_COMMAND} --build ${build} --config "${CONFIG}")
find_program(consumer consumer PATHS ${build} ${build}/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer})
