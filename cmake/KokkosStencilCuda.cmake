# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The CUDA kernels need nvcc but no Kokkos: with KokkosStencil_ENABLE_CUDA=ON they compile beside any Kokkos.
# The CUDA language is switched on only then.

if(Kokkos_ENABLE_CUDA)
  set(kokkosstencil_cuda_default ON)
else()
  set(kokkosstencil_cuda_default OFF)
endif()
option(KokkosStencil_ENABLE_CUDA "Build the CUDA kernels (default: if Kokkos has CUDA)" ${kokkosstencil_cuda_default})

if(KokkosStencil_ENABLE_CUDA)
  if(NOT KokkosStencil_CUDA_ARCHITECTURES)
    if(Kokkos_CUDA_ARCHITECTURES)
      set(kokkosstencil_archs ${Kokkos_CUDA_ARCHITECTURES})
    else()
      set(kokkosstencil_archs 80 90)
    endif()
    # What the GPUs at hand do not have cannot run there.
    list(FILTER kokkosstencil_archs INCLUDE REGEX "^([89]|1[0-9])[0-9]")
    if(NOT kokkosstencil_archs)
      set(kokkosstencil_archs 80)
    endif()
  endif()
  set(KokkosStencil_CUDA_ARCHITECTURES "${kokkosstencil_archs}"
      CACHE STRING "Architectures of the CUDA kernels, 80 or later")

  # nvcc takes a plain host compiler, not Kokkos' wrapper around nvcc itself.
  if(NOT CMAKE_CUDA_HOST_COMPILER AND NOT DEFINED ENV{CUDAHOSTCXX})
    if(NOT KokkosStencil_NVCC_WRAPPER)
      set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
    elseif(DEFINED ENV{NVCC_WRAPPER_DEFAULT_COMPILER})
      set(CMAKE_CUDA_HOST_COMPILER $ENV{NVCC_WRAPPER_DEFAULT_COMPILER})
    endif()
  endif()
  # Every target sets its own; without a value CMake asks the compiler for a default.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    list(GET KokkosStencil_CUDA_ARCHITECTURES 0 CMAKE_CUDA_ARCHITECTURES)
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(CUDAToolkit_VERSION VERSION_LESS 12.5)
    message(FATAL_ERROR "KokkosStencil's CUDA kernels need CUDA 12.5 or later (mma.sp::ordered_metadata); this is "
                        "${CUDAToolkit_VERSION}. Another one: CUDACXX=<nvcc>; without them: "
                        "-DKokkosStencil_ENABLE_CUDA=OFF.")
  endif()
endif()

# A Kokkos that was built with CMake's CUDA language (Kokkos_ENABLE_COMPILE_AS_CMAKE_LANGUAGE) wants all sources that
# include it to be CUDA. The library and the example rates are; tests and the other examples are not made for that.
if(Kokkos_COMPILE_LANGUAGE STREQUAL CUDA)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${Kokkos_CUDA_ARCHITECTURES})
  endif()
  enable_language(CUDA)
endif()
function(kokkosstencil_kokkos_sources)
  if(Kokkos_COMPILE_LANGUAGE STREQUAL CUDA)
    set_source_files_properties(${ARGN} PROPERTIES LANGUAGE CUDA)
  endif()
endfunction()
