#!/usr/bin/env bash
# Distances to neighbours on several numbers of ranks have the same bits, see test_ranks_near.c.
# Usage: test_ranks_near.sh TEST_RANKS_NEAR
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

for ranks in 3 2 8 1; do
  start $ranks
  code=$?
  [ $code -ne 77 ] || { cat "$folder/said"; exit 77; }
  [ $code -eq 0 ] && grep -qx done "$folder/said"
  [ $? -eq 0 ] || { failed=1; echo "FAILED on $ranks ranks, exit code $code"; cat "$folder/said"; }
done

# The comparison notices that answers are missing, and a rank that they are too long.
start 3 drop
[ $? -ne 0 ] && grep -q 'away, alone' "$folder/said"
[ $? -eq 0 ] || { failed=1; echo "FAILED: nobody noticed dropped answers"; cat "$folder/said"; }
start 3 long
[ $? -ne 0 ] && grep -q 'rank 1 on .* answers with 200 neighbours instead of 32' "$folder/said"
[ $? -eq 0 ] || { failed=1; echo "FAILED: nobody noticed answers that are too long"; cat "$folder/said"; }
exit $failed
