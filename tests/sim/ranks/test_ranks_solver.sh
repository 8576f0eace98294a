#!/usr/bin/env bash
# Simulations on several numbers of ranks have the same bits, see test_ranks_solver.c.
# Usage: test_ranks_solver.sh TEST_RANKS_SOLVER
set -uo pipefail
test=$1
mpirun=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../support" && pwd)/mpirun
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

for ranks in 3 5 2 8 1; do
  # a run that hangs is ended far beyond what load makes of it
  timeout --kill-after=10 600 "$mpirun" "$ranks" "$test" "$folder" >"$folder/said" 2>&1
  code=$?
  [ $code -ne 77 ] || { cat "$folder/said"; exit 77; }
  grep -E '^\[ +(FAILED|PASSED) +\]|^<CTestLabel' "$folder/said"
  [ $code -eq 0 ] || { failed=1; echo "FAILED on $ranks ranks, exit code $code"; cat "$folder/said"; }
done
exit $failed
