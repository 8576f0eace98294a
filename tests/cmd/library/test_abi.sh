#!/usr/bin/env bash
# The binary interface of libgravreel is that of version 1, which gravreel-1.abi beside this file describes: programs that were
# linked with an older version run with a newer one. Usage: test_abi.sh [--write], which records an interface that has grown.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
stored=$root/tests/cmd/library/gravreel-1.abi
command -v abidiff abidw >/dev/null || { echo 'skipped: abidiff is not installed'; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0
fail() { echo "FAILED: $*"; sed 's/^/  /' said; failed=1; }
library() { # folder of sources, library: with the debugging information that describes types
  (cd "$1" && "${CC:-cc}" -std=c17 -g -fPIC -shared -fvisibility=hidden -fdebug-prefix-map="$1"=. -D_GNU_SOURCE -DGRAVREEL_VERSION='"1"' -I. -Icmd/library \
    -Wl,-soname,libgravreel.so.1 cmd/library/*.c -pthread -o "$2")
}
differs() { # library: what it differs by. 4 in the exit code: anything; 8: what surely breaks programs
  abidiff --no-architecture "$stored" "$1" >said 2>&1
}
library "$root" "$folder/own.so" || exit 1
if [ "${1:-}" = --write ]; then
  abidw --headers-dir "$root/cmd/library" --drop-private-types --drop-undefined-syms --no-architecture --no-corpus-path --no-comp-dir-path --no-show-locs own.so |
    sed '/<elf-needed>/,/<\/elf-needed>/d' >"$stored"
  exit
fi
differs own.so
code=$?
[ $code -eq 0 ] ||
  fail 'the interface has changed: if it has only grown, tests/cmd/library/test_abi.sh --write records it; else keep it as it was'

# ---- violations are found ----
planted() { # what is done to a copy of the sources, and the exit code
  rm -rf copy && mkdir -p copy/cmd && cp -r "$root/cmd/library" copy/cmd/
  sed -i "$1" copy/cmd/library/*.[ch]
  ! diff -rq copy/cmd/library "$root/cmd/library" >/dev/null || fail "nothing is changed by $1"
  library "$folder/copy" "$folder/copy.so" >said 2>&1 || { fail "does not compile after $1"; return; }
  differs copy.so
  code=$?
  [ "$code" -eq "$2" ] || fail "exit code $code after $1"
}
planted 's/ptrdiff_t stride;/int stride;/' 4
planted 's/const char \*name, \*unit;/const char *unit, *name;/' 4
planted 's/gravreel_version/gravreel_revision/' 12 # a function is gone, another is new
planted 's/GRAVREEL_F4, GRAVREEL_F8/GRAVREEL_F8, GRAVREEL_F4/' 4
planted 's/double length, double mass, double velocity/float length, double mass, double velocity/' 4
exit $failed
