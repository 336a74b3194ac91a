#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Everything that must pass before a change is merged, in one command.

set -euo pipefail
called_from="$PWD"
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root="$PWD"

usage() {
  cat <<'TEXT'
Usage: scripts/test.sh [OPTIONS] [-- CMAKE_ARGUMENTS...]

Checks format and licence lines, builds with warnings as errors, runs every test, builds the
documentation, and builds once more with clang++ if there is one. On Debian and Ubuntu it first
installs what is missing (as root or with sudo); elsewhere it says what is needed.

  --jobs N         parallel compile jobs (default: what processors and memory allow)
  --build-dir DIR  where to build (default: build/test)
  --no-install     never install packages
  --quick          format, licence lines, host build and tests only
  --skip STEP      leave a step out; may be given several times:
                   format, spdx, docs, clang, cuda
  --cuda           with the NVIDIA GPU of this machine: builds a Kokkos for it, needs CUDA's nvcc
  --kokkos-source DIR
                   with --cuda: the sources of a Kokkos that fits your CUDA (default: a release is downloaded)
  --help           show this text

Arguments after -- go to CMake. To test with another Kokkos than the system's:
  scripts/test.sh -- -DKokkos_ROOT=/path/to/kokkos
TEXT
}

# shellcheck source=scripts/lib.sh
source scripts/lib.sh

jobs="$(build_jobs)"
build=
install=yes
cuda=no
kokkos_source=
skip=" "
while (($#)); do
  case "$1" in
    --jobs | --build-dir | --kokkos-source | --skip)
      if (($# < 2)); then
        echo "test.sh: $1 needs a value (see --help)" >&2
        exit 2
      fi
      case "$1" in
        --jobs) jobs="$2" ;;
        --build-dir) build="$2" ;;
        --kokkos-source) case "$2" in /*) kokkos_source="$2" ;; *) kokkos_source="$called_from/$2" ;; esac ;;
        --skip)
          case "$2" in
            format | spdx | docs | clang | cuda) skip+="$2 " ;;
            *) echo "test.sh: there is no step $2 to skip (see --help)" >&2 && exit 2 ;;
          esac
          ;;
      esac
      shift
      ;;
    --no-install) install=no ;;
    --cuda) cuda=yes ;;
    --quick) skip+="docs clang cuda " ;;
    -h | --help) usage && exit 0 ;;
    --)
      shift
      break
      ;;
    *) echo "test.sh: unknown option $1 (see --help)" >&2 && exit 2 ;;
  esac
  shift
done
if [[ ! "$jobs" =~ ^[1-9][0-9]{0,3}$ ]]; then
  echo "test.sh: --jobs $jobs is not a number from 1 to 9999" >&2
  exit 2
fi
cmake_args=("$@")
if [[ -n "$kokkos_source" && "$cuda" == no ]]; then
  echo "test.sh: --kokkos-source goes with --cuda (see --help)" >&2
  exit 2
fi
if [[ "$cuda" == yes && -z "$(kokkos_packages "${cmake_args[@]}")" ]]; then
  echo "test.sh: --cuda builds a Kokkos, but another one is named (Kokkos_ROOT, Kokkos_DIR or CMAKE_PREFIX_PATH)" >&2
  exit 2
fi

if [[ -z "$build" ]]; then
  if [[ "$cuda" == yes ]]; then build=build/test-cuda; else build=build/test; fi
fi
# A relative build directory lies in the repository.
[[ "$build" == /* ]] || build="$root/$build"

step="start"
summary=()
trap 'status=$?; if ((status)); then echo; echo "test.sh: FAILED in step: $step" >&2; fi' EXIT
begin() {
  step="$1"
  echo
  echo "=== $step"
}
wanted() { [[ "$skip" != *" $1 "* ]]; }

# --- What is needed -----------------------------------------------------------------------------

begin "requirements"
packages=(g++ cmake make git python3 libgtest-dev libpng-dev libcairo2-dev libcli11-dev libbenchmark-dev
  openmpi-bin libopenmpi-dev)
if [[ "$cuda" == no ]]; then mapfile -t -O "${#packages[@]}" packages < <(kokkos_packages "${cmake_args[@]}"); fi
if wanted docs; then packages+=(doxygen python3-sphinx python3-breathe python3-sphinx-rtd-theme); fi
formatter=()
if wanted format && [[ -z "${CLANG_FORMAT:-}" ]]; then formatter=(clang-format-14); fi
if [[ "$install" == yes ]]; then
  require_packages "${packages[@]}"
  # Newer distributions lack this version; everything else still counts.
  if ((${#formatter[@]})) && ! (require_packages "${formatter[@]}"); then
    echo "test.sh: without clang-format 14 the format is not checked" >&2
    skip+="format "
  fi
else
  missing=()
  for package in "${packages[@]}" "${formatter[@]}"; do
    package_present "$package" || missing+=("$package")
  done
  if ((${#missing[@]})); then
    mapfile -t missing < <(for package in "${missing[@]}"; do choose_package "$package"; done)
    if command -v dpkg-query >/dev/null; then
      echo "test.sh: missing: ${missing[*]}" >&2
      echo "Install them (apt-get install ${missing[*]}), or leave out --no-install." >&2
      exit 1
    fi
    echo "test.sh: this is not a Debian system; it needs what these packages bring: ${missing[*]}" >&2
  fi
fi
echo "Everything is there."

if [[ "$cuda" == yes ]]; then
  begin "Kokkos with CUDA"
  build_cuda_kokkos test.sh "$build/kokkos" "$kokkos_source"
  cmake_args=("${cuda_args[@]}" "${cmake_args[@]}")
  skip+="cuda " # the step for machines without a GPU
fi

# --- Checks of the sources ----------------------------------------------------------------------

if wanted format; then
  begin "format"
  scripts/format.sh --check
  summary+=("format       passed")
else
  summary+=("format       skipped")
fi

if wanted spdx; then
  begin "licence lines"
  scripts/check_spdx.sh
  summary+=("licences     passed")
else
  summary+=("licences     skipped")
fi

# --- Build and tests ----------------------------------------------------------------------------

begin "build (g++, warnings as errors)"
options=(-DCMAKE_BUILD_TYPE=Release -DKokkosStencil_WARNINGS_AS_ERRORS=ON)
for part in tests:TESTS examples:EXAMPLES perf_tests:PERF_TESTS distributed:DISTRIBUTED; do
  # A part that a source archive leaves out is not built.
  if [[ -f "${part%%:*}/CMakeLists.txt" ]]; then value=ON; else value=OFF; fi
  options+=("-DKokkosStencil_ENABLE_${part##*:}=$value")
done
if wanted docs; then options+=(-DKokkosStencil_ENABLE_DOCS=ON); else options+=(-DKokkosStencil_ENABLE_DOCS=OFF); fi
compiler=()
# The compiler may be chosen after --, by CXX, or by Kokkos (nvcc_wrapper); else it is g++.
if [[ " ${cmake_args[*]-}" != *CMAKE_CXX_COMPILER* && -z "${CXX:-}" ]]; then compiler=(-DCMAKE_CXX_COMPILER=g++); fi
cmake -S . -B "$build" "${compiler[@]}" "${options[@]}" "${cmake_args[@]}"
cmake --build "$build" --parallel "$jobs"
summary+=("build        passed")

begin "tests"
log="$build/ctest.log"
# Tests run side by side; OpenMP's threads must not spin while they wait, nor be bound to the same processors.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}" OMP_PROC_BIND="${OMP_PROC_BIND:-false}"
ctest --test-dir "$build" --output-on-failure --no-tests=error --parallel "$jobs" </dev/null 2>&1 | tee "$log"
result="$(grep -E '^[0-9]+% tests passed' "$log" | tail -n 1)"
summary+=("tests        passed")

# --- Documentation ------------------------------------------------------------------------------

if wanted docs; then
  begin "documentation (warnings as errors)"
  cmake --build "$build" --target KokkosStencil_docs
  echo "See $build/docs/html/index.html"
  summary+=("docs         passed")
else
  summary+=("docs         skipped")
fi

# --- A second compiler --------------------------------------------------------------------------

if ! wanted clang; then
  summary+=("clang++      skipped")
elif ! command -v clang++ >/dev/null; then
  summary+=("clang++      not found, skipped")
elif ((${#cmake_args[@]})); then
  # A Kokkos that was built for g++ (OpenMP, nvcc) need not work with clang++.
  summary+=("clang++      skipped (CMake arguments were given)")
else
  begin "build (clang++, warnings as errors)"
  if [[ -f examples/CMakeLists.txt ]]; then examples=ON; else examples=OFF; fi
  cmake -S . -B "$build-clang" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release \
    -DKokkosStencil_WARNINGS_AS_ERRORS=ON -DKokkosStencil_ENABLE_TESTS=OFF \
    "-DKokkosStencil_ENABLE_EXAMPLES=$examples"
  cmake --build "$build-clang" --parallel "$jobs"
  summary+=("clang++      passed")
fi

# --- CUDA kernels -------------------------------------------------------------------------------

# They need nvcc, but neither a GPU nor a Kokkos with CUDA.
nvcc="$(command -v nvcc || true)"
[[ -n "$nvcc" || ! -x /usr/local/cuda/bin/nvcc ]] || nvcc=/usr/local/cuda/bin/nvcc
if ! wanted cuda; then
  summary+=("CUDA kernels skipped")
elif [[ ! -f backends/cuda/CMakeLists.txt ]]; then
  summary+=("CUDA kernels none: there is no backends/cuda yet")
elif [[ -z "$nvcc" ]]; then
  summary+=("CUDA kernels nvcc not found, skipped")
else
  begin "CUDA kernels (sm_80, sm_90)"
  mkdir -p "$build-cuda/ptx"
  cmake -S . -B "$build-cuda" "${compiler[@]}" "-DCMAKE_CUDA_COMPILER=$nvcc" -DCMAKE_BUILD_TYPE=Release \
    -DKokkosStencil_ENABLE_CUDA=ON "-DKokkosStencil_CUDA_ARCHITECTURES=80;90" \
    "-DKokkosStencil_CUDA_KEEP=$build-cuda/ptx" \
    -DKokkosStencil_WARNINGS_AS_ERRORS=ON -DKokkosStencil_ENABLE_TESTS=ON -DKokkosStencil_ENABLE_EXAMPLES=OFF \
    "${cmake_args[@]}"
  cmake --build "$build-cuda" --parallel "$jobs" --target KokkosStencil kokkosstencil_test_cuda_host
  # All they do on the host, against a CUDA runtime that does nothing.
  ctest --test-dir "$build-cuda" --output-on-failure --no-tests=error -R '^cuda_host$'
  if compgen -G 'backends/cuda/sparse*/*.cu' >/dev/null; then
    # The PTX must hold sparse tensor-core instructions for both.
    for arch in 80 90; do
      sparse="$(find "$build-cuda/ptx" -name '*.ptx' -exec awk -v target="sm_$arch" \
        '/^[.]target/ { on = index($2, target) == 1 } on && /mma[.]sp/ { n++ } END { print n + 0 }' {} + |
        awk '{ n += $1 } END { print n + 0 }')"
      echo "sm_$arch: $sparse sparse tensor-core instructions (mma.sp)"
      if ((sparse == 0)); then
        echo "test.sh: no mma.sp in the PTX for sm_$arch" >&2
        exit 1
      fi
    done
  fi
  summary+=("CUDA kernels passed")
fi

# --- Summary ------------------------------------------------------------------------------------

step="summary"
echo
echo "=== summary"
printf '%s\n' "${summary[@]}"
echo "$result"
