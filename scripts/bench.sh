#!/bin/sh
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

set -eu

usage() {
  cat <<'EOF'
Usage: scripts/bench.sh [--quick | --cpu | --suite=NAME] [--exe=FILE] [--build=DIRECTORY]
                        [--output=DIRECTORY] [-- options for the executable]

Runs the benchmarks and writes DIRECTORY/<suite>.json, <suite>.txt and the pictures.

  (default)        everything: under ten minutes on a GPU
  --quick          a case of each kind: about a minute on a GPU
  --cpu            the pairs for a CPU: library, hand-written loop, MDRange
  --suite=NAME     another suite (see KokkosStencil_benchmarks --help)
  --exe=FILE       an executable that is already built
  --build=DIR      build here first, with the options in CMAKE_ARGS (default: build-bench)
  --output=DIR     default: bench-results

PYTHON names the interpreter for the pictures (needs matplotlib). CMAKE_ARGS might be "-DKokkos_DIR=... -DCMAKE_CXX_COMPILER=.../nvcc_wrapper". The status is that of the
executable: 1 if a result was wrong. Nothing on the machine is changed: clocks are read, not set.
EOF
}

suite=full
exe=
build=build-bench
output=bench-results
while [ $# -gt 0 ]; do
  case $1 in
    --quick) suite=quick ;;
    --cpu) suite=cpu ;;
    --suite=*) suite=${1#*=} ;;
    --exe=*) exe=${1#*=} ;;
    --build=*) build=${1#*=} ;;
    --output=*) output=${1#*=} ;;
    -h | --help)
      usage
      exit 0
      ;;
    --)
      shift
      break
      ;;
    *)
      echo "bench.sh: unknown option $1" >&2
      usage >&2
      exit 2
      ;;
  esac
  shift
done

scripts=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -z "$exe" ]; then
  # shellcheck disable=SC2086
  cmake -S "$scripts/.." -B "$build" -DCMAKE_BUILD_TYPE=Release -DKokkosStencil_ENABLE_PERF_TESTS=ON \
    -DKokkosStencil_ENABLE_TESTS=OFF -DKokkosStencil_ENABLE_EXAMPLES=OFF ${CMAKE_ARGS:-}
  cmake --build "$build" -j "$(nproc)" --target KokkosStencil_benchmarks
  exe=$build/perf_tests/KokkosStencil_benchmarks
fi
if [ ! -x "$exe" ]; then
  echo "bench.sh: $exe is not an executable" >&2
  exit 2
fi

mkdir -p "$output"
begin=$(date +%s)
status=0
"$exe" --suite="$suite" --table --benchmark_out="$output/$suite.json" "$@" > "$output/$suite.txt" 2>&1 || status=$?
# Results are published: with a licence, without the machine's name and directories.
if [ -f "$output/$suite.json" ]; then
  licence='"licence": "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception",'
  sed -e "s|\"host_name\":.*|$licence|" -e 's|"executable": ".*/|"executable": "|' "$output/$suite.json" > "$output/$suite.tmp"
  mv "$output/$suite.tmp" "$output/$suite.json"
fi
sed -n '/^GStencil/,$p' "$output/$suite.txt"
grep 'ERROR OCCURRED' "$output/$suite.txt" | grep -v "'unavailable:" || true
if [ $status -ge 2 ]; then
  tail -n 20 "$output/$suite.txt" >&2
  exit $status
fi
echo "$(($(date +%s) - begin)) s; results: $output/$suite.json"
"${PYTHON:-python3}" "$scripts/plot_benchmarks.py" "$output/$suite.json" --output "$output" ||
  echo "bench.sh: no pictures" >&2
exit $status
