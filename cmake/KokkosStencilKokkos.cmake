# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Finds Kokkos, in the build tree and from an installed package alike. An existing target is used as it is.

include_guard(GLOBAL)

# Kokkos 3.4 to 5.x.
macro(kokkosstencil_find_kokkos)
  if(NOT TARGET Kokkos::kokkos)
    kokkosstencil_skip_missing_archives()
    # No version here: Kokkos only claims compatibility within a major version, and 3.4 to 5.x all do.
    find_package(Kokkos REQUIRED)
  endif()
  kokkosstencil_check_kokkos_version("${Kokkos_VERSION}" "${Kokkos_DIR}")
  kokkosstencil_repair_archives()
  kokkosstencil_repair_include_directories()
endmacro()

# A Kokkos that was found outside of this directory may have an unknown version here; the headers check it too.
function(kokkosstencil_check_kokkos_version version directory)
  if(NOT version)
    return()
  endif()
  if(version VERSION_LESS 3.4)
    message(FATAL_ERROR "KokkosStencil needs Kokkos 3.4 to 5.x; this is Kokkos ${version} (${directory}). "
                        "Name another one: -DKokkos_ROOT=<where it is installed>.")
  elseif(version VERSION_GREATER_EQUAL 6)
    message(WARNING "KokkosStencil was made for Kokkos 3.4 to 5.x; this is Kokkos ${version} (${directory}), which may "
                    "not work.")
  endif()
endfunction()

# Debian's Kokkos 5 (libkokkos-dev 5.2.2) names the empty archives of Kokkos' header-only parts and does not ship them,
# so that find_package(Kokkos) stops. CMake does not look for the file of a target that has a folder of this kind; CMake
# before 3.28 has no such way.
macro(kokkosstencil_skip_missing_archives)
  foreach(part IN ITEMS kokkosalgorithms kokkossimd)
    set("_cmake_import_check_xcframework_for_Kokkos::${part}" "${CMAKE_CURRENT_LIST_DIR}")
  endforeach()
endmacro()

# An empty archive in place of each that is missing.
function(kokkosstencil_repair_archives)
  foreach(part IN ITEMS kokkosalgorithms kokkossimd)
    if(NOT TARGET Kokkos::${part})
      continue()
    endif()
    get_target_property(imported Kokkos::${part} IMPORTED)
    get_target_property(configurations Kokkos::${part} IMPORTED_CONFIGURATIONS)
    if(NOT imported OR NOT configurations)
      continue()
    endif()
    foreach(configuration IN LISTS configurations)
      get_target_property(location Kokkos::${part} IMPORTED_LOCATION_${configuration})
      if(location AND NOT EXISTS "${location}")
        set(archive "${CMAKE_BINARY_DIR}/KokkosStencil_empty/lib${part}.a")
        file(WRITE "${archive}" "!<arch>\n")
        set_target_properties(Kokkos::${part} PROPERTIES IMPORTED_LOCATION_${configuration} "${archive}")
      endif()
    endforeach()
  endforeach()
endfunction()

# Kokkos 3.4.01, which Debian and Ubuntu package as part of Trilinos: its target names an include directory without the
# headers, while Kokkos_INCLUDE_DIRS is right.
function(kokkosstencil_repair_include_directories)
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
