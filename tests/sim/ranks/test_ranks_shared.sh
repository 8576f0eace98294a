#!/usr/bin/env bash
# Simulations of bodies that several numbers of ranks share are those of one process, see test_ranks_shared.c.
# Usage: test_ranks_shared.sh TEST_RANKS_SHARED
source "$(dirname "${BASH_SOURCE[0]}")/../../support/programs/ranks.sh"

on_every 2 3 5 -- "$folder" # all tests on 3

# The comparison with one process notices every fault.
for fault in swap lost missed slice; do
  noticed 'alone' $fault 2 "$folder" shared_bodies_move_like_those_of_one $fault
done
noticed 'a checkpoint.*alone' swap 2 "$folder" checkpoints_are_those_of_one swap
for fault in missed slice; do
  noticed 'alone' $fault 2 "$folder" fewer_bodies_are_those_of_one $fault
done
noticed 'copy.*alone' swap 2 "$folder" gathered_bodies_move_like_those_of_one swap
noticed 'masses|alone' slice 2 "$folder" states_go_to_and_fro slice
finish
