# shellcheck shell=bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Shared by the scripts of this directory: source it.
#   require_packages PACKAGE...  installs what is missing, or says how to; one of A|B will do
#   kokkos_packages ARGUMENT...  the package that brings Kokkos, or nothing if the user names a Kokkos
#   build_jobs                   how many compilers to run at once
#   find_gpu                     name and compute capability of the first NVIDIA GPU
#   build_cuda_kokkos ...        brings a Kokkos for the GPU at hand

# CMake calls make, unless there is only ninja.
command -v make >/dev/null || ! command -v ninja >/dev/null || export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"

# Whether what a Debian package brings is there, from this package or from elsewhere.
package_present() {
  case $1 in
    *\|*) package_present "${1%%|*}" || package_present "${1#*|}" && return ;;
    g++) command -v "${CXX:-g++}" >/dev/null && return ;;
    cmake | make | git | doxygen) command -v "$1" >/dev/null && return ;;
    ninja-build) command -v ninja >/dev/null && return ;;
  esac
  command -v dpkg-query >/dev/null &&
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# The first of A|B that apt knows, else the last.
choose_package() {
  local package=$1
  while [[ $package == *\|* ]] && ! apt-cache show "${package%%|*}" >/dev/null 2>&1; do
    package=${package#*|}
  done
  echo "${package%%|*}"
}

# Installs the Debian packages that are missing. Without the right to do so it prints the command that
# does and exits with 1.
require_packages() {
  local package missing=() as_root=()
  for package in "$@"; do
    package_present "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  mapfile -t missing < <(for package in "${missing[@]}"; do choose_package "$package"; done)

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
  # Without a network it says so soon.
  local soon=(-o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
  "${as_root[@]}" apt-get "${soon[@]}" update -qq >&2 || true # a stale list may still do
  # Now the lists say which of two packages there is.
  mapfile -t missing < <(for package in "${missing[@]}"; do choose_package "$package"; done)
  echo "Installing ${missing[*]}" >&2
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${soon[@]}" install -y -qq \
    --no-install-recommends "${missing[@]}" >&2; then
    echo "apt-get could not install: ${missing[*]}" >&2
    exit 1
  fi
}

# The distribution's Kokkos (5 or, as a part of Trilinos, an older one), unless the environment or the arguments for CMake name another.
kokkos_packages() {
  local argument
  [ -z "${Kokkos_ROOT:-}${Kokkos_DIR:-}${CMAKE_PREFIX_PATH:-}" ] || return 0
  for argument in "$@"; do
    case $argument in
      -DKokkos_ROOT[:=]* | -DKokkos_DIR[:=]* | -DCMAKE_PREFIX_PATH[:=]*) return 0 ;;
    esac
  done
  echo 'libkokkos-dev|libtrilinos-kokkos-dev'
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

# "NAME, COMPUTE CAPABILITY" of the first NVIDIA GPU; fails if there is none.
find_gpu() {
  command -v nvidia-smi >/dev/null &&
    nvidia-smi --query-gpu=name,compute_cap --format=csv,noheader 2>/dev/null |
    awk '/, [0-9]+[.][0-9]+$/ && !found++ { print } END { exit !found }'
}

# The folder of nvcc: of the environment's choice, of the PATH, of the usual places.
find_nvcc() {
  local nvcc
  for nvcc in "${CUDACXX:-}" "$(command -v nvcc)" "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" \
    /usr/local/cuda/bin/nvcc; do
    if [ -x "$nvcc" ]; then
      dirname "$(command -v "$nvcc")"
      return
    fi
  done
  return 1
}

# The release of Kokkos that is downloaded where the user has none: C++17, CUDA to 13.1.
kokkos_release=4.7.04

# build_cuda_kokkos PROGRAM FOLDER SOURCE: builds Kokkos for the GPU at hand in FOLDER, from SOURCE or, if that is empty,
# from a release that is downloaded, and sets cuda_args to what CMake has to be told of it. What is missing is said in
# the name of PROGRAM and ends it.
build_cuda_kokkos() {
  local program=$1 folder=$2 source=$3 gpu capability nvcc_folder
  if ! nvcc_folder=$(find_nvcc); then
    echo "$program: --cuda needs nvcc of CUDA 12.5 or later, and none was found. Install NVIDIA's CUDA toolkit" >&2
    echo "(https://developer.nvidia.com/cuda-downloads), or name its compiler: CUDACXX=/path/to/nvcc" >&2
    exit 1
  fi
  if ! gpu=$(find_gpu); then
    echo "$program: --cuda needs an NVIDIA GPU, and nvidia-smi shows none. Is the driver installed (nvidia-smi -L)?" >&2
    exit 1
  fi
  capability=${gpu##*, }
  echo "GPU ${gpu%, *}, compute capability $capability; $nvcc_folder/nvcc"
  if [ "${capability%.*}" -lt 8 ]; then
    echo "The kernels for CUDA need compute capability 8.0 or later; Kokkos' own run on this GPU."
  fi
  require_packages g++ cmake 'make|ninja-build'

  mkdir -p "$folder"
  local log=$folder/kokkos.log
  if [ -z "$source" ]; then
    source=$folder/kokkos-$kokkos_release
    local address=https://github.com/kokkos/kokkos/archive/refs/tags/$kokkos_release.tar.gz
    echo "Downloading Kokkos $kokkos_release"
    if ! cmake "-DADDRESS=$address" "-DSOURCE=$source" "-DWORK=$folder/download" \
      -P "$(dirname "${BASH_SOURCE[0]}")/download_kokkos.cmake" >"$log" 2>&1; then
      echo "$program: Kokkos could not be downloaded; what CMake said is in $log. Without a network, get" >&2
      echo "  $address" >&2
      echo "elsewhere, unpack it here and name the folder: $program --cuda --kokkos-source DIR" >&2
      exit 1
    fi
  fi
  if [ ! -x "$source/bin/nvcc_wrapper" ]; then
    echo "$program: $source is no source folder of Kokkos: it has no bin/nvcc_wrapper" >&2
    exit 1
  fi

  # Kokkos' wrapper calls the nvcc of the PATH.
  export PATH=$nvcc_folder:$PATH
  echo "Building Kokkos in $folder (some minutes, the first time)"
  # Kokkos finds the architecture of the GPU by itself.
  if ! { cmake -S "$source" -B "$folder/build" -DCMAKE_BUILD_TYPE=Release \
    "-DCMAKE_CXX_COMPILER=$source/bin/nvcc_wrapper" -DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_SERIAL=ON \
    "-DCMAKE_INSTALL_PREFIX=$folder/installed" -DCMAKE_INSTALL_LIBDIR=lib &&
    cmake --build "$folder/build" --parallel "$(build_jobs)" --target install; } >"$log" 2>&1; then
    tail -n 30 "$log" >&2
    echo "$program: Kokkos could not be built; all that was printed is in $log. Does this Kokkos fit your CUDA?" >&2
    exit 1
  fi
  # shellcheck disable=SC2034 # for the scripts that call this
  cuda_args=("-DKokkos_ROOT=$folder/installed" "-DCMAKE_CXX_COMPILER=$folder/installed/bin/nvcc_wrapper")
}
