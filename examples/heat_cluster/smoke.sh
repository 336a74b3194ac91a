#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# smoke.sh FOLDER PROGRAM CHECK MPIRUN...: the example on 1, 2 and 3 processes, stopped and gone on with in between.
# Temperatures and pictures must be the same.
set -euo pipefail
folder=$1 program=$2 check=$3
shift 3
rm -rf "$folder"
mkdir -p "$folder"
size=(--nx 61 --ny 40)

"$@" 1 "$program" "${size[@]}" --steps 80 --output "$folder/one" | tee "$folder/one.txt"
"$@" 3 "$program" "${size[@]}" --steps 50 --depth 4 --output "$folder/half" --save "$folder/state"
"$@" 2 "$program" "${size[@]}" --steps 30 --output "$folder/two" --resume "$folder/state" | tee "$folder/two.txt"
grep -q '^80 steps' "$folder/one.txt"
cmp <(grep -o '[0-9.]* °C' "$folder/one.txt") <(grep -o '[0-9.]* °C' "$folder/two.txt")
"$check" "$folder/one/heat_cluster.png" 61 40
cmp "$folder/one/heat_cluster.png" "$folder/two/heat_cluster.png"

# A state of another plate is refused, by everybody.
if "$@" 2 "$program" --nx 60 --ny 40 --steps 1 --output "$folder/other" --resume "$folder/state" >"$folder/other.txt" 2>&1; then
  echo "a state of other extents was taken" >&2
  exit 1
fi
grep -q 'not the state of a plate of 60 x 40 points' "$folder/other.txt"
