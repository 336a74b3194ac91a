#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Builds the examples and shows what they can do.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=scripts/lib.sh
. "$root/scripts/lib.sh"

usage() {
  cat <<'TEXT'
Usage: scripts/demo.sh [OPTIONS] [-- CMAKE_ARGUMENTS...]

Installs what is missing (Debian and Ubuntu, as root or with sudo), builds the examples and runs them: first
"rates", which shows the backends that ran, how fast, and how that compares with a copy; then some that draw pictures.

  --ranks N            run heat_cluster on N processes as well (installs OpenMPI)
  --cuda               run on the NVIDIA GPU of this machine; needs CUDA's nvcc, and builds a Kokkos for the GPU
  --kokkos-source DIR  with --cuda: the sources of a Kokkos that fits your CUDA (default: a release is downloaded)
  --all                run gray_scott, acoustic_wave and circuit_board as well
  --build-dir DIR      where to build (default: build/demo, with --cuda build/demo-cuda)
  --output DIR         where the pictures go (default: pictures in the build directory)
  -h, --help           show this text

Arguments after -- go to CMake. To run with another Kokkos than the system's:
  scripts/demo.sh -- -DKokkos_ROOT=/path/to/kokkos
TEXT
}

build=
output=
ranks=0
cuda=no
kokkos_source=
pictures=(heat_diffusion image_filter)
while [ $# -gt 0 ]; do
  case $1 in
    --all) pictures=(heat_diffusion image_filter gray_scott acoustic_wave circuit_board) ;;
    --cuda) cuda=yes ;;
    --build-dir | --output | --kokkos-source)
      if [ $# -lt 2 ] || [ -z "$2" ]; then
        echo "demo.sh: $1 needs a folder (see --help)" >&2
        exit 2
      fi
      # Absolute, since the build starts in the root of the sources.
      case $2 in /*) folder=$2 ;; *) folder=$PWD/$2 ;; esac
      case $1 in
        --output) output=$folder ;;
        --build-dir) build=$folder ;;
        --kokkos-source) kokkos_source=$folder ;;
      esac
      shift
      ;;
    --ranks)
      if [[ ! ${2:-} =~ ^[1-9][0-9]{0,3}$ ]]; then
        echo "demo.sh: --ranks needs a number from 1 to 9999 (see --help)" >&2
        exit 2
      fi
      ranks=$2
      shift
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    --)
      shift
      break
      ;;
    *)
      echo "demo.sh: unknown option $1 (see --help)" >&2
      exit 2
      ;;
  esac
  shift
done
if [ -n "$kokkos_source" ] && [ $cuda = no ]; then
  echo "demo.sh: --kokkos-source goes with --cuda (see --help)" >&2
  exit 2
fi
if [ $cuda = yes ] && [ -z "$(kokkos_packages "$@")" ]; then
  echo "demo.sh: --cuda builds a Kokkos, but another one is named (Kokkos_ROOT, Kokkos_DIR or CMAKE_PREFIX_PATH)." >&2
  echo "Leave one of the two out. A Kokkos with CUDA is used by" >&2
  echo "  scripts/demo.sh -- -DKokkos_ROOT=DIR -DCMAKE_CXX_COMPILER=DIR/bin/nvcc_wrapper" >&2
  exit 2
fi
if [ -z "$build" ]; then
  build=$root/build/demo
  [ $cuda = no ] || build+=-cuda
fi
output=${output:-$build/pictures}

cuda_args=()
if [ $cuda = yes ]; then
  build_cuda_kokkos demo.sh "$build/kokkos" "$kokkos_source"
else
  mapfile -t packages < <(kokkos_packages "$@")
  require_packages g++ cmake 'make|ninja-build' "${packages[@]}"
fi
# Without these the examples that draw are left out.
drawing=(libpng-dev libcairo2-dev libcli11-dev)
if ! (require_packages "${drawing[@]}"); then
  echo "demo.sh: going on without the examples that draw pictures" >&2
fi
distributed=OFF
if ((ranks)); then
  require_packages openmpi-bin libopenmpi-dev
  distributed=ON
fi

echo "Building the examples in $build"
mkdir -p "$build"
log=$build/demo.log
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DKokkosStencil_ENABLE_TESTS=OFF \
  -DKokkosStencil_ENABLE_TOOLS=OFF -DKokkosStencil_ENABLE_EXAMPLES=ON "-DKokkosStencil_ENABLE_DISTRIBUTED=$distributed" \
  "${cuda_args[@]}" "$@" &&
  cmake --build "$build" --parallel "$(build_jobs)"; } >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "demo.sh: the build failed; all it printed is in $log" >&2
  exit 1
fi

printf '\n== rates ==\n'
"$build/examples/rates/rates"
for example in "${pictures[@]}"; do
  if [ -x "$build/examples/$example/$example" ]; then
    printf '\n== %s ==\n' "$example"
    "$build/examples/$example/$example" --output "$output"
  else
    printf '\n%s is left out: it needs %s\n' "$example" "${drawing[*]}"
  fi
done

if ((ranks)) && [ -x "$build/examples/heat_cluster/heat_cluster" ]; then
  printf '\n== heat_cluster on %s processes ==\n' "$ranks"
  # OpenMPI has to be told that more processes than processors are meant, and that root is (as in containers).
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}"
  flags=()
  if mpirun --version | grep -qE 'Open MPI|OpenRTE'; then flags=(--oversubscribe --bind-to none); fi
  mpirun -n "$ranks" "${flags[@]}" "$build/examples/heat_cluster/heat_cluster" --output "$output"
fi

if [ $cuda = no ] && gpu=$(find_gpu) && ! grep -q '^KokkosStencil_ENABLE_CUDA:BOOL=ON' "$build/CMakeCache.txt"; then
  printf '\nThis machine has an %s, which this Kokkos cannot use; scripts/demo.sh --cuda runs on it.\n' "${gpu%, *}"
fi
