#!/usr/bin/env bash
# Simulations on several numbers of ranks have the same bits, see test_ranks_solver.c.
# Usage: test_ranks_solver.sh TEST_RANKS_SOLVER
set -uo pipefail
test=$1
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../support" && pwd)/mpirun
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

start() { # ranks, further arguments; a run that hangs is ended far beyond what load makes of it
  local ranks=$1
  shift
  timeout --kill-after=10 900 "$mpirun" "$ranks" "$test" "$folder" "$@" >"$folder/said" 2>&1
}

for ranks in 3 2 8 1; do
  start $ranks
  code=$?
  [ $code -ne 77 ] || { cat "$folder/said"; exit 77; }
  grep -E '^\[ +(FAILED|PASSED) +\]|^<CTestLabel' "$folder/said"
  [ $code -eq 0 ] || { failed=1; echo "FAILED on $ranks ranks, exit code $code"; cat "$folder/said"; }
done

# The comparison with one machine notices every fault.
for fault in cell cells summary body start order; do
  start 3 spheres_are_apart $fault
  [ $? -ne 0 ] && grep -qE 'alone|cells were asked for [23] times|cells of other ranks are missing' "$folder/said"
  [ $? -eq 0 ] || { failed=1; echo "FAILED: nobody noticed the fault '$fault'"; cat "$folder/said"; }
done
start 3 missing_cells_are_asked_for_again cell && grep -q 'PASSED.* 1 test' "$folder/said"
[ $? -eq 0 ] || { failed=1; echo "FAILED: cells that are missing"; cat "$folder/said"; }
start 3 missing_cells_end_a_run cells && grep -q 'PASSED.* 1 test' "$folder/said"
[ $? -eq 0 ] || { failed=1; echo "FAILED: cells that are missing for good"; cat "$folder/said"; }
exit $failed
