# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds Kokkos, in the build tree and from an installed package alike. An existing target is used as it is.

include_guard(GLOBAL)

macro(kokkosstencil_find_kokkos)
  if(NOT TARGET Kokkos::kokkos)
    # No version here: Kokkos only claims compatibility within a major version, and 3.4 to 5.x all do.
    # The headers check KOKKOS_VERSION instead.
    find_package(Kokkos REQUIRED)
  endif()
  kokkosstencil_repair_kokkos()
endmacro()

# Debian and Ubuntu package Kokkos 3.4.01 as part of Trilinos; its target names an include directory
# without the headers, while Kokkos_INCLUDE_DIRS is right.
function(kokkosstencil_repair_kokkos)
  get_target_property(imported Kokkos::kokkos IMPORTED)
  get_target_property(directories Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT imported OR NOT directories OR NOT Kokkos_INCLUDE_DIRS)
    return()
  endif()
  foreach(directory IN LISTS directories)
    if(EXISTS "${directory}/Kokkos_Core.hpp" OR directory MATCHES "\\$<")
      return()
    endif()
  endforeach()
  foreach(directory IN LISTS Kokkos_INCLUDE_DIRS)
    if(EXISTS "${directory}/Kokkos_Core.hpp")
      set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
      return()
    endif()
  endforeach()
endfunction()
