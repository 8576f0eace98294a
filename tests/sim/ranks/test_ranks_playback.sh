#!/usr/bin/env bash
# Snapshots that several numbers of ranks share are those of one process, see test_ranks_playback.c.
# Usage: test_ranks_playback.sh TEST_RANKS_PLAYBACK
source "$(dirname "${BASH_SOURCE[0]}")/../../support/programs/ranks.sh"

on_every 3 2 1 -- # all tests on 3

# The comparison with one process notices every fault, if the ranks do not themselves.
for fault in drop place swap slice; do
  for case in shares_are_the_bodies_of_one motion_is_that_of_one; do
    [ "$case $fault" != 'shares_are_the_bodies_of_one swap' ] || continue # counts bodies, which are the same
    noticed 'alone|has two bodies with the id' "$fault in $case" 2 $case $fault
  done
done
finish
