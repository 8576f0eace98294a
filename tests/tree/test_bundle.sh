#!/usr/bin/env bash
# tests/gpu counts what it sees: on made-up programs, an ok, a part left out and a failure each come
# out as what they are.
set -euo pipefail
gpu=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/gpu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p bundle/bin bundle/tests

program() { # NAME, then its script from the standard input
  { echo '#!/bin/sh'; cat; } >"bundle/$1"
  chmod +x "bundle/$1"
}
wanted() { grep -qE "$1" said || { cat said >&2; echo "not found: $1" >&2; exit 1; }; }

program bin/gravreel <<'END'
case "$1" in
--version) printf "gravreel made-up\ncommit none\n" ;;
doctor) echo "  [ok] cuda  Made-up device" ;;
render)
  case " $* " in
  *' --backend cuda '*)
    if [ "${CUDA_VISIBLE_DEVICES-unset}" = '' ]; then echo "no device" >&2; exit 4; fi
    case " $* " in *' --device 99 '*) echo "no device 99" >&2; exit 3 ;; esac ;;
  esac
  while [ $# -gt 1 ]; do
    [ "$1" != --progress ] || printf 'busy_simulation=2.4\nbusy_drawing=0.6\n' >"$2"
    shift
  done
  last=$1
  case $last in *.mp4) date +%N >"$last" ;; esac
  echo "  simulation  2.4 s  300 bodies on CPU" >&2 ;;
esac
END
program tests/test_kernels <<'END'
printf '[ RUN      ] a\n[       OK ] a\n'
END
program tests/test_solver <<'END'
printf '[ RUN      ] a\n[       OK ] a\n[ RUN      ] b\nskipped: made-up reason\n[  SKIPPED ] b\n'
printf '[  SKIPPED ] 1 test(s), listed below:\n[  SKIPPED ] b\n'
END
program tests/test_transfer <<'END'
printf '[ RUN      ] a\nskipped: another reason\n[  SKIPPED ] a\n'; exit 77
END
program tests/test_simulation <<'END'
printf '[ RUN      ] a\n[  FAILED  ] a\n'; exit 1
END

code=0
"$gpu" --quick -o results bundle >said 2>&1 || code=$?
[ $code -eq 1 ] || { cat said >&2; echo "exit code $code instead of 1" >&2; exit 1; }
wanted '^ok .* doctor$'
wanted '^ok .* test_kernels$'
wanted '^skipped .* test_solver: 1 of 2: made-up reason$'
wanted '^skipped .* test_transfer: 1 of 1: another reason$'
wanted '^skipped .* test_renderer: tests/test_renderer is not built here$'
wanted '^FAILED .* test_simulation: exit code 1;'
wanted '^FAILED .* film-repeats: two runs' # the made-up film holds the time
wanted '^FAILED .* device-out-of-range: exit code 3 instead of 4'
wanted '^ok .* hidden-device$'
wanted '^ +a frame: simulation 20.00 ms, drawing 5.00 ms$'
wanted '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
test -s results/summary.txt
test -s results/test_solver.log

"$gpu" --quick --only test_kernels -o results bundle >said 2>&1 || { cat said >&2; exit 1; }
wanted '^1 passed, 0 failed, 0 skipped$'

code=0
"$gpu" -o results "$folder" >said 2>&1 || code=$?
[ $code -eq 2 ]
wanted 'neither bin/gravreel nor cmd/gravreel'
