# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Two components: "library" (headers, libraries, CMake package) and "tools" (see tools/explain).

include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/KokkosStencil)

install(
  TARGETS KokkosStencil
  EXPORT KokkosStencilTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
install(
  DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/ ${PROJECT_BINARY_DIR}/core/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/KokkosStencil
  COMPONENT library
  FILES_MATCHING
  PATTERN "*.hpp")
install(
  EXPORT KokkosStencilTargets
  NAMESPACE KokkosStencil::
  DESTINATION ${config_dir}
  COMPONENT library)

# In a file of its own, which only those read who ask for it: it needs MPI.
if(KokkosStencil_ENABLE_DISTRIBUTED)
  install(
    TARGETS KokkosStencil_Distributed
    EXPORT KokkosStencilDistributedTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/distributed/include/
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/KokkosStencil
    COMPONENT library
    FILES_MATCHING
    PATTERN "*.hpp")
  install(
    EXPORT KokkosStencilDistributedTargets
    NAMESPACE KokkosStencil::
    DESTINATION ${config_dir}
    COMPONENT library)
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/KokkosStencilConfig.cmake.in ${PROJECT_BINARY_DIR}/KokkosStencilConfig.cmake
  INSTALL_DESTINATION ${config_dir})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/KokkosStencilConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/KokkosStencilConfig.cmake
              ${PROJECT_BINARY_DIR}/KokkosStencilConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/cmake/KokkosStencilKokkos.cmake
        DESTINATION ${config_dir}
        COMPONENT library)
