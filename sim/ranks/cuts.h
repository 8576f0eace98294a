/* Divides space into one part per rank, with about the same number of bodies in each, by cutting it
 * again and again in two, across the longest side of the region that most of the bodies take up.
 *
 * Ties at a cut are broken by the bodies' numbers, so that even bodies at one place can be divided.
 * The cuts come from a sample of the bodies, and a few distant bodies do not move them. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct cut {
    double at[3];    /* of the first body beyond the cut */
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
