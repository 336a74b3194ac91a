#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Formats the C++ sources with clang-format, or checks that they are formatted.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

required=14

usage() {
  cat <<TEXT
Usage: scripts/format.sh [--check] [FILE...]

Formats every C++ and CUDA source of the repository (or the given files) in place
with clang-format ${required}. Other major versions format differently and are refused.

  --check   change nothing; list what would change and exit with 1 if anything would
  --help    show this text

The environment variable CLANG_FORMAT names another clang-format to use.
TEXT
}

check=no
files=()
while (($#)); do
  case "$1" in
    --check) check=yes ;;
    -h | --help) usage && exit 0 ;;
    -*) echo "format.sh: unknown option $1 (see --help)" >&2 && exit 2 ;;
    *) files+=("$1") ;;
  esac
  shift
done

tool="${CLANG_FORMAT:-}"
if [[ -z "$tool" ]]; then
  for candidate in "clang-format-${required}" clang-format; do
    if command -v "$candidate" >/dev/null; then
      tool="$candidate"
      break
    fi
  done
fi
if [[ -z "$tool" ]]; then
  echo "format.sh: no clang-format found. On Debian 12 and Ubuntu 22.04: apt-get install clang-format-${required}" >&2
  exit 2
fi
version="$("$tool" --version)"
if [[ ! "$version" =~ version\ ([0-9]+) ]] || [[ "${BASH_REMATCH[1]}" != "$required" ]]; then
  echo "format.sh: $tool is \"$version\", but this project is formatted with clang-format ${required}." >&2
  echo "Install clang-format-${required}, or name one with CLANG_FORMAT=/path/to/clang-format." >&2
  exit 2
fi

if ((${#files[@]} == 0)); then
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    mapfile -t files < <(git ls-files --cached --others --exclude-standard -- \
      '*.hpp' '*.cpp' '*.cu' '*.cuh')
  else
    mapfile -t files < <(find . -path './build*' -prune -o -type f \
      \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print)
  fi
fi
sources=()
for file in "${files[@]}"; do
  # git still lists files that were deleted.
  if [[ -f "$file" ]]; then sources+=("$file"); fi
done
((${#sources[@]})) || exit 0

if [[ "$check" == yes ]]; then
  unformatted=0
  for file in "${sources[@]}"; do
    if ! "$tool" --style=file "$file" | diff -q "$file" - >/dev/null; then
      echo "not formatted: $file"
      unformatted=$((unformatted + 1))
    fi
  done
  if ((unformatted)); then
    echo "format.sh: $unformatted of ${#sources[@]} files are not formatted. Run scripts/format.sh." >&2
    exit 1
  fi
  echo "${#sources[@]} files are formatted."
else
  "$tool" --style=file -i "${sources[@]}"
fi
