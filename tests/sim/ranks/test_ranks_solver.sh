#!/usr/bin/env bash
# Simulations on several numbers of ranks have the same bits, see test_ranks_solver.c.
# Usage: test_ranks_solver.sh TEST_RANKS_SOLVER
source "$(dirname "${BASH_SOURCE[0]}")/../../support/programs/ranks.sh"

on_every 3 2 5 1 -- "$folder" # all tests on 3

# The comparison with one machine notices every fault.
for fault in cell cells summary body start order; do
  noticed 'alone|cells were asked for [23] times|cells of other ranks are missing' $fault 3 "$folder" spheres_are_apart $fault
done
start 3 "$folder" missing_cells_are_asked_for_again cell && grep -q 'PASSED.* 1 test' said
verdict $? "cells that are missing: $(cat said)"
start 3 "$folder" missing_cells_end_a_run cells && grep -q 'PASSED.* 1 test' said
verdict $? "cells that are missing for good: $(cat said)"
finish
