#!/usr/bin/env bash
# Snapshots that several numbers of ranks share are those of one process, see test_ranks_playback.c.
# Usage: test_ranks_playback.sh TEST_RANKS_PLAYBACK
set -uo pipefail
test=$1
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../support" && pwd)/mpirun
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

start() { # ranks, further arguments; a run that hangs is ended far beyond what load makes of it
  local ranks=$1
  shift
  timeout --kill-after=10 900 "$mpirun" "$ranks" "$test" "$@" >"$folder/said" 2>&1
}

for ranks in 3 2 5 1; do
  start $ranks
  code=$?
  [ $code -ne 77 ] || { cat "$folder/said"; exit 77; }
  grep -E '^\[ +(FAILED|PASSED) +\]|^<CTestLabel' "$folder/said"
  [ $code -eq 0 ] || { failed=1; echo "FAILED on $ranks ranks, exit code $code"; cat "$folder/said"; }
done

# The comparison with one process notices every fault, if the ranks do not themselves.
for fault in drop place swap slice; do
  for case in shares_are_the_bodies_of_one motion_is_that_of_one; do
    [ "$case $fault" != 'shares_are_the_bodies_of_one swap' ] || continue # counts bodies, which are the same
    start 2 $case $fault
    [ $? -ne 0 ] && grep -qE 'alone|has two bodies with the id' "$folder/said"
    [ $? -eq 0 ] || { failed=1; echo "FAILED: $case does not notice the fault '$fault'"; cat "$folder/said"; }
  done
done
exit $failed
