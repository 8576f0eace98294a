#!/usr/bin/env bash
# Distances to neighbours on several numbers of ranks have the same bits, see test_ranks_near.c.
# Usage: test_ranks_near.sh TEST_RANKS_NEAR
source "$(dirname "${BASH_SOURCE[0]}")/../../support/programs/ranks.sh"

on_every 3 2 5 1 --

# The comparison notices that answers are missing, and a rank that they are too long.
noticed 'away, alone' drop 3 drop
noticed 'has a dispersion of .*, alone' still 3 still
noticed 'rank 1 on .* answers with 200 neighbours instead of at most 32' long 3 long
finish
