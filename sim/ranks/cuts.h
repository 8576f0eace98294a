/* Space in one part for each rank, with about as many bodies in each: halves of halves, cut across
 * the longest side of what most of the bodies take up.
 *
 * Bodies at a cut are told apart by their numbers, so that also those at one place are divided. The
 * cuts follow a sample of the bodies, and so do not depend on distant ones. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct cut {
    double at[3];    /* of the first body behind the cut */
    uint64_t number; /* of that body */
    int axis;
};

struct cuts {
    struct cut *cut; /* [ranks - 1] */
    uint64_t total;  /* bodies of all ranks */
    uint64_t first;  /* number of this rank's first body */
};

/* Collective. position: of this rank's bodies, finite. The cuts are the same on all ranks. */
enum status cuts_choose(struct cuts *cuts, const double (*position)[3], size_t count);
void cuts_close(struct cuts *cuts); /* accepts all zero */

/* The rank in whose part this rank's body i lies. */
int cuts_owner(const struct cuts *cuts, const double at[3], size_t i);
