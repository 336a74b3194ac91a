# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# cmake -DMODE=install|archive|package|existing_kokkos|subdirectory ... -P Run.cmake
set(prefix ${WORK}/prefix)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

# The files under a folder must match the first expression and none the second.
function(check_files folder wanted unwanted)
  file(GLOB_RECURSE files RELATIVE ${folder} ${folder}/*)
  if(NOT files MATCHES "${wanted}")
    message(FATAL_ERROR "no ${wanted} in ${folder}: ${files}")
  endif()
  if(unwanted AND files MATCHES "${unwanted}")
    message(FATAL_ERROR "${unwanted} in ${folder}: ${files}")
  endif()
endfunction()

if(MODE STREQUAL install)
  file(REMOVE_RECURSE ${prefix} ${prefix}-library ${prefix}-tools)
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --config "${CONFIG}")
  run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}-library --config "${CONFIG}" --component library)
  check_files(${prefix}-library "KokkosStencilConfig.cmake" "kokkosstencil_explain")
  if(TOOL)
    run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix}-tools --config "${CONFIG}" --component tools)
    check_files(${prefix}-tools "kokkosstencil_explain" "[.]hpp|[.]cmake|libKokkosStencil")
    run(${prefix}-tools/bin/kokkosstencil_explain)
  endif()
  return()
endif()
if(MODE STREQUAL archive)
  set(folder ${WORK}/archive)
  file(REMOVE_RECURSE ${folder})
  get_filename_component(tools ${CMAKE_COMMAND} DIRECTORY)
  run(${tools}/cpack --config ${BUILD}/CPackSourceConfig.cmake -B ${folder})
  run(${CMAKE_COMMAND} -E chdir ${folder} ${CMAKE_COMMAND} -E tar xzf KokkosStencil-${VERSION}.tar.gz)
  # No file of the repository is missing, where there is a repository.
  execute_process(COMMAND git -C ${SOURCE} ls-files OUTPUT_VARIABLE files RESULT_VARIABLE result ERROR_QUIET)
  if(result EQUAL 0)
    string(REPLACE "\n" ";" files "${files}")
    foreach(file IN LISTS files)
      if(file AND EXISTS ${SOURCE}/${file} AND NOT EXISTS ${folder}/KokkosStencil-${VERSION}/${file})
        message(FATAL_ERROR "the archive lacks ${file}")
      endif()
    endforeach()
  endif()
  check_files(${folder}/KokkosStencil-${VERSION} "scripts/test.sh" "CMakeCache.txt")
  run(${CMAKE_COMMAND} -S ${folder}/KokkosStencil-${VERSION} -B ${folder}/build -G "${GENERATOR}"
      -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS} -DKokkos_DIR=${Kokkos_DIR}
      -DKokkosStencil_ENABLE_TESTS=OFF -DKokkosStencil_ENABLE_EXAMPLES=OFF)
  return()
endif()

if(MODE STREQUAL existing_kokkos)
  string(APPEND prefix -library)
endif()

set(build ${WORK}/${MODE})
file(REMOVE_RECURSE ${build})
# Here the library is built once more. Without optimization that takes less time.
if(MODE STREQUAL subdirectory)
  set(CONFIG Debug)
endif()
run(${CMAKE_COMMAND}
    -S ${CMAKE_CURRENT_LIST_DIR}/consumer
    -B ${build}
    -G "${GENERATOR}"
    -DMODE=${MODE}
    -DDISTRIBUTED=${DISTRIBUTED}
    -DKokkosStencil_SOURCE=${SOURCE}
    -DCMAKE_PREFIX_PATH=${prefix}
    -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_CXX_FLAGS=${FLAGS}
    -DCMAKE_BUILD_TYPE=${CONFIG}
    -DKokkosStencil_ENABLE_TOOLS=ON
    -DKokkos_DIR=${Kokkos_DIR})
run(${CMAKE_COMMAND} --build ${build} --config "${CONFIG}" --target consumer)
find_program(consumer consumer PATHS ${build} ${build}/${CONFIG} NO_DEFAULT_PATH REQUIRED)
run(${consumer})

# A tree in which nothing was built but the library and its user.
if(MODE STREQUAL subdirectory)
  run(${CMAKE_COMMAND} --install ${build} --prefix ${build}/prefix --config "${CONFIG}")
  check_files(${build}/prefix "KokkosStencilConfig.cmake" "kokkosstencil_explain")
endif()
