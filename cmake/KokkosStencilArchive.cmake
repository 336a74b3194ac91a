# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# The archive of a release: cmake --build <build> --target package_source makes KokkosStencil-<version>.tar.gz of
# everything but build folders, version control and caches. scripts/test.sh runs in what it unpacks to.

set(CPACK_PACKAGE_NAME KokkosStencil)
set(CPACK_PACKAGE_VENDOR "The KokkosStencil authors")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
# Packages of binaries are made by distributions and by Spack.
set(CPACK_GENERATOR TGZ)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME KokkosStencil-${PROJECT_VERSION})
set(CPACK_SOURCE_IGNORE_FILES "${PROJECT_SOURCE_DIR}/build[^/]*/" "/[.]git/" "/[.]git$" "/[.]cache/" "/__pycache__/")
# A build folder elsewhere in the sources.
string(REGEX REPLACE "([][.*+?^$()|])" "\\\\\\1" build "${PROJECT_BINARY_DIR}")
list(APPEND CPACK_SOURCE_IGNORE_FILES "^${build}/")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
