# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Shared by the scripts of this directory: source it.
#   require_packages PACKAGE...  installs what is missing, or says how to
#   kokkos_packages ARGUMENT...  the package that brings Kokkos, or nothing if the user names a Kokkos
#   build_jobs                   how many compilers to run at once

# Whether what a Debian package brings is there, from this package or from elsewhere.
package_present() {
  case $1 in
    g++) command -v "${CXX:-g++}" >/dev/null && return ;;
    cmake | make | git | doxygen) command -v "$1" >/dev/null && return ;;
    ninja-build) command -v ninja >/dev/null && return ;;
  esac
  command -v dpkg-query >/dev/null &&
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# Installs the Debian packages that are missing. Without the right to do so it prints the command that
# does and exits with 1.
require_packages() {
  local package missing=() as_root=()
  for package in "$@"; do
    package_present "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0

  if ! command -v apt-get >/dev/null; then
    echo "This is not a Debian system; please make sure that these are installed: ${missing[*]}" >&2
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null || ! sudo -n true 2>/dev/null; then
      echo "Missing packages, and no right to install them. As root, run:" >&2
      echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo -n)
  fi
  echo "Installing ${missing[*]}" >&2
  "${as_root[@]}" apt-get update -qq >&2 || true # a stale list may still do
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >&2; then
    echo "apt-get could not install: ${missing[*]}" >&2
    exit 1
  fi
}

# Debian's Kokkos, unless the environment or the arguments for CMake name another.
kokkos_packages() {
  local argument
  [ -z "${Kokkos_ROOT:-}${Kokkos_DIR:-}${CMAKE_PREFIX_PATH:-}" ] || return 0
  for argument in "$@"; do
    case $argument in
      -DKokkos_ROOT[:=]* | -DKokkos_DIR[:=]* | -DCMAKE_PREFIX_PATH[:=]*) return 0 ;;
    esac
  done
  echo libtrilinos-kokkos-dev
}

# One compiler per processor, but no more than the memory allows (a translation unit takes up to 1.5 GB).
build_jobs() {
  local jobs memory
  jobs=$(nproc 2>/dev/null || echo 2)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo 2>/dev/null)
  [ -z "$memory" ] || [ "$memory" -ge "$jobs" ] || jobs=$memory
  [ "$jobs" -ge 1 ] || jobs=1
  echo "$jobs"
}
