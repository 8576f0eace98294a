/* The plan of a launch of the direct kernels (kernels/direct.h) on a CUDA device. */
#pragma once

#include "kernels/direct.h"

struct force_direct_plan {
    size_t targets, sources;
    size_t stride;     /* capacity of a slot, in targets */
    unsigned tile;     /* targets per block */
    unsigned share;    /* tiles of sources per group */
    unsigned groups;   /* each has a slot of 3 * stride doubles */
    size_t slot_bytes; /* size of all slots together, and at least `targets` doubles */
};

/* Depends on the two numbers alone, which must be at least 1. */
void force_direct_plan(size_t targets, size_t sources, struct force_direct_plan *plan);
