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

Installs what is missing (Debian and Ubuntu, as root or with sudo), builds the examples and runs them.
Each says what it ran on, how fast, and where its picture lies.

  --all            run gray_scott and acoustic_wave as well
  --build-dir DIR  where to build (default: build/demo)
  --output DIR     where the pictures go (default: pictures in the build directory)
  -h, --help       show this text

Arguments after -- go to CMake. To run with another Kokkos than the system's:
  scripts/demo.sh -- -DKokkos_ROOT=/path/to/kokkos
TEXT
}

build=$root/build/demo
output=
examples=(heat_diffusion image_filter)
while [ $# -gt 0 ]; do
  case $1 in
    --all) examples=(heat_diffusion image_filter gray_scott acoustic_wave) ;;
    --build-dir | --output)
      if [ $# -lt 2 ] || [ -z "$2" ]; then
        echo "demo.sh: $1 needs a folder (see --help)" >&2
        exit 2
      fi
      # Absolute, since the build starts in the root of the sources.
      case $2 in /*) folder=$2 ;; *) folder=$PWD/$2 ;; esac
      if [ "$1" = --output ]; then output=$folder; else build=$folder; fi
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
output=${output:-$build/pictures}

packages=(g++ cmake make libpng-dev libcairo2-dev libcli11-dev)
mapfile -t -O ${#packages[@]} packages < <(kokkos_packages "$@")
require_packages "${packages[@]}"

echo "Building the examples in $build"
mkdir -p "$build"
log=$build/demo.log
if ! { cmake -S "$root" -B "$build" -DCMAKE_BUILD_TYPE=Release -DKokkosStencil_ENABLE_TESTS=OFF \
  -DKokkosStencil_ENABLE_EXAMPLES=ON "$@" && cmake --build "$build" --parallel "$(build_jobs)"; } >"$log" 2>&1; then
  tail -n 30 "$log" >&2
  echo "demo.sh: the build failed; all it printed is in $log" >&2
  exit 1
fi

for example in "${examples[@]}"; do
  printf '\n== %s ==\n' "$example"
  "$build/examples/$example/$example" --output "$output"
done
