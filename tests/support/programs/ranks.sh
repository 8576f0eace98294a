# For tests of programs on several ranks, which source it with the program in $1. They then are in a folder of their own,
# which is removed at the end; `said` in it is what was printed last.
set -uo pipefail
program=$(readlink -f "$1")
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/mpirun
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failed=0 passed=0
# A wait of one rank for the others that lasts this long fails, and names its lane.
export GRAVREEL_RANKS_LATE=${GRAVREEL_RANKS_LATE:-600}

verdict() { # exit code, what
  if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $2"; fi
}
start() { # ranks, arguments; a run that hangs is ended far beyond what load makes of it
  timeout --kill-after=10 900 "$mpirun" "$1" "$program" "${@:2}" >said 2>&1
}
finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}

# --- programs of unit tests ---
on_every() { # numbers of ranks, then -- and arguments: the tests pass on each of them
  local numbers=() ranks code
  while [ "$1" != -- ]; do numbers+=("$1"); shift; done
  for ranks in "${numbers[@]}"; do
    start "$ranks" "${@:2}"
    code=$?
    [ $code -ne 77 ] || { cat said; exit 77; }
    grep -E '^\[ +(FAILED|PASSED) +\]|^<CTestLabel' said
    verdict $code "on $ranks ranks, exit code $code: $([ $code -eq 0 ] || cat said)"
  done
}
noticed() { # what it says of a fault, the fault, ranks, arguments: it fails for that reason
  start "${@:3}"
  [ $? -ne 0 ] && grep -qE "$1" said
  verdict $? "nobody noticed the fault '$2': $(cat said)"
}

# --- the program itself ---
need_gl() { # and mpirun
  start 1 --version
  [ $? -ne 77 ] || { cat said; exit 77; }
  "$program" still figure-eight --at start --size 32x18 -o gl.png >said 2>&1
  [ $? -eq 4 ] && { echo "skipped: no GL: $(cat said)"; exit 77; }
}
# No value differs by more than 1, and no more than 15 of a picture's 15552 by that. A pixel that differs counts once for
# its three values.
limits="--limit picture.free=0 --limit picture.counted"
same() { # two sequences of pictures
  "$program" compare "$1" "$2" $limits=0 --limit picture.counts_above=1 >said 2>&1 &&
    "$program" compare "$1" "$2" $limits=5 --limit picture.counts_above=0 >said 2>&1
}
processes() { pgrep -f -- "$folder/$1.mp4"; }
process_of() { # film, rank: its process
  local id
  for id in $(processes "$1"); do
    tr '\0' '\n' 2>/dev/null <"/proc/$id/environ" | grep -qxE "(OMPI_COMM_WORLD_RANK|PMI_RANK)=$2" && echo "$id" && return
  done
}
ended() { # film of $job: no process is left; far longer than it takes
  local k
  wait $job
  code=$?
  for ((k = 0; k < 600; k++)); do
    processes "$1" >/dev/null || break
    sleep 0.1
  done
  ! processes "$1" >left
  verdict $? "$1: processes are left behind: $(cat left)"
  [ ! -s left ] || kill -KILL $(cat left)
  [ $code -ne 0 ]
  verdict $? "$1: exit code $code: $(cat said)"
}
