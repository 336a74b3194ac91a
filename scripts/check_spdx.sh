#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The KokkosStencil authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Checks that every text file of the repository carries the SPDX line of its licence.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case "${1:-}" in
  "") ;;
  -h | --help)
    echo "Usage: scripts/check_spdx.sh"
    echo "Lists the files without the line \"SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\""
    echo "near their beginning; exits with 1 if there are any."
    exit 0
    ;;
  *) echo "check_spdx.sh: unknown option $1 (see --help)" >&2 && exit 2 ;;
esac

list_files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files -z --cached --others --exclude-standard
  else
    find . \( -path './build*' -o -path './.git' -o -path './.cache' \) -prune -o -type f -print0
  fi
}

line='SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception'
missing=0
checked=0
while IFS= read -r -d '' file; do
  [[ -f "$file" && -s "$file" ]] || continue
  case "${file#./}" in
    LICENSE | *.png | *.svg | *.pdf) continue ;;
  esac
  checked=$((checked + 1))
  if ! head -n 12 "$file" | grep -qF "$line"; then
    echo "no SPDX line: $file"
    missing=$((missing + 1))
  fi
done < <(list_files)

if ((missing)); then
  echo "check_spdx.sh: $missing of $checked files lack the line \"$line\"." >&2
  exit 1
fi
echo "$checked files carry the SPDX line."
