# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Warnings for the project's own targets; a user's targets never get them.
function(kokkosstencil_warnings target)
  if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wshadow>)
    if(NOT KokkosStencil_NVCC_WRAPPER)
      # nvcc's intermediate code is not pedantic.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wpedantic>)
    endif()
    if(KokkosStencil_WARNINGS_AS_ERRORS)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Werror>)
    endif()
  endif()
endfunction()

# Whether the compiler is Kokkos' wrapper around nvcc, which passes for the host compiler.
if(CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper")
  set(KokkosStencil_NVCC_WRAPPER ON)
else()
  set(KokkosStencil_NVCC_WRAPPER OFF)
endif()
