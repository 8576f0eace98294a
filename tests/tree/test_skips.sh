#!/usr/bin/env bash
# scripts/skips with made-up logs: what a machine can run must not be left out. Usage: test_skips.sh
set -euo pipefail
skips=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/scripts/skips
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Testing/Temporary"

check() { # exit code, the option of the build, lines of the log
  local want=$1 code=0
  echo "GRAVREEL_SANITIZE:STRING=$2" >"$folder/CMakeCache.txt"
  shift 2
  printf '%s\n' '[ RUN      ] a' "$@" '[  SKIPPED ] a' >"$folder/Testing/Temporary/LastTest.log"
  GRAVREEL_TEST_DATA=$folder/none "$skips" "$folder" >"$folder/said" 2>&1 || code=$?
  [ $code -eq "$want" ] || { cat "$folder/said"; echo "exit code $code instead of $want for: $*"; exit 1; } >&2
}
says() { grep -qxF "$1" "$folder/said" || { cat "$folder/said"; echo "does not say: $1"; exit 1; } >&2; }

check 0 '' 'drawn by llvmpipe'
check 0 '' 'skipped: no test data: no such file' 'skipped: no test data: no such file'
says 'skipped: 2 for no test data'
check 1 '' 'skipped: no test data: no such file' 'skipped: no GL: no EGL'
says 'skipped on a machine that can run it: no GL: no EGL'
check 1 '' 'skipped: under AddressSanitizer: freed memory is kept'
check 0 'address,undefined' 'skipped: under AddressSanitizer: freed memory is kept'
check 1 'address,undefined' 'skipped: '
mkdir "$folder/none"
check 1 '' 'skipped: no test data: no such file'
